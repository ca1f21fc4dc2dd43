/*-------------------------------------------------------------------------
 *
 * words.c
 *		The words of a piece of query text, as a configuration reads them.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "miscadmin.h"
#include "tsearch/ts_utils.h"
#include "utils/formatting.h"
#include "catalog/pg_collation.h"

#include "query/words.h"

void
abst_words_read(Oid config, const char *text, int len, AbstWordSink sink,
				void *arg)
{
	ParsedText	prs;
	const char *end = text + len;

	prs.lenwords = 16;
	prs.curwords = 0;
	prs.pos = 0;
	prs.words = palloc(sizeof(ParsedWord) * prs.lenwords);
	while (text < end)
	{
		const char *start;
		AbstWord	word = {0};
		AbstWordLexeme lexemes[64];
		char	   *lower;

		while (text < end && strchr(" \t\n\r\f\v", *text))
			text++;
		start = text;
		while (text < end && !strchr(" \t\n\r\f\v", *text))
			text++;
		if (text == start)
			break;
		prs.curwords = 0;
		word.position = prs.pos + 1;
		parsetext(config, &prs, unconstify(char *, start), text - start);
		if (prs.pos + 1 == word.position)
			continue;
		word.width = prs.pos + 1 - word.position;
		for (int i = 0; i < Min(prs.curwords, 64); i++)
		{
			lexemes[i].text = prs.words[i].word;
			lexemes[i].len = prs.words[i].len;
			lexemes[i].offset = prs.words[i].pos.pos - word.position;
		}
		word.nlexemes = Min(prs.curwords, 64);
		word.lexemes = lexemes;
		lower = str_tolower(start, text - start, DEFAULT_COLLATION_OID);
		if (strspn(lower, "abcdefghijklmnopqrstuvwxyz0123456789") == strlen(lower))
		{
			word.plain = lower;
			word.plain_len = strlen(lower);
		}
		sink(arg, &word);
	}
}
