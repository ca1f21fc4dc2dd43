/*-------------------------------------------------------------------------
 *
 * token_rules.c
 *		What a token becomes: the rules behind the dictionaries.
 *
 * Pure functions of the token's bytes, so that documents and queries agree
 * and results may be cached.
 *
 *-------------------------------------------------------------------------
 */
#include "text/token_rules.h"

#include <ctype.h>

#include "lib/stringinfo.h"
#include "text/charclass.h"
#include "text/lexemes.h"
#include "text/links.h"
#include "text/units.h"

void
abst_forms_add(AbstForms *forms, char *form)
{
	int			len;

	if (form == NULL || forms->n == ABST_MAX_FORMS)
		return;
	len = strlen(form);
	form[abst_utf8_clip(form, len, ABST_MAX_LEXEME)] = '\0';
	if (form[0] == '\0')
		return;
	for (int i = 0; i < forms->n; i++)
		if (strcmp(forms->form[i], form) == 0)
			return;
	forms->form[forms->n++] = form;
}

/* Bytes of the apostrophe or prime that ends before word[end], 0 if none. */
static int
apostrophe_before(const char *word, int end)
{
	if (end >= 1 && word[end - 1] == '\'')
		return 1;
	if (end >= 3 && (memcmp(word + end - 3, "\xE2\x80\x99", 3) == 0 ||
					 memcmp(word + end - 3, "\xE2\x80\xB2", 3) == 0 ||
					 memcmp(word + end - 3, "\xEF\xBC\x87", 3) == 0))
		return 3;
	if (end >= 2 && memcmp(word + end - 2, "\xCA\xBC", 2) == 0)
		return 2;
	return 0;
}

int
abst_without_possessive(const char *word, int len)
{
	int			n;

	if (len >= 3 && (word[len - 1] == 's' || word[len - 1] == 'S') &&
		(n = apostrophe_before(word, len - 1)) > 0 && len - 1 - n > 0)
		return len - 1 - n;
	n = apostrophe_before(word, len);
	return n < len ? len - n : len;
}

char	   *
abst_fold_word(const char *word, int len)
{
	int			n;
	char	   *folded;

	/* folding may shorten a word, but rarely to less than a quarter */
	len = abst_utf8_clip(word, len, 4 * ABST_MAX_LEXEME);
	folded = abst_fold(word, len, &n);
	folded[abst_utf8_clip(folded, n, ABST_MAX_LEXEME)] = '\0';
	return folded;
}

char	   *
abst_spell_greek(const char *folded)
{
	StringInfoData out;
	int			len = strlen(folded);
	bool		found = false;

	initStringInfo(&out);
	for (int i = 0; i < len;)
	{
		uint32		cp;
		int			n = abst_utf8_decode(folded + i, len - i, &cp);
		const char *name = abst_greek_name(cp);

		if (name)
		{
			appendStringInfoString(&out, name);
			found = true;
		}
		else
			appendBinaryStringInfo(&out, folded + i, n);
		i += n;
	}
	if (!found)
	{
		pfree(out.data);
		return NULL;
	}
	return out.data;
}

/* What a word looks like, letter by letter. */
typedef struct Shape
{
	int			letters;
	int			upper;
	int			greek;
	bool		digits;
	bool		signs;			/* anything but letters and apostrophes */
	bool		inner_upper;
	bool		points;			/* only single letters with points between */
	AbstCharClass last;			/* classes of the last three letters */
	AbstCharClass last2;
} Shape;

static void
get_shape(const char *word, int len, Shape *shape)
{
	int			run = 0;		/* letters since the last point */
	bool		long_run = false;
	bool		point = false;
	bool		after_apostrophe = false;

	memset(shape, 0, sizeof(Shape));
	for (int i = 0; i < len;)
	{
		uint32		cp;
		int			n = abst_utf8_decode(word + i, len - i, &cp);
		AbstCharClass k = abst_char_class(cp);

		if (abst_class_is_letter(k))
		{
			bool		upper = k == ABST_CHAR_UPPER || k == ABST_CHAR_TITLE;

			if (upper && shape->letters > 0 && !after_apostrophe)
				shape->inner_upper = true;
			shape->letters++;
			shape->upper += upper;
			shape->greek += abst_char_is_greek(cp);
			if (++run > 1)
				long_run = true;
		}
		else if (k == ABST_CHAR_DIGIT || k == ABST_CHAR_SCRIPTDIGIT ||
				 k == ABST_CHAR_NUMERAL)
			shape->digits = true;
		else if (cp == '.' && i > 0)
		{
			point = true;
			run = 0;
		}
		else if (k != ABST_CHAR_MARK && k != ABST_CHAR_JOINER &&
				 cp != '\'' && cp != 0x2019 && cp != 0x2BC && cp != 0xFF07)
			shape->signs = true;
		after_apostrophe = cp == '\'' || cp == 0x2019;
		if (k != ABST_CHAR_MARK)
		{
			shape->last2 = shape->last;
			shape->last = k;
		}
		i += n;
	}
	shape->points = point && !long_run && !shape->digits && !shape->signs;
	if (point && !shape->points)
		shape->signs = true;
}

