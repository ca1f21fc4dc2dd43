/*-------------------------------------------------------------------------
 *
 * merge.c
 *		Merge the live documents of several segments into a new one.
 *
 * Documents are renumbered in TID order across the inputs, NULL rows come
 * along, dead documents are dropped, and so are terms that only they had.
 * The maintenance lock is held while a merge runs, so nothing can replace the
 * inputs: a stale page here is a corrupted index.
 *
 * Three passes: the document maps, which give every old docid its new one;
 * the frequency vectors, since the writer wants them all in advance, most
 * frequent first; and the dictionaries and postings side by side.  Without
 * dead documents the vectors are those of the inputs, and their order there
 * tells well enough how frequent they are; with dead ones the postings are
 * read once more to count which survive.
 *
 * Memory: four bytes a document of the inputs, what the writer needs, and
 * some 30 kB an input.  Nothing grows with the number of postings, so the
 * budget has nothing to decide.
 *
 * A merge can pause between two chunks of documents and between two terms,
 * and keeps neither locks nor pins then (slices.c runs it bit by bit).  One
 * that runs in one go looks at the pending list now and then (abst_breathe):
 * a long merge must not let it grow without bound.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/vacuum.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "index/invert.h"
#include "index/merge.h"
#include "index/upkeep.h"

#define MERGE_CHUNK		1024	/* documents read at once, times of 64 */
#define DEAD_DOCID		PG_UINT32_MAX
#define BREATHE_UNITS	(1 << 20)	/* documents and postings between looks */

/* One segment that goes in. */
typedef struct MergeInput
{
	AbstSegment *segment;
	BlockNumber header;			/* for error reports */
	uint32		maxdoc;
	uint32	   *docmap;			/* new docids; DEAD_DOCID: dropped */
	const AbstTf *codes;
	uint32		ncodes;
	uint64	   *counts;			/* live postings by code */

	/* documents: the chunk at hand, and the next live one in it */
	uint32		chunk_first;
	uint32		chunk_n;
	uint32		at;				/* docid */
	ItemPointerData tids[MERGE_CHUNK];
	bool		isnull[MERGE_CHUNK];
	AbstLengths lengths[MERGE_CHUNK];
	float4		norms[MERGE_CHUNK];
	uint64		dead[MERGE_CHUNK / 64];
	bool		any_dead;

	/* dictionary: the current term */
	AbstDictCursor *dict;
	const char *lexeme;
	int			len;
	AbstTermInfo term;

	/* postings of the current term: the next live one */
	AbstPostings *postings;
	uint32		docids[ABST_BLOCK_SIZE];
	uint32		block_codes[ABST_BLOCK_SIZE];
	int			block_n;
	int			block_at;
	uint32		docid;			/* new docid */
} MergeInput;

/* Inputs in order of where they stand, the smallest first. */
typedef struct MergeHeap
{
	MergeInput *inputs;
	int		   *items;
	int			n;
	bool		(*before) (MergeInput *a, MergeInput *b);
} MergeHeap;

typedef enum MergePhase
{
	MERGE_BEGIN,
	MERGE_DOCS,
	MERGE_COUNT,
	MERGE_TERMS,
	MERGE_END
} MergePhase;

struct AbstMerge
{
	Relation	index;			/* of the run at hand */
	MemoryContext context;
	AbstSegmentInfo *infos;
	MergeInput *inputs;
	int			ninputs;
	float8		weights[ABST_NFIELDS];
	uint32		id;				/* of the new segment */
	AbstSegmentWriter *writer;	/* NULL until there is a live document */
	ItemPointerData last_tid;	/* written */
	bool		dropped;		/* a dead document */
	MergePhase	phase;
	int			counted;		/* inputs whose postings are counted */
	MergeHeap	heap;			/* of inputs, by document or term */
	MergeHeap	inner;			/* of those with the current term */
	int		   *users;			/* the same as a list */
	uint64		units;			/* documents and postings read */
	uint64		limit;			/* of units, to pause at */
	bool		sliced;			/* does not breathe */
};

