/*-------------------------------------------------------------------------
 *
 * invert_runs.c
 *		Runs of the inverter: sorted terms in temporary files.
 *
 * invert.c tells what a run looks like.  Runs are merged as they pile up, so
 * that the number of open files stays low and a merge's buffers fit half of
 * the budget.
 *
 * Of a run that other processes will read, some places are kept where a piece
 * begins, so that they can start in its middle.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "index/inverter.h"

#define SAMPLE_INTERVAL	(32 * 1024) /* bytes between samples, at first */

/* ---- postings in memory ---- */

/* Let a source read a term's slices as they are. */
static void
slices_source(InvSource *source, InvTerm *term)
{
	source->file = NULL;
	source->at = (uint8 *) term->lexeme + term->len;
	source->slice_size = FIRST_SLICE;
	source->tail = term->tail;
	source->end = term->slice_size == FIRST_SLICE ?
		term->tail : source->at + FIRST_SLICE;
	source->npostings = term->npostings;
}

/* A posting that waits for the others of its heap page. */
typedef struct InvHeld
{
	uint32		docid;
	uint32		code;
} InvHeld;

static int
cmp_held(const void *a, const void *b)
{
	uint32		left = ((const InvHeld *) a)->docid;
	uint32		right = ((const InvHeld *) b)->docid;

	return left < right ? -1 : left > right;
}

