/*-------------------------------------------------------------------------
 *
 * sqlfuncs_query.c
 *		SQL functions and operators on abstract_query.
 *
 * The operators compile their query once and keep the plan as long as the
 * query's bytes stay the same (usually for the whole statement).  Everything
 * a call allocates beyond that goes at its end, so a scan over any number of
 * rows needs the memory of one.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/memutils.h"

#include "am/handed.h"
#include "query/pack.h"
#include "query/query.h"
#include "query/stats.h"
#include "rank/score.h"
#include "rank/similarity.h"
#include "text/doc.h"

/* ---- the type ---- */

PG_FUNCTION_INFO_V1(abst_sql_query_in);
PG_FUNCTION_INFO_V1(abst_sql_query_out);
PG_FUNCTION_INFO_V1(abst_sql_query_recv);
PG_FUNCTION_INFO_V1(abst_sql_query_send);

/* Version of the binary format: what follows is as in notation.c. */
#define BINARY_VERSION	1

static char *
query_text(AbstQuery *query, int *len)
{
	AbstContent content;
	StringInfoData out;

	abst_content_unpack(query, &content);
	initStringInfo(&out);
	abst_content_print(&content, &out);
	*len = out.len;
	return out.data;
}

Datum
abst_sql_query_in(PG_FUNCTION_ARGS)
{
	char	   *text = PG_GETARG_CSTRING(0);

	PG_RETURN_POINTER(abst_query_from_text(text, strlen(text)));
}

Datum
abst_sql_query_out(PG_FUNCTION_ARGS)
{
	int			len;

	PG_RETURN_CSTRING(query_text(PG_GETARG_ABSTQUERY_P(0), &len));
}

/*
 * A version byte, a byte that says whether there is a note, then the text.
 * What claims to have a note must have a valid one.
 */
Datum
abst_sql_query_recv(PG_FUNCTION_ARGS)
{
	StringInfo	buf = (StringInfo) PG_GETARG_POINTER(0);
	int			version = pq_getmsgbyte(buf);
	int			noted;
	char	   *source;
	int			len;
	AbstContent content;

	if (version != BINARY_VERSION)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("unsupported abstract_query version number %d",
						version)));
	noted = pq_getmsgbyte(buf);
	source = pq_getmsgtext(buf, buf->len - buf->cursor, &len);
	if (noted > 1 || (abst_content_read(source, len,
										&content) ? 1 : 0) != noted)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid abstract_query value in external binary format")));
	PG_RETURN_POINTER(abst_content_pack(&content));
}

Datum
abst_sql_query_send(PG_FUNCTION_ARGS)
{
	int			len;
	char	   *text = query_text(PG_GETARG_ABSTQUERY_P(0), &len);
	AbstContent content;
	StringInfoData buf;

	pq_begintypsend(&buf);
	pq_sendbyte(&buf, BINARY_VERSION);
	pq_sendbyte(&buf, abst_content_read(text, len, &content) ? 1 : 0);
	pq_sendtext(&buf, text, len);
	PG_RETURN_BYTEA_P(pq_endtypsend(&buf));
}

/* ---- constructors ---- */

PG_FUNCTION_INFO_V1(abst_sql_query_text);
PG_FUNCTION_INFO_V1(abst_sql_query_stats);
PG_FUNCTION_INFO_V1(abst_sql_like_text);
PG_FUNCTION_INFO_V1(abst_sql_like_vector);

Datum
abst_sql_query_text(PG_FUNCTION_ARGS)
{
	text	   *source = PG_GETARG_TEXT_PP(0);

	PG_RETURN_POINTER(abst_query_from_text(VARDATA_ANY(source),
										   VARSIZE_ANY_EXHDR(source)));
}

Datum
abst_sql_query_stats(PG_FUNCTION_ARGS)
{
	text	   *source = PG_GETARG_TEXT_PP(0);
	AbstQuery  *query = abst_query_from_text(VARDATA_ANY(source),
											 VARSIZE_ANY_EXHDR(source));

	PG_RETURN_POINTER(abst_query_bind_stats(query, PG_GETARG_JSONB_P(1)));
}

Datum
abst_sql_like_text(PG_FUNCTION_ARGS)
{
	text	   *source = PG_GETARG_TEXT_PP(0);

	PG_RETURN_POINTER(abst_query_like_text(VARDATA_ANY(source),
										   VARSIZE_ANY_EXHDR(source)));
}

Datum
abst_sql_like_vector(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(abst_query_like_vector(PG_GETARG_TSVECTOR(0)));
}

/* ---- rows under a query ---- */