/* Nothing can be stale under the maintenance lock. */
static inline void
insist(AbstMerge *merge, MergeInput *input, AbstRead result)
{
	if (unlikely(result == ABST_READ_STALE))
		abst_page_corrupted(merge->index, input->header,
							"the segment refers to pages of another one");
}

/* Interrupts, VACUUM's delays, and the pending list, now and then. */
static inline void
breathe(AbstMerge *merge, uint32 units)
{
	uint64		before = merge->units / BREATHE_UNITS;

	merge->units += units;
	if (merge->sliced)
	{
		CHECK_FOR_INTERRUPTS();
		return;
	}
	abst_vacuum_delay_point();
	if (merge->units / BREATHE_UNITS != before)
		abst_breathe(merge->index, merge->id);
}

static inline bool
must_pause(AbstMerge *merge)
{
	return merge->units >= merge->limit;
}

/* ---- heap of inputs ---- */

static inline bool
item_before(MergeHeap *heap, int a, int b)
{
	return heap->before(&heap->inputs[a], &heap->inputs[b]);
}

static void
sift_down(MergeHeap *heap, int at)
{
	int			item = heap->items[at];

	for (;;)
	{
		int			child = 2 * at + 1;

		if (child >= heap->n)
			break;
		if (child + 1 < heap->n &&
			item_before(heap, heap->items[child + 1], heap->items[child]))
			child++;
		if (!item_before(heap, heap->items[child], item))
			break;
		heap->items[at] = heap->items[child];
		at = child;
	}
	heap->items[at] = item;
}

static void
sift_up(MergeHeap *heap, int item)
{
	int			at = heap->n++;

	while (at > 0 && item_before(heap, item, heap->items[(at - 1) / 2]))
	{
		heap->items[at] = heap->items[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap->items[at] = item;
}

static void
make_heap(MergeHeap *heap, bool (*before) (MergeInput *, MergeInput *))
{
	heap->before = before;
	for (int i = heap->n / 2 - 1; i >= 0; i--)
		sift_down(heap, i);
}

/* The first input moved on ("more") or ended. */
static void
fix_heap(MergeHeap *heap, bool more)
{
	if (!more)
		heap->items[0] = heap->items[--heap->n];
	if (heap->n > 0)
		sift_down(heap, 0);
}

/* ---- documents ---- */

static bool
tid_before(MergeInput *a, MergeInput *b)
{
	return ItemPointerCompare(&a->tids[a->at - a->chunk_first],
							  &b->tids[b->at - b->chunk_first]) < 0;
}

/* Read the chunk that begins at docid "first". */
static void
read_chunk(AbstMerge *merge, MergeInput *input, uint32 first)
{
	uint32		n = Min(MERGE_CHUNK, input->maxdoc - first);

	input->chunk_first = first;
	input->chunk_n = n;
	insist(merge, input,
		   abst_segment_tids(input->segment, first, n, input->tids,
							 input->isnull));
	insist(merge, input,
		   abst_segment_lengths(input->segment, first, n, input->lengths));
	insist(merge, input,
		   abst_segment_norms(input->segment, first, n, input->norms));
	insist(merge, input,
		   abst_segment_dead(input->segment, first, n, input->dead,
							 &input->any_dead));
	breathe(merge, n);
}

/* Go to the first live document at or after input->at; false at the end. */
static bool
next_doc(AbstMerge *merge, MergeInput *input)
{
	for (; input->at < input->maxdoc; input->at++)
	{
		uint32		i = input->at - input->chunk_first;

		if (i >= input->chunk_n)
		{
			read_chunk(merge, input, input->at);
			i = 0;
		}
		if (!input->any_dead || !(input->dead[i / 64] >> (i % 64) & 1))
			return true;
		input->docmap[input->at] = DEAD_DOCID;
		merge->dropped = true;
	}
	return false;
}

static void
begin_docs(AbstMerge *merge)
{
	merge->heap.n = 0;
	for (int i = 0; i < merge->ninputs; i++)
		if (next_doc(merge, &merge->inputs[i]))
			merge->heap.items[merge->heap.n++] = i;
	make_heap(&merge->heap, tid_before);
}

/* The document that is first in TID order, to the writer. */
static void
merge_doc(AbstMerge *merge)
{
	MergeInput *input = &merge->inputs[merge->heap.items[0]];
	uint32		i = input->at - input->chunk_first;
	ItemPointer tid = &input->tids[i];

	if (merge->writer == NULL)
		merge->writer = abst_segment_writer_begin(merge->index, merge->id,
												  merge->weights, false);
	else if (ItemPointerCompare(tid, &merge->last_tid) <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_INDEX_CORRUPTED),
				 errmsg("index \"%s\" has two documents for row (%u,%u)",
						RelationGetRelationName(merge->index),
						ItemPointerGetBlockNumberNoCheck(tid),
						ItemPointerGetOffsetNumberNoCheck(tid)),
				 errhint("Please REINDEX it.")));
	merge->last_tid = *tid;
	input->docmap[input->at] =
		abst_segment_writer_doc(merge->writer, tid, &input->lengths[i],
								input->norms[i], input->isnull[i]);
	input->at++;
	fix_heap(&merge->heap, next_doc(merge, input));
}

