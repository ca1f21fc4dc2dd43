/*-------------------------------------------------------------------------
 *
 * slices.c
 *		Merges that inserting backends do bit by bit.
 *
 * Merges have to keep pace with inserts, or the segments become too many, but
 * no single insert should pay for a whole one.  So a backend that inserts
 * keeps one merge in its memory and, whenever it adds a page to the pending
 * list, goes on with it for a slice: so many documents and postings, more of
 * them the more segments have come since the merge began.
 *
 * Between slices the backend holds nothing that anybody waits for.  The new
 * segment's pages are orphans, as after a crash, and VACUUM may take them;
 * or it marks documents of the inputs, moves their pages, or merges them
 * itself.  So each slice takes the maintenance lock, if it is free, and looks
 * whether the inputs are what they were; and before the segment is published,
 * whether no document was marked and all its pages are still there.  If not
 * the merge is given up, which costs work only.
 *
 * So that not every backend does the same merge, the first takes a claim, a
 * session-level lock that nobody ever waits for.  (The core releases it when a
 * transaction aborts, but not when the backend ends.)  A backend that sits
 * idle may keep it; when segments pile up the others do not mind the claim.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "access/xact.h"
#include "catalog/pg_class.h"
#include "index/merge.h"
#include "index/segment.h"
#include "index/upkeep.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/lock.h"
#include "utils/memutils.h"

/*
 * Units of a slice.  A page of the list is some nine abstracts of 113 terms,
 * and a document is merged once a tier, so three to four thousand units a
 * page keep pace; with several sessions each does its share more seldom.
 */
#define SLICE_UNITS		8192
#define SLICE_UNITS_MAX	(16 * SLICE_UNITS)

/* Larger merges are VACUUM's. */
#define SLICED_DOCS		(1 << 18)

/*
 * A backend that has added so few pages to lists may be about to end, and a
 * merge that it begins would be for nothing.
 */
#define NEWCOMER_PAGES	16

/* Segments from which on a claim counts no longer. */
#define CROWDED			48

/* Pages added for other indexes until a merge is given up. */
#define PATIENCE		256

/* Lock tag of a claim; see ABST_MAINTENANCE_SUBID. */
#define CLAIM_SUBID		0xFF86

/* The merge of this backend, if there is one. */
typedef struct PausedMerge
{
	AbstMerge  *merge;			/* NULL: none */
	MemoryContext context;
	Oid			index;
	AbstLocator locator;
	uint32		id;				/* of the new segment */
	AbstSegmentInfo *inputs;
	int			ninputs;
	uint32		newest;			/* id of the newest segment at its begin */
	bool		running;		/* in a slice, or an error ended one */
	bool		claimed;
	int			passed_over;	/* pages added for other indexes since */
} PausedMerge;

static PausedMerge paused;
static uint32 pages_added;

/* ---- the claim ---- */

static void
claim_tag(Oid index, LOCKTAG *tag)
{
	SET_LOCKTAG_OBJECT(*tag, MyDatabaseId, RelationRelationId, index,
					   CLAIM_SUBID);
}

static void
release_claim(void)
{
	LOCKTAG		tag;

	if (!paused.claimed)
		return;
	claim_tag(paused.index, &tag);
	LockRelease(&tag, ExclusiveLock, true);
	paused.claimed = false;
}

static void
at_end_of_xact(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_ABORT)
		paused.claimed = false;
}

static void
at_exit(int code, Datum arg)
{
	release_claim();
}

/* Take the claim unless we have it; false if another backend does. */
static bool
claim(void)
{
	static bool registered = false;
	LOCKTAG		tag;

	if (!registered)
	{
		RegisterXactCallback(at_end_of_xact, NULL);
		before_shmem_exit(at_exit, (Datum) 0);
		registered = true;
	}
	claim_tag(paused.index, &tag);
	if (!paused.claimed)
		paused.claimed = LockAcquire(&tag, ExclusiveLock, true, true) !=
			LOCKACQUIRE_NOT_AVAIL;
	return paused.claimed;
}

static bool
is_crowded(const AbstDirectory *directory)
{
	return directory->nsegments >= CROWDED;
}

/* ---- begin and end ---- */

/* Forget the merge; its pages are orphans or in the directory. */
static void
forget(void)
{
	release_claim();
	if (paused.context != NULL)
		MemoryContextDelete(paused.context);
	memset(&paused, 0, sizeof(paused));
}

