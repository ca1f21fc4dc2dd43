/*-------------------------------------------------------------------------
 *
 * latex.c
 *		The pass that reads LaTeX: formulas, braces, dashes, quotes, ties.
 *
 * Commands are in latex_commands.c.  Style commands lose their name only, so
 * most arguments need no look ahead: their braces go when they are reached.
 * Where a construct needs its end, the end is known beforehand (match) or
 * looked for once (find_next, and "$", where the very next "$" decides).  So
 * the pass is linear whatever is left open.
 *
 * "$" opens a formula only if no blank follows and the next "$" can close it:
 * no blank before and no digit after it.  So prices stay.
 *
 *-------------------------------------------------------------------------
 */
#include "text/latex.h"

#include "miscadmin.h"
#include "text/charclass.h"
#include "text/links.h"
#include "utils/memutils.h"

/* Bytes after which a dropped citation is forgotten. */
#define DROP_REACH		64

int
abst_latex_pos(const AbstLatex *st, int at)
{
	return abst_buf_pos(st->in, at);
}

static AbstCharClass
class_at(const AbstLatex *st, int at)
{
	uint32		cp;

	if (at >= st->len)
		return ABST_CHAR_SPACE;
	abst_utf8_decode(st->text +at, st->len - at, &cp);
	return abst_char_class(cp);
}

static AbstCharClass
class_before(const AbstLatex *st, int at)
{
	uint32		cp;

	if (at <= 0)
		return ABST_CHAR_SPACE;
	abst_utf8_decode_before(st->text, at, &cp);
	return abst_char_class(cp);
}

static bool
is_word(AbstCharClass k)
{
	return abst_class_is_alnum(k) || k == ABST_CHAR_MARK ||
		k == ABST_CHAR_SCRIPTDIGIT;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\n';
}

/*
 * Next place of a two byte sequence at or after "from"; the answer is kept in
 * *next (-1 at first), so all searches together read the text once.
 */
static int
find_next(const AbstLatex *st, int *next, int from, char second)
{
	int			at;

	if (*next >= from)
		return *next;
	for (at = from; at + 1 < st->len; at++)
	{
		const char *s = memchr(st->text +at, '\\', st->len - 1 - at);

		if (s == NULL)
			break;
		at = s - st->text;
		if (st->text[at + 1] == second)
		{
			*next = at;
			return at;
		}
		at++;					/* an escaped backslash is none */
	}
	*next = st->len;
	return st->len;
}

static void
copy(AbstLatex *st, int at, int n)
{
	abst_buf_copy(st->out, st->in, at, n);
}

static void
put(AbstLatex *st, const char *bytes, int at)
{
	abst_buf_put(st->out, bytes, strlen(bytes), abst_latex_pos(st, at));
}

static void
trim_blanks(AbstLatex *st, Size from)
{
	while (st->out->len > from && is_blank(st->out->text[st->out->len - 1]))
		st->out->len--;
}

/* ---- formulas ---- */

/* A letter written as an index or exponent. */
static bool
is_script_letter(uint32 cp)
{
	return (cp >= 0x2B0 && cp <= 0x2FF) || (cp >= 0x1D2C && cp <= 0x1D6A) ||
		cp == 0x2071 || cp == 0x207F || (cp >= 0x2090 && cp <= 0x209C) ||
		cp == 0x2C7C;
}

bool
abst_is_plain_formula(const char *s, int len)
{
	int			at = 0;
	int			letters = 0;

	while (at < len)
	{
		uint32		cp;
		int			n = abst_utf8_decode(s + at, len - at, &cp);
		AbstCharClass k = abst_char_class(cp);
		bool		sign = k == ABST_CHAR_DASH || cp == '+' || cp == 0xB1 ||
		cp == '~' || cp == 0x223C || cp == 0x2248 || cp == '<' || cp == '>' ||
		cp == 0x2264 || cp == 0x2265 || cp == 0xD7 || cp == '=';

		if (is_script_letter(cp))
			return false;
		if (abst_class_is_letter(k))
			letters++;
		else if (k == ABST_CHAR_DIGIT || k == ABST_CHAR_MARK ||
				 k == ABST_CHAR_SCRIPTDIGIT || k == ABST_CHAR_SCRIPTSIGN)
			;
		else if ((cp == '.' || cp == ',') && at > 0 && at + n < len)
			;
		else if (cp == 0xD7 && letters == 0 && at > 0 && len - at - n > 2 &&
				 memcmp(s + at + n, "10", 2) == 0)
			;					/* 1.5 times a power of ten */
		else if (sign && (at == 0 || at + n == len) && letters == 0)
			;
		else if ((cp == '%' || cp == 0xB0 || cp == 0x2032) && at + n == len)
			;
		else
			return len == n;	/* a lone sign */
		at += n;
	}
	return true;
}

