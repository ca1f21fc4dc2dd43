/*-------------------------------------------------------------------------
 *
 * numbers.c
 *		Quantities: value, unit, range, margin, bound.
 *
 * A number is read from the display text where a token that can hold one
 * begins.  "1,024" is thousands; "3,5" is a decimal comma only if a unit
 * follows; "10 000" is one number.  Behind the value come a margin (a plus-minus
 * sign), the other end of a range, a power of ten in a word or letter, and the
 * unit: one of the table's, or the plural noun that is counted.  What is
 * numbered (Fig. 3), list marks, citations and names with figures in them are
 * no quantities.
 *
 *-------------------------------------------------------------------------
 */
#include "text/annotate.h"

#include "miscadmin.h"
#include "text/charclass.h"
#include "text/unit_table.h"

#define MAX_DIGITS		60
#define MAX_EXPONENT	400

/* Words behind a number among which its noun is looked for. */
#define MAX_NOUN		4

/* A number as read: sign, digits with point, power of ten. */
typedef struct Number
{
	bool		negative;
	char		digits[MAX_DIGITS + 2];
	int			exponent;
	int			end;			/* behind it in the display text */
} Number;

typedef struct Reading
{
	const AbstText *text;
	const char *s;				/* the display text */
	int			len;
	AbstList   *mentions;
} Reading;

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
digit_at(const Reading *r, int at)
{
	return at < r->len && is_digit(r->s[at]);
}

static bool
alnum_at(const Reading *r, int at)
{
	uint32		cp;

	if (at >= r->len)
		return false;
	abst_utf8_decode(r->s + at, r->len - at, &cp);
	return abst_class_is_alnum(abst_char_class(cp));
}

static int
has(const Reading *r, int at, const char *what)
{
	int			n = strlen(what);

	return r->len - at >= n && memcmp(r->s + at, what, n) == 0 ? n : 0;
}

/* The first of several strings that stands at "at": its bytes, else 0. */
static int
has_any(const Reading *r, int at, const char *const *list, int n)
{
	for (int i = 0; i < n; i++)
	{
		int			got = has(r, at, list[i]);

		if (got > 0)
			return got;
	}
	return 0;
}

static int
dash_at(const Reading *r, int at)
{
	static const char *const dashes[] = {"\xE2\x80\x93", "-",
	"\xE2\x80\x91", "\xE2\x88\x92", "\xE2\x80\x94", "~"};

	return has_any(r, at, dashes, lengthof(dashes));
}

static int
minus_at(const Reading *r, int at)
{
	static const char *const signs[] = {"\xE2\x88\x92", "-", "\xE2\x80\x93"};

	return has_any(r, at, signs, lengthof(signs));
}

static int
times_at(const Reading *r, int at)
{
	static const char *const signs[] = {"\xC3\x97", "x", "X", "\xC2\xB7", "*",
	"\xE2\x8B\x85"};

	return has_any(r, at, signs, lengthof(signs));
}

/* ---- the value ---- */

static bool
put_digits(const Reading *r, Number *number, int from, int to)
{
	int			n = strlen(number->digits);

	if (n + to - from > MAX_DIGITS)
		return false;
	memcpy(number->digits + n, r->s + from, to - from);
	number->digits[n + to - from] = '\0';
	return true;
}

static int
skip_digits(const Reading *r, int at)
{
	while (digit_at(r, at))
		at++;
	return at;
}

/* Exactly three digits at "at"? */
static bool
three_at(const Reading *r, int at)
{
	return digit_at(r, at) && digit_at(r, at + 1) && digit_at(r, at + 2) &&
		!digit_at(r, at + 3);
}

/* Does what begins at "at" (perhaps behind a blank) show a unit? */
static bool
unit_follows(const Reading *r, int at)
{
	int			end;

	if (at < r->len && r->s[at] == ' ')
		at++;
	if (has(r, at, "%") || has(r, at, "\xE2\x80\xB0") || has(r, at, "\xC2\xB0") ||
		has(r, at, "\xE2\x82\xAC"))
		return true;
	for (end = at; alnum_at(r, end) && end - at < 20;)
	{
		uint32		cp;

		end += abst_utf8_decode(r->s + end, r->len - end, &cp);
	}
	return end > at && (ABST_VALUE(units, r->s + at, end - at) != NULL ||
						ABST_VALUE(magnitudes, r->s + at, end - at) != NULL);
}