/* All live documents; fills the docmaps.  False: pause. */
static bool
merge_docs(AbstMerge *merge)
{
	while (merge->heap.n > 0)
	{
		if (must_pause(merge))
			return false;
		merge_doc(merge);
	}
	return true;
}

/* ---- postings of one term ---- */

/* Go to the next live posting of the current term; false at the end. */
static bool
next_posting(AbstMerge *merge, MergeInput *input)
{
	for (;;)
	{
		AbstRead	result;

		while (++input->block_at < input->block_n)
		{
			uint32		old = input->docids[input->block_at];

			if (unlikely(old >= input->maxdoc ||
						 input->block_codes[input->block_at] >= input->ncodes))
				abst_page_corrupted(merge->index, input->header,
									"a posting is out of range");
			input->docid = input->docmap[old];
			if (input->docid != DEAD_DOCID)
				return true;
		}
		result = abst_postings_next(input->postings, input->docids,
									input->block_codes, &input->block_n);
		insist(merge, input, result);
		if (result == ABST_READ_END)
		{
			abst_postings_end(input->postings);
			input->postings = NULL;
			return false;
		}
		input->block_at = -1;
		breathe(merge, input->block_n);
	}
}

/* Open the postings of the input's current term; false if none is live. */
static bool
open_postings(AbstMerge *merge, MergeInput *input)
{
	input->postings = abst_postings_begin(input->segment, &input->term);
	if (input->postings == NULL)
		insist(merge, input, ABST_READ_STALE);
	input->block_n = 0;
	input->block_at = -1;
	return next_posting(merge, input);
}

static bool
posting_before(MergeInput *a, MergeInput *b)
{
	return a->docid < b->docid;
}

/* ---- dictionaries ---- */

static void
begin_terms(AbstMerge *merge, MergeInput *input)
{
	input->dict = abst_dict_begin(input->segment, "", 0);
	if (input->dict == NULL)
		insist(merge, input, ABST_READ_STALE);
}

/* Go to the input's next term; false at the end. */
static bool
next_term(AbstMerge *merge, MergeInput *input)
{
	AbstRead	result = abst_dict_next(input->dict, &input->lexeme,
										&input->len, &input->term);

	insist(merge, input, result);
	if (result == ABST_READ_END)
	{
		abst_dict_end(input->dict);
		input->dict = NULL;
		return false;
	}
	return true;
}

/*
 * Count the live postings of the inputs by frequency vector.  False: pause.
 */
