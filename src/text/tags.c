/*-------------------------------------------------------------------------
 *
 * tags.c
 *		The pass that takes out HTML, JATS and MathML tags.
 *
 * A tag is "<" or "</" with a known name, or a name with a namespace, and
 * then only well-formed attributes; so "p<q and r>s" and "<0.5 mm" stay.
 * Names of one letter, which inequalities have too, count as tags only if
 * they are closed somewhere.
 *
 * Block tags end a paragraph, inline tags vanish without a blank; raised and
 * lowered text takes its superscript or subscript form.  A tag is never
 * looked for beyond the next "<", so the pass is linear.
 *
 *-------------------------------------------------------------------------
 */
#include "text/tags.h"

#include "miscadmin.h"
#include "text/charclass.h"
#include "text/links.h"

typedef enum TagKind
{
	TAG_NONE,
	TAG_INLINE,
	TAG_BLOCK,
	TAG_BREAK,					/* <br/>: a blank */
	TAG_SUP,
	TAG_SUB,
	TAG_QUOTE,
	TAG_HIDDEN,					/* goes with what it holds */
	TAG_TEX,					/* TeX, shown unless MathML stands beside it */
	TAG_ALTERNATIVES,
	TAG_MATH
} TagKind;

static const struct
{
	const char *name;
	TagKind		kind;
}			known[] =

{
	{"a", TAG_INLINE}, {"b", TAG_INLINE}, {"i", TAG_INLINE}, {"u", TAG_INLINE},
	{"s", TAG_INLINE}, {"q", TAG_QUOTE}, {"em", TAG_INLINE},
	{"strong", TAG_INLINE}, {"small", TAG_INLINE}, {"big", TAG_INLINE},
	{"span", TAG_INLINE}, {"font", TAG_INLINE}, {"tt", TAG_INLINE},
	{"code", TAG_INLINE}, {"kbd", TAG_INLINE}, {"samp", TAG_INLINE},
	{"var", TAG_INLINE}, {"cite", TAG_INLINE}, {"abbr", TAG_INLINE},
	{"acronym", TAG_INLINE}, {"mark", TAG_INLINE}, {"ins", TAG_INLINE},
	{"del", TAG_INLINE}, {"strike", TAG_INLINE}, {"dfn", TAG_INLINE},
	{"time", TAG_INLINE}, {"wbr", TAG_INLINE}, {"nobr", TAG_INLINE},
	{"sup", TAG_SUP}, {"sub", TAG_SUB}, {"superscript", TAG_SUP},
	{"subscript", TAG_SUB}, {"inf", TAG_SUB}, {"img", TAG_INLINE},
	{"bold", TAG_INLINE}, {"italic", TAG_INLINE}, {"monospace", TAG_INLINE},
	{"sc", TAG_INLINE}, {"roman", TAG_INLINE}, {"sans-serif", TAG_INLINE},
	{"underline", TAG_INLINE}, {"overline", TAG_INLINE},
	{"styled-content", TAG_INLINE}, {"named-content", TAG_INLINE},
	{"ext-link", TAG_INLINE}, {"uri", TAG_INLINE}, {"xref", TAG_INLINE},
	{"email", TAG_INLINE}, {"inline-formula", TAG_INLINE},
	{"inline-graphic", TAG_INLINE}, {"italics", TAG_INLINE},
	{"emphasis", TAG_INLINE}, {"abbrev", TAG_INLINE},
	{"jats", TAG_INLINE}, {"p", TAG_BLOCK}, {"div", TAG_BLOCK},
	{"section", TAG_BLOCK}, {"sec", TAG_BLOCK}, {"title", TAG_BLOCK},
	{"label", TAG_BLOCK}, {"abstract", TAG_BLOCK}, {"abstracttext", TAG_BLOCK},
	{"h1", TAG_BLOCK}, {"h2", TAG_BLOCK}, {"h3", TAG_BLOCK},
	{"h4", TAG_BLOCK}, {"h5", TAG_BLOCK}, {"h6", TAG_BLOCK},
	{"ul", TAG_BLOCK}, {"ol", TAG_BLOCK}, {"li", TAG_BLOCK},
	{"dl", TAG_BLOCK}, {"dt", TAG_BLOCK}, {"dd", TAG_BLOCK},
	{"list", TAG_BLOCK}, {"list-item", TAG_BLOCK}, {"para", TAG_BLOCK},
	{"simplepara", TAG_BLOCK}, {"heading", TAG_BLOCK},
	{"blockquote", TAG_BLOCK}, {"pre", TAG_BLOCK}, {"center", TAG_BLOCK},
	{"table", TAG_BLOCK}, {"tbody", TAG_BLOCK}, {"thead", TAG_BLOCK},
	{"tr", TAG_BLOCK}, {"td", TAG_BREAK}, {"th", TAG_BREAK},
	{"disp-formula", TAG_BLOCK}, {"disp-quote", TAG_BLOCK},
	{"html", TAG_BLOCK}, {"body", TAG_BLOCK}, {"hr", TAG_BLOCK},
	{"article", TAG_BLOCK}, {"header", TAG_BLOCK}, {"footer", TAG_BLOCK},
	{"br", TAG_BREAK}, {"break", TAG_BREAK}, {"script", TAG_HIDDEN},
	{"style", TAG_HIDDEN}, {"head", TAG_HIDDEN}, {"tex-math", TAG_TEX},
	{"alternatives", TAG_ALTERNATIVES}, {"math", TAG_MATH}
};

