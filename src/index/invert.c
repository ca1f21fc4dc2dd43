/*-------------------------------------------------------------------------
 *
 * invert.c
 *		The inverter: documents in, one segment out.
 *
 * Postings are collected per term as delta-coded bytes in slices of one
 * arena, found through an open-addressing hash table on the lexeme.  When
 * arena and table pass the budget, the terms are sorted and written as a run
 * to a temporary file, and both start empty again.  At the end the runs are
 * merged and stream into the segment writer.
 *
 * A run is a sequence of pieces in lexeme order:
 *
 *		length (1 byte), lexeme, varint postings, varint bytes, the bytes
 *
 * where the bytes are varint (docid - previous docid, from 0), varint (code)
 * for each posting.  A term may have several pieces one behind the other,
 * each starting from docid 0 anew; so runs are merged into a larger run by
 * copying pieces.  Runs hold documents in order, hence equal lexemes are
 * taken from the earlier run first.
 *
 * Docids are given in order of arrival.  Rows of one heap page may arrive out
 * of order; once the page is complete its documents are sorted, and the
 * permutation is kept until the postings are written to a run or to the
 * segment.  So runs are made between heap pages.
 *
 * Several processes can read one table together: each has an inverter, whose
 * runs the others can read, too (invert_shared.c).
 *
 * Memory: the budget covers all but what one heap page's rows add, the
 * frequency vectors (12 bytes for each distinct one), and, while the segment
 * is written, two bytes a document.
 *
 * This file collects; invert_runs.c sorts, spills and merges runs;
 * invert_write.c hands all over to the segment writer.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "index/inverter.h"

#define MAX_ARENA_BLOCK	(1024 * 1024)

/*
 * Terms of a document are looked up in batches: slot, term and the end of its
 * postings are each a cache miss, and asking for a batch's at once lets the
 * misses overlap.  That halves the time of a build and more.
 */
#define TERM_BATCH		32

#if defined(__GNUC__) || defined(__clang__)
#define prefetch(address)	__builtin_prefetch(address)
#else
#define prefetch(address)	((void) 0)
#endif

#define MIN_BUDGET		(128 * 1024)

/* ---- arena and hash table ---- */

static void *
arena_alloc(AbstInverter *inverter, Size size)
{
	char	   *result;

	size = MAXALIGN(size);
	if (unlikely(inverter->free_end - inverter->free < size))
	{
		Size		block = inverter->block_size;

		/* The largest request is far below the smallest block. */
		inverter->free = MemoryContextAlloc(inverter->arena, block);
		inverter->free_end = inverter->free + block;
		inverter->arena_bytes += block;
		if (inverter->block_size < MAX_ARENA_BLOCK)
			inverter->block_size *= 2;
	}
	result = inverter->free;
	inverter->free += size;
	return result;
}

/* A 64-bit hash of a lexeme, eight bytes at a time. */
static inline uint64
hash_lexeme(const char *lexeme, int len)
{
	const uint64 k = UINT64CONST(0x9E3779B97F4A7C15);
	uint64		h = (uint64) len * k;
	uint64		word;

	while (len >= 8)
	{
		memcpy(&word, lexeme, 8);
		h = (h ^ word) * k;
		h ^= h >> 32;
		lexeme += 8;
		len -= 8;
	}
	if (len > 0)
	{
		word = 0;
		memcpy(&word, lexeme, len);
		h = (h ^ word) * k;
	}
	h ^= h >> 29;
	h *= UINT64CONST(0xBF58476D1CE4E5B9);
	h ^= h >> 32;
	return h;
}

void
abst_invert_new_table(AbstInverter *inverter, uint32 nslots)
{
	inverter->slots = MemoryContextAllocExtended(inverter->context,
												 nslots * sizeof(InvSlot),
												 MCXT_ALLOC_HUGE |
												 MCXT_ALLOC_ZERO);
	inverter->nslots = nslots;
}

static void
grow_table(AbstInverter *inverter)
{
	InvSlot    *old = inverter->slots;
	uint32		nold = inverter->nslots;
	uint32		mask = nold * 2 - 1;

	abst_invert_new_table(inverter, nold * 2);
	for (uint32 i = 0; i < nold; i++)
	{
		uint32		at;

		if (old[i].term == NULL)
			continue;
		at = (uint32) old[i].key & mask;
		while (inverter->slots[at].term != NULL)
			at = (at + 1) & mask;
		inverter->slots[at] = old[i];
	}
	pfree(old);
}

