/*-------------------------------------------------------------------------
 *
 * search.c
 *		Evaluate plans over everything an index holds.
 *
 * A segment is evaluated in windows of documents.  Two evaluators share the
 * frame: flat.c adds up a flat plan term by term, tree.c collects the
 * frequencies of all terms and lets the shared functions of rank/score.h
 * decide, document by document.  A window that no term reaches is skipped.
 *
 * Rows without any term of the plans come last, NULL rows after them; see
 * search_rest.c.
 *
 *-------------------------------------------------------------------------
 */
#include "index/search.h"

#include "index/evaluate.h"
#include "index/pending.h"
#include "index/segment.h"
#include "miscadmin.h"
#include "rank/score.h"
#include "utils/memutils.h"

/* ---- rows out ---- */

/* Could a row with these distances still enter, whatever its TID? */
bool
abst_scan_admits(AbstScan *scan, const float8 *distance, bool isnull)
{
	AbstTopK   *topk = scan->search->topk;

	if (topk == NULL)
		return true;
	if (topk->has_after &&
		abst_distance_cmp(topk->nkeys, distance, isnull,
						  topk->after->distance, topk->after->isnull) < 0)
		return false;
	if (abst_topk_full(topk))
	{
		AbstHit    *worst = abst_topk_worst(topk);

		return abst_distance_cmp(topk->nkeys, distance, isnull,
								 worst->distance, worst->isnull) <= 0;
	}
	return true;
}

AbstRead
abst_scan_row(AbstScan *scan, uint32 docid, const float8 *distance)
{
	ItemPointerData tid;
	AbstRead	result;

	result = abst_segment_tids(scan->segment, docid, 1, &tid, NULL);
	if (result != ABST_READ_OK)
		return result;
	if (scan->search->topk)
		abst_topk_add(scan->search->topk, &tid, distance, false);
	else
		scan->search->emit(scan->search->emit_arg, &tid);
	return ABST_READ_OK;
}

/* ---- windows ---- */

/*
 * First document that some term still has, or maxdoc.  A cursor that was left
 * behind may stand at one that is done with.
 */
static uint32
next_document(AbstScan *scan)
{
	uint32		next = scan->maxdoc;

	for (int i = 0; i < scan->ncursors; i++)
	{
		AbstCursor *cursor = &scan->cursors[i];

		if (cursor->pos < cursor->n && cursor->docids[cursor->pos] < next)
			next = cursor->docids[cursor->pos];
	}
	return next;
}

AbstRead
abst_cursor_refill(AbstCursor *cursor)
{
	AbstRead	result;

	CHECK_FOR_INTERRUPTS();
	cursor->pos = cursor->n = 0;
	result = abst_postings_fill(cursor->postings, cursor->docids,
								cursor->codes, cursor->nblocks, &cursor->n,
								&cursor->code_limit);
	if (result == ABST_READ_OK)
		return result;
	cursor->n = 0;
	return result == ABST_READ_END ? ABST_READ_OK : result;
}

AbstRead
abst_cursor_catch_up(AbstCursor *cursor, uint32 target)
{
	AbstRead	result;

	if (cursor->n == 0 || cursor->docids[cursor->pos] >= target)
		return ABST_READ_OK;
	if (cursor->docids[cursor->n - 1] < target)
	{
		result = abst_postings_seek(cursor->postings, target);
		if (result == ABST_READ_END)
		{
			cursor->pos = cursor->n = 0;
			return ABST_READ_OK;
		}
		if (result == ABST_READ_OK)
			result = abst_cursor_refill(cursor);
		if (result != ABST_READ_OK)
			return result;
	}
	cursor->pos = abst_cursor_lower_bound(cursor, target);
	return ABST_READ_OK;
}