bool
abst_looks_like_name(const char *word, int len)
{
	Shape		shape;

	get_shape(word, abst_without_possessive(word, len), &shape);
	if (shape.letters == 0 || shape.digits || shape.signs || shape.points)
		return true;
	if (shape.greek > 0 && (shape.letters == 1 || shape.greek < shape.letters))
		return true;
	return shape.inner_upper;
}

/* Remove all of a character from a string, in place. */
static void
strip_char(char *s, char c)
{
	char	   *out = s;

	for (; *s; s++)
		if (*s != c)
			*out++ = *s;
	*out = '\0';
}

void
abst_name_forms(const char *name, int len, AbstForms *forms)
{
	Shape		shape;
	char	   *form;
	int			flen;
	bool		capital_plural;

	len = abst_without_possessive(name, len);
	get_shape(name, len, &shape);
	capital_plural = len > 2 && name[len - 1] == 's' && shape.upper >= 2 &&
		shape.last2 == ABST_CHAR_UPPER;
	if (capital_plural)
		len--;
	form = abst_fold_word(name, len);
	if (shape.points)
		strip_char(form, '.');
	abst_forms_add(forms, form);

	/* ResNets: also the name without its plural s */
	flen = strlen(form);
	if (!capital_plural && flen >= 4 && form[flen - 1] == 's' &&
		!shape.signs && shape.last == ABST_CHAR_LOWER &&
		shape.last2 == ABST_CHAR_LOWER &&
		strchr("siu", form[flen - 2]) == NULL)
		abst_forms_add(forms, pnstrdup(form, flen - 1));
	if (shape.greek > 0 &&
		abst_unit_end(name, len, 0, false) == len)
		abst_unit_forms(name, len, forms);
	else if (shape.greek > 0)
		abst_forms_add(forms, abst_spell_greek(form));
}

/* ---- units ---- */

/* A unit: as it stands, with u for micro, and its first part (mg of mg/kg). */
void
abst_unit_forms(const char *unit, int len, AbstForms *forms)
{
	char	   *folded = abst_fold_word(unit, len);
	StringInfoData out;
	int			n = strcspn(folded, "/^-0123456789");

	initStringInfo(&out);
	for (const char *s = folded; *s; s++)
	{
		if (s[0] == '\xCE' && s[1] == '\xBC')	/* mu */
		{
			appendStringInfoChar(&out, 'u');
			s++;
		}
		else if (*s != '^')
			appendStringInfoChar(&out, *s);
	}
	strip_char(folded, '^');
	abst_forms_add(forms, pstrdup(folded));
	abst_forms_add(forms, out.data);
	if (folded[n] == '/')
		abst_forms_add(forms, pnstrdup(folded, n));
	/* the letter of degrees, as a lone C would be read */
	if (folded[0] == '\xC2' && folded[1] == '\xB0')
		abst_forms_add(forms, pstrdup(folded + 2));
}

/* ---- numbers ---- */

/* Three digits and no fourth, behind what parts thousands? */
static bool
is_group(const char *s)
{
	return isdigit((unsigned char) s[0]) && isdigit((unsigned char) s[1]) &&
		isdigit((unsigned char) s[2]) && !isdigit((unsigned char) s[3]);
}

/* Take out what parts thousands; a comma that does not is a decimal point. */
static void
join_thousands(char *number)
{
	char	   *out = number;
	bool		zero;

	while (*number && !isdigit((unsigned char) *number) && *number != '.')
		*out++ = *number++;
	zero = *number == '0';
	for (char before = '\0'; *number; before = *number++)
	{
		bool		part = *number == ',' || *number == '\'' || *number == ' ';

		if (part && isdigit((unsigned char) before) && !zero &&
			is_group(number + 1))
			continue;
		if (*number == ',' && isdigit((unsigned char) before) &&
			isdigit((unsigned char) number[1]))
			*out++ = '.';
		else
			*out++ = *number;
	}
	*out = '\0';
}

