/*-------------------------------------------------------------------------
 *
 * flat.c
 *		Evaluate one flat plan, window by window, term by term.
 *
 * Each document of the window has an accumulator; the terms are added to it
 * one after the other, in the order of the plan's nodes.  That is the order,
 * and these are the double operations, of abst_score for a flat plan, so what
 * an accumulator holds at the end is the operator's score to the last bit.
 *
 * Where postings are few, the documents they touch are listed; else all of
 * the window are looked at.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "miscadmin.h"
#include "utils/float.h"

#include "index/flat.h"

#define SEARCH_WINDOW 8192		/* 64 kB of doubles */
#define LIKE_WINDOW 2048		/* 96 kB of sums */

/* Documents whose TIDs are read together at the end of a segment. */
#define HANDED_OVER 256

/* Documents per posting from which on those touched are listed. */
#define LISTING_WORTH 12

uint32
abst_flat_window_size(AbstScan *scan)
{
	return scan->search->orders[0]->kind == ABST_PLAN_LIKE ? LIKE_WINDOW
		: SEARCH_WINDOW;
}

void
abst_flat_create(AbstScan *scan)
{
	AbstFlat   *flat = palloc0(sizeof(AbstFlat));

	flat->plan = scan->search->orders[0];
	flat->list = palloc(sizeof(uint32) * (scan->window + 1));
	if (scan->search->topk)
		flat->best = abst_best_create(scan->search->topk);
	scan->flat_state = flat;
	if (flat->plan->kind == ABST_PLAN_LIKE)
	{
		abst_flat_like_create(scan);
		return;
	}
	abst_flat_search_create(scan);
	flat->rank = palloc0(sizeof(int) * Max(flat->plan->nterms, 1));
	for (int n = 1; n < flat->plan->nnodes; n++)
		flat->rank[flat->plan->nodes[n].term] = n;
}

/* In the order in which the plan adds up its terms. */
static int
cmp_rank(const void *a, const void *b, void *arg)
{
	const int  *rank = arg;

	return rank[((const AbstCursor *) a)->term] -
		rank[((const AbstCursor *) b)->term];
}

/* First docid whose TID is above that of the hit to go on after. */
static AbstRead
find_after(AbstScan *scan, uint32 *docid)
{
	AbstTopK   *topk = scan->search->topk;
	uint32		low = 0;
	uint32		high = scan->maxdoc;

	while (topk->has_after && low < high)
	{
		uint32		middle = low + (high - low) / 2;
		ItemPointerData tid;
		AbstRead	result = abst_segment_tids(scan->segment, middle, 1, &tid,
											   NULL);

		if (result != ABST_READ_OK)
			return result;
		if (ItemPointerCompare(&tid, &topk->after->tid) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	*docid = low;
	return ABST_READ_OK;
}

AbstRead
abst_flat_begin(AbstScan *scan)
{
	AbstFlat   *flat = scan->flat_state;
	uint32		after = 0;
	AbstRead	result = ABST_READ_OK;

	flat->dense = scan->sum_df > scan->maxdoc;
	flat->listing = scan->sum_df < scan->maxdoc / LISTING_WORTH;
	if (flat->best)
	{
		result = find_after(scan, &after);
		abst_best_begin(flat->best, scan->search->topk, after);
	}
	if (flat->like)
	{
		abst_flat_like_segment(scan);
		return result;
	}
	qsort_arg(scan->cursors, scan->ncursors, sizeof(AbstCursor), cmp_rank,
			  flat->rank);
	abst_flat_search_segment(scan);
	abst_flat_prune_begin(scan);
	return result;
}

/* Hand over the best of the segment. */
AbstRead
abst_flat_end(AbstScan *scan)
{
	AbstBest   *best = scan->flat_state->best;
	uint32		docids[HANDED_OVER];
	ItemPointerData tids[HANDED_OVER];
	AbstRead	result = ABST_READ_OK;

	if (best == NULL)
		return ABST_READ_OK;
	abst_best_sort(best);
	for (int first = 0; first < best->n && result == ABST_READ_OK;
		 first += HANDED_OVER)
	{
		int			n = Min(HANDED_OVER, best->n - first);

		for (int i = 0; i < n; i++)
			docids[i] = best->heap[first + i].docid;
		result = abst_segment_tids_at(scan->segment, docids, n, tids);
		for (int i = 0; i < n && result == ABST_READ_OK; i++)
			abst_topk_add(scan->search->topk, &tids[i],
						  &best->heap[first + i].distance, false);
	}
	return result;
}

/* First decoded posting that is past the window; most often there is none. */
static inline int
end_of_window(const AbstCursor *cursor, uint32 limit)
{
	if (cursor->docids[cursor->n - 1] < limit)
		return cursor->n;
	return abst_cursor_lower_bound(cursor, limit);
}

/* Add all postings of a term that lie in the window. */
static AbstRead
add_term(AbstScan *scan, AbstCursor *cursor)
{
	uint32		limit = scan->base + scan->size;
	AbstRead	result = abst_cursor_catch_up(cursor, scan->base);

	while (result == ABST_READ_OK && cursor->pos < cursor->n &&
		   cursor->docids[cursor->pos] < limit)
	{
		int			end = end_of_window(cursor, limit);

		if (scan->flat_state->like)
			abst_flat_like_add(scan, cursor, end);
		else
			abst_flat_search_add(scan, cursor, end);
		cursor->pos = end;
		if (end == cursor->n)
			result = abst_cursor_refill(cursor);
	}
	return result;
}

AbstRead
abst_flat_window(AbstScan *scan)
{
	AbstFlat   *flat = scan->flat_state;
	double		tried = get_float8_infinity();
	bool		pruned = false;
	AbstRead	result;

	flat->nlist = 0;
	result = flat->like ? abst_flat_like_window(scan)
		: abst_flat_search_window(scan);
	for (int c = 0; c < scan->ncursors && !pruned && result == ABST_READ_OK;
		 c++)
	{
		if (flat->search && flat->search->mode == SWEEPING &&
			flat->search->least > 0)
			result = abst_flat_prune_window(scan, c, &tried, &pruned);
		if (result == ABST_READ_OK && !pruned)
			result = add_term(scan, &scan->cursors[c]);
	}
	if (pruned)
		flat->search->mode = CROSSING;
	if (result == ABST_READ_OK)
		result = flat->like ? abst_flat_like_offer(scan)
			: abst_flat_search_offer(scan);
	return result;
}

/* The pass went well to its end. */
void
abst_flat_finish(AbstScan *scan)
{
	if (scan->flat_state->search)
		abst_flat_search_finish();
}
