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
 * Documents rewritten by merges inside an INSERT, at most: VACUUM does the
 * rest, unless the directory is nearly full.
 */
#define ABST_INSERT_MERGE_DOCS 8192

/*
 * Merge segments of similar size, size-tiered; "budget_docs" bounds the
 * documents rewritten in this call (0: no bound).  With "all", everything
 * becomes one segment without dead documents.  Returns merges done.
 */
extern int	abst_merge(Relation index, bool all, uint64 budget_docs, bool wait);

/* Rewrite segments whose share of dead documents is over "share". */
extern int	abst_merge_dead(Relation index, double share);

/*
 * For whoever holds the maintenance lock for long: flush the pending list if
 * it is due, and merge the small segments that come of it.  Segments with ids
 * up to "floor_id" stay as they are.
 */
extern void abst_breathe(Relation index, uint32 floor_id);

/* Memory for maintenance in this backend, in bytes. */
extern Size abst_maintenance_budget(void);

/*
 * Move pages at or beyond block "cut" to the free blocks given, all below it,
 * as far as those go.  Maintenance lock held.  Returns pages moved.
 */
extern BlockNumber abst_relocate(Relation index, BlockNumber cut,
								 const BlockNumber *holes, BlockNumber nholes);

/*
 * Record every block that nothing refers to as free, move pages to the front
 * where too much of the file is free, and give the free tail back to the file
 * system if nobody else has the index open.  Maintenance
 * lock is taken.  Returns the number of free blocks left.
 */
extern BlockNumber abst_reclaim(Relation index);

#endif							/* ABST_INDEX_UPKEEP_H */