/* Scripts and quotes may nest so deep; beyond, they are inline. */
#define MAX_SCRIPTS		16

typedef struct Tags
{
	const AbstBuf *in;
	AbstBuf    *out;
	AbstMathml *mathml;
	int			mathml_pos;
	struct
	{
		Size		start;
		bool		super;
	}			script[MAX_SCRIPTS];
	int			nscripts;
	bool		alternatives;	/* in <alternatives> with MathML in them */
	Size		next_math;		/* next <math>, </alternatives> at or after
								 * the */
	Size		next_alternatives;	/* last place asked about, see find_tag */
	uint32		unclosed;		/* hidden names that are not closed any more,
								 * by length (these lengths all differ) */
	signed char closed['z' + 1];	/* one-letter names: closed somewhere? */
} Tags;

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		(c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\n';
}

/* Attributes name="value" up to the end of the tag; 0 if ill-formed. */
static int
attributes_end(const char *s, int len, int at, AbstTag *tag)
{
	while (at < len)
	{
		int			start;

		while (at < len && is_blank(s[at]))
			at++;
		if (at >= len)
			return 0;
		if (s[at] == '>')
			return at + 1;
		if (s[at] == '/' && at + 1 < len && s[at + 1] == '>')
		{
			tag->empty = true;
			return at + 2;
		}
		start = at;
		while (at < len && (is_name_char(s[at]) || s[at] == ':'))
			at++;
		if (at == start || !is_blank(s[start - 1]))
			return 0;
		while (at < len && is_blank(s[at]))
			at++;
		if (at >= len || s[at] != '=')
			return 0;
		at++;
		while (at < len && is_blank(s[at]))
			at++;
		if (at < len && (s[at] == '"' || s[at] == '\''))
		{
			char		quote = s[at++];

			while (at < len && s[at] != quote && s[at] != '<')
				at++;
			if (at >= len || s[at] != quote)
				return 0;
			at++;
		}
		else
		{
			start = at;
			while (at < len && (is_name_char(s[at]) || strchr("#:%/", s[at])) && s[at])
				at++;
			if (at == start)
				return 0;
		}
		tag->attributes = true;
	}
	return 0;
}

/* Read a tag at s[0] == '<'. */
static bool
read_tag(const char *s, int len, AbstTag *tag)
{
	int			at = 1;
	int			end;

	memset(tag, 0, sizeof(AbstTag));
	if (at < len && s[at] == '/')
	{
		tag->closes = true;
		at++;
	}
	if (at >= len || !is_letter(s[at]))
		return false;
	tag->name = s + at;
	while (at < len && is_name_char(s[at]))
		at++;
	if (at < len && s[at] == ':' && at + 1 < len && is_letter(s[at + 1]))
	{
		tag->prefixed = true;
		tag->name = s + ++at;
		while (at < len && is_name_char(s[at]))
			at++;
	}
	tag->namelen = s + at - tag->name;
	end = attributes_end(s, len, at, tag);
	if (end == 0)
		return false;
	tag->len = end;
	return true;
}

/* Is "</x>" anywhere in the text?  Asked once per letter. */
static bool
letter_is_closed(Tags *t, char letter)
{
	char		c = pg_tolower((unsigned char) letter);

	if (t->closed[(int) c] == 0)
	{
		t->closed[(int) c] = -1;
		for (Size i = 0; i + 3 < t->in->len; i++)
		{
			const char *s = memchr(t->in->text +i, '<', t->in->len - i - 3);

			if (s == NULL)
				break;
			i = s - t->in->text;
			if (s[1] == '/' && pg_tolower((unsigned char) s[2]) == c &&
				s[3] == '>')
			{
				t->closed[(int) c] = 1;
				break;
			}
		}
	}
	return t->closed[(int) c] > 0;
}