static InvTerm *
find_term(AbstInverter *inverter, uint64 key, const char *lexeme, int len)
{
	uint32		mask = inverter->nslots - 1;
	uint32		at = (uint32) key & mask;
	InvTerm    *term;

	while ((term = inverter->slots[at].term) != NULL)
	{
		if (inverter->slots[at].key == key && term->len == len &&
			memcmp(term->lexeme, lexeme, len) == 0)
			return term;
		at = (at + 1) & mask;
	}

	if (len <= 0 || len > ABST_MAX_LEXEME)
		elog(ERROR, "lexeme of %d bytes", len);
	term = (InvTerm *) arena_alloc(inverter,
								   offsetof(InvTerm, lexeme) + len +
								   FIRST_SLICE + LINK_SIZE);
	term->len = len;
	memcpy(term->lexeme, lexeme, len);
	term->tail = (uint8 *) term->lexeme + len;
	term->tail_end = term->tail + FIRST_SLICE;
	term->slice_size = FIRST_SLICE;
	term->last_docid = 0;
	term->npostings = 0;
	inverter->slots[at].key = key;
	inverter->slots[at].term = term;
	if (++inverter->nterms > inverter->nslots / 2)
		grow_table(inverter);
	return term;
}

/* Append bytes that may not fit the current slice. */
static void
append_slow(AbstInverter *inverter, InvTerm *term, const uint8 *bytes, int n)
{
	while (n > 0)
	{
		int			room = term->tail_end - term->tail;

		if (room == 0)
		{
			uint32		size = Min(term->slice_size * 2, MAX_SLICE);
			char	   *slice = arena_alloc(inverter, size + LINK_SIZE);

			memcpy(term->tail_end, &slice, LINK_SIZE);
			term->tail = (uint8 *) slice;
			term->tail_end = term->tail + size;
			term->slice_size = size;
			room = size;
		}
		room = Min(room, n);
		memcpy(term->tail, bytes, room);
		term->tail += room;
		bytes += room;
		n -= room;
	}
}

static inline void
append_posting(AbstInverter *inverter, InvTerm *term, uint32 docid,
			   uint32 code)
{
	uint32		delta = docid - term->last_docid;

	if (likely(term->tail_end - term->tail >= 2 * MAX_VARINT))
		term->tail = abst_invert_put(abst_invert_put(term->tail, delta), code);
	else
	{
		uint8		bytes[2 * MAX_VARINT];
		uint8	   *end = abst_invert_put(abst_invert_put(bytes, delta), code);

		append_slow(inverter, term, bytes, end - bytes);
	}
	term->last_docid = docid;
	term->npostings++;
}

/* ---- frequency vectors ---- */

static inline uint32
hash_tf(AbstTf tf)
{
	uint32		h = tf.all * 0x9E3779B1;

	return h ^ (h >> 15);
}

