/*-------------------------------------------------------------------------
 *
 * build.c
 *		CREATE INDEX and REINDEX.
 *
 * The table is read in block order into an inverter, which writes one
 * segment; where workers are to be had, each reads a share of the blocks
 * (build_parallel.c).  Pages are not logged one by one: when all is written
 * the whole fork is logged as full pages, unless the index needs no WAL.
 * Nobody else can see the index meanwhile; a crash removes the file with the
 * transaction.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "catalog/dependency.h"
#include "catalog/index.h"
#include "catalog/pg_class.h"
#include "catalog/pg_ts_config.h"
#include "commands/progress.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "utils/backend_progress.h"
#include "utils/memutils.h"

#include "am/build.h"
#include "index/upkeep.h"

/* Rows between two updates of the progress view. */
#define PROGRESS_STEP	1024

typedef struct BuildState
{
	AbstBuild  *build;
	AbstInverter *inverter;
	AbstInvertShared *shared;	/* NULL: alone */
	MemoryContext context;		/* reset for each row */
	int			unreported;
} BuildState;

/* Count rows for the progress view. */
static void
report_rows(BuildState *state)
{
	uint64		rows = state->build->index_tuples;

	if (state->shared != NULL)
	{
		abst_shared_add_rows(state->shared, state->unreported);
		rows = abst_shared_rows(state->shared);
	}
	state->unreported = 0;
	if (!IsParallelWorker())
		pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE,
									 (int64) rows);
}

/* One row of the table. */
static void
build_row(Relation index, ItemPointer tid, Datum *values, bool *isnull,
		  bool alive, void *arg)
{
	BuildState *state = arg;
	AbstBuild  *build = state->build;
	MemoryContext old = MemoryContextSwitchTo(state->context);
	AbstDoc		doc;

	if (!isnull[0])
		abst_document(values[0], build->reads_text, build->config, &doc);
	abst_inverter_add(state->inverter, tid, isnull[0] ? NULL : &doc);
	build->index_tuples++;
	if (++state->unreported == PROGRESS_STEP)
		report_rows(state);
	MemoryContextSwitchTo(old);
	MemoryContextReset(state->context);
}

void
abst_build_scan(AbstBuild *build, AbstInverter *inverter, TableScanDesc scan,
				AbstInvertShared *shared)
{
	BuildState	state = {0};

	state.build = build;
	state.inverter = inverter;
	state.shared = shared;
	state.context = AllocSetContextCreate(CurrentMemoryContext,
										  "abstracts build row",
										  ALLOCSET_DEFAULT_SIZES);
	build->heap_tuples += table_index_build_scan(build->heap, build->index,
												 build->index_info, false,
												 !IsParallelWorker(),
												 build_row, &state, scan);
	report_rows(&state);
	MemoryContextDelete(state.context);
}

/*
 * An index over a text column depends on the configuration that reads it:
 * without it, no row could be added.  REINDEX must not record that again, and
 * a dependency of the index's expression on another one is not ours to touch.
 */
static void
depend_on_config(Relation index, Oid config)
{
	ObjectAddress self;
	ObjectAddress other;

	deleteDependencyRecordsForSpecific(RelationRelationId,
									   RelationGetRelid(index),
									   DEPENDENCY_NORMAL,
									   TSConfigRelationId, config);
	ObjectAddressSet(self, RelationRelationId, RelationGetRelid(index));
	ObjectAddressSet(other, TSConfigRelationId, config);
	recordDependencyOn(&self, &other, DEPENDENCY_NORMAL);
}

void
abst_build_report_phase(int64 phase)
{
	pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, phase);
}

void
abst_build_report_rows(uint64 rows)
{
	pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_TOTAL,
								 (int64) rows);
	pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE, 0);
}

void
abst_build_init(AbstBuild *build, Relation heap, Relation index,
				IndexInfo *index_info)
{
	memset(build, 0, sizeof(AbstBuild));
	build->heap = heap;
	build->index = index;
	build->index_info = index_info;
	build->reads_text = abst_index_reads_text(index);
	if (build->reads_text)
		build->config = abst_index_config(index);
	abst_index_weights(index, build->weights);
}

/* Build in this process alone; false if there is no row. */
static bool
build_alone(AbstBuild *build, AbstSegmentInfo *info)
{
	AbstInverter *inverter = abst_inverter_begin(build->index, build->weights,
												 abst_maintenance_budget(),
												 true);
	uint32		id = 0;

	abst_build_report_phase(ABST_PHASE_SCAN);
	abst_build_scan(build, inverter, NULL, NULL);
	abst_build_report_phase(ABST_PHASE_WRITE);
	abst_build_report_rows(build->index_tuples);
	if (build->index_tuples > 0)
		id = abst_meta_new_id(build->index);
	return abst_inverter_finish(inverter, id, info);
}

IndexBuildResult *
abst_build(Relation heap, Relation index, IndexInfo *index_info)
{
	IndexBuildResult *result;
	AbstBuild	build;
	AbstSegmentInfo info;
	bool		any;
	int			nworkers;

	if (RelationGetNumberOfBlocks(index) != 0)
		elog(ERROR, "index \"%s\" already contains data",
			 RelationGetRelationName(index));

	abst_build_init(&build, heap, index, index_info);
	if (build.reads_text)
		depend_on_config(index, build.config);
	abst_meta_create(index, MAIN_FORKNUM, build.config, build.weights);

	nworkers = abst_build_workers(&build);
	abst_maintenance_lock(index, true);
	if (nworkers == 0 || !abst_build_parallel(&build, nworkers, &any, &info))
		any = build_alone(&build, &info);
	if (any)
	{
		AbstPublish publish;

		memset(&publish, 0, sizeof(publish));
		publish.added = &info;
		publish.flushed_head = InvalidBlockNumber;
		abst_meta_publish(index, &publish);
	}
	abst_maintenance_unlock(index);

	if (RelationNeedsWAL(index))
	{
		abst_build_report_phase(ABST_PHASE_LOG);
		abst_log_built(index);
	}

	result = (IndexBuildResult *) palloc(sizeof(IndexBuildResult));
	result->heap_tuples = build.heap_tuples;
	result->index_tuples = (double) build.index_tuples;
	return result;
}

/*
 * The init fork of an unlogged index.  It is logged and written through
 * abst_meta_create, which knows that this fork needs WAL though the index
 * does not.
 */
void
abst_buildempty(Relation index)
{
	float8		weights[ABST_NFIELDS];

	abst_index_weights(index, weights);
	abst_meta_create(index, INIT_FORKNUM,
					 abst_index_reads_text(index) ?
					 abst_index_config(index) : InvalidOid,
					 weights);
}

char	   *
abst_buildphasename(int64 phase)
{
	switch (phase)
	{
		case PROGRESS_CREATEIDX_SUBPHASE_INITIALIZE:
			return "initializing";
		case ABST_PHASE_SCAN:
			return "reading table";
		case ABST_PHASE_WRITE:
			return "writing segment";
		case ABST_PHASE_LOG:
			return "writing WAL";
		default:
			return NULL;
	}
}
