/*-------------------------------------------------------------------------
 *
 * acronyms.c
 *		Short forms and what they stand for.
 *
 * A pair is looked for at every bracket: long form (SHORT), SHORT (long
 * form); and at "long form, or SHORT," and "long form, abbreviated SHORT".
 * Whether the letters fit is decided in acronym_match.c.  A pair that is
 * given twice is found once.
 *
 *-------------------------------------------------------------------------
 */
#include "text/annotate.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "text/acronym_match.h"
#include "text/charclass.h"
#include "text/wordlist.h"
#include "utils/hsearch.h"

/* Most tokens within a bracket that are looked at. */
#define MAX_CONTENT		24

typedef struct Finder
{
	const AbstText *text;
	AbstList	pairs;
	HTAB	   *seen;			/* hashes of folded pairs */
} Finder;

/* Words between a long form and its short form, sorted. */
static const char *const lead_ins[] = {
	"abbr", "abbreviated", "abbreviation", "acronym", "aka", "as", "called",
	"denoted", "dubbed", "formerly", "henceforth", "hereafter",
	"hereinafter", "in", "named", "or", "short", "shortened", "shortly",
	"simply", "termed"
};

int
abst_acronym_singular(const char *brief, int len)
{
	int			upper = 0;

	for (int i = 0; i < len; i++)
	{
		uint32		cp;
		int			n = abst_utf8_decode(brief + i, len - i, &cp);
		AbstCharClass k = abst_char_class(cp);

		if (i > 0 && (cp == '\'' || cp == 0x2019))
			return i;
		upper += k == ABST_CHAR_UPPER;
		if (cp == 's' && i == len - 1 && upper >= 2)
			return i;
		i += n - 1;
	}
	return len;
}

/* Any of the characters in plain[span]? */
static bool
gap_has(const AbstText *text, AbstSpan gap, const char *set)
{
	for (int i = gap.start; i < gap.start + Min(gap.len, 64); i++)
		if (strchr(set, text->plain->text[i]) != NULL &&
			text->plain->text[i] != '\0')
			return true;
	return false;
}

static AbstSpan
token_span(const AbstText *text, int token)
{
	AbstSpan	span;

	span.start = text->tokens[token].start;
	span.len = text->tokens[token].len;

	return span;
}

static uint64
hash_folded(const AbstText *text, AbstSpan span, int len, uint64 seed)
{
	int			n;
	char	   *folded = abst_fold(text->plain->text +span.start, len, &n);
	uint64		hash = hash_bytes_extended((unsigned char *) folded, n, seed);

	pfree(folded);
	return hash;
}

static void
add_pair(Finder *finder, AbstSpan brief, AbstSpan full, bool brief_first)
{
	const char *s = finder->text->plain->text;
	uint64		hash;
	bool		found;
	AbstAcronym *pair;

	hash = hash_folded(finder->text, brief,
					   abst_acronym_singular(s + brief.start, brief.len), 0);
	hash = hash_folded(finder->text, full,
					   full.len - (s[full.start + full.len - 1] == 's'), hash);
	hash_search(finder->seen, &hash, HASH_ENTER, &found);
	if (found)
		return;
	pair = abst_list_add(&finder->pairs);
	pair->brief = brief;
	pair->full = full;
	pair->brief_first = brief_first;
}

static bool
read_brief(const AbstText *text, int token, AbstBrief *brief)
{
	const AbstToken *t = &text->tokens[token];

	switch (t->type)
	{
		case ABST_TOK_WORD:
		case ABST_TOK_NAME:
		case ABST_TOK_ACRONYM:
		case ABST_TOK_COMPOUND:
			break;
		default:
			return false;
	}
	if (!abst_brief_read(text->plain->text +t->start, t->len, brief))
		return false;
	/* an ordinary word with a capital is a short form only if it is short */
	if (brief->plain)
		return t->type != ABST_TOK_COMPOUND && brief->n <= 4;
	if (brief->upper == 0)
		return text->plain->text[t->start] > '9';

	return true;
}

/*
 * Words before token "end" of the same sentence that may be a long form; the
 * number of parts.
 */
static int
words_before(const AbstText *text, int end, const AbstBrief *brief,
			 AbstPart *parts)
{
	int			sentence = abst_sentence_at(text, text->tokens[end].start);
	int			limit = Min(brief->n + 5, 2 * brief->n) + 1;
	int			first = end;
	int			n = 0;

	while (end - first < limit && first >= 0 &&
		   text->tokens[first].start >= text->sentences[sentence].start)
	{
		if (text->tokens[first].type == ABST_TOK_URL)
			break;
		first--;
		if (first >= 0 && gap_has(text, abst_gap_after(text, first), "()[];:."))
			break;
	}
	for (int token = first + 1; token <= end; token++)
		n = abst_parts_add(text->plain->text, token_span(text, token), parts,
						   n);
	return n;
}

