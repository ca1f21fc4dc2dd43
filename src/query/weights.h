/*-------------------------------------------------------------------------
 *
 * weights.h
 *		What follows from a plan's statistics: idf, saturation, prior.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_QUERY_WEIGHTS_H
#define ABST_QUERY_WEIGHTS_H

#include "compat.h"
#include "query/plan.h"
#include "query/query.h"

/* Default parameters, those of an index without options as well. */
#define ABST_DEFAULT_K1		1.2
#define ABST_DEFAULT_B		0.75
#define ABST_DEFAULT_WEIGHT	1.0
/* Largest k1 and weight; b is at most 1. */
#define ABST_MAX_K1			100.0
#define ABST_MAX_WEIGHT		100.0

/* Set the parameters and statistics of an unbound plan. */
extern void abst_weights_unbound(AbstPlan *plan);

/* Set those of a bound one; "lengths" are the corpus's total lengths. */
extern void abst_weights_bound(AbstPlan *plan, const AbstCorpus *corpus);

/* Fill in what is derived from them: idf, k_base, k_slope, prior. */
extern void abst_weights_derive(AbstPlan *plan);

/*
 * Put the terms of a flat search in the order in which their parts are added
 * up: the heaviest first, so that a scan may leave the lightest for those
 * documents that still have a chance.
 */
extern void abst_weights_order(AbstPlan *plan);

#endif							/* ABST_QUERY_WEIGHTS_H */
