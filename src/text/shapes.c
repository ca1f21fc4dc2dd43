/*-------------------------------------------------------------------------
 *
 * shapes.c
 *		The shape of numbers and of formulas in running text.
 *
 * Nothing here looks further than a small constant beyond the end of what it
 * finds, numbers aside, whose digits are read once.
 *
 *-------------------------------------------------------------------------
 */
#include "text/shapes.h"

#include "text/charclass.h"

/* Words that may stand inside a formula's brackets. */
static const char *const functions[] = {
	"log", "ln", "lg", "exp", "sqrt", "poly", "polylog", "min", "max", "sup",
	"inf", "sin", "cos", "tan", "det", "dim", "deg", "mod", "rank", "tr",
	"argmin", "argmax", "loglog", "var", "cov", "sign", "eps", "alpha",
	"beta", "gamma", "delta", "epsilon", "theta", "lambda", "sigma", "kappa"
};

static AbstCharClass
class_at(const char *text, int len, int at, uint32 *cp, int *n)
{
	if (at >= len)
	{
		*cp = 0;
		*n = 0;
		return ABST_CHAR_SPACE;
	}
	*n = abst_utf8_decode(text +at, len - at, cp);
	return abst_char_class(*cp);
}

static bool
digit_at(const char *text, int len, int at)
{
	uint32		cp;
	int			n;

	return class_at(text, len, at, &cp, &n) == ABST_CHAR_DIGIT;
}

static bool
alnum_at(const char *text, int len, int at)
{
	uint32		cp;
	int			n;
	AbstCharClass k = class_at(text, len, at, &cp, &n);

	return n > 0 && (abst_class_is_alnum(k) || k == ABST_CHAR_SCRIPTDIGIT);
}

static int
skip_digits(const char *text, int len, int at)
{
	uint32		cp;
	int			n;

	while (class_at(text, len, at, &cp, &n) == ABST_CHAR_DIGIT)
		at += n;
	return at;
}

/* Does the ASCII sign stand at "at", in full width too?  Its bytes, else 0. */
static int
ascii_at(const char *text, int len, int at, char sign)
{
	uint32		cp;
	int			n;

	if (at >= len)
		return 0;
	if (text[at] == sign)
		return 1;
	if (text[at] != '\xEF')
		return 0;
	n = abst_utf8_decode(text +at, len - at, &cp);
	return cp == 0xFF00 + (sign - 0x20) ? n : 0;
}

/* A minus or plus sign: its bytes, else 0. */
static int
sign_at(const char *text, int len, int at)
{
	int			n = ascii_at(text, len, at, '-');

	if (n == 0)
		n = ascii_at(text, len, at, '+');
	if (n > 0 || at >= len)
		return n;
	if (len - at >= 3 && memcmp(text +at, "\xE2\x88\x92", 3) == 0)
		return 3;
	return 0;
}

/* A times sign: its bytes, else 0. */
static int
times_at(const char *text, int len, int at)
{
	if (at >= len)
		return 0;
	if (text[at] == 'x' || text[at] == 'X')
		return 1;
	if (len - at >= 2 && memcmp(text +at, "\xC3\x97", 2) == 0)
		return 2;
	return 0;
}

/* Superscript digits with their sign. */
static int
skip_script(const char *text, int len, int at)
{
	uint32		cp;
	int			n;
	AbstCharClass k;

	while ((k = class_at(text, len, at, &cp, &n)) == ABST_CHAR_SCRIPTDIGIT ||
		   (k == ABST_CHAR_SCRIPTSIGN && n > 0))
		at += n;
	return at;
}

/* "^-5" or superscript after a ten; returns "at" where there is none. */
static int
skip_power(const char *text, int len, int at)
{
	if (at < len && text[at] == '^')
	{
		int			digits = at + 1 + sign_at(text, len, at + 1);

		if (digit_at(text, len, digits))
			return skip_digits(text, len, digits);
		return at;
	}
	return skip_script(text, len, at);
}

