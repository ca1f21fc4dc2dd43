/*-------------------------------------------------------------------------
 *
 * merge.c
 *		Merge the live documents of several segments into a new one.
 *
 * Documents are renumbered in TID order across the inputs, NULL rows come
 * along, dead documents are dropped, and so are terms that only they had.
 * The maintenance lock is held, so nothing can replace the inputs: a stale
 * page here is a corrupted index.
 *
 * Three passes: the document maps, which give every old docid its new one;
 * the postings once to count the frequency vectors that survive, since the
 * writer wants them all in advance, most frequent first; and the dictionaries
 * and postings side by side.
 *
 * Memory: four bytes a document of the inputs, what the writer needs, and
 * some 30 kB an input.  Nothing grows with the number of postings, so the
 * budget has nothing to decide.
 *
 * On the way the pending list is looked at now and then (abst_breathe): a
 * long merge must not let it grow without bound.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/vacuum.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "index/invert.h"
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

typedef struct MergeState
{
	Relation	index;
	MergeInput *inputs;
	int			ninputs;
	const float8 *weights;
	uint32		id;
	AbstSegmentWriter *writer;	/* NULL until there is a live document */
	uint32		ndocs;			/* written */
	uint64		units;			/* documents and postings read */
	int		   *heap;			/* of inputs, smallest first */
	int			nheap;
	bool		(*before) (MergeInput *a, MergeInput *b);
} MergeState;

/* Nothing can be stale under the maintenance lock. */
static inline void
insist(MergeState *state, MergeInput *input, AbstRead result)
{
	if (unlikely(result == ABST_READ_STALE))
		abst_page_corrupted(state->index, input->header,
							"the segment refers to pages of another one");
}

/* Interrupts, VACUUM's delays, and the pending list, now and then. */
static inline void
breathe(MergeState *state, uint32 units)
{
	uint64		before = state->units / BREATHE_UNITS;

	state->units += units;
	abst_vacuum_delay_point();
	if (state->units / BREATHE_UNITS != before)
		abst_breathe(state->index, state->id);
}

/* ---- heap of inputs ---- */