static uint32
new_code(AbstInverter *inverter, AbstTf tf)
{
	uint32		mask;

	if (inverter->ncodes == inverter->maxcodes)
	{
		inverter->maxcodes *= 2;
		inverter->codes = repalloc_huge(inverter->codes,
										inverter->maxcodes * sizeof(InvCode));
	}
	inverter->codes[inverter->ncodes].tf = tf;
	inverter->codes[inverter->ncodes].count = 0;
	inverter->ncodes++;

	if (inverter->ncodes > inverter->ncode_slots / 2)
	{
		inverter->ncode_slots *= 2;
		pfree(inverter->code_slots);
		inverter->code_slots =
			MemoryContextAllocExtended(inverter->context,
									   inverter->ncode_slots * sizeof(uint32),
									   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	}
	else
		memset(inverter->code_slots, 0,
			   inverter->ncode_slots * sizeof(uint32));
	mask = inverter->ncode_slots - 1;
	for (uint32 i = 0; i < inverter->ncodes; i++)
	{
		uint32		at = hash_tf(inverter->codes[i].tf) & mask;

		while (inverter->code_slots[at] != 0)
			at = (at + 1) & mask;
		inverter->code_slots[at] = i + 1;
	}
	return inverter->ncodes - 1;
}

static inline uint32
find_code(AbstInverter *inverter, AbstTf tf)
{
	uint32		mask = inverter->ncode_slots - 1;
	uint32		at = hash_tf(tf) & mask;
	uint32		code;

	while ((code = inverter->code_slots[at]) != 0)
	{
		if (inverter->codes[code - 1].tf.all == tf.all)
			return code - 1;
		at = (at + 1) & mask;
	}
	return new_code(inverter, tf);
}

/* ---- documents ---- */

static int
cmp_doc(const void *a, const void *b, void *docs)
{
	const InvDoc *left = (const InvDoc *) docs + *(const uint16 *) a;
	const InvDoc *right = (const InvDoc *) docs + *(const uint16 *) b;

	return ItemPointerCompare(unconstify(ItemPointerData *, &left->tid),
							  unconstify(ItemPointerData *, &right->tid));
}

/* Bring the documents of the current heap page into order. */
static void
sort_page(AbstInverter *inverter)
{
	InvDoc	   *docs = inverter->docs + inverter->page_start;
	uint32		n = inverter->ndocs_held - inverter->page_start;
	uint16	   *order = palloc(n * sizeof(uint16));
	InvDoc	   *copy = palloc(n * sizeof(InvDoc));
	InvShuffle *shuffle;

	if (inverter->nshuffles == inverter->maxshuffles)
	{
		inverter->maxshuffles = Max(64, inverter->maxshuffles * 2);
		if (inverter->shuffles == NULL)
			inverter->shuffles =
				MemoryContextAlloc(inverter->context,
								   inverter->maxshuffles * sizeof(InvShuffle));
		else
			inverter->shuffles =
				repalloc_huge(inverter->shuffles,
							  inverter->maxshuffles * sizeof(InvShuffle));
	}
	shuffle = &inverter->shuffles[inverter->nshuffles++];
	shuffle->first = (uint32) (inverter->ndocs - n);
	shuffle->ndocs = n;
	shuffle->place = arena_alloc(inverter, n * sizeof(uint16));

	for (uint32 i = 0; i < n; i++)
		order[i] = i;
	qsort_arg(order, n, sizeof(uint16), cmp_doc, docs);
	memcpy(copy, docs, n * sizeof(InvDoc));
	for (uint32 i = 0; i < n; i++)
	{
		docs[i] = copy[order[i]];
		shuffle->place[order[i]] = i;
		if (i > 0 && ItemPointerEquals(&docs[i - 1].tid, &docs[i].tid))
			ereport(ERROR,
					(errcode(ERRCODE_INDEX_CORRUPTED),
					 errmsg("index \"%s\" has two documents for row (%u,%u)",
							RelationGetRelationName(inverter->index),
							ItemPointerGetBlockNumber(&docs[i].tid),
							ItemPointerGetOffsetNumber(&docs[i].tid)),
					 errhint("Please REINDEX it.")));
	}
	pfree(order);
	pfree(copy);
}

/* The documents held, all of complete heap pages, go to their file. */
void
abst_invert_file_docs(AbstInverter *inverter)
{
	if (inverter->doc_file == NULL)
		inverter->doc_file = abst_invert_new_file(inverter, "docs");
	BufFileWrite(inverter->doc_file, inverter->docs,
				 inverter->ndocs_held * sizeof(InvDoc));
	inverter->ndocs_filed += inverter->ndocs_held;
	inverter->ndocs_held = 0;
	inverter->page_start = 0;
}

/*
 * A run is due when the budget is reached.  The table doubles when it is half
 * full, so its double is what has to fit.
 */
static bool
memory_is_full(AbstInverter *inverter)
{
	Size		table = inverter->nslots * sizeof(InvSlot);

	if (inverter->nterms > inverter->nslots / 5 * 2)
		table *= 3;
	return inverter->arena_bytes + table +
		inverter->maxdocs * sizeof(InvDoc) +
		inverter->maxshuffles * sizeof(InvShuffle) > inverter->budget;
}

/* The current heap page is complete; make room for the next documents. */
void
abst_invert_finish_page(AbstInverter *inverter)
{
	if (inverter->page_shuffled)
		sort_page(inverter);
	inverter->page_shuffled = false;
	inverter->page_start = inverter->ndocs_held;

	/* A good many documents go to the file. */
	if (inverter->ndocs_held * sizeof(InvDoc) > inverter->budget / 8)
		abst_invert_file_docs(inverter);
	if (memory_is_full(inverter))
		abst_invert_spill(inverter);
}

/* Note a document; returns its docid by arrival. */
static uint32
add_doc(AbstInverter *inverter, ItemPointer tid, const AbstDoc *doc)
{
	InvDoc	   *held;

	if (inverter->ndocs >= ABST_MAX_DOCS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("index \"%s\" cannot hold more than %u rows in one segment",
						RelationGetRelationName(inverter->index),
						ABST_MAX_DOCS)));

	if (inverter->ndocs_held > inverter->page_start)
	{
		ItemPointer last = &inverter->docs[inverter->ndocs_held - 1].tid;
		BlockNumber block = ItemPointerGetBlockNumber(tid);

		if (block > ItemPointerGetBlockNumber(last))
			abst_invert_finish_page(inverter);
		else if (block < ItemPointerGetBlockNumber(last))
			elog(ERROR, "rows did not arrive in block order");
		else if (ItemPointerCompare(tid, last) <= 0)
			inverter->page_shuffled = true;
		if (inverter->ndocs_held - inverter->page_start >= MaxOffsetNumber)
			elog(ERROR, "too many rows in one block");
	}

	if (inverter->ndocs_held == inverter->maxdocs)
	{
		inverter->maxdocs *= 2;
		inverter->docs = repalloc_huge(inverter->docs,
									   inverter->maxdocs * sizeof(InvDoc));
	}
	held = &inverter->docs[inverter->ndocs_held++];
	memset(held, 0, sizeof(InvDoc));
	held->tid = *tid;
	if (doc == NULL)
		held->isnull = 1;
	else
	{
		held->lengths = doc->lengths;
		held->norm = doc->norm;
		for (int f = 0; f < ABST_NFIELDS; f++)
			if (doc->lengths.field[f] > 0)
				inverter->field_mask |= 1 << f;
	}
	return (uint32) inverter->ndocs++;
}