/* Digits with marks of thousands and decimals, from r->s[at]; the end or 0. */
static int
read_decimal(const Reading *r, int at, Number *number)
{
	int			end = skip_digits(r, at);
	int			first = end - at;

	if (!put_digits(r, number, at, end))
		return 0;
	if (first >= 1 && first <= 3 && r->s[at] != '0')
	{
		char		mark = end < r->len ? r->s[end] : '\0';

		if (mark == ',' || mark == '\'' || mark == ' ')
			while (end < r->len && r->s[end] == mark && three_at(r, end + 1))
			{
				/* "in 12 345 patients", but not "12 345.6" or "5 100x" */
				if (mark == ' ' && alnum_at(r, end + 4))
					break;
				if (!put_digits(r, number, end + 1, end + 4))
					return 0;
				end += 4;
			}
	}
	if (end < r->len && r->s[end] == '.' && digit_at(r, end + 1))
	{
		int			last = skip_digits(r, end + 1);

		/* 1.2.3 is no number */
		if (last < r->len && r->s[last] == '.' && digit_at(r, last + 1))
			return 0;
		if (!put_digits(r, number, end, last))
			return 0;
		end = last;
	}
	else if (end < r->len && r->s[end] == ',' && first == end - at &&
			 digit_at(r, end + 1) && !three_at(r, end + 1))
	{
		int			last = skip_digits(r, end + 1);

		if (last - end <= 4 && unit_follows(r, last))
		{
			int			n = strlen(number->digits);

			if (!put_digits(r, number, end, last))
				return 0;
			number->digits[n] = '.';
			end = last;
		}
	}
	return end;
}

/* Signed digits at "at"; false if there are none. */
static bool
read_exponent(const Reading *r, int at, int *exponent, int *end)
{
	int			minus = minus_at(r, at);
	int			value = 0;

	at += minus;
	if (minus == 0 && at < r->len && r->s[at] == '+')
		at++;
	if (!digit_at(r, at))
		return false;
	for (; digit_at(r, at); at++)
		value = Min(value * 10 + (r->s[at] - '0'), MAX_EXPONENT + 1);
	*exponent = minus ? -value : value;
	*end = at;
	return value <= MAX_EXPONENT;
}

/* An exponent in superscript, as in 10 to the minus 5. */
static bool
read_superscript(const Reading *r, int at, int *exponent, int *end)
{
	static const char *const digits[] = {"\xE2\x81\xB0", "\xC2\xB9",
		"\xC2\xB2", "\xC2\xB3", "\xE2\x81\xB4", "\xE2\x81\xB5", "\xE2\x81\xB6",
	"\xE2\x81\xB7", "\xE2\x81\xB8", "\xE2\x81\xB9"};
	int			minus = has(r, at, "\xE2\x81\xBB");
	int			value = 0;
	bool		found = false;

	at += minus;
	for (bool more = true; more && value <= MAX_EXPONENT;)
	{
		more = false;
		for (int d = 0; d < 10; d++)
		{
			int			n = has(r, at, digits[d]);

			if (n == 0)
				continue;
			value = value * 10 + d;
			at += n;
			found = more = true;
			break;
		}
	}
	*exponent = minus ? -value : value;
	*end = at;
	return found && value <= MAX_EXPONENT;
}

/* "^5", superscript, or nothing, behind a ten that ends at "at". */
static bool
read_power(const Reading *r, int at, int *exponent, int *end)
{
	if (at < r->len && r->s[at] == '^')
	{
		int			open = at + 1 < r->len && (r->s[at + 1] == '{' ||
											   r->s[at + 1] == '(');

		if (!read_exponent(r, at + 1 + open, exponent, end))
			return false;
		if (open && *end < r->len)
			(*end)++;
		return true;
	}
	return read_superscript(r, at, exponent, end);
}

