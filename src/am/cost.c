/*-------------------------------------------------------------------------
 *
 * cost.c
 *		Costs of an index scan, and the selectivity of @~.
 *
 * Both look at the query when it is known at planning time, or can be
 * estimated: a bound query carries the document frequency of each of its
 * terms and the number of documents, so the work of a scan (the postings it
 * has to read) and the share of rows that match are not guessed.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <math.h>

#include "access/amapi.h"
#include "access/genam.h"
#include "am/am.h"
#include "am/stats.h"
#include "am/wanted.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "query/query.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/spccache.h"

PG_FUNCTION_INFO_V1(abst_matchsel);

/* Share of rows taken to match a query that cannot be looked at. */
#define DEFAULT_MATCH_SELECTIVITY 0.01

/* Share of the rows with all words of a phrase that have it as a phrase. */
#define PHRASE_SHARE 0.1

/*
 * Work of one posting (decode and add up) and of one candidate kept, in
 * cpu_operator_cost; pages that one dictionary look-up touches; bytes of a
 * posting on disk.
 */
#define POSTING_OPERATORS 0.05
#define LOOKUP_PAGES 2.0
#define POSTING_BYTES 2.0

/* Never to be chosen while anything else can answer. */
#define COST_WRONG_ANSWER 1.0e30

/* ---- selectivity ---- */

static double node_share(const AbstPlan *plan, int *at);

/* Share of documents with a term. */
static double
term_share(const AbstPlan *plan, uint32 term)
{
	double		share;

	if (plan->ndocs <= 0)
		return DEFAULT_MATCH_SELECTIVITY;
	share = plan->terms[term].df / plan->ndocs;
	return Min(share, 1.0);
}

/* Combine the children of the node at *at and step behind it. */
static double
combined_share(const AbstPlan *plan, int *at)
{
	const AbstNode *node = &plan->nodes[*at];
	int			end = *at + node->span;
	double		all = 1;
	double		none = 1;
	double		first = -1;

	(*at)++;
	while (*at < end)
	{
		double		share = node_share(plan, at);

		all *= share;
		none *= 1 - share;
		if (first < 0)
			first = share;
	}
	switch (node->kind)
	{
		case ABST_NODE_AND:
			return all;
		case ABST_NODE_PHRASE:
			return all * PHRASE_SHARE;
		case ABST_NODE_NOT:
			return 1 - all;
		case ABST_NODE_OPT:
			return first < 0 ? 0 : first;
		default:
			return 1 - none;
	}
}

static double
node_share(const AbstPlan *plan, int *at)
{
	const AbstNode *node = &plan->nodes[*at];

	check_stack_depth();
	if (node->kind == ABST_NODE_TERM || node->kind == ABST_NODE_PREFIX)
	{
		(*at)++;
		return term_share(plan, node->term);
	}
	return combined_share(plan, at);
}

/* Share of the documents that match, terms taken as independent. */
static double
plan_share(const AbstPlan *plan)
{
	double		none = 1;
	int			at = 0;

	if (plan->kind == ABST_PLAN_SEARCH)
		return plan->nnodes == 0 ? 0 : node_share(plan, &at);
	for (int t = 0; t < plan->nterms; t++)
		none *= 1 - term_share(plan, t);
	return 1 - none;
}

/* The plan of a query operand, or NULL if it is not known while planning. */
static AbstPlan *
plan_of_operand(PlannerInfo *root, Node *operand)
{
	Node	   *value = estimate_expression_value(root, operand);

	if (!IsA(value, Const) || ((Const *) value)->constisnull)
		return NULL;
	return abst_query_plan(DatumGetAbstQueryP(((Const *) value)->constvalue));
}

/*
 * Restriction selectivity of document @~ query.
 */
Datum
abst_matchsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	double		selectivity = DEFAULT_MATCH_SELECTIVITY;

	if (list_length(args) == 2)
	{
		AbstPlan   *plan = plan_of_operand(root, lsecond(args));

		if (plan)
			selectivity = plan_share(plan);
	}
	CLAMP_PROBABILITY(selectivity);
	PG_RETURN_FLOAT8(selectivity);
}

/* ---- costs of calls ---- */

/*
 * In cpu_operator_cost, measured beside plain scans of the same rows: to get
 * at a document and walk its lexemes, where it is a tsvector (one that is
 * toasted takes four times as much, a short one a quarter), and where it has
 * to be read from a text; for a byte of the query; for a whole document as
 * the query, of a size that is not known.
 */
#define VECTOR_OPERATORS 200
#define TEXT_OPERATORS 5000
#define QUERY_BYTE_OPERATORS 1
#define LIKE_OPERATORS 2000

/* The operand without what binds it. */
static Node *
unbound_operand(Node *operand)
{
	if (IsA(operand, FuncExpr) && ((FuncExpr *) operand)->args != NIL)
		return linitial(((FuncExpr *) operand)->args);
	return operand;
}

/* Operators' worth of a query; it is not evaluated, as this is asked often. */
static double
query_operators(Node *operand)
{
	Node	   *query = unbound_operand(operand);

	if (IsA(query, Const))
		return ((Const *) query)->constisnull ? 0 : QUERY_BYTE_OPERATORS *
			VARSIZE_ANY(DatumGetPointer(((Const *) query)->constvalue));
	return IsA(query, FuncExpr) ? LIKE_OPERATORS : 0;
}

