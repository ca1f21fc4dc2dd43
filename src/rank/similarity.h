/*-------------------------------------------------------------------------
 *
 * similarity.h
 *		How alike two documents are.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_RANK_SIMILARITY_H
#define ABST_RANK_SIMILARITY_H

#include "compat.h"
#include "query/plan.h"
#include "rank/score.h"
#include "text/doc.h"

/* S of one side, see similarity.c. */
static inline double
abst_like_full_norm(double norm, double own, double weighted, double prior)
{
	double		rest = norm - own;

	return (rest < 0.5) ? weighted : prior * rest + weighted;
}

/*
 * May the similarity be "least" or more?  Without a root or a division, and
 * with a slack for rounding: never no when it is.
 */
static inline bool
abst_like_reaches(const AbstPlan *plan, const AbstLikeSums *sums, float4 norm,
				  double least)
{
	const double slack = 1 - 1e-9;

	if (!(least > 1e-6))
		return true;
	return sums->dot * sums->dot >= slack * least * least *
		abst_like_full_norm(plan->like_norm, sums->own_mine,
							sums->weighted_mine, plan->prior) *
		abst_like_full_norm(norm, sums->own_theirs, sums->weighted_theirs,
							plan->prior);
}

/* Similarity of the plan's document (LIKE) and the one in evidence. */
extern double abst_similarity_score(const AbstPlan *plan,
									const AbstEvidence *evidence);

/* What each shared term adds to it. */
extern void abst_similarity_explain(const AbstPlan *plan,
									const AbstEvidence *evidence,
									double *parts);

/*
 * Similarity of two documents without a corpus: what an unbound LIKE of
 * either gives for the other, to the last bit.
 */
extern double abst_similarity_of_docs(const AbstDoc *a, const AbstDoc *b);

#endif							/* ABST_RANK_SIMILARITY_H */
