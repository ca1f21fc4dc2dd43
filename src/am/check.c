/*-------------------------------------------------------------------------
 *
 * check.c
 *		abstracts_check: is the index what it should be?
 *
 * Without the table: every segment by itself (abst_segment_check), the
 * pending list, and that no block is used twice or lies beyond the end.
 *
 * With the table: each row that a snapshot sees is read as a document again
 * and must be in the index exactly once, with the same terms, frequencies,
 * lengths and norm; and no entry may point to a row that is not there, since
 * another row could take its place.
 *
 * Documents are compared by a 64-bit hash that is the sum of a hash for each
 * term, so the index's side is added up while walking the dictionaries.  That
 * takes 15 bytes of memory for each row in the index.
 *
 * The maintenance lock is held, so what is not pending stays as it is; rows
 * inserted meanwhile are not looked at.  On a standby there is no such lock:
 * replay may replace what is being read, which is an error that asks to try
 * again, not a finding.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/tableam.h"
#include "access/transam.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/index.h"
#include "catalog/pg_am.h"
#include "commands/vacuum.h"
#include "common/hashfn.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "storage/bufmgr.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "am/am.h"
#include "index/pending.h"
#include "index/segment.h"

PG_FUNCTION_INFO_V1(abst_check_sql);

#define CHECK_CHUNK		4096	/* documents read at once, times of 64 */

#define ENTRY_DEAD		0x01
#define ENTRY_SEEN		0x02	/* the table has the row */

/* What a segment, or the pending list, says of its rows; in TID order. */
typedef struct CheckPart
{
	uint32		n;
	ItemPointerData *tids;
	uint64	   *hashes;
	uint8	   *flags;
} CheckPart;

typedef struct CheckState
{
	Relation	index;
	Relation	heap;
	AbstDirectory directory;
	BlockNumber nblocks;
	uint8	   *used;			/* bit by block */
	uint64		nrows;			/* in the index */
	/* with the table */
	CheckPart  *parts;			/* the segments', then the pending list's */
	int			nparts;
	bool		reads_text;
	MemoryContext row_context;	/* reset for each row */
} CheckState;

/* A document of the pending list, for sorting. */
typedef struct CheckPending
{
	ItemPointerData tid;
	uint64		hash;
} CheckPending;

/* ---- structure ---- */

static void
insist(CheckState *state, BlockNumber block, AbstRead result)
{
	if (result != ABST_READ_STALE)
		return;
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_IN_USE),
				 errmsg("index \"%s\" changed while it was checked",
						RelationGetRelationName(state->index)),
				 errhint("Try again.")));
	abst_page_corrupted(state->index, block,
						"A page belongs to another owner than its user thinks.");
}

static void
claim_block(BlockNumber block, void *arg)
{
	CheckState *state = arg;

	if (block >= state->nblocks)
		abst_page_corrupted(state->index, block,
							"The block is in use but lies beyond the end.");
	if (state->used[block / 8] & (1 << (block % 8)))
		abst_page_corrupted(state->index, block, "The block is used twice.");
	state->used[block / 8] |= 1 << (block % 8);
}

/* Records of the pending list; each is checked as it is read. */
static uint64
count_pending(CheckState *state)
{
	AbstPendingWalk *walk = abst_pending_begin(state->index,
											   &state->directory);
	AbstPendingDoc doc;
	AbstRead	result;
	uint64		n = 0;

	while ((result = abst_pending_next(walk, &doc)) == ABST_READ_OK)
	{
		CHECK_FOR_INTERRUPTS();
		abst_pending_verify(&doc);
		n++;
	}
	abst_pending_end(walk);
	insist(state, state->directory.pending_head, result);
	return n;
}

