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
 * Sums are taken in double, child by child from the left.  So does an index
 * scan of a flat plan, and gets the same score to the last bit.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "miscadmin.h"

#include "query/plan.h"
#include "rank/score.h"
#include "rank/similarity.h"

/*
 * What every node is looked at with.
 *
 * Beside it goes "upper", which matters only while phrases are unknown: is a
 * node to match if that is possible, as at the root, or only if it is
 * certain, as below a NOT?
 */
typedef struct View
{
	const AbstPlan *plan;
	const AbstEvidence *evidence;
	double		saturation;		/* of this document */
} View;

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
abst_weighted_tf(const AbstPlan *plan, AbstTf tf)
{
	double		sum = 0;

	for (int f = 0; f < ABST_NFIELDS; f++)
		sum += plan->weights[f] * tf.field[f];
	return sum;
}

static inline double
score_term(const View *view, const AbstNode *node)
{
	double		wtf = abst_weighted_tf(view->plan,
									   view->evidence->tf[node->term]);

	return abst_bm25_part(node->boost * view->plan->terms[node->term].idf,
						  wtf, view->saturation);
}

/* A phrase; each of its words has to be there in one of its forms. */
static Outcome
score_phrase(const View *view, const AbstNode *node, bool upper)
{
	const AbstEvidence *evidence = view->evidence;
	const AbstNode *end = node + node->span;
	Outcome		result = {false, 0};

	if (evidence->phrases != NULL ? !evidence->phrases[node->term] : !upper)
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
			result.score += score_term(view, form);
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

static bool
match_node(const View *view, const AbstNode *node, bool upper)
{
	const AbstNode *end = node + node->span;
	const AbstNode *child = node + 1;

	check_stack_depth();
	switch (node->kind)
	{
		case ABST_NODE_TERM:
			return view->evidence->tf[node->term].all != 0;
		case ABST_NODE_PHRASE:
			return score_phrase(view, node, upper).match;
		case ABST_NODE_NOT:
			return !match_node(view, child, !upper);
		case ABST_NODE_OPT:
			return match_node(view, child, upper);
		case ABST_NODE_AND:
			for (; child < end; child += child->span)
				if (!match_node(view, child, upper))
					return false;
			return true;
		default:
			for (; child < end; child += child->span)
				if (match_node(view, child, upper))
					return true;
			return false;
	}
}

static Outcome
score_node(const View *view, const AbstNode *node)
{
	const AbstNode *end = node + node->span;
	Outcome		result = {false, 0};

	check_stack_depth();
	switch (node->kind)
	{
		case ABST_NODE_TERM:
			if (view->evidence->tf[node->term].all != 0)
			{
				result.match = true;
				result.score = score_term(view, node);
			}
			return result;

		case ABST_NODE_PHRASE:
			return score_phrase(view, node, true);

		case ABST_NODE_NOT:
			result.match = match_node(view, node, true);
			return result;

		default:
			break;
	}

	for (const AbstNode *child = node + 1; child < end; child += child->span)
	{
		Outcome		one = score_node(view, child);

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

bool
abst_match(const AbstPlan *plan, const AbstEvidence *evidence)
{
	View		view;

	if (plan->kind == ABST_PLAN_LIKE)
	{
		for (int i = 0; i < plan->nterms; i++)
			if (evidence->tf[i].all != 0)
				return true;
		return false;
	}
	if (plan->nnodes == 0)
		return false;
	view.plan = plan;
	view.evidence = evidence;
	view.saturation = 0;
	return match_node(&view, plan->nodes, true);
}

/* The view of a search, once the document's length is known. */
static View
make_view(const AbstPlan *plan, const AbstEvidence *evidence)
{
	View		view = {plan, evidence, 0};

	view.saturation = plan->k_base +
		plan->k_slope * abst_weighted_length(plan, evidence->lengths);
	return view;
}

double
abst_score(const AbstPlan *plan, const AbstEvidence *evidence)
{
	View		view;

	if (plan->kind == ABST_PLAN_LIKE)
		return abst_similarity_score(plan, evidence);
	if (plan->nnodes == 0)
		return 0;
	view = make_view(plan, evidence);
	return score_node(&view, plan->nodes).score;
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
explain_node(const View *view, const AbstNode *node, double *parts)
{
	const AbstNode *end = node + node->span;

	check_stack_depth();
	if (node->kind == ABST_NODE_NOT || !match_node(view, node, true))
		return;
	if (node->kind == ABST_NODE_TERM)
		parts[node->term] += score_term(view, node);
	for (const AbstNode *child = node + 1; child < end; child += child->span)
		explain_node(view, child, parts);
}

void
abst_explain(const AbstPlan *plan, const AbstEvidence *evidence, double *parts)
{
	for (int i = 0; i < plan->nterms; i++)
		parts[i] = 0;
	if (plan->kind == ABST_PLAN_LIKE)
		abst_similarity_explain(plan, evidence, parts);
	else if (plan->nnodes > 0)
	{
		View		view = make_view(plan, evidence);

		explain_node(&view, plan->nodes, parts);
	}
}
