/*-------------------------------------------------------------------------
 *
 * best.c
 *		The best documents of one segment: a binary heap, worst on top.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <math.h>

#include "utils/float.h"

#include "index/best.h"

AbstBest   *
abst_best_create(const AbstTopK *topk)
{
	AbstBest   *best = palloc0(sizeof(AbstBest));

	Assert(topk->nkeys == 1);
	best->capacity = topk->capacity;
	best->heap = palloc_extended(sizeof(AbstCandidate) * topk->capacity,
								 MCXT_ALLOC_HUGE);
	return best;
}

void
abst_best_begin(AbstBest *best, const AbstTopK *topk, uint32 after_docid)
{
	best->n = 0;
	best->limit = get_float8_infinity();
	if (abst_topk_full(topk) && !abst_topk_worst(topk)->isnull)
		best->limit = abst_topk_worst(topk)->distance[0];
	best->has_after = topk->has_after;
	if (topk->has_after)
	{
		/* after a NULL row there are only NULL rows */
		best->after_distance = topk->after->isnull ? get_float8_infinity()
			: topk->after->distance[0];
		best->after_docid = topk->after->isnull ? PG_UINT32_MAX : after_docid;
	}
}

static inline bool
is_worse(const AbstCandidate *a, const AbstCandidate *b)
{
	if (a->distance != b->distance)
		return a->distance > b->distance;
	return a->docid > b->docid;
}

/* Put a candidate where the heap has a hole at i, letting it sink. */
static void
sink(AbstBest *best, int i, AbstCandidate candidate)
{
	AbstCandidate *heap = best->heap;

	for (;;)
	{
		int			child = 2 * i + 1;

		if (child >= best->n)
			break;
		if (child + 1 < best->n && is_worse(&heap[child + 1], &heap[child]))
			child++;
		if (!is_worse(&heap[child], &candidate))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = candidate;
}

/* The same, letting it rise. */
static void
rise(AbstBest *best, int i, AbstCandidate candidate)
{
	AbstCandidate *heap = best->heap;

	while (i > 0 && is_worse(&candidate, &heap[(i - 1) / 2]))
	{
		heap[i] = heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap[i] = candidate;
}

void
abst_best_insert(AbstBest *best, double distance, uint32 docid)
{
	AbstCandidate candidate = {distance, docid};

	if (best->n < best->capacity)
	{
		best->n++;
		rise(best, best->n - 1, candidate);
		if (best->n < best->capacity)
			return;
	}
	else if (is_worse(&best->heap[0], &candidate))
		sink(best, 0, candidate);
	best->limit = Min(best->limit, best->heap[0].distance);
}

#define ST_SORT sort_by_docid
#define ST_ELEMENT_TYPE AbstCandidate
#define ST_COMPARE(a, b) \
	((a)->docid < (b)->docid ? -1 : (a)->docid > (b)->docid)
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

void
abst_best_sort(AbstBest *best)
{
	sort_by_docid(best->heap, best->n);
}
