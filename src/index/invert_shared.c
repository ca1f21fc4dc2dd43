/*-------------------------------------------------------------------------
 *
 * invert_shared.c
 *		Several inverters over one table, which make one segment.
 *
 * Each participant reads some of the table's blocks, in rising order, and
 * leaves files: its documents, its runs, and a file of figures (frequency
 * vectors, runs, samples of the runs).  Here is what they share: memory,
 * files, waiting for each other, and that handing over; invert_plan.c makes
 * one segment of it.
 *
 * Memory: a participant keeps to its budget while it collects, and to half of
 * it for buffers when it writes.  The two bytes a document that writing needs
 * are shared by all.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/progress.h"
#include "miscadmin.h"
#include "utils/backend_progress.h"
#include "utils/memutils.h"
#include "utils/wait_event.h"

#include "index/inverter.h"

/* Milliseconds between two looks at the progress of others. */
#define WAIT_STEP		200

#define FILE_NAME_MAX	64

/* ---- shared memory and files ---- */

Size
abst_shared_size(void)
{
	return sizeof(AbstInvertShared);
}

void
abst_shared_init(AbstInvertShared *shared, dsm_segment *segment)
{
	memset(shared, 0, sizeof(AbstInvertShared));
	SharedFileSetInit(&shared->files, segment);
	ConditionVariableInit(&shared->changed);
	pg_atomic_init_u32(&shared->handed_over, 0);
	pg_atomic_init_u32(&shared->planned, 0);
	pg_atomic_init_u32(&shared->written, 0);
	pg_atomic_init_u64(&shared->rows, 0);
	pg_atomic_init_u64(&shared->postings, 0);
	pg_atomic_init_u32(&shared->next_range, 0);
	pg_atomic_init_u32(&shared->npages, 0);
}

void
abst_shared_attach(AbstInvertShared *shared, dsm_segment *segment)
{
	SharedFileSetAttach(&shared->files, segment);
}

static void
file_name(char *out, const char *name, int participant)
{
	snprintf(out, FILE_NAME_MAX, "%s.%d", name, participant);
}

BufFile    *
abst_shared_create(AbstInvertShared *shared, const char *name, int participant)
{
	char		full[FILE_NAME_MAX];

	file_name(full, name, participant);
	return BufFileCreateFileSet(&shared->files.fs, full);
}

BufFile    *
abst_shared_open(AbstInvertShared *shared, const char *name, int participant)
{
	char		full[FILE_NAME_MAX];

	file_name(full, name, participant);
	return BufFileOpenFileSet(&shared->files.fs, full, O_RDONLY, false);
}

void
abst_shared_delete(AbstInvertShared *shared, const char *name, int participant)
{
	char		full[FILE_NAME_MAX];

	file_name(full, name, participant);
	BufFileDeleteFileSet(&shared->files.fs, full, false);
}

void
abst_shared_export(BufFile *file)
{
	BufFileExportFileSet(file);
	BufFileClose(file);
}

/* Numbers and arrays of them, to a file and back. */
void
abst_shared_put(BufFile *file, const void *bytes, Size size)
{
	BufFileWrite(file, unconstify(void *, bytes), size);
}

void
abst_shared_get(BufFile *file, void *bytes, Size size)
{
	if (BufFileRead(file, bytes, size) != size)
		elog(ERROR, "unexpected end of a shared file of a build");
}

void	   *
abst_shared_get_array(BufFile *file, uint32 n, Size size)
{
	void	   *array = palloc_extended(Max(n, 1) * size, MCXT_ALLOC_HUGE);

	abst_shared_get(file, array, n * size);
	return array;
}

void
abst_shared_put_number(BufFile *file, uint32 number)
{
	abst_shared_put(file, &number, sizeof(number));
}

uint32
abst_shared_get_number(BufFile *file)
{
	uint32		number;

	abst_shared_get(file, &number, sizeof(number));
	return number;
}

/* ---- waiting and progress ---- */

