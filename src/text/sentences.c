/*-------------------------------------------------------------------------
 *
 * sentences.c
 *		Where sentences begin and end.
 *
 * Only what stands between tokens can end a sentence, so decimals, links,
 * formulas and names with points need no rule here.  A point is judged by the
 * word before it (abbreviation, initial, number of a list) and by the word
 * after it (capital, one that often begins sentences), as Kiss and Strunk
 * (2006) do; but with lists instead of counts, as one abstract is too short
 * to count in.  Within brackets that close soon nothing ends.  A paragraph
 * always ends.
 *
 *-------------------------------------------------------------------------
 */
#include "text/annotate.h"

#include "miscadmin.h"
#include "text/charclass.h"
#include "text/sentence_table.h"

/* Brackets that span more bytes do not hold a sentence together. */
#define MAX_BRACKET		600

/* A mark that may end a sentence, in the gap behind a token. */
typedef struct Stop
{
	uint32		mark;			/* '.', or the strongest one of several */
	int			start;			/* first mark */
	int			end;			/* behind marks and what they close */
	bool		blank;			/* a blank or the end follows */
} Stop;

static bool
is_stop(uint32 cp)
{
	switch (cp)
	{
		case '.':
		case '?':
		case '!':
		case 0x2026:			/* ellipsis */
		case 0x203D:
		case 0x3002:			/* ideographic full stop */
		case 0xFF01:
		case 0xFF0E:
		case 0xFF1F:
		case 0xFF61:
		case 0x061F:			/* Arabic question mark */
		case 0x06D4:
		case 0x0964:			/* danda */
			return true;
		default:
			return false;
	}
}

/* Does the mark end a sentence whatever stands around it? */
static bool
is_certain(uint32 cp)
{
	return cp == 0x3002 || cp == 0xFF01 || cp == 0xFF1F || cp == 0xFF61 ||
		cp == 0x06D4 || cp == 0x0964 || cp == '\n';
}

static bool
is_closer(uint32 cp)
{
	return cp == ')' || cp == ']' || cp == '}' || cp == '"' || cp == '\'' ||
		cp == '*' || cp == 0x2019 || cp == 0x201D || cp == 0xBB ||
		cp == 0x203A || cp == 0x300D || cp == 0x300F || cp == 0xFF09;
}

