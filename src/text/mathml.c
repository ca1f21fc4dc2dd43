/*-------------------------------------------------------------------------
 *
 * mathml.c
 *		MathML to one line of text: x^2, a/b, sqrt.
 *
 * Elements are kept on a stack of fixed depth; what is nested deeper is shown
 * without its layout.  The output of an element's children is rewritten when
 * the element ends.
 *
 *-------------------------------------------------------------------------
 */
#include "text/tags.h"

#include "text/charclass.h"

#define MAX_DEPTH	48
#define MAX_CHILDREN	3

typedef enum ElementKind
{
	ELEMENT_OTHER,
	ELEMENT_SUP,
	ELEMENT_SUB,
	ELEMENT_SUBSUP,
	ELEMENT_OVER,
	ELEMENT_UNDER,
	ELEMENT_FRACTION,
	ELEMENT_SQRT,
	ELEMENT_ROOT,
	ELEMENT_FENCED,
	ELEMENT_CELL,				/* a cell or row of a table */
	ELEMENT_HIDDEN				/* annotation */
} ElementKind;

static const struct
{
	const char *name;
	ElementKind kind;
}			elements[] =

{
	{"math", ELEMENT_OTHER}, {"mrow", ELEMENT_OTHER}, {"mi", ELEMENT_OTHER},
	{"mn", ELEMENT_OTHER}, {"mo", ELEMENT_OTHER}, {"mtext", ELEMENT_OTHER},
	{"ms", ELEMENT_OTHER}, {"mspace", ELEMENT_OTHER},
	{"mstyle", ELEMENT_OTHER}, {"semantics", ELEMENT_OTHER},
	{"mpadded", ELEMENT_OTHER}, {"mphantom", ELEMENT_OTHER},
	{"menclose", ELEMENT_OTHER}, {"merror", ELEMENT_OTHER},
	{"mtable", ELEMENT_OTHER}, {"mtr", ELEMENT_CELL}, {"mtd", ELEMENT_CELL},
	{"mlabeledtr", ELEMENT_CELL}, {"maction", ELEMENT_OTHER},
	{"mglyph", ELEMENT_OTHER}, {"mprescripts", ELEMENT_OTHER},
	{"none", ELEMENT_OTHER}, {"mmultiscripts", ELEMENT_SUBSUP},
	{"msup", ELEMENT_SUP}, {"msub", ELEMENT_SUB},
	{"msubsup", ELEMENT_SUBSUP}, {"mover", ELEMENT_OVER},
	{"munder", ELEMENT_UNDER}, {"munderover", ELEMENT_SUBSUP},
	{"mfrac", ELEMENT_FRACTION}, {"msqrt", ELEMENT_SQRT},
	{"mroot", ELEMENT_ROOT}, {"mfenced", ELEMENT_FENCED},
	{"annotation", ELEMENT_HIDDEN}, {"annotation-xml", ELEMENT_HIDDEN}
};

typedef struct Element
{
	ElementKind kind;
	Size		start;			/* where its output begins */
	int			children;
	Size		child[MAX_CHILDREN];	/* where each child's output begins */
} Element;

struct AbstMathml
{
	AbstBuf    *out;
	Size		start;
	int			depth;			/* on the stack */
	int			beyond;			/* open elements that did not fit */
	int			hidden;			/* open annotations */
	Element		stack[MAX_DEPTH];
};

static bool
same_name(const char *a, int len, const char *b)
{
	return strlen(b) == len && pg_strncasecmp(a, b, len) == 0;
}

bool
abst_mathml_name(const char *name, int len)
{
	for (int i = 0; i < lengthof(elements); i++)
		if (same_name(name, len, elements[i].name))
			return true;
	return false;
}

static ElementKind
element_kind(const char *name, int len)
{
	for (int i = 0; i < lengthof(elements); i++)
		if (same_name(name, len, elements[i].name))
			return elements[i].kind;
	return ELEMENT_OTHER;
}

AbstMathml *
abst_mathml_begin(AbstBuf *out)
{
	AbstMathml *m = palloc0(sizeof(AbstMathml));

	m->out = out;
	m->start = out->len;
	return m;
}

bool
abst_mathml_hidden(const AbstMathml *m)
{
	return m->hidden > 0;
}

/* Where the n-th child (from 0) of an element begins; its end if absent. */
static Size
child(const AbstMathml *m, const Element *e, int n)
{
	return n < e->children && n < MAX_CHILDREN ? e->child[n] : m->out->len;
}

/* Put brackets around out[from .. to) if it has more than one term. */
static Size
bracket(AbstMathml *m, Size from, Size to, bool always)
{
	bool		needed = always;

	for (Size i = from; i < to && !needed; i++)
	{
		const unsigned char *c = (unsigned char *) m->out->text +i;

		needed = strchr("+-/ =<>,", *c) != NULL ||
			(i > from && c[0] == 0xE2 && c[-1] < 0x80);
	}
	if (!needed || to <= from)
		return 0;
	abst_buf_insert(m->out, to, ")", 1);
	abst_buf_insert(m->out, from, "(", 1);
	return 2;
}

