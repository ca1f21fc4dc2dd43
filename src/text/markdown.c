/*-------------------------------------------------------------------------
 *
 * markdown.c
 *		The pass that takes out Markdown: emphasis, code, links, headings.
 *
 * A mark counts only in a pair: an opening mark has a blank or a punctuation
 * sign before it and none after it, a closing one the other way round, and
 * both are in one paragraph.  So snake_case, a*b*c, 2*3 and a lone * stay.
 * Of several open marks of a kind the last one is closed; nothing is looked
 * for ahead, so the pass is linear.
 *
 *-------------------------------------------------------------------------
 */
#include "text/passes.h"

#include "miscadmin.h"
#include "text/charclass.h"
#include "text/links.h"

/* A pair that spans more than this is no emphasis. */
#define MAX_EMPHASIS	2000

/* Longest text of a link looked at. */
#define MAX_LINK_TEXT	400

typedef enum MarkKind
{
	MARK_STAR, MARK_STAR2, MARK_STAR3, MARK_LINE, MARK_LINE2, MARK_LINE3,
	MARK_TICK, MARK_TICK2, MARK_STRIKE, MARK_KINDS
} MarkKind;

/* A piece of the input that is left out. */
typedef struct Cut
{
	Size		at;
	Size		len;
} Cut;

typedef struct Markdown
{
	const AbstBuf *in;
	Cut		   *cuts;
	Size		ncuts;
	Size		maxcuts;
	Size		open[MARK_KINDS];	/* place of the open mark + 1; 0: none */
	Size		open_cut[MARK_KINDS];	/* its entry in cuts */
	Size		bracket;		/* last '[' that is open, + 1 */
	Size		bracket_cut;
} Markdown;

static Size
add_cut(Markdown *md, Size at, Size len)
{
	if (md->ncuts == md->maxcuts)
	{
		md->maxcuts = md->maxcuts * 2 + 64;
		md->cuts = md->cuts == NULL ?
			MemoryContextAllocHuge(CurrentMemoryContext,
								   md->maxcuts * sizeof(Cut)) :
			repalloc_huge(md->cuts, md->maxcuts * sizeof(Cut));
	}
	md->cuts[md->ncuts].at = at;
	md->cuts[md->ncuts].len = len;
	return md->ncuts++;
}

static AbstCharClass
class_at(const AbstBuf *in, Size at)
{
	uint32		cp;

	if (at >= in->len)
		return ABST_CHAR_SPACE;
	abst_utf8_decode(in->text +at, in->len - at, &cp);
	return abst_char_class(cp);
}

static AbstCharClass
class_before(const AbstBuf *in, Size at)
{
	uint32		cp;

	if (at == 0)
		return ABST_CHAR_SPACE;
	abst_utf8_decode_before(in->text +Max(at, 8) - 8, Min(at, 8), &cp);
	return abst_char_class(cp);
}

static bool
is_word(AbstCharClass k)
{
	return abst_class_is_alnum(k) || k == ABST_CHAR_MARK ||
		k == ABST_CHAR_SCRIPTDIGIT;
}

static MarkKind
mark_kind(char c, Size n)
{
	switch (c)
	{
		case '*':
			return n == 1 ? MARK_STAR : n == 2 ? MARK_STAR2 : MARK_STAR3;
		case '_':
			return n == 1 ? MARK_LINE : n == 2 ? MARK_LINE2 : MARK_LINE3;
		case '`':
			return n == 1 ? MARK_TICK : MARK_TICK2;
		default:
			return MARK_STRIKE;
	}
}

/* A run of n marks at "at": close the open mark of its kind, or open one. */
static void
emphasis(Markdown *md, Size at, Size n)
{
	const AbstBuf *in = md->in;
	char		c = in->text[at];
	MarkKind	kind;
	AbstCharClass before = class_before(in, at);
	AbstCharClass after = class_at(in, at + n);
	bool		closes;
	bool		opens;

	if (n > 3 || (c == '~' && n != 2) || (c == '`' && n > 2))
		return;
	kind = mark_kind(c, n);
	closes = before != ABST_CHAR_SPACE &&
		(!is_word(after) || (c == '*' && n > 1 && after != ABST_CHAR_DIGIT) ||
		 after == ABST_CHAR_CJK);
	opens = after != ABST_CHAR_SPACE &&
		(!is_word(before) || before == ABST_CHAR_CJK ||
		 (c == '*' && n > 1 && before != ABST_CHAR_DIGIT));
	if (closes && md->open[kind] > 0 && at - md->open[kind] <= MAX_EMPHASIS &&
		at >= md->open[kind] - 1 + n + 1)
	{
		md->cuts[md->open_cut[kind]].len = n;
		add_cut(md, at, n);
		md->open[kind] = 0;
	}
	else if (opens)
	{
		md->open[kind] = at + 1;
		md->open_cut[kind] = add_cut(md, at, 0);
	}
}

