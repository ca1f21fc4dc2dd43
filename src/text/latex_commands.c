/*-------------------------------------------------------------------------
 *
 * latex_commands.c
 *		LaTeX commands: symbols, accents, fractions, citations, environments.
 *
 * Every command ends somewhere behind its name, so the walk goes on; what is
 * not known loses its name in text and keeps it in a formula.
 *
 *-------------------------------------------------------------------------
 */
#include "text/latex.h"

#include "common/unicode_norm.h"
#include "mb/pg_wchar.h"
#include "text/charclass.h"

#define MAX_NAME		40

/* How far the branches of \ifmmode may reach. */
#define MAX_BRANCH		250

/* A command as it stands in the text. */
typedef struct Call
{
	int			at;				/* of the backslash */
	int			name;			/* first letter of the name */
	int			namelen;
	int			next;			/* after the name */
	int			to;				/* end of what may be read */
} Call;

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

static int
skip_blanks(const AbstLatex *st, int at, int to)
{
	while (at < to && is_blank(st->text[at]))
		at++;
	return at;
}

static void
put(AbstLatex *st, const char *bytes, int at)
{
	abst_buf_put(st->out, bytes, strlen(bytes), abst_latex_pos(st, at));
}

/* The last character written, as a class; a space at the beginning. */
static AbstCharClass
class_written(const AbstLatex *st)
{
	uint32		cp;

	if (st->out->len == 0)
		return ABST_CHAR_SPACE;
	abst_utf8_decode_before(st->out->text +Max(st->out->len, 8) - 8,
							Min(st->out->len, 8), &cp);
	return abst_char_class(cp);
}

static void
put_blank(AbstLatex *st, int at)
{
	if (class_written(st) != ABST_CHAR_SPACE)
		put(st, " ", at);
}

/* "[...]" at "at": where it ends, or "at" if there is none. */
static int
skip_optional(const AbstLatex *st, int at, int to)
{
	int			limit = Min(to, at + 200);

	if (at >= to || st->text[at] != '[')
		return at;
	for (int i = at + 1; i < limit; i++)
	{
		if (st->text[i] == ']')
			return i + 1;
		if (st->text[i] == '[' || (st->text[i] == '\n' &&
								   st->text[i - 1] == '\n'))
			break;
	}
	return at;
}

/* "{...}" at "at", after blanks: where it ends, or "at" if there is none. */
static int
skip_group(const AbstLatex *st, int at, int to)
{
	int			i = skip_blanks(st, at, Min(to, at + 3));

	if (i < to && st->text[i] == '{' && st->match[i] > 0 && st->match[i] < to)
		return st->match[i] + 1;
	return at;
}

/* The argument at "at": a group, a command, or a character. */
static bool
get_arg(const AbstLatex *st, int at, int to, AbstLatexArg *arg)
{
	uint32		cp;

	at = skip_blanks(st, at, to);
	if (at >= to || st->text[at] == '}' || st->text[at] == '$')
		return false;
	if (st->text[at] == '{')
	{
		if (st->match[at] <= 0 || st->match[at] > to)
			return false;
		arg->from = at + 1;
		arg->to = st->match[at];
		arg->next = arg->to + 1;
		return true;
	}
	arg->from = at;
	if (st->text[at] == '\\')
	{
		at++;
		if (at < to && is_letter(st->text[at]))
		{
			int			limit = Min(to, at + MAX_NAME);

			while (at < limit && is_letter(st->text[at]))
				at++;
			/* \mathbf{x}: the command's own argument belongs to it */
			at = skip_group(st, at, to);
		}
		else if (at < to)
			at++;
	}
	else
		at += abst_utf8_decode(st->text +at, to - at, &cp);
	arg->to = arg->next = at;
	return true;
}

/* ---- scripts and accents ---- */

