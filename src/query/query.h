/*-------------------------------------------------------------------------
 *
 * query.h
 *		The type abstract_query: the user's text, or a whole document, with or
 *		without the statistics of a corpus.
 *
 * Unbound: source text (or document terms) only.  Bound: also the lexemes,
 * document frequencies, N, mean lengths and the parameters k1, b, weights,
 * and the name of the configuration that reads a text column.  A bound value
 * is complete: it needs no catalog but the configuration, so it means the
 * same in a dump and on another server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_QUERY_QUERY_H
#define ABST_QUERY_QUERY_H

#include "compat.h"
#include "fmgr.h"
#include "query/plan.h"

typedef struct AbstQuery
{
	int32		vl_len_;		/* varlena header (do not touch directly!) */
	/* the rest is private to query/ */
	char		data[FLEXIBLE_ARRAY_MEMBER];
} AbstQuery;

#define DatumGetAbstQueryP(d)	((AbstQuery *) PG_DETOAST_DATUM(d))
#define PG_GETARG_ABSTQUERY_P(n) DatumGetAbstQueryP(PG_GETARG_DATUM(n))

/* What a corpus contributes to a bound query. */
typedef struct AbstCorpus
{
	Oid			config;			/* reads the query and a text column */
	float8		k1;
	float8		b;
	float8		weights[ABST_NFIELDS];
	float8		ndocs;
	float8		lengths[ABST_NFIELDS];	/* total occurrences by field */
} AbstCorpus;

/* Fills df of terms sorted as lexemes; called once with all terms. */
typedef void (*AbstDfLookup) (void *arg, AbstPlanTerm *terms, int nterms);

extern bool abst_query_is_bound(const AbstQuery *query);

/*
 * Bind: read the query's source with corpus->config, look up every term, and
 * return a bound value in the current context.  A bound query is returned as
 * it is.
 */
extern AbstQuery *abst_query_bind(AbstQuery *query, const AbstCorpus *corpus,
								  AbstDfLookup lookup, void *arg);

/*
 * The compiled form, in the current context.  An unbound query is read with
 * the default configuration, every weight 1 and no length normalisation.
 * Never NULL.  The plan may point into "query".
 */
extern AbstPlan *abst_query_plan(AbstQuery *query);

/* Configuration that reads a text column for this query. */
extern Oid	abst_query_config(AbstQuery *query);

/* Constructors used by SQL functions. */
extern AbstQuery *abst_query_from_text(const char *text, int len);
extern AbstQuery *abst_query_like_text(const char *text, int len);
extern AbstQuery *abst_query_like_vector(TSVector vector);

#endif							/* ABST_QUERY_QUERY_H */