/* First shuffled page, from "low" on, that ends after "docid". */
static uint32
find_shuffle(AbstInverter *inverter, uint32 low, uint32 docid)
{
	uint32		high = inverter->nshuffles;

	while (low < high)
	{
		uint32		middle = low + (high - low) / 2;
		InvShuffle *shuffle = &inverter->shuffles[middle];

		if (shuffle->first + shuffle->ndocs > docid)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Encode postings behind those that are in inverter->sorted. */
static void
put_sorted(AbstInverter *inverter, Size *used, uint32 *last,
		   const InvHeld *held, int n)
{
	uint8	   *at;

	if (inverter->maxsorted - *used < n * 2 * MAX_VARINT)
	{
		inverter->maxsorted = Max(inverter->maxsorted * 2,
								  *used + Max(n * 2 * MAX_VARINT, 8192));
		if (inverter->sorted == NULL)
			inverter->sorted = MemoryContextAllocHuge(inverter->context,
													  inverter->maxsorted);
		else
			inverter->sorted = repalloc_huge(inverter->sorted,
											 inverter->maxsorted);
	}
	at = inverter->sorted + *used;
	for (int i = 0; i < n; i++)
	{
		at = abst_invert_put(at, held[i].docid - *last);
		at = abst_invert_put(at, held[i].code);
		*last = held[i].docid;
	}
	*used = at - inverter->sorted;
}

/* The same postings with the docids that the shuffles give them. */
static void
sorted_source(AbstInverter *inverter, InvSource *source)
{
	InvHeld		held[MaxOffsetNumber];
	int			nheld = 0;
	Size		used = 0;
	uint32		last = 0;
	uint32		docid = 0;
	uint32		at = 0;

	for (uint32 i = 0; i < source->npostings; i++)
	{
		InvShuffle *shuffle;
		InvHeld		posting;

		docid += abst_invert_varint(source);
		posting.docid = docid;
		posting.code = abst_invert_varint(source);
		if (at < inverter->nshuffles &&
			docid >= inverter->shuffles[at].first + inverter->shuffles[at].ndocs)
		{
			qsort(held, nheld, sizeof(InvHeld), cmp_held);
			put_sorted(inverter, &used, &last, held, nheld);
			nheld = 0;
			at = find_shuffle(inverter, at, docid);
		}
		shuffle = &inverter->shuffles[at];
		if (at < inverter->nshuffles && docid >= shuffle->first)
		{
			posting.docid = shuffle->first +
				shuffle->place[docid - shuffle->first];
			held[nheld++] = posting;
		}
		else
			put_sorted(inverter, &used, &last, &posting, 1);
	}
	qsort(held, nheld, sizeof(InvHeld), cmp_held);
	put_sorted(inverter, &used, &last, held, nheld);
	source->at = inverter->sorted;
	source->end = source->tail = inverter->sorted + used;
}

void
abst_invert_source(AbstInverter *inverter, InvSource *source, InvTerm *term)
{
	slices_source(source, term);
	if (inverter->nshuffles > 0)
		sorted_source(inverter, source);
}

/* ---- reading ---- */

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

static void
skip_bytes(InvSource *source, uint64 n)
{
	while (n > 0)
	{
		Size		have;

		if (source->at == source->end && !abst_invert_refill(source))
			elog(ERROR, "unexpected end of a run");
		have = Min(n, (Size) (source->end - source->at));
		source->at += have;
		n -= have;
	}
}

/* ---- keys ---- */

void
abst_invert_key(InvKey *key, const char *lexeme, int len)
{
	key->len = Min(len, KEY_BYTES);
	memcpy(key->bytes, lexeme, key->len);
}

int
abst_invert_key_cmp(const InvKey *a, const InvKey *b)
{
	return abst_lexeme_cmp(a->bytes, a->len, b->bytes, b->len);
}

/* ---- merging ---- */

/* Order of two sources' pieces: by lexeme, then by their places. */
static inline bool
piece_before(InvMerge *merge, int a, int b)
{
	InvSource  *left = &merge->sources[a];
	InvSource  *right = &merge->sources[b];
	int			cmp = abst_lexeme_cmp(left->lexeme, left->len,
									  right->lexeme, right->len);

	return cmp != 0 ? cmp < 0 : a < b;
}

/* Sink the heap's first entry to its place. */
static void
sift_down(InvMerge *merge)
{
	int		   *heap = merge->heap;
	int			item = heap[0];
	int			at = 0;

	for (;;)
	{
		int			child = 2 * at + 1;

		if (child >= merge->n)
			break;
		if (child + 1 < merge->n &&
			piece_before(merge, heap[child + 1], heap[child]))
			child++;
		if (piece_before(merge, item, heap[child]))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = item;
}

/* Put a source on the heap. */
static void
push_source(InvMerge *merge, int item)
{
	int		   *heap = merge->heap;
	int			at = merge->n++;

	while (at > 0 && piece_before(merge, item, heap[(at - 1) / 2]))
	{
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = item;
}

/* Go to the next piece; false if there is none before the merge's end. */
static bool
next_wanted(InvMerge *merge, InvSource *source)
{
	if (source->ahead)
	{
		source->ahead = false;
		return true;
	}
	if (source->ended)
		return false;
	source->ended = !next_piece(source) ||
		(merge->end != NULL &&
		 abst_lexeme_cmp(source->lexeme, source->len, merge->end->bytes,
						 merge->end->len) >= 0);
	return !source->ended;
}

InvMerge   *
abst_invert_merge_begin(BufFile **files, int n, const int *origins,
						const InvPlace *places, const InvKey *start,
						const InvKey *end)
{
	InvMerge   *merge = palloc0(sizeof(InvMerge));

	merge->nsources = n;
	merge->sources = palloc0(Max(n, 1) * sizeof(InvSource));
	merge->heap = palloc(Max(n, 1) * sizeof(int));
	merge->end = end;
	for (int i = 0; i < n; i++)
	{
		InvSource  *source = &merge->sources[i];
		InvPlace	place = {0, 0};
		bool		more;

		if (places != NULL)
			place = places[i];
		source->origin = origins == NULL ? 0 : origins[i];
		source->file = files[i];
		source->buffer = palloc(RUN_BUFFER);
		source->at = source->end = source->buffer;
		if (BufFileSeek(source->file, place.fileno, place.offset,
						SEEK_SET) != 0)
			ereport(ERROR,
					(errcode_for_file_access(),
					 errmsg("could not rewind a temporary file: %m")));
		while ((more = next_wanted(merge, source)) && start != NULL &&
			   abst_lexeme_cmp(source->lexeme, source->len, start->bytes,
							   start->len) < 0)
			skip_bytes(source, source->nbytes);
		if (more)
			push_source(merge, i);
	}
	return merge;
}

InvSource  *
abst_invert_take(InvMerge *merge)
{
	InvSource  *source;

	if (merge->n == 0)
		return NULL;
	source = &merge->sources[merge->heap[0]];
	merge->heap[0] = merge->heap[--merge->n];
	if (merge->n > 0)
		sift_down(merge);
	return source;
}

bool
abst_invert_same_lexeme(InvMerge *merge, InvSource *source)
{
	InvSource  *next;

	if (merge->n == 0)
		return false;
	next = &merge->sources[merge->heap[0]];
	return next->len == source->len &&
		memcmp(next->lexeme, source->lexeme, source->len) == 0;
}

bool
abst_invert_go_on(InvMerge *merge, InvSource *source)
{
	char		lexeme[ABST_MAX_LEXEME];
	int			len = source->len;

	memcpy(lexeme, source->lexeme, len);
	if (!next_wanted(merge, source))
		return false;
	if (source->len == len && memcmp(source->lexeme, lexeme, len) == 0)
		return true;
	source->ahead = true;
	return false;
}

void
abst_invert_give_back(InvMerge *merge, InvSource *source)
{
	if (next_wanted(merge, source))
		push_source(merge, source - merge->sources);
}

void
abst_invert_merge_end(InvMerge *merge)
{
	for (int i = 0; i < merge->nsources; i++)
		pfree(merge->sources[i].buffer);
	pfree(merge->sources);
	pfree(merge->heap);
	pfree(merge);
}

/* ---- writing runs ---- */

BufFile    *
abst_invert_new_file(AbstInverter *inverter, const char *name)
{
	MemoryContext old = MemoryContextSwitchTo(inverter->context);
	BufFile    *file;

	if (inverter->shared == NULL)
		file = BufFileCreateTemp(false);
	else
		file = abst_shared_create(inverter->shared, name,
								  inverter->participant);
	MemoryContextSwitchTo(old);
	return file;
}

/* A new run, the last one. */
static InvRun *
new_run(AbstInverter *inverter, int level)
{
	InvRun	   *run;
	char		name[32];

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
	run = &inverter->runs[inverter->nruns++];
	memset(run, 0, sizeof(InvRun));
	run->number = inverter->next_run++;
	run->level = level;
	snprintf(name, sizeof(name), "run%d", run->number);
	run->file = abst_invert_new_file(inverter, name);
	run->interval = SAMPLE_INTERVAL;
	if (inverter->shared != NULL)
		run->samples = MemoryContextAlloc(inverter->context,
										  MAX_SAMPLES * sizeof(InvSample));
	return run;
}

static void
drop_run(AbstInverter *inverter, InvRun *run)
{
	BufFileClose(run->file);
	if (inverter->shared != NULL)
	{
		char		name[32];

		snprintf(name, sizeof(name), "run%d", run->number);
		abst_shared_delete(inverter->shared, name, inverter->participant);
		pfree(run->samples);
	}
}

/* Note the piece that begins here, if one is due; thin them when too many. */
static void
take_sample(InvRun *run, const char *lexeme, int len)
{
	InvSample  *sample;

	if (run->samples == NULL ||
		run->bytes < (uint64) run->nsamples * run->interval)
		return;
	if (run->nsamples == MAX_SAMPLES)
	{
		for (int i = 0; i < MAX_SAMPLES / 2; i++)
			run->samples[i] = run->samples[2 * i];
		run->nsamples /= 2;
		run->interval *= 2;
		if (run->bytes < (uint64) run->nsamples * run->interval)
			return;
	}
	sample = &run->samples[run->nsamples++];
	memset(sample, 0, sizeof(InvSample));
	abst_invert_key(&sample->key, lexeme, len);
	BufFileTell(run->file, &sample->place.fileno, &sample->place.offset);
}

static void
write_bytes(InvRun *run, const void *bytes, Size n)
{
	BufFileWrite(run->file, unconstify(void *, bytes), n);
	run->bytes += n;
}

/* A piece's head. */
static void
write_head(InvRun *run, const char *lexeme, int len, uint32 npostings,
		   uint64 nbytes)
{
	uint8		head[1 + ABST_MAX_LEXEME + 3 * MAX_VARINT];
	uint8	   *at = head;

	take_sample(run, lexeme, len);
	*at++ = (uint8) len;
	memcpy(at, lexeme, len);
	at = abst_invert_put(at + len, npostings);
	at = abst_invert_put(at, (uint32) nbytes);
	at = abst_invert_put(at, (uint32) (nbytes >> 32));
	write_bytes(run, head, at - head);
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

/* Write a term in memory as a piece. */
static void
write_term(AbstInverter *inverter, InvRun *run, InvTerm *term)
{
	InvSource	start;
	InvSource	source;
	uint64		nbytes = 0;

	abst_invert_source(inverter, &start, term);
	source = start;
	do
	{
		nbytes += source.end - source.at;
	} while (abst_invert_refill(&source));

	write_head(run, term->lexeme, term->len, term->npostings, nbytes);
	source = start;
	do
	{
		write_bytes(run, source.at, source.end - source.at);
	} while (abst_invert_refill(&source));
}

int
abst_invert_fan_in(Size budget)
{
	Size		fan = budget / 2 / (RUN_BUFFER + BLCKSZ);

	return (int) Max(8, Min(fan, 256));
}

/* Copy a piece from its source. */
static void
copy_piece(InvRun *run, InvSource *source)
{
	uint64		left = source->nbytes;

	write_head(run, source->lexeme, source->len, source->npostings,
			   source->nbytes);
	while (left > 0)
	{
		Size		have;

		if (source->at == source->end && !abst_invert_refill(source))
			elog(ERROR, "unexpected end of a run");
		have = Min(left, (Size) (source->end - source->at));
		write_bytes(run, source->at, have);
		source->at += have;
		left -= have;
	}
}

/* Merge runs "first" .. nruns - 1 into one of a higher level. */
static void
merge_runs(AbstInverter *inverter, int first)
{
	int			n = inverter->nruns - first;
	BufFile   **files = palloc(n * sizeof(BufFile *));
	InvRun	   *run = new_run(inverter, inverter->runs[first].level + 1);
	InvMerge   *merge;
	InvSource  *source;

	for (int i = 0; i < n; i++)
		files[i] = inverter->runs[first + i].file;
	merge = abst_invert_merge_begin(files, n, NULL, NULL, NULL, NULL);
	while ((source = abst_invert_take(merge)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		copy_piece(run, source);
		abst_invert_give_back(merge, source);
	}
	abst_invert_merge_end(merge);
	pfree(files);
	for (int i = 0; i < n; i++)
		drop_run(inverter, &inverter->runs[first + i]);
	inverter->runs[first] = *run;
	inverter->nruns = first + 1;
}

void
abst_invert_reduce_runs(AbstInverter *inverter, int nruns)
{
	int			fan_in = abst_invert_fan_in(inverter->budget);

	while (inverter->nruns > nruns)
		merge_runs(inverter, inverter->nruns -
				   Min(inverter->nruns - nruns + 1, fan_in));
}

void
abst_invert_spill(AbstInverter *inverter)
{
	MemoryContext old = MemoryContextSwitchTo(inverter->context);
	InvRun	   *run = new_run(inverter, 0);

	abst_invert_sort_terms(inverter);
	for (uint32 i = 0; i < inverter->nterms; i++)
	{
		CHECK_FOR_INTERRUPTS();
		write_term(inverter, run, inverter->slots[i].term);
	}

	/* What was written is in order; so nothing is left of the shuffles. */
	MemoryContextReset(inverter->arena);
	inverter->free = inverter->free_end = NULL;
	inverter->arena_bytes = 0;
	inverter->block_size = MIN_ARENA_BLOCK;
	inverter->nshuffles = 0;
	pfree(inverter->slots);
	abst_invert_new_table(inverter, MIN_TABLE);
	inverter->nterms = 0;

	/* Keep the number of open files low: like a counter with carries. */
	for (;;)
	{
		int			first = inverter->nruns - 1;

		while (first > 0 &&
			   inverter->runs[first - 1].level ==
			   inverter->runs[inverter->nruns - 1].level)
			first--;
		if (inverter->nruns - first < abst_invert_fan_in(inverter->budget))
			break;
		merge_runs(inverter, first);
	}
	MemoryContextSwitchTo(old);
}
