/*-------------------------------------------------------------------------
 *
 * scan.c
 *		Index scans: ordered, plain and bitmap.
 *
 * A scan asks for the best k rows, returns them, and asks for more, k growing
 * eightfold up to what work_mem holds, each time strictly after the last row
 * it returned (rank/topk.h).  It keeps a copy of the directory, and neither
 * pins nor locks between calls.  When a flush or merge has replaced the
 * directory, the pass starts again on the new one: the same order goes on
 * after the same row, and rows that came in meanwhile are not visible to the
 * scan's snapshot.  TIDs are handed out without a pin on the index: VACUUM
 * may remove a row and its TID be used again, but then the new row is not
 * visible to the snapshot either, as only MVCC snapshots come here.
 *
 * A text column read by another configuration than the index was built with
 * cannot be answered from the index.  Such a scan (the planner is told to
 * avoid it) returns every row for recheck, with the least distance there is:
 * slow, but right.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <math.h>

#include "access/genam.h"
#include "access/itup.h"
#include "access/relscan.h"
#include "am/am.h"
#include "am/handed.h"
#include "am/wanted.h"
#include "catalog/pg_type.h"
#include "index/search.h"
#include "miscadmin.h"
#include "nodes/tidbitmap.h"
#include "pgstat.h"
#include "query/query.h"
#include "utils/float.h"
#include "utils/memutils.h"
#include "utils/rel.h"

/*
 * Rows of the first batch where it is not known how many will be asked for:
 * more of them where a pass over the postings costs so much that a second one
 * should be spared.
 */
#define FIRST_BATCH 32
#define FIRST_BATCH_HEAVY 128
#define HEAVY_POSTINGS 50000
#define BATCH_GROWTH 8

/* The same without ORDER BY, where no row is worth waiting for. */
#define FIRST_BATCH_PLAIN 4096

/* Collected beyond what was asked for: rows that are dead, ties. */
#define SPARE_ROWS(rows) (2 + (rows) / 16)

/* A pass that goes stale so often keeps maintenance out while it runs. */
#define STALE_PATIENCE 16
#define STALE_LIMIT 1000

typedef struct AbstScanState
{
	MemoryContext context;		/* plans and hits; reset by rescan */
	AbstSearch	search;
	AbstDirectory directory;
	bool		started;
	bool		nothing;		/* a condition is NULL: no row */
	bool		lossy;			/* every row, for recheck */
	bool		recheck;
	bool		recheck_order;
	int			nkeys;			/* ORDER BY keys of the scan */
	int			key_order[ABST_MAX_KEYS];	/* which plan, or -1: NULL query */
	AbstQuery  *first_query;	/* of the first plan */
	int			batch;			/* hits asked for in the last pass */
	int			next;			/* hit to return next */
	bool		exhausted;		/* the last pass found all there were */
	AbstHit    *last;			/* last hit returned */
	bool		has_last;
	uint64		taken;			/* rows returned */
	IndexTuple	no_columns;		/* for index-only scans */
} AbstScanState;

/* The scan's memory goes, after an error perhaps. */
static void
on_reset(void *arg)
{
	abst_handed_forget(arg);
}

/* A reset calls back once, so each fills in the callback again. */
static void
watch_memory(IndexScanDesc scan, AbstScanState *state)
{
	MemoryContextCallback *callback;

	callback = MemoryContextAllocZero(state->context,
									  sizeof(MemoryContextCallback));
	callback->func = on_reset;
	callback->arg = scan;
	MemoryContextRegisterResetCallback(state->context, callback);
}

/* How many rows it took tells what the next scan may be asked for. */
static void
note_taken(IndexScanDesc scan)
{
	AbstScanState *state = scan->opaque;

	if (state->started && state->search.norders > 0 && state->taken > 0)
		abst_wanted_end(RelationGetRelid(scan->indexRelation), state->taken);
	state->taken = 0;
}

