/*-------------------------------------------------------------------------
 *
 * build_parallel.c
 *		A build by several processes.
 *
 * The leader starts workers; all of them and the leader, too, read a share of
 * the table's blocks and then write a share of the postings.  What they do
 * with documents and how it becomes one segment is told in invert_shared.h;
 * here is what the server wants of a parallel operation.
 *
 * maintenance_work_mem is divided among all.  Workers write pages of the
 * index, but no WAL; the leader logs all in the end.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/parallel.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/index.h"
#include "catalog/pg_proc.h"
#include "executor/instrument.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "pgstat.h"
#include "storage/spin.h"
#include "tcop/tcopprot.h"
#include "utils/backend_status.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "am/build.h"
#include "index/upkeep.h"

/* Keys of the table of contents. */
#define KEY_BUILD		UINT64CONST(0xAB57000000000001)
#define KEY_INVERT		UINT64CONST(0xAB57000000000002)
#define KEY_SCAN		UINT64CONST(0xAB57000000000003)
#define KEY_QUERY		UINT64CONST(0xAB57000000000004)
#define KEY_WAL			UINT64CONST(0xAB57000000000005)
#define KEY_BUFFERS		UINT64CONST(0xAB57000000000006)

/* What workers are told, and what they report. */
typedef struct BuildShared
{
	Oid			heap;
	Oid			index;
	bool		concurrent;
	int			nparticipants;	/* at most */
	Size		budget;			/* of each */
	int64		query_id;

	slock_t		mutex;			/* of what follows */
	double		heap_tuples;
	uint64		index_tuples;
	bool		broken_hot_chain;
} BuildShared;

/* The leader's view of the operation. */
typedef struct Leader
{
	ParallelContext *context;
	BuildShared *shared;
	AbstInvertShared *invert;
	ParallelTableScanDesc scan;
	Snapshot	snapshot;
	WalUsage   *wal;
	BufferUsage *buffers;
} Leader;

extern PGDLLEXPORT void abst_build_worker(dsm_segment *segment, shm_toc *toc);

/*
 * The planner knows the settings, the size of the table and whether predicate
 * and expressions are parallel safe.  A text search configuration counts as
 * such, as in the core, whose to_tsvector is: dictionaries (even the stemmers)
 * are not marked.
 */
int
abst_build_workers(AbstBuild *build)
{
	return abst_planned_workers(build->heap, build->index, build->index_info);
}

/* ---- what every participant does ---- */

/* Read a share of the table and hand it over. */
static void
read_share(AbstBuild *build, BuildShared *shared, AbstInvertShared *invert,
		   ParallelTableScanDesc scan, int participant)
{
	AbstInverter *inverter = abst_inverter_begin(build->index, build->weights,
												 shared->budget, true);

	abst_inverter_share(inverter, invert, participant);
	abst_build_scan(build, inverter, table_beginscan_parallel(build->heap,
															  scan),
					invert);

	ereport(DEBUG1,
			(errmsg_internal("participant %d read " UINT64_FORMAT " rows",
							 participant, build->index_tuples)));
	SpinLockAcquire(&shared->mutex);
	shared->heap_tuples += build->heap_tuples;
	shared->index_tuples += build->index_tuples;
	shared->broken_hot_chain |= build->index_info->ii_BrokenHotChain;
	SpinLockRelease(&shared->mutex);
	abst_inverter_hand_over(inverter, shared->nparticipants);
}

/* ---- workers ---- */

void
abst_build_worker(dsm_segment *segment, shm_toc *toc)
{
	BuildShared *shared = shm_toc_lookup(toc, KEY_BUILD, false);
	AbstInvertShared *invert = shm_toc_lookup(toc, KEY_INVERT, false);
	ParallelTableScanDesc scan = shm_toc_lookup(toc, KEY_SCAN, false);
	LOCKMODE	heap_lock = shared->concurrent ? ShareUpdateExclusiveLock :
	ShareLock;
	LOCKMODE	index_lock = shared->concurrent ? RowExclusiveLock :
	AccessExclusiveLock;
	Relation	heap;
	Relation	index;
	IndexInfo  *index_info;
	AbstBuild	build;
	WalUsage   *wal;
	BufferUsage *buffers;

	/* May be missing when the leader runs no statement of a client. */
	debug_query_string = shm_toc_lookup(toc, KEY_QUERY, true);
	pgstat_report_activity(STATE_RUNNING, debug_query_string);
	pgstat_report_query_id(shared->query_id, false);

	heap = table_open(shared->heap, heap_lock);
	index = index_open(shared->index, index_lock);
	index_info = BuildIndexInfo(index);
	index_info->ii_Concurrent = shared->concurrent;
	abst_build_init(&build, heap, index, index_info);
	abst_shared_attach(invert, segment);

	InstrStartParallelQuery();
	read_share(&build, shared, invert, scan, ParallelWorkerNumber);
	abst_shared_write(invert, index, build.weights, ParallelWorkerNumber);
	wal = shm_toc_lookup(toc, KEY_WAL, false);
	buffers = shm_toc_lookup(toc, KEY_BUFFERS, false);
	InstrEndParallelQuery(&buffers[ParallelWorkerNumber],
						  &wal[ParallelWorkerNumber]);

	index_close(index, index_lock);
	table_close(heap, heap_lock);
}

/* ---- leader ---- */

/*
 * The library as the catalog calls it: a name that is sure to be found again,
 * wherever it was installed.
 */
static char *
library_name(Relation index)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID,
										ObjectIdGetDatum(index->rd_amhandler));
	Datum		name;
	bool		isnull;
	char	   *result;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u",
			 index->rd_amhandler);
	name = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_probin, &isnull);
	if (isnull)
		elog(ERROR, "handler of the access method has no library");
	result = TextDatumGetCString(name);
	ReleaseSysCache(tuple);
	return result;
}