static void
sift_down(MergeState *state, int at)
{
	int		   *heap = state->heap;
	int			item = heap[at];

	for (;;)
	{
		int			child = 2 * at + 1;

		if (child >= state->nheap)
			break;
		if (child + 1 < state->nheap &&
			state->before(&state->inputs[heap[child + 1]],
						  &state->inputs[heap[child]]))
			child++;
		if (!state->before(&state->inputs[heap[child]], &state->inputs[item]))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = item;
}

static void
make_heap(MergeState *state, bool (*before) (MergeInput *, MergeInput *))
{
	state->before = before;
	for (int i = state->nheap / 2 - 1; i >= 0; i--)
		sift_down(state, i);
}

/* The first input moved on ("more") or ended. */
static void
fix_heap(MergeState *state, bool more)
{
	if (!more)
		state->heap[0] = state->heap[--state->nheap];
	if (state->nheap > 0)
		sift_down(state, 0);
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
read_chunk(MergeState *state, MergeInput *input, uint32 first)
{
	uint32		n = Min(MERGE_CHUNK, input->maxdoc - first);

	input->chunk_first = first;
	input->chunk_n = n;
	insist(state, input,
		   abst_segment_tids(input->segment, first, n, input->tids,
							 input->isnull));
	insist(state, input,
		   abst_segment_lengths(input->segment, first, n, input->lengths));
	insist(state, input,
		   abst_segment_norms(input->segment, first, n, input->norms));
	insist(state, input,
		   abst_segment_dead(input->segment, first, n, input->dead,
							 &input->any_dead));
	breathe(state, n);
}

/* Go to the first live document at or after input->at; false at the end. */
static bool
next_doc(MergeState *state, MergeInput *input)
{
	for (; input->at < input->maxdoc; input->at++)
	{
		uint32		i = input->at - input->chunk_first;

		if (i >= input->chunk_n)
		{
			read_chunk(state, input, input->at);
			i = 0;
		}
		if (!input->any_dead || !(input->dead[i / 64] >> (i % 64) & 1))
			return true;
		input->docmap[input->at] = DEAD_DOCID;
	}
	return false;
}

/* All live documents, in TID order; fills the docmaps. */
static void
merge_docs(MergeState *state)
{
	ItemPointerData last;

	ItemPointerSetInvalid(&last);
	state->nheap = 0;
	for (int i = 0; i < state->ninputs; i++)
		if (next_doc(state, &state->inputs[i]))
			state->heap[state->nheap++] = i;
	make_heap(state, tid_before);

	while (state->nheap > 0)
	{
		MergeInput *input = &state->inputs[state->heap[0]];
		uint32		i = input->at - input->chunk_first;
		ItemPointer tid = &input->tids[i];

		if (state->writer == NULL)
			state->writer = abst_segment_writer_begin(state->index, state->id,
													  state->weights, false);
		else if (ItemPointerCompare(tid, &last) <= 0)
			ereport(ERROR,
					(errcode(ERRCODE_INDEX_CORRUPTED),
					 errmsg("index \"%s\" has two documents for row (%u,%u)",
							RelationGetRelationName(state->index),
							ItemPointerGetBlockNumberNoCheck(tid),
							ItemPointerGetOffsetNumberNoCheck(tid)),
					 errhint("Please REINDEX it.")));
		last = *tid;
		input->docmap[input->at] =
			abst_segment_writer_doc(state->writer, tid, &input->lengths[i],
									input->norms[i], input->isnull[i]);
		state->ndocs++;
		input->at++;
		fix_heap(state, next_doc(state, input));
	}
}

/* ---- postings of one term ---- */

/* Go to the next live posting of the current term; false at the end. */
static bool
next_posting(MergeState *state, MergeInput *input)
{
	for (;;)
	{
		AbstRead	result;

		while (++input->block_at < input->block_n)
		{
			uint32		old = input->docids[input->block_at];

			if (unlikely(old >= input->maxdoc ||
						 input->block_codes[input->block_at] >= input->ncodes))
				abst_page_corrupted(state->index, input->header,
									"a posting is out of range");
			input->docid = input->docmap[old];
			if (input->docid != DEAD_DOCID)
				return true;
		}
		result = abst_postings_next(input->postings, input->docids,
									input->block_codes, &input->block_n);
		insist(state, input, result);
		if (result == ABST_READ_END)
		{
			abst_postings_end(input->postings);
			input->postings = NULL;
			return false;
		}
		input->block_at = -1;
		breathe(state, input->block_n);
	}
}

/* Open the postings of the input's current term; false if none is live. */
static bool
open_postings(MergeState *state, MergeInput *input)
{
	input->postings = abst_postings_begin(input->segment, &input->term);
	if (input->postings == NULL)
		insist(state, input, ABST_READ_STALE);
	input->block_n = 0;
	input->block_at = -1;
	return next_posting(state, input);
}

static bool
posting_before(MergeInput *a, MergeInput *b)
{
	return a->docid < b->docid;
}

/* ---- dictionaries ---- */

/* Go to the input's next term; false at the end. */
static bool
next_term(MergeState *state, MergeInput *input)
{
	AbstRead	result = abst_dict_next(input->dict, &input->lexeme,
										&input->len, &input->term);

	insist(state, input, result);
	if (result == ABST_READ_END)
	{
		abst_dict_end(input->dict);
		input->dict = NULL;
		return false;
	}
	return true;
}

/* Count the live postings of one input by frequency vector. */
static void
count_codes(MergeState *state, MergeInput *input)
{
	input->dict = abst_dict_begin(input->segment, "", 0);
	if (input->dict == NULL)
		insist(state, input, ABST_READ_STALE);
	while (next_term(state, input))
	{
		bool		more;

		for (more = open_postings(state, input); more;
			 more = next_posting(state, input))
			input->counts[input->block_codes[input->block_at]]++;
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
merge_codes(MergeState *state)
{
	MergeCode  *codes;
	AbstTf	   *tfs;
	uint32		total = 0;
	uint32		n = 0;

	for (int i = 0; i < state->ninputs; i++)
	{
		count_codes(state, &state->inputs[i]);
		total += state->inputs[i].ncodes;
	}
	codes = palloc_extended(Max(total, 1) * sizeof(MergeCode),
							MCXT_ALLOC_HUGE);
	total = 0;
	for (int i = 0; i < state->ninputs; i++)
	{
		MergeInput *input = &state->inputs[i];

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
	abst_segment_writer_codes(state->writer, tfs, n);
	pfree(codes);
	pfree(tfs);
}

static bool
term_before(MergeInput *a, MergeInput *b)
{
	return abst_lexeme_cmp(a->lexeme, a->len, b->lexeme, b->len) < 0;
}

/*
 * Write one term: "users" are the inputs that have it, "n" of them.  The
 * state's heap is busy with the dictionaries, so postings get their own.
 */
static void
merge_term(MergeState *state, MergeState *inner, const int *users, int n)
{
	MergeInput *first = &state->inputs[users[0]];

	inner->nheap = 0;
	for (int i = 0; i < n; i++)
		if (open_postings(inner, &state->inputs[users[i]]))
			inner->heap[inner->nheap++] = users[i];
	if (inner->nheap == 0)
		return;					/* only dead documents had it */
	make_heap(inner, posting_before);

	abst_segment_writer_term(state->writer, first->lexeme, first->len);
	while (inner->nheap > 0)
	{
		MergeInput *input = &inner->inputs[inner->heap[0]];
		uint32		code = input->block_codes[input->block_at];

		abst_segment_writer_posting(state->writer, input->docid,
									input->codes[code]);
		fix_heap(inner, next_posting(inner, input));
	}
}

/* All terms, in order, with their postings. */
static void
merge_terms(MergeState *state)
{
	MergeState	inner = *state;
	int		   *users = palloc(state->ninputs * sizeof(int));

	inner.heap = palloc(state->ninputs * sizeof(int));
	state->nheap = 0;
	for (int i = 0; i < state->ninputs; i++)
	{
		MergeInput *input = &state->inputs[i];

		input->dict = abst_dict_begin(input->segment, "", 0);
		if (input->dict == NULL)
			insist(state, input, ABST_READ_STALE);
		if (next_term(state, input))
			state->heap[state->nheap++] = i;
	}
	make_heap(state, term_before);

	while (state->nheap > 0)
	{
		int			n = 0;

		/*
		 * Take every input that stands at the smallest term off the heap.
		 * They come back once the term is written: their lexemes live in the
		 * cursors until those move.
		 */
		do
		{
			users[n++] = state->heap[0];
			fix_heap(state, false);
		} while (state->nheap > 0 &&
				 !term_before(&state->inputs[users[0]],
							  &state->inputs[state->heap[0]]));
		merge_term(state, &inner, users, n);
		for (int i = 0; i < n; i++)
		{
			int			at;

			if (!next_term(state, &state->inputs[users[i]]))
				continue;

			/* Rise from the heap's end. */
			at = state->nheap++;
			while (at > 0 &&
				   term_before(&state->inputs[users[i]],
							   &state->inputs[state->heap[(at - 1) / 2]]))
			{
				state->heap[at] = state->heap[(at - 1) / 2];
				at = (at - 1) / 2;
			}
			state->heap[at] = users[i];
		}
	}
}

/* ---- interface ---- */

bool
abst_merge_segments(Relation index, const AbstSegmentInfo *inputs, int ninputs,
					const float8 *weights, uint32 id, Size budget,
					AbstSegmentInfo *info)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "abstracts merge",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	MergeState	state;

	memset(&state, 0, sizeof(state));
	state.index = index;
	state.inputs = palloc0(ninputs * sizeof(MergeInput));
	state.ninputs = ninputs;
	state.weights = weights;
	state.id = id;
	state.heap = palloc(ninputs * sizeof(int));

	for (int i = 0; i < ninputs; i++)
	{
		MergeInput *input = &state.inputs[i];

		input->header = inputs[i].header;
		input->segment = abst_segment_open(index, &inputs[i]);
		if (input->segment == NULL)
			insist(&state, input, ABST_READ_STALE);
		input->maxdoc = abst_segment_maxdoc(input->segment);
		input->docmap = palloc_extended(Max(input->maxdoc, 1) * sizeof(uint32),
										MCXT_ALLOC_HUGE);
		input->codes = abst_segment_codes(input->segment, &input->ncodes);
		input->counts = palloc_extended(Max(input->ncodes, 1) * sizeof(uint64),
										MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	}

	merge_docs(&state);
	if (state.writer != NULL)
	{
		merge_codes(&state);
		merge_terms(&state);
		abst_segment_writer_finish(state.writer, info);
	}

	for (int i = 0; i < ninputs; i++)
		abst_segment_close(state.inputs[i].segment);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return state.writer != NULL;
}
