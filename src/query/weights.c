/*-------------------------------------------------------------------------
 *
 * weights.c
 *		What follows from a plan's statistics: idf, saturation, prior.
 *
 * The formulas are Lucene's BM25 (idf never negative) over weighted fields;
 * the similarity prior is half of the largest possible idf.  They stand here
 * once, whatever the statistics came from, so equal statistics give equal
 * weights to the last bit.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <math.h>

#include "query/weights.h"

double
abst_weights_idf(double ndocs, double df)
{
	/* statistics of a moment: df is never more than there are documents */
	if (df > ndocs)
		df = ndocs;
	return log(1.0 + (ndocs - df + 0.5) / (df + 0.5));
}

void
abst_weights_unbound(AbstPlan *plan)
{
	plan->bound = false;
	plan->ndocs = 0;
	plan->avglen = 0;
	plan->k1 = ABST_DEFAULT_K1;
	plan->b = ABST_DEFAULT_B;
	for (int f = 0; f < ABST_NFIELDS; f++)
		plan->weights[f] = ABST_DEFAULT_WEIGHT;
	abst_weights_derive(plan);
}

void
abst_weights_bound(AbstPlan *plan, const AbstCorpus *corpus)
{
	double		total = 0;

	plan->bound = true;
	plan->ndocs = corpus->ndocs;
	plan->k1 = corpus->k1;
	plan->b = corpus->b;
	for (int f = 0; f < ABST_NFIELDS; f++)
	{
		plan->weights[f] = corpus->weights[f];
		total += corpus->weights[f] * corpus->lengths[f];
	}
	plan->avglen = (corpus->ndocs > 0) ? total / corpus->ndocs : 0;
	abst_weights_derive(plan);
}

void
abst_weights_derive(AbstPlan *plan)
{
	for (int i = 0; i < plan->nterms; i++)
	{
		AbstPlanTerm *term = &plan->terms[i];

		term->idf = plan->bound ? abst_weights_idf(plan->ndocs,
												   term->df) : 1.0;
	}
	plan->prior = plan->bound ? abst_weights_idf(plan->ndocs, 0) / 2 : 1.0;

	/* without a mean length there is nothing to normalise by */
	if (plan->avglen > 0)
	{
		plan->k_base = plan->k1 * (1.0 - plan->b);
		plan->k_slope = plan->k1 * plan->b / plan->avglen;
	}
	else
	{
		plan->k_base = plan->k1;
		plan->k_slope = 0;
	}
}

/* By falling weight, which is what a term can add at most; then as lexemes. */
static int
cmp_weight(const void *a, const void *b, void *arg)
{
	const AbstPlanTerm *terms = arg;
	const AbstNode *x = a;
	const AbstNode *y = b;
	double		wx = x->boost * terms[x->term].idf;
	double		wy = y->boost * terms[y->term].idf;

	if (wx != wy)
		return wx > wy ? -1 : 1;
	return x->term < y->term ? -1 : x->term > y->term;
}

void
abst_weights_order(AbstPlan *plan)
{
	if (plan->flat && plan->kind == ABST_PLAN_SEARCH)
		qsort_arg(plan->nodes + 1, plan->nnodes - 1, sizeof(AbstNode),
				  cmp_weight, plan->terms);
}
