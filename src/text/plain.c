/*-------------------------------------------------------------------------
 *
 * plain.c
 *		Raw text to display text: the first pass, the last, and the order of
 *		those between.
 *
 * The first pass makes valid UTF-8 without control and invisible characters.
 * The last brings blanks to one space, paragraphs to one line break, and
 * characters to NFC, and writes down where the formulas are.
 *
 * Long texts are worked on in pieces of about a megabyte that end at a blank,
 * so what the passes need at a time does not grow with the text.
 *
 *-------------------------------------------------------------------------
 */
#include "text/passes.h"

#include "common/unicode_norm.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "text/charclass.h"
#include "utils/memutils.h"

#define PIECE			(1 << 20)
#define PIECE_SLACK		(1 << 14)

/* A base with more marks than this is normalized in pieces. */
#define MAX_CLUSTER		16

/* State of the last pass; it goes on from piece to piece. */
typedef struct Finish
{
	AbstBuf		out;
	Size		cluster;		/* where the last base character stands */
	bool		blank;			/* a blank is due before the next character */
	bool		line;			/* ... and it is a line break */
	int			blank_pos;
	bool		math_due;		/* a formula begins at the next character */
	int			math_pos;
	int			math_start;		/* where it began, -1 if in none */
	AbstSpan   *math;
	int			nmath;
	int			maxmath;
} Finish;

/* Is the character before or after one of a script that needs joiners? */
static bool
joins_scripts(const char *raw, int at, int to)
{
	uint32		cp;

	if (at >= to)
		return false;
	abst_utf8_decode(raw + at, to - at, &cp);
	return cp >= 0x600 && abst_class_is_letter(abst_char_class(cp));
}

/* A line break and the blanks after it at "at": its bytes, 0 if none. */
static int
line_break(const char *raw, int at, int to)
{
	int			i = at;

	if (i < to && raw[i] == '\r')
		i++;
	if (i >= to || raw[i] != '\n')
		return 0;
	for (i++; i < to && (raw[i] == ' ' || raw[i] == '\t'); i++)
		;
	return i < to && raw[i] != '\n' ? i - at : 0;
}

/*
 * First pass: raw[from .. to) as valid UTF-8.  Line ends become '\n', other
 * blanks stay what they are, controls become spaces, what is invisible goes.
 */