int
abst_latex_script(AbstLatex *st, int at, int to)
{
	bool		super = st->text[at] == '^';
	Size		from = st->out->len;
	AbstLatexArg arg;

	if (st->depth >= ABST_LATEX_DEPTH || !get_arg(st, at + 1, to, &arg))
	{
		abst_buf_copy(st->out, st->in, at, 1);
		return at + 1;
	}
	abst_latex_run_mode(st, &arg, true);
	while (st->out->len > from && is_blank(st->out->text[st->out->len - 1]))
		st->out->len--;
	/* degrees are written as a raised circle */
	if (super && st->out->len == from + 3 &&
		memcmp(st->out->text +from, "\xE2\x88\x98", 3) == 0)
	{
		st->out->len = from;
		put(st, "\xC2\xB0", at);
		return arg.next;
	}
	abst_buf_script(st->out, from, super);
	return arg.next;
}

static bool
composes(uint32 base, uint32 mark)
{
	pg_wchar	pair[3] = {base, mark, 0};
	pg_wchar   *nfc = unicode_normalize(UNICODE_NFC, pair);
	bool		one = nfc[1] == 0;

	pfree(nfc);
	return one;
}

/* Does \" at "at" open a quotation that an escaped quote closes? */
static bool
is_escaped_quote(const AbstLatex *st, int at)
{
	int			limit = Min(st->len - 1, at + 82);

	if (at > 0 && (is_letter(st->text[at - 1]) || st->text[at - 1] == '{'))
		return false;
	for (int i = at + 2; i < limit && st->text[i] != '\n'; i++)
		if (st->text[i] == '\\' && st->text[i + 1] == '"' &&
			!is_blank(st->text[i - 1]) &&
			(i + 2 >= st->len || !is_letter(st->text[i + 2])))
			return true;
	return false;
}

/*
 * May the sign accent at "at" (backslash) be one?  If its letter takes no
 * such accent, the sign is an escaped quote or point.
 */
static bool
sign_accent_fits(const AbstLatex *st, int at, const AbstLatexArg *arg,
				 uint32 mark)
{
	uint32		cp;
	char		sign = st->text[at + 1];

	if (st->text[at + 2] == '{' || st->text[arg->from] == '\\')
		return true;
	if (arg->from != at + 2)
		return false;
	abst_utf8_decode(st->text +arg->from, arg->to - arg->from, &cp);
	if (!abst_class_is_letter(abst_char_class(cp)) || !composes(cp, mark))
		return false;
	if (sign == '"' && is_escaped_quote(st, at))
		return false;
	/* model\'s */
	if (sign == '\'' && cp == 's' && at > 0 && is_letter(st->text[at - 1]) &&
		!(arg->to < st->len && is_letter(st->text[arg->to])))
		return false;
	return true;
}

/* Put a combining mark on the first letter of an argument. */
static int
accent(AbstLatex *st, const Call *call, const char *markbytes, bool sign)
{
	AbstLatexArg arg;
	Size		from = st->out->len;
	Size		at;
	uint32		mark;
	uint32		cp;

	abst_utf8_decode(markbytes, strlen(markbytes), &mark);
	if (st->depth >= ABST_LATEX_DEPTH || !get_arg(st, call->next, call->to,
												  &arg) ||
		(sign && !sign_accent_fits(st, call->at, &arg, mark)))
	{
		/* an escaped sign; a command without argument just goes */
		if (sign)
			abst_buf_copy(st->out, st->in, call->name, 1);
		return call->next;
	}
	abst_latex_run_mode(st, &arg, st->math);
	if (st->out->len == from)
		return arg.next;
	at = from + abst_utf8_decode(st->out->text +from, st->out->len - from,
								 &cp);
	/* a dotless letter gets its accent instead of the dot */
	if ((cp == 0x131 || cp == 0x237) && mark != 0x327 && mark != 0x323 &&
		mark != 0x331)
	{
		Size		n = at - from;
		int			pos = abst_buf_pos(st->out, from);

		memmove(st->out->text +from + 1, st->out->text +at,
				st->out->len - at);
		st->out->text[from] = cp == 0x131 ? 'i' : 'j';
		if (st->out->pos)
		{
			memmove(st->out->pos + from + 1, st->out->pos + at,
					(st->out->len - at) * sizeof(int));
			st->out->pos[from] = pos;
		}
		st->out->len -= n - 1;
		at = from + 1;
	}
	while (at < st->out->len)
	{
		int			n = abst_utf8_decode(st->out->text +at, st->out->len - at,
										 &cp);

		if (abst_char_class(cp) != ABST_CHAR_MARK)
			break;
		at += n;
	}
	abst_buf_insert(st->out, at, markbytes, strlen(markbytes));
	return arg.next;
}