/* The combining mark for a sign over a letter, NULL if it is none. */
static const char *
mark_over(const char *s, int len)
{
	static const struct
	{
		const char *sign;
		const char *mark;
	}			marks[] =
	{
		{"~", "\xCC\x83"}, {"\xCB\x9C", "\xCC\x83"}, {"\xE2\x88\xBC", "\xCC\x83"},
		{"^", "\xCC\x82"}, {"\xCB\x86", "\xCC\x82"}, {"\xC2\xAF", "\xCC\x84"},
		{"\xE2\x80\xBE", "\xCC\x84"}, {"-", "\xCC\x84"}, {"_", "\xCC\x84"},
		{"\xCB\x89", "\xCC\x84"}, {".", "\xCC\x87"}, {"\xCB\x99", "\xCC\x87"},
		{"\xC2\xA8", "\xCC\x88"}, {"\xE2\x86\x92", "\xE2\x83\x97"},
		{"\xE2\x87\x80", "\xE2\x83\x97"}, {"\xCB\x87", "\xCC\x8C"},
		{"\xCB\x98", "\xCC\x86"}, {"\xC2\xB4", "\xCC\x81"}, {"`", "\xCC\x80"}
	};

	for (int i = 0; i < lengthof(marks); i++)
		if (strlen(marks[i].sign) == len && memcmp(marks[i].sign, s, len) == 0)
			return marks[i].mark;
	return NULL;
}

/* Rewrite what an element's children have written. */
static void
lay_out(AbstMathml *m, const Element *e, int pos)
{
	AbstBuf    *out = m->out;
	Size		second = child(m, e, 1);
	Size		third = child(m, e, 2);
	const char *mark;

	switch (e->kind)
	{
		case ELEMENT_SUP:
			abst_buf_script(out, second, true);
			break;
		case ELEMENT_SUB:
		case ELEMENT_UNDER:
			abst_buf_script(out, second, false);
			break;
		case ELEMENT_SUBSUP:
			{
				/* the upper script ends the output: it goes first */
				AbstBuf		upper;

				abst_buf_script(out, third, true);
				abst_buf_init(&upper, out->len - third, out->pos != NULL);
				abst_buf_copy(&upper, out, third, out->len - third);
				out->len = third;
				abst_buf_script(out, second, false);
				abst_buf_copy(out, &upper, 0, upper.len);
				pfree(upper.text);
				if (upper.pos)
					pfree(upper.pos);
				break;
			}
		case ELEMENT_OVER:
			mark = mark_over(out->text +second, out->len - second);
			if (mark && second > e->start)
			{
				uint32		cp;
				Size		at;

				/* after the first letter of what is marked */
				out->len = second;
				at = e->start + abst_utf8_decode(out->text +e->start,
												 second - e->start, &cp);
				abst_buf_insert(out, at, mark, strlen(mark));
			}
			else
				abst_buf_script(out, second, true);
			break;
		case ELEMENT_FRACTION:
			bracket(m, second, out->len, false);
			abst_buf_insert(out, second, "/", 1);
			bracket(m, e->start, second, false);
			break;
		case ELEMENT_SQRT:
			bracket(m, e->start, out->len, out->len - e->start > 2);
			abst_buf_insert(out, e->start, "\xE2\x88\x9A", 3);
			break;
		case ELEMENT_ROOT:
			out->len = second;	/* the degree is left out */
			bracket(m, e->start, out->len, out->len - e->start > 2);
			abst_buf_insert(out, e->start, "\xE2\x88\x9A", 3);
			break;
		case ELEMENT_FENCED:
			bracket(m, e->start, out->len, true);
			break;
		case ELEMENT_CELL:
			abst_buf_put(out, " ", 1, pos);
			break;
		case ELEMENT_OTHER:
		case ELEMENT_HIDDEN:
			break;
	}
}

static void
open_element(AbstMathml *m, ElementKind kind)
{
	Element    *e;

	if (m->depth > 0 && m->beyond == 0)
	{
		Element    *parent = &m->stack[m->depth - 1];

		if (parent->children < MAX_CHILDREN)
			parent->child[parent->children] = m->out->len;
		parent->children++;
	}
	m->hidden += kind == ELEMENT_HIDDEN;
	if (m->depth == MAX_DEPTH)
	{
		m->beyond++;
		return;
	}
	e = &m->stack[m->depth++];
	memset(e, 0, sizeof(Element));
	e->kind = kind;
	e->start = m->out->len;
}

static void
close_element(AbstMathml *m, ElementKind kind, int pos)
{
	if (m->hidden > 0 && kind == ELEMENT_HIDDEN)
		m->hidden--;
	if (m->beyond > 0)
	{
		m->beyond--;
		return;
	}
	if (m->depth == 0)
		return;
	m->depth--;
	lay_out(m, &m->stack[m->depth], pos);
}

void
abst_mathml_tag(AbstMathml *m, const AbstTag *tag, int pos)
{
	ElementKind kind = element_kind(tag->name, tag->namelen);

	if (tag->closes)
		close_element(m, kind, pos);
	else
	{
		open_element(m, kind);
		if (tag->empty)
			close_element(m, kind, pos);
	}
}

/* Close what is open, and mark the formula if it is more than a word. */
void
abst_mathml_end(AbstMathml *m, int pos)
{
	char		begin = ABST_MARK_MATH;
	char		end = ABST_MARK_MATH_END;
	bool		plain;
	AbstBuf    *out = m->out;

	m->beyond = 0;
	while (m->depth > 0)
		close_element(m, ELEMENT_OTHER, pos);
	while (out->len > m->start && out->text[out->len - 1] == ' ')
		out->len--;
	plain = abst_is_plain_formula(out->text +m->start, out->len - m->start);
	if (!plain)
	{
		abst_buf_insert(out, m->start, &begin, 1);
		abst_buf_put(out, &end, 1, pos);
	}
	pfree(m);
}
