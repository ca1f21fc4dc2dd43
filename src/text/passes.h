/*-------------------------------------------------------------------------
 *
 * passes.h
 *		The passes that turn raw text into display text, and the buffer they
 *		hand on.
 *
 * Each pass reads one buffer and appends to another; a pass that finds
 * nothing to do is left out.  Every byte of a buffer carries the raw offset
 * it came from.  Passes are linear in their input.
 *
 * Control characters are taken out by the first pass, so a few serve as
 * marks between passes (ABST_MARK_*); the last pass takes them out.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_PASSES_H
#define ABST_TEXT_PASSES_H

#include "compat.h"
#include "text/reader.h"

#define ABST_MARK_MATH		'\001'	/* a formula begins */
#define ABST_MARK_MATH_END	'\002'	/* ... and ends */

typedef struct AbstBuf
{
	char	   *text;
	int		   *pos;			/* raw offset of each byte; NULL: not wanted */
	Size		len;
	Size		size;
} AbstBuf;

extern void abst_buf_init(AbstBuf *buf, Size size, bool map);

/* Append bytes that all stem from raw offset "pos". */
extern void abst_buf_put(AbstBuf *buf, const char *bytes, int n, int pos);
extern void abst_buf_put_char(AbstBuf *buf, uint32 cp, int pos);

/* Append bytes that stem from raw offsets "pos" and on. */
extern void abst_buf_put_run(AbstBuf *buf, const char *bytes, Size n, int pos);

/* Append a piece of another buffer with its offsets. */
extern void abst_buf_copy(AbstBuf *buf, const AbstBuf *from, Size at, Size n);

/* Insert bytes at an earlier place (they take that place's offset). */
extern void abst_buf_insert(AbstBuf *buf, Size at, const char *bytes, int n);

/* Raw offset of a place in the buffer, its end included. */
static inline int
abst_buf_pos(const AbstBuf *buf, Size at)
{
	if (buf->pos == NULL || buf->len == 0)
		return 0;
	return at < buf->len ? buf->pos[at] : buf->pos[buf->len - 1] + 1;
}

/*
 * Turn out->text[from ..] into its superscript or subscript form if every
 * character has one; else into ^(...), or _... .
 */
extern void abst_buf_script(AbstBuf *out, Size from, bool super);

/*
 * Is a formula no more than a word or number could be (k, 14.94, 10^-5)?
 * Then it joins the text around it: "$k$-NN" is k-NN, "$16$%" is 16%.
 */
extern bool abst_is_plain_formula(const char *s, int len);

/* The passes, in this order. */
extern void abst_pass_decode(const char *raw, int from, int to, AbstBuf *out);
extern bool abst_pass_escapes(const AbstBuf *in, AbstBuf *out);
extern bool abst_pass_entities(const AbstBuf *in, AbstBuf *out);
extern void abst_pass_tags(const AbstBuf *in, AbstBuf *out);
extern void abst_pass_latex(const AbstBuf *in, AbstBuf *out);
extern void abst_pass_markdown(const AbstBuf *in, AbstBuf *out);

#endif							/* ABST_TEXT_PASSES_H */
