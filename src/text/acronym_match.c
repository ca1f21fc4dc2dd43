/*-------------------------------------------------------------------------
 *
 * acronym_match.c
 *		Does a short form stand for some words?
 *
 * The letters of the short form are laid on the words in order, each word
 * that is used from its first letter on; the cheapest way wins, of equal ones
 * the one with the fewest words.  What costs: a letter from inside of a word
 * (little when the letters before it are used too), a word that is left out
 * (nothing or little for a function word), a word behind the last one used.
 * Schwartz and Hearst (2003) take any letters in order; what they find and
 * this does not is accepted only for a single long word (EEG) and where the
 * words before the bracket are a capitalised name (CLINIC).
 *
 *-------------------------------------------------------------------------
 */
#include "text/acronym_match.h"

#include "text/charclass.h"
#include "text/wordlist.h"

#define COST_NEXT		1		/* the letter behind one that is used */
#define COST_INNER		3		/* another letter inside of a word */
#define COST_SMALL		2		/* a function word left out */
#define COST_PART		1		/* part of a compound left out */
#define COST_WORD		3		/* a word left out */
#define COST_TAIL		4		/* a word behind the last one used */
#define COST_MIDDLE		2		/* begins inside of a compound */
#define IMPOSSIBLE		10000

/* Letters looked at inside of a word. */
#define MAX_WORD		40

/* Words that a short form may leave out, sorted. */
static const char *const small_words[] = {
	"a", "an", "and", "as", "at", "by", "da", "das", "de", "del", "der",
	"des", "di", "die", "du", "e", "en", "et", "for", "from", "fur", "in",
	"into", "la", "las", "le", "les", "los", "of", "on", "or", "per", "the",
	"to", "und", "using", "via", "von", "with", "y", "zur"
};

/* How the letters can be laid on the words. */
typedef struct Layout
{
	const AbstBrief *brief;
	const AbstPart *parts;
	int			n;
	/* least cost of letters i and on, the first of them beginning part j */
	int			at[ABST_MAX_BRIEF + 1][ABST_MAX_PARTS + 1];
	/* ... beginning part j or a later one */
	int			from[ABST_MAX_BRIEF + 1][ABST_MAX_PARTS + 1];
} Layout;

static uint32
fold_one(uint32 cp)
{
	char		buf[4];
	int			n;
	const char *folded = abst_fold_char(cp, buf, &n);

	if (n == 0)
		return cp;
	abst_utf8_decode(folded, n, &cp);
	return cp;
}

static bool
is_digit(uint32 cp)
{
	return cp >= '0' && cp <= '9';
}

bool
abst_brief_read(const char *s, int len, AbstBrief *brief)
{
	int			at = 0;
	int			letters = 0;
	bool		first_upper = false;
	bool		last_upper = false;
	bool		plural = false;

	memset(brief, 0, sizeof(AbstBrief));
	while (at < len)
	{
		uint32		cp;
		AbstCharClass k;
		bool		upper;

		at += abst_utf8_decode(s + at, len - at, &cp);
		k = abst_char_class(cp);
		if (cp == '\'' || cp == 0x2019)
			break;
		if (!abst_class_is_alnum(k))
			continue;
		if (k == ABST_CHAR_CJK || brief->n == ABST_MAX_BRIEF)
			return false;
		upper = k == ABST_CHAR_UPPER || k == ABST_CHAR_TITLE;
		if (brief->n == 0)
			first_upper = upper;
		/* the s of LLMs, CNNs, ResNets */
		plural = cp == 's' && at == len && (last_upper || brief->upper > 1);
		letters += k != ABST_CHAR_DIGIT;
		brief->upper += upper;
		brief->digits += k == ABST_CHAR_DIGIT;
		last_upper = upper;
		brief->letter[brief->n++] = fold_one(cp);
	}
	if (plural && brief->n > 2)
		brief->n--;
	brief->plain = brief->upper == 1 && first_upper && brief->digits == 0;
	return brief->n >= 2 && letters > 0 &&
		(brief->upper > 0 || brief->digits > 0);
}