/* What an operator keeps between calls, in a context under fn_mcxt. */
typedef struct Prepared
{
	MemoryContext context;		/* of all that belongs to one query */
	MemoryContext call;			/* reset after each call */
	AbstPlan   *plan;
	AbstEvidence evidence;
	Oid			config;			/* reads text rows; Invalid: not asked yet */
	AbstQuery  *query;			/* detoasted copy the plan points into */
	struct varlena *key;		/* the argument as it came */
} Prepared;

/* The argument's bytes as they stand: compared without detoasting. */
static bool
same_argument(const Prepared *prepared, const struct varlena *arg)
{
	Size		size = VARSIZE_ANY(arg);

	return prepared->key != NULL && VARSIZE_ANY(prepared->key) == size &&
		memcmp(prepared->key, arg, size) == 0;
}

static Prepared *
prepare(FunctionCallInfo fcinfo, int argno)
{
	struct varlena *arg = (struct varlena *) PG_GETARG_POINTER(argno);
	Prepared   *prepared = fcinfo->flinfo->fn_extra;
	MemoryContext old;
	Size		size;

	if (prepared != NULL && same_argument(prepared, arg))
		return prepared;
	if (prepared == NULL)
	{
		prepared = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
										  sizeof(Prepared));
		prepared->context = AllocSetContextCreate(fcinfo->flinfo->fn_mcxt,
												  "abstracts prepared query",
												  ALLOCSET_SMALL_SIZES);
		prepared->call = AllocSetContextCreate(fcinfo->flinfo->fn_mcxt,
											   "abstracts operator call",
											   ALLOCSET_DEFAULT_SIZES);
		fcinfo->flinfo->fn_extra = prepared;
	}

	/* should compiling fail, nothing is taken for the next call's plan */
	prepared->key = NULL;
	prepared->config = InvalidOid;
	memset(&prepared->evidence, 0, sizeof(AbstEvidence));
	MemoryContextReset(prepared->context);
	old = MemoryContextSwitchTo(prepared->context);
	prepared->query = (AbstQuery *) PG_DETOAST_DATUM_COPY(PointerGetDatum(arg));
	prepared->plan = abst_query_plan(prepared->query);
	size = VARSIZE_ANY(arg);
	prepared->key = palloc(size);
	memcpy(prepared->key, arg, size);
	MemoryContextSwitchTo(old);
	return prepared;
}

/* Look at the row's document; what it takes stays in the call's context. */
static void
examine(FunctionCallInfo fcinfo, Prepared *prepared, bool is_text)
{
	TSVector	vector;
	MemoryContext old;

	if (prepared->evidence.tf == NULL)
	{
		/* the arrays outlive the call; an empty document allocates them */
		TSVectorData empty = {0};

		SET_VARSIZE(&empty, CALCDATASIZE(0, 0));
		old = MemoryContextSwitchTo(prepared->context);
		abst_evidence_from_vector(prepared->plan, &empty, &prepared->evidence);
		MemoryContextSwitchTo(old);
	}
	old = MemoryContextSwitchTo(prepared->call);
	if (is_text)
	{
		text	   *row = PG_GETARG_TEXT_PP(0);

		if (!OidIsValid(prepared->config))
			prepared->config = abst_query_config(prepared->query);
		vector = abst_vector_of_row(prepared->config, VARDATA_ANY(row),
									VARSIZE_ANY_EXHDR(row));
	}
	else
		vector = PG_GETARG_TSVECTOR(0);
	abst_evidence_from_vector(prepared->plan, vector, &prepared->evidence);
	MemoryContextSwitchTo(old);
	MemoryContextReset(prepared->call);
}

static bool
row_match(FunctionCallInfo fcinfo, bool is_text)
{
	Prepared   *prepared = prepare(fcinfo, 1);

	examine(fcinfo, prepared, is_text);
	return abst_match(prepared->plan, &prepared->evidence);
}

static double
row_score(FunctionCallInfo fcinfo, bool is_text)
{
	Prepared   *prepared = prepare(fcinfo, 1);

	examine(fcinfo, prepared, is_text);
	return abst_score(prepared->plan, &prepared->evidence);
}

static double
row_distance(FunctionCallInfo fcinfo, bool is_text)
{
	Prepared   *prepared = prepare(fcinfo, 1);
	float8		distance;

	if (abst_handed_distance(PG_GETARG_DATUM(0), prepared->query, &distance))
		return distance;
	return abst_distance_of_score(prepared->plan, row_score(fcinfo, is_text));
}

