/*-------------------------------------------------------------------------
 *
 * search_rest.c
 *		The documents that no term of the plans touches ("the rest").
 *
 * All of them have the same distance, which no touched document exceeds, and
 * NULL rows come after them.  So they are looked for when everything else was
 * seen, and only if there is still room: then the postings are walked once
 * more, for which documents they touch, and the walk ends as soon as TIDs are
 * too late.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "miscadmin.h"

#include "index/evaluate.h"

/* Judge a document that has none of the terms. */
void
abst_rest_judge(AbstScan *scan)
{
	AbstSearch *search = scan->search;

	scan->rest_matches = true;
	for (int i = 0; i < search->nquals; i++)
	{
		AbstEvidence *evidence = abst_scan_evidence(scan, search->quals[i]);

		if (!abst_match(search->quals[i], evidence))
			scan->rest_matches = false;
	}
	for (int i = 0; i < search->norders; i++)
	{
		AbstEvidence *evidence = abst_scan_evidence(scan, search->orders[i]);
		double		score = abst_score(search->orders[i], evidence);

		scan->rest_distance[i] = abst_distance_of_score(search->orders[i],
														score);
	}
}

static bool
rest_admitted(AbstScan *scan)
{
	return !scan->rest_done && scan->rest_matches &&
		abst_scan_admits(scan, scan->rest_distance, false);
}

static bool
nulls_admitted(AbstScan *scan)
{
	return scan->nnulls > 0 && scan->search->nquals == 0 &&
		abst_scan_admits(scan, scan->rest_distance, scan->search->norders > 0);
}

/* Could any of the rest count?  Needs no more than the number of NULL rows. */
bool
abst_rest_wanted(AbstScan *scan)
{
	return rest_admitted(scan) || nulls_admitted(scan);
}

/* Mark the documents of the window that have a term. */
static AbstRead
mark_touched(AbstScan *scan, AbstCursor *cursor)
{
	uint32		limit = scan->base + scan->size;

	while (cursor->pos < cursor->n && cursor->docids[cursor->pos] < limit)
	{
		AbstRead	result;

		for (; cursor->pos < cursor->n && cursor->docids[cursor->pos] < limit;
			 cursor->pos++)
			abst_scan_set_bit(scan->touched,
							  cursor->docids[cursor->pos] - scan->base);
		if (cursor->pos < cursor->n)
			break;
		result = abst_cursor_refill(cursor);
		if (result != ABST_READ_OK)
			return result;
	}
	return ABST_READ_OK;
}

/*
 * Offer an untouched document.  TIDs only grow from here: once one is too
 * late, so are all.
 */
static void
offer_rest(AbstScan *scan, ItemPointer tid)
{
	AbstTopK   *topk = scan->search->topk;

	if (topk == NULL)
	{
		scan->search->emit(scan->search->emit_arg, tid);
		return;
	}
	abst_topk_add(topk, tid, scan->rest_distance, false);
	if (abst_topk_full(topk))
	{
		AbstHit    *worst = abst_topk_worst(topk);

		if (abst_distance_cmp(topk->nkeys, scan->rest_distance, false,
							  worst->distance, worst->isnull) >= 0 &&
			ItemPointerCompare(&worst->tid, tid) < 0)
			scan->rest_done = true;
	}
}

static void
offer_null(AbstScan *scan, ItemPointer tid)
{
	if (scan->search->topk == NULL)
		scan->search->emit(scan->search->emit_arg, tid);
	else
		abst_topk_add(scan->search->topk, tid, scan->rest_distance,
					  scan->search->norders > 0);
}

/* The rest of one window. */
static AbstRead
rest_of_window(AbstScan *scan)
{
	bool		any_dead;
	AbstRead	result = ABST_READ_OK;

	memset(scan->touched, 0, ABST_REST_WINDOW / 8);
	for (int c = 0; c < scan->ncursors && result == ABST_READ_OK; c++)
		result = mark_touched(scan, &scan->cursors[c]);
	if (result == ABST_READ_OK)
		result = abst_segment_dead(scan->segment, scan->base, scan->size,
								   scan->dead, &any_dead);
	if (result == ABST_READ_OK)
		result = abst_segment_tids(scan->segment, scan->base, scan->size,
								   scan->rest_tids, scan->rest_isnull);
	if (result != ABST_READ_OK)
		return result;
	scan->any_dead = any_dead;
	for (uint32 i = 0; i < scan->size; i++)
	{
		if (abst_scan_bit(scan->touched, i) || abst_scan_dead(scan, i))
			continue;
		if (scan->rest_isnull[i])
		{
			if (nulls_admitted(scan))
				offer_null(scan, &scan->rest_tids[i]);
		}
		else if (rest_admitted(scan))
			offer_rest(scan, &scan->rest_tids[i]);
	}
	return ABST_READ_OK;
}

/* The rest of the open segment; its cursors stand at the beginning. */
AbstRead
abst_rest_segment(AbstScan *scan)
{
	AbstRead	result = ABST_READ_OK;

	if (scan->rest_tids == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(scan->context);

		scan->rest_tids = palloc(sizeof(ItemPointerData) * ABST_REST_WINDOW);
		scan->rest_isnull = palloc(sizeof(bool) * ABST_REST_WINDOW);
		MemoryContextSwitchTo(old);
	}
	for (uint32 base = 0; base < scan->maxdoc && result == ABST_READ_OK &&
		 abst_rest_wanted(scan); base += ABST_REST_WINDOW)
	{
		CHECK_FOR_INTERRUPTS();
		scan->base = base;
		scan->size = Min(ABST_REST_WINDOW, scan->maxdoc - base);
		result = rest_of_window(scan);
	}
	return result;
}
