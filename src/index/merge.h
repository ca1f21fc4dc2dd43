/*-------------------------------------------------------------------------
 *
 * merge.h
 *		Merge the live documents of segments into one new segment.
 *
 * The maintenance lock is held during each call that is given an index, so
 * the inputs stay and their dead bits do not change.  Nothing is published
 * here.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_MERGE_H
#define ABST_INDEX_MERGE_H

#include "compat.h"
#include "index/meta.h"

/* All in one go.  False if no live document was left. */
extern bool abst_merge_segments(Relation index, const AbstSegmentInfo *inputs,
								int ninputs,
								const float8 *weights, uint32 id,
								AbstSegmentInfo *info);

/*
 * Bit by bit.  Between the calls the lock may be let go, and transactions end:
 * nothing is kept but memory, in a child of the context that begin was called
 * in, and pages of the new segment, which are orphans so far.
 */
typedef struct AbstMerge AbstMerge;
extern AbstMerge *abst_merge_begin(Relation index,
								   const AbstSegmentInfo *inputs, int ninputs,
								   const float8 *weights, uint32 id,
								   bool sliced);

/*
 * Read some "units" more, documents and postings (0: all there are); more only
 * by what one term has.  True when there are none left.
 */
extern bool abst_merge_run(AbstMerge *merge, Relation index, uint64 units);

/* Units read so far. */
extern uint64 abst_merge_units(const AbstMerge *merge);

/* Complete the new segment.  False if no live document was left. */
extern bool abst_merge_finish(AbstMerge *merge, AbstSegmentInfo *info);
extern void abst_merge_end(AbstMerge *merge);

/*
 * After a pause, before it goes on: are the inputs, all that is kept in
 * memory of them, still as they were?
 */
extern bool abst_merge_can_go_on(AbstMerge *merge, Relation index,
								 const AbstDirectory *directory);

/* After the last run: has no document of the inputs been marked dead since? */
extern bool abst_merge_dead_unchanged(AbstMerge *merge);

/* Call back with the blocks written so far, before finish. */
extern void abst_merge_written(AbstMerge *merge,
							   void (*callback) (BlockNumber block,
												 void *arg), void *arg);

#endif							/* ABST_INDEX_MERGE_H */
