/*-------------------------------------------------------------------------
 *
 * bind.c
 *		Binding of queries to an index, done by the planner's support
 *		function.
 *
 * An operator that must be a pure function has no corpus to take weights
 * from.  So while an expression is simplified, the support function looks at
 * the document operand; if it is a column (or expression) with an abstracts
 * index, the query operand is wrapped in abstract_query(query, index), which
 * is stable: it is evaluated when the statement runs, never frozen into a
 * cached plan.  The choice of the index depends on the catalog alone, not on
 * costs, so every plan of a query has the same weights.
 *
 *		doc @~ q			->	doc @~ abstract_query(q, 'index')
 *		doc <=> q			->	doc <=> abstract_query(q, 'index')
 *		doc <~> other		->	doc <=> abstract_query(abstract_like(other),
 *													   'index')
 *
 * Functions (abstract_score and its like) are treated as their operators.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <ctype.h>

#include "access/relation.h"
#include "access/table.h"
#include "am/am.h"
#include "am/stats.h"
#include "catalog/namespace.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "parser/parse_func.h"
#include "parser/parsetree.h"
#include "query/stats.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/syscache.h"

PG_FUNCTION_INFO_V1(abst_bind_sql);
PG_FUNCTION_INFO_V1(abst_bind_text_sql);
PG_FUNCTION_INFO_V1(abst_bind_named_sql);
PG_FUNCTION_INFO_V1(abst_like_text_bound_sql);
PG_FUNCTION_INFO_V1(abst_like_vector_bound_sql);
PG_FUNCTION_INFO_V1(abst_support);

/* ---- the binding function ---- */

/* The last binding of this call site. */
typedef struct BindCache
{
	AbstQuery  *query;
	AbstQuery  *bound;
	Oid			index;
	AbstMoment	moment;
} BindCache;

/*
 * abstract_query(query, regclass): bind to an index.  NULL for NULL; a bound
 * query is returned as it is.
 */
Datum
abst_bind_sql(PG_FUNCTION_ARGS)
{
	AbstQuery  *query = PG_GETARG_ABSTQUERY_P(0);
	Oid			index = PG_GETARG_OID(1);
	BindCache  *cache = fcinfo->flinfo->fn_extra;
	AbstMoment	moment;
	MemoryContext old;

	abst_moment(&moment);
	if (cache && cache->query && cache->index == index &&
		memcmp(&cache->moment, &moment, sizeof(AbstMoment)) == 0 &&
		VARSIZE(cache->query) == VARSIZE(query) &&
		memcmp(cache->query, query, VARSIZE(query)) == 0)
		PG_RETURN_POINTER(cache->bound);

	old = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	if (cache == NULL)
		cache = fcinfo->flinfo->fn_extra = palloc0(sizeof(BindCache));
	if (cache->query)
		pfree(cache->query);
	cache->query = NULL;
	if (cache->bound)
		pfree(cache->bound);
	cache->bound = NULL;
	cache->bound = abst_bind_to_index(query, index);
	if (cache->bound == query)
	{
		/* It was bound already: the caller's value, not ours to keep. */
		cache->bound = NULL;
		MemoryContextSwitchTo(old);
		PG_RETURN_POINTER(query);
	}
	cache->query = palloc(VARSIZE(query));
	memcpy(cache->query, query, VARSIZE(query));
	cache->index = index;
	cache->moment = moment;
	MemoryContextSwitchTo(old);
	PG_RETURN_POINTER(cache->bound);
}

/* abstract_query(text, regclass): read a text as a query and bind it. */
Datum
abst_bind_text_sql(PG_FUNCTION_ARGS)
{
	text	   *source = PG_GETARG_TEXT_PP(0);
	AbstQuery  *query = abst_query_from_text(VARDATA_ANY(source),
											 VARSIZE_ANY_EXHDR(source));

	PG_RETURN_POINTER(abst_bind_to_index(query, PG_GETARG_OID(1)));
}

/* Are these statistics, rather than the name of an index? */
static bool
is_json(text *weights)
{
	const char *p = VARDATA_ANY(weights);
	const char *end = p + VARSIZE_ANY_EXHDR(weights);

	while (p < end && isspace((unsigned char) *p))
		p++;
	return p < end && (*p == '{' || *p == '[');
}

