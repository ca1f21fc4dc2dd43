/*-------------------------------------------------------------------------
 *
 * similarity.c
 *		How alike two documents are.
 *
 * With f = 1 + ln tf (tf over all fields), w the idf of a term and m the
 * prior that stands for the idf of a term that is not looked up:
 *
 *		sim(a, b) = sum w f_a f_b / sqrt(S_a S_b)
 *		S_x       = m (|x|^2 - sum f_x^2) + sum w f_x^2
 *
 * where the sums run over the shared terms and |x|^2, the norm, is the sum of
 * f_x^2 over all terms of x.  Only shared terms need an idf, so the two
 * documents and the statistics of what they share decide.
 *
 * Promised: symmetric to the last bit, within [0, 1], and exactly 1 for
 * documents with the same terms and frequencies.  For the last the norm,
 * which is kept in float4, must not show its rounding: a term that is not
 * shared adds at least 1 to it, so less than half of that is nothing.  Then
 * both S are the numerator, and the root of its square is exact.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <math.h>

#include "miscadmin.h"

#include "rank/similarity.h"

static double
similarity(const AbstLikeSums *sums, double norm_mine, double norm_theirs,
		   double prior)
{
	double		result;

	if (!(sums->dot > 0))
		return 0;
	result = sums->dot /
		sqrt(abst_like_full_norm(norm_mine, sums->own_mine,
								 sums->weighted_mine, prior) *
			 abst_like_full_norm(norm_theirs, sums->own_theirs,
								 sums->weighted_theirs, prior));
	return (result < 1.0) ? result : 1.0;
}

double
abst_like_similarity(const AbstPlan *plan, const AbstLikeSums *sums,
					 float4 norm)
{
	return similarity(sums, plan->like_norm, norm, plan->prior);
}

static void
add_shared(const AbstPlan *plan, const AbstEvidence *evidence, int i,
		   AbstLikeSums *sums)
{
	if (evidence->tf[i].all != 0)
		abst_like_add(sums, plan->terms[i].idf,
					  abst_like_frequency(plan->terms[i].tf),
					  abst_like_frequency(evidence->tf[i]));
}

double
abst_similarity_score(const AbstPlan *plan, const AbstEvidence *evidence)
{
	AbstLikeSums sums = {0};

	for (int i = 0; i < plan->nterms; i++)
		add_shared(plan, evidence, i, &sums);
	return abst_like_similarity(plan, &sums, evidence->norm);
}

void
abst_similarity_explain(const AbstPlan *plan, const AbstEvidence *evidence,
						double *parts)
{
	AbstLikeSums sums = {0};
	double		score;

	for (int i = 0; i < plan->nterms; i++)
	{
		AbstLikeSums one = {0};

		add_shared(plan, evidence, i, &one);
		add_shared(plan, evidence, i, &sums);
		parts[i] = one.dot;
	}
	score = abst_like_similarity(plan, &sums, evidence->norm);
	for (int i = 0; i < plan->nterms; i++)
		parts[i] = (sums.dot > 0) ? score * (parts[i] / sums.dot) : 0;
}

double
abst_similarity_of_docs(const AbstDoc *a, const AbstDoc *b)
{
	AbstLikeSums sums = {0};
	int			i = 0;
	int			j = 0;

	while (i < a->nterms && j < b->nterms)
	{
		const AbstDocTerm *mine = &a->terms[i];
		const AbstDocTerm *theirs = &b->terms[j];
		int			order = abst_lexeme_cmp(mine->lexeme, mine->len,
											theirs->lexeme, theirs->len);

		CHECK_FOR_INTERRUPTS();
		if (order == 0)
			abst_like_add(&sums, 1.0, abst_like_frequency(mine->tf),
						  abst_like_frequency(theirs->tf));
		i += (order <= 0);
		j += (order >= 0);
	}
	return similarity(&sums, a->norm, b->norm, 1.0);
}