/* "<p>" before a paragraph: HTML does not demand that it is closed. */
static bool
begins_line(const Tags *t, const AbstTag *tag)
{
	const char *s = tag->name - 1;

	return (tag->name[0] == 'p' || tag->name[0] == 'P') && *s == '<' &&
		(s == t->in->text ||s[-1] == '\n' || s[-1] == '>');
}

static TagKind
tag_kind(Tags *t, const AbstTag *tag)
{
	if (t->mathml && abst_mathml_name(tag->name, tag->namelen))
		return TAG_MATH;
	for (int i = 0; i < lengthof(known); i++)
	{
		if (strlen(known[i].name) != tag->namelen ||
			pg_strncasecmp(known[i].name, tag->name, tag->namelen) != 0)
			continue;
		if (tag->namelen == 1 && !tag->prefixed && !tag->attributes &&
			!begins_line(t, tag) && !letter_is_closed(t, tag->name[0]))
			return TAG_NONE;
		return known[i].kind;
	}
	if (tag->prefixed)
		return TAG_INLINE;
	/* MathML outside of <math> is still no text */
	if (tag->namelen > 1 && tag->name[0] == 'm' &&
		abst_mathml_name(tag->name, tag->namelen))
		return TAG_INLINE;
	return TAG_NONE;
}

/* Place after the closing tag of this name, from "at" on; 0 if there is none. */
static Size
after_closing(const AbstBuf *in, Size at, const AbstTag *open)
{
	while (at < in->len)
	{
		const char *s = memchr(in->text +at, '<', in->len - at);
		AbstTag		tag;

		if (s == NULL)
			return 0;
		at = s - in->text;
		if (at + 1 < in->len && s[1] == '/' &&
			read_tag(s, (int) (in->len - at), &tag) &&
			tag.namelen == open->namelen &&
			pg_strncasecmp(tag.name, open->name, tag.namelen) == 0)
			return at + tag.len;
		at++;
	}
	return 0;
}

/*
 * Next tag of a name at or after "at", the length of the text if there is
 * none.  The answer is kept in *next, so all searches read the text once.
 */
static Size
find_tag(const AbstBuf *in, Size *next, Size at, const char *name, bool closes)
{
	int			n = strlen(name);

	if (*next >= at && *next > 0)
		return *next;
	while (at < in->len)
	{
		const char *s = memchr(in->text +at, '<', in->len - at);
		AbstTag		tag;

		if (s == NULL)
			break;
		at = s - in->text;
		if (read_tag(s, (int) (in->len - at), &tag) && tag.closes == closes &&
			tag.namelen == n && pg_strncasecmp(tag.name, name, n) == 0)
			return *next = at;
		at++;
	}
	return *next = in->len;
}

static void
script(Tags *t, const AbstTag *tag, bool super)
{
	if (tag->empty)
		return;
	if (!tag->closes)
	{
		if (t->nscripts < MAX_SCRIPTS)
		{
			t->script[t->nscripts].start = t->out->len;
			t->script[t->nscripts].super = super;
		}
		t->nscripts++;
	}
	else if (t->nscripts > 0)
	{
		t->nscripts--;
		if (t->nscripts < MAX_SCRIPTS &&
			t->script[t->nscripts].super == super &&
			t->script[t->nscripts].start <= t->out->len &&
			t->out->len - t->script[t->nscripts].start <= 64)
		{
			Size		from = t->script[t->nscripts].start;
			Size		at = from;
			bool		simple = true;

			/* a footnote's or a whole word's form would only disturb */
			while (at < t->out->len)
			{
				uint32		cp;

				at += abst_utf8_decode(t->out->text +at, t->out->len - at,
									   &cp);
				simple &= (super ? abst_char_superscript(cp) :
						   abst_char_subscript(cp)) != 0;
			}
			if (simple)
				abst_buf_script(t->out, from, super);
			else if (super && from > 0 && at - from <= 8)
				abst_buf_insert(t->out, from, "^", 1);
		}
	}
}

