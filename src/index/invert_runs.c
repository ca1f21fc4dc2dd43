/*-------------------------------------------------------------------------
 *
 * invert_runs.c
 *		Runs of the inverter: sorted terms in temporary files.
 *
 * invert.c tells what a run looks like.  Runs are merged as they pile up, so
 * that the number of open files stays low and a merge's buffers fit half of
 * the budget.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "index/inverter.h"

/* ---- reading slices and runs ---- */

/* Let a source read the postings of a term in memory. */
void
abst_invert_source(InvSource *source, InvTerm *term)
{
	source->file = NULL;
	source->at = (uint8 *) term->lexeme + term->len;
	source->slice_size = FIRST_SLICE;
	source->tail = term->tail;
	source->end = term->slice_size == FIRST_SLICE ?
		term->tail : source->at + FIRST_SLICE;
	source->npostings = term->npostings;
}

/* More bytes for a source that ran dry; false at the end of its run. */
bool
abst_invert_refill(InvSource *source)
{
	if (source->file == NULL)
	{
		char	   *slice;

		if (source->end == source->tail)
			return false;
		memcpy(&slice, source->end, LINK_SIZE);
		source->slice_size = Min(source->slice_size * 2, MAX_SLICE);
		source->at = (uint8 *) slice;
		source->end = source->at + source->slice_size;
		if (source->tail >= source->at && source->tail <= source->end)
			source->end = source->tail;
	}
	else
	{
		size_t		n = BufFileRead(source->file, source->buffer, RUN_BUFFER);

		source->at = source->buffer;
		source->end = source->buffer + n;
	}
	return source->at < source->end;
}

static void
source_bytes(InvSource *source, char *to, int n)
{
	while (n > 0)
	{
		int			have;

		if (source->at == source->end && !abst_invert_refill(source))
			elog(ERROR, "unexpected end of a run");
		have = Min(n, source->end - source->at);
		memcpy(to, source->at, have);
		source->at += have;
		to += have;
		n -= have;
	}
}

/* Read the head of a run's next piece; false at the end of the run. */
static bool
next_piece(InvSource *source)
{
	if (source->at == source->end && !abst_invert_refill(source))
		return false;
	source->len = abst_invert_byte(source);
	source_bytes(source, source->lexeme, source->len);
	source->npostings = abst_invert_varint(source);
	source->nbytes = abst_invert_varint(source);
	source->nbytes |= (uint64) abst_invert_varint(source) << 32;
	return true;
}

/* ---- runs ---- */

/* A piece's head. */
static void
write_head(BufFile *file, const char *lexeme, int len, uint32 npostings,
		   uint64 nbytes)
{
	uint8		head[1 + ABST_MAX_LEXEME + 3 * MAX_VARINT];
	uint8	   *at = head;

	*at++ = (uint8) len;
	memcpy(at, lexeme, len);
	at = abst_invert_put(at + len, npostings);
	at = abst_invert_put(at, (uint32) nbytes);
	at = abst_invert_put(at, (uint32) (nbytes >> 32));
	BufFileWrite(file, head, at - head);
}

/* Compare terms by their sort key, the lexeme's first eight bytes. */
static int
cmp_slot(const void *a, const void *b)
{
	const InvSlot *left = a;
	const InvSlot *right = b;

	if (left->key != right->key)
		return left->key < right->key ? -1 : 1;
	return abst_lexeme_cmp(left->term->lexeme, left->term->len,
						   right->term->lexeme, right->term->len);
}

/*
 * Sort the terms in memory, in place: the table is used up.  nterms slots
 * hold them in order.
 */
void
abst_invert_sort_terms(AbstInverter *inverter)
{
	uint32		n = 0;

	for (uint32 i = 0; i < inverter->nslots; i++)
	{
		InvTerm    *term = inverter->slots[i].term;
		uint64		key = 0;

		if (term == NULL)
			continue;
		for (int j = 0; j < 8; j++)
			key = (key << 8) | (j < term->len ? (uint8) term->lexeme[j] : 0);
		inverter->slots[n].term = term;
		inverter->slots[n].key = key;
		n++;
	}
	Assert(n == inverter->nterms);
	CHECK_FOR_INTERRUPTS();
	qsort(inverter->slots, n, sizeof(InvSlot), cmp_slot);
	CHECK_FOR_INTERRUPTS();
}

/* Bytes of a term's postings. */
static uint64
term_bytes(InvTerm *term)
{
	InvSource	source;
	uint64		nbytes = 0;

	abst_invert_source(&source, term);
	do
	{
		nbytes += source.end - source.at;
	} while (abst_invert_refill(&source));
	return nbytes;
}

/* Files of one merge, as many as half of the budget can buffer. */
int
abst_invert_fan_in(AbstInverter *inverter)
{
	Size		fan = inverter->budget / 2 / (RUN_BUFFER + BLCKSZ);

	return (int) Max(8, Min(fan, 256));
}

static void
push_run(AbstInverter *inverter, BufFile *file, int level)
{
	if (inverter->nruns == inverter->maxruns)
	{
		inverter->maxruns = Max(16, inverter->maxruns * 2);
		if (inverter->runs == NULL)
			inverter->runs =
				MemoryContextAlloc(inverter->context,
								   inverter->maxruns * sizeof(InvRun));
		else
			inverter->runs = repalloc(inverter->runs,
									  inverter->maxruns * sizeof(InvRun));
	}
	inverter->runs[inverter->nruns].file = file;
	inverter->runs[inverter->nruns].level = level;
	inverter->nruns++;
}