/* ---- arguments in formulas ---- */

/* Does a part of a fraction or root need brackets around it? */
static bool
needs_brackets(const char *s, int len)
{
	int			depth = 0;

	for (int i = 0; i < len; i++)
	{
		if (s[i] == '(')
			depth++;
		else if (s[i] == ')')
			depth--;
		else if (depth == 0 && strchr("+-/ *=<>,", s[i]) && s[i])
			return true;
	}
	return false;
}

/* Write an argument, in brackets if it is more than one term. */
static void
put_term(AbstLatex *st, const AbstLatexArg *arg, bool always)
{
	Size		from = st->out->len;

	abst_latex_run_mode(st, arg, true);
	while (st->out->len > from && is_blank(st->out->text[st->out->len - 1]))
		st->out->len--;
	if (st->out->len > from &&
		(always || needs_brackets(st->out->text +from, st->out->len - from)))
	{
		abst_buf_insert(st->out, from, "(", 1);
		put(st, ")", arg->to);
	}
}

static int
fraction(AbstLatex *st, const Call *call, bool binomial)
{
	AbstLatexArg above;
	AbstLatexArg below;

	if (!get_arg(st, call->next, call->to, &above) ||
		!get_arg(st, above.next, call->to, &below))
		return call->next;
	if (binomial)
	{
		put(st, "(", call->at);
		abst_latex_run_mode(st, &above, true);
		put(st, " choose ", above.to);
		abst_latex_run_mode(st, &below, true);
		put(st, ")", below.to);
		return below.next;
	}
	put_term(st, &above, false);
	put(st, "/", above.to);
	put_term(st, &below, false);
	return below.next;
}

static int
root(AbstLatex *st, const Call *call)
{
	AbstLatexArg arg;
	int			next = skip_optional(st, call->next, call->to);

	if (!get_arg(st, next, call->to, &arg))
		return call->next;
	if (next > call->next)
	{
		AbstLatexArg degree = {call->next + 1, next - 1, next};
		Size		from = st->out->len;

		abst_latex_run_mode(st, &degree, true);
		abst_buf_script(st->out, from, true);
	}
	put(st, "\xE2\x88\x9A", call->at);
	put_term(st, &arg, arg.to - arg.from > 1 && st->text[arg.from] != '\\');
	return arg.next;
}

/* Letters with double strokes. */
static int
blackboard(AbstLatex *st, const Call *call)
{
	AbstLatexArg arg;

	if (!get_arg(st, call->next, call->to, &arg))
		return call->next;
	for (int i = arg.from; i < arg.to; i++)
	{
		char		c = st->text[i];
		uint32		cp = (unsigned char) c;

		switch (c)
		{
			case 'C':
				cp = 0x2102;
				break;
			case 'H':
				cp = 0x210D;
				break;
			case 'N':
				cp = 0x2115;
				break;
			case 'P':
				cp = 0x2119;
				break;
			case 'Q':
				cp = 0x211A;
				break;
			case 'R':
				cp = 0x211D;
				break;
			case 'Z':
				cp = 0x2124;
				break;
			default:
				if (c >= 'A' && c <= 'Z')
					cp = 0x1D538 + (c - 'A');
				else if (c >= 'a' && c <= 'z')
					cp = 0x1D552 + (c - 'a');
				else if (c >= '0' && c <= '9')
					cp = 0x1D7D8 + (c - '0');
				else
				{
					abst_buf_copy(st->out, st->in, i, 1);
					continue;
				}
		}
		abst_buf_put_char(st->out, cp, abst_latex_pos(st, i));
	}
	return arg.next;
}

/* \not: the next sign with a stroke. */
static int
struck_out(AbstLatex *st, const Call *call)
{
	AbstLatexArg arg;
	Size		from = st->out->len;

	if (!get_arg(st, call->next, call->to, &arg))
		return call->next;
	abst_latex_run_mode(st, &arg, true);
	while (st->out->len > from && is_blank(st->out->text[st->out->len - 1]))
		st->out->len--;
	if (st->out->len > from)
		put(st, "\xCC\xB8", arg.from);
	return arg.next;
}

