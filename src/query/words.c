/*-------------------------------------------------------------------------
 *
 * words.c
 *		The words of a piece of query text, as a configuration reads them.
 *
 * The tokens and lexemes are those that documents get (text/lexemes.h).  What
 * is added here is the plain form of a word, from which variants and glued
 * neighbours are made; it is only known for tokens of our own parser.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "miscadmin.h"
#include "tsearch/ts_cache.h"

#include "query/words.h"
#include "text/charclass.h"
#include "text/doc.h"
#include "text/reader.h"

typedef struct Reading
{
	bool		ours;			/* the configuration's parser is ours */
	AbstWordSink sink;
	void	   *arg;
} Reading;

/* Is the configuration one over our parser? */
static bool
parser_is_ours(Oid config)
{
	Oid			ours = abst_default_config();

	return config == ours ||
		lookup_ts_config_cache(config)->prsId ==
		lookup_ts_config_cache(ours)->prsId;
}

/*
 * The letters and digits of a token, folded; palloc'd.  NULL if there are
 * none, or other signs that are not to be dropped.
 */
static char *
plain_form(const char *token, int len, bool drop)
{
	int			n;
	char	   *utf8 = abst_to_utf8(token, len, &n);
	char	   *folded = abst_fold(utf8, n, &n);
	int			at = 0;
	int			kept = 0;

	while (at < n)
	{
		uint32		cp;
		int			bytes = abst_utf8_decode(folded + at, n - at, &cp);

		if (abst_class_is_alnum(abst_char_class(cp)))
		{
			memmove(folded + kept, folded + at, bytes);
			kept += bytes;
		}
		else if (!drop)
		{
			kept = 0;
			break;
		}
		at += bytes;
	}
	folded[kept] = '\0';
	if (kept == 0)
	{
		pfree(folded);
		return NULL;
	}
	return abst_from_utf8(folded, kept, &n);
}

static void
pass_word(void *arg, const AbstLexemeToken *token)
{
	Reading    *reading = arg;
	AbstWord	word = {0};
	char	   *plain = NULL;

	word.position = token->position;
	word.width = token->width;
	word.nlexemes = token->nlexemes;
	word.lexemes = token->lexemes;
	if (reading->ours && token->nlexemes > 0)
	{
		switch (token->type)
		{
			case ABST_TOK_WORD:
			case ABST_TOK_NAME:
			case ABST_TOK_ACRONYM:
			case ABST_TOK_NUMBER:
				plain = plain_form(token->text, token->len, false);
				word.gluable = (plain != NULL);
				break;
			case ABST_TOK_COMPOUND:
				plain = plain_form(token->text, token->len, true);
				word.compound = token->nlexemes > 1;
				break;
			default:
				break;
		}
	}
	word.plain = plain;
	word.plain_len = plain ? strlen(plain) : 0;
	reading->sink(reading->arg, &word);
	if (plain)
		pfree(plain);
}

void
abst_words_read(Oid config, const char *text, int len, AbstWordSink sink,
				void *arg)
{
	Reading		reading;

	reading.ours = parser_is_ours(config);
	reading.sink = sink;
	reading.arg = arg;
	abst_lexemes_of_text(config, text, len, pass_word, &reading);
}
