/*-------------------------------------------------------------------------
 *
 * search.h
 *		Evaluate plans over everything an index holds.
 *
 * One pass over the segments and the pending list finds either the best k
 * rows in the total order of rank/topk.h, or every row that matches.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_SEARCH_H
#define ABST_INDEX_SEARCH_H

#include "compat.h"
#include "index/meta.h"
#include "query/plan.h"
#include "rank/topk.h"

typedef void (*AbstEmit) (void *arg, ItemPointer tid);

typedef struct AbstSearch
{
	Relation	index;
	/* a row's distances: one plan per key */
	int			norders;
	const AbstPlan **orders;
	/* a row must match all; one that also orders is the same pointer */
	int			nquals;
	const AbstPlan **quals;
	/* where rows go: the best k, or all that match in no order */
	AbstTopK   *topk;
	AbstEmit	emit;
	void	   *emit_arg;
} AbstSearch;

/*
 * One pass.  ABST_READ_STALE: the directory was replaced meanwhile; what was
 * collected must be thrown away (rows already emitted may stay: each of them
 * matched).  Memory it uses is freed before it returns.
 *
 * Phrases are taken to occur wherever all their words do: distances are then
 * lower bounds, and matches have to be rechecked.
 */
extern AbstRead abst_search_pass(AbstSearch *search,
								 const AbstDirectory *directory);

#endif							/* ABST_INDEX_SEARCH_H */
