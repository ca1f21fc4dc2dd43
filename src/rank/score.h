/*-------------------------------------------------------------------------
 *
 * score.h
 *		Match and score of a document: the one place where both are decided.
 *
 * The operators on rows and the index call these functions with the same
 * evidence, so their results agree to the last bit.  Nothing here knows a
 * page or a tuple.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_RANK_SCORE_H
#define ABST_RANK_SCORE_H

#include "compat.h"
#include "query/plan.h"

/* What is known of a document with regard to one plan. */
typedef struct AbstEvidence
{
	AbstTf	   *tf;				/* one per plan term, all zero where absent */
	AbstLengths lengths;
	float4		norm;			/* abst_doc_measure's; used by LIKE only */
	bool	   *phrases;		/* one per phrase of the plan: does it occur;
								 * NULL: unknown */
} AbstEvidence;

/* idf of a term in n of N documents: ln(1 + (N - n + 0.5) / (n + 0.5)). */
extern double abst_idf(double ndocs, double df);

/* Weighted length of a document under the plan's field weights. */
static inline double
abst_weighted_length(const AbstPlan *plan, AbstLengths lengths)
{
	double		sum = 0;

	for (int f = 0; f < ABST_NFIELDS; f++)
		sum += plan->weights[f] * lengths.field[f];
	return sum;
}

/* Weighted frequency under the plan's field weights. */
extern double abst_weighted_tf(const AbstPlan *plan, AbstTf tf);

/*
 * Part of one term in the BM25F score: weight * (wtf / (wtf + saturation)),
 * in just this order, with weight = boost * idf and saturation = k_base +
 * k_slope * wlen.  The second factor depends on the document alone, so it may
 * come from a table.  Fields of weight 0 may leave no frequency, and k1 = 0 no
 * saturation.
 */
static inline double
abst_saturated(double wtf, double saturation)
{
	return wtf > 0 ? wtf / (wtf + saturation) : 0;
}

static inline double
abst_bm25_part(double weight, double wtf, double saturation)
{
	return weight * abst_saturated(wtf, saturation);
}

/*
 * Similarity adds up a few sums over the shared terms, in term order; see
 * similarity.c for the formula.  "mine" is the query document, "theirs" the
 * row.  Each product is symmetric, so the two may change places.
 */
typedef struct AbstLikeSums
{
	double		dot;			/* w f_mine f_theirs */
	double		own_mine;		/* f_mine^2 */
	double		own_theirs;
	double		weighted_mine;	/* w f_mine^2 */
	double		weighted_theirs;
} AbstLikeSums;

static inline void
abst_like_add(AbstLikeSums *sums, double w, double f_mine, double f_theirs)
{
	double		square_mine = f_mine * f_mine;
	double		square_theirs = f_theirs * f_theirs;

	sums->dot += w * (f_mine * f_theirs);
	sums->own_mine += square_mine;
	sums->own_theirs += square_theirs;
	sums->weighted_mine += w * square_mine;
	sums->weighted_theirs += w * square_theirs;
}

/* Similarity in [0, 1] from the sums and the row's norm. */
extern double abst_like_similarity(const AbstPlan *plan,
								   const AbstLikeSums *sums, float4 norm);

/*
 * Does the document match?  When phrases are unknown: may it match?  Then a
 * phrase is taken to occur if all its words are there, but under NOT it is
 * taken not to, so that the answer is never no for a document that matches.
 */
extern bool abst_match(const AbstPlan *plan, const AbstEvidence *evidence);

/*
 * SEARCH: BM25F score >= 0, 0 when it does not match; an upper bound when
 * phrases are unknown.  LIKE: similarity.
 */
extern double abst_score(const AbstPlan *plan, const AbstEvidence *evidence);

/* What each term of the plan adds to the score; "parts" has one for each. */
extern void abst_explain(const AbstPlan *plan, const AbstEvidence *evidence,
						 double *parts);

/* SEARCH: -score (0, not -0, without a match).  LIKE: 1 - similarity. */
extern double abst_distance_of_score(const AbstPlan *plan, double score);

/* Evidence of a row's tsvector; arrays palloc'd or reused through "evidence". */
extern void abst_evidence_from_vector(const AbstPlan *plan, TSVector vector,
									  AbstEvidence *evidence);

#endif							/* ABST_RANK_SCORE_H */