PG_FUNCTION_INFO_V1(abst_sql_match_vector);
PG_FUNCTION_INFO_V1(abst_sql_match_text);
PG_FUNCTION_INFO_V1(abst_sql_score_vector);
PG_FUNCTION_INFO_V1(abst_sql_score_text);
PG_FUNCTION_INFO_V1(abst_sql_distance_vector);
PG_FUNCTION_INFO_V1(abst_sql_distance_text);

Datum
abst_sql_match_vector(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(row_match(fcinfo, false));
}

Datum
abst_sql_match_text(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(row_match(fcinfo, true));
}

Datum
abst_sql_score_vector(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(row_score(fcinfo, false));
}

Datum
abst_sql_score_text(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(row_score(fcinfo, true));
}

Datum
abst_sql_distance_vector(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(row_distance(fcinfo, false));
}

Datum
abst_sql_distance_text(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(row_distance(fcinfo, true));
}

/* One row for each term of the query that the document has. */
static void
explain_row(FunctionCallInfo fcinfo, bool is_text)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	Prepared   *prepared;
	const AbstPlan *plan;
	double	   *parts;
	double		total;

	InitMaterializedSRF(fcinfo, 0);
	prepared = prepare(fcinfo, 1);
	examine(fcinfo, prepared, is_text);
	plan = prepared->plan;
	parts = palloc_extended((Size) Max(plan->nterms, 1) * sizeof(double),
							MCXT_ALLOC_HUGE);
	abst_explain(plan, &prepared->evidence, parts);
	total = abst_score(plan, &prepared->evidence);
	for (int i = 0; i < plan->nterms; i++)
	{
		const AbstPlanTerm *term = &plan->terms[i];
		AbstTf		tf = prepared->evidence.tf[i];
		Datum		fields[ABST_NFIELDS];
		Datum		values[6];
		bool		nulls[6] = {false};

		CHECK_FOR_INTERRUPTS();
		if (tf.all == 0)
			continue;
		for (int f = 0; f < ABST_NFIELDS; f++)
			fields[f] = Int32GetDatum(tf.field[f]);
		values[0] = PointerGetDatum(cstring_to_text_with_len(term->lexeme,
															 term->len));
		values[1] = PointerGetDatum(construct_array(fields, ABST_NFIELDS,
													INT4OID, sizeof(int32),
													true, TYPALIGN_INT));
		/* without a corpus nothing is known of it */
		nulls[2] = !plan->bound;
		values[2] = Float8GetDatum(term->df);
		values[3] = Float8GetDatum(term->idf);
		values[4] = Float8GetDatum(parts[i]);
		values[5] = Float8GetDatum(total > 0 ? parts[i] / total : 0);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values,
							 nulls);
	}
}

PG_FUNCTION_INFO_V1(abst_sql_explain_vector);
PG_FUNCTION_INFO_V1(abst_sql_explain_text);

Datum
abst_sql_explain_vector(PG_FUNCTION_ARGS)
{
	explain_row(fcinfo, false);
	PG_RETURN_NULL();
}

Datum
abst_sql_explain_text(PG_FUNCTION_ARGS)
{
	explain_row(fcinfo, true);
	PG_RETURN_NULL();
}

/* ---- two documents ---- */

static double
vector_similarity(TSVector a, TSVector b)
{
	AbstDoc		x;
	AbstDoc		y;

	abst_doc_from_vector(a, &x);
	abst_doc_from_vector(b, &y);
	return abst_similarity_of_docs(&x, &y);
}

static TSVector
read_row(text *row)
{
	return abst_vector_of_row(abst_default_config(), VARDATA_ANY(row),
							  VARSIZE_ANY_EXHDR(row));
}

PG_FUNCTION_INFO_V1(abst_sql_similarity_vector);
PG_FUNCTION_INFO_V1(abst_sql_similarity_text);
PG_FUNCTION_INFO_V1(abst_sql_dissimilarity_vector);
PG_FUNCTION_INFO_V1(abst_sql_dissimilarity_text);

Datum
abst_sql_similarity_vector(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(vector_similarity(PG_GETARG_TSVECTOR(0),
									   PG_GETARG_TSVECTOR(1)));
}

Datum
abst_sql_similarity_text(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(vector_similarity(read_row(PG_GETARG_TEXT_PP(0)),
									   read_row(PG_GETARG_TEXT_PP(1))));
}

Datum
abst_sql_dissimilarity_vector(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(1.0 - vector_similarity(PG_GETARG_TSVECTOR(0),
											 PG_GETARG_TSVECTOR(1)));
}

Datum
abst_sql_dissimilarity_text(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(1.0 - vector_similarity(read_row(PG_GETARG_TEXT_PP(0)),
											 read_row(PG_GETARG_TEXT_PP(1))));
}
