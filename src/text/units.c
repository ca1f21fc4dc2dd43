/*-------------------------------------------------------------------------
 *
 * units.c
 *		Units of measurement after numbers.
 *
 * Units that are words as well (days, patients) are left to the stemmer, and
 * letters that mostly mean something else after a number are no units.
 *
 *-------------------------------------------------------------------------
 */
#include "text/units.h"

#include "text/charclass.h"

/* Units that take a prefix, and the prefixes of each. */
static const struct
{
	const char *unit;
	const char *prefixes;		/* 'u': either micro sign */
}			prefixed[] =

{
	{"m", "fpnumckd"}, {"g", "fpnumckM"}, {"s", "fpnumk"}, {"l", "pnumcdk"},
	{"L", "pnumcdk"}, {"Hz", "mkMGT"}, {"eV", "mkMGTP"}, {"Da", "kM"},
	{"B", "kKMGTP"}, {"b", "kMGT"}, {"bp", "kMG"}, {"J", "numkMG"},
	{"W", "numkMGT"}, {"V", "numkM"}, {"A", "pnumk"}, {"Pa", "mkMGh"},
	{"mol", "fpnumk"}, {"M", "pnum"}, {"N", "numkM"}, {"T", "nmu"},
	{"Gy", "mc"}, {"Sv", "mu"}, {"Bq", "kMG"}, {"pc", "kMG"}, {"Jy", "num"},
	{"yr", "kMG"}, {"K", "mun"}, {"cal", "k"}, {"F", "pnum"}, {"rad", "mu"},
	{"bar", "m"}, {"U", "mk"}, {"IU", "k"}, {"lm", "k"}, {"C", "mu"}
};

/* Units without a prefix. */
static const char *const plain[] = {
	"Hz", "eV", "Da", "bp", "Pa", "mol", "Gy", "Sv", "Bq", "pc", "Jy", "yr",
	"cal", "rad", "bar", "IU", "lm", "lx", "cd", "ha", "hr", "hrs", "min",
	"sec", "dB", "dBm", "ppm", "ppb", "rpm", "mmHg", "atm", "nt", "kDa", "mpg",
	"wt", "deg", "arcsec", "arcmin", "fps", "FLOPs", "Nm", "msec"
};

/* Single letters, where a blank is before them. */
static const char single[] = "msghKVWJLlT";

/* Further units in the denominator: per day, per week. */
static const char *const denominators[] = {
	"day", "week", "month", "year", "hour", "h", "d", "kg", "s", "m", "L", "l",
	"g", "cell", "mm2", "cm2", "m2", "min", "yr", "K", "W", "V"
};

/* Bytes of a micro sign at s, 0 if there is none. */
static int
micro(const char *s, int len)
{
	if (len >= 2 && (memcmp(s, "\xC2\xB5", 2) == 0 ||
					 memcmp(s, "\xCE\xBC", 2) == 0))
		return 2;
	return len >= 1 && *s == 'u' ? 1 : 0;
}

static bool
word_ends(const char *text, int len, int at)
{
	uint32		cp;

	if (at >= len)
		return true;
	abst_utf8_decode(text +at, len - at, &cp);
	return !abst_class_is_alnum(abst_char_class(cp)) && cp != '_';
}

/* Does s begin with one of the words?  The longest one's bytes, else 0. */
static int
longest(const char *s, int len, const char *const *words, int n)
{
	int			best = 0;

	for (int i = 0; i < n; i++)
	{
		int			bytes = strlen(words[i]);

		if (bytes > best && len >= bytes && memcmp(words[i], s, bytes) == 0)
			best = bytes;
	}
	return best;
}

/* A unit with a prefix at s: its bytes, else 0. */
static int
prefixed_unit(const char *s, int len)
{
	int			best = 0;

	for (int i = 0; i < lengthof(prefixed); i++)
	{
		const char *unit = prefixed[i].unit;
		int			n = strlen(unit);

		for (const char *p = prefixed[i].prefixes; *p; p++)
		{
			int			lead = *p == 'u' ? micro(s, len) :
			(len > 0 && *s == *p ? 1 : 0);

			if (lead > 0 && len - lead >= n && lead + n > best &&
				memcmp(s + lead, unit, n) == 0)
				best = lead + n;
		}
	}
	return best;
}

