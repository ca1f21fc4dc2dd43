/*-------------------------------------------------------------------------
 *
 * topk.c
 *		The best k hits: a binary heap with the worst hit on top.
 *
 * Memory is k hits, allocated once per growth and kept for the scan.
 *
 *-------------------------------------------------------------------------
 */
#include "rank/topk.h"

#include "utils/memutils.h"

Size
abst_hit_size(int nkeys)
{
	return MAXALIGN(offsetof(AbstHit, distance) + nkeys * sizeof(float8));
}

AbstTopK   *
abst_topk_create(int nkeys, int capacity)
{
	AbstTopK   *topk = palloc0(sizeof(AbstTopK));

	Assert(nkeys <= ABST_MAX_KEYS);
	topk->nkeys = nkeys;
	topk->hitsize = abst_hit_size(nkeys);
	topk->capacity = capacity;
	topk->hits = palloc_extended(capacity * topk->hitsize, MCXT_ALLOC_HUGE);
	topk->after = palloc0(topk->hitsize);
	return topk;
}

void
abst_topk_reset(AbstTopK *topk, int capacity, const AbstHit *after)
{
	if (after)
		memcpy(topk->after, after, topk->hitsize);
	topk->has_after = (after != NULL);
	if (capacity > topk->capacity)
	{
		topk->hits = repalloc_huge(topk->hits, capacity * topk->hitsize);
		topk->capacity = capacity;
	}
	topk->nhits = 0;
}

int
abst_distance_cmp(int nkeys, const float8 *a, bool anull,
				  const float8 *b, bool bnull)
{
	if (anull || bnull)
		return (int) anull - (int) bnull;
	for (int i = 0; i < nkeys; i++)
	{
		if (a[i] < b[i])
			return -1;
		if (a[i] > b[i])
			return 1;
	}
	return 0;
}

static int
hit_cmp(int nkeys, AbstHit *a, AbstHit *b)
{
	int			cmp = abst_distance_cmp(nkeys, a->distance, a->isnull,
										b->distance, b->isnull);

	if (cmp != 0)
		return cmp;
	return ItemPointerCompare(&a->tid, &b->tid);
}

static void
hit_swap(AbstTopK *topk, int i, int j)
{
	char		spare[offsetof(AbstHit, distance) +
					  (ABST_MAX_KEYS + 1) * sizeof(float8)];

	memcpy(spare, abst_topk_hit(topk, i), topk->hitsize);
	memcpy(abst_topk_hit(topk, i), abst_topk_hit(topk, j), topk->hitsize);
	memcpy(abst_topk_hit(topk, j), spare, topk->hitsize);
}

/* Let the hit at i sink to where no child is worse than it. */
static void
sift_down(AbstTopK *topk, int i, int n)
{
	for (;;)
	{
		int			worst = i;

		for (int child = 2 * i + 1; child <= 2 * i + 2 && child < n; child++)
			if (hit_cmp(topk->nkeys, abst_topk_hit(topk, child),
						abst_topk_hit(topk, worst)) > 0)
				worst = child;
		if (worst == i)
			return;
		hit_swap(topk, i, worst);
		i = worst;
	}
}

static void
sift_up(AbstTopK *topk, int i)
{
	while (i > 0)
	{
		int			parent = (i - 1) / 2;

		if (hit_cmp(topk->nkeys, abst_topk_hit(topk, i),
					abst_topk_hit(topk, parent)) <= 0)
			return;
		hit_swap(topk, i, parent);
		i = parent;
	}
}

void
abst_topk_add(AbstTopK *topk, ItemPointer tid, const float8 *distance,
			  bool isnull)
{
	union
	{
		AbstHit		hit;
		char		bytes[offsetof(AbstHit, distance) +
						  (ABST_MAX_KEYS + 1) * sizeof(float8)];
	}			fresh;

	fresh.hit.tid = *tid;
	fresh.hit.isnull = isnull;
	for (int i = 0; i < topk->nkeys; i++)
		fresh.hit.distance[i] = isnull ? 0 : distance[i];

	if (topk->has_after && hit_cmp(topk->nkeys, &fresh.hit, topk->after) <= 0)
		return;
	if (!abst_topk_full(topk))
	{
		memcpy(abst_topk_hit(topk, topk->nhits), &fresh, topk->hitsize);
		sift_up(topk, topk->nhits++);
	}
	else if (hit_cmp(topk->nkeys, &fresh.hit, abst_topk_worst(topk)) < 0)
	{
		memcpy(abst_topk_worst(topk), &fresh, topk->hitsize);
		sift_down(topk, 0, topk->nhits);
	}
}

/* A hit with one distance, for a sort that moves and compares it inline. */
typedef struct SingleHit
{
	ItemPointerData tid;
	bool		isnull;
	float8		distance;
} SingleHit;

static inline int
single_hit_cmp(const SingleHit *a, const SingleHit *b)
{
	int			cmp = (int) a->isnull - (int) b->isnull;

	if (cmp == 0 && a->distance != b->distance)
		return a->distance < b->distance ? -1 : 1;
	if (cmp == 0)
		cmp = ItemPointerCompare((ItemPointer) &a->tid, (ItemPointer) &b->tid);
	return cmp;
}

#define ST_SORT sort_single_hits
#define ST_ELEMENT_TYPE SingleHit
#define ST_COMPARE(a, b) single_hit_cmp(a, b)
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

/* Heap sort: the worst hit goes to the end, again and again. */
static void
sort_heap(AbstTopK *topk)
{
	for (int n = topk->nhits - 1; n > 0; n--)
	{
		hit_swap(topk, 0, n);
		sift_down(topk, 0, n);
	}
}

void
abst_topk_sort(AbstTopK *topk)
{
	StaticAssertStmt(offsetof(SingleHit, distance) ==
					 offsetof(AbstHit, distance),
					 "SingleHit is not laid out as AbstHit");
	if (topk->hitsize == sizeof(SingleHit) && topk->nkeys == 1)
		sort_single_hits((SingleHit *) topk->hits, topk->nhits);
	else
		sort_heap(topk);
}