void
abst_latex_formula(AbstLatex *st, int open, int from, int to)
{
	AbstLatexArg arg = {from, to, to};
	Size		start = st->out->len;
	char		begin = ABST_MARK_MATH;
	char		end = ABST_MARK_MATH_END;
	int			lead = 0;

	st->formulas++;
	abst_latex_run_mode(st, &arg, true);
	if (--st->formulas > 0)
		return;					/* a formula in a formula's text */
	trim_blanks(st, start);
	while (start + lead < st->out->len &&
		   is_blank(st->out->text[start + lead]))
		lead++;
	if (lead > 0)
	{
		Size		n = st->out->len - start - lead;

		memmove(st->out->text +start, st->out->text +start + lead, n);
		if (st->out->pos)
			memmove(st->out->pos + start, st->out->pos + start + lead,
					n * sizeof(int));
		st->out->len -= lead;
	}
	if (st->out->len == start ||
		abst_is_plain_formula(st->out->text +start, st->out->len - start))
		return;
	abst_buf_insert(st->out, start, &begin, 1);
	if (st->out->pos)
		st->out->pos[start] = abst_latex_pos(st, open);
	abst_buf_put(st->out, &end, 1, abst_latex_pos(st, to));
}

/* Prose between two dollar signs: words, and nothing that formulas have. */
static bool
is_prose(const char *s, int len)
{
	int			words = 0;
	int			letters = 0;

	for (int i = 0; i <= len; i++)
	{
		if (i < len && ((s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' &&
														 s[i] <= 'Z')))
			letters++;
		else
		{
			if (i < len && (s[i] == '\\' || s[i] == '^' || s[i] == '_' ||
							s[i] == '='))
				return false;
			if (letters >= 3 && (i == len || s[i] == ' ' || s[i] == ',' ||
								 s[i] == '.'))
				words++;
			letters = 0;
		}
	}
	return words >= 2;
}

/* Has it what amounts of money never have: "$\\sim$5", "$<$0.05"? */
static bool
is_surely_math(const char *s, int len)
{
	bool		word = false;

	for (int i = 0; i < len; i++)
	{
		if (s[i] == '\\' || s[i] == '^' || s[i] == '_')
			return true;
		word |= (s[i] >= '0' && s[i] <= '9') || (s[i] >= 'a' && s[i] <= 'z') ||
			(s[i] >= 'A' && s[i] <= 'Z');
	}
	return !word;
}

/*
 * An amount and then words of the sentence: "$2M; A$".  What has signs of a
 * formula is one.
 */
static bool
is_money(const char *s, int len)
{
	int			i = 0;

	while (i < len && ((s[i] >= '0' && s[i] <= '9') ||
					   (i > 0 && (s[i] == '.' || s[i] == ',') && i + 1 < len &&
						s[i + 1] >= '0' && s[i + 1] <= '9')))
		i++;
	if (i == 0)
		return false;
	if (i < len && strchr("kKMB", s[i]) != NULL)
		i++;
	if (i < len && (s[i] == '.' || s[i] == ',' || s[i] == ';'))
		i++;
	if (i >= len || s[i] != ' ')
		return false;
	for (int k = i; k < len; k++)
	{
		if (strchr("\\^_=<>+*/|", s[k]) != NULL && s[k])
			return false;
		if ((s[k] >= 'a' && s[k] <= 'z') || (s[k] >= 'A' && s[k] <= 'Z'))
			return true;
	}
	return false;
}