/* The number at r->s[at], with its sign. */
static bool
read_number(const Reading *r, int at, Number *number)
{
	static const char *const halves[] = {"\xC2\xBD", "\xC2\xBC", "\xC2\xBE"};
	static const char *const decimals[] = {"0.5", "0.25", "0.75"};
	int			n = minus_at(r, at);
	int			start;
	int			end;
	int			i;
	int			exponent;

	memset(number, 0, sizeof(Number));
	number->negative = n > 0;
	at += n;
	if (n == 0 && at < r->len && r->s[at] == '+')
		at++;
	start = at;
	if (at < r->len && r->s[at] == '.' && digit_at(r, at + 1))
	{
		end = skip_digits(r, at + 1);
		strcpy(number->digits, "0");
		if (!put_digits(r, number, at, end))
			return false;
	}
	else if (digit_at(r, at))
		end = read_decimal(r, at, number);
	else
	{
		for (i = 0; i < lengthof(halves); i++)
			if ((n = has(r, at, halves[i])) > 0)
			{
				strcpy(number->digits, decimals[i]);
				number->end = at + n;
				return true;
			}
		return false;
	}
	if (end == 0)
		return false;
	number->end = end;
	/* 1e-5 */
	if (end < r->len && (r->s[end] == 'e' || r->s[end] == 'E') &&
		read_exponent(r, end + 1, &exponent, &i) && !alnum_at(r, i))
	{
		number->exponent = exponent;
		number->end = i;
		return true;
	}
	/* 10^5 */
	if (strcmp(number->digits, "10") == 0 && end - start == 2 &&
		read_power(r, end, &exponent, &i))
	{
		strcpy(number->digits, "1");
		number->exponent = exponent;
		number->end = i;
		return true;
	}
	/* 3.2 x 10^5 */
	i = end + (end < r->len && r->s[end] == ' ');
	n = times_at(r, i);
	if (n > 0)
	{
		i += n;
		i += i < r->len && r->s[i] == ' ';
		if (has(r, i, "10") && read_power(r, i + 2, &exponent, &i))
		{
			number->exponent = exponent;
			number->end = i;
		}
	}
	return true;
}

static char *
number_string(const Number *number)
{
	if (number->exponent != 0)
		return psprintf("%s%se%d", number->negative ? "-" : "", number->digits,
						number->exponent);
	return psprintf("%s%s", number->negative ? "-" : "", number->digits);
}

/* ---- the unit ---- */

/* The end of the word at "at": letters, digits and signs of units. */
static int
unit_end(const Reading *r, int at)
{
	int			start = at;

	while (at < r->len && at - start < ABST_WORD_KEY)
	{
		uint32		cp;
		int			n = abst_utf8_decode(r->s + at, r->len - at, &cp);
		AbstCharClass k = abst_char_class(cp);

		if (!abst_class_is_alnum(k) && k != ABST_CHAR_SCRIPTDIGIT &&
			k != ABST_CHAR_SCRIPTSIGN && cp != 0xB0 && cp != '%' &&
			cp != 0x2030 && cp != 0xD7)
			break;
		at += n;
	}
	return at;
}

/* The unit of the table that is written r->s[at .. end). */
static const char *
table_unit(const Reading *r, int at, int end)
{
	int			len = end - at;
	const char *s = r->s + at;
	const char *unit = len > 0 ? ABST_VALUE(units, s, len) : NULL;

	if (unit == NULL)
		return NULL;
	/* letters that only case tells apart */
	if (len == 1 && strchr("kKtTvVwWjJlLnN", *s) != NULL)
		return *s == unit[0] || *s == 'l' ? unit : NULL;
	if (len == 1 && strchr("MSGHX", *s) != NULL)
		return NULL;
	if (len == 2 && *s == 'M' && s[1] == 'M')
		return NULL;
	if (len == 2 && s[1] == 'M' && strchr("mn", *s) != NULL)
		return *s == 'm' ? "mM" : "nM";
	if (len == 2 && *s == 'm' && (s[1] == 'W' || s[1] == 'J'))
		return s[1] == 'W' ? "mW" : "mJ";
	if (len == 2 && *s == 'M' && s[1] == 'b')
		return "Mb";
	if (len == 2 && *s == 'G' && s[1] == 'b')
		return "Gb";
	return unit;
}

