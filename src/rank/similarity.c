/*-------------------------------------------------------------------------
 *
 * similarity.c
 *		How alike two documents are.
 *
 * With f = 1 + ln tf (tf over all fields), w the idf of a term and m the
 * prior that stands for the idf of a term not looked up:
 *
 *		sim(a, b) = sum w f_a f_b / sqrt(S_a S_b)
 *		S_x       = m |x|^2 + sum (w - m) f_x^2
 *
 * where the sums run over the shared terms and |x|^2 is the sum of f_x^2 over
 * all terms of x.  Only shared terms need an idf, so two documents and the
 * statistics of their shared terms decide.
 *
 * Promised: symmetric to the last bit (every product is of one factor from
 * each side, or symmetric itself), within [0, 1], and exactly 1 for documents
 * with the same terms and frequencies.  Rounding, of the stored norm in
 * float4 first of all, is kept from showing: the result is clipped, and
 * equality is recognised as such.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <math.h>

#include "miscadmin.h"

#include "rank/similarity.h"

/* Two documents with these norms; "equal" says they have the same terms. */
static double
similarity(const AbstShared *shared, double norm_a, double norm_b,
		   double prior, bool equal)
{
	double		full_a = prior * norm_a + shared->extra_a;
	double		full_b = prior * norm_b + shared->extra_b;
	double		result;

	if (equal)
		return 1.0;
	if (!(shared->product > 0) || !(full_a > 0) || !(full_b > 0))
		return 0;
	result = shared->product / sqrt(full_a * full_b);
	return (result < 1.0) ? result : 1.0;
}

double
abst_similarity_of_shared(const AbstPlan *plan, const AbstShared *shared,
						  float4 norm)
{
	/*
	 * Every term of the query document is there as often, and the other's
	 * norm leaves no room for more: a further term adds at least 1 to it.
	 */
	bool		equal = plan->nterms > 0 && shared->nequal == plan->nterms &&
		norm - plan->like_norm < 0.5;

	return similarity(shared, plan->like_norm, norm, plan->prior, equal);
}

double
abst_similarity_score(const AbstPlan *plan, const AbstEvidence *evidence)
{
	AbstShared	shared = {0};

	for (int i = 0; i < plan->nterms; i++)
		if (evidence->tf[i].all != 0)
			abst_share_term(&shared, plan->terms[i].idf, plan->prior,
							abst_like_frequency(plan->terms[i].tf),
							abst_like_frequency(evidence->tf[i]));
	return abst_similarity_of_shared(plan, &shared, evidence->norm);
}

double
abst_similarity_of_docs(const AbstDoc *a, const AbstDoc *b)
{
	AbstShared	shared = {0};
	int			i = 0;
	int			j = 0;

	while (i < a->nterms && j < b->nterms)
	{
		int			order = abst_lexeme_cmp(a->terms[i].lexeme, a->terms[i].len,
											b->terms[j].lexeme, b->terms[j].len);

		CHECK_FOR_INTERRUPTS();
		if (order < 0)
			i++;
		else if (order > 0)
			j++;
		else
			abst_share_term(&shared, 1.0, 1.0,
							abst_like_frequency(a->terms[i++].tf),
							abst_like_frequency(b->terms[j++].tf));
	}
	return similarity(&shared, a->norm, b->norm, 1.0,
					  a->nterms > 0 && shared.nequal == a->nterms &&
					  shared.nequal == b->nterms);
}
