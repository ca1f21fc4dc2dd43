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
 * Flush the pending list, as it is when the lock was got, to a segment (or
 * some, if it does not fit the memory) and publish.  Returns documents
 * flushed.
 */
extern uint64 abst_flush(Relation index);

/*
 * The same for an INSERT: the first ABST_PENDING_LIMIT pages of the list at
 * most, and nothing when another backend is at work.
 */
extern uint64 abst_flush_some(Relation index);

/* A document too large for the pending list: a segment of its own. */
extern void abst_insert_as_segment(Relation index, ItemPointer tid,
								   const AbstDoc *doc);

/*
 * A bit of a merge, for an INSERT that has just added a page to the pending
 * list; it never waits.  slices.c has more.  Returns the documents and
 * postings read.
 */
extern uint64 abst_merge_slice(Relation index);

/*
 * Merge segments of similar size, size-tiered.  With "all", everything
 * becomes one segment without dead documents.  Returns merges done.
 */
extern int	abst_merge(Relation index, bool all);

/* Rewrite segments whose share of dead documents is over "share". */
extern int	abst_merge_dead(Relation index, double share);

/* Documents that a merge within a merge rewrites, at most. */
#define ABST_BREATHE_MERGE_DOCS 8192

/*
 * For whoever holds the maintenance lock for long: flush the pending list if
 * it is due, and merge the small segments that come of it.  Segments with ids
 * up to "floor_id" stay as they are.
 */
extern void abst_breathe(Relation index, uint32 floor_id);

/*
 * Choose segments to merge among those with ids above "floor_id", so that no
 * more than "budget_docs" (0: no bound) documents are in them: they come to
 * the front of "chosen" (ABST_MAX_SEGMENTS), smallest first.  Returns how
 * many, 0 for none.
 */
extern int	abst_choose_segments(const AbstDirectory *directory,
								 uint32 floor_id, uint64 budget_docs,
								 AbstSegmentInfo *chosen);

/*
 * Let a segment (NULL: no document was left) take the place of "n" others,
 * whose pages are then freed.  Maintenance lock held.
 */
extern void abst_publish_merge(Relation index, const AbstSegmentInfo *merged,
							   int n, const AbstSegmentInfo *added);

/* Log all pages of an index that was written with "building". */
extern void abst_log_built(Relation index);

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