/* A unit with a divisor: mg/kg, m/s. */
static const char *
read_unit(const Reading *r, int at, int *end)
{
	const char *unit;
	int			to = unit_end(r, at);

	unit = table_unit(r, at, to);
	if (unit == NULL)
		return NULL;
	*end = to;
	while (*end < r->len && r->s[*end] == '/')
	{
		const char *by;

		to = unit_end(r, *end + 1);
		by = table_unit(r, *end + 1, to);
		if (by == NULL)
			break;
		unit = psprintf("%s/%s", unit, by);
		*end = to;
	}
	return unit;
}

/* "million", "k", "B" behind a number: the power of ten; *end moves on. */
static int
read_magnitude(const Reading *r, int *end)
{
	static const char letters[] = "kKMBT";
	static const int powers[] = {3, 3, 6, 9, 12};
	int			at = *end;
	int			to;
	const char *power;

	if (at < r->len)
	{
		const char *letter = strchr(letters, r->s[at]);

		if (letter && *letter && !alnum_at(r, at + 1))
		{
			*end = at + 1;
			return powers[letter - letters];
		}
	}
	if (at < r->len && (r->s[at] == ' ' || r->s[at] == '-'))
		at++;
	to = unit_end(r, at);
	power = to > at ? ABST_VALUE(magnitudes, r->s + at, to - at) : NULL;
	if (power == NULL)
		return 0;
	*end = to + (to < r->len && r->s[to] == '.' && to - at <= 3);
	return atoi(power);
}

static bool
is_plural(const char *s, int len)
{
	return len > 3 && s[len - 1] == 's' && s[len - 2] != 's' &&
		s[len - 2] != 'u' && s[len - 2] != 'i' && s[len - 2] != '\'';
}

/* The noun in the plural that is counted, behind "at". */
static const char *
read_noun(const Reading *r, int at, int *end)
{
	int			token = abst_token_at(r->text, at);

	if (at >= r->len || r->s[at] != ' ')
		return NULL;
	for (int i = 0; i < MAX_NOUN && token + i < r->text->ntokens; i++)
	{
		const AbstToken *t = &r->text->tokens[token + i];
		const char *s = r->s + t->start;

		if (i == 0 ? t->start != at + 1 :
			!abst_gap_is_space(r->text, token + i - 1))
			return NULL;
		if (t->type != ABST_TOK_WORD && t->type != ABST_TOK_NAME &&
			t->type != ABST_TOK_ACRONYM && t->type != ABST_TOK_COMPOUND &&
			t->type != ABST_TOK_UNIT)
			return NULL;
		if (ABST_LISTED(no_unit_words, s, t->len))
			return NULL;
		if (is_plural(s, t->len))
		{
			*end = abst_token_end(t);
			return pnstrdup(s, t->len);
		}
	}
	return NULL;
}

/* A unit joined by a hyphen: 4-bit, 1T-token, 5-fold. */
static const char *
read_joined(const Reading *r, int at, int *end)
{
	int			n = dash_at(r, at);
	int			from = at + n;
	int			to = unit_end(r, from);
	const char *unit;
	uint32		cp;

	if (n == 0 || to - from < 2 || r->s[at] == '~')
		return NULL;
	abst_utf8_decode(r->s + from, r->len - from, &cp);
	if (abst_char_class(cp) != ABST_CHAR_LOWER)
		return NULL;
	unit = table_unit(r, from, to);
	*end = to;
	if (unit == NULL)
	{
		if (ABST_LISTED(no_unit_words, r->s + from, to - from))
			return NULL;
		for (int i = from; i < to; i++)
			if (is_digit(r->s[i]))
				return NULL;
		return pnstrdup(r->s + from, to - from);
	}
	/* 10-fold cross-validation counts folds */
	if (to - from == 4 && memcmp(r->s + from, "fold", 4) == 0 &&
		(has(r, to, " cross") || has(r, to, " CV")))
		return "folds";
	return unit;
}

/* "st", "nd", "rd", "th" */
static bool
ordinal_at(const Reading *r, int at)
{
	return (has(r, at, "st") || has(r, at, "nd") || has(r, at, "rd") ||
			has(r, at, "th")) && !alnum_at(r, at + 2);
}

