/*-------------------------------------------------------------------------
 *
 * score.c
 *		Match and score of a document under a plan.
 *
 * BM25F: a term adds boost * idf * wtf / (wtf + k_base + k_slope * wlen),
 * wtf and wlen being frequency and length weighted by field (Robertson,
 * Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields",
 * 2004; idf and the missing factor k1 + 1 are Lucene's).  A node scores only
 * if it matches:
 *
 *		TERM	the document has the term
 *		PHRASE	it occurs; the sum of its words
 *		AND		all children match; their sum
 *		OR		any child matches; the sum of those that do
 *		OPT		the first child matches; the sum of those that do
 *		NOT		the child does not match; nothing
 *
 * Sums are taken in double, child by child from the left.  The children of a
 * flat plan stand in term order, so adding up its terms in that order gives
 * the same score to the last bit.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "miscadmin.h"

#include "query/weights.h"
#include "rank/score.h"
#include "rank/similarity.h"

typedef struct Outcome
{
	bool		match;
	double		score;
} Outcome;

double
abst_idf(double ndocs, double df)
{
	return abst_weights_idf(ndocs, df);
}

double
abst_weighted_length(const AbstPlan *plan, AbstLengths lengths)
{
	double		sum = 0;

	for (int f = 0; f < ABST_NFIELDS; f++)
		sum += plan->weights[f] * lengths.field[f];
	return sum;
}

double
abst_weighted_tf(const AbstPlan *plan, AbstTf tf)
{
	double		sum = 0;

	for (int f = 0; f < ABST_NFIELDS; f++)
		sum += plan->weights[f] * tf.field[f];
	return sum;
}

static inline double
score_term(const AbstPlan *plan, const AbstEvidence *evidence,
		   const AbstNode *node, double saturation)
{
	double		wtf = abst_weighted_tf(plan, evidence->tf[node->term]);

	return node->boost * abst_bm25_part(plan->terms[node->term].idf, wtf,
										saturation);
}

/*
 * A phrase.  Where it is not known whether it occurs it is taken to occur if
 * each of its words is there in one of its forms.
 */
static Outcome
score_phrase(const AbstPlan *plan, const AbstEvidence *evidence,
			 const AbstNode *node, double saturation)
{
	const AbstNode *end = node + node->span;
	Outcome		result = {false, 0};

	if (evidence->phrases != NULL && !evidence->phrases[node->term])
		return result;
	for (const AbstNode *child = node + 1; child < end; child += child->span)
	{
		bool		present = false;

		for (const AbstNode *form = child; form < child + child->span; form++)
		{
			if (form->kind != ABST_NODE_TERM ||
				evidence->tf[form->term].all == 0)
				continue;
			present = true;
			result.score += score_term(plan, evidence, form, saturation);
		}
		if (!present)
		{
			result.score = 0;
			return result;
		}
	}
	result.match = true;
	return result;
}

static Outcome
score_node(const AbstPlan *plan, const AbstEvidence *evidence,
		   const AbstNode *node, double saturation)
{
	const AbstNode *end = node + node->span;
	const AbstNode *child = node + 1;
	Outcome		result = {false, 0};

	check_stack_depth();
	switch (node->kind)
	{
		case ABST_NODE_TERM:
			if (evidence->tf[node->term].all != 0)
			{
				result.match = true;
				result.score = score_term(plan, evidence, node, saturation);
			}
			return result;

		case ABST_NODE_PHRASE:
			return score_phrase(plan, evidence, node, saturation);

		case ABST_NODE_NOT:
			result.match = !score_node(plan, evidence, child, saturation).match;
			return result;

		default:
			break;
	}

	for (; child < end; child += child->span)
	{
		Outcome		one = score_node(plan, evidence, child, saturation);

		if (one.match)
		{
			result.match = true;
			result.score += one.score;
		}
		else if (node->kind == ABST_NODE_AND ||
				 (node->kind == ABST_NODE_OPT && child == node + 1))
		{
			result.match = false;
			result.score = 0;
			return result;
		}
	}
	return result;
}

static bool
match_node(const AbstPlan *plan, const AbstEvidence *evidence,
		   const AbstNode *node)
{
	const AbstNode *end = node + node->span;
	const AbstNode *child = node + 1;

	check_stack_depth();
	switch (node->kind)
	{
		case ABST_NODE_TERM:
			return evidence->tf[node->term].all != 0;
		case ABST_NODE_PHRASE:
			return score_phrase(plan, evidence, node, 0).match;
		case ABST_NODE_NOT:
			return !match_node(plan, evidence, child);
		case ABST_NODE_OPT:
			return match_node(plan, evidence, child);
		case ABST_NODE_AND:
			for (; child < end; child += child->span)
				if (!match_node(plan, evidence, child))
					return false;
			return true;
		default:
			for (; child < end; child += child->span)
				if (match_node(plan, evidence, child))
					return true;
			return false;
	}
}

bool
abst_match(const AbstPlan *plan, const AbstEvidence *evidence)
{
	if (plan->kind == ABST_PLAN_LIKE)
	{
		for (int i = 0; i < plan->nterms; i++)
			if (evidence->tf[i].all != 0)
				return true;
		return false;
	}
	return plan->nnodes > 0 && match_node(plan, evidence, plan->nodes);
}

double
abst_score(const AbstPlan *plan, const AbstEvidence *evidence)
{
	double		saturation;

	if (plan->kind == ABST_PLAN_LIKE)
		return abst_similarity_score(plan, evidence);
	if (plan->nnodes == 0)
		return 0;
	saturation = plan->k_base +
		plan->k_slope * abst_weighted_length(plan, evidence->lengths);
	return score_node(plan, evidence, plan->nodes, saturation).score;
}

double
abst_distance_of_score(const AbstPlan *plan, double score)
{
	if (plan->kind == ABST_PLAN_LIKE)
		return 1.0 - score;
	return (score > 0) ? -score : 0.0;
}

/* Add the parts of the terms below a node that matches. */
static void
explain_node(const AbstPlan *plan, const AbstEvidence *evidence,
			 const AbstNode *node, double saturation, double *parts)
{
	const AbstNode *end = node + node->span;

	check_stack_depth();
	if (node->kind == ABST_NODE_NOT || !match_node(plan, evidence, node))
		return;
	if (node->kind == ABST_NODE_TERM)
		parts[node->term] += score_term(plan, evidence, node, saturation);
	for (const AbstNode *child = node + 1; child < end; child += child->span)
		explain_node(plan, evidence, child, saturation, parts);
}

void
abst_explain(const AbstPlan *plan, const AbstEvidence *evidence, double *parts)
{
	for (int i = 0; i < plan->nterms; i++)
		parts[i] = 0;
	if (plan->kind == ABST_PLAN_LIKE)
		abst_similarity_explain(plan, evidence, parts);
	else if (plan->nnodes > 0)
		explain_node(plan, evidence, plan->nodes, plan->k_base +
					 plan->k_slope *
					 abst_weighted_length(plan, evidence->lengths), parts);
}