static bool
count_codes(AbstMerge *merge)
{
	for (; merge->counted < merge->ninputs; merge->counted++)
	{
		MergeInput *input = &merge->inputs[merge->counted];

		if (input->dict == NULL)
			begin_terms(merge, input);
		for (;;)
		{
			bool		more;

			if (must_pause(merge))
				return false;
			if (!next_term(merge, input))
				break;
			for (more = open_postings(merge, input); more;
				 more = next_posting(merge, input))
				input->counts[input->block_codes[input->block_at]]++;
		}
	}
	return true;
}

/*
 * Without dead documents every vector survives, and how frequent it is can be
 * told from its place in the table: counts fall about as the square of it.
 */
static void
guess_counts(AbstMerge *merge)
{
	for (int i = 0; i < merge->ninputs; i++)
	{
		MergeInput *input = &merge->inputs[i];

		for (uint64 j = 0; j < input->ncodes; j++)
			input->counts[j] = 1 + ((uint64) input->maxdoc << 20) /
				((j + 1) * (j + 1));
	}
}

typedef struct MergeCode
{
	AbstTf		tf;
	uint64		count;
} MergeCode;

static int
cmp_code_tf(const void *a, const void *b)
{
	uint32		left = ((const MergeCode *) a)->tf.all;
	uint32		right = ((const MergeCode *) b)->tf.all;

	return left < right ? -1 : left > right;
}

static int
cmp_code_count(const void *a, const void *b)
{
	const MergeCode *left = a;
	const MergeCode *right = b;

	if (left->count != right->count)
		return left->count > right->count ? -1 : 1;
	return cmp_code_tf(a, b);
}

/* The frequency vectors that survive, most frequent first, to the writer. */
static void
merge_codes(AbstMerge *merge)
{
	MergeCode  *codes;
	AbstTf	   *tfs;
	uint32		total = 0;
	uint32		n = 0;

	for (int i = 0; i < merge->ninputs; i++)
		total += merge->inputs[i].ncodes;
	codes = palloc_extended(Max(total, 1) * sizeof(MergeCode),
							MCXT_ALLOC_HUGE);
	total = 0;
	for (int i = 0; i < merge->ninputs; i++)
	{
		MergeInput *input = &merge->inputs[i];

		for (uint32 j = 0; j < input->ncodes; j++)
		{
			if (input->counts[j] == 0)
				continue;
			codes[total].tf = input->codes[j];
			codes[total].count = input->counts[j];
			total++;
		}
	}

	/* Bring equal ones together, add them up, then order by count. */
	qsort(codes, total, sizeof(MergeCode), cmp_code_tf);
	for (uint32 i = 0; i < total; i++)
	{
		if (n > 0 && codes[n - 1].tf.all == codes[i].tf.all)
			codes[n - 1].count += codes[i].count;
		else
			codes[n++] = codes[i];
	}
	qsort(codes, n, sizeof(MergeCode), cmp_code_count);
	tfs = palloc_extended(Max(n, 1) * sizeof(AbstTf), MCXT_ALLOC_HUGE);
	for (uint32 i = 0; i < n; i++)
		tfs[i] = codes[i].tf;
	abst_segment_writer_codes(merge->writer, tfs, n);
	pfree(codes);
	pfree(tfs);
}

static bool
term_before(MergeInput *a, MergeInput *b)
{
	return abst_lexeme_cmp(a->lexeme, a->len, b->lexeme, b->len) < 0;
}

/* Write one term: "users" are the inputs that have it, "n" of them. */
static void
merge_term(AbstMerge *merge, const int *users, int n)
{
	MergeInput *first = &merge->inputs[users[0]];
	MergeHeap  *heap = &merge->inner;

	heap->n = 0;
	for (int i = 0; i < n; i++)
		if (open_postings(merge, &merge->inputs[users[i]]))
			heap->items[heap->n++] = users[i];
	if (heap->n == 0)
		return;					/* only dead documents had it */
	make_heap(heap, posting_before);

	abst_segment_writer_term(merge->writer, first->lexeme, first->len);
	while (heap->n > 0)
	{
		MergeInput *input = &merge->inputs[heap->items[0]];
		uint32		code = input->block_codes[input->block_at];

		abst_segment_writer_posting(merge->writer, input->docid,
									input->codes[code]);
		fix_heap(heap, next_posting(merge, input));
	}
}