/* "$" at "at": a formula, or the sign itself. */
static int
dollar(AbstLatex *st, int at, int to)
{
	int			width = at + 1 < to && st->text[at + 1] == '$' ? 2 : 1;
	int			from = at + width;
	int			limit = Min(to, from + ABST_MAX_FORMULA);
	int			end = from;

	if (st->math)
		return at + 1;
	while (end < limit && st->text[end] != '$')
	{
		if (st->text[end] == '\\')
			end++;
		else if (st->text[end] == '\n' && end + 1 < limit &&
				 st->text[end + 1] == '\n')
			break;
		end++;
	}
	if (end < limit && st->text[end] == '$' && end > from)
	{
		bool		closes;

		if (width == 2)
			closes = end + 1 < to && st->text[end + 1] == '$';
		else
			closes = !is_blank(st->text[from]) &&
				!is_blank(st->text[end - 1]) &&
				(!(end + 1 < st->len && st->text[end + 1] >= '0' &&
				   st->text[end + 1] <= '9') ||
				 is_surely_math(st->text +from, end - from));
		if (closes && !is_prose(st->text +from, end - from) &&
			!is_money(st->text +from, end - from))
		{
			abst_latex_formula(st, at, from, end);
			return end + width;
		}
	}
	copy(st, at, width);
	return at + width;
}

/* "\(" or "\[" at "at"; 0 if it opens no formula. */
static int
bracket_formula(AbstLatex *st, int at, int to)
{
	bool		round = st->text[at + 1] == '(';
	int			end = round ? find_next(st, &st->next_round, at + 2, ')') :
	find_next(st, &st->next_square, at + 2, ']');

	if (st->math || end + 2 > to || end - at > ABST_MAX_FORMULA)
		return 0;
	abst_latex_formula(st, at, at + 2, end);
	return end + 2;
}

/* ---- signs of running text ---- */

/* "--" and "---" become dashes, unless they begin a word (an option). */
static int
dashes(AbstLatex *st, int at, int to)
{
	int			n = 1;
	char		before = at > 0 ? st->text[at - 1] : ' ';
	char		after;

	while (at + n < to && st->text[at + n] == '-')
		n++;
	after = at + n < st->len ? st->text[at + n] : ' ';
	if (n == 3 && at > 0)
		put(st, "\xE2\x80\x94", at);
	else if (n == 2 && at > 0 && (!is_blank(before) || is_blank(after)))
		put(st, "\xE2\x80\x93", at);
	else
		copy(st, at, n);
	return at + n;
}

/* "~" between words is a blank; elsewhere it stays ("~5", "~~"). */
static int
tie(AbstLatex *st, int at)
{
	char		before = at > 0 ? st->text[at - 1] : ' ';
	char		after = at + 1 < st->len ? st->text[at + 1] : ' ';

	if (!is_blank(before) && before != '~' && after != '~' &&
		!is_blank(after) &&
		(is_word(class_before(st, at)) || strchr(".,;:)}]$=<>", before)))
		put(st, " ", at);
	else
		copy(st, at, 1);
	return at + 1;
}

/* TeX's quotes: `x' and ``x''; a pair of backquotes is Markdown's. */
static int
backquote(AbstLatex *st, int at, int to)
{
	int			n = 1;
	int			limit;

	while (at + n < to && st->text[at + n] == '`')
		n++;
	limit = Min(st->len - 1, at + n + 200);
	if (n <= 2)
	{
		for (int i = at + n; i < limit && st->text[i] != '`' &&
			 st->text[i] != '\n'; i++)
		{
			if (st->text[i] != '\'')
				continue;
			if (n == 2 && st->text[i + 1] == '\'')
			{
				put(st, "\xE2\x80\x9C", at);
				return at + n;
			}
			if (n == 1 && !is_word(class_at(st, i + 1)))
			{
				put(st, "\xE2\x80\x98", at);
				st->quote_end = i;
				return at + n;
			}
		}
	}
	copy(st, at, n);
	return at + n;
}

