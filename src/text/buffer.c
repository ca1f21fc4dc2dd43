/*-------------------------------------------------------------------------
 *
 * buffer.c
 *		The growing text with raw offsets that the reader's passes share.
 *
 * Buffers live in the context that was current at abst_buf_init.
 *
 *-------------------------------------------------------------------------
 */
#include "text/passes.h"

#include "text/charclass.h"
#include "utils/memutils.h"

/* A longer exponent or index stays on the line. */
#define MAX_SCRIPT	64

void
abst_buf_init(AbstBuf *buf, Size size, bool map)
{
	buf->size = size + 64;
	buf->len = 0;
	buf->text = MemoryContextAllocHuge(CurrentMemoryContext, buf->size);
	buf->pos = map ? MemoryContextAllocHuge(CurrentMemoryContext,
											buf->size * sizeof(int)) : NULL;
}

static void
make_room(AbstBuf *buf, Size n)
{
	if (buf->len + n + 1 <= buf->size)
		return;
	buf->size = buf->size * 2 + n;
	buf->text = repalloc_huge(buf->text, buf->size);
	if (buf->pos)
		buf->pos = repalloc_huge(buf->pos, buf->size * sizeof(int));
}

void
abst_buf_put(AbstBuf *buf, const char *bytes, int n, int pos)
{
	make_room(buf, n);
	memcpy(buf->text +buf->len, bytes, n);
	if (buf->pos)
		for (int i = 0; i < n; i++)
			buf->pos[buf->len + i] = pos;
	buf->len += n;
}

void
abst_buf_put_run(AbstBuf *buf, const char *bytes, Size n, int pos)
{
	make_room(buf, n);
	memcpy(buf->text +buf->len, bytes, n);
	if (buf->pos)
		for (Size i = 0; i < n; i++)
			buf->pos[buf->len + i] = pos + (int) i;
	buf->len += n;
}

void
abst_buf_put_char(AbstBuf *buf, uint32 cp, int pos)
{
	char		bytes[4];

	abst_buf_put(buf, bytes, abst_utf8_encode(cp, bytes), pos);
}

void
abst_buf_copy(AbstBuf *buf, const AbstBuf *from, Size at, Size n)
{
	make_room(buf, n);
	memcpy(buf->text +buf->len, from->text +at, n);
	if (buf->pos)
		memcpy(buf->pos + buf->len, from->pos + at, n * sizeof(int));
	buf->len += n;
}

void
abst_buf_insert(AbstBuf *buf, Size at, const char *bytes, int n)
{
	int			pos = abst_buf_pos(buf, at);

	make_room(buf, n);
	memmove(buf->text +at + n, buf->text +at, buf->len - at);
	memcpy(buf->text +at, bytes, n);
	if (buf->pos)
	{
		memmove(buf->pos + at + n, buf->pos + at,
				(buf->len - at) * sizeof(int));
		for (int i = 0; i < n; i++)
			buf->pos[at + i] = pos;
	}
	buf->len += n;
}

void
abst_buf_script(AbstBuf *out, Size from, bool super)
{
	uint32		form[MAX_SCRIPT];
	int			pos[MAX_SCRIPT];
	int			n = 0;
	int			chars = 0;
	bool		simple = true;
	bool		words = true;
	Size		at = from;

	while (at < out->len && (simple || words))
	{
		uint32		cp;
		uint32		f;
		int			len = abst_utf8_decode(out->text +at, out->len - at, &cp);

		if (++chars > MAX_SCRIPT)
			simple = words = false;
		f = super ? abst_char_superscript(cp) : abst_char_subscript(cp);
		if (super && cp == 0x2032)
			f = cp;				/* a prime is raised as it is */
		if (!abst_class_is_letter(abst_char_class(cp)) &&
			abst_char_class(cp) != ABST_CHAR_DIGIT)
			words = false;
		if (f == 0 || n == MAX_SCRIPT)
			simple = false;
		else
		{
			form[n] = f;
			pos[n++] = abst_buf_pos(out, at);
		}
		at += len;
	}
	if (chars == 0)
		return;
	if (simple)
	{
		out->len = from;
		for (int i = 0; i < n; i++)
			abst_buf_put_char(out, form[i], pos[i]);
		return;
	}
	if (chars == 1 || words)
	{
		abst_buf_insert(out, from, super ? "^" : "_", 1);
		return;
	}
	abst_buf_insert(out, from, super ? "^(" : "_(", 2);
	abst_buf_put(out, ")", 1, abst_buf_pos(out, out->len));
}
