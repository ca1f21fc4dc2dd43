/*-------------------------------------------------------------------------
 *
 * sqlfuncs_keywords.c
 *		Keywords of a text, with the weights of a corpus.
 *
 * The words of the text are looked up in the index all at once, as those of
 * abstract_like(text, index) are.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "am/stats.h"
#include "query/query.h"
#include "text/annotate_sql.h"
#include "text/doc.h"
#include "text/lexemes.h"

PG_FUNCTION_INFO_V1(abst_keywords_index_sql);

/* The words of a text as an index knows them. */
typedef struct Corpus
{
	AbstPlan   *plan;
	Oid			config;
	double		most;			/* idf of a word that is in no document */
	/* of the word that is being looked up */
	bool		found;
	double		idf;
} Corpus;

/* Weight of the first lexeme of a word; an AbstLexemeSink. */
static void
look_up(void *arg, const AbstLexemeToken *token)
{
	Corpus	   *corpus = arg;

	for (int i = 0; i < token->nlexemes && !corpus->found; i++)
	{
		const AbstLexeme *lexeme = &token->lexemes[i];
		int			low = 0;
		int			high = corpus->plan->nterms - 1;

		while (low <= high && !corpus->found)
		{
			int			mid = (low + high) / 2;
			AbstPlanTerm *term = &corpus->plan->terms[mid];
			int			cmp = abst_lexeme_cmp(lexeme->text, lexeme->len,
											  term->lexeme, term->len);

			if (cmp == 0)
			{
				corpus->found = true;
				corpus->idf = abst_weights_idf(corpus->plan->ndocs, term->df);
			}
			else if (cmp < 0)
				high = mid - 1;
			else
				low = mid + 1;
		}
	}
}

/* AbstWordRarity */
static double
rarity(void *arg, const char *word, int len)
{
	Corpus	   *corpus = arg;
	int			n;
	char	   *s = abst_from_utf8(word, len, &n);

	corpus->found = false;
	abst_lexemes_of_text(corpus->config, s, n, look_up, corpus);
	return corpus->found ? corpus->idf / corpus->most : 1;
}

/* abstract_keywords(text, int, regclass) */
Datum
abst_keywords_index_sql(PG_FUNCTION_ARGS)
{
	text	   *raw = PG_GETARG_TEXT_PP(0);
	Oid			index = PG_GETARG_OID(2);
	AbstQuery  *query;
	Corpus		corpus = {0};

	query = abst_query_like_text(VARDATA_ANY(raw), VARSIZE_ANY_EXHDR(raw));
	query = abst_bind_to_index(query, index);
	corpus.plan = abst_query_plan(query);
	corpus.config = abst_query_config(query);
	corpus.most = abst_weights_idf(corpus.plan->ndocs, 0);
	abst_keywords_emit(fcinfo, abst_text_of_datum(PG_GETARG_DATUM(0)),
					   PG_GETARG_INT32(1),
					   corpus.plan->ndocs > 0 ? rarity : NULL, &corpus);
	return (Datum) 0;
}
