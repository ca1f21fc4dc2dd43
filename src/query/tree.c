/*-------------------------------------------------------------------------
 *
 * tree.c
 *		Query trees and their canonical form.
 *
 * The canonical form makes a query's score independent of how it was
 * written, and lets an index add up scores in term order:
 *
 * - no node without need: an AND or OR of one child is that child, an OR in
 *   an OR is taken apart, so is an AND in an AND; NOT NOT cancels out;
 * - in an OR, an AND and among the additions of an OPT, equal terms are one
 *   node whose boost is the sum, and terms stand first, in term order;
 * - a query of plain words only is an OR of TERMs, even for one word ("flat").
 *
 * Recursion is as deep as the tree, which the grammar bounds; the stack is
 * checked all the same.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "common/hashfn.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "query/tree.h"
#include "text/doc.h"
#include "text/lexemes.h"

typedef struct BuilderTerm
{
	const char *lexeme;
	int			len;
	uint32		hash;
	uint32		rank;			/* place in the sorted terms, then in the plan */
	double		df;
	bool		used;
} BuilderTerm;

struct AbstBuilder
{
	MemoryContext context;
	BuilderTerm *terms;
	uint32		nterms;
	uint32		maxterms;
	uint32	   *slots;			/* open addressing; term number + 1, or 0 */
	uint32		nslots;			/* power of two, over twice maxterms */
	bool		bound;
};

/* ---- making ---- */

AbstBuilder *
abst_builder_make(void)
{
	AbstBuilder *builder = palloc0(sizeof(AbstBuilder));

	builder->context = CurrentMemoryContext;
	builder->maxterms = 32;
	builder->nslots = 128;
	builder->terms = palloc(builder->maxterms * sizeof(BuilderTerm));
	builder->slots = palloc0(builder->nslots * sizeof(uint32));
	return builder;
}