/* Append an exponent written as digits, signs or superscripts, folded. */
static void
copy_plain_digits(StringInfo out, const char *s)
{
	bool		leading = true;

	for (; *s; s++)
	{
		if (strchr("^(){}+ ", *s) != NULL)
			continue;
		if (*s == '0' && leading && isdigit((unsigned char) s[1]))
			continue;
		leading = leading && *s == '-';
		appendStringInfoChar(out, *s);
	}
}

void
abst_number_forms(const char *number, int len, AbstForms *forms)
{
	char	   *folded = abst_fold_word(number, len);
	StringInfoData out;
	char	   *s = folded;
	char	   *mark;
	bool		percent = false;
	bool		factor = false;
	bool		prime = false;
	bool		mille = false;
	int			n;

	/* fold makes superscripts plain digits: find powers before it does */
	initStringInfo(&out);
	n = strlen(folded);
	if (n > 3 && memcmp(folded + n - 3, "\xE2\x80\xB0", 3) == 0)
	{
		mille = true;
		folded[n -= 3] = '\0';
	}
	while (n > 0 && strchr("% x'", folded[n - 1]))
	{
		percent |= folded[n - 1] == '%';
		factor |= folded[n - 1] == 'x';
		prime |= folded[n - 1] == '\'';
		folded[--n] = '\0';
	}
	join_thousands(folded);
	if (*s == '+')
		s++;
	if (*s == '-')
		appendStringInfoChar(&out, *s++);
	if (*s == '.')
		appendStringInfoChar(&out, '0');

	mark = strpbrk(s, "^x*e ");
	if (mark == NULL)
	{
		/* 10 with a superscript: the raw bytes tell where it begins */
		int			power = 0;

		for (int i = 0; i < len;)
		{
			uint32		cp;
			int			c = abst_utf8_decode(number + i, len - i, &cp);
			AbstCharClass k = abst_char_class(cp);

			if (k == ABST_CHAR_SCRIPTDIGIT || k == ABST_CHAR_SCRIPTSIGN)
			{
				power = i;
				break;
			}
			i += c;
		}
		if (power > 0)
		{
			char	   *base = abst_fold_word(number, power);
			char	   *exponent = abst_fold_word(number + power, len - power);

			resetStringInfo(&out);
			if (strcmp(base, "10") == 0)
				appendStringInfoString(&out, "1e");
			else
				appendStringInfo(&out, "%s^", base);
			copy_plain_digits(&out, exponent);
			abst_forms_add(forms, out.data);
			return;
		}
		for (; *s; s++)
			if (*s != ',')
				appendStringInfoChar(&out, *s);
	}
	else if (*mark == '^')
	{
		appendStringInfoString(&out, "1e");
		copy_plain_digits(&out, mark);
	}
	else
	{
		/* 1e-5, 3.2 x 10^-5: the power follows the ten */
		for (; s < mark; s++)
			if (*s != ',')
				appendStringInfoChar(&out, *s);
		appendStringInfoChar(&out, 'e');
		if (*mark != 'e')
		{
			mark = strstr(mark, "10");
			mark = mark ? mark + 2 : "";
		}
		else
			mark++;
		copy_plain_digits(&out, mark);
	}
	if (mille)
		abst_forms_add(forms, psprintf("%s\xE2\x80\xB0", out.data));
	else if (percent)
		abst_forms_add(forms, psprintf("%s%%", out.data));
	else if (factor)
		abst_forms_add(forms, psprintf("%sx", out.data));
	else if (prime)
		abst_forms_add(forms, psprintf("%s'", out.data));
	abst_forms_add(forms, out.data);
}

/* ---- links ---- */

/* Skip a prefix, whatever its case. */
static bool
skip_prefix(const char **s, int *len, const char *prefix)
{
	int			n = strlen(prefix);

	if (*len < n || pg_strncasecmp(*s, prefix, n) != 0)
		return false;
	*s += n;
	*len -= n;
	return true;
}