IndexScanDesc
abst_beginscan(Relation index, int nkeys, int norderbys)
{
	IndexScanDesc scan = RelationGetIndexScan(index, nkeys, norderbys);
	AbstScanState *state;

	if (norderbys > ABST_MAX_KEYS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("an abstracts index cannot order by more than %d distances",
						ABST_MAX_KEYS)));
	state = palloc0(sizeof(AbstScanState));
	state->context = AllocSetContextCreate(CurrentMemoryContext,
										   "abstracts scan",
										   ALLOCSET_DEFAULT_SIZES);
	watch_memory(scan, state);
	if (norderbys > 0)
	{
		scan->xs_orderbyvals = palloc0(sizeof(Datum) * norderbys);
		scan->xs_orderbynulls = palloc(sizeof(bool) * norderbys);
		memset(scan->xs_orderbynulls, true, sizeof(bool) * norderbys);
	}
	scan->opaque = state;
	return scan;
}

void
abst_rescan(IndexScanDesc scan, ScanKey keys, int nkeys, ScanKey orderbys,
			int norderbys)
{
	AbstScanState *state = scan->opaque;

	if (keys && scan->numberOfKeys > 0)
		memmove(scan->keyData, keys, scan->numberOfKeys * sizeof(ScanKeyData));
	if (orderbys && scan->numberOfOrderBys > 0)
		memmove(scan->orderByData, orderbys,
				scan->numberOfOrderBys * sizeof(ScanKeyData));
	note_taken(scan);
	MemoryContextReset(state->context);
	watch_memory(scan, state);
	memset(&state->search, 0, sizeof(AbstSearch));
	state->no_columns = NULL;
	state->started = false;
}

void
abst_endscan(IndexScanDesc scan)
{
	AbstScanState *state = scan->opaque;

	note_taken(scan);
	MemoryContextDelete(state->context);
	pfree(state);
}

/* ---- set-up ---- */

/* Is the row read by another configuration than the index was built with? */
static bool
reads_otherwise(AbstScanState *state, AbstQuery *query)
{
	return OidIsValid(state->directory.config) &&
		abst_query_config(query) != state->directory.config;
}

/* Make the plan of a key, or take the one of an equal ORDER BY key. */
static const AbstPlan *
plan_of_key(AbstScanState *state, ScanKey key, AbstQuery **seen, int nseen)
{
	AbstQuery  *query = DatumGetAbstQueryP(key->sk_argument);
	AbstPlan   *plan;

	for (int i = 0; i < nseen; i++)
		if (VARSIZE(seen[i]) == VARSIZE(query) &&
			memcmp(seen[i], query, VARSIZE(query)) == 0)
			return state->search.orders[i];
	if (reads_otherwise(state, query))
		state->lossy = true;
	plan = abst_query_plan(query);
	seen[nseen] = query;
	return plan;
}

static void
set_up_orders(IndexScanDesc scan, AbstScanState *state, AbstQuery **seen)
{
	AbstSearch *search = &state->search;

	state->nkeys = scan->numberOfOrderBys;
	search->orders = palloc(sizeof(AbstPlan *) * (state->nkeys + 1));
	for (int i = 0; i < state->nkeys; i++)
	{
		ScanKey		key = &scan->orderByData[i];
		const AbstPlan *plan;

		/* All distances to NULL are NULL and order nothing. */
		if (key->sk_flags & SK_ISNULL)
		{
			state->key_order[i] = -1;
			continue;
		}
		plan = plan_of_key(state, key, seen, search->norders);
		if (plan->needs_positions)
			state->recheck_order = true;
		state->key_order[i] = search->norders;
		for (int o = 0; o < search->norders; o++)
			if (search->orders[o] == plan)
				state->key_order[i] = o;
		if (state->key_order[i] == search->norders)
			search->orders[search->norders++] = plan;
	}
	state->first_query = search->norders > 0 ? seen[0] : NULL;
}

static void
set_up_quals(IndexScanDesc scan, AbstScanState *state, AbstQuery **seen)
{
	AbstSearch *search = &state->search;

	search->quals = palloc(sizeof(AbstPlan *) * (scan->numberOfKeys + 1));
	for (int i = 0; i < scan->numberOfKeys; i++)
	{
		ScanKey		key = &scan->keyData[i];
		const AbstPlan *plan;

		if (key->sk_flags & SK_ISNULL)
		{
			state->nothing = true;
			continue;
		}
		plan = plan_of_key(state, key, seen, search->norders);
		if (plan->needs_positions)
			state->recheck = true;
		search->quals[search->nquals++] = plan;
	}
}

