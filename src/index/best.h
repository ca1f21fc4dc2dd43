/*-------------------------------------------------------------------------
 *
 * best.h
 *		The best documents of one segment, by distance, then docid.
 *
 * Docids follow TIDs, so within a segment this is the order of rank/topk.h,
 * and a document's TID has to be read only if it is among the best when the
 * segment ends.  Across segments topk.h decides.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_BEST_H
#define ABST_INDEX_BEST_H

#include "compat.h"
#include "rank/topk.h"

typedef struct AbstCandidate
{
	double		distance;
	uint32		docid;
} AbstCandidate;

typedef struct AbstBest
{
	int			capacity;
	int			n;
	AbstCandidate *heap;		/* worst first */
	double		limit;			/* what is more distant cannot enter */
	bool		has_after;		/* only what comes after this counts: */
	double		after_distance;
	uint32		after_docid;	/* first docid that does at that distance */
} AbstBest;

/* Memory for as many candidates as hits can be collected. */
extern AbstBest *abst_best_create(const AbstTopK *topk);

/*
 * Begin a segment.  "after_docid" is its first docid whose TID is above that
 * of the hit the search goes on after.
 */
extern void abst_best_begin(AbstBest *best, const AbstTopK *topk,
							uint32 after_docid);

/* Take in a document that has passed the limit. */
extern void abst_best_insert(AbstBest *best, double distance, uint32 docid);

/* Offer a document; docids may come in any order. */
static inline void
abst_best_offer(AbstBest *best, double distance, uint32 docid)
{
	if (distance > best->limit)
		return;
	if (best->has_after &&
		(distance < best->after_distance ||
		 (distance == best->after_distance && docid < best->after_docid)))
		return;
	abst_best_insert(best, distance, docid);
}

/* The end: what is left, in the order of docids. */
extern void abst_best_sort(AbstBest *best);

#endif							/* ABST_INDEX_BEST_H */
