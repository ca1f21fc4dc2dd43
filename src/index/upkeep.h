/*-------------------------------------------------------------------------
 *
 * upkeep.h
 *		Flush of the pending list, merges, and the freeing of pages.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_UPKEEP_H
#define ABST_INDEX_UPKEEP_H

#include "compat.h"
#include "index/meta.h"
#include "text/doc.h"

/*
 * Flush the pending list to a segment and publish it.  Without "wait" it does
 * nothing when another backend is at work.  Returns documents flushed.
 */
extern uint64 abst_flush(Relation index, bool wait);

/* A document too large for the pending list: a segment of its own. */
extern void abst_insert_as_segment(Relation index, ItemPointer tid, const AbstDoc *doc);

/*
 * Merge segments of similar size, size-tiered; "budget_docs" bounds the
 * documents rewritten in this call (0: no bound).  With "all", everything
 * becomes one segment without dead documents.  Returns merges done.
 */
extern int	abst_merge(Relation index, bool all, uint64 budget_docs, bool wait);

/* Rewrite segments whose share of dead documents is over "share". */
extern int	abst_merge_dead(Relation index, double share);

/*
 * Record every block that nothing refers to as free, and give the free tail
 * back to the file system if nobody else has the index open.  Maintenance
 * lock is taken.  Returns the number of free blocks left.
 */
extern BlockNumber abst_reclaim(Relation index);

#endif							/* ABST_INDEX_UPKEEP_H */
