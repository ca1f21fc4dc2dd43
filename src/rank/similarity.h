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

/*
 * What the shared terms of two documents add up to, in term order; see
 * similarity.c for the formula.
 */
typedef struct AbstShared
{
	double		product;		/* sum of w f_a f_b */
	double		extra_a;		/* sum of (w - prior) f_a^2 */
	double		extra_b;
	int			nequal;			/* terms that both have equally often */
} AbstShared;

/* Add a shared term: its weight and both frequencies (1 + ln tf). */
static inline void
abst_share_term(AbstShared *shared, double weight, double prior, double f_a,
				double f_b)
{
	shared->product += weight * (f_a * f_b);
	shared->extra_a += (weight - prior) * (f_a * f_a);
	shared->extra_b += (weight - prior) * (f_b * f_b);
	shared->nequal += (f_a == f_b);
}

/* Similarity of the plan's document (a) and one with "norm" (b). */
extern double abst_similarity_of_shared(const AbstPlan *plan,
										const AbstShared *shared, float4 norm);

/* Similarity of the plan's document (LIKE) and the one in evidence. */
extern double abst_similarity_score(const AbstPlan *plan,
									const AbstEvidence *evidence);

/*
 * Similarity of two documents without a corpus: what an unbound LIKE of
 * either gives for the other, to the last bit.
 */
extern double abst_similarity_of_docs(const AbstDoc *a, const AbstDoc *b);

#endif							/* ABST_RANK_SIMILARITY_H */
