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

/* A minus or plus sign: its bytes, else 0. */
static int
sign_at(const char *text, int len, int at)
{
	if (at >= len)
		return 0;
	if (text[at] == '-' || text[at] == '+')
		return 1;
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

/* Thousands: ",024" repeated, no fourth digit. */
static int
skip_thousands(const char *text, int len, int start, int at)
{
	if (at - start > 3)
		return at;
	while (at + 3 < len && text[at] == ',')
	{
		for (int k = 1; k <= 3; k++)
			if (text[at + k] < '0' || text[at + k] > '9')
				return at;
		if (digit_at(text, len, at + 4))
			return at;
		at += 4;
	}
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
	}
	ten = i - start == 2 && text[start] == '1' && text[start + 1] == '0';

	while (i < len && text[i] == '.' && digit_at(text, len, i + 1))
	{
		i = skip_digits(text, len, i + 1);
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
	if (i < len && text[i] == '%')
	{
		*type = ABST_TOK_PERCENT;
		return i + 1;
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