void
abst_shared_advance(AbstInvertShared *shared, pg_atomic_uint32 *step)
{
	pg_atomic_fetch_add_u32(step, 1);
	ConditionVariableBroadcast(&shared->changed);
}

uint64
abst_shared_rows(AbstInvertShared *shared)
{
	return pg_atomic_read_u64(&shared->rows);
}

void
abst_shared_add_rows(AbstInvertShared *shared, uint64 rows)
{
	pg_atomic_fetch_add_u64(&shared->rows, rows);
}

static void
report_rows(AbstInvertShared *shared)
{
	pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE,
								 (int64) abst_shared_rows(shared));
}

/* Writing is reported in rows, too: the share of postings written. */
void
abst_shared_report_written(AbstInvertShared *shared)
{
	double		share = (double) pg_atomic_read_u64(&shared->postings) /
	Max(shared->all_postings, 1);

	pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE,
								 (int64) (share * shared->all_rows));
}

/* Wait for a step to be made so often; "report" may be NULL. */
void
abst_shared_wait(AbstInvertShared *shared, pg_atomic_uint32 *step,
				 uint32 times,
				 void (*report) (AbstInvertShared *shared))
{
	ConditionVariablePrepareToSleep(&shared->changed);
	while (pg_atomic_read_u32(step) < times)
	{
		if (report != NULL)
			report(shared);
		ConditionVariableTimedSleep(&shared->changed, WAIT_STEP,
									WAIT_EVENT_PARALLEL_CREATE_INDEX_SCAN);
	}
	ConditionVariableCancelSleep();
	if (report != NULL)
		report(shared);
}

void
abst_shared_wait_rows(AbstInvertShared *shared, int nparticipants)
{
	abst_shared_wait(shared, &shared->handed_over, nparticipants, report_rows);
}

void
abst_shared_wait_parts(AbstInvertShared *shared, int nparticipants)
{
	abst_shared_wait(shared, &shared->written, nparticipants,
					 abst_shared_report_written);
}

/* ---- handing over ---- */

void
abst_inverter_share(AbstInverter *inverter, AbstInvertShared *shared,
					int participant)
{
	inverter->shared = shared;
	inverter->participant = participant;
}

/* Everything about an inverter but its documents and runs. */
static void
write_figures(AbstInverter *inverter)
{
	BufFile    *file = abst_invert_new_file(inverter, "figures");

	abst_shared_put_number(file, (uint32) inverter->ndocs);
	abst_shared_put_number(file, inverter->field_mask);
	abst_shared_put_number(file, inverter->ncodes);
	abst_shared_put(file, inverter->codes, inverter->ncodes * sizeof(InvCode));
	abst_shared_put_number(file, inverter->nruns);
	for (int i = 0; i < inverter->nruns; i++)
	{
		InvRun	   *run = &inverter->runs[i];

		abst_shared_put_number(file, run->number);
		abst_shared_put(file, &run->interval, sizeof(run->interval));
		abst_shared_put_number(file, run->nsamples);
		abst_shared_put(file, run->samples, run->nsamples * sizeof(InvSample));
	}
	abst_shared_export(file);
}

void
abst_inverter_hand_over(AbstInverter *inverter, int nparticipants)
{
	AbstInvertShared *shared = inverter->shared;
	MemoryContext old = MemoryContextSwitchTo(inverter->context);
	int			fan_in = abst_invert_fan_in(inverter->budget);

	abst_invert_finish_page(inverter);
	abst_invert_file_docs(inverter);
	abst_shared_export(inverter->doc_file);
	if (inverter->nterms > 0)
		abst_invert_spill(inverter);

	/* All participants' runs will be merged at once. */
	abst_invert_reduce_runs(inverter, Max(fan_in / nparticipants, 2));
	write_figures(inverter);
	for (int i = 0; i < inverter->nruns; i++)
		abst_shared_export(inverter->runs[i].file);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(inverter->context);
	abst_shared_advance(shared, &shared->handed_over);
}
