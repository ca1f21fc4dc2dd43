/*-------------------------------------------------------------------------
 *
 * insert.c
 *		INSERT, COPY and UPDATE: one row comes into the index.
 *
 * The row's document is appended to the pending list and is seen by scans
 * from then on.  The insert that adds a page to the list does a bit of upkeep
 * of bounded size, unless another backend is at work; it never waits for that
 * one.  (Only a document that does not fit a page of the list does: it
 * becomes a segment of its own.)
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "am/am.h"
#include "index/pending.h"
#include "index/upkeep.h"

/* Kept for the duration of a statement. */
typedef struct InsertState
{
	MemoryContext context;		/* reset for each row */
	bool		reads_text;
	Oid			config;
} InsertState;

void
abst_document(Datum value, bool reads_text, Oid config, AbstDoc *doc)
{
	TSVector	vector;

	if (reads_text)
	{
		text	   *string = DatumGetTextPP(value);
		AbstTextPart part;

		part.text = VARDATA_ANY(string);
		part.len = VARSIZE_ANY_EXHDR(string);
		part.label = 'D';
		vector = abst_vector_from_text(config, &part, 1);
	}
	else
		vector = DatumGetTSVector(value);
	abst_doc_from_vector(vector, doc);
}

/* Find or make the statement's state, and see that the options still hold. */
static InsertState *
insert_state(Relation index, IndexInfo *index_info)
{
	InsertState *state = index_info->ii_AmCache;
	AbstDirectory *directory;

	if (state != NULL)
		return state;

	directory = palloc(sizeof(AbstDirectory));
	abst_meta_read(index, directory);
	abst_options_check_frozen(index, directory);

	state = MemoryContextAlloc(index_info->ii_Context, sizeof(InsertState));
	state->context = AllocSetContextCreate(index_info->ii_Context,
										   "abstracts insert",
										   ALLOCSET_DEFAULT_SIZES);
	state->reads_text = abst_index_reads_text(index);
	state->config = directory->config;
	index_info->ii_AmCache = state;
	pfree(directory);
	return state;
}

/*
 * The work that falls to the insert that has added a page to the list.  What
 * it did is reported, so that tests can see how much that is.
 */
static void
keep_up(Relation index, uint32 npages)
{
	uint64		flushed = 0;
	uint64		merged;

	if (npages >= ABST_PENDING_LIMIT)
		flushed = abst_flush_some(index);
	merged = abst_merge_slice(index);
	if (flushed > 0 || merged > 0)
		elog(DEBUG1, "insert into index \"%s\" flushed " UINT64_FORMAT
			 " documents and merged " UINT64_FORMAT " units",
			 RelationGetRelationName(index), flushed, merged);
}

bool
abst_insert(Relation index, Datum *values, bool *isnull, ItemPointer tid,
			Relation heap, IndexUniqueCheck check_unique, bool index_unchanged,
			IndexInfo *index_info)
{
	InsertState *state = insert_state(index, index_info);
	MemoryContext old = MemoryContextSwitchTo(state->context);
	AbstDoc		doc;
	uint32		npages = 0;
	bool		large = false;

	if (!isnull[0])
		abst_document(values[0], state->reads_text, state->config, &doc);
	if (!abst_pending_append(index, tid, isnull[0] ? NULL : &doc, &npages))
	{
		abst_insert_as_segment(index, tid, &doc);
		large = true;
	}
	if (npages > 0 || large)
		keep_up(index, npages);

	MemoryContextSwitchTo(old);
	MemoryContextReset(state->context);

	/* The result is of interest to unique indexes only. */
	return false;
}