/* Superscript, "^-2", "-1" or "2" after a unit. */
static int
exponent_end(const char *text, int len, int at)
{
	int			i = at;
	uint32		cp;
	int			n;

	while (i < len)
	{
		AbstCharClass k;

		n = abst_utf8_decode(text +i, len - i, &cp);
		k = abst_char_class(cp);
		if (k != ABST_CHAR_SCRIPTDIGIT && k != ABST_CHAR_SCRIPTSIGN)
			break;
		i += n;
	}
	if (i > at)
		return i;
	if (i < len && text[i] == '^')
		i++;
	if (i < len && text[i] == '-')
		i++;
	else if (len - i >= 3 && memcmp(text +i, "\xE2\x88\x92", 3) == 0)
		i += 3;
	if (i < len && text[i] >= '1' && text[i] <= '4' &&
		word_ends(text, len, i + 1))
		return i + 1;
	return at;
}

/* One unit with its exponent; "at" if there is none. */
static int
factor_end(const char *text, int len, int at, bool one_letter, bool below)
{
	const char *s = text +at;
	int			left = Min(len - at, 16);
	int			best;
	int			end;

	if (left <= 0)
		return at;
	/* degrees and other signs */
	if (left >= 2 && memcmp(s, "\xC2\xB0", 2) == 0)
	{
		if (left > 2 && (s[2] == 'C' || s[2] == 'F' || s[2] == 'K') &&
			word_ends(text, len, at + 3))
			return at + 3;
		return word_ends(text, len, at + 2) ? at + 2 : at;
	}
	if (left >= 3 && (memcmp(s, "\xE2\x84\x83", 3) == 0 ||
					  memcmp(s, "\xE2\x84\x89", 3) == 0))
		return at + 3;
	best = prefixed_unit(s, left);
	best = Max(best, longest(s, left, plain, lengthof(plain)));
	if (below)
		best = Max(best, longest(s, left, denominators,
								 lengthof(denominators)));
	/* angstrom and ohm, also with k and M */
	for (int lead = 0; lead < 2; lead++)
		if ((lead == 0 || *s == 'k' || *s == 'M') && left >= lead + 2 &&
			(memcmp(s + lead, "\xC3\x85", 2) == 0 ||
			 memcmp(s + lead, "\xCE\xA9", 2) == 0))
			best = Max(best, lead + 2);
	if (best == 0 && one_letter && strchr(single, *s) != NULL && *s)
		best = 1;
	if (best == 0)
		return at;
	end = exponent_end(text, len, at + best);
	return word_ends(text, len, end) ? end : at;
}

/* A letter, or the first byte of the other signs? */
static bool
may_begin_unit(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == 0xC2 ||
		c == 0xC3 || c == 0xCE || c == 0xE2;
}

int
abst_unit_end(const char *text, int len, int at, bool glued)
{
	int			end;

	if (at >= len || !may_begin_unit((unsigned char) text[at]))
		return 0;
	end = factor_end(text, len, at, !glued, false);
	/* "100 m/s" may be, "100m/s" as well: what follows tells */
	if (end == at && glued)
	{
		end = factor_end(text, len, at, true, false);
		if (end >= len || text[end] != '/')
			return 0;
		if (factor_end(text, len, end + 1, true, true) == end + 1)
			return 0;
	}
	if (end == at)
		return 0;
	for (int factors = 0; factors < 4; factors++)
	{
		bool		slash = end < len && text[end] == '/';
		int			joint = slash ? 1 :
		len - end >= 2 && memcmp(text +end, "\xC2\xB7", 2) == 0 ? 2 :
		len - end >= 3 && memcmp(text +end, "\xE2\x8B\x85", 3) == 0 ? 3 : 0;
		int			next;

		if (joint == 0)
			break;
		next = factor_end(text, len, end + joint, true, slash);
		if (next == end + joint)
			break;
		end = next;
	}
	return end;
}
