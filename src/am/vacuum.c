/*-------------------------------------------------------------------------
 *
 * vacuum.c
 *		VACUUM: mark documents of dead rows, then tidy up.
 *
 * Rows are found through the document map, so marking costs what the map
 * costs, not the postings.  A marked document stays in the statistics until
 * its segment is rewritten.
 *
 * The callback is asked about every row the index holds, NULL rows too, for
 * CREATE INDEX CONCURRENTLY collects the index's rows through it.  The
 * pending list is flushed first, so all rows that were in the index when
 * VACUUM came are in segments; what is inserted later cannot be dead.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/vacuum.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "am/am.h"
#include "index/segment.h"
#include "index/upkeep.h"

#define VACUUM_WINDOW	4096	/* docids looked at at once, times of 64 */
#define WINDOW_WORDS	(VACUUM_WINDOW / 64)

/* Segments with a larger share of dead documents are rewritten. */
#define DEAD_SHARE		0.2

/* Windows between two looks at the pending list. */
#define BREATHE_WINDOWS	64

typedef struct VacuumState
{
	Relation	index;
	IndexBulkDeleteResult *stats;
	IndexBulkDeleteCallback callback;
	void	   *callback_state;
	uint32		floor_id;		/* ids of segments that were there at first */
	uint64		nwindows;
	ItemPointerData tids[VACUUM_WINDOW];
	bool		isnull[VACUUM_WINDOW];
	uint64		dead[WINDOW_WORDS];
	uint64		marks[WINDOW_WORDS];
} VacuumState;

static void
insist(VacuumState *state, const AbstSegmentInfo *info, AbstRead result)
{
	if (result == ABST_READ_STALE)
		abst_page_corrupted(state->index, info->header,
							"A segment refers to pages of another one.");
}

/* Look at docids first .. first + n - 1; adds to *ndead all dead ones. */
static void
vacuum_window(VacuumState *state, AbstSegment *segment,
			  const AbstSegmentInfo *info, uint32 first, uint32 n,
			  uint32 *ndead)
{
	IndexBulkDeleteResult *stats = state->stats;
	bool		any_dead;
	bool		any_mark = false;

	insist(state, info,
		   abst_segment_tids(segment, first, n, state->tids, state->isnull));
	insist(state, info,
		   abst_segment_dead(segment, first, n, state->dead, &any_dead));
	memset(state->marks, 0, sizeof(state->marks));
	for (uint32 i = 0; i < n; i++)
	{
		if (any_dead && (state->dead[i / 64] >> (i % 64) & 1))
			(*ndead)++;
		else if (state->callback(&state->tids[i], state->callback_state))
		{
			state->marks[i / 64] |= UINT64CONST(1) << (i % 64);
			any_mark = true;
			(*ndead)++;
			stats->tuples_removed += 1;
		}
		else
			stats->num_index_tuples += 1;
	}
	if (any_mark)
		abst_segment_mark_dead(segment, first, n, state->marks);
}

static void
vacuum_segment(VacuumState *state, const AbstSegmentInfo *info)
{
	AbstSegment *segment = abst_segment_open(state->index, info);
	uint32		maxdoc;
	uint32		ndead = 0;

	if (segment == NULL)
		insist(state, info, ABST_READ_STALE);
	maxdoc = abst_segment_maxdoc(segment);
	for (uint32 first = 0; first < maxdoc; first += VACUUM_WINDOW)
	{
		abst_vacuum_delay_point();
		if (++state->nwindows % BREATHE_WINDOWS == 0)
			abst_breathe(state->index, state->floor_id);
		vacuum_window(state, segment, info, first,
					  Min(VACUUM_WINDOW, maxdoc - first), &ndead);
	}
	abst_segment_close(segment);
	abst_meta_set_dead(state->index, info->id, ndead);
}

IndexBulkDeleteResult *
abst_bulkdelete(IndexVacuumInfo *info, IndexBulkDeleteResult *stats,
				IndexBulkDeleteCallback callback, void *callback_state)
{
	Relation	index = info->index;
	MemoryContext result_context = CurrentMemoryContext;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "abstracts vacuum",
												  ALLOCSET_DEFAULT_SIZES);
	AbstDirectory *directory;
	VacuumState *state;

	if (stats == NULL)
		stats = palloc0(sizeof(IndexBulkDeleteResult));

	MemoryContextSwitchTo(context);
	directory = palloc(sizeof(AbstDirectory));
	state = palloc0(sizeof(VacuumState));
	state->index = index;
	state->stats = stats;
	state->callback = callback;
	state->callback_state = callback_state;

	abst_flush(index);

	/* What comes in between flush and lock cannot be dead either. */
	abst_maintenance_lock(index, true);
	abst_meta_read(index, directory);
	for (int i = 0; i < directory->nsegments; i++)
		state->floor_id = Max(state->floor_id, directory->segments[i].id);

	stats->num_index_tuples = 0;
	stats->estimated_count = false;
	for (int i = 0; i < directory->nsegments; i++)
	{
		MemoryContext segment_context;

		segment_context = AllocSetContextCreate(context,
												"abstracts vacuum segment",
												ALLOCSET_DEFAULT_SIZES);
		MemoryContextSwitchTo(segment_context);
		vacuum_segment(state, &directory->segments[i]);
		MemoryContextSwitchTo(context);
		MemoryContextDelete(segment_context);
	}
	abst_maintenance_unlock(index);

	MemoryContextSwitchTo(result_context);
	MemoryContextDelete(context);
	return stats;
}

IndexBulkDeleteResult *
abst_vacuumcleanup(IndexVacuumInfo *info, IndexBulkDeleteResult *stats)
{
	Relation	index = info->index;
	AbstDirectory *directory;

	if (info->analyze_only)
		return stats;
	if (stats == NULL)
		stats = palloc0(sizeof(IndexBulkDeleteResult));

	abst_flush(index);
	abst_merge(index, false);
	abst_merge_dead(index, DEAD_SHARE);
	stats->pages_free = abst_reclaim(index);
	stats->pages_deleted = stats->pages_free;
	stats->num_pages = RelationGetNumberOfBlocks(index);

	directory = palloc(sizeof(AbstDirectory));
	abst_meta_read(index, directory);
	stats->num_index_tuples = 0;
	for (int i = 0; i < directory->nsegments; i++)
	{
		AbstSegmentInfo *segment = &directory->segments[i];

		stats->num_index_tuples += (double) segment->ndocs + segment->nnulls -
			segment->ndead;
	}

	/* Rows inserted since the flush are not in the count. */
	stats->estimated_count = directory->pending_pages > 1;
	pfree(directory);
	return stats;
}
