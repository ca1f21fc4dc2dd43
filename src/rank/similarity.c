/*-------------------------------------------------------------------------
 *
 * similarity.c
 *		How alike two documents are.
 *
 * With f = 1 + ln tf (tf over all fields), w the idf of a term and m the
 * prior that stands for the idf of a term not looked up:
 *
 *		sim(a, b) = sum w f_a f_b / sqrt(S_a S_b)
 *		S_x       = m (|x|^2 - sum f_x^2) + sum w f_x^2
 *
 * where the sums run over the shared terms and |x|^2 is the sum of f_x^2 over
 * all terms of x.  Only shared terms need an idf, so two documents and the
 * statistics of their shared terms decide.
 *
 * Promised: symmetric to the last bit (every product is of one factor from
 * each side, or symmetric itself), within [0, 1], and exactly 1 for documents
 * with the same terms and frequencies.  Rounding, of the stored norm in
 * float4 first of all, is kept from showing: the rest of a norm is never
 * negative, the result is clipped, and equality is recognised as such.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <math.h>

#include "miscadmin.h"

#include "rank/similarity.h"

/* What the shared terms add up to. */
typedef struct Shared
{
	double		product;		/* sum of w f_a f_b */
	double		own_a;			/* sum of f_a^2 */
	double		own_b;
	double		weighted_a;		/* sum of w f_a^2 */
	double		weighted_b;
	bool		same;			/* frequencies equal so far */
} Shared;

static inline int
total_tf(AbstTf tf)
{
	int			sum = 0;

	for (int f = 0; f < ABST_NFIELDS; f++)
		sum += tf.field[f];
	return sum;
}

static void
share_term(Shared *shared, double weight, AbstTf a, AbstTf b)
{
	int			tf_a = total_tf(a);
	int			tf_b = total_tf(b);
	double		square_a = abst_norm_part(a);
	double		square_b = (tf_a == tf_b) ? square_a : abst_norm_part(b);

	/*
	 * abst_norm_part is where a frequency becomes a weight; the root of the
	 * product of two squares keeps that the only place.
	 */
	shared->product += weight * sqrt(square_a * square_b);
	shared->own_a += square_a;
	shared->own_b += square_b;
	shared->weighted_a += weight * square_a;
	shared->weighted_b += weight * square_b;
	if (tf_a != tf_b)
		shared->same = false;
}

static inline double
full_norm(double norm, double own, double weighted, double prior)
{
	return prior * Max(norm - own, 0) + weighted;
}

static double
similarity(const Shared *shared, double norm_a, double norm_b, double prior)
{
	double		result;

	if (!(shared->product > 0))
		return 0;
	result = shared->product /
		sqrt(full_norm(norm_a, shared->own_a, shared->weighted_a, prior) *
			 full_norm(norm_b, shared->own_b, shared->weighted_b, prior));
	return (result < 1.0) ? result : 1.0;
}

double
abst_similarity_score(const AbstPlan *plan, const AbstEvidence *evidence)
{
	Shared		shared = {.same = true};
	bool		all = true;

	for (int i = 0; i < plan->nterms; i++)
	{
		if (evidence->tf[i].all == 0)
			all = false;
		else
			share_term(&shared, plan->terms[i].idf, plan->terms[i].tf,
					   evidence->tf[i]);
	}

	/*
	 * Every term of the query document is there as often, and the other's
	 * norm leaves no room for more: a further term adds at least 1 to it.
	 */
	if (all && shared.same && plan->nterms > 0 &&
		evidence->norm - plan->like_norm < 0.5)
		return 1.0;
	return similarity(&shared, plan->like_norm, evidence->norm, plan->prior);
}

double
abst_similarity_of_docs(const AbstDoc *a, const AbstDoc *b)
{
	Shared		shared = {.same = true};
	int			nshared = 0;
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
		{
			share_term(&shared, 1.0, a->terms[i].tf, b->terms[j].tf);
			nshared++;
			i++;
			j++;
		}
	}
	if (nshared > 0 && nshared == a->nterms && nshared == b->nterms &&
		shared.same)
		return 1.0;
	return similarity(&shared, a->norm, b->norm, 1.0);
}
