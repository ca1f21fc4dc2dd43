/*-------------------------------------------------------------------------
 *
 * stats.h
 *		Corpus statistics of an index, for binding a query.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_AM_STATS_H
#define ABST_AM_STATS_H

#include "compat.h"
#include "query/query.h"
#include "utils/rel.h"

/* The open index, checked to be one of ours; "what" is used in the error. */
extern Relation abst_open_index(Oid index, LOCKMODE lockmode);

/* Configuration that an index's text column was read with, or InvalidOid. */
extern Oid	abst_config_of_index(Oid index);

/* What is visible: statistics may change when this does. */
typedef struct AbstMoment
{
	TransactionId xmin;
	TransactionId xmax;
	uint32		xcnt;
	CommandId	curcid;
} AbstMoment;

extern void abst_moment(AbstMoment *moment);

/*
 * Bind a query to an index, or to all leaves of a partitioned index.  The
 * result lives in the current context.  Locks taken (AccessShareLock) stay
 * until the end of the transaction.
 *
 * It is remembered: under one snapshot, one query and one state of the index
 * give the same weights to every node of a plan that asks, although others
 * may insert meanwhile.
 */
extern AbstQuery *abst_bind_to_index(AbstQuery *query, Oid index);

#endif							/* ABST_AM_STATS_H */