int
abst_parts_add(const char *text, AbstSpan word, AbstPart *parts, int n)
{
	int			at = word.start;
	int			end = word.start + word.len;
	bool		inner = false;

	while (at < end && n < ABST_MAX_PARTS)
	{
		AbstPart   *part = &parts[n];
		uint32		cp;
		int			len = abst_utf8_decode(text +at, end - at, &cp);
		AbstCharClass k = abst_char_class(cp);

		if (!abst_class_is_alnum(k))
		{
			/* what an apostrophe parts is no part of its own */
			if (cp == '\'' || cp == 0x2019)
				break;
			at += len;
			continue;
		}
		part->start = at;
		part->text = text +at;

		part->inner = inner;
		part->upper = k == ABST_CHAR_UPPER || k == ABST_CHAR_TITLE;
		while (at < end)
		{
			len = abst_utf8_decode(text +at, end - at, &cp);
			if (!abst_class_is_alnum(abst_char_class(cp)))
				break;
			at += len;
		}
		part->len = at - part->start;
		part->small = ABST_LISTED(small_words, part->text, part->len);
		inner = true;
		n++;
	}
	return n;
}

/* Does the part begin with "word", whatever its case? */
static bool
part_begins(const AbstPart *part, const char *word)
{
	int			n = strlen(word);

	return part->len >= n && pg_strncasecmp(part->text, word, n) == 0;
}

/* Can the letter stand for the beginning of the part? */
static bool
begins_with(const AbstPart *part, uint32 letter)
{
	uint32		cp;
	const char *greek;

	abst_utf8_decode(part->text, part->len, &cp);
	if (fold_one(cp) == letter)
		return true;
	switch (letter)
	{
		case '1':
			return part_begins(part, "one") || part_begins(part, "single");
		case '2':
			return part_begins(part, "to") || part_begins(part, "two") ||
				part_begins(part, "second") || part_begins(part, "di");
		case '3':
			return part_begins(part, "three") || part_begins(part, "tri") ||
				part_begins(part, "third");
		case '4':
			return part_begins(part, "for") || part_begins(part, "four") ||
				part_begins(part, "fourth");
		case 'x':
			return part_begins(part, "ex") || part_begins(part, "cross") ||
				part_begins(part, "trans");
		default:
			greek = abst_greek_name(letter);
			return greek != NULL && part_begins(part, greek);
	}
}

/* Digits of the brief from i on that a numeric part ends with; 0: none. */
static int
digits_of(const AbstBrief *brief, int i, const AbstPart *part)
{
	int			n = 0;

	if (!is_digit(brief->letter[i]) || !is_digit(part->text[0]))
		return 0;
	while (i + n < brief->n && is_digit(brief->letter[i + n]))
		n++;
	if (n > part->len)
		return 0;
	for (int d = 0; d < n; d++)
		if (part->text[part->len - n + d] != (char) brief->letter[i + d])
			return 0;
	return n;
}

static int
skip_cost(const AbstPart *part)
{
	return part->small ? COST_SMALL : part->inner ? COST_PART : COST_WORD;
}

/* What it costs to end with part j. */
static int
tail_cost(const Layout *layout, int j)
{
	int			cost = 0;

	for (int k = j + 1; k < layout->n; k++)
		cost += layout->parts[k].inner ? COST_PART + 1 : COST_TAIL;
	return cost;
}

/* Least cost of letters i and on if letter i begins part j. */
static int
cost_at(const Layout *layout, int i, int j)
{
	const AbstBrief *brief = layout->brief;
	const AbstPart *part = &layout->parts[j];
	int			used = digits_of(brief, i, part);
	int			cost = 0;
	int			best;
	int			at = 0;
	bool		next = true;
	uint32		cp;

	if (used == 0 && !begins_with(part, brief->letter[i]))
		return IMPOSSIBLE;
	used = Max(used, 1);
	best = i + used == brief->n ? tail_cost(layout, j) :
		layout->from[i + used][j + 1];
	if (used > 1)
		return best;
	at = abst_utf8_decode(part->text, part->len, &cp);
	/* more letters from inside, in order */
	for (int letter = i + 1; letter < brief->n; letter++)
	{
		bool		found = false;

		while (at < part->len && at < MAX_WORD && !found)
		{
			at += abst_utf8_decode(part->text +at, part->len - at, &cp);
			found = fold_one(cp) == brief->letter[letter];
			if (!found)
				next = false;
		}
		if (!found)
			break;
		cost += next ? COST_NEXT : COST_INNER;
		next = true;
		best = Min(best, cost + (letter + 1 == brief->n ? tail_cost(layout,
																	j) :
								 layout->from[letter + 1][j + 1]));
	}
	return best;
}