/* ---- commands that go with what they hold ---- */

static int
drop(AbstLatex *st, const Call *call)
{
	int			at = call->next;

	if (at < call->to && st->text[at] == '*')
		at++;
	for (;;)
	{
		int			next = skip_optional(st, at, call->to);

		if (next == at)
			next = skip_group(st, at, call->to);
		if (next == at)
			break;
		at = next;
	}
	st->dropped = (int) st->out->len;
	while (st->dropped > 0 && is_blank(st->out->text[st->dropped - 1]))
		st->dropped--;
	return at;
}

/* Next "\end{" at or after "at"; all searches together read the text once. */
static int
next_end(AbstLatex *st, int at)
{
	if (st->next_end >= at)
		return st->next_end;
	for (; at + 5 < st->len; at++)
	{
		const char *s = memchr(st->text +at, '\\', st->len - 5 - at);

		if (s == NULL)
			break;
		at = s - st->text;
		if (memcmp(s, "\\end{", 5) == 0)
			return st->next_end = at;
	}
	return st->next_end = st->len;
}

/* \begin{x} and \end{x}; a formula's environment is read as one. */
static int
environment(AbstLatex *st, const Call *call, bool begin)
{
	int			open = skip_blanks(st, call->next, call->to);
	int			close;
	int			at;

	if (open >= call->to || st->text[open] != '{' || st->match[open] < 0 ||
		st->match[open] - open > MAX_NAME)
		return call->next;
	close = st->match[open];
	at = close + 1;
	if (!begin)
	{
		put_blank(st, call->at);
		return at;
	}
	at = skip_optional(st, at, call->to);
	if (abst_latex_math_environment(st->text +open + 1, close - open - 1) &&
		!st->math)
	{
		int			end = next_end(st, at);

		put_blank(st, call->at);
		if (end > call->to || end - at > ABST_MAX_FORMULA)
			return at;
		abst_latex_formula(st, call->at, at, end);
		return end;
	}
	put(st, "\n\n", call->at);
	return at;
}

/* TeX reads over the blank after a command. */
static int
over_blank(const AbstLatex *st, int at, int to)
{
	return skip_blanks(st, at, Min(to, at + 8));
}

/*
 * Skip a branch of \ifmmode that begins at "at": to after its \else or \fi.
 * Returns "at" if neither is near.
 */
static int
skip_branch(const AbstLatex *st, int at, int to, bool stop_at_else)
{
	int			limit = Min(to, at + MAX_BRANCH);
	int			depth = 0;

	for (int i = at; i + 2 < limit; i++)
	{
		if (st->text[i] != '\\')
			continue;
		if (limit - i >= 8 && memcmp(st->text +i, "\\ifmmode", 8) == 0)
			depth++;
		else if (memcmp(st->text +i, "\\fi", 3) == 0 &&
				 (i + 3 >= st->len || !is_letter(st->text[i + 3])))
		{
			if (depth-- == 0)
				return i + 3;
		}
		else if (stop_at_else && depth == 0 && limit - i >= 5 &&
				 memcmp(st->text +i, "\\else", 5) == 0)
			return i + 5;
	}
	return at;
}

/* The argument as it stands, escapes undone. */
static int
raw_argument(AbstLatex *st, const Call *call)
{
	AbstLatexArg arg;

	if (!get_arg(st, call->next, call->to, &arg) ||
		st->text[arg.from - 1] != '{')
		return call->next;
	for (int i = arg.from; i < arg.to; i++)
	{
		if (st->text[i] == '\\' && i + 1 < arg.to &&
			!is_letter(st->text[i + 1]))
			i++;
		abst_buf_copy(st->out, st->in, i, 1);
	}
	return arg.next;
}

static int
verbatim(AbstLatex *st, const Call *call)
{
	int			limit = Min(call->to, call->next + 200);
	char		delimiter;

	if (call->next >= call->to)
		return call->next;
	delimiter = st->text[call->next];
	if (is_letter(delimiter) || is_blank(delimiter) || delimiter == '{')
		return call->next;
	for (int i = call->next + 1; i < limit && st->text[i] != '\n'; i++)
		if (st->text[i] == delimiter)
		{
			abst_buf_copy(st->out, st->in, call->next + 1, i - call->next - 1);
			return i + 1;
		}
	return call->next;
}

