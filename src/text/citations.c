/*-------------------------------------------------------------------------
 *
 * citations.c
 *		References to other work: (Ito et al., 2020), Kalai and Vempala
 *		(2024), [3, 7].
 *
 *-------------------------------------------------------------------------
 */
#include "text/annotate.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "text/charclass.h"

/* Most tokens in a bracket that is looked at. */
#define MAX_BRACKET		40

/* Years a reference can have. */
static bool
is_year(const AbstText *text, int token)
{
	const AbstToken *t = &text->tokens[token];
	const char *s = text->plain->text +t->start;

	/* 2020a, 2020b */
	if (t->len != 4 && !(t->len == 5 && s[4] >= 'a' && s[4] <= 'f'))
		return false;
	for (int i = 0; i < 4; i++)
		if (s[i] < '0' || s[i] > '9')
			return false;
	return (s[0] == '1' && s[1] >= '6') || (s[0] == '2' && s[1] == '0');
}

static bool
gap_holds(const AbstText *text, int token, char c)
{
	AbstSpan	gap = abst_gap_after(text, token);

	return memchr(text->plain->text +gap.start, c, Min(gap.len, 64)) != NULL;
}

/* Can the token be a surname or a venue? */
static bool
is_proper(const AbstText *text, int token)
{
	return token >= 0 && abst_begins_upper(text, token) &&
		text	  ->tokens[token].len > 1;
}

/* "et al", "and X", "& X" behind a surname: first token behind, or 0. */
static int
co_authors(const AbstText *text, int token)
{
	if (abst_token_is(text, token, "et") &&
		abst_token_is(text, token + 1, "al"))
		return token + 2;
	if (abst_token_is(text, token, "and") && token + 1 < text->ntokens &&
		is_proper(text, token + 1))
		return token + 2;
	return 0;
}

/*
 * First token of the names that end with token "last", right before a
 * bracket with a year: "Ito et al.", "Kalai and Vempala", "Ito"; -1 if none.
 */
static int
names_before(const AbstText *text, int last)
{
	if (last >= 2 && abst_token_is(text, last, "al") &&
		abst_token_is(text, last - 1, "et") && is_proper(text, last - 2))
		return last - 2;
	if (!is_proper(text, last) ||
		text->tokens[last].type == ABST_TOK_ACRONYM)
		return -1;
	if (last >= 2 && abst_token_is(text, last - 1, "and") &&
		is_proper(text, last - 2))
		return last - 2;
	if (last >= 1 && gap_holds(text, last - 1, '&') &&
		is_proper(text, last - 1))
		return last - 1;
	return last;
}

/* Words without brackets and commas: "NVIDIA et al. 2025". */
static char *
citation_value(const AbstText *text, int first, int year)
{
	StringInfoData buf;

	initStringInfo(&buf);
	for (int token = first; token <= year; token++)
	{
		const AbstToken *t = &text->tokens[token];

		if (token > first)
			appendStringInfoString(&buf, abst_token_is(text, token - 1, "al") ?
								   ". " : gap_holds(text, token - 1, '&') ?
								   " & " : " ");
		appendBinaryStringInfo(&buf, text->plain->text +t->start, t->len);
	}
	return buf.data;
}

static void
add_citation(const AbstText *text, AbstList *mentions, int start, int end,
			 int first, int year)
{
	AbstMention *mention = abst_list_add(mentions);

	mention->kind = ABST_MENTION_CITATION;
	mention->span.start = start;
	mention->span.len = end - start;
	mention->value = citation_value(text, first, year);
}

/* "(Ito et al., 2020; Lee 2021)": tokens first .. last are in the bracket. */
static bool
read_list(const AbstText *text, AbstList *mentions, int first, int last)
{
	bool		found = false;

	while (first <= last)
	{
		int			end = first;
		int			names = first;
		int			year = -1;

		while (end < last && !gap_holds(text, end, ';'))
			end++;
		/* "see", "e.g." before the name */
		while (names < end && !is_proper(text, names) && names - first < 3)
			names++;
		for (int token = names + 1; token <= end && year < 0; token++)
			if (is_year(text, token))
				year = token;
		if (year > names && year - names <= 12 && is_proper(text, names) &&
			(co_authors(text, names + 1) > 0 || year == names + 1 ||
			 gap_holds(text, names, '&') || gap_holds(text, year - 1, ',')))
		{
			add_citation(text, mentions, text->tokens[names].start,
						 abst_token_end(&text->tokens[end]), names, year);
			found = true;
		}
		first = end + 1;
	}
	return found;
}

/* "[3, 5-8]": numbers only. */
static bool
is_number_list(const AbstText *text, int first, int last)
{
	for (int token = first; token <= last; token++)
		if (text->tokens[token].type != ABST_TOK_NUMBER ||
			text->tokens[token].len > 3)
			return false;
	return true;
}

static void
read_bracket(const AbstText *text, AbstList *mentions, int before, int open)
{
	const char *s = text->plain->text;
	char		close = s[open] == '(' ? ')' : ']';
	int			first = before + 1;
	int			last = first;
	int			year = -1;
	int			names;
	int			end;

	while (last < text->ntokens && last - first < MAX_BRACKET &&
		   !gap_holds(text, last, close))
		last++;
	if (last >= text->ntokens || last - first == MAX_BRACKET)
		return;
	end = abst_gap_after(text, last).start;
	end = (const char *) memchr(s + end, close,
								text->plain->len - end) - s + 1;
	if (close == ']')
	{
		if (is_number_list(text, first, last) && s[open + 1] != ' ')
		{
			add_citation(text, mentions, open, end, first, last);
			return;
		}
	}
	for (int token = first; token <= last && year < 0; token++)
		if (is_year(text, token))
			year = token;
	if (year < 0)
		return;
	/* "Kalai and Vempala (STOC 2024)", "Ito (2020)" */
	names = before >= 0 && year - first <= 2 && year == last ?
		names_before(text, before) : -1;
	if (names >= 0 && (year == first || is_proper(text, first)))
		add_citation(text, mentions, text->tokens[names].start, end, names,
					 year);
	else
		read_list(text, mentions, first, last);
}

void
abst_citations_find(const AbstText *text, AbstList *mentions)
{
	for (int token = -1; token + 1 < text->ntokens; token++)
	{
		AbstSpan	gap = abst_gap_after(text, token);
		char		open;

		CHECK_FOR_INTERRUPTS();
		if (gap.len == 0 || gap.len > 16)
			continue;
		open = text->plain->text[gap.start + gap.len - 1];

		if (open == '(' || open == '[')
			read_bracket(text, mentions, token, gap.start + gap.len - 1);
	}
}