static AbstRead
search_windows(AbstScan *scan)
{
	AbstRead	result = ABST_READ_OK;

	scan->done = 0;
	while (result == ABST_READ_OK)
	{
		uint32		next = Max(next_document(scan), scan->done);
		bool		any_dead;

		CHECK_FOR_INTERRUPTS();
		if (next >= scan->maxdoc)
			break;
		scan->base = next - next % scan->window;
		scan->size = Min(scan->window, scan->maxdoc - scan->base);
		result = abst_segment_dead(scan->segment, scan->base, scan->size,
								   scan->dead, &any_dead);
		scan->any_dead = any_dead;
		if (result == ABST_READ_OK)
			result = scan->flat ? abst_flat_window(scan) : abst_tree_window(scan);
		scan->done = Max(scan->done, scan->base + scan->size);
	}
	return result;
}

/* ---- one segment ---- */

/* Open a cursor for each term of each plan that the segment has. */
static AbstRead
open_cursors(AbstScan *scan)
{
	scan->ncursors = 0;
	scan->sum_df = 0;
	for (int p = 0; p < scan->nplans; p++)
	{
		const AbstPlan *plan = scan->plans[p].plan;

		for (int t = 0; t < plan->nterms; t++)
		{
			AbstCursor *cursor = &scan->cursors[scan->ncursors];
			AbstTermInfo info;
			AbstRead	result;

			result = abst_segment_lookup(scan->segment, plan->terms[t].lexeme,
										 plan->terms[t].len, &info);
			if (result == ABST_READ_END)
				continue;
			if (result != ABST_READ_OK)
				return result;
			cursor->plan = p;
			cursor->term = t;
			cursor->df = info.df;
			cursor->postings = abst_postings_begin(scan->segment, &info);
			scan->ncursors++;
			scan->sum_df += info.df;
			result = abst_cursor_refill(cursor);
			if (result != ABST_READ_OK)
				return result;
		}
	}
	return ABST_READ_OK;
}

static void
close_cursors(AbstScan *scan)
{
	for (int i = 0; i < scan->ncursors; i++)
		abst_postings_end(scan->cursors[i].postings);
	scan->ncursors = 0;
}

/* The documents that have a term. */
static AbstRead
search_touched(AbstScan *scan)
{
	AbstRead	result = ABST_READ_OK;

	if (!scan->flat)
	{
		abst_tree_begin(scan);
		return search_windows(scan);
	}
	result = abst_flat_begin(scan);
	if (result == ABST_READ_OK)
		result = search_windows(scan);
	if (result == ABST_READ_OK)
		result = abst_flat_end(scan);
	return result;
}

