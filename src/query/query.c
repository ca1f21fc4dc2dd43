/*-------------------------------------------------------------------------
 *
 * query.c
 *		abstract_query values: making, binding and compiling them.
 *
 * Results are palloc'd in the current context.  A bound value holds its
 * compiled plan, so getting that out is a copy; an unbound one is compiled
 * each time, with the default configuration.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "catalog/pg_ts_config.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/regproc.h"

#include "query/compile.h"
#include "query/pack.h"
#include "query/query.h"
#include "query/tree.h"
#include "query/weights.h"

/* ---- making ---- */

AbstQuery  *
abst_query_from_text(const char *text, int len)
{
	AbstContent content;

	abst_content_read(text, len, &content);
	return abst_content_pack(&content);
}

AbstQuery  *
abst_query_like_text(const char *text, int len)
{
	AbstContent content;

	memset(&content, 0, sizeof(content));
	content.kind = ABST_PLAN_LIKE;
	content.source = text;

	content.source_len = len;
	return abst_content_pack(&content);
}

AbstQuery  *
abst_query_like_vector(TSVector vector)
{
	AbstContent content;
	AbstDoc		doc;

	memset(&content, 0, sizeof(content));
	content.kind = ABST_PLAN_LIKE;
	content.vector = true;
	content.source = "";
	abst_doc_from_vector(vector, &doc);
	abst_compile_like(&doc, NULL, NULL, &content.plan);
	return abst_content_pack(&content);
}

/* ---- configurations ---- */

/* Qualified name of a configuration, as it stands in a bound value. */
static char *
config_name(Oid config)
{
	HeapTuple	tuple = SearchSysCache1(TSCONFIGOID, ObjectIdGetDatum(config));
	Form_pg_ts_config form;
	char	   *schema;
	char	   *name;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("text search configuration with OID %u does not exist",
						config)));
	form = (Form_pg_ts_config) GETSTRUCT(tuple);
	schema = get_namespace_name(form->cfgnamespace);
	name = quote_qualified_identifier(schema, NameStr(form->cfgname));
	ReleaseSysCache(tuple);
	return name;
}

Oid
abst_query_config(AbstQuery *query)
{
	AbstContent content;
	char	   *name;
	Oid			config;

	abst_content_unpack(query, &content);
	if (!content.bound)
		return abst_default_config();
	name = pnstrdup(content.config, content.config_len);
	config = get_ts_config_oid(abst_name_list(name), true);
	if (!OidIsValid(config))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("text search configuration \"%s\" does not exist",
						name),
				 errdetail("The query was bound to statistics of texts that this configuration read."),
				 errhint("Create the configuration, or bind the query anew.")));
	return config;
}

/* ---- compiling and binding ---- */

/* The document that a LIKE value holds, or that its text is read into. */
static void
like_document(const AbstContent *content, Oid config, AbstDoc *doc)
{
	if (content->vector)
	{
		const AbstPlan *plan = &content->plan;

		memset(doc, 0, sizeof(AbstDoc));
		doc->norm = plan->like_norm;
		doc->nterms = plan->nterms;
		doc->terms = palloc_extended((Size) Max(plan->nterms, 1) *
									 sizeof(AbstDocTerm), MCXT_ALLOC_HUGE);
		for (int i = 0; i < plan->nterms; i++)
		{
			doc->terms[i].lexeme = plan->terms[i].lexeme;
			doc->terms[i].len = plan->terms[i].len;
			doc->terms[i].tf = plan->terms[i].tf;
		}
	}
	else
	{
		AbstTextPart part = {content->source, content->source_len, 'D'};

		abst_doc_from_vector(abst_vector_from_text(config, &part, 1), doc);
	}
}

/* Compile an unbound value's source into content->plan. */
static void
compile_content(AbstContent *content, Oid config, AbstDfLookup lookup,
				void *arg)
{
	AbstPlan	plan;

	if (content->kind == ABST_PLAN_LIKE)
	{
		AbstDoc		doc;

		like_document(content, config, &doc);
		abst_compile_like(&doc, lookup, arg, &plan);
	}
	else
		abst_compile_search(content->source, content->source_len, config,
							lookup, arg, &plan);
	content->plan = plan;
}

AbstQuery  *
abst_query_bind(AbstQuery *query, const AbstCorpus *corpus,
				AbstDfLookup lookup, void *arg)
{
	AbstContent content;
	AbstPlan   *plan = &content.plan;

	abst_content_unpack(query, &content);
	if (content.bound)
		return query;
	if (!abst_corpus_is_valid(corpus))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("statistics of the corpus are out of range")));

	compile_content(&content, corpus->config, lookup, arg);
	/* figures of a moment: a term is in no more documents than there are */
	for (int i = 0; i < plan->nterms; i++)
		plan->terms[i].df = Max(0, Min(plan->terms[i].df, corpus->ndocs));
	content.bound = true;
	/* its terms stand with their df now, wherever they came from */
	content.vector = false;
	content.corpus = *corpus;
	content.config = config_name(corpus->config);
	content.config_len = strlen(content.config);
	return abst_content_pack(&content);
}

AbstPlan   *
abst_query_plan(AbstQuery *query)
{
	AbstPlan   *plan = palloc(sizeof(AbstPlan));
	AbstContent content;

	abst_content_unpack(query, &content);
	if (content.bound)
	{
		*plan = content.plan;
		abst_plan_derive(plan);
		abst_weights_bound(plan, &content.corpus);
	}
	else
	{
		compile_content(&content,
						content.vector ? InvalidOid : abst_default_config(),
						NULL, NULL);
		*plan = content.plan;
		abst_weights_unbound(plan);
	}
	abst_weights_order(plan);
	return plan;
}