/* ---- the command itself ---- */

/* A command that stands for a sign or a letter. */
static int
symbol		(AbstLatex *st, const Call *call, const AbstLatexCommand *command)
{
	uint32		cp;
	AbstCharClass k;
	int			next = call->next;

	abst_utf8_decode(command->text, strlen(command->text), &cp);
	k = abst_char_class(cp);
	put(st, command->text, call->at);
	if (command->action == ABST_LATEX_WORD)
		return next;
	/* TeX reads over blanks after a command; authors rely on it for letters */
	if (st->math || (abst_class_is_letter(k) && !abst_char_is_greek(cp)) ||
		cp == 0xA7 || cp == 0xA3 || cp == 0x20AC)
		next = skip_blanks(st, next, Min(call->to, next + 8));
	return next;
}

static int
function_name(AbstLatex *st, const Call *call, const char *name)
{
	int			next = skip_blanks(st, call->next, Min(call->to,
													   call->next + 8));
	AbstCharClass before = class_written(st);

	if (abst_class_is_alnum(before) || before == ABST_CHAR_SCRIPTDIGIT)
		put(st, " ", call->at);
	put(st, name, call->at);
	if (next < call->to && (is_letter(st->text[next]) ||
							st->text[next] == '\\' ||
							(st->text[next] >= '0' && st->text[next] <= '9')))
		put(st, " ", call->at);
	return next;
}

/* A command that is not known, or only sets a style. */
/* An unknown macro left nothing: so may the brackets around it. */
static void
note_macro(AbstLatex *st, int next, int to)
{
	if (next < to && st->text[next] == '{' && !(next + 1 < to &&
												st->text[next + 1] == '}'))
		return;
	st->dropped = (int) st->out->len;
	while (st->dropped > 0 && is_blank(st->out->text[st->dropped - 1]))
		st->dropped--;
}

static int
style(AbstLatex *st, const Call *call, bool known)
{
	int			next = call->next;
	int			after;
	char		first = st->text[call->name];

	if (!known && !st->math)
	{
		/* "\nWe": an escape of another language */
		bool		escape = first == 'n' || first == 'r' || first == 't';

		if (escape && call->namelen == 1)
		{
			put(st, "\n", call->at);
			return next;
		}
		if (escape && st->text[call->name + 1] >= 'A' &&
			st->text[call->name + 1] <= 'Z')
		{
			put(st, "\n", call->at);
			return call->name + 1;
		}
	}
	if (!known && !st->math && call->at > 0 &&
		(st->text[call->at - 1] == '(' || st->text[call->at - 1] == '['))
		note_macro(st, next, call->to);
	if (!known && st->math)
	{
		abst_buf_copy(st->out, st->in, call->name, call->namelen);
		return next;
	}
	if (next < call->to && st->text[next] == '*')
		next++;
	after = skip_optional(st, next, call->to);
	if (after > next && after < call->to && st->text[after] == '{')
		return after;
	if (next < call->to && is_blank(st->text[next]))
		next = skip_blanks(st, next, Min(call->to, next + 8));
	return next;
}