void
abst_pass_decode(const char *raw, int from, int to, AbstBuf *out)
{
	int			at = from;

	while (at < to)
	{
		uint32		cp;
		int			n;
		int			line;
		AbstCharClass k;

		if ((at & 0xFFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		if (raw[at] >= 0x20 && raw[at] < 0x7F)
		{
			int			run = at;
			int			limit = Min(to, (at | 0xFFFF) + 1);

			while (run < limit && raw[run] >= 0x20 && raw[run] < 0x7F)
				run++;
			abst_buf_put_run(out, raw + at, run - at, at);
			at = run;
			continue;
		}
		n = abst_utf8_decode(raw + at, to - at, &cp);
		k = abst_char_class(cp);
		if (cp == '\r')
		{
			if (at + 1 >= to || raw[at + 1] != '\n')
				abst_buf_put(out, "\n", 1, at);
		}
		else if (cp == '\n' || cp == 0x2028 || cp == 0x85)
			abst_buf_put(out, "\n", 1, at);
		else if (cp == 0x2029)
			abst_buf_put(out, "\n\n", 2, at);
		else if (k == ABST_CHAR_SPACE || k == ABST_CHAR_CONTROL)
			abst_buf_put(out, " ", 1, at);
		else if (k == ABST_CHAR_JOINER && joins_scripts(raw, at + n, to))
			abst_buf_put_char(out, cp, at);
		else if (cp == 0xAD && (line = line_break(raw, at + n, to)) > 0)
			n += line;			/* a word parted at the end of a line */
		else if (k != ABST_CHAR_INVISIBLE && k != ABST_CHAR_JOINER)
			abst_buf_put_char(out, cp, at);
		at += n;
	}
}

/*
 * Normalize the cluster that ends the output together with the marks that
 * follow it in the input.  Returns the bytes taken from the input.
 */
static int
compose(Finish *f, const AbstBuf *in, Size at)
{
	AbstBuf    *out = &f->out;
	pg_wchar	chars[MAX_CLUSTER + 2];
	pg_wchar   *nfc;
	int			n = 0;
	int			taken = 0;
	int			pos;
	Size		start = f->cluster;

	pos = start < out->len ? abst_buf_pos(out, start) :
		(in->pos ? in->pos[at] : 0);
	while (start < out->len && n < MAX_CLUSTER)
	{
		uint32		cp;

		start += abst_utf8_decode(out->text +start, out->len - start, &cp);
		chars[n++] = cp;
	}
	while (n < MAX_CLUSTER && at + taken < in->len)
	{
		uint32		cp;
		int			len = abst_utf8_decode(in->text +at + taken,
										   in->len - at - taken, &cp);

		if (!(abst_char_bits(cp) & ABST_CHAR_NFC_UNSAFE))
			break;
		chars[n++] = cp;
		taken += len;
	}
	if (taken == 0)
	{
		/* the cluster is full: what follows starts a new one */
		f->cluster = out->len;
		return 0;
	}
	chars[n] = 0;
	nfc = unicode_normalize(UNICODE_NFC, chars);
	out->len = f->cluster;
	for (int i = 0; nfc[i] != 0; i++)
		abst_buf_put_char(out, nfc[i], pos);
	pfree(nfc);
	if (n >= MAX_CLUSTER)
		f->cluster = out->len;
	return taken;
}

/* A blank that is due, and the beginning of a formula that is. */
static void
settle(Finish *f)
{
	if (f->blank && f->out.len > 0)
	{
		abst_buf_put(&f->out, f->line ? "\n" : " ", 1, f->blank_pos);
		f->cluster = f->out.len;
	}
	f->blank = f->line = false;
	if (f->math_due)
	{
		f->math_start = f->out.len;
		f->cluster = f->out.len;
		f->math_due = false;
	}
}

/* Write down a formula that is more than one letter or number. */
static void
end_math(Finish *f)
{
	int			start = f->math_start;

	f->math_due = false;
	f->math_start = -1;
	f->cluster = f->out.len;
	if (start < 0 || f->out.len <= start)
		return;
	if (f->out.pos)
		f->out.pos[start] = f->math_pos;
	if (f->nmath == f->maxmath)
	{
		f->maxmath *= 2;
		f->math = repalloc_huge(f->math, f->maxmath * sizeof(AbstSpan));
	}
	f->math[f->nmath].start = start;
	f->math[f->nmath].len = f->out.len - start;
	f->nmath++;
}

/*
 * Is the line break at "at" inside of a word that was hyphenated at the end of
 * a line?  "pre-" before "and" is not.  Both readings stay searchable: the
 * hyphen is kept, and a compound has its glue.
 */
static bool
breaks_word(const AbstBuf *in, Size at, Size next)
{
	static const char *const conjunctions[] = {"and ", "or ", "to ", "und ", "oder ", "but ", "nor ", "versus ", "vs", "et ", "ou ", "as well ", "y "};
	uint32		cp;
	int			n;
	const char *s = in->text +next;

	n = at > 0 ? abst_utf8_decode_before(in->text +Max(at, 9) - 9, Min(at, 9),
										 &cp) : 0;
	if (n == 0 || n >= at || next >= in->len ||
		(cp != '-' && cp != 0x2010 && cp != 0x2011))
		return false;
	abst_utf8_decode(s, in->len - next, &cp);
	if (!abst_class_is_letter(abst_char_class(cp)) &&
		abst_char_class(cp) != ABST_CHAR_DIGIT)
		return false;
	at -= n;
	abst_utf8_decode_before(in->text +Max(at, 9) - 9, Min(at, 9), &cp);
	if (!abst_class_is_letter(abst_char_class(cp)) &&
		abst_char_class(cp) != ABST_CHAR_DIGIT)
		return false;
	for (int i = 0; i < lengthof(conjunctions); i++)
	{
		Size		n = strlen(conjunctions[i]);

		if (in->len - next >= n && memcmp(s, conjunctions[i], n) == 0)
			return false;
	}
	return true;
}

/* Last pass: blanks, paragraphs, NFC, formulas. */
static void
finish_piece(Finish *f, const AbstBuf *in)
{
	Size		at = 0;

	while (at < in->len)
	{
		char		c = in->text[at];
		int			pos = in->pos ? in->pos[at] : 0;
		uint32		cp;
		int			n;

		if ((at & 0xFFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		if (c == ' ' || c == '\n')
		{
			int			lines = 0;
			Size		start = at;

			if (!f->blank)
				f->blank_pos = pos;
			f->blank = true;
			for (; at < in->len && (in->text[at] == ' ' ||
									in->text[at] == '\n'); at++)
				lines += in->text[at] == '\n';
			if (lines >= 2)
				f->line = true;
			else if (lines == 1 && breaks_word(in, start, at))
				f->blank = false;
			continue;
		}
		if (c == ABST_MARK_MATH)
		{
			f->math_due = true;
			f->math_pos = pos;
			at++;
			continue;
		}
		if (c == ABST_MARK_MATH_END)
		{
			end_math(f);
			at++;
			continue;
		}
		settle(f);
		if (c > ' ' && c < 0x7F)
		{
			Size		run = at + 1;

			while (run < in->len && in->text[run] > ' ' &&
				   in->text[run] < 0x7F)
				run++;
			abst_buf_copy(&f->out, in, at, run - at);
			f->cluster = f->out.len - 1;
			at = run;
			continue;
		}
		n = abst_utf8_decode(in->text +at, in->len - at, &cp);
		if (n > 1 && (abst_char_bits(cp) & ABST_CHAR_NFC_UNSAFE))
		{
			n = compose(f, in, at);
			at += n;
			continue;
		}
		f->cluster = f->out.len;
		abst_buf_copy(&f->out, in, at, n);
		at += n;
	}
}

/* Where the piece that begins at "from" ends: at a blank if one is near. */
static int
piece_end(const char *raw, int from, int rawlen)
{
	int			end;

	if (rawlen - from <= PIECE + PIECE_SLACK)
		return rawlen;
	end = from + PIECE;
	for (int i = 0; i < PIECE_SLACK; i++)
		if (raw[end + i] == '\n' && raw[end + i + 1] == '\n')
			return end + i;
	for (int i = 0; i < PIECE_SLACK; i++)
		if (raw[end + i] == ' ' || raw[end + i] == '\n')
			return end + i;
	return from + abst_utf8_clip(raw + from, rawlen - from, PIECE);
}

/* Any of the bytes in "set" in the buffer? */
static bool
has_any(const AbstBuf *buf, const char *set)
{
	for (; *set; set++)
		if (memchr(buf->text, *set, buf->len) != NULL)
			return true;
	return false;
}

/* All passes over raw[from .. to); everything but f is scratch. */
static void
read_piece(Finish *f, const char *raw, int from, int to)
{
	AbstBuf		a;
	AbstBuf		b;
	AbstBuf    *in = &a;
	AbstBuf    *out = &b;
	bool		map = f->out.pos != NULL;

#define NEXT_PASS() \
	do { AbstBuf *swap = in; in = out; out = swap; out->len = 0; } while (0)

	abst_buf_init(&a, to - from, map);
	abst_buf_init(&b, to - from, map);
	abst_pass_decode(raw, from, to, in);
	/* tags and references in LaTeX's spelling, as BibTeX files have them */
	if (has_any(in, "\\$"))
	{
		if (abst_pass_escapes(in, out))
			NEXT_PASS();
	}
	/* text may be escaped twice, but not more */
	for (int i = 0; i < 2 && has_any(in, "&"); i++)
	{
		bool		found = abst_pass_entities(in, out);

		NEXT_PASS();
		if (!found)
			break;
	}
	if (has_any(in, "<"))
	{
		abst_pass_tags(in, out);
		NEXT_PASS();
	}
	if (has_any(in, "\\$~{}-`'"))
	{
		abst_pass_latex(in, out);
		NEXT_PASS();
	}
	if (has_any(in, "*_`[~#"))
	{
		abst_pass_markdown(in, out);
		NEXT_PASS();
	}
	finish_piece(f, in);
}

AbstPlain  *
abst_plain_make(const char *raw, int rawlen, bool want_map)
{
	AbstPlain  *plain = palloc0(sizeof(AbstPlain));
	MemoryContext scratch;
	Finish		f;
	int			from = 0;

	memset(&f, 0, sizeof(f));
	f.math_start = -1;
	abst_buf_init(&f.out, rawlen, want_map);
	scratch = AllocSetContextCreate(CurrentMemoryContext, "abstracts reader passes",
									ALLOCSET_DEFAULT_SIZES);
	while (from < rawlen)
	{
		int			to = piece_end(raw, from, rawlen);
		MemoryContext old;

		/* f.out and f.math grow in their own context by repalloc */
		if (f.math == NULL)
		{
			f.maxmath = 16;
			f.math = palloc(f.maxmath * sizeof(AbstSpan));
		}
		old = MemoryContextSwitchTo(scratch);
		read_piece(&f, raw, from, to);
		MemoryContextSwitchTo(old);
		MemoryContextReset(scratch);
		if (f.math_start >= 0 || f.math_due)
			end_math(&f);
		from = to;
	}
	MemoryContextDelete(scratch);

	f.out.text[f.out.len] = '\0';
	plain->text = f.out.text;
	plain->len = f.out.len;
	plain->raw = raw;
	plain->rawlen = rawlen;
	plain->rawpos = f.out.pos;
	if (plain->rawpos)
	{
		int			last = f.blank ? f.blank_pos : rawlen;

		/* never before what came last */
		if (plain->len > 0)
			last = Max(last, plain->rawpos[plain->len - 1]);
		plain->rawpos[plain->len] = last;
		for (int i = plain->len - 1; i >= 0; i--)
			if (plain->rawpos[i] > plain->rawpos[i + 1])
				plain->rawpos[i] = plain->rawpos[i + 1];
	}
	plain->nmath = f.nmath;
	plain->math = f.math;
	return plain;
}