static void
begin_dictionaries(AbstMerge *merge)
{
	merge->heap.n = 0;
	for (int i = 0; i < merge->ninputs; i++)
	{
		begin_terms(merge, &merge->inputs[i]);
		if (next_term(merge, &merge->inputs[i]))
			merge->heap.items[merge->heap.n++] = i;
	}
	make_heap(&merge->heap, term_before);
}

/* All terms, in order, with their postings.  False: pause. */
static bool
merge_terms(AbstMerge *merge)
{
	MergeHeap  *heap = &merge->heap;
	int		   *users = merge->users;

	while (heap->n > 0)
	{
		int			n = 0;

		if (must_pause(merge))
			return false;

		/*
		 * Take every input that stands at the smallest term off the heap.
		 * They come back once the term is written: their lexemes live in the
		 * cursors until those move.
		 */
		do
		{
			users[n++] = heap->items[0];
			fix_heap(heap, false);
		} while (heap->n > 0 &&
				 !term_before(&merge->inputs[users[0]],
							  &merge->inputs[heap->items[0]]));
		merge_term(merge, users, n);
		for (int i = 0; i < n; i++)
			if (next_term(merge, &merge->inputs[users[i]]))
				sift_up(heap, users[i]);
	}
	return true;
}

/* ---- interface ---- */

static void
make_room_for_heap(AbstMerge *merge, MergeHeap *heap)
{
	heap->inputs = merge->inputs;
	heap->items = palloc(merge->ninputs * sizeof(int));
}

