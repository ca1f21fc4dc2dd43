/*-------------------------------------------------------------------------
 *
 * stats.h
 *		Statistics of a corpus given as JSON.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_QUERY_STATS_H
#define ABST_QUERY_STATS_H

#include "compat.h"
#include "utils/jsonb.h"

#include "query/query.h"

/*
 * Bind a query to the statistics in "stats"; see stats.c for its keys.  A
 * wrong key or value is an error.  The result is in the current context.
 */
extern AbstQuery *abst_query_bind_stats(AbstQuery *query, Jsonb *stats);

#endif							/* ABST_QUERY_STATS_H */
