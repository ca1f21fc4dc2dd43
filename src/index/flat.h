/*-------------------------------------------------------------------------
 *
 * flat.h
 *		Flat plans, evaluated term by term: the frame and its two kernels.
 *
 * Private to flat.c, flat_search.c and flat_like.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_FLAT_H
#define ABST_INDEX_FLAT_H

#include "index/best.h"
#include "index/evaluate.h"

typedef struct AbstFlatSearch AbstFlatSearch;
typedef struct AbstFlatLike AbstFlatLike;

struct AbstFlat
{
	const AbstPlan *plan;
	AbstBest   *best;			/* NULL: every document touched is wanted */
	bool		listing;		/* few postings: list the documents touched
								 * instead of looking at all */
	uint32	   *list;			/* window-relative */
	uint32		nlist;
	AbstFlatSearch *search;		/* one of the two */
	AbstFlatLike *like;
};

/*
 * A kernel: accumulators for a window, all empty between windows.
 *
 * add: take in postings pos .. end - 1 of the cursor's block, which lie in the
 * window.  offer: hand the documents touched to abst_flat_offer and empty
 * their accumulators.  finish: the pass went well to its end.
 */
extern void abst_flat_search_create(AbstScan *scan);
extern void abst_flat_search_segment(AbstScan *scan);
extern AbstRead abst_flat_search_window(AbstScan *scan);
extern AbstRead abst_flat_search_add(AbstScan *scan, AbstCursor *cursor,
									 int end);
extern AbstRead abst_flat_search_offer(AbstScan *scan);
extern void abst_flat_search_finish(void);

extern void abst_flat_like_create(AbstScan *scan);
extern void abst_flat_like_segment(AbstScan *scan);
extern AbstRead abst_flat_like_window(AbstScan *scan);
extern AbstRead abst_flat_like_add(AbstScan *scan, AbstCursor *cursor,
								   int end);
extern AbstRead abst_flat_like_offer(AbstScan *scan);

/* A document of the window, unless it is dead. */
static inline AbstRead
abst_flat_offer(AbstScan *scan, uint32 i, double distance)
{
	AbstFlat   *flat = scan->flat_state;

	if (abst_scan_dead(scan, i))
		return ABST_READ_OK;
	if (flat->best == NULL)
		return abst_scan_row(scan, scan->base + i, &distance);
	abst_best_offer(flat->best, distance, scan->base + i);
	return ABST_READ_OK;
}

#endif							/* ABST_INDEX_FLAT_H */