/* ---- interface: collecting ---- */

AbstInverter *
abst_inverter_begin(Relation index, const float8 *weights, Size budget,
					bool building)
{
	MemoryContext context;
	AbstInverter *inverter;

	context = AllocSetContextCreate(CurrentMemoryContext,
									"abstracts inverter",
									ALLOCSET_DEFAULT_SIZES);
	inverter = MemoryContextAllocZero(context, sizeof(AbstInverter));
	inverter->index = index;
	memcpy(inverter->weights, weights, sizeof(inverter->weights));
	inverter->building = building;
	inverter->budget = Max(budget, MIN_BUDGET);
	inverter->context = context;
	inverter->arena = AllocSetContextCreate(context,
											"abstracts inverter arena",
											ALLOCSET_DEFAULT_SIZES);
	inverter->block_size = MIN_ARENA_BLOCK;
	abst_invert_new_table(inverter, MIN_TABLE);

	inverter->maxcodes = 64;
	inverter->codes = MemoryContextAlloc(context,
										 inverter->maxcodes * sizeof(InvCode));
	inverter->ncode_slots = 256;
	inverter->code_slots =
		MemoryContextAllocZero(context,
							   inverter->ncode_slots * sizeof(uint32));
	inverter->maxdocs = 512;
	inverter->docs = MemoryContextAlloc(context,
										inverter->maxdocs * sizeof(InvDoc));
	return inverter;
}

/* A batch of a document's terms. */
static void
add_terms(AbstInverter *inverter, uint32 docid, const AbstDocTerm *words,
		  int n)
{
	uint64		keys[TERM_BATCH];

	/* Nothing here must be right but the keys: it only warms the cache. */
	for (int i = 0; i < n; i++)
	{
		keys[i] = hash_lexeme(words[i].lexeme, words[i].len);
		prefetch(&inverter->slots[(uint32) keys[i] & (inverter->nslots - 1)]);
	}
	for (int i = 0; i < n; i++)
		prefetch(inverter->slots[(uint32) keys[i] & (inverter->nslots - 1)].term);
	for (int i = 0; i < n; i++)
	{
		InvTerm    *term;

		term = inverter->slots[(uint32) keys[i] & (inverter->nslots - 1)].term;
		if (term != NULL)
			prefetch(term->tail);
	}

	for (int i = 0; i < n; i++)
	{
		uint32		code = find_code(inverter, words[i].tf);
		InvTerm    *term = find_term(inverter, keys[i], words[i].lexeme,
									 words[i].len);

		append_posting(inverter, term, docid, code);
		inverter->codes[code].count++;
	}
}

void
abst_inverter_add(AbstInverter *inverter, ItemPointer tid, const AbstDoc *doc)
{
	uint32		docid = add_doc(inverter, tid, doc);

	if (doc == NULL)
		return;
	for (int i = 0; i < doc->nterms; i += TERM_BATCH)
		add_terms(inverter, docid, doc->terms + i,
				  Min(TERM_BATCH, doc->nterms - i));
}
