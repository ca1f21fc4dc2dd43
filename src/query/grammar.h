/*-------------------------------------------------------------------------
 *
 * grammar.h
 *		The syntax of a query: what is an operator and what is a word.
 *
 * Reading needs no catalog and no configuration; it never fails, whatever
 * the text.  See grammar.c for the rules.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_QUERY_GRAMMAR_H
#define ABST_QUERY_GRAMMAR_H

#include "compat.h"

typedef enum AbstSyntaxKind
{
	ABST_SYNTAX_WORDS,			/* a run of words with blanks between */
	ABST_SYNTAX_PHRASE,			/* what stood between two quotes */
	ABST_SYNTAX_SEQ,			/* clauses side by side */
	ABST_SYNTAX_AND,
	ABST_SYNTAX_OR,
	ABST_SYNTAX_NOT				/* one child, which is no NOT itself */
} AbstSyntaxKind;

typedef struct AbstSyntax
{
	AbstSyntaxKind kind;
	bool		must;			/* a clause under a plus */
	const char *text;			/* WORDS, PHRASE: slice of the source */
	int			len;
	struct AbstSyntax *first;	/* children, in source order */
	struct AbstSyntax *last;
	struct AbstSyntax *next;	/* next child of the same parent */
} AbstSyntax;

/*
 * Parentheses deeper than this are ignored, so that the tree is never too
 * deep for a recursive walk: each level adds at most four nodes of depth.
 */
#define ABST_MAX_GROUPS		64

/* Operators past this many nodes are read as words; bounds the memory. */
#define ABST_MAX_SYNTAX		500000

/*
 * Read "len" bytes of "text" in the database encoding.  The result is a SEQ,
 * possibly without children, in the current context; its slices point into
 * "text".
 */
extern AbstSyntax *abst_grammar_read(const char *text, int len);

#endif							/* ABST_QUERY_GRAMMAR_H */