/*
 * Everything behind the value: power of ten, unit.  Returns where it ends;
 * false if what follows makes a name of the number (3D, 5HT).
 */
static bool
read_tail(const Reading *r, Number *number, const char **unit, int *end)
{
	int			at = number->end;
	int			power;
	bool		attached = at < r->len && alnum_at(r, at);

	*unit = NULL;
	*end = at;
	if (ordinal_at(r, at))
	{
		*unit = "ordinal";
		*end = at + 2;
		return true;
	}
	power = read_magnitude(r, &at);
	if (power > 0)
	{
		number->exponent += power;
		*end = at;
		if ((*unit = read_joined(r, at, end)) != NULL)
			return true;
		/* a 7B model has so many parameters */
		if (attached && r->s[at - 1] == 'B' && (has(r, at, " model") ||
												has(r, at, " LLM") || has(r, at, "-parameter")))
		{
			*unit = "parameters";
			return true;
		}
		attached = false;
	}
	if ((*unit = read_unit(r, at, end)) != NULL)
		return true;
	if (attached)
		return false;
	if (at < r->len && r->s[at] == ' ')
	{
		const char *two;
		int			to = unit_end(r, at + 1);

		/* "percentage points", "per cent" */
		if (to > at + 1 && to < r->len && r->s[to] == ' ' &&
			(two = table_unit(r, at + 1, unit_end(r, to + 1))) != NULL)
		{
			*unit = two;
			*end = unit_end(r, to + 1);
			return true;
		}
		if (!has(r, at + 1, "x ") &&
			(*unit = read_unit(r, at + 1, end)) != NULL)
			return true;
	}
	if ((*unit = read_joined(r, at, end)) != NULL)
		return true;
	*end = at;
	*unit = read_noun(r, at, end);
	return true;
}

/* ---- around the number ---- */

/* The words before token "token" that bound it. */
static const char *
bound_before(const Reading *r, int token, int at)
{
	int			start = at;
	static const char *const signs[] = {"\xE2\x89\xA4", "\xE2\x89\xA5",
	"\xE2\x89\x88", "\xE2\x88\xBC", "<=", ">=", "<", ">", "~"};
	static const char *const meant[] = {"<=", ">=", "~", "~", "<=", ">=", "<",
	">", "~"};

	while (start > 0 && start > at - 2 &&
		   (r->s[start - 1] == ' ' || r->s[start - 1] == '$'))
		start--;
	for (int i = 0; i < lengthof(signs); i++)
	{
		int			n = strlen(signs[i]);

		if (start >= n && memcmp(r->s + start - n, signs[i], n) == 0)
			return meant[i];
	}
	for (int words = 3; words > 0; words--)
	{
		int			first = token - words;
		const char *bound;
		int			from;

		if (first < 0)
			continue;
		from = r->text->tokens[first].start;
		if (at - from > 40)
			continue;
		bound = ABST_VALUE(bound_words, r->s + from,
						   abst_token_end(&r->text->tokens[token - 1]) - from);
		if (bound != NULL)
			return bound;
	}
	return "=";
}

/* Sign or name of a currency before the number. */
static const char *
currency_before(const Reading *r, int at)
{
	for (int i = 0; i < lengthof(currency_signs); i++)
	{
		int			n = strlen(currency_signs[i].word);

		if (at >= n && memcmp(r->s + at - n, currency_signs[i].word, n) == 0)
			return currency_signs[i].value;
	}
	if (at >= 4 && r->s[at - 1] == ' ')
	{
		static const char *const names[] = {"USD", "EUR", "GBP", "CHF", "JPY",
		"INR", "CNY"};

		for (int i = 0; i < lengthof(names); i++)
			if (memcmp(r->s + at - 4, names[i], 3) == 0 &&
				(at == 4 || !alnum_at(r, at - 5)))
				return names[i];
	}
	return NULL;
}