bool
abst_call_cost(SupportRequestCost * req)
{
	List	   *args = NIL;
	Oid			result;
	double		operators;

	/* not one that makes a query */
	result = req->node ? exprType(req->node) : InvalidOid;
	if (result != BOOLOID && result != FLOAT8OID)
		return false;
	if (IsA(req->node, FuncExpr))
		args = ((FuncExpr *) req->node)->args;
	else if (IsA(req->node, OpExpr))
		args = ((OpExpr *) req->node)->args;
	if (list_length(args) != 2)
		return false;
	operators = exprType(linitial(args)) == TSVECTOROID ? VECTOR_OPERATORS :
		TEXT_OPERATORS;
	req->startup = 0;
	req->per_tuple = cpu_operator_cost *
		(operators + query_operators(lsecond(args)));
	return true;
}

/* ---- scan costs ---- */

/* What the queries of a path ask the index to do. */
typedef struct ScanWork
{
	double		postings;
	double		lookups;
	bool		foreign;		/* reads the rows by another configuration */
} ScanWork;

/* Add the work of one query operand. */
static void
add_work(PlannerInfo *root, IndexOptInfo *index, Node *operand, ScanWork *work)
{
	Node	   *value = estimate_expression_value(root, operand);
	AbstQuery  *query;
	AbstPlan   *plan;

	if (!IsA(value, Const))
	{
		work->postings += index->tuples * 2 * DEFAULT_MATCH_SELECTIVITY;
		work->lookups += 2;
		return;
	}
	if (((Const *) value)->constisnull)
		return;
	query = DatumGetAbstQueryP(((Const *) value)->constvalue);
	plan = abst_query_plan(query);
	for (int t = 0; t < plan->nterms; t++)
		work->postings += term_share(plan, t) * index->tuples;
	work->lookups += plan->nterms;
	if (index->opcintype[0] == TEXTOID &&
		abst_query_config(query) != abst_config_of_index(index->indexoid))
		work->foreign = true;
}

/* The query operand of an index clause or ORDER BY expression. */
static Node *
query_operand(Node *clause)
{
	if (IsA(clause, RestrictInfo))
		clause = (Node *) ((RestrictInfo *) clause)->clause;
	if (IsA(clause, OpExpr) && list_length(((OpExpr *) clause)->args) == 2)
		return lsecond(((OpExpr *) clause)->args);
	return NULL;
}

static void
work_of_path(PlannerInfo *root, IndexPath *path, ScanWork *work)
{
	ListCell   *lc;

	foreach(lc, path->indexclauses)
	{
		IndexClause *clause = lfirst_node(IndexClause, lc);
		ListCell   *lc2;

		foreach(lc2, clause->indexquals)
		{
			Node	   *operand = query_operand(lfirst(lc2));

			if (operand)
				add_work(root, path->indexinfo, operand, work);
		}
	}
	foreach(lc, path->indexorderbys)
	{
		Node	   *operand = query_operand(lfirst(lc));

		if (operand)
			add_work(root, path->indexinfo, operand, work);
	}
}

/*
 * Tell the scan how many rows it may be asked for: the LIMIT, and the rows
 * that other conditions drop on the way to it.
 */
static void
note_wanted(PlannerInfo *root, IndexPath *path, double rows)
{
	RelOptInfo *rel = path->indexinfo->rel;
	double		wanted = root->limit_tuples;

	if (path->indexorderbys == NIL)
		return;
	if (wanted > 0 && bms_membership(root->all_baserels) == BMS_SINGLETON &&
		rel->rows > 0 && rel->rows < rows)
		wanted *= rows / rel->rows;
	abst_wanted_plan(path->indexinfo->indexoid,
					 wanted > 0 ? ceil(Min(wanted, rows)) : 0);
}

/*
 * Passes over the postings after the first, until all rows are handed out;
 * see scan.c for how their batches grow.
 */
static double
later_passes(IndexPath *path, double rows)
{
	double		first = path->indexorderbys != NIL ? 32 : 4096;

	return rows > first ? ceil(log(rows / first) / log(8)) : 0;
}

/*
 * Startup is the first pass: look up the terms and read their postings.  What
 * follows is handing out rows and the later passes, of which a LIMIT spares
 * its share.
 */
void
abst_costestimate(PlannerInfo *root, IndexPath *path, double loop_count,
				  Cost *startup, Cost *total, Selectivity *selectivity,
				  double *correlation, double *pages)
{
	IndexOptInfo *index = path->indexinfo;
	List	   *quals = get_quals_from_indexclauses(path->indexclauses);
	ScanWork	work = {0};
	double		rows;
	double		read;
	double		pass;
	double		random_cost;
	double		seq_cost;

	work_of_path(root, path, &work);
	*selectivity = quals == NIL ? 1.0 :
		clauselist_selectivity(root, quals, index->rel->relid, JOIN_INNER,
							   NULL);
	rows = clamp_row_est(*selectivity * index->tuples);
	note_wanted(root, path, rows);
	get_tablespace_page_costs(index->reltablespace, &random_cost, &seq_cost);

	read = ceil(work.postings * POSTING_BYTES / BLCKSZ);
	pass = read * seq_cost +
		work.postings * POSTING_OPERATORS * cpu_operator_cost;
	*startup = work.lookups * LOOKUP_PAGES * random_cost + pass +
		100 * cpu_operator_cost;
	*total = *startup + later_passes(path, rows) * pass +
		rows * (cpu_index_tuple_cost + 2 * cpu_operator_cost);
	if (work.foreign)
	{
		*startup += COST_WRONG_ANSWER;
		*total += COST_WRONG_ANSWER;
	}
	*correlation = 0;
	*pages = read + work.lookups * LOOKUP_PAGES;
}