/* "long form (SHORT": token "before" stands before the bracket. */
static bool
try_long_first(Finder *finder, int before, int token)
{
	const AbstText *text = finder->text;
	AbstPart	parts[ABST_MAX_PARTS];
	AbstBrief	brief;
	AbstSpan	full;
	int			n;
	int			start;

	if (!read_brief(text, token, &brief))
		return false;
	n = words_before(text, before, &brief, parts);
	start = abst_brief_match(&brief, parts, n, false);
	if (start < 0)
		return false;
	full.start = parts[start].start;
	full.len = abst_token_end(&text->tokens[before]) - full.start;
	/* the same word again is no long form */
	if (full.len <= text->tokens[token].len)
		return false;
	add_pair(finder, token_span(text, token), full, false);
	return true;
}

/* "SHORT (long form": the content is tokens first .. last. */
static bool
try_brief_first(Finder *finder, int before, int first, int last)
{
	const AbstText *text = finder->text;
	AbstPart	parts[ABST_MAX_PARTS];
	AbstBrief	brief;
	AbstSpan	full;
	int			n = 0;

	if (!read_brief(text, before, &brief) || brief.plain || brief.upper == 0)
		return false;
	for (int token = first; token <= last; token++)
		n = abst_parts_add(text->plain->text, token_span(text, token), parts,
						   n);
	if (n < 2 || n == ABST_MAX_PARTS ||
		abst_brief_match(&brief, parts, n, true) != 0)
		return false;
	full.start = text->tokens[first].start;

	full.len = abst_token_end(&text->tokens[last]) - full.start;
	if (full.len <= text->tokens[before].len)
		return false;
	add_pair(finder, token_span(text, before), full, true);
	return true;
}

/* A bracket opens between tokens "before" and the next. */
static void
read_bracket(Finder *finder, int before)
{
	const AbstText *text = finder->text;
	int			first = before + 1;
	int			last = -1;		/* last token of the content's first piece */
	int			token;
	bool		closed = false;

	for (token = first; token < text->ntokens && token - first < MAX_CONTENT;
		 token++)
	{
		AbstSpan	gap = abst_gap_after(text, token);

		if (last < 0 && gap_has(text, gap, ",;:)]"))
			last = token;
		closed = gap_has(text, gap, ")]");
		if (closed || gap_has(text, gap, "([\n"))
			break;
	}
	if (!closed)
		return;
	/* "hereafter, X": a lead-in may have its own comma */
	while (first < token && ABST_LISTED(lead_ins, text->plain->text +
										text->tokens[first].start,
										text->tokens[first].len))
	{
		first++;
		last = Max(last, first);
	}
	if (first == last && try_long_first(finder, before, first))
		return;
	/* a comma may stand in a long form, too */
	if (!try_brief_first(finder, before, first, last) && last < token &&
		!gap_has(text, abst_gap_after(text, last), ";:"))
		try_brief_first(finder, before, first, token);
}

/* "long form, or SHORT," and "long form, abbreviated as SHORT" */
static void
read_apposition(Finder *finder, int before)
{
	const AbstText *text = finder->text;
	int			token = before + 1;
	bool		alternative = abst_token_is(text, token, "or");

	if (!alternative && !abst_token_is(text, token, "abbreviated") &&
		!abst_token_is(text, token, "abbr"))
		return;
	token++;
	if (abst_token_is(text, token, "as") || abst_token_is(text, token, "to"))
		token++;
	if (token >= text->ntokens ||
		(alternative && !gap_has(text, abst_gap_after(text, token), ",.)")))
		return;
	if (!abst_gap_is_space(text, token - 1))
		return;
	try_long_first(finder, before, token);
}

AbstAcronym *
abst_acronyms_find(const AbstText *text, int *n)
{
	Finder		finder = {0};
	HASHCTL		control = {0};

	finder.text = text;

	abst_list_init(&finder.pairs, sizeof(AbstAcronym));
	control.keysize = sizeof(uint64);
	control.entrysize = sizeof(uint64);
	control.hcxt = CurrentMemoryContext;
	finder.seen = hash_create("abstracts acronyms", 64, &control,
							  HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	for (int token = 0; token + 1 < text->ntokens; token++)
	{
		AbstSpan	gap = abst_gap_after(text, token);

		CHECK_FOR_INTERRUPTS();
		if (gap.len < 2 || gap.len > 8)
			continue;
		if (gap_has(text, gap, "([") && !gap_has(text, gap, ".\n"))
			read_bracket(&finder, token);
		else if (text->plain->text[gap.start] == ',')
			read_apposition(&finder, token);
	}
	hash_destroy(finder.seen);
	*n = finder.pairs.n;
	return (AbstAcronym *) finder.pairs.entries;
}