static void
grow_terms(AbstBuilder *builder)
{
	builder->maxterms *= 2;
	builder->nslots *= 2;
	builder->terms = repalloc_huge(builder->terms,
								   (Size) builder->maxterms * sizeof(BuilderTerm));
	pfree(builder->slots);
	builder->slots = MemoryContextAllocExtended(builder->context,
												(Size) builder->nslots * sizeof(uint32),
												MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (uint32 i = 0; i < builder->nterms; i++)
	{
		uint32		slot = builder->terms[i].hash & (builder->nslots - 1);

		while (builder->slots[slot] != 0)
			slot = (slot + 1) & (builder->nslots - 1);
		builder->slots[slot] = i + 1;
	}
}

uint32
abst_builder_term(AbstBuilder *builder, const char *lexeme, int len)
{
	uint32		hash;
	uint32		slot;
	BuilderTerm *term;
	char	   *copy;

	if (len > ABST_MAX_LEXEME)
		len = pg_mbcliplen(lexeme, len, ABST_MAX_LEXEME);
	hash = hash_bytes((const unsigned char *) lexeme, len);
	slot = hash & (builder->nslots - 1);
	while (builder->slots[slot] != 0)
	{
		term = &builder->terms[builder->slots[slot] - 1];
		if (term->hash == hash && term->len == len &&
			memcmp(term->lexeme, lexeme, len) == 0)
			return builder->slots[slot] - 1;
		slot = (slot + 1) & (builder->nslots - 1);
	}

	copy = MemoryContextAlloc(builder->context, len + 1);
	memcpy(copy, lexeme, len);
	copy[len] = '\0';
	term = &builder->terms[builder->nterms];
	memset(term, 0, sizeof(BuilderTerm));
	term->lexeme = copy;
	term->len = len;
	term->hash = hash;
	builder->slots[slot] = ++builder->nterms;
	if (builder->nterms == builder->maxterms)
		grow_terms(builder);
	return builder->nterms - 1;
}

AbstTree *
abst_tree_make(AbstBuilder *builder, AbstNodeKind kind)
{
	AbstTree   *node = MemoryContextAllocZero(builder->context,
											  sizeof(AbstTree));

	node->kind = kind;
	return node;
}

AbstTree *
abst_tree_term(AbstBuilder *builder, uint32 term, AbstWanted wanted)
{
	AbstTree   *node = abst_tree_make(builder, ABST_NODE_TERM);

	node->term = term;
	node->wanted = wanted;
	node->boost = 1.0;
	return node;
}

void
abst_tree_add(AbstTree *parent, AbstTree *child)
{
	if (child == NULL)
		return;
	child->next = NULL;
	if (parent->last != NULL)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
}

/* ---- canonical form ---- */

static int
term_order(const void *a, const void *b, void *arg)
{
	const BuilderTerm *terms = arg;
	const BuilderTerm *x = &terms[*(const uint32 *) a];
	const BuilderTerm *y = &terms[*(const uint32 *) b];

	return abst_lexeme_cmp(x->lexeme, x->len, y->lexeme, y->len);
}

/* Rank all terms, and look up their df if the query is being bound. */
static uint32 *
rank_terms(AbstBuilder *builder, AbstDfLookup lookup, void *arg)
{
	uint32		n = builder->nterms;
	uint32	   *order = palloc_extended((Size) (n + 1) * sizeof(uint32),
										MCXT_ALLOC_HUGE);

	for (uint32 i = 0; i < n; i++)
		order[i] = i;
	qsort_arg(order, n, sizeof(uint32), term_order, builder->terms);
	for (uint32 i = 0; i < n; i++)
		builder->terms[order[i]].rank = i;

	builder->bound = (lookup != NULL);
	if (builder->bound)
	{
		AbstPlanTerm *terms;

		terms = palloc_extended((Size) (n + 1) * sizeof(AbstPlanTerm),
								MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
		for (uint32 i = 0; i < n; i++)
		{
			terms[i].lexeme = builder->terms[order[i]].lexeme;
			terms[i].len = builder->terms[order[i]].len;
		}
		lookup(arg, terms, n);
		for (uint32 i = 0; i < n; i++)
			builder->terms[order[i]].df = terms[i].df;
		pfree(terms);
	}
	return order;
}

static bool
term_stays(AbstBuilder *builder, const AbstTree *node)
{
	switch (node->wanted)
	{
		case ABST_WANTED_ALWAYS:
			break;
		case ABST_WANTED_VARIANT:
			return !builder->bound || builder->terms[node->term].df > 0;
		case ABST_WANTED_KNOWN:
			return builder->bound && builder->terms[node->term].df > 0;
	}
	return true;
}

/* Can a term below the node be in some document of the corpus? */
static bool
may_occur(AbstBuilder *builder, const AbstTree *node)
{
	if (node->kind == ABST_NODE_TERM)
		return builder->terms[node->term].df > 0;
	for (const AbstTree *child = node->first; child; child = child->next)
		if (may_occur(builder, child))
			return true;
	return false;
}

/* A phrase that was not asked for goes if one of its words is nowhere. */
static bool
phrase_stays(AbstBuilder *builder, const AbstTree *node)
{
	if (node->wanted == ABST_WANTED_ALWAYS)
		return true;
	if (!builder->bound)
		return node->wanted == ABST_WANTED_VARIANT;
	for (const AbstTree *child = node->first; child; child = child->next)
		if (!may_occur(builder, child))
			return false;
	return true;
}

static int
node_order(const void *a, const void *b, void *arg)
{
	const BuilderTerm *terms = arg;
	uint32		x = terms[(*(AbstTree *const *) a)->term].rank;
	uint32		y = terms[(*(AbstTree *const *) b)->term].rank;

	return (x > y) - (x < y);
}

/*
 * Put the terms of a child list first, in order, and merge equal ones.  The
 * list starts behind "skip", the first child of an OPT.
 */
static void
order_children(AbstBuilder *builder, AbstTree *node, AbstTree *skip)
{
	AbstTree  **terms;
	AbstTree   *rest = NULL;
	AbstTree  **rest_end = &rest;
	int			nterms = 0;
	int			n = 0;

	for (AbstTree *child = node->first; child; child = child->next)
		n++;
	terms = palloc_extended((Size) n * sizeof(AbstTree *), MCXT_ALLOC_HUGE);
	for (AbstTree *child = node->first; child; child = child->next)
	{
		if (child == skip)
			continue;
		if (child->kind == ABST_NODE_TERM)
			terms[nterms++] = child;
		else
		{
			*rest_end = child;
			rest_end = &child->next;
		}
	}
	*rest_end = NULL;
	qsort_arg(terms, nterms, sizeof(AbstTree *), node_order, builder->terms);

	node->first = node->last = NULL;
	abst_tree_add(node, skip);
	for (int i = 0; i < nterms; i++)
	{
		if (node->last != NULL && node->last != skip &&
			node->last->term == terms[i]->term)
			node->last->boost += terms[i]->boost;
		else
			abst_tree_add(node, terms[i]);
	}
	while (rest != NULL)
	{
		AbstTree   *next = rest->next;

		abst_tree_add(node, rest);
		rest = next;
	}
	pfree(terms);
}

static AbstTree *simplify(AbstBuilder *builder, AbstTree *node);

/*
 * Simplify the children of a node; those of its own kind are taken apart,
 * and an OR among the additions of an OPT as well.
 */
static void
simplify_children(AbstBuilder *builder, AbstTree *node)
{
	AbstTree   *child = node->first;
	bool		first = true;

	node->first = node->last = NULL;
	while (child != NULL)
	{
		AbstTree   *next = child->next;
		bool		head = first && node->kind == ABST_NODE_OPT;

		child = simplify(builder, child);
		if (child == NULL)
		{
			/* without its condition an OPT is an OR */
			if (head)
				node->kind = ABST_NODE_OR;
		}
		else if (!head &&
				 ((child->kind == node->kind && (node->kind == ABST_NODE_OR ||
												 node->kind == ABST_NODE_AND)) ||
				  (child->kind == ABST_NODE_OR && node->kind == ABST_NODE_OPT)))
		{
			AbstTree   *inner = child->first;

			while (inner != NULL)
			{
				AbstTree   *after = inner->next;

				abst_tree_add(node, inner);
				inner = after;
			}
		}
		else
			abst_tree_add(node, child);
		first = false;
		child = next;
	}
}

/* Canonical form of a subtree; NULL if nothing is left of it. */
static AbstTree *
simplify(AbstBuilder *builder, AbstTree *node)
{
	AbstTree   *only;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (node->kind == ABST_NODE_TERM)
		return term_stays(builder, node) ? node : NULL;
	if (node->kind == ABST_NODE_PHRASE && !phrase_stays(builder, node))
		return NULL;

	simplify_children(builder, node);
	only = node->first;
	if (only == NULL)
		return NULL;
	if (node->kind == ABST_NODE_NOT)
		return (only->kind == ABST_NODE_NOT) ? only->first : node;
	if (node->kind == ABST_NODE_PHRASE)
		return node;
	order_children(builder, node,
				   node->kind == ABST_NODE_OPT ? node->first : NULL);
	if (node->first->next == NULL)
	{
		node->first->offset = node->offset;
		return node->first;
	}
	return node;
}

/* ---- plan ---- */

static uint32
count_nodes(AbstBuilder *builder, const AbstTree *node)
{
	uint32		n = 1;

	check_stack_depth();
	if (node->kind == ABST_NODE_TERM)
		builder->terms[node->term].used = true;
	for (const AbstTree *child = node->first; child; child = child->next)
		n += count_nodes(builder, child);
	return n;
}

static void
emit_nodes(AbstBuilder *builder, const AbstTree *tree, AbstPlan *plan)
{
	uint32		at = plan->nnodes++;
	AbstNode   *node = &plan->nodes[at];

	check_stack_depth();
	memset(node, 0, sizeof(AbstNode));
	node->kind = tree->kind;
	node->offset = tree->offset;
	if (tree->kind == ABST_NODE_TERM)
	{
		node->term = builder->terms[tree->term].rank;
		node->boost = tree->boost;
	}
	for (const AbstTree *child = tree->first; child; child = child->next)
		emit_nodes(builder, child, plan);
	plan->nodes[at].span = plan->nnodes - at;
}

void
abst_tree_finish(AbstBuilder *builder, AbstTree *root, AbstDfLookup lookup,
				 void *arg, AbstPlan *plan)
{
	uint32	   *order = rank_terms(builder, lookup, arg);
	uint32		nnodes;

	memset(plan, 0, sizeof(AbstPlan));
	plan->kind = ABST_PLAN_SEARCH;
	if (root != NULL)
		root = simplify(builder, root);
	if (root == NULL)
		return;
	if (root->kind == ABST_NODE_TERM)
	{
		AbstTree   *list = abst_tree_make(builder, ABST_NODE_OR);

		root->offset = 0;
		abst_tree_add(list, root);
		root = list;
	}

	nnodes = count_nodes(builder, root);
	plan->terms = palloc_extended((Size) builder->nterms * sizeof(AbstPlanTerm),
								  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (uint32 i = 0; i < builder->nterms; i++)
	{
		BuilderTerm *term = &builder->terms[order[i]];

		if (!term->used)
			continue;
		term->rank = plan->nterms;
		plan->terms[plan->nterms].lexeme = term->lexeme;
		plan->terms[plan->nterms].len = term->len;
		plan->terms[plan->nterms].df = term->df;
		plan->nterms++;
	}
	plan->nodes = palloc_extended((Size) nnodes * sizeof(AbstNode),
								  MCXT_ALLOC_HUGE);
	emit_nodes(builder, root, plan);
	pfree(order);
	abst_plan_derive(plan);
}

void
abst_plan_derive(AbstPlan *plan)
{
	uint32		not_end = 0;	/* end of the outermost NOT we are in */
	uint32		flat_next = 0;

	plan->nphrases = 0;
	plan->flat = plan->kind == ABST_PLAN_LIKE ||
		(plan->nnodes > 0 && plan->nodes[0].kind == ABST_NODE_OR);
	for (int i = 0; i < plan->nterms; i++)
		plan->terms[i].scored = (plan->kind == ABST_PLAN_LIKE);
	for (uint32 i = 0; i < plan->nnodes; i++)
	{
		AbstNode   *node = &plan->nodes[i];

		if (node->kind == ABST_NODE_TERM)
		{
			if (i >= not_end)
				plan->terms[node->term].scored = true;
			if (node->term < flat_next)
				plan->flat = false;
			flat_next = node->term + 1;
		}
		else if (i > 0)
			plan->flat = false;
		if (node->kind == ABST_NODE_PHRASE)
			node->term = plan->nphrases++;
		if (node->kind == ABST_NODE_NOT && i >= not_end)
			not_end = i + node->span;
	}
	plan->needs_positions = plan->nphrases > 0;
}