static int
apostrophe(AbstLatex *st, int at, int to)
{
	if (at == st->quote_end)
	{
		put(st, "\xE2\x80\x99", at);
		return at + 1;
	}
	if (at + 1 < to && st->text[at + 1] == '\'' && at > 0 &&
		!is_blank(st->text[at - 1]) &&
		!(st->text[at - 1] >= '0' && st->text[at - 1] <= '9') &&
		!(at + 2 < to && st->text[at + 2] == '\''))
	{
		put(st, "\xE2\x80\x9D", at);
		return at + 2;
	}
	copy(st, at, 1);
	return at + 1;
}

/* May braces with this inside be meant as they stand: {a, b}? */
static bool
is_set(const AbstLatex *st, int at, int end)
{
	bool		comma = false;

	for (int i = at + 1; i < end; i++)
	{
		if (st->text[i] == '{' || st->text[i] == '\\' || i - at > 200)
			return false;
		comma |= st->text[i] == ',';
	}
	/* what follows a command's name or argument is its argument */
	return comma && !is_word(class_before(st, at)) &&
		!(at > 0 && strchr("}]*", st->text[at - 1]) != NULL);
}

/* ---- what dropped citations leave behind ---- */

/* Is nothing worth keeping between the brackets: "(see , )"? */
static bool
is_residue(const char *s, int len)
{
	static const char *const words[] = {
		"see", "e", "g", "i", "cf", "also", "and", "Fig", "Figs", "Figure",
		"Figures", "Sec", "Section", "Eq", "Table", "Tables", "Appendix",
		"App", "Ref", "Refs", "in", "fig", "section", "Chapter", "Eqs"
	};

	for (int i = 0; i < len;)
	{
		int			start = i;
		bool		known = false;

		while (i < len && ((s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' &&
															s[i] <= 'Z')))
			i++;
		if (i > start)
		{
			for (int k = 0; k < lengthof(words); k++)
				known |= strlen(words[k]) == i - start &&
					memcmp(words[k], s + start, i - start) == 0;
			if (!known)
				return false;
			continue;
		}
		if (len - i >= 2 && memcmp(s + i, "\xC2\xA7", 2) == 0)
			i += 2;				/* section sign */
		else if (len - i >= 3 && memcmp(s + i, "\xE2\x80\x93", 3) == 0)
			i += 3;				/* en dash */
		else if (strchr(" \n,;.:~-&", s[i]) && s[i])
			i++;
		else
			return false;
	}
	return true;
}

/* A closing bracket or a punctuation sign soon after something was dropped. */
static int
after_drop(AbstLatex *st, int at)
{
	char		c = st->text[at];
	AbstBuf    *out = st->out;

	if ((int) out->len - st->dropped > DROP_REACH)
		st->dropped = -1;
	else if (c == ')' || c == ']')
	{
		char		opening = c == ')' ? '(' : '[';
		int			i = (int) out->len - 1;
		int			limit = Max(0, st->dropped - DROP_REACH);

		while (i >= limit && out->text[i] != opening && out->text[i] != c)
			i--;
		if (i >= limit && i < st->dropped && out->text[i] == opening &&
			is_residue(out->text +i + 1, out->len - i - 1))
		{
			out->len = i;
			trim_blanks(st, 0);
			st->dropped = out->len;
			return at + 1;
		}
		trim_blanks(st, 0);
	}
	else
	{
		Size		end = out->len;

		while (end > 0 && is_blank(out->text[end - 1]))
			end--;
		if (end <= (Size) st->dropped)
			out->len = end;
	}
	copy(st, at, 1);
	return at + 1;
}

/* ---- the walk ---- */

/* One step in running text; c is special. */
static int
text_step(AbstLatex *st, int at, int to, char c)
{
	int			n;

	switch (c)
	{
		case '-':
			return dashes(st, at, to);
		case '~':
			return tie(st, at);
		case '`':
			return backquote(st, at, to);
		case '\'':
			return apostrophe(st, at, to);
		case '^':
		case '_':
			if (at + 1 < to && st->text[at + 1] == '{' &&
				st->match[at + 1] > 0)
				return abst_latex_script(st, at, to);
			break;
		case ')':
		case ']':
		case '.':
		case ',':
		case ';':
		case ':':
			if (st->dropped >= 0)
				return after_drop(st, at);
			break;
		case ABST_MARK_MATH:
			{
				const char *end = memchr(st->text +at, ABST_MARK_MATH_END,
										 to - at);

				n = end ? (int) (end - st->text) +1 - at : 1;
				copy(st, at, n);
				return at + n;
			}
		default:
			if (!is_word(class_before(st, at)) &&
				(n = abst_url_span(st->text, to, at)) > 0)
			{
				copy(st, at, n);
				return at + n;
			}
			break;
	}
	copy(st, at, 1);
	return at + 1;
}

