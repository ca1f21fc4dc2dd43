/*-------------------------------------------------------------------------
 *
 * build.c
 *		CREATE INDEX and REINDEX.
 *
 * The table is read in block order into an inverter, which writes one
 * segment.  Its pages are not logged one by one: when all is written the
 * whole fork is logged as full pages, unless the index needs no WAL.  Nobody
 * else can see the index meanwhile; a crash removes the file with the
 * transaction.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/tableam.h"
#include "access/xloginsert.h"
#include "catalog/dependency.h"
#include "catalog/index.h"
#include "catalog/pg_class.h"
#include "catalog/pg_ts_config.h"
#include "commands/progress.h"
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "utils/backend_progress.h"
#include "utils/memutils.h"

#include "am/am.h"
#include "index/invert.h"
#include "index/upkeep.h"

/* Tuples between two updates of the progress view. */
#define PROGRESS_STEP	1024

typedef struct BuildState
{
	AbstInverter *inverter;
	MemoryContext context;		/* reset for each row */
	bool		reads_text;
	Oid			config;
	int64		ntuples;
} BuildState;

/* One row of the table. */
static void
build_row(Relation index, ItemPointer tid, Datum *values, bool *isnull,
		  bool alive, void *arg)
{
	BuildState *state = arg;
	MemoryContext old = MemoryContextSwitchTo(state->context);
	AbstDoc		doc;

	if (!isnull[0])
		abst_document(values[0], state->reads_text, state->config, &doc);
	abst_inverter_add(state->inverter, tid, isnull[0] ? NULL : &doc);
	state->ntuples++;
	if (state->ntuples % PROGRESS_STEP == 0)
		pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE,
									 state->ntuples);
	MemoryContextSwitchTo(old);
	MemoryContextReset(state->context);
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

static void
report_phase(int64 phase)
{
	pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, phase);
}

IndexBuildResult *
abst_build(Relation heap, Relation index, IndexInfo *index_info)
{
	IndexBuildResult *result;
	BuildState	state;
	float8		weights[ABST_NFIELDS];
	double		reltuples;
	AbstSegmentInfo info;

	if (RelationGetNumberOfBlocks(index) != 0)
		elog(ERROR, "index \"%s\" already contains data",
			 RelationGetRelationName(index));

	memset(&state, 0, sizeof(state));
	state.reads_text = abst_index_reads_text(index);
	state.config = InvalidOid;
	if (state.reads_text)
	{
		state.config = abst_index_config(index);
		depend_on_config(index, state.config);
	}
	abst_index_weights(index, weights);
	abst_meta_create(index, MAIN_FORKNUM, state.config, weights);

	state.context = AllocSetContextCreate(CurrentMemoryContext,
										  "abstracts build row",
										  ALLOCSET_DEFAULT_SIZES);
	state.inverter = abst_inverter_begin(index, weights,
										 abst_maintenance_budget(), true);

	report_phase(ABST_PHASE_SCAN);
	reltuples = table_index_build_scan(heap, index, index_info, false, true,
									   build_row, &state, NULL);
	pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE,
								 state.ntuples);

	report_phase(ABST_PHASE_WRITE);
	abst_maintenance_lock(index, true);
	if (abst_inverter_finish(state.inverter,
							 state.ntuples > 0 ? abst_meta_new_id(index) : 0,
							 &info))
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
		report_phase(ABST_PHASE_LOG);
		log_newpage_range(index, MAIN_FORKNUM, 0,
						  RelationGetNumberOfBlocks(index), true);
	}
	MemoryContextDelete(state.context);

	result = (IndexBuildResult *) palloc(sizeof(IndexBuildResult));
	result->heap_tuples = reltuples;
	result->index_tuples = (double) state.ntuples;
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

char *
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
