/*-------------------------------------------------------------------------
 *
 * annotate.c
 *		A text with its tokens and sentences.
 *
 *-------------------------------------------------------------------------
 */
#include "text/annotate.h"

#include "text/charclass.h"
#include "text/wordlist.h"
#include "utils/memutils.h"

void
abst_list_init(AbstList *list, Size entry)
{
	list->entry = entry;
	list->n = 0;
	list->size = 16;
	list->entries = palloc0(list->size * entry);
}

/* A new entry at the end, all zero; valid until the next is added. */
void	   *
abst_list_add(AbstList *list)
{
	char	   *entry;

	if (list->n == list->size)
	{
		list->size *= 2;
		list->entries = repalloc_huge(list->entries,
									  list->size * list->entry);
	}
	entry = list->entries + list->n++ * list->entry;
	memset(entry, 0, list->entry);
	return entry;
}

AbstText   *
abst_text_read(const char *raw, int rawlen)
{
	AbstText   *text = palloc0(sizeof(AbstText));
	AbstTokenizer *tokenizer;
	AbstList	tokens;
	AbstToken	token;

	text	  ->plain = abst_plain_make(raw, rawlen, true);

	abst_list_init(&tokens, sizeof(AbstToken));
	tokenizer = abst_tokenizer_begin_plain(text->plain);
	while (abst_tokenizer_next(tokenizer, &token))
		if (token.type != ABST_TOK_BLANK)
			*(AbstToken *) abst_list_add(&tokens) = token;
	text	  ->ntokens = tokens.n;
	text	  ->tokens = (AbstToken *) tokens.entries;

	abst_sentences_find(text);
	return text;
}

int
abst_sentence_at(const AbstText *text, int at)
{
	int			low = 0;
	int			high = text->nsentences - 1;

	while (low < high)
	{
		int			mid = (low + high + 1) / 2;

		if (text->sentences[mid].start <= at)
			low = mid;
		else
			high = mid - 1;
	}
	return low;
}

int
abst_token_at(const AbstText *text, int at)
{
	int			low = 0;
	int			high = text->ntokens;

	while (low < high)
	{
		int			mid = (low + high) / 2;

		if (text->tokens[mid].start < at)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

bool
abst_begins_upper(const AbstText *text, int token)
{
	const AbstToken *t = &text->tokens[token];
	uint32		cp;
	AbstCharClass k;

	abst_utf8_decode(text->plain->text +t->start, t->len, &cp);
	k = abst_char_class(cp);
	return k == ABST_CHAR_UPPER || k == ABST_CHAR_TITLE;
}

bool
abst_has_upper(const char *s, int len)
{
	int			at = 0;

	while (at < len)
	{
		uint32		cp;
		AbstCharClass k;

		at += abst_utf8_decode(s + at, len - at, &cp);
		k = abst_char_class(cp);
		if (k == ABST_CHAR_UPPER || k == ABST_CHAR_TITLE)
			return true;
	}
	return false;
}

bool
abst_token_is(const AbstText *text, int token, const char *word)
{
	const AbstToken *t;

	if (token < 0 || token >= text->ntokens)
		return false;
	t = &text->tokens[token];
	return strlen(word) == t->len &&
		pg_strncasecmp(text->plain->text +t->start, word, t->len) == 0;
}

AbstSpan
abst_gap_after(const AbstText *text, int token)
{
	AbstSpan	gap;

	gap.start = token < 0 ? 0 : abst_token_end(&text->tokens[token]);
	gap.len = (token + 1 < text->ntokens ? text->tokens[token + 1].start :
			   text->plain->len) -gap.start;
	return gap;
}

bool
abst_gap_is_space(const AbstText *text, int token)
{
	AbstSpan	gap = abst_gap_after(text, token);

	return gap.len == 1 && text->plain->text[gap.start] == ' ' &&
	token + 1 < text->ntokens;
}