/* The first stop in plain[from .. to). */
static bool
find_stop(const AbstPlain *plain, int from, int to, Stop *stop)
{
	int			at = from;

	while (at < to)
	{
		uint32		cp;
		int			n = abst_utf8_decode(plain->text +at, to - at, &cp);

		if ((at & 0xFFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		if (cp == '\n')
		{
			stop->mark = '\n';
			stop->start = stop->end = at;
			stop->blank = true;
			return true;
		}
		if (!is_stop(cp))
		{
			at += n;
			continue;
		}
		stop->mark = cp;
		stop->start = at;
		for (at += n; at < to; at += n)
		{
			uint32		next;

			n = abst_utf8_decode(plain->text +at, to - at, &next);
			if (is_stop(next))
				stop->mark = cp == '.' ? next : cp;
			else if (!is_closer(next))
				break;
		}
		stop->end = at;
		stop->blank = at == plain->len || plain->text[at] == ' ' ||
			plain->text[at] == '\n';
		return true;
	}
	return false;
}

/* First character of the sentence that begins behind "at". */
static int
skip_blanks(const AbstPlain *plain, int at)
{
	while (at < plain->len && (plain->text[at] == ' ' ||
							   plain->text[at] == '\n'))
	{
		if ((at & 0xFFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		at++;
	}
	return at;
}

/* Characters of a token, counted up to two. */
static int
letters(const AbstText *text, int token)
{
	const AbstToken *t = &text->tokens[token];
	uint32		cp;
	int			n = abst_utf8_decode(text->plain->text +t->start, t->len, &cp);

	return n == t->len ? 1 : 2;
}

/* May a sentence begin with this token? */
static bool
may_begin(const AbstText *text, int token)
{
	const AbstToken *t = &text->tokens[token];
	uint32		cp;
	int			n = abst_utf8_decode(text->plain->text +t->start, t->len, &cp);
	AbstCharClass k = abst_char_class(cp);

	if (k != ABST_CHAR_LOWER)
		return true;
	switch (t->type)
	{
		case ABST_TOK_WORD:
		case ABST_TOK_HANGING:
		case ABST_TOK_UNIT:
			return false;
		case ABST_TOK_COMPOUND:

			/* k-means, mRNA-based, but not few-shot */
			return abst_char_is_greek(cp) ||
				abst_has_upper(text->plain->text +t->start, t->len) ||
				(n < t->len && text->plain->text[t->start + n] == '-');
		default:
			return true;
	}
}

static bool
listed(const AbstText *text, int token, const char *const *list, int n)
{
	const AbstToken *t = &text->tokens[token];

	return abst_word_listed(list, n, text->plain->text +t->start, t->len);
}

#define TOKEN_LISTED(list, token) listed(text, token, list, lengthof(list))

/* An initial or a letter of a list before the point. */
static bool
after_letter(const AbstText *text, int token, int first)
{
	bool		upper = abst_begins_upper(text, token);

	if (token == first)
		return false;
	if (TOKEN_LISTED(starters, token + 1))
		return true;
	if (letters(text, token + 1) == 1 || !abst_begins_upper(text, token + 1))
		return false;
	return !upper || (token > first && TOKEN_LISTED(before_letter, token - 1));
}

/*
 * Does the point behind a token end the sentence that began with token
 * "first"?  Another token follows.
 */
static bool
point_ends(const AbstText *text, int token, int first, const Stop *stop)
{
	const AbstToken *t = &text->tokens[token];
	const AbstToken *next = &text->tokens[token + 1];
	const char *s = text->plain->text +t->start;
	bool		direct = stop->start == abst_token_end(t);
	bool		closed = stop->end > stop->start + 1;

	if (!may_begin(text, token + 1))
		return false;
	/* what closes a bracket or a quote is no abbreviation */
	if (!direct || closed)
		return stop->blank || abst_begins_upper(text, token + 1);
	if (!stop->blank)
	{
		/* glued: failures.Overall, but not Node.Start or J.Smith */
		return next->start == stop->end && next->type != ABST_TOK_NAME &&
			abst_begins_upper(text, token + 1) && letters(text, token) > 1 &&
			(t->type != ABST_TOK_WORD || !abst_begins_upper(text, token)) &&
			!TOKEN_LISTED(before_more, token) &&
			!TOKEN_LISTED(before_number, token);
	}
	if (t->type == ABST_TOK_NUMBER || (t->type == ABST_TOK_NAME &&
									   s[0] >= '0' && s[0] <= '9'))
		return token != first;	/* "1. Introduction" */
	if (letters(text, token) == 1 && (t->type == ABST_TOK_WORD ||
									  t->type == ABST_TOK_NAME ||
									  t->type == ABST_TOK_MATH))
		return after_letter(text, token, first);
	if (TOKEN_LISTED(before_more, token))
		return false;
	if (abst_token_is(text, token, "etc"))
		return abst_begins_upper(text, token + 1);
	if (TOKEN_LISTED(may_end, token) ||
		(t->type == ABST_TOK_NAME && t->len <= 8 && s[1] == '.'))
		return TOKEN_LISTED(starters, token + 1);
	if (TOKEN_LISTED(before_number, token))
	{
		char		c = text->plain->text[next->start];

		return !(c >= '0' && c <= '9') && letters(text, token + 1) > 1;
	}
	return true;
}

static bool
stop_ends(const AbstText *text, int token, int first, const Stop *stop)
{
	if (is_certain(stop->mark) || token + 1 >= text->ntokens)
		return true;
	if (stop->mark == '.')
		return point_ends(text, token, first, stop);
	return may_begin(text, token + 1) &&
		(stop->blank || abst_begins_upper(text, token + 1));
}

/* Brackets that hold together what is in them, outermost ones, in order. */
static void
find_brackets(const AbstText *text, AbstList *brackets)
{
	int			depth = 0;
	int			open = 0;

	abst_list_init(brackets, sizeof(AbstSpan));
	for (int token = -1; token < text->ntokens; token++)
	{
		AbstSpan	gap = abst_gap_after(text, token);

		CHECK_FOR_INTERRUPTS();
		for (int at = gap.start; at < gap.start + gap.len; at++)
		{
			char		c = text->plain->text[at];

			if (depth > 0 && (c == '\n' || at - open > MAX_BRACKET))
				depth = 0;
			if (c == '(' || c == '[')
			{
				if (depth++ == 0)
					open = at;
			}
			else if ((c == ')' || c == ']') && depth > 0 && --depth == 0)
			{
				AbstSpan   *span = abst_list_add(brackets);

				span->start = open;
				span->len = at - open;
			}
		}
	}
}

static void
add_sentence(AbstList *list, const AbstPlain *plain, int start, int end)
{
	AbstSpan   *span;

	while (end > start && (plain->text[end - 1] == ' ' ||
						   plain->text[end - 1] == '\n'))
		end--;
	if (end <= start)
		return;
	span = abst_list_add(list);
	span->start = start;
	span->len = end - start;
}

void
abst_sentences_find(AbstText *text)
{
	const AbstPlain *plain = text->plain;
	AbstList	brackets;
	AbstList	list;
	AbstSpan   *bracket;
	int			nbrackets;
	int			start = skip_blanks(plain, 0);
	int			first = 0;		/* first token of the sentence */

	find_brackets(text, &brackets);
	bracket = (AbstSpan *) brackets.entries;
	nbrackets = brackets.n;
	abst_list_init(&list, sizeof(AbstSpan));
	for (int token = -1; token < text->ntokens; token++)
	{
		AbstSpan	gap = abst_gap_after(text, token);
		int			at = gap.start;
		int			end = gap.start + gap.len;
		Stop		stop;

		CHECK_FOR_INTERRUPTS();
		while (at < end && find_stop(plain, at, end, &stop))
		{
			at = Max(stop.end, at + 1);
			while (nbrackets > 0 &&
				   bracket->start + bracket->len < stop.end)
			{
				bracket++;
				nbrackets--;
			}
			if (stop.mark != '\n' && nbrackets > 0 &&
				bracket->start < stop.start)
				continue;
			/* nothing but marks so far: they go with what follows */
			if (token < first || token < 0)
				continue;
			if (!stop_ends(text, token, first, &stop))
				continue;
			add_sentence(&list, plain, start, stop.end);
			start = skip_blanks(plain, stop.end);
			first = token + 1;
		}
	}
	add_sentence(&list, plain, start, plain->len);
	text	  ->nsentences = list.n;
	text	  ->sentences = (AbstSpan *) list.entries;
}