/* Read the directory and compile the keys. */
static void
start_scan(IndexScanDesc scan)
{
	AbstScanState *state = scan->opaque;
	AbstSearch *search = &state->search;
	AbstQuery **seen;
	MemoryContext old;

	abst_count_index_scan(scan);
	abst_meta_read(scan->indexRelation, &state->directory);
	abst_options_check_frozen(scan->indexRelation, &state->directory);
	old = MemoryContextSwitchTo(state->context);
	state->nothing = state->lossy = false;
	state->recheck = state->recheck_order = false;
	search->index = scan->indexRelation;
	seen = palloc(sizeof(AbstQuery *) *
				  (scan->numberOfKeys + scan->numberOfOrderBys + 1));
	set_up_orders(scan, state, seen);
	set_up_quals(scan, state, seen);
	if (state->lossy)
	{
		search->norders = search->nquals = 0;
		state->recheck = true;
		state->recheck_order = true;
	}
	state->batch = 0;
	state->next = 0;
	state->exhausted = false;
	state->has_last = false;
	state->last = palloc0(abst_hit_size(search->norders));
	state->started = true;
	MemoryContextSwitchTo(old);
}

/* ---- passes ---- */

/* Rows that work_mem lets a scan collect at once. */
static int
batch_limit(AbstScanState *state)
{
	Size		limit = (Size) work_mem * 1024 / 2 /
	abst_hit_size(state->search.norders);

	limit = Min(limit, INT_MAX / 2);
	return Max((int) limit, FIRST_BATCH * BATCH_GROWTH);
}

/*
 * Run a pass on a directory that stays valid to its end.  "reset" empties
 * what a pass has collected before it starts again.
 */
static void
run_pass(AbstScanState *state, void (*reset) (AbstScanState *state))
{
	Relation	index = state->search.index;
	bool		locked = false;

	for (int try = 1;; try++)
	{
		CHECK_FOR_INTERRUPTS();
		if (reset)
			reset(state);
		if (abst_search_pass(&state->search,
							 &state->directory) == ABST_READ_OK)
			break;
		if (try >= STALE_PATIENCE && !locked && !RecoveryInProgress())
			locked = abst_maintenance_lock(index, true);
		if (try >= STALE_LIMIT)
			ereport(ERROR,
					(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
					 errmsg("could not scan index \"%s\" because it is being reorganized",
							RelationGetRelationName(index)),
					 errhint("Try again.")));
		abst_meta_read(index, &state->directory);
	}
	if (locked)
		abst_maintenance_unlock(index);
}

static void
reset_hits(AbstScanState *state)
{
	abst_topk_reset(state->search.topk, state->batch,
					state->has_last ? state->last : NULL);
}

/* Rows of the first pass. */
static int
first_batch(AbstScanState *state)
{
	int			rows;
	double		postings = 0;

	if (state->search.norders == 0)
		return Min(FIRST_BATCH_PLAIN, batch_limit(state));
	rows = abst_wanted_begin(RelationGetRelid(state->search.index));
	if (rows > 0)
		return Min(rows + SPARE_ROWS(rows), batch_limit(state));
	for (int i = 0; i < state->search.norders; i++)
		for (int t = 0; t < state->search.orders[i]->nterms; t++)
			postings += state->search.orders[i]->terms[t].df;
	return postings > HEAVY_POSTINGS ? FIRST_BATCH_HEAVY : FIRST_BATCH;
}

static void
next_batch(AbstScanState *state)
{
	AbstSearch *search = &state->search;
	MemoryContext old = MemoryContextSwitchTo(state->context);

	state->batch = state->batch == 0 ? first_batch(state)
		: Min(Max((int64) state->batch * BATCH_GROWTH, FIRST_BATCH),
			  batch_limit(state));
	if (search->topk == NULL)
		search->topk = abst_topk_create(search->norders, state->batch);
	run_pass(state, reset_hits);
	abst_topk_sort(search->topk);
	state->exhausted = search->topk->nhits < state->batch;
	state->next = 0;
	MemoryContextSwitchTo(old);
}