static void
check_structure(CheckState *state)
{
	AbstDirectory *directory = &state->directory;

	abst_meta_read(state->index, directory);
	state->nblocks = RelationGetNumberOfBlocks(state->index);
	state->used = palloc_extended(state->nblocks / 8 + 1,
								  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	claim_block(ABST_METAPAGE_BLKNO, state);
	insist(state, directory->pending_head,
		   abst_pending_blocks(state->index, directory, claim_block, state));
	state->nrows = count_pending(state);

	for (int i = 0; i < directory->nsegments; i++)
	{
		AbstSegmentInfo *info = &directory->segments[i];

		for (int j = 0; j < i; j++)
			if (directory->segments[j].id == info->id)
				abst_page_corrupted(state->index, ABST_METAPAGE_BLKNO,
									"A segment is in the directory twice.");
		insist(state, info->header,
			   abst_segment_blocks(state->index, info, claim_block, state));
		abst_segment_check(state->index, info);
		state->nrows += (uint64) info->ndocs + info->nnulls;
	}
	pfree(state->used);
}

/* ---- hashes of documents ---- */

static inline uint64
hash_term(const char *lexeme, int len, AbstTf tf)
{
	return hash_bytes_extended((const unsigned char *) lexeme, len, tf.all);
}

/* All but the terms. */
static uint64
hash_figures(bool isnull, const AbstLengths *lengths, float4 norm)
{
	struct
	{
		AbstLengths lengths;
		float4		norm;
	}			figures;

	if (isnull)
		return 1;
	memset(&figures, 0, sizeof(figures));
	figures.lengths = *lengths;
	figures.norm = norm;
	return hash_bytes_extended((const unsigned char *) &figures,
							   sizeof(figures), 0);
}

static uint64
hash_doc(const AbstDoc *doc)
{
	uint64		hash = hash_figures(false, &doc->lengths, doc->norm);

	for (int i = 0; i < doc->nterms; i++)
		hash += hash_term(doc->terms[i].lexeme, doc->terms[i].len,
						  doc->terms[i].tf);
	return hash;
}

static void
make_part(CheckPart *part, uint32 n)
{
	part->n = n;
	part->tids = palloc_extended((Size) Max(n, 1) * sizeof(ItemPointerData),
								 MCXT_ALLOC_HUGE);
	part->hashes = palloc_extended((Size) Max(n, 1) * sizeof(uint64),
								   MCXT_ALLOC_HUGE);
	part->flags = palloc_extended(Max(n, 1),
								  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

/* Rows of a segment: TIDs, dead flags, and the hashes' first part. */
static void
load_rows(CheckState *state, const AbstSegmentInfo *info, AbstSegment *segment,
		  CheckPart *part)
{
	bool	   *isnull = palloc(CHECK_CHUNK * sizeof(bool));
	AbstLengths *lengths = palloc(CHECK_CHUNK * sizeof(AbstLengths));
	float4	   *norms = palloc(CHECK_CHUNK * sizeof(float4));
	uint64	   *dead = palloc(CHECK_CHUNK / 8);

	for (uint32 first = 0; first < part->n; first += CHECK_CHUNK)
	{
		uint32		n = Min(CHECK_CHUNK, part->n - first);
		bool		any_dead;

		CHECK_FOR_INTERRUPTS();
		insist(state, info->header,
			   abst_segment_tids(segment, first, n, part->tids + first,
								 isnull));
		insist(state, info->header,
			   abst_segment_lengths(segment, first, n, lengths));
		insist(state, info->header,
			   abst_segment_norms(segment, first, n, norms));
		insist(state, info->header,
			   abst_segment_dead(segment, first, n, dead, &any_dead));
		for (uint32 i = 0; i < n; i++)
		{
			part->hashes[first + i] = hash_figures(isnull[i], &lengths[i],
												   norms[i]);
			if (any_dead && (dead[i / 64] >> (i % 64) & 1))
				part->flags[first + i] = ENTRY_DEAD;
		}
	}
	pfree(isnull);
	pfree(lengths);
	pfree(norms);
	pfree(dead);
}

/* Add a term's postings to the hashes. */
static void
load_postings(CheckState *state, const AbstSegmentInfo *info,
			  AbstSegment *segment, AbstPostings *postings,
			  const char *lexeme, int len, CheckPart *part)
{
	uint32		ncodes;
	const AbstTf *tfs = abst_segment_codes(segment, &ncodes);
	uint32		docids[ABST_BLOCK_SIZE];
	uint32		codes[ABST_BLOCK_SIZE];
	int			n;
	AbstRead	result;

	if (postings == NULL)
		insist(state, info->header, ABST_READ_STALE);
	while ((result = abst_postings_next(postings, docids, codes, &n)) ==
		   ABST_READ_OK)
	{
		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < n; i++)
		{
			if (docids[i] >= part->n || codes[i] >= ncodes)
				abst_page_corrupted(state->index, info->header,
									"A posting is out of range.");
			part->hashes[docids[i]] += hash_term(lexeme, len, tfs[codes[i]]);
		}
	}
	insist(state, info->header, result);
	abst_postings_end(postings);
}

static void
load_segment(CheckState *state, const AbstSegmentInfo *info, CheckPart *part)
{
	AbstSegment *segment = abst_segment_open(state->index, info);
	AbstDictCursor *dict;
	const char *lexeme;
	int			len;
	AbstTermInfo term;
	AbstRead	result;

	if (segment == NULL)
		insist(state, info->header, ABST_READ_STALE);
	make_part(part, abst_segment_maxdoc(segment));
	load_rows(state, info, segment, part);

	dict = abst_dict_begin(segment, "", 0);
	if (dict == NULL)
		insist(state, info->header, ABST_READ_STALE);
	while ((result = abst_dict_next(dict, &lexeme, &len,
									&term)) == ABST_READ_OK)
		load_postings(state, info, segment,
					  abst_postings_begin(segment, &term), lexeme, len, part);
	insist(state, info->header, result);
	abst_dict_end(dict);
	abst_segment_close(segment);
}

static int
cmp_pending(const void *a, const void *b)
{
	return ItemPointerCompare(&((CheckPending *) unconstify(void *, a))->tid,
							  &((CheckPending *) unconstify(void *, b))->tid);
}

static void
load_pending(CheckState *state, CheckPart *part)
{
	AbstPendingWalk *walk = abst_pending_begin(state->index,
											   &state->directory);
	AbstPendingDoc doc;
	AbstRead	result;
	uint32		n = 0;
	uint32		max = 1024;
	CheckPending *docs = palloc(max * sizeof(CheckPending));

	while ((result = abst_pending_next(walk, &doc)) == ABST_READ_OK)
	{
		const char *at = NULL;
		AbstDocTerm term;
		uint64		hash = hash_figures(doc.isnull, &doc.lengths, doc.norm);

		CHECK_FOR_INTERRUPTS();
		while (!doc.isnull && abst_pending_next_term(&doc, &at, &term))
			hash += hash_term(term.lexeme, term.len, term.tf);
		if (n == max)
		{
			max *= 2;
			docs = repalloc_huge(docs, (Size) max * sizeof(CheckPending));
		}
		docs[n].tid = doc.tid;
		docs[n].hash = hash;
		n++;
	}
	abst_pending_end(walk);
	insist(state, state->directory.pending_head, result);

	qsort(docs, n, sizeof(CheckPending), cmp_pending);
	make_part(part, n);
	for (uint32 i = 0; i < n; i++)
	{
		part->tids[i] = docs[i].tid;
		part->hashes[i] = docs[i].hash;
	}
	pfree(docs);
}

/* ---- against the table ---- */

static void
report_row(CheckState *state, ItemPointer tid, const char *fault)
{
	ereport(ERROR,
			(errcode(ERRCODE_INDEX_CORRUPTED),
			 errmsg("index \"%s\" does not agree with table \"%s\"",
					RelationGetRelationName(state->index),
					RelationGetRelationName(state->heap)),
			 errdetail("Row (%u,%u) %s.",
					   ItemPointerGetBlockNumberNoCheck(tid),
					   ItemPointerGetOffsetNumberNoCheck(tid), fault),
			 errhint("Rebuild the index with REINDEX.")));
}

/* First entry of a part whose TID is not below "tid". */
static uint32
find_entry(const CheckPart *part, ItemPointer tid)
{
	uint32		low = 0;
	uint32		high = part->n;

	while (low < high)
	{
		uint32		middle = low + (high - low) / 2;

		if (ItemPointerCompare(&part->tids[middle], tid) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* One row of the table. */
static void
check_row(Relation index, ItemPointer tid, Datum *values, bool *isnull,
		  bool alive, void *arg)
{
	CheckState *state = arg;
	MemoryContext old = MemoryContextSwitchTo(state->row_context);
	uint64		hash = hash_figures(true, NULL, 0);
	int			found = 0;

	if (!isnull[0])
	{
		AbstDoc		doc;

		abst_document(values[0], state->reads_text, state->directory.config,
					  &doc);
		hash = hash_doc(&doc);
	}

	for (int i = 0; i < state->nparts; i++)
	{
		CheckPart  *part = &state->parts[i];

		for (uint32 at = find_entry(part, tid);
			 at < part->n && ItemPointerEquals(&part->tids[at], tid); at++)
		{
			if (part->flags[at] & ENTRY_DEAD)
				continue;
			part->flags[at] |= ENTRY_SEEN;
			found++;
			if (part->hashes[at] != hash)
				report_row(state, tid, "has another document in the index");
		}
	}
	if (found == 0)
		report_row(state, tid, "is missing in the index");
	if (found > 1)
		report_row(state, tid, "is in the index more than once");

	MemoryContextSwitchTo(old);
	MemoryContextReset(state->row_context);
}

/* Read every row that the snapshot sees, in the manner of a build. */
static void
check_rows(CheckState *state, Snapshot snapshot)
{
	IndexInfo  *index_info = BuildIndexInfo(state->index);
	TableScanDesc scan;

	/* As in CREATE INDEX CONCURRENTLY: what the snapshot sees, no more. */
	index_info->ii_Concurrent = true;
	index_info->ii_Unique = false;
	index_info->ii_ExclusionOps = NULL;
	scan = table_beginscan_strat(state->heap, snapshot, 0, NULL, true, false);
	table_index_build_scan(state->heap, state->index, index_info, true, false,
						   check_row, state, scan);
}

/*
 * No entry may point to a line pointer that is unused, or to a heap-only
 * tuple.  VACUUM marks an entry dead before it frees the line pointer, and
 * cannot mark while we hold the maintenance lock.
 */
static void
check_pointers(CheckState *state, const CheckPart *part)
{
	BlockNumber nblocks = RelationGetNumberOfBlocks(state->heap);
	Buffer		buffer = InvalidBuffer;
	BlockNumber current = InvalidBlockNumber;

	for (uint32 i = 0; i < part->n; i++)
	{
		ItemPointer tid = &part->tids[i];
		BlockNumber block = ItemPointerGetBlockNumberNoCheck(tid);
		OffsetNumber offset = ItemPointerGetOffsetNumberNoCheck(tid);
		Page		page;
		ItemId		item;
		bool		good = false;

		if (part->flags[i] != 0)
			continue;
		if (block >= nblocks)
			report_row(state, tid, "is in the index but lies beyond the table's end");
		if (block != current)
		{
			CHECK_FOR_INTERRUPTS();
			if (BufferIsValid(buffer))
				ReleaseBuffer(buffer);
			buffer = ReadBuffer(state->heap, block);
			current = block;
		}
		LockBuffer(buffer, BUFFER_LOCK_SHARE);
		page = BufferGetPage(buffer);
		if (offset >= FirstOffsetNumber &&
			offset <= PageGetMaxOffsetNumber(page))
		{
			item = PageGetItemId(page, offset);
			good = ItemIdIsUsed(item) &&
				!(ItemIdIsNormal(item) &&
				  HeapTupleHeaderIsHeapOnly((HeapTupleHeader)
											PageGetItem(page, item)));
		}
		LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
		if (!good)
			report_row(state, tid, "is in the index but not in the table");
	}
	if (BufferIsValid(buffer))
		ReleaseBuffer(buffer);
}

/* Read the index's side, then compare. */
static void
check_against_table(CheckState *state, Snapshot snapshot)
{
	int			nsegments = state->directory.nsegments;

	state->reads_text = abst_index_reads_text(state->index);
	state->row_context = AllocSetContextCreate(CurrentMemoryContext,
											   "abstracts check row",
											   ALLOCSET_DEFAULT_SIZES);
	state->nparts = nsegments + 1;
	state->parts = palloc0(state->nparts * sizeof(CheckPart));
	for (int i = 0; i < nsegments; i++)
		load_segment(state, &state->directory.segments[i], &state->parts[i]);
	load_pending(state, &state->parts[nsegments]);

	check_rows(state, snapshot);
	if (state->heap->rd_rel->relam == HEAP_TABLE_AM_OID &&
		!RecoveryInProgress())
		for (int i = 0; i < state->nparts; i++)
			check_pointers(state, &state->parts[i]);
}

/* ---- SQL ---- */

/* Check one index; returns its rows. */
static uint64
check_index(Relation index, Relation heap, bool with_heap)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "abstracts check",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	CheckState *state = palloc0(sizeof(CheckState));
	bool		locked = !RecoveryInProgress();
	Snapshot	snapshot = NULL;
	uint64		nrows;

	state->index = index;
	state->heap = heap;
	if (locked)
		abst_maintenance_lock(index, true);

	/* Rows that this snapshot sees were in the index before we look at it. */
	if (with_heap)
	{
		snapshot = RegisterSnapshot(GetTransactionSnapshot());
		if (IsolationUsesXactSnapshot() && index->rd_index->indcheckxmin &&
			!TransactionIdPrecedes(HeapTupleHeaderGetXmin(index->rd_indextuple->t_data),
								   snapshot->xmin))
			ereport(ERROR,
					(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
					 errmsg("index \"%s\" cannot be checked with this transaction's snapshot",
							RelationGetRelationName(index)),
					 errhint("Try again in a new transaction.")));
	}
	check_structure(state);
	if (with_heap)
	{
		check_against_table(state, snapshot);
		UnregisterSnapshot(snapshot);
	}
	if (locked)
		abst_maintenance_unlock(index);

	nrows = state->nrows;
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return nrows;
}

/*
 * abstracts_check(regclass, heap boolean): rows in the index
 *
 * Expressions of the index run as the table's owner, as in VACUUM.
 */
Datum
abst_check_sql(PG_FUNCTION_ARGS)
{
	bool		with_heap = PG_GETARG_BOOL(1);
	List	   *leaves = abst_index_leaves(PG_GETARG_OID(0), ABST_RIGHT_OWN);
	ListCell   *cell;
	int64		nrows = 0;

	foreach(cell, leaves)
	{
		Relation	heap;
		Relation	index = abst_index_open(lfirst_oid(cell), AccessShareLock,
											&heap);
		Oid			user;
		int			security;
		int			nest_level;

		if (index == NULL)
			continue;
		GetUserIdAndSecContext(&user, &security);
		SetUserIdAndSecContext(heap->rd_rel->relowner,
							   security | SECURITY_RESTRICTED_OPERATION);
		nest_level = NewGUCNestLevel();
		abst_restrict_search_path();

		nrows += check_index(index, heap, with_heap);

		AtEOXact_GUC(false, nest_level);
		SetUserIdAndSecContext(user, security);
		abst_index_close(index, heap);
	}
	PG_RETURN_INT64(nrows);
}