/* The address after "](": its length with the bracket, 0 if it is none. */
static Size
link_target(const AbstBuf *in, Size at)
{
	Size		i = at;
	int			depth = 1;
	const char *s = in->text +at;
	Size		left = in->len - at;

	if (!((left > 7 && memchr(s, ':', Min(left, 8)) != NULL) ||
		  (left > 1 && (s[0] == '/' || s[0] == '#' || s[0] == '.')) ||
		  (left > 4 && memcmp(s, "www.", 4) == 0)))
		return 0;
	for (; i < in->len && i - at < ABST_MAX_LINK; i++)
	{
		char		c = in->text[i];

		if (c == '(')
			depth++;
		else if (c == ')' && --depth == 0)
			return i - at + 1;
		else if (c == '\n' || c == '<' || c == '[' || depth > 8 ||
				 (c == ' ' && !(i + 1 < in->len && in->text[i + 1] == '"')))
			return 0;
	}
	return 0;
}

/* What begins a line: a heading's or a list item's mark. */
static Size
line_mark(const AbstBuf *in, Size at)
{
	Size		i = at;

	while (i < in->len && in->text[i] == '#' && i - at < 7)
		i++;
	if (i > at && i - at < 7 && i < in->len && in->text[i] == ' ')
		return i - at + 1;
	if (at + 1 < in->len && in->text[at] == '*' && in->text[at + 1] == ' ')
		return 2;
	return 0;
}

static void
find_cuts(Markdown *md)
{
	const AbstBuf *in = md->in;
	Size		at = 0;
	bool		line_start = true;

	while (at < in->len)
	{
		char		c = in->text[at];
		Size		n;

		if ((at & 0xFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		if (line_start && (c == '#' || c == '*') &&
			(n = line_mark(in, at)) > 0)
		{
			add_cut(md, at, n);
			at += n;
			line_start = false;
			continue;
		}
		switch (c)
		{
			case '\n':
				/* a blank line ends all that is open */
				if (at + 1 < in->len && in->text[at + 1] == '\n')
				{
					memset(md->open, 0, sizeof(md->open));
					md->bracket = 0;
				}
				line_start = true;
				at++;
				continue;
			case ABST_MARK_MATH:
				{
					char	   *end = memchr(in->text +at, ABST_MARK_MATH_END,
											 in->len - at);

					at = end ? (Size) (end - in->text) : at + 1;
					line_start = false;
					continue;
				}
			case '*':
			case '_':
			case '`':
			case '~':
				n = 1;
				while (at + n < in->len && in->text[at + n] == c)
					n++;
				emphasis(md, at, n);
				at += n;
				break;
			case '[':
				md->bracket = at + 1;
				md->bracket_cut = add_cut(md, at, 0);
				at++;
				break;
			case ']':
				if (md->bracket > 0 && at + 1 < in->len &&
					in->text[at + 1] == '(' &&
					at - md->bracket <= MAX_LINK_TEXT &&
					(n = link_target(in, at + 2)) > 0)
				{
					Cut		   *cut = &md->cuts[md->bracket_cut];

					cut->len = 1;
					if (cut->at > 0 && in->text[cut->at - 1] == '!')
					{
						cut->at--;
						cut->len = 2;
					}
					add_cut(md, at, n + 2);
					at += n + 2;
				}
				else
					at++;
				md->bracket = 0;
				break;
			default:
				n = (c == 'h' || c == 'f' || c == 'w' || c == 'H') &&
					!is_word(class_before(in, at)) ?
					abst_url_span(in->text, in->len, at) : 0;
				at += n > 0 ? n : 1;
		}
		if (c != ' ')
			line_start = false;
	}
}

void
abst_pass_markdown(const AbstBuf *in, AbstBuf *out)
{
	Markdown	md;
	Size		at = 0;

	memset(&md, 0, sizeof(md));
	md.in = in;
	find_cuts(&md);
	for (Size i = 0; i < md.ncuts; i++)
	{
		Cut		   *cut = &md.cuts[i];

		if (cut->len == 0 || cut->at < at)
			continue;
		abst_buf_copy(out, in, at, cut->at - at);
		at = cut->at + cut->len;
	}
	abst_buf_copy(out, in, at, in->len - at);
	if (md.cuts)
		pfree(md.cuts);
}