/* ---- rows out ---- */

/*
 * A query that needs no column at all (count(*)) may use any index as an
 * index-only scan.  It wants a tuple, but looks at none of its columns.
 */
static void
return_no_columns(IndexScanDesc scan)
{
	AbstScanState *state = scan->opaque;

	scan->xs_itupdesc = RelationGetDescr(scan->indexRelation);
	if (state->no_columns == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(state->context);
		Datum		value = (Datum) 0;
		bool		isnull = true;

		state->no_columns = index_form_tuple(scan->xs_itupdesc, &value,
											 &isnull);
		MemoryContextSwitchTo(old);
	}
	scan->xs_itup = state->no_columns;
}

static void
return_hit(IndexScanDesc scan, const AbstHit *hit)
{
	AbstScanState *state = scan->opaque;

	if (scan->xs_want_itup)
		return_no_columns(scan);
	scan->xs_heaptid = hit->tid;
	scan->xs_recheck = state->recheck;
	scan->xs_recheckorderby = state->recheck_order;
	if (!state->lossy && !state->recheck_order && !hit->isnull &&
		state->first_query)
		abst_handed_remember(scan, state->first_query, &scan->xs_heaptid,
							 hit->distance[0]);
	for (int i = 0; i < state->nkeys; i++)
	{
		float8		distance = -get_float8_infinity();

		if (!state->lossy && state->key_order[i] >= 0 && !hit->isnull)
			distance = hit->distance[state->key_order[i]];
		scan->xs_orderbynulls[i] = !state->lossy &&
			(state->key_order[i] < 0 || hit->isnull);
		if (!FLOAT8PASSBYVAL && DatumGetPointer(scan->xs_orderbyvals[i]))
			pfree(DatumGetPointer(scan->xs_orderbyvals[i]));
		scan->xs_orderbyvals[i] = Float8GetDatum(distance);
	}
}

bool
abst_gettuple(IndexScanDesc scan, ScanDirection direction)
{
	AbstScanState *state = scan->opaque;
	AbstTopK   *topk;

	Assert(ScanDirectionIsForward(direction));
	if (!state->started)
		start_scan(scan);
	if (state->nothing)
		return false;
	topk = state->search.topk;
	if (topk == NULL || state->next >= topk->nhits)
	{
		if (topk != NULL && state->exhausted)
			return false;
		next_batch(state);
		topk = state->search.topk;
		if (topk->nhits == 0)
			return false;
	}
	memcpy(state->last, abst_topk_hit(topk, state->next++), topk->hitsize);
	state->has_last = true;
	state->taken++;
	return_hit(scan, state->last);
	return true;
}

/* ---- bitmap ---- */

typedef struct BitmapState
{
	TIDBitmap  *bitmap;
	bool		recheck;
	int64		ntids;
} BitmapState;

static void
emit_to_bitmap(void *arg, ItemPointer tid)
{
	BitmapState *bs = arg;

	tbm_add_tuples(bs->bitmap, tid, 1, bs->recheck);
	bs->ntids++;
}

/*
 * A pass that starts again adds rows twice or rows that are gone from the new
 * directory: each of them matched, and dead rows fail the heap's visibility
 * check.
 */
int64
abst_getbitmap(IndexScanDesc scan, TIDBitmap *bitmap)
{
	AbstScanState *state = scan->opaque;
	BitmapState bs = {0};
	MemoryContext old;

	if (!state->started)
		start_scan(scan);
	if (state->nothing)
		return 0;
	bs.bitmap = bitmap;
	bs.recheck = state->recheck;
	old = MemoryContextSwitchTo(state->context);
	state->search.topk = NULL;
	state->search.emit = emit_to_bitmap;
	state->search.emit_arg = &bs;
	run_pass(state, NULL);
	state->search.emit = NULL;
	MemoryContextSwitchTo(old);
	return bs.ntids;
}