/* Bind to statistics that were given as text. */
static AbstQuery *
bind_to_json(AbstQuery *query, text *weights)
{
	Datum		json = DirectFunctionCall1(jsonb_in,
										   CStringGetDatum(text_to_cstring(weights)));

	return abst_query_bind_stats(query, DatumGetJsonbP(json));
}

/*
 * abstract_query(text, text): what untyped literals resolve to.  The second
 * is JSON or the name of an index.
 */
Datum
abst_bind_named_sql(PG_FUNCTION_ARGS)
{
	text	   *source = PG_GETARG_TEXT_PP(0);
	text	   *weights = PG_GETARG_TEXT_PP(1);
	AbstQuery  *query = abst_query_from_text(VARDATA_ANY(source),
											 VARSIZE_ANY_EXHDR(source));
	Datum		index;

	if (is_json(weights))
		PG_RETURN_POINTER(bind_to_json(query, weights));
	index = DirectFunctionCall1(text_regclass, PointerGetDatum(weights));
	PG_RETURN_POINTER(abst_bind_to_index(query, DatumGetObjectId(index)));
}

/* abstract_like(text, regclass): a whole text as a query, bound. */
Datum
abst_like_text_bound_sql(PG_FUNCTION_ARGS)
{
	text	   *source = PG_GETARG_TEXT_PP(0);
	AbstQuery  *query = abst_query_like_text(VARDATA_ANY(source),
											 VARSIZE_ANY_EXHDR(source));

	PG_RETURN_POINTER(abst_bind_to_index(query, PG_GETARG_OID(1)));
}

/* abstract_like(tsvector, regclass): a whole document as a query, bound. */
Datum
abst_like_vector_bound_sql(PG_FUNCTION_ARGS)
{
	AbstQuery  *query = abst_query_like_vector(PG_GETARG_TSVECTOR(0));

	PG_RETURN_POINTER(abst_bind_to_index(query, PG_GETARG_OID(1)));
}

/* ---- which index belongs to an expression ---- */

/*
 * Follow a Var through subqueries and CTEs down to a column of a table.
 * Returns false if it ends anywhere else.
 */
static bool
resolve_column(Query *query, Var *var, Oid *table, AttrNumber *attno)
{
	for (int depth = 0; depth < 32; depth++)
	{
		RangeTblEntry *rte;
		Query	   *below = NULL;
		TargetEntry *tle;

		if (var->varlevelsup != 0 || var->varno <= 0 ||
			var->varno > list_length(query->rtable))
			return false;
		rte = rt_fetch(var->varno, query->rtable);
		if (rte->rtekind == RTE_RELATION)
		{
			*table = rte->relid;
			*attno = var->varattno;
			return true;
		}
		if (rte->rtekind == RTE_SUBQUERY)
			below = rte->subquery;
		else if (rte->rtekind == RTE_CTE && rte->ctelevelsup == 0 &&
				 !rte->self_reference)
		{
			ListCell   *lc;

			foreach(lc, query->cteList)
			{
				CommonTableExpr *cte = lfirst_node(CommonTableExpr, lc);

				if (strcmp(cte->ctename, rte->ctename) == 0 &&
					IsA(cte->ctequery, Query))
					below = (Query *) cte->ctequery;
			}
		}
#ifdef ABST_HAVE_RTE_GROUP
		else if (rte->rtekind == RTE_GROUP)
		{
			Node	   *expr = list_nth(rte->groupexprs, var->varattno - 1);

			if (!IsA(expr, Var))
				return false;
			var = (Var *) expr;
			continue;
		}
#endif
		if (below == NULL || below->setOperations || var->varattno <= 0)
			return false;
		tle = get_tle_by_resno(below->targetList, var->varattno);
		if (tle == NULL || tle->resjunk || !IsA(tle->expr, Var))
			return false;
		query = below;
		var = (Var *) tle->expr;
	}
	return false;
}

/* Is the index's first key the given column or expression? */
static bool
index_has_key(Relation index, AttrNumber attno, Node *expr, Index varno)
{
	AttrNumber	key = index->rd_index->indkey.values[0];
	List	   *exprs;
	Node	   *first;

	if (key != 0)
		return attno != 0 && key == attno;
	if (expr == NULL)
		return false;
	exprs = RelationGetIndexExpressions(index);
	if (exprs == NIL)
		return false;
	first = copyObject(linitial(exprs));
	if (varno != 1)
		ChangeVarNodes(first, 1, varno, 0);
	return equal(first, expr);
}

