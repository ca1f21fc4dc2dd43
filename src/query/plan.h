/*-------------------------------------------------------------------------
 *
 * plan.h
 *		A compiled query: lexemes, a tree over them, and weights.
 *
 * This is what matching and scoring work on, whether the document comes from
 * a row or from an index.  It points into the abstract_query value it was
 * made from or is palloc'd; it is read-only after it was made.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_QUERY_PLAN_H
#define ABST_QUERY_PLAN_H

#include "compat.h"
#include "text/doc.h"

typedef enum AbstPlanKind
{
	ABST_PLAN_SEARCH,			/* BM25F; distance = -score */
	ABST_PLAN_LIKE				/* similarity; distance = 1 - similarity */
} AbstPlanKind;

typedef enum AbstNodeKind
{
	ABST_NODE_TERM,				/* matches when the document has the term */
	ABST_NODE_PREFIX,			/* reserved */
	ABST_NODE_PHRASE,			/* children are TERM nodes or OR of TERMs,
								 * "offset" apart */
	ABST_NODE_AND,				/* all children */
	ABST_NODE_OR,				/* any child */
	ABST_NODE_NOT,				/* one child; scores nothing */
	ABST_NODE_OPT				/* first child required; the others only add */
} AbstNodeKind;

/* Nodes stand in preorder; "span" counts the node and all below it. */
typedef struct AbstNode
{
	uint8		kind;			/* AbstNodeKind */
	uint8		unused;
	uint16		offset;			/* in a phrase: words after the phrase's first
								 * word */
	uint32		span;
	uint32		term;			/* TERM: index into terms; PHRASE: ordinal of
								 * the phrase in the plan */
	float8		boost;			/* TERM: factor on its weight (1 = plain;
								 * repeated words add up) */
} AbstNode;

/* A term of the query; terms are unique and sorted as lexemes are. */
typedef struct AbstPlanTerm
{
	const char *lexeme;			/* not NUL-terminated */
	int			len;
	float8		df;				/* documents with the term; 0 if unbound */
	float8		idf;			/* weight; 1 when unbound */
	AbstTf		tf;				/* LIKE: frequency in the query document */
	bool		scored;			/* stands outside of every NOT */
} AbstPlanTerm;

typedef struct AbstPlan
{
	AbstPlanKind kind;
	bool		bound;
	bool		flat;			/* root is an OR of TERMs, each of another
								 * term, by falling weight; or a LIKE */
	bool		needs_positions;	/* has a phrase */
	int			nphrases;
	int			nterms;
	AbstPlanTerm *terms;
	int			nnodes;			/* 0: matches nothing (LIKE has no nodes: any
								 * term matches) */
	AbstNode   *nodes;
	/* statistics and parameters */
	float8		ndocs;			/* N; 0 when unbound */
	float8		weights[ABST_NFIELDS];	/* of the fields A..D */
	float8		avglen;			/* weighted mean length; 0 when unbound */
	float8		k1;
	float8		b;
	/* derived: saturation is tf / (tf + k_base + k_slope * weighted length) */
	float8		k_base;
	float8		k_slope;
	/* derived, LIKE only */
	float8		prior;			/* weight of a term whose idf is not known */
	float8		like_norm;		/* sum over terms of (1 + ln tf)^2 */
} AbstPlan;

/* idf of a term in df of ndocs documents, see weights.c */
extern double abst_weights_idf(double ndocs, double df);

#endif							/* ABST_QUERY_PLAN_H */
