/*-------------------------------------------------------------------------
 *
 * capitals.c
 *		Words in capitals that are no acronyms, and letters that are names.
 *
 *-------------------------------------------------------------------------
 */
#include "text/capitals.h"

#include "text/charclass.h"

static AbstCharClass
class_at(const char *text, int len, int at, uint32 *cp, int *n)
{
	*n = abst_utf8_decode(text +at, len - at, cp);
	return abst_char_class(*cp);
}

/* Small words that tell a sentence in capitals from a list of acronyms. */
static bool
is_small_word(const char *word, int len)
{
	static const char *const small[] = {
		"A", "AN", "AND", "AS", "AT", "BY", "FOR", "FROM", "IN", "INTO", "IS",
		"OF", "ON", "OR", "THE", "TO", "VIA", "WITH", "DE", "LA", "DES", "UND"
	};

	for (int i = 0; i < lengthof(small); i++)
		if (strlen(small[i]) == len && memcmp(small[i], word, len) == 0)
			return true;
	return false;
}

bool
abst_is_label_word(const char *word, int len)
{
	static const char *const labels[] = {
		"ABSTRACT", "AIM", "AIMS", "ANALYSIS", "BACKGROUND", "CONCLUSION",
		"CONCLUSIONS", "CONTEXT", "DATA", "DESIGN", "DISCUSSION", "EVIDENCE",
		"FINDINGS", "FUNDING", "IMPORTANCE", "INTERPRETATION", "INTERVENTION",
		"INTERVENTIONS", "INTRODUCTION", "KEYWORDS", "LIMITATIONS", "MAIN",
		"MATERIAL", "MATERIALS", "MEASUREMENTS", "MEASURES", "METHOD",
		"METHODS", "METHODOLOGY", "MOTIVATION", "OBJECTIVE", "OBJECTIVES",
		"OUTCOME", "OUTCOMES", "PARTICIPANTS", "PATIENTS", "PURPOSE",
		"QUESTION", "RATIONALE", "RESULT", "RESULTS", "SETTING", "STUDY",
		"SUMMARY"
	};

	if (len < 3 || len > 14)
		return false;
	for (int i = 0; i < lengthof(labels); i++)
		if (strlen(labels[i]) == len && memcmp(labels[i], word, len) == 0)
			return true;
	return false;
}

/* A word of a stretch in capitals. */
typedef struct CapitalWord
{
	int			start;			/* -1: none */
	bool		lower;
	bool		upper;
	bool		inner;			/* an upper case letter after another one */
	bool		digit;
} CapitalWord;

/* What a stretch is made of so far. */
typedef struct CapitalCount
{
	int			words;
	int			letters;
	int			small;
	int			labels;
	bool		lower;			/* an ordinary word */
} CapitalCount;

static void
count_capital_word(const char *text, CapitalWord *word, int end,
				   CapitalCount *count)
{
	if (word->start < 0)
		return;
	/* names (miRNA, p53) may stand in a heading in capitals */
	if (word->lower && !word->inner && !word->digit)
		count->lower = true;
	else if (word->upper && !word->lower && !word->digit)
	{
		count->words++;
		count->letters += end - word->start;
		count->small += is_small_word(text +word->start, end - word->start);
		count->labels += abst_is_label_word(text +word->start,
											end - word->start);
	}
	memset(word, 0, sizeof(CapitalWord));
	word->start = -1;
}

/* Does a stretch end with the sign at "at": of a sentence, or of a line? */
static bool
ends_stretch(const char *text, int len, int at)
{
	char		c = text[at];

	return c == '\n' ||
		((c == '.' || c == ':' || c == ';' || c == '?' || c == '!') &&
		 (at + 1 >= len || text[at + 1] == ' ' ||
		  text[at + 1] == '\n'));
}

bool
abst_capital_stretch(const char *text, int len, int at, int *end)
{
	int			i = at;
	CapitalWord word = {.start = -1};
	CapitalCount count = {0};

	while (i < len && !count.lower && !ends_stretch(text, len, i))
	{
		uint32		cp;
		int			n;
		AbstCharClass k = class_at(text, len, i, &cp, &n);

		if ((abst_class_is_letter(k) || k == ABST_CHAR_DIGIT ||
			 k == ABST_CHAR_SCRIPTDIGIT))
		{
			if (word.start < 0)
				word.start = i;
			word.lower |= k == ABST_CHAR_LOWER;
			word.inner |= k == ABST_CHAR_UPPER && i > word.start;
			word.upper |= k == ABST_CHAR_UPPER;
			word.digit |= !abst_class_is_letter(k);
		}
		else
			count_capital_word(text, &word, i, &count);
		i += n;
	}
	count_capital_word(text, &word, i, &count);
	while (i < len && !ends_stretch(text, len, i))
		i++;
	*end = i;
	return !count.lower &&
		((count.words >= 4 && (count.small > 0 || count.words >= 8)) ||
		 (count.words >= 2 && count.labels > 0) ||
		 (count.words >= 2 && count.letters >= 6 * count.words));
}

bool
abst_named_by_letter(const char *text, int at)
{
	static const char *const function_words[] = {
		"and", "are", "as", "at", "because", "but", "by", "for", "from", "here",
		"how", "if", "in", "is", "of", "on", "or", "since", "so", "such",
		"than", "that", "the", "then", "there", "through", "thus", "to", "toward",
		"towards", "using", "via", "was", "what", "when", "where", "which",
		"while", "why", "with", "without", "not", "into", "has", "have", "be",
		"presents", "propose", "present", "introduce", "provide", "under"
	};
	int			start = at - 1;

	if (at < 3 || text[at - 1] != ' ')
		return false;
	while (start > 0 && at - start < 24 && text[start - 1] != ' ' &&
		   text[start - 1] != '\n')
		start--;
	for (int i = start; i < at - 1; i++)
		if (!((text[i] >= 'a' && text[i] <= 'z') ||
			  (text[i] >= 'A' && text[i] <= 'Z')))
			return false;
	for (int i = 0; i < lengthof(function_words); i++)
		if (strlen(function_words[i]) == at - 1 - start &&
			pg_strncasecmp(function_words[i], text +start,
						   at - 1 - start) == 0)
			return false;
	return at - 1 - start >= 3;
}