/*
 * The index of a table whose key is a column (attno) or an expression: of
 * several, one that covers the whole table first, then the oldest.
 */
static Oid
find_index(Oid table, AttrNumber attno, Node *expr, Index varno)
{
	Relation	rel = table_open(table, NoLock);
	Oid			best = InvalidOid;
	bool		best_partial = false;
	ListCell   *lc;

	foreach(lc, RelationGetIndexList(rel))
	{
		Relation	index = relation_open(lfirst_oid(lc), AccessShareLock);

		if (abst_is_index(index) &&
			index->rd_index->indisvalid &&
			index_has_key(index, attno, expr, varno))
		{
			bool		partial;

			partial = !heap_attisnull(index->rd_indextuple,
									  Anum_pg_index_indpred, NULL);
			if (!OidIsValid(best) || (best_partial && !partial) ||
				(best_partial == partial && lfirst_oid(lc) < best))
			{
				best = lfirst_oid(lc);
				best_partial = partial;
			}
		}
		relation_close(index, AccessShareLock);
	}
	table_close(rel, NoLock);
	return best;
}

/* The index that gives the weights for a document operand, or InvalidOid. */
static Oid
index_for_document(PlannerInfo *root, Node *document)
{
	Relids		relids;
	int			varno;
	Oid			table;
	AttrNumber	attno;
	RangeTblEntry *rte;

	while (IsA(document, RelabelType))
		document = (Node *) ((RelabelType *) document)->arg;
	if (IsA(document, Var))
	{
		if (!resolve_column(root->parse, (Var *) document, &table, &attno))
			return InvalidOid;
		return find_index(table, attno, NULL, 1);
	}
	relids = pull_varnos(root, document);
	if (!bms_get_singleton_member(relids, &varno))
		return InvalidOid;
	rte = rt_fetch(varno, root->parse->rtable);
	if (rte->rtekind != RTE_RELATION)
		return InvalidOid;
	return find_index(rte->relid, 0, document, varno);
}

/* ---- new expressions ---- */

static FuncExpr *
make_call(Oid namespace, const char *name, List *args, Oid result)
{
	Oid			types[2];
	int			n = 0;
	ListCell   *lc;
	Oid			funcid;

	foreach(lc, args)
		types[n++] = exprType(lfirst(lc));
	funcid = LookupFuncName(list_make2(makeString(get_namespace_name(namespace)),
									   makeString(pstrdup(name))),
							n, types, false);
	return makeFuncExpr(funcid, result, args, InvalidOid, InvalidOid,
						COERCE_EXPLICIT_CALL);
}

static Node *
make_bound(Oid namespace, Oid query_type, Node *query, Oid index)
{
	Const	   *regclass;

	regclass = makeConst(REGCLASSOID, -1, InvalidOid, sizeof(Oid),
						 ObjectIdGetDatum(index), false, true);
	return (Node *) make_call(namespace, "abstract_query",
							  list_make2(query, regclass), query_type);
}

static Node *
make_operator(Oid namespace, const char *name, FuncExpr *call, Node *left,
			  Node *right, Oid result)
{
	OpExpr	   *op;
	Oid			opno;

	opno = OpernameGetOprid(list_make2(makeString(get_namespace_name(namespace)),
									   makeString(pstrdup(name))),
							exprType(left), exprType(right));
	if (!OidIsValid(opno))
		return NULL;
	op = (OpExpr *) make_opclause(opno, result, false, (Expr *) left,
								  (Expr *) right, call->funccollid,
								  call->inputcollid);
	op->opfuncid = get_opcode(opno);
	op->location = call->location;
	return (Node *) op;
}

/* Is this query operand bound, or wrapped in the binding function? */
static bool
is_bound_operand(Node *query)
{
	if (IsA(query, FuncExpr))
	{
		FuncExpr   *call = (FuncExpr *) query;
		char	   *name = get_func_name(call->funcid);

		return list_length(call->args) == 2 && name != NULL &&
			(strcmp(name, "abstract_query") == 0 ||
			 strcmp(name, "abstract_like") == 0) &&
			call->funcresulttype == exprType(query);
	}
	if (IsA(query, Const) && !((Const *) query)->constisnull)
		return abst_query_is_bound(DatumGetAbstQueryP(((Const *) query)->constvalue));
	return false;
}

