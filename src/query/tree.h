/*-------------------------------------------------------------------------
 *
 * tree.h
 *		The query as a tree while it is being compiled.
 *
 * Nodes are made in any shape; abst_tree_finish brings them to the canonical
 * plan.  Everything lives in the context that was current when the builder
 * was made and goes with it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_QUERY_TREE_H
#define ABST_QUERY_TREE_H

#include "compat.h"
#include "query/plan.h"
#include "query/query.h"

/*
 * How much a node is wanted.  A term that the corpus does not hold costs time
 * in every scan, so what the user did not write himself stays only where it
 * can find something.
 */
typedef enum AbstWanted
{
	ABST_WANTED_ALWAYS,			/* the user's own word */
	ABST_WANTED_VARIANT,		/* another form of it: goes if the query is
								 * bound and no document has it */
	ABST_WANTED_KNOWN			/* a guess: stays only if the query is bound
								 * and some document has it */
} AbstWanted;

typedef struct AbstTree
{
	AbstNodeKind kind;
	AbstWanted	wanted;			/* TERM, PHRASE */
	int			offset;			/* of a phrase's child */
	uint32		term;			/* TERM: number in the builder */
	float8		boost;			/* TERM */
	struct AbstTree *first;
	struct AbstTree *last;
	struct AbstTree *next;
} AbstTree;

typedef struct AbstBuilder AbstBuilder;

extern AbstBuilder *abst_builder_make(void);

/* Number of a lexeme; the bytes are copied, cut to what documents hold. */
extern uint32 abst_builder_term(AbstBuilder *builder, const char *lexeme, int len);

extern AbstTree *abst_tree_make(AbstBuilder *builder, AbstNodeKind kind);
extern AbstTree *abst_tree_term(AbstBuilder *builder, uint32 term, AbstWanted wanted);
/* "child" may be NULL: nothing is added. */
extern void abst_tree_add(AbstTree *parent, AbstTree *child);

/*
 * Make the canonical plan of "root" (NULL: matches nothing): terms sorted
 * with their df, nodes in preorder.  With "lookup" the query is bound;
 * without it every df is 0.  Weights are left to weights.h.
 */
extern void abst_tree_finish(AbstBuilder *builder, AbstTree *root,
							 AbstDfLookup lookup, void *arg, AbstPlan *plan);

/* Set what follows from the nodes alone: flat, nphrases, scored ... */
extern void abst_plan_derive(AbstPlan *plan);

#endif							/* ABST_QUERY_TREE_H */