/* Is it the number of a thing, of a list's item, or of a citation? */
static bool
is_label(const Reading *r, int token, int end)
{
	const AbstToken *t = &r->text->tokens[token];
	char		before = t->start > 0 ? r->s[t->start - 1] : ' ';
	char		after = end < r->len ? r->s[end] : ' ';
	int			sentence = abst_sentence_at(r->text, t->start);

	if (before == '[' || (before == '(' && after == ')' && end - t->start < 3))
		return true;
	if (before == '#')
		return true;
	if (r->text->sentences[sentence].start == t->start &&
		(after == '.' || after == ')') && end - t->start < 3)
		return true;
	if (token > 0)
	{
		const AbstToken *prev = t - 1;
		AbstSpan	gap = abst_gap_after(r->text, token - 1);

		/* "Fig. 3", "Eq. (3)", "Section 3" */
		if (gap.len <= 3 &&
			ABST_LISTED(reference_words, r->s + prev->start, prev->len) &&
			memchr(r->s + gap.start, ',', gap.len) == NULL &&
			memchr(r->s + gap.start, ':', gap.len) == NULL)
			return true;
	}
	return false;
}

/* A plain number that reads as a year. */
static bool
is_year(const Number *number, int len)
{
	return len == 4 && strlen(number->digits) == 4 && number->exponent == 0 &&
		!number->negative &&
		(memcmp(number->digits, "19", 2) == 0 ||
		 memcmp(number->digits, "20", 2) == 0);
}

/* "+-0.3" behind a number: its margin. */
static bool
read_margin(const Reading *r, int at, Number *margin)
{
	static const char *const signs[] = {"\xC2\xB1", "+/-", "+-",
	"\xE2\x88\x93"};
	int			n;

	at += at < r->len && r->s[at] == ' ';
	n = has_any(r, at, signs, lengthof(signs));
	if (n == 0)
		return false;
	at += n;
	at += at < r->len && r->s[at] == ' ';
	return digit_at(r, at) && read_number(r, at, margin);
}

/* The other end of a range, behind a dash or between "a" and "b". */
static bool
read_range(const Reading *r, int token, int at, bool bare, Number *high)
{
	int			n = dash_at(r, at);
	int			i = at;

	if (n == 0 && at < r->len && r->s[at] == ' ' &&
		(n = dash_at(r, at + 1)) > 0 && at + 1 + n < r->len &&
		r->s[at + 1 + n] == ' ' && r->s[at + 1] != '-')
		n += 2;
	if (n > 0)
		i = at + n;
	else if (bare && has(r, at, " to ") && !abst_token_is(r->text, token - 1, "from"))
		i = at + 4;
	else if (has(r, at, " and ") && abst_token_is(r->text, token - 1, "between"))
		i = at + 5;
	else
		return false;
	return digit_at(r, i) && read_number(r, i, high) &&
		!(high->end < r->len && r->s[high->end] == '-' &&
		  digit_at(r, high->end + 1));
}

static AbstMention *
add_number(const Reading *r, int start, int end, const Number *number)
{
	AbstMention *mention = abst_list_add(r->mentions);

	mention->kind = ABST_MENTION_NUMBER;
	mention->span.start = start;
	mention->span.len = end - start;
	mention->number = mention->value = number_string(number);
	return mention;
}

/* The number that begins at "at" in token "token"; where it ends, or 0. */
static int
read_quantity(const Reading *r, int token, int at)
{
	Number		number;
	Number		high;
	Number		margin;
	const char *unit;
	const char *own;
	int			end;
	bool		ranged;
	bool		margined;
	AbstMention *mention;
	const char *currency;

	if (!read_number(r, at, &number))
		return 0;
	if (is_label(r, token, number.end))
		return number.end;
	margined = read_margin(r, number.end, &margin);
	ranged = !margined && read_range(r, token, number.end, true, &high);
	if (ranged || margined)
	{
		Number	   *last = ranged ? &high : &margin;
		int			exponent = last->exponent;

		if (!read_tail(r, last, &unit, &end))
		{
			unit = NULL;
			end = last->end;
		}
		/* the power of ten counts for both */
		number.exponent += last->exponent - exponent;
	}
	else
	{
		if (!read_tail(r, &number, &unit, &end))
			return 0;
		/* 93% to 95%, 5 mg - 10 mg, 93.5% +- 0.3 */
		if (unit != NULL && end > number.end && !margined)
		{
			margined = read_margin(r, end, &margin);
			if (margined)
			{
				end = margin.end;
				if (end < r->len && r->s[end] == '%')
					end++;
			}
			else if (read_range(r, token, end, false, &high))
			{
				int			to;

				ranged = read_tail(r, &high, &own, &to) && own != NULL &&
					strcmp(own, unit) == 0;
				if (ranged)
					end = to;
			}
		}
	}
	if (unit == NULL && !ranged && is_year(&number, number.end - at))
		unit = "year";
	mention = add_number(r, at, end, &number);
	if (ranged)
		mention->high = number_string(&high);
	if (margined)
		mention->margin = number_string(&margin);
	currency = currency_before(r, at);
	mention->unit = currency ? currency : unit;
	mention->bound = bound_before(r, token, at);
	return end;
}