/* Act on a tag at "at"; returns where to go on. */
static Size
do_tag(Tags *t, Size at, const AbstTag *tag, TagKind kind)
{
	int			pos = abst_buf_pos(t->in, at);
	Size		next = at + tag->len;
	Size		end;

	switch (kind)
	{
		case TAG_BLOCK:
			abst_buf_put(t->out, "\n\n", 2, pos);
			break;
		case TAG_BREAK:
			abst_buf_put(t->out, " ", 1, pos);
			break;
		case TAG_SUP:
		case TAG_SUB:
			script(t, tag, kind == TAG_SUP);
			break;
		case TAG_QUOTE:
			abst_buf_put(t->out, tag->closes ? "\xE2\x80\x9D" : "\xE2\x80\x9C", 3, pos);
			break;
		case TAG_ALTERNATIVES:
			t->alternatives = !tag->closes && !tag->empty &&
				find_tag(t->in, &t->next_math, next, "math", false) <
				find_tag(t->in, &t->next_alternatives, next, "alternatives", true);
			break;
		case TAG_TEX:
			if (!t->alternatives)
				break;
			/* FALLTHROUGH */
		case TAG_HIDDEN:
			if (tag->closes || tag->empty ||
				(t->unclosed & (1U << tag->namelen)))
				break;
			end = after_closing(t->in, next, tag);
			if (end > 0)
				next = end;
			else
				t->unclosed |= 1U << tag->namelen;
			break;
		case TAG_MATH:
			if (t->mathml == NULL)
			{
				if (tag->closes || tag->empty)
					break;
				t->mathml = abst_mathml_begin(t->out);
				t->mathml_pos = pos;
			}
			else if (tag->closes && tag->namelen == 4 &&
					 pg_strncasecmp(tag->name, "math", 4) == 0)
			{
				abst_mathml_end(t->mathml, pos);
				t->mathml = NULL;
			}
			else
				abst_mathml_tag(t->mathml, tag, pos);
			break;
		case TAG_INLINE:
		case TAG_NONE:
			break;
	}
	return next;
}

/* Comments, declarations, CDATA, <https://...>; 0 if it is none of them. */
static Size
do_special(Tags *t, Size at)
{
	const AbstBuf *in = t->in;
	const char *s = in->text +at;
	Size		left = in->len - at;
	const char *end = NULL;
	int			n;

	if (left > 4 && memcmp(s, "<!--", 4) == 0)
	{
		for (Size i = 4; i + 2 < left; i++)
		{
			const char *dash = memchr(s + i, '-', left - i - 2);

			if (dash == NULL)
				break;
			i = dash - s;
			if (dash[1] == '-' && dash[2] == '>')
				return at + i + 3;
		}
		return 0;
	}
	if (left > 9 && memcmp(s, "<![CDATA[", 9) == 0)
	{
		for (Size i = 9; i + 2 < Min(left, 100000); i++)
			if (s[i] == ']' && s[i + 1] == ']' && s[i + 2] == '>')
			{
				abst_buf_copy(t->out, in, at + 9, i - 9);
				return at + i + 3;
			}
		return 0;
	}
	if (left > 2 && (s[1] == '?' || s[1] == '!') && is_letter(s[2]))
	{
		end = memchr(s, '>', Min(left, 400));
		return end ? at + (end - s) + 1 : 0;
	}
	if (left > 8 && (n = abst_url_span(in->text, (int) in->len,
									   (int) at + 1)) > 0 &&
		n + 1 < left && s[n + 1] == '>')
	{
		abst_buf_copy(t->out, in, at + 1, n);
		return at + n + 2;
	}
	return 0;
}

/* Copy text; in a formula without blanks, in an annotation not at all. */
static void
copy_text(Tags *t, Size at, Size n)
{
	if (t->mathml == NULL)
	{
		abst_buf_copy(t->out, t->in, at, n);
		return;
	}
	if (abst_mathml_hidden(t->mathml))
		return;
	for (Size i = at; i < at + n; i++)
		if (!is_blank(t->in->text[i]))
			abst_buf_copy(t->out, t->in, i, 1);
}

void
abst_pass_tags(const AbstBuf *in, AbstBuf *out)
{
	Tags		t;
	Size		at = 0;
	bool		comments = true;

	memset(&t, 0, sizeof(t));
	t.in = in;
	t.out = out;
	while (at < in->len)
	{
		const char *s = memchr(in->text +at, '<', in->len - at);
		Size		next = s ? (Size) (s - in->text) : in->len;
		AbstTag		tag;
		TagKind		kind;

		CHECK_FOR_INTERRUPTS();
		copy_text(&t, at, next - at);
		at = next;
		if (at >= in->len)
			break;
		if (read_tag(s, (int) (in->len - at), &tag) &&
			(kind = tag_kind(&t, &tag)) != TAG_NONE)
		{
			at = do_tag(&t, at, &tag, kind);
			continue;
		}
		next = comments || in->len - at < 2 || s[1] != '!' ?
			do_special(&t, at) : 0;
		if (next > 0)
		{
			at = next;
			continue;
		}
		/* what is open here stays open: do not look again */
		if (in->len - at > 3 && s[1] == '!')
			comments = false;
		copy_text(&t, at, 1);
		at++;
	}
	if (t.mathml)
		abst_mathml_end(t.mathml, abst_buf_pos(in, in->len));
}