static void
open_input(AbstMerge *merge, MergeInput *input, const AbstSegmentInfo *info)
{
	input->header = info->header;
	input->segment = abst_segment_open(merge->index, info);
	if (input->segment == NULL)
		insist(merge, input, ABST_READ_STALE);
	input->maxdoc = abst_segment_maxdoc(input->segment);
	input->docmap = palloc_extended(Max(input->maxdoc, 1) * sizeof(uint32),
									MCXT_ALLOC_HUGE);
	input->codes = abst_segment_codes(input->segment, &input->ncodes);
	input->counts = palloc_extended(Max(input->ncodes, 1) * sizeof(uint64),
									MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

AbstMerge  *
abst_merge_begin(Relation index, const AbstSegmentInfo *inputs, int ninputs,
				 const float8 *weights, uint32 id, bool sliced)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "abstracts merge",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	AbstMerge  *merge = palloc0(sizeof(AbstMerge));

	merge->index = index;
	merge->context = context;
	merge->infos = palloc(ninputs * sizeof(AbstSegmentInfo));
	memcpy(merge->infos, inputs, ninputs * sizeof(AbstSegmentInfo));
	merge->inputs = palloc0(ninputs * sizeof(MergeInput));
	merge->ninputs = ninputs;
	memcpy(merge->weights, weights, sizeof(merge->weights));
	merge->id = id;
	merge->sliced = sliced;
	make_room_for_heap(merge, &merge->heap);
	make_room_for_heap(merge, &merge->inner);
	merge->users = palloc(ninputs * sizeof(int));
	for (int i = 0; i < ninputs; i++)
		open_input(merge, &merge->inputs[i], &inputs[i]);
	MemoryContextSwitchTo(old);
	return merge;
}

/* Go on from one phase to the next until it is time to pause. */
static bool
run_phases(AbstMerge *merge)
{
	switch (merge->phase)
	{
		case MERGE_BEGIN:
			begin_docs(merge);
			merge->phase = MERGE_DOCS;
			/* FALLTHROUGH */
		case MERGE_DOCS:
			if (!merge_docs(merge))
				return false;
			if (merge->writer == NULL)
			{
				merge->phase = MERGE_END;
				return true;
			}
			merge->phase = MERGE_COUNT;
			/* FALLTHROUGH */
		case MERGE_COUNT:
			if (!merge->dropped)
				guess_counts(merge);
			else if (!count_codes(merge))
				return false;
			merge_codes(merge);
			begin_dictionaries(merge);
			merge->phase = MERGE_TERMS;
			/* FALLTHROUGH */
		case MERGE_TERMS:
			if (!merge_terms(merge))
				return false;
			merge->phase = MERGE_END;
			/* FALLTHROUGH */
		case MERGE_END:
			break;
	}
	return true;
}

bool
abst_merge_run(AbstMerge *merge, Relation index, uint64 units)
{
	MemoryContext old = MemoryContextSwitchTo(merge->context);
	bool		done;

	merge->index = index;
	for (int i = 0; i < merge->ninputs; i++)
		abst_segment_rebind(merge->inputs[i].segment, index);
	if (merge->writer != NULL)
		abst_segment_writer_rebind(merge->writer, index);
	merge->limit = units == 0 ? PG_UINT64_MAX : merge->units + units;
	done = run_phases(merge);
	MemoryContextSwitchTo(old);
	return done;
}

uint64
abst_merge_units(const AbstMerge *merge)
{
	return merge->units;
}

bool
abst_merge_finish(AbstMerge *merge, AbstSegmentInfo *info)
{
	bool		any = merge->writer != NULL;

	if (any)
		abst_segment_writer_finish(merge->writer, info);
	merge->writer = NULL;
	return any;
}

void
abst_merge_end(AbstMerge *merge)
{
	for (int i = 0; i < merge->ninputs; i++)
		abst_segment_close(merge->inputs[i].segment);
	MemoryContextDelete(merge->context);
}

/* ---- after a pause ---- */

/* Is the input in the directory as it was? */
static bool
is_listed(const AbstDirectory *directory, const AbstSegmentInfo *info)
{
	for (int i = 0; i < directory->nsegments; i++)
		if (directory->segments[i].id == info->id)
			return directory->segments[i].header == info->header &&
				directory->segments[i].ndead == info->ndead;
	return false;
}

bool
abst_merge_can_go_on(AbstMerge *merge, Relation index,
					 const AbstDirectory *directory)
{
	for (int i = 0; i < merge->ninputs; i++)
	{
		abst_segment_rebind(merge->inputs[i].segment, index);
		if (!is_listed(directory, &merge->infos[i]) ||
			!abst_segment_is_unchanged(merge->inputs[i].segment))
			return false;
	}
	return true;
}

/*
 * VACUUM marks documents first and counts them afterwards, so the count may
 * not tell of all marks if it was interrupted.
 */
bool
abst_merge_dead_unchanged(AbstMerge *merge)
{
	uint64		dead[MERGE_CHUNK / 64];

	for (int i = 0; i < merge->ninputs; i++)
	{
		MergeInput *input = &merge->inputs[i];

		for (uint32 first = 0; first < input->maxdoc; first += MERGE_CHUNK)
		{
			uint32		n = Min(MERGE_CHUNK, input->maxdoc - first);
			bool		any_dead;

			if (abst_segment_dead(input->segment, first, n, dead,
								  &any_dead) != ABST_READ_OK)
				return false;
			for (uint32 j = 0; any_dead && j < n; j++)
				if ((dead[j / 64] >> (j % 64) & 1) &&
					input->docmap[first + j] != DEAD_DOCID)
					return false;
		}
	}
	return true;
}

void
abst_merge_written(AbstMerge *merge, void (*callback) (BlockNumber block,
													   void *arg), void *arg)
{
	if (merge->writer != NULL)
		abst_segment_writer_blocks(merge->writer, callback, arg);
}

/* ---- in one go ---- */

bool
abst_merge_segments(Relation index, const AbstSegmentInfo *inputs, int ninputs,
					const float8 *weights, uint32 id, AbstSegmentInfo *info)
{
	AbstMerge  *merge = abst_merge_begin(index, inputs, ninputs, weights, id,
										 false);
	bool		any;

	abst_merge_run(merge, index, 0);
	any = abst_merge_finish(merge, info);
	abst_merge_end(merge);
	return any;
}