/* A formula that is nothing but a number, or sets something equal to one. */
static void
read_formula(const Reading *r, int token)
{
	const AbstToken *t = &r->text->tokens[token];
	int			end = abst_token_end(t);
	int			at = t->start;
	Number		number;
	Reading		inside = *r;

	/* behind the last sign of a relation */
	for (int i = t->start; i < end; i++)
		if (strchr("=<>~", r->s[i]) != NULL ||
			(end - i >= 3 && (has(r, i, "\xE2\x89\xA4") ||
							  has(r, i, "\xE2\x89\xA5") ||
							  has(r, i, "\xE2\x89\x88") ||
							  has(r, i, "\xE2\x88\xBC"))))
			at = i + (r->s[i] & 0x80 ? 3 : 1);
	while (at < end && r->s[at] == ' ')
		at++;
	if (at >= end || !read_number(&inside, at, &number))
		return;
	if (number.end == end || has(r, number.end, "\xC2\xB1") ||
		(has(r, number.end, "\xC3\x97") && number.end + 2 == end) ||
		(has(r, number.end, "%") && number.end + 1 == end))
		read_quantity(r, token, at);
}

/* "ten datasets", "threefold" */
static void
read_word(const Reading *r, int token)
{
	const AbstToken *t = &r->text->tokens[token];
	const char *value = ABST_VALUE(number_words, r->s + t->start, t->len);
	const char *unit = NULL;
	int			end = abst_token_end(t);
	AbstMention *mention;

	if (value != NULL)
	{
		int			power = read_magnitude(r, &end);

		unit = read_noun(r, end, &end);
		if (unit == NULL && power == 0)
			return;
		if (power > 0)
			value = psprintf("%se%d", value, power);
	}
	else
	{
		value = ABST_VALUE(fold_words, r->s + t->start, t->len);
		if (value == NULL)
			return;
		unit = "x";
	}
	mention = abst_list_add(r->mentions);
	mention->kind = ABST_MENTION_NUMBER;
	mention->span.start = t->start;
	mention->span.len = end - t->start;
	mention->number = mention->value = value;
	mention->unit = unit;
	mention->bound = bound_before(r, token, t->start);
}

void
abst_numbers_find(const AbstText *text, AbstList *mentions)
{
	Reading		reading;
	int			done = 0;

	reading.text = text;
	reading.s = text->plain->text;
	reading.len = text->plain->len;

	reading.mentions = mentions;
	for (int token = 0; token < text->ntokens; token++)
	{
		const AbstToken *t = &text->tokens[token];
		char		c = reading.s[t->start];
		int			end;

		CHECK_FOR_INTERRUPTS();
		if (t->start < done)
			continue;
		switch (t->type)
		{
			case ABST_TOK_NUMBER:
			case ABST_TOK_PERCENT:
				end = read_quantity(&reading, token, t->start);
				done = Max(done, end);
				break;
			case ABST_TOK_NAME:
			case ABST_TOK_COMPOUND:
				if (is_digit(c))
				{
					end = read_quantity(&reading, token, t->start);
					done = Max(done, end);
				}
				else if (t->type == ABST_TOK_COMPOUND)
					read_word(&reading, token);
				break;
			case ABST_TOK_MATH:
				read_formula(&reading, token);
				break;
			case ABST_TOK_WORD:
				read_word(&reading, token);
				break;
			default:
				break;
		}
	}
}