/* " x 10^-5" after a mantissa; returns "at" where there is none. */
static int
skip_scientific(const char *text, int len, int at)
{
	int			i = at;
	bool		spaced = i < len && text[i] == ' ';
	int			n;
	int			end;

	i += spaced;
	n = times_at(text, len, i);
	if (n == 0 && i < len && (text[i] == '*' ||
							  (len - i >= 2 && memcmp(text +i, "\xC2\xB7", 2) == 0)))
		n = text[	i] == '*' ? 1 : 2;

	if (n == 0)
		return at;
	i += n;
	/* "3 x 10^-5" or "3x10^-5", but not "3x 10^-5" */
	if (spaced != (i < len && text[i] == ' '))
		return at;
	i += spaced;
	if (len - i < 3 || text[i] != '1' || text[i + 1] != '0')
		return at;
	end = skip_power(text, len, i + 2);
	return end > i + 2 ? end : at;
}

/* Three digits at "at" and no fourth: where they end, else 0. */
static int
group_end(const char *text, int len, int at)
{
	uint32		cp;
	int			n;

	for (int k = 0; k < 3; k++)
	{
		if (class_at(text, len, at, &cp, &n) != ABST_CHAR_DIGIT)
			return 0;
		at += n;
	}
	return digit_at(text, len, at) ? 0 : at;
}

/* What parts thousands at "at": comma, apostrophe, blank.  Its bytes, or 0. */
static int
separator_at(const char *text, int len, int at, char *kind)
{
	int			n = ascii_at(text, len, at, ',');

	*kind = ',';
	if (n > 0)
		return n == 3 && text[at - 1] >= '0' && text[at - 1] <= '9' ? 0 : n;

	if (at >= len)
		return 0;
	*kind = text[at];

	if (text[at] == '\'' || text[at] == ' ')
		return 1;
	*kind = '\'';
	return len - at >= 3 && memcmp(text +at, "\xE2\x80\x99", 3) == 0 ? 3 : 0;
}

/*
 * Thousands: ",024" repeated.  With blanks they count only if some group
 * begins with 0, as no number of its own does.
 */
static int
skip_thousands(const char *text, int len, int start, int at)
{
	char		first = 0;
	bool		zero = false;
	int			end = at;
	uint32		cp;
	int			n;
	int			digits = 0;

	for (int i = start; i < at; i += n)
	{
		class_at(text, len, i, &cp, &n);
		digits++;
	}
	if (digits > 3 || text[start] == '0')
		return at;
	for (;;)
	{
		char		kind;
		int			group;

		n = separator_at(text, len, end, &kind);
		if (n == 0 || (first != 0 && kind != first))
			break;
		group = group_end(text, len, end + n);
		if (group == 0)
			break;
		class_at(text, len, end + n, &cp, &digits);
		zero |= cp == '0' || cp == 0xFF10;
		first = kind;
		end = group;
	}
	return first == ' ' && !zero ? at : end;
}

/*
 * A decimal comma, where it can be nothing else: 0,05, or few digits before a
 * per cent sign.  Returns "at" where there is none.
 */
static int
skip_decimal_comma(const char *text, int len, int start, int at)
{
	int			end;

	if (at >= len || text[at] != ',' || !digit_at(text, len, at + 1))
		return at;
	end = skip_digits(text, len, at + 1);
	if (at - start == 1 && text[start] == '0' && text[at + 1] == '0' &&
		end > at + 2)
		return end;
	if (end - at <= 3 && end < len &&
		(text[end] == '%' || (len - end >= 2 && text[end] == ' ' &&
							  text[end + 1] == '%')))
		return end;
	return at;
}