static int
do_action(AbstLatex *st, const Call *call, const AbstLatexCommand *command)
{
	AbstLatexArg arg;
	int			next;

	switch (command->action)
	{
		case ABST_LATEX_SYMBOL:
		case ABST_LATEX_WORD:
			return symbol (st, call, command);

		case ABST_LATEX_RELATION:
			if (!st->math)
				return symbol (st, call, command);

			put_blank(st, call->at);
			put(st, command->text, call->at);
			put(st, " ", call->at);
			return skip_blanks(st, call->next, Min(call->to, call->next + 8));
		case ABST_LATEX_FUNCTION:
			if (!st->math)
				return style(st, call, false);
			return function_name(st, call, command->text);
		case ABST_LATEX_ACCENT:
			return accent(st, call, command->text, false);
		case ABST_LATEX_DROP:
			return drop(st, call);
		case ABST_LATEX_DROP_FIRST:
			next = skip_optional(st, call->next, call->to);
			return skip_group(st, next, call->to);
		case ABST_LATEX_SPACE:
			put(st, " ", call->at);
			return call->next;
		case ABST_LATEX_BREAK:
			put(st, st->math ? " " : "\n\n", call->at);
			return skip_optional(st, call->next, call->to);
		case ABST_LATEX_FRACTION:
			return fraction(st, call, false);
		case ABST_LATEX_BINOMIAL:
			return fraction(st, call, true);
		case ABST_LATEX_ROOT:
			return root(st, call);
		case ABST_LATEX_BLACKBOARD:
			return blackboard(st, call);
		case ABST_LATEX_TEXT:
		case ABST_LATEX_NAME:
			next = call->next;
			if (next < call->to && st->text[next] == '*')
				next++;
			if (!get_arg(st, next, call->to, &arg))
				return next;
			abst_latex_run_mode(st, &arg, st->math &&
								command->action == ABST_LATEX_NAME);
			return arg.next;
		case ABST_LATEX_FENCE:
			next = skip_blanks(st, call->next, Min(call->to, call->next + 3));
			if (next < call->to && st->text[next] == '.')
				next++;
			return next;
		case ABST_LATEX_NOT:
			return struck_out(st, call);
		case ABST_LATEX_BEGIN:
		case ABST_LATEX_END:
			return environment(st, call, command->action == ABST_LATEX_BEGIN);
		case ABST_LATEX_IF_MATH:
			next = st->math ? call->next :
				skip_branch(st, call->next, call->to, true);
			return over_blank(st, next, call->to);
		case ABST_LATEX_ELSE:
			next = skip_branch(st, call->next, call->to, false);
			return over_blank(st, next, call->to);
		case ABST_LATEX_FI:
			return over_blank(st, call->next, call->to);
		case ABST_LATEX_URL:
			return raw_argument(st, call);
		case ABST_LATEX_VERBATIM:
			return verbatim(st, call);
		case ABST_LATEX_STYLE:
			break;
	}
	return style(st, call, true);
}

/* A backslash before something that is no letter. */
static int
do_sign(AbstLatex *st, const Call *call)
{
	char		c = st->text[call->name];
	const AbstLatexCommand *command = abst_latex_sign(c);

	if (c == '(' || c == ')' || c == '[' || c == ']')
	{
		abst_buf_copy(st->out, st->in, call->name, 1);
		return call->next;
	}
	if (command == NULL)
	{
		abst_buf_copy(st->out, st->in, call->at, 1);
		return call->at + 1;
	}
	switch (command->action)
	{
		case ABST_LATEX_ACCENT:
			if (st->math)
				return call->next;
			return accent(st, call, command->text, true);
		case ABST_LATEX_SPACE:
		case ABST_LATEX_BREAK:
			put(st, " ", call->at);
			return call->next;
		case ABST_LATEX_WORD:
			if (c == '|' && !st->math)
				put(st, "|", call->at);
			else
				put(st, command->text, call->at);
			return call->next;
		default:
			return call->next;
	}
}

int
abst_latex_do_command(AbstLatex *st, int at, int to)
{
	Call		call;
	const AbstLatexCommand *command;
	int			limit;

	call.at = at;
	call.name = at + 1;
	call.to = to;
	if (call.name >= to)
	{
		abst_buf_copy(st->out, st->in, at, 1);
		return at + 1;
	}
	if (!is_letter(st->text[call.name]))
	{
		call.namelen = 1;
		call.next = call.name + 1;
		return do_sign(st, &call);
	}
	limit = Min(to, call.name + MAX_NAME);
	call.next = call.name;
	while (call.next < limit && is_letter(st->text[call.next]))
		call.next++;
	call.namelen = call.next - call.name;
	command = abst_latex_command(st->text +call.name, call.namelen);
	if (command == NULL)
		return style(st, &call, false);
	/* too deep to look into arguments: the name goes, the rest is read on */
	if (st->depth >= ABST_LATEX_DEPTH &&
		command->action >= ABST_LATEX_FRACTION)
		return call.next;
	return do_action(st, &call, command);
}