/* A document and a query: bind the query. */
static Node *
simplify_query(SupportRequestSimplify *req, const char *name, Oid namespace)
{
	FuncExpr   *call = req->fcall;
	Node	   *document = linitial(call->args);
	Node	   *query = lsecond(call->args);
	FuncExpr   *copy;
	Oid			index;
	Node	   *bound;

	if (is_bound_operand(query))
		return NULL;
	index = index_for_document(req->root, document);
	if (!OidIsValid(index))
		return NULL;
	bound = make_bound(namespace, exprType(query), query, index);
	if (strcmp(name, "abstract_match") == 0)
		return make_operator(namespace, "@~", call, document, bound, BOOLOID);
	if (strcmp(name, "abstract_distance") == 0)
		return make_operator(namespace, "<=>", call, document, bound, FLOAT8OID);
	copy = copyObject(call);
	copy->args = list_make2(document, bound);
	return (Node *) copy;
}

/* Two documents: the one with an index is ranked, the other is the query. */
static Node *
simplify_documents(SupportRequestSimplify *req, const char *name,
				   Oid namespace)
{
	FuncExpr   *call = req->fcall;
	Node	   *document = linitial(call->args);
	Node	   *other = lsecond(call->args);
	Oid			index;
	Oid			query_type;
	Node	   *bound;

	index = index_for_document(req->root, document);
	if (!OidIsValid(index))
	{
		document = lsecond(call->args);
		other = linitial(call->args);
		index = index_for_document(req->root, document);
		if (!OidIsValid(index))
			return NULL;
	}
	query_type = GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid,
								 CStringGetDatum("abstract_query"),
								 ObjectIdGetDatum(namespace));
	bound = make_bound(namespace, query_type,
					   (Node *) make_call(namespace, "abstract_like",
										  list_make1(other), query_type),
					   index);
	if (strcmp(name, "abstract_dissimilarity") == 0)
		return make_operator(namespace, "<=>", call, document, bound, FLOAT8OID);
	return (Node *) make_call(namespace, "abstract_score",
							  list_make2(document, bound), FLOAT8OID);
}

/* Two literals, the second JSON: a constant, as with the jsonb variant. */
static Node *
simplify_named(SupportRequestSimplify *req)
{
	Const	   *source = linitial(req->fcall->args);
	Const	   *weights = lsecond(req->fcall->args);
	text	   *text_of_source;
	AbstQuery  *query;

	if (!IsA(source, Const) || !IsA(weights, Const) || source->constisnull ||
		weights->constisnull ||
		!is_json(DatumGetTextPP(weights->constvalue)))
		return NULL;
	text_of_source = DatumGetTextPP(source->constvalue);
	query = bind_to_json(abst_query_from_text(VARDATA_ANY(text_of_source),
											  VARSIZE_ANY_EXHDR(text_of_source)),
						 DatumGetTextPP(weights->constvalue));
	return (Node *) makeConst(req->fcall->funcresulttype, -1, InvalidOid, -1,
							  PointerGetDatum(query), false, false);
}

/*
 * Planner support of every function that takes a document and a query, or
 * two documents.
 */
Datum
abst_support(PG_FUNCTION_ARGS)
{
	Node	   *rawreq = (Node *) PG_GETARG_POINTER(0);
	SupportRequestSimplify *req = (SupportRequestSimplify *) rawreq;
	char	   *name;
	Oid			namespace;
	Node	   *result;

	if (IsA(rawreq, SupportRequestCost))
		PG_RETURN_POINTER(abst_call_cost((SupportRequestCost *) rawreq) ?
						  rawreq : NULL);
	if (!IsA(rawreq, SupportRequestSimplify) ||
		list_length(req->fcall->args) != 2)
		PG_RETURN_POINTER(NULL);
	name = get_func_name(req->fcall->funcid);
	if (strcmp(name, "abstract_query") == 0)
		PG_RETURN_POINTER(simplify_named(req));
	if (req->root == NULL || req->root->parse == NULL)
		PG_RETURN_POINTER(NULL);
	namespace = get_func_namespace(req->fcall->funcid);
	if (strcmp(name, "abstract_dissimilarity") == 0 ||
		strcmp(name, "abstract_similarity") == 0)
		result = simplify_documents(req, name, namespace);
	else
		result = simplify_query(req, name, namespace);
	PG_RETURN_POINTER(result);
}