/* The block may be gone from the file. */
static void
free_block(BlockNumber block, void *arg)
{
	Relation	index = arg;

	if (block < RelationGetNumberOfBlocks(index))
		abst_page_free(index, block, paused.id);
}

/*
 * Give up the merge, and its pages, of which VACUUM may have taken some.
 * Maintenance lock held.
 */
static void
give_up(Relation index)
{
	abst_merge_written(paused.merge, free_block, index);
	forget();
}

static uint32
newest_segment(const AbstDirectory *directory)
{
	uint32		newest = 0;

	for (int i = 0; i < directory->nsegments; i++)
		newest = Max(newest, directory->segments[i].id);
	return newest;
}

/* Begin a merge if one is due and nobody else is at it. */
static void
begin_merge(Relation index, const AbstDirectory *directory)
{
	AbstSegmentInfo *chosen;
	int			n;
	MemoryContext old;

	chosen = palloc(ABST_MAX_SEGMENTS * sizeof(AbstSegmentInfo));
	n = abst_choose_segments(directory, 0, SLICED_DOCS, chosen);
	if (n == 0)
		return;
	paused.index = RelationGetRelid(index);
	if (!claim() && !is_crowded(directory))
	{
		forget();
		return;
	}
	paused.running = true;
	paused.locator = AbstRelationLocator(index);
	paused.context = AllocSetContextCreate(TopMemoryContext,
										   "abstracts paused merge",
										   ALLOCSET_DEFAULT_SIZES);
	paused.id = abst_meta_new_id(index);
	paused.newest = newest_segment(directory);
	old = MemoryContextSwitchTo(paused.context);
	paused.inputs = palloc(n * sizeof(AbstSegmentInfo));
	memcpy(paused.inputs, chosen, n * sizeof(AbstSegmentInfo));
	paused.ninputs = n;
	paused.merge = abst_merge_begin(index, chosen, n, directory->weights,
									paused.id, true);
	MemoryContextSwitchTo(old);
	pfree(chosen);
}

/* Publish what is complete, if it is still true. */
static void
complete(Relation index)
{
	AbstSegmentInfo info;
	bool		any;

	if (!abst_merge_dead_unchanged(paused.merge))
	{
		give_up(index);
		return;
	}
	any = abst_merge_finish(paused.merge, &info);
	if (!any || abst_segment_is_whole(index, &info))
		abst_publish_merge(index, paused.inputs, paused.ninputs,
						   any ? &info : NULL);
	forget();
}

/* ---- slices ---- */

static uint64
slice_units(const AbstDirectory *directory)
{
	uint64		units = SLICE_UNITS;

	for (int i = 0; i < directory->nsegments; i++)
		if (directory->segments[i].id > paused.newest)
			units += SLICE_UNITS;
	return Min(units, SLICE_UNITS_MAX);
}

/* Maintenance lock held. */
static uint64
run_slice(Relation index)
{
	AbstDirectory *directory = palloc(sizeof(AbstDirectory));
	uint64		before;
	uint64		units = 0;

	abst_meta_read(index, directory);
	if (paused.merge != NULL &&
		!((claim() || is_crowded(directory)) &&
		  abst_merge_can_go_on(paused.merge, index, directory)))
		give_up(index);
	if (paused.merge == NULL)
		begin_merge(index, directory);
	if (paused.merge != NULL)
	{
		bool		done;

		paused.running = true;
		before = abst_merge_units(paused.merge);
		done = abst_merge_run(paused.merge, index, slice_units(directory));
		units = abst_merge_units(paused.merge) - before;
		if (done)
			complete(index);
		paused.running = false;
	}
	pfree(directory);
	return units;
}

/* May this backend work on a merge of the index now? */
static bool
is_our_turn(Relation index)
{
	AbstLocator locator = AbstRelationLocator(index);

	if (pages_added < NEWCOMER_PAGES)
	{
		pages_added++;
		return false;
	}
	if (paused.running)
		forget();
	if (paused.merge == NULL || AbstLocatorEquals(paused.locator, locator))
	{
		paused.passed_over = 0;
		return true;
	}
	if (paused.index != RelationGetRelid(index) &&
		++paused.passed_over < PATIENCE)
		return false;
	forget();
	return true;
}

uint64
abst_merge_slice(Relation index)
{
	uint64		units;

	if (!is_our_turn(index) || !abst_maintenance_lock(index, false))
		return 0;
	units = run_slice(index);
	abst_maintenance_unlock(index);
	return units;
}