/* One step in a formula; c is special. */
static int
math_step(AbstLatex *st, int at, int to, char c)
{
	switch (c)
	{
		case '^':
		case '_':
			return abst_latex_script(st, at, to);
		case '\'':
			put(st, "\xE2\x80\xB2", at);
			return at + 1;
		case '~':
			put(st, " ", at);
			return at + 1;
		case '&':
		case ABST_MARK_MATH:
		case ABST_MARK_MATH_END:
			return at + 1;
		default:
			copy(st, at, 1);
			return at + 1;
	}
}

void
abst_latex_run(AbstLatex *st, int from, int to)
{
	/* what stops the copying of a run */
	static const char special[] = "\\${}^_~-`'&)].,;:hfwHFW\001\002";
	static bool is_special[256];
	static bool ready = false;
	int			at = from;

	if (!ready)
	{
		for (const char *s = special; *s; s++)
			is_special[(unsigned char) *s] = true;
		ready = true;
	}
	while (at < to)
	{
		int			run = at;
		char		c;

		while (run < to && !is_special[(unsigned char) st->text[run]])
			run++;
		if (run > at)
		{
			copy(st, at, run - at);
			at = run;
			continue;
		}
		c = st->text[at];
		CHECK_FOR_INTERRUPTS();
		if (c == '\\')
		{
			int			next = 0;

			if (at + 1 < to && (st->text[at + 1] == '(' ||
								st->text[at + 1] == '['))
				next = bracket_formula(st, at, to);
			at = next > 0 ? next : abst_latex_do_command(st, at, to);
		}
		else if (c == '$')
			at = dollar(st, at, to);
		else if (c == '{')
		{
			if (st->match[at] < 0)
			{
				/* an open brace before a command was a group, cut off */
				if (at + 1 >= to || st->text[at + 1] != '\\')
					copy(st, at, 1);
			}
			else if (!st->math && is_set(st, at, st->match[at]))
			{
				copy(st, at, 1);
				st->match[st->match[at]] = -2;
			}
			at++;
		}
		else if (c == '}')
		{
			if (st->match[at] < 0)
				copy(st, at, 1);
			at++;
		}
		else
			at = st->math ? math_step(st, at, to, c) : text_step(st, at, to,
																 c);
	}
}

void
abst_latex_run_mode(AbstLatex *st, const AbstLatexArg *arg, bool math)
{
	bool		was = st->math;

	st->math = math;
	st->depth++;
	abst_latex_run(st, arg->from, arg->to);
	st->depth--;
	st->math = was;
}

/* Pair the braces; -1 where there is no partner. */
static int *
match_braces(const char *text, int len)
{
	int		   *match = palloc(Max(len, 1) * sizeof(int));
	int			top = -1;		/* the stack is threaded through match */

	for (int i = 0; i < len; i++)
	{
		match[i] = -1;
		if (text[i] == '\\' && i + 1 < len)
			match[++i] = -1;
		else if (text[i] == '{')
		{
			match[i] = top;
			top = i;
		}
		else if (text[i] == '}' && top >= 0)
		{
			int			below = match[top];

			match[i] = top;
			match[top] = i;
			top = below;
		}
	}
	while (top >= 0)
	{
		int			below = match[top];

		match[top] = -1;
		top = below;
	}
	return match;
}

void
abst_pass_latex(const AbstBuf *in, AbstBuf *out)
{
	AbstLatex	st;

	memset(&st, 0, sizeof(st));
	st.in = in;
	st.text = in->text;
	st.len = (int) in->len;
	st.out = out;
	st.match = match_braces(in->text, st.len);
	st.dropped = -1;
	st.quote_end = -1;
	st.next_round = st.next_square = st.next_end = -1;
	abst_latex_run(&st, 0, st.len);
	pfree(st.match);
}