static AbstRead
search_segment(AbstScan *scan, const AbstSegmentInfo *info, bool rest)
{
	AbstRead	result;
	MemoryContext context;
	MemoryContext old;

	scan->segment = abst_segment_borrow(scan->search->index, info);
	if (scan->segment == NULL)
		return ABST_READ_STALE;
	context = AllocSetContextCreate(CurrentMemoryContext,
									"abstracts segment search",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(context);
	scan->maxdoc = abst_segment_maxdoc(scan->segment);
	scan->nnulls = info->nnulls;
	scan->codes = abst_segment_codes(scan->segment, &scan->ncodes);
	result = open_cursors(scan);
	if (result == ABST_READ_OK)
		result = rest ? abst_rest_segment(scan) : search_touched(scan);
	close_cursors(scan);
	scan->segment = NULL;
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return result;
}

/* ---- the pending list ---- */

static void
row_of_pending(AbstScan *scan, AbstPendingDoc *doc)
{
	AbstSearch *search = scan->search;
	float8		distance[ABST_MAX_KEYS];

	if (doc->isnull)
	{
		if (search->nquals > 0)
			return;
	}
	else
		for (int p = 0; p < scan->nplans; p++)
		{
			AbstPlanScan *ps = &scan->plans[p];

			ps->evidence.lengths = doc->lengths;
			ps->evidence.norm = doc->norm;
			abst_pending_probe(doc, ps->lexemes, ps->plan->nterms,
							   ps->evidence.tf);
		}
	if (!doc->isnull)
	{
		bool		matches = abst_scan_judge(scan, distance);

		for (int p = 0; p < scan->nplans; p++)
			memset(scan->plans[p].evidence.tf, 0,
				   sizeof(AbstTf) * scan->plans[p].plan->nterms);
		if (!matches)
			return;
	}
	if (search->topk)
		abst_topk_add(search->topk, &doc->tid, distance,
					  doc->isnull && search->norders > 0);
	else
		search->emit(search->emit_arg, &doc->tid);
}

static AbstRead
search_pending(AbstScan *scan, const AbstDirectory *directory)
{
	AbstPendingWalk *walk = abst_pending_begin(scan->search->index, directory);
	AbstPendingDoc doc;
	AbstRead	result;

	while ((result = abst_pending_next(walk, &doc)) == ABST_READ_OK)
	{
		CHECK_FOR_INTERRUPTS();
		row_of_pending(scan, &doc);
	}
	abst_pending_end(walk);
	return result == ABST_READ_END ? ABST_READ_OK : result;
}

/* ---- lengths ---- */

/*
 * Lengths of the window's documents, a column for each field of the segment,
 * and the longest of them: from what is kept of the segment, else copied.
 */
AbstRead
abst_scan_lengths(AbstScan *scan, const uint16 **columns, uint32 *longest)
{
	const AbstKeptLengths *kept;
	AbstRead	result = abst_segment_keep_lengths(scan->segment, &kept);
	int			nfields = 0;

	if (result != ABST_READ_OK)
		return result;
	if (kept != NULL)
	{
		Assert(ABST_LENGTH_CHUNK % scan->window == 0);
		for (int f = 0; f < kept->nfields; f++)
			columns[f] = kept->field[f] + scan->base;
		*longest = kept->longest[scan->base / ABST_LENGTH_CHUNK];
		return ABST_READ_OK;
	}
	for (int f = 0; f < ABST_NFIELDS; f++)
		if (abst_segment_has_field(scan->segment, f))
		{
			if (scan->columns[nfields] == NULL)
				scan->columns[nfields] =
					MemoryContextAlloc(scan->context,
									   sizeof(uint16) * scan->window);
			columns[nfields] = scan->columns[nfields];
			nfields++;
		}
	result = abst_segment_length_columns(scan->segment, scan->base, scan->size,
										 scan->columns);
	*longest = 0;
	for (int f = 0; f < nfields && result == ABST_READ_OK; f++)
		for (uint32 i = 0; i < scan->size; i++)
			*longest = Max(*longest, columns[f][i]);
	return result;
}

/* ---- set-up ---- */

AbstEvidence *
abst_scan_evidence(AbstScan *scan, const AbstPlan *plan)
{
	for (int p = 0; p < scan->nplans; p++)
		if (scan->plans[p].plan == plan)
			return &scan->plans[p].evidence;
	elog(ERROR, "plan is not part of this search");
}

/* Match and distances from the evidence gathered; false if no match. */
bool
abst_scan_judge(AbstScan *scan, float8 *distance)
{
	AbstSearch *search = scan->search;

	for (int i = 0; i < search->nquals; i++)
		if (!abst_match(search->quals[i],
						abst_scan_evidence(scan, search->quals[i])))
			return false;
	for (int i = 0; i < search->norders; i++)
		distance[i] =
			abst_distance_of_score(search->orders[i],
								   abst_score(search->orders[i],
											  abst_scan_evidence(scan,
																 search->orders[i])));
	return true;
}

static void
add_plan(AbstScan *scan, const AbstPlan *plan)
{
	AbstPlanScan *ps;

	for (int p = 0; p < scan->nplans; p++)
		if (scan->plans[p].plan == plan)
			return;
	ps = &scan->plans[scan->nplans++];
	ps->plan = plan;
	ps->first_column = scan->ncolumns;
	scan->ncolumns += plan->nterms;
	ps->evidence.tf = palloc0(sizeof(AbstTf) * Max(plan->nterms, 1));
	ps->lexemes = palloc0(sizeof(AbstDocTerm) * Max(plan->nterms, 1));
	for (int t = 0; t < plan->nterms; t++)
	{
		ps->lexemes[t].lexeme = plan->terms[t].lexeme;
		ps->lexemes[t].len = plan->terms[t].len;
	}
}

/* A cursor for each term; their room is a quarter of work_mem at most. */
static void
create_cursors(AbstScan *scan)
{
	int			n = Max(scan->ncolumns, 1);
	const Size	block = 2 * ABST_BLOCK_SIZE * sizeof(uint32);
	uint32	   *room;

	scan->cursor_blocks = Min((Size) work_mem * 256 / (block * n),
							  ABST_CURSOR_BLOCKS);
	scan->cursor_blocks = Max(scan->cursor_blocks, 1);
	scan->cursors = palloc_extended(sizeof(AbstCursor) * n,
									MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	room = palloc_extended(block * scan->cursor_blocks * n, MCXT_ALLOC_HUGE);
	for (int i = 0; i < n; i++)
	{
		AbstCursor *cursor = &scan->cursors[i];

		cursor->nblocks = scan->cursor_blocks;
		cursor->docids = room;
		cursor->codes = room + scan->cursor_blocks * ABST_BLOCK_SIZE;
		room += 2 * scan->cursor_blocks * ABST_BLOCK_SIZE;
	}
}

/* A flat plan may be added up; it must then be the only one. */
static bool
is_flat_search(const AbstSearch *search)
{
	if (search->norders != 1 || !search->orders[0]->flat)
		return false;
	return search->nquals == 0 ||
		(search->nquals == 1 && search->quals[0] == search->orders[0]);
}

static AbstScan *
scan_create(AbstSearch *search)
{
	AbstScan   *scan = palloc0(sizeof(AbstScan));

	scan->search = search;
	scan->context = CurrentMemoryContext;
	scan->plans = palloc0(sizeof(AbstPlanScan) *
						  (search->norders + search->nquals + 1));
	for (int i = 0; i < search->norders; i++)
		add_plan(scan, search->orders[i]);
	for (int i = 0; i < search->nquals; i++)
		add_plan(scan, search->quals[i]);
	create_cursors(scan);
	scan->flat = is_flat_search(search);
	scan->window = scan->flat ? abst_flat_window_size(scan)
		: abst_tree_window_size(scan);
	scan->touched = palloc(Max(scan->window, ABST_REST_WINDOW) / 8);
	scan->dead = palloc(Max(scan->window, ABST_REST_WINDOW) / 8);
	if (scan->flat)
		abst_flat_create(scan);
	else
		abst_tree_create(scan);
	abst_rest_judge(scan);
	return scan;
}

AbstRead
abst_search_pass(AbstSearch *search, const AbstDirectory *directory)
{
	MemoryContext context;
	MemoryContext old;
	AbstScan   *scan;
	AbstRead	result = ABST_READ_OK;

	context = AllocSetContextCreate(CurrentMemoryContext,
									"abstracts search pass",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(context);
	scan = scan_create(search);
	for (int i = 0; i < directory->nsegments && result == ABST_READ_OK; i++)
		result = search_segment(scan, &directory->segments[i], false);
	if (result == ABST_READ_OK)
		result = search_pending(scan, directory);
	for (int i = 0; i < directory->nsegments && result == ABST_READ_OK; i++)
	{
		scan->nnulls = directory->segments[i].nnulls;
		scan->rest_done = false;
		if (abst_rest_wanted(scan))
			result = search_segment(scan, &directory->segments[i], true);
	}
	if (result == ABST_READ_STALE)
		abst_segment_forget(search->index);
	if (result == ABST_READ_OK && scan->flat)
		abst_flat_finish(scan);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return result;
}