void
abst_link_forms(const char *link, int len, AbstForms *forms)
{
	int			version;
	int			n;

	if (!skip_prefix(&link, &len, "https://") &&
		!skip_prefix(&link, &len, "http://"))
		skip_prefix(&link, &len, "ftp://");
	skip_prefix(&link, &len, "www.");
	if (skip_prefix(&link, &len, "dx.doi.org/") ||
		skip_prefix(&link, &len, "doi.org/") || skip_prefix(&link, &len, "doi:"))
		skip_prefix(&link, &len, " ");
	if (abst_doi_span(link, len, 0) > 0)
	{
		abst_forms_add(forms, abst_fold_word(link, len));
		/* the DOI that arXiv gives a paper says its id */
		if (skip_prefix(&link, &len, "10.48550/arxiv."))
			abst_forms_add(forms, abst_fold_word(link, len));
		return;
	}
	if (skip_prefix(&link, &len, "arxiv.org/abs/") ||
		skip_prefix(&link, &len, "arxiv.org/pdf/") ||
		skip_prefix(&link, &len, "arxiv.org/html/"))
		;
	else if (skip_prefix(&link, &len, "arxiv"))
	{
		skip_prefix(&link, &len, ":");
		skip_prefix(&link, &len, " ");
	}
	n = abst_arxiv_id_span(link, len, 0, &version);
	if (n > 0)
	{
		abst_forms_add(forms, abst_fold_word(link, n - version));
		abst_forms_add(forms, abst_fold_word(link, n));
		return;
	}
	while (len > 1 && link[len - 1] == '/')
		len--;
	abst_forms_add(forms, abst_fold_word(link, len));
}

/* ---- formulas ---- */

/*
 * A folded formula.  Folding lowers raised digits; after a digit they stay an
 * exponent, or 2⁵ would be 25.
 */
static char *
fold_formula(const char *math, int len)
{
	StringInfoData out;
	bool		digit = false;

	initStringInfo(&out);
	for (int i = 0; i < len;)
	{
		uint32		cp;
		int			n = abst_utf8_decode(math + i, len - i, &cp);
		AbstCharClass k = abst_char_class(cp);

		if (digit && (k == ABST_CHAR_SCRIPTDIGIT ||
					  k == ABST_CHAR_SCRIPTSIGN) &&
			!(cp >= 0x2080 && cp <= 0x208F))
			appendStringInfoChar(&out, '^');
		appendBinaryStringInfo(&out, math + i, n);
		digit = k == ABST_CHAR_DIGIT;
		i += n;
	}
	return abst_fold_word(out.data, out.len);
}

/* Numbers in a formula, as they would be read outside of it. */
static void
add_numbers(const char *folded, AbstForms *forms)
{
	for (const char *s = folded; *s; s++)
	{
		int			n;

		if (!isdigit((unsigned char) *s) && *s != '.')
			continue;
		n = strspn(s, "0123456789.");
		if (n >= 3 && (s == folded || !isalpha((unsigned char) s[-1])) &&
			!isalpha((unsigned char) s[n]) &&
			isdigit((unsigned char) s[n - 1]))
			abst_number_forms(s, n, forms);
		s += n - 1;
	}
}

void
abst_math_forms(const char *math, int len, AbstForms *forms)
{
	char	   *folded = fold_formula(math, len);
	StringInfoData out;
	int			flen = strlen(folded);

	initStringInfo(&out);
	for (const char *s = folded; *s; s++)
		if (strchr(" ^_{}\n", *s) == NULL ||
			(*s == '^' && s > folded && isdigit((unsigned char) s[-1]) &&
			 strspn(s + 1, "-({") < 3 &&
			 isdigit((unsigned char) s[1 + strspn(s + 1, "-({")])))
			appendStringInfoChar(&out, *s);
	abst_forms_add(forms, pstrdup(out.data));
	abst_forms_add(forms, abst_spell_greek(out.data));

	/* names in the formula: two characters and more, or Greek */
	for (int i = 0; i < flen;)
	{
		int			start = i;
		int			chars = 0;
		bool		greek = false;
		bool		letters = false;
		uint32		cp = 0;

		while (i < flen)
		{
			int			n = abst_utf8_decode(folded + i, flen - i, &cp);
			AbstCharClass k = abst_char_class(cp);

			if (!abst_class_is_letter(k) && k != ABST_CHAR_DIGIT)
			{
				if (i == start)
					i += n;
				break;
			}
			letters |= abst_class_is_letter(k);
			greek |= abst_greek_name(cp) != NULL;
			chars++;
			i += n;
		}
		if (chars > 0 && letters && (chars >= 3 || greek))
		{
			char	   *name = pnstrdup(folded + start, i - start);

			abst_forms_add(forms, name);
			if (greek)
				abst_forms_add(forms, abst_spell_greek(name));
		}
	}
	add_numbers(folded, forms);
}