/* Order of two runs' current pieces: by lexeme, then the earlier run. */
static inline bool
piece_before(InvSource *sources, int a, int b)
{
	int			cmp = abst_lexeme_cmp(sources[a].lexeme, sources[a].len,
									  sources[b].lexeme, sources[b].len);

	return cmp != 0 ? cmp < 0 : a < b;
}

/* Sink the heap's entry at "at" to its place. */
static void
sift_down(InvSource *sources, int *heap, int n, int at)
{
	int			item = heap[at];

	for (;;)
	{
		int			child = 2 * at + 1;

		if (child >= n)
			break;
		if (child + 1 < n && piece_before(sources, heap[child + 1], heap[child]))
			child++;
		if (piece_before(sources, item, heap[child]))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = item;
}

/* Open runs "first" .. nruns - 1 for a merge; returns sources and the heap. */
InvSource *
abst_invert_open_runs(AbstInverter *inverter, int first, int **heap, int *n)
{
	int			nruns = inverter->nruns - first;
	InvSource  *sources = palloc0(nruns * sizeof(InvSource));

	*heap = palloc(nruns * sizeof(int));
	*n = 0;
	for (int i = 0; i < nruns; i++)
	{
		InvSource  *source = &sources[i];

		source->file = inverter->runs[first + i].file;
		source->buffer = palloc(RUN_BUFFER);
		source->at = source->end = source->buffer;
		if (BufFileSeek(source->file, 0, 0, SEEK_SET) != 0)
			ereport(ERROR,
					(errcode_for_file_access(),
					 errmsg("could not rewind a temporary file: %m")));
		if (next_piece(source))
			(*heap)[(*n)++] = i;
	}
	for (int i = *n / 2 - 1; i >= 0; i--)
		sift_down(sources, *heap, *n, i);
	return sources;
}

/* The heap's first source goes on to its next piece, or leaves the heap. */
void
abst_invert_advance(InvSource *sources, int *heap, int *n)
{
	if (!next_piece(&sources[heap[0]]))
	{
		heap[0] = heap[--(*n)];
		if (*n == 0)
			return;
	}
	sift_down(sources, heap, *n, 0);
}

void
abst_invert_close_runs(AbstInverter *inverter, int first, InvSource *sources, int *heap)
{
	for (int i = first; i < inverter->nruns; i++)
	{
		pfree(sources[i - first].buffer);
		BufFileClose(inverter->runs[i].file);
	}
	inverter->nruns = first;
	pfree(sources);
	pfree(heap);
}

/* Merge runs "first" .. nruns - 1 into one of a higher level. */
void
abst_invert_merge_runs(AbstInverter *inverter, int first)
{
	int			level = inverter->runs[first].level + 1;
	BufFile    *file = BufFileCreateTemp(false);
	int		   *heap;
	int			n;
	InvSource  *sources = abst_invert_open_runs(inverter, first, &heap, &n);

	while (n > 0)
	{
		InvSource  *source = &sources[heap[0]];
		uint64		left = source->nbytes;

		CHECK_FOR_INTERRUPTS();
		write_head(file, source->lexeme, source->len, source->npostings,
				   source->nbytes);
		while (left > 0)
		{
			Size		have;

			if (source->at == source->end && !abst_invert_refill(source))
				elog(ERROR, "unexpected end of a run");
			have = Min(left, source->end - source->at);
			BufFileWrite(file, unconstify(uint8 *, source->at), have);
			source->at += have;
			left -= have;
		}
		abst_invert_advance(sources, heap, &n);
	}
	abst_invert_close_runs(inverter, first, sources, heap);
	push_run(inverter, file, level);
}

/* Write the terms in memory as a run, and start with empty memory again. */
void
abst_invert_spill(AbstInverter *inverter)
{
	MemoryContext old = MemoryContextSwitchTo(inverter->context);
	BufFile    *file = BufFileCreateTemp(false);
	int			first;

	abst_invert_sort_terms(inverter);
	for (uint32 i = 0; i < inverter->nterms; i++)
	{
		InvTerm    *term = inverter->slots[i].term;
		InvSource	source;

		CHECK_FOR_INTERRUPTS();
		write_head(file, term->lexeme, term->len, term->npostings,
				   term_bytes(term));
		abst_invert_source(&source, term);
		do
		{
			BufFileWrite(file, unconstify(uint8 *, source.at),
						 source.end - source.at);
		} while (abst_invert_refill(&source));
	}
	push_run(inverter, file, 0);

	MemoryContextReset(inverter->arena);
	inverter->free = inverter->free_end = NULL;
	inverter->arena_bytes = 0;
	inverter->block_size = MIN_ARENA_BLOCK;
	pfree(inverter->slots);
	abst_invert_new_table(inverter, MIN_TABLE);
	inverter->nterms = 0;

	/* Keep the number of open files low: like a counter with carries. */
	for (;;)
	{
		first = inverter->nruns - 1;
		while (first > 0 &&
			   inverter->runs[first - 1].level ==
			   inverter->runs[inverter->nruns - 1].level)
			first--;
		if (inverter->nruns - first < abst_invert_fan_in(inverter))
			break;
		abst_invert_merge_runs(inverter, first);
	}
	MemoryContextSwitchTo(old);
}
