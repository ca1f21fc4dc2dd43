/*-------------------------------------------------------------------------
 *
 * compile.h
 *		From a query's source to its plan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_QUERY_COMPILE_H
#define ABST_QUERY_COMPILE_H

#include "compat.h"
#include "query/plan.h"
#include "query/query.h"
#include "text/doc.h"

/*
 * Compile the text of a search with "config".  "lookup" (NULL: unbound) is
 * called once with every term that might be part of the plan.  Fills kind,
 * terms and nodes; statistics and weights are the caller's.
 */
extern void abst_compile_search(const char *text, int len, Oid config,
								AbstDfLookup lookup, void *arg, AbstPlan *plan);

/* The same for a document as a query; terms point into "doc"'s lexemes. */
extern void abst_compile_like(const AbstDoc *doc, AbstDfLookup lookup,
							  void *arg, AbstPlan *plan);

#endif							/* ABST_QUERY_COMPILE_H */