int
abst_number_end(const char *text, int len, int at, bool open,
				AbstTokenType *type)
{
	int			i = at;
	int			start;
	int			n;
	int			dots = 0;
	bool		ten;

	n = sign_at(text, len, i);
	/* an en dash right before a number is a minus sign */
	if (n == 0 && len - i >= 3 && memcmp(text +i, "\xE2\x80\x93", 3) == 0)
		n = 3;
	if (n > 0 && !open)
		return 0;
	i += n;
	start = i;
	*type = ABST_TOK_NUMBER;
	if (i < len && text[i] == '.' && open)
	{
		if (!digit_at(text, len, i + 1))
			return 0;
	}
	else
	{
		i = skip_digits(text, len, i);
		if (i == start)
			return 0;
		i = skip_thousands(text, len, start, i);
		i = skip_decimal_comma(text, len, start, i);
	}
	ten = i - start == 2 && text[start] == '1' && text[start + 1] == '0';

	while ((n = ascii_at(text, len, i, '.')) > 0 && digit_at(text, len, i + n))
	{
		i = skip_digits(text, len, i + n);
		if (++dots > 1)
			*type = ABST_TOK_NAME;
	}
	if (*type == ABST_TOK_NAME)
		return i;

	/* exponents: 1e-5, 10^-5, 3.2 x 10^-5 */
	if (i < len && (text[i] == 'e' || text[i] == 'E'))
	{
		int			digits = i + 1 + sign_at(text, len, i + 1);

		if (digit_at(text, len, digits))
		{
			int			end = skip_digits(text, len, digits);

			if (!alnum_at(text, len, end))
				i = end;
		}
	}
	else if (ten)
		i = skip_power(text, len, i);
	else
	{
		int			end = skip_scientific(text, len, i);

		i = end > i ? end : skip_script(text, len, i);
	}

	/* a prime, a per cent sign, a factor */
	if (len - i >= 3 && memcmp(text +i, "\xE2\x80\xB2", 3) == 0)
		i += 3;
	n = ascii_at(text, len, i, '%');
	if (n == 0 && len - i >= 3 && memcmp(text +i, "\xE2\x80\xB0", 3) == 0)
		n = 3;					/* per mille */
	if (n > 0)
	{
		*type = ABST_TOK_PERCENT;
		return i + n;
	}
	if (len - i >= 2 && text[i] == ' ' && text[i + 1] == '%' &&
		!alnum_at(text, len, i + 2))
	{
		*type = ABST_TOK_PERCENT;
		return i + 2;
	}
	n = times_at(text, len, i);
	if (n > 0 && !alnum_at(text, len, i + n))
		return i + n;
	while (n > 0 && digit_at(text, len, i + n))
	{
		/* 224x224, 3x3x3 */
		*type = ABST_TOK_NAME;
		i = skip_digits(text, len, i + n);
		n = times_at(text, len, i);
	}
	return i;
}

int
abst_call_end(const char *text, int len, int at)
{
	int			i = at;
	int			limit = Min(len, at + 80);
	int			depth = 0;

	if (at >= len || text[at] != '(')
		return 0;
	while (i < limit)
	{
		uint32		cp;
		int			n;
		AbstCharClass k = class_at(text, len, i, &cp, &n);

		if (abst_class_is_letter(k))
		{
			int			word = i;
			int			letters = 0;
			bool		known = false;

			while (i < limit && abst_class_is_letter(class_at(text, len, i,
															  &cp, &n)))
			{
				i += n;
				letters++;
			}
			for (int f = 0; f < lengthof(functions) && letters > 1; f++)
				if (strlen(functions[f]) == i - word &&
					pg_strncasecmp(functions[f], text +word, i - word) == 0)
					known = true;
			if (letters > 1 && !known)
				return 0;
			continue;
		}
		if (cp == '(')
		{
			if (++depth > 4)
				return 0;
		}
		else if (cp == ')')
		{
			if (--depth == 0)
			{
				i++;
				return i > at + 2 ? i : 0;
			}
		}
		else if (cp == '\n' || cp == ';' || cp == '?' || cp == '!' ||
				 k == ABST_CHAR_CJK || cp == '"' || cp == '\'')
			return 0;
		else if (cp == ' ' && i == at + 1)
			return 0;
		i += n;
	}
	return 0;
}

int
abst_exponent_end(const char *text, int len, int at)
{
	int			i = at;
	int			depth = 0;
	int			limit = Min(len, at + 40);
	char		close;

	if (at >= len || text[at] != '^')
		return 0;
	i++;
	i += sign_at(text, len, i);
	if (i < len && (text[i] == '(' || text[i] == '{'))
	{
		char		opens = text[i];

		close = opens == '(' ? ')' : '}';
		for (; i < limit; i++)
		{
			if (text[i] == opens)
				depth++;
			else if (text[i] == close && --depth == 0)
				return i + 1;
			else if (text[i] == '\n')
				return 0;
		}
		return 0;
	}
	if (!alnum_at(text, len, i))
		return i < len && text[i] == '*' ? i + 1 : 0;

	while (i < limit && alnum_at(text, len, i))
	{
		uint32		cp;

		i += abst_utf8_decode(text +i, len - i, &cp);
	}
	return i;
}