/* Letters of the brief in any order-keeping place from part j on. */
static bool
letters_in_order(const AbstBrief *brief, const AbstPart *parts, int j, int n)
{
	int			i = 0;

	for (; j < n && i < brief->n; j++)
		for (int at = 0; at < parts[j].len && i < brief->n;)
		{
			uint32		cp;

			at += abst_utf8_decode(parts[j].text +at, parts[j].len - at, &cp);
			if (fold_one(cp) == brief->letter[i])
				i++;
		}
	return i == brief->n;
}

/* A name in capitals right before the bracket: where it begins, or -1. */
static int
capital_run(const AbstBrief *brief, const AbstPart *parts, int n)
{
	int			start = -1;
	int			capitals = 0;

	for (int j = n - 1; j >= 0; j--)
	{
		if (parts[j].upper)
		{
			capitals++;
			if (!parts[j].inner && begins_with(&parts[j], brief->letter[0]))
				start = j;
		}
		else if (!parts[j].small && !parts[j].inner)
			break;
	}
	if (start < 0 || capitals < 2 || n - start < 3 || brief->upper < 3 ||
		!letters_in_order(brief, parts, start, n))
		return -1;
	return start;
}

/* One long word, from which all letters are taken (EEG). */
static bool
single_word(const AbstBrief *brief, const AbstPart *part)
{
	return !part->inner && part->len >= Max(3 * brief->n, 8) &&
		begins_with(part, brief->letter[0]) && !brief->plain &&
		letters_in_order(brief, part, 0, 1);
}

int
abst_brief_match(const AbstBrief *brief, const AbstPart *parts, int n,
				 bool whole)
{
	Layout		layout;
	int			best = IMPOSSIBLE;
	int			start = -1;
	int			limit = brief->n == 2 ? 2 : brief->n + 1;

	if (n == 0)
		return -1;
	layout.brief = brief;
	layout.parts = parts;
	layout.n = n;
	for (int i = brief->n - 1; i >= 0; i--)
	{
		layout.from[i][n] = IMPOSSIBLE;
		for (int j = n - 1; j >= 0; j--)
		{
			layout.at[i][j] = cost_at(&layout, i, j);
			layout.from[i][j] = Min(layout.at[i][j],
									layout.from[i][j + 1] +
									skip_cost(&parts[j]));
		}
	}
	for (int j = whole ? 0 : n - 1; j >= 0; j--)
	{
		int			cost = layout.at[0][j] + (parts[j].inner ? COST_MIDDLE : 0);

		if (cost < best)
		{
			best = cost;
			start = j;
		}
	}
	if (best <= limit && !(brief->plain && best > 3))
		return start;
	/* first letters only, with words left out: AUC */
	if (!brief->plain && brief->n >= 3 && best < IMPOSSIBLE && !whole)
	{
		int			i = brief->n - 1;

		for (int j = n - 1; j >= 0 && i >= 0; j--)
		{
			if (begins_with(&parts[j], brief->letter[i]))
			{
				if (i == 0 && !parts[j].inner && n - j <= 2 * brief->n + 1)
					return j;
				i--;
			}
			else if (j == n - 1)
				break;
		}
	}
	if (brief->plain)
		return -1;
	start = capital_run(brief, parts, n);
	if (start >= 0 && (!whole || start == 0))
		return start;
	if (!whole && single_word(brief, &parts[n - 1]))
		return n - 1;
	return -1;
}
