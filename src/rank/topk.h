/*-------------------------------------------------------------------------
 *
 * topk.h
 *		The best k hits in the one order that every scan follows.
 *
 * Hits are ordered by their distances (one per ORDER BY key, NULL rows after
 * all others), then by TID.  The order is total, so a scan that needs more
 * hits, or has to start again on a newer directory, asks for the best k
 * strictly after the last hit it returned, and no set of returned rows is
 * kept.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_RANK_TOPK_H
#define ABST_RANK_TOPK_H

#include "compat.h"
#include "storage/itemptr.h"

/* ORDER BY keys an index scan can have at most. */
#define ABST_MAX_KEYS 8

typedef struct AbstHit
{
	ItemPointerData tid;
	bool		isnull;			/* the row's document is NULL */
	float8		distance[FLEXIBLE_ARRAY_MEMBER];
} AbstHit;

typedef struct AbstTopK
{
	int			nkeys;			/* distances of a hit; may be 0 */
	int			capacity;		/* k */
	int			nhits;
	Size		hitsize;
	char	   *hits;			/* heap, worst first, until sorted */
	bool		has_after;
	AbstHit    *after;			/* only hits strictly after this one count */
} AbstTopK;

/* Bytes of one hit. */
extern Size abst_hit_size(int nkeys);

/* An empty collection in the current context. */
extern AbstTopK *abst_topk_create(int nkeys, int capacity);

/* Empty it for the next batch, of "capacity" hits, after "after" or NULL. */
extern void abst_topk_reset(AbstTopK *topk, int capacity,
							const AbstHit *after);

/* Compare distances only: < 0, 0, > 0.  NULL rows come last. */
extern int	abst_distance_cmp(int nkeys, const float8 *a, bool anull,
							  const float8 *b, bool bnull);

/* Add a hit that may or may not be good enough. */
extern void abst_topk_add(AbstTopK *topk, ItemPointer tid,
						  const float8 *distance, bool isnull);

/* Sort what was collected, best first; ends the collecting. */
extern void abst_topk_sort(AbstTopK *topk);

static inline bool
abst_topk_full(const AbstTopK *topk)
{
	return topk->nhits >= topk->capacity;
}

static inline AbstHit *
abst_topk_hit(const AbstTopK *topk, int i)
{
	return (AbstHit *) (topk->hits + i * topk->hitsize);
}

/* The worst hit while collecting; only if there is one. */
static inline AbstHit *
abst_topk_worst(const AbstTopK *topk)
{
	return abst_topk_hit(topk, 0);
}

#endif							/* ABST_RANK_TOPK_H */