static void
estimate(shm_toc_estimator *toc, Size size)
{
	shm_toc_estimate_chunk(toc, size);
	shm_toc_estimate_keys(toc, 1);
}

static void *
allocate(Leader *leader, uint64 key, Size size)
{
	void	   *place = shm_toc_allocate(leader->context->toc, size);

	memset(place, 0, size);
	shm_toc_insert(leader->context->toc, key, place);
	return place;
}

/* Fill the shared memory; nobody else sees it yet. */
static void
fill_shared(Leader *leader, AbstBuild *build, Size scan_size)
{
	ParallelContext *context = leader->context;
	int			nworkers = context->nworkers;
	BuildShared *shared;

	shared = allocate(leader, KEY_BUILD, sizeof(BuildShared));
	shared->heap = RelationGetRelid(build->heap);
	shared->index = RelationGetRelid(build->index);
	shared->concurrent = build->index_info->ii_Concurrent;
	shared->nparticipants = nworkers + 1;
	shared->budget = abst_maintenance_budget() / (nworkers + 1);
	shared->query_id = (int64) pgstat_get_my_query_id();
	SpinLockInit(&shared->mutex);
	leader->shared = shared;

	leader->invert = allocate(leader, KEY_INVERT, abst_shared_size());
	abst_shared_init(leader->invert, context->seg);

	/* Blocks must come in rising order, so not from where others just are. */
	leader->scan = allocate(leader, KEY_SCAN, scan_size);
	table_parallelscan_initialize(build->heap, leader->scan, leader->snapshot);
	leader->scan->phs_syncscan = false;

	leader->wal = allocate(leader, KEY_WAL, nworkers * sizeof(WalUsage));
	leader->buffers = allocate(leader, KEY_BUFFERS,
							   nworkers * sizeof(BufferUsage));
	if (debug_query_string != NULL)
	{
		Size		size = strlen(debug_query_string) + 1;

		memcpy(allocate(leader, KEY_QUERY, size), debug_query_string, size);
	}
}

static void
end_parallel(Leader *leader)
{
	DestroyParallelContext(leader->context);
	if (IsMVCCSnapshot(leader->snapshot))
		UnregisterSnapshot(leader->snapshot);
	ExitParallelMode();
}

/* Start workers; false if there is none. */
static bool
begin_parallel(Leader *leader, AbstBuild *build, int nworkers)
{
	ParallelContext *context;
	Size		scan_size;

	EnterParallelMode();
	context = CreateParallelContext(library_name(build->index),
									"abst_build_worker", nworkers);
	leader->context = context;

	/*
	 * As in a build by one process: a concurrent one sees what a snapshot
	 * sees, any other all rows that somebody might still see.
	 */
	leader->snapshot = build->index_info->ii_Concurrent ?
		RegisterSnapshot(GetTransactionSnapshot()) : SnapshotAny;
	scan_size = table_parallelscan_estimate(build->heap, leader->snapshot);
	estimate(&context->estimator, sizeof(BuildShared));
	estimate(&context->estimator, abst_shared_size());
	estimate(&context->estimator, scan_size);
	estimate(&context->estimator, nworkers * sizeof(WalUsage));
	estimate(&context->estimator, nworkers * sizeof(BufferUsage));
	if (debug_query_string != NULL)
		estimate(&context->estimator, strlen(debug_query_string) + 1);
	InitializeParallelDSM(context);

	/* Without shared memory to be had there are no workers either. */
	if (context->seg != NULL)
	{
		fill_shared(leader, build, scan_size);
		LaunchParallelWorkers(context);
	}
	if (context->seg == NULL || context->nworkers_launched == 0)
	{
		end_parallel(leader);
		return false;
	}
	return true;
}

bool
abst_build_parallel(AbstBuild *build, int nworkers, bool *any,
					AbstSegmentInfo *info)
{
	Leader		leader = {0};
	uint32		id = abst_meta_new_id(build->index);
	int			self;			/* the leader comes after the workers */
	AbstInvertPlan *plan;

	if (!begin_parallel(&leader, build, nworkers))
		return false;
	self = leader.context->nworkers_launched;
	ereport(DEBUG1,
			(errmsg_internal("building index \"%s\" with %d of %d parallel workers",
							 RelationGetRelationName(build->index), self,
							 nworkers)));

	abst_build_report_phase(ABST_PHASE_SCAN);
	read_share(build, leader.shared, leader.invert, leader.scan, self);

	/* A worker that could not start must not be waited for. */
	WaitForParallelWorkersToAttach(leader.context);
	abst_shared_wait_rows(leader.invert, self + 1);

	abst_build_report_phase(ABST_PHASE_WRITE);
	abst_build_report_rows(leader.shared->index_tuples);
	plan = abst_shared_plan(leader.invert, build->index, build->weights, id,
							self + 1);
	abst_shared_write(leader.invert, build->index, build->weights, self);
	abst_shared_wait_parts(leader.invert, self + 1);
	*any = plan != NULL;
	if (plan != NULL)
		abst_shared_complete(plan, info);

	WaitForParallelWorkersToFinish(leader.context);
	for (int i = 0; i < self; i++)
		InstrAccumParallelQuery(&leader.buffers[i], &leader.wal[i]);
	build->heap_tuples = leader.shared->heap_tuples;
	build->index_tuples = leader.shared->index_tuples;
	if (leader.shared->broken_hot_chain)
		build->index_info->ii_BrokenHotChain = true;
	end_parallel(&leader);
	return true;
}
