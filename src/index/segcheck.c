/*-------------------------------------------------------------------------
 *
 * segcheck.c
 *		Checks a segment against everything that must hold in it.
 *
 * The readers check as they read that sizes, offsets, docids and codes are
 * within their limits.  Checked here beyond that:
 *
 *	- every page of every area, and of the page table, is there, belongs to
 *	  the segment and its area, and no block stands in the table twice;
 *	- TIDs are valid and increase; as many as the header says are of NULL
 *	  rows, which have no length and no norm; norms are numbers >= 0;
 *	- lengths add up to the totals of header and directory;
 *	- no dead bit is set after the last document, and at least as many as the
 *	  directory counts are set (a crash can leave more);
 *	- frequency vectors are distinct and not empty;
 *	- terms increase, each is found by a look-up, and inner pages form a tree
 *	  over all leaves; terms and postings are as many as the header says;
 *	- a term's postings are as many as its df, add up to its cf, are of no
 *	  NULL row, and end where directory and foot say;
 *	- the impacts of blocks and of lists bound every posting;
 *	- a document's lengths are the sums of its frequencies, up to their caps.
 *
 * What is kept of each document is bounded by maintenance_work_mem; if that
 * does not do for all, postings are read several times.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <math.h>

#include "common/hashfn.h"
#include "index/segment_impl.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/memutils.h"

/* What is kept of a document. */
typedef struct DocState
{
	AbstLengths lengths;
	uint32		sums[ABST_NFIELDS]; /* of frequencies; CAPPED if one was 255 */
	uint16		bound;			/* weighted length */
	bool		isnull;
} DocState;

#define CAPPED ((uint32) 1 << 31)

/* Documents read at a time from the document map. */
#define BATCH 4096

typedef struct CheckState
{
	Relation	index;
	AbstSegment *segment;
	uint32		first;			/* documents first .. end - 1 are kept */
	uint32		end;
	DocState   *docs;
	AbstPostings *postings;		/* of the term being read */
} CheckState;

static void pg_attribute_noreturn()
fail(CheckState *state, const char *what)
{
	abst_segment_corrupted(state->segment, what);
}

/*
 * The segment stays while it is checked, so a stale page is damage.
 */
static void
insist(CheckState *state, AbstRead read)
{
	if (read == ABST_READ_STALE)
		fail(state, "A page of the segment belongs to something else.");
	if (read != ABST_READ_OK)
		fail(state, "The segment ends too early.");
}

/* ---- pages ---- */

static int
compare_blocks(const void *a, const void *b)
{
	BlockNumber left = *(const BlockNumber *) a;
	BlockNumber right = *(const BlockNumber *) b;

	return left < right ? -1 : left > right;
}

static void
check_pages(CheckState *state)
{
	AbstSegment *segment = state->segment;
	BlockNumber *blocks;
	uint32		n = 0;

	blocks = palloc_extended(segment->info.npages * sizeof(BlockNumber),
							 MCXT_ALLOC_HUGE);
	blocks[n++] = segment->info.header;
	for (uint32 i = 0; i < segment->header.nmaps; i++)
		blocks[n++] = segment->map_blocks[i];
	for (int area = 0; area < ABST_NAREAS; area++)
	{
		for (uint32 i = 0; i < segment->header.area_pages[area]; i++)
		{
			Buffer		buffer;

			CHECK_FOR_INTERRUPTS();
			insist(state, abst_segment_page(segment, area, i,
											BUFFER_LOCK_SHARE, &buffer));
			blocks[n++] = BufferGetBlockNumber(buffer);
			UnlockReleaseBuffer(buffer);
		}
	}
	qsort(blocks, n, sizeof(BlockNumber), compare_blocks);
	for (uint32 i = 0; i < n; i++)
	{
		if (blocks[i] == ABST_METAPAGE_BLKNO ||
			(i > 0 && blocks[i] == blocks[i - 1]))
			fail(state, "A block stands in the page table twice.");
	}
	pfree(blocks);
}

/* ---- documents ---- */

static void
check_tids(CheckState *state)
{
	uint32		maxdoc = state->segment->header.maxdoc;
	ItemPointerData *tids = palloc(BATCH * sizeof(ItemPointerData));
	bool	   *isnull = palloc(BATCH * sizeof(bool));
	ItemPointerData last;
	uint32		nnulls = 0;

	for (uint32 first = 0; first < maxdoc; first += BATCH)
	{
		uint32		n = Min(maxdoc - first, BATCH);

		insist(state, abst_segment_tids(state->segment, first, n, tids, isnull));
		for (uint32 i = 0; i < n; i++)
		{
			if (!ItemPointerIsValid(&tids[i]))
				fail(state, "A document has an impossible TID.");
			if (first + i > 0 && ItemPointerCompare(&last, &tids[i]) >= 0)
				fail(state, "TIDs of documents do not increase.");
			last = tids[i];
			nnulls += isnull[i];
		}
	}
	if (nnulls != state->segment->header.nnulls)
		fail(state, "The number of NULL rows is not what the header says.");
	pfree(tids);
	pfree(isnull);
}

static void
check_dead(CheckState *state)
{
	AbstSegment *segment = state->segment;
	uint32		pages = segment->header.area_pages[ABST_AREA_DEAD];
	uint32		maxdoc = segment->header.maxdoc;
	uint64		ndead = 0;

	for (uint32 page = 0; page < pages; page++)
	{
		uint32		n = Min(maxdoc - page * ABST_DEAD_PER_PAGE,
							ABST_DEAD_PER_PAGE);
		Buffer		buffer;
		const uint64 *words;
		Size		size;

		CHECK_FOR_INTERRUPTS();
		insist(state, abst_segment_page(segment, ABST_AREA_DEAD, page,
										BUFFER_LOCK_SHARE, &buffer));
		words = (const uint64 *) abst_buffer_content(buffer, &size);
		if (size != (n + 63) / 64 * sizeof(uint64))
			fail(state, "A page of dead bits has another size.");
		for (uint32 i = 0; i < size / sizeof(uint64); i++)
			ndead += pg_popcount64(words[i]);
		if (n % 64 != 0 && words[n / 64] >> (n % 64) != 0)
			fail(state, "A document that does not exist is marked dead.");
		UnlockReleaseBuffer(buffer);
	}
	if (ndead < segment->info.ndead)
		fail(state, "Fewer documents are marked dead than the directory says.");
}

/*
 * Lengths and norms of all documents, and their totals.
 */
static void
check_lengths(CheckState *state)
{
	AbstSegment *segment = state->segment;
	uint32		maxdoc = segment->header.maxdoc;
	AbstLengths *lengths = palloc(BATCH * sizeof(AbstLengths));
	float4	   *norms = palloc(BATCH * sizeof(float4));
	ItemPointerData *tids = palloc(BATCH * sizeof(ItemPointerData));
	bool	   *isnull = palloc(BATCH * sizeof(bool));
	uint64		totals[ABST_NFIELDS] = {0};

	for (uint32 first = 0; first < maxdoc; first += BATCH)
	{
		uint32		n = Min(maxdoc - first, BATCH);

		insist(state, abst_segment_tids(segment, first, n, tids, isnull));
		insist(state, abst_segment_lengths(segment, first, n, lengths));
		insist(state, abst_segment_norms(segment, first, n, norms));
		for (uint32 i = 0; i < n; i++)
		{
			if (!(norms[i] >= 0) || isinf(norms[i]))
				fail(state, "A document has an impossible norm.");
			if (isnull[i] && norms[i] != 0)
				fail(state, "A NULL row has a norm.");
			for (int f = 0; f < ABST_NFIELDS; f++)
			{
				totals[f] += lengths[i].field[f];
				if (isnull[i] && lengths[i].field[f] != 0)
					fail(state, "A NULL row has a length.");
			}
		}
	}
	if (memcmp(totals, segment->header.lengths, sizeof(totals)) != 0 ||
		memcmp(totals, segment->info.lengths, sizeof(totals)) != 0)
		fail(state, "Lengths do not add up to what header and directory say.");
	pfree(lengths);
	pfree(norms);
	pfree(tids);
	pfree(isnull);
}

static int
compare_codes(const void *a, const void *b)
{
	uint32		left = ((const AbstTf *) a)->all;
	uint32		right = ((const AbstTf *) b)->all;

	return left < right ? -1 : left > right;
}

static void
check_codes(CheckState *state)
{
	uint32		n = state->segment->header.ncodes;
	AbstTf	   *codes = palloc_extended(Max(n, 1) * sizeof(AbstTf),
										MCXT_ALLOC_HUGE);

	memcpy(codes, state->segment->codes, n * sizeof(AbstTf));
	qsort(codes, n, sizeof(AbstTf), compare_codes);
	for (uint32 i = 0; i < n; i++)
	{
		if (codes[i].all == 0 || (i > 0 && codes[i].all == codes[i - 1].all))
			fail(state, "A frequency vector is empty or has two codes.");
	}
	pfree(codes);
}

/* ---- postings ---- */

static bool
is_bounded(const AbstImpact *impacts, int n, float4 wtf, float4 wlen)
{
	for (int i = 0; i < n; i++)
	{
		if (impacts[i].wtf >= wtf && impacts[i].wlen <= wlen)
			return true;
	}
	return false;
}

/* Impacts that must bound a posting. */
typedef struct Bounds
{
	AbstImpact	list[ABST_MAX_IMPACTS];
	AbstImpact	block[ABST_MAX_IMPACTS];
	AbstImpact	corner;
	int			nlist;
	int			nblock;
} Bounds;

/*
 * Count a posting in for its document and hold it against the impacts.
 */
static void
check_posting(CheckState *state, uint32 docid, uint32 code,
			  const Bounds *bounds)
{
	DocState   *doc = &state->docs[docid - state->first];
	AbstTf		tf = state->segment->codes[code];
	float4		wtf = abst_bound_value(abst_segment_code_bounds(state->segment)[code]);
	float4		wlen = abst_bound_value(doc->bound);

	if (doc->isnull)
		fail(state, "A NULL row has postings.");
	for (int f = 0; f < ABST_NFIELDS; f++)
	{
		doc->sums[f] += tf.field[f];
		if (tf.field[f] == PG_UINT8_MAX)
			doc->sums[f] |= CAPPED;
	}
	if (!is_bounded(bounds->list, bounds->nlist, wtf, wlen) ||
		!is_bounded(bounds->block, bounds->nblock, wtf, wlen) ||
		!is_bounded(&bounds->corner, 1, wtf, wlen))
		fail(state, "A posting exceeds the bounds of its block or list.");
}

/*
 * All postings of a term; those of documents being kept are held against
 * them.
 */
static void
check_term(CheckState *state, const AbstTermInfo *info)
{
	uint32		docids[ABST_BLOCK_SIZE];
	uint32		codes[ABST_BLOCK_SIZE];
	Bounds		bounds;
	uint64		df = 0;
	uint64		cf = 0;
	uint32		last = 0;
	uint32		promised;
	int			n;

	state->postings = abst_postings_begin(state->segment, info);
	insist(state, abst_postings_list_impacts(state->postings, bounds.list,
											 &bounds.nlist));
	while (abst_postings_peek(state->postings, &promised) == ABST_READ_OK)
	{
		insist(state, abst_postings_block_bound(state->postings, &bounds.corner));
		insist(state, abst_postings_block_impacts(state->postings, bounds.block,
												  &bounds.nblock));
		insist(state, abst_postings_next(state->postings, docids, codes, &n));
		if (docids[n - 1] != promised || (df > 0 && docids[0] <= last))
			fail(state, "A block of postings ends elsewhere than its directory says.");
		for (int i = 0; i < n; i++)
		{
			AbstTf		tf = state->segment->codes[codes[i]];

			for (int f = 0; f < ABST_NFIELDS; f++)
				cf += tf.field[f];
			if (docids[i] >= state->first && docids[i] < state->end)
				check_posting(state, docids[i], codes[i], &bounds);
		}
		df += n;
		last = docids[n - 1];
	}
	insist(state, abst_postings_last(state->postings, &promised));
	if (df != info->df || cf != info->cf || last != promised)
		fail(state, "Postings of a term are not what the dictionary says.");
	abst_postings_end(state->postings);
}

/*
 * Read what is kept of documents first .. end - 1.
 */
static void
load_docs(CheckState *state)
{
	uint32		n = state->end - state->first;
	AbstLengths *lengths = palloc(BATCH * sizeof(AbstLengths));
	ItemPointerData *tids = palloc(BATCH * sizeof(ItemPointerData));
	bool	   *isnull = palloc(BATCH * sizeof(bool));

	for (uint32 done = 0; done < n; done += BATCH)
	{
		uint32		m = Min(n - done, BATCH);

		insist(state, abst_segment_lengths(state->segment, state->first + done,
										   m, lengths));
		insist(state, abst_segment_tids(state->segment, state->first + done,
										m, tids, isnull));
		for (uint32 i = 0; i < m; i++)
		{
			DocState   *doc = &state->docs[done + i];

			doc->lengths = lengths[i];
			memset(doc->sums, 0, sizeof(doc->sums));
			doc->bound = abst_bound_of_lengths(&state->segment->weighting,
											   lengths[i]);
			doc->isnull = isnull[i];
		}
	}
	pfree(lengths);
	pfree(tids);
	pfree(isnull);
}

/*
 * Lengths against frequencies.  A length may be above the sum only where a
 * frequency may have been more than a byte holds.
 */
static void
check_sums(CheckState *state)
{
	for (uint32 i = 0; i < state->end - state->first; i++)
	{
		DocState   *doc = &state->docs[i];

		for (int f = 0; f < ABST_NFIELDS; f++)
		{
			uint32		sum = Min(doc->sums[f] & ~CAPPED, ABST_MAX_LENGTH);
			uint32		length = doc->lengths.field[f];

			if (length < sum ||
				(length > sum && (doc->sums[f] & CAPPED) == 0))
				fail(state, "A document's length is not the sum of its frequencies.");
		}
	}
}

/*
 * The dictionary once through, with all postings.
 */
static void
check_terms(CheckState *state)
{
	AbstSegment *segment = state->segment;
	AbstDictCursor *cursor = abst_dict_begin(segment, "", 0);
	char		previous[ABST_MAX_LEXEME];
	int			previous_len = 0;
	uint64		nterms = 0;
	uint64		npostings = 0;
	AbstTermInfo info;
	AbstTermInfo found;
	const char *lexeme;
	int			len;
	AbstRead	read;

	while ((read = abst_dict_next(cursor, &lexeme, &len, &info)) == ABST_READ_OK)
	{
		CHECK_FOR_INTERRUPTS();
		if (nterms > 0 &&
			abst_lexeme_cmp(previous, previous_len, lexeme, len) >= 0)
			fail(state, "Terms of the dictionary do not increase.");
		previous_len = len;
		memcpy(previous, lexeme, len);
		if (abst_segment_lookup(segment, lexeme, len, &found) != ABST_READ_OK ||
			found.df != info.df || found.page != info.page ||
			found.offset != info.offset)
			fail(state, "A term of the dictionary is not found by a look-up.");
		check_term(state, &info);
		nterms++;
		npostings += info.df;
	}
	if (read != ABST_READ_END)
		insist(state, read);
	if (nterms != segment->header.nterms ||
		npostings != segment->header.npostings)
		fail(state, "Terms or postings are not as many as the header says.");
	abst_dict_end(cursor);
}

void
abst_segment_check(Relation index, const AbstSegmentInfo *info)
{
	CheckState	state;
	MemoryContext context;
	MemoryContext old;
	uint32		maxdoc;
	uint32		room;

	context = AllocSetContextCreate(CurrentMemoryContext,
									"abstracts segment check",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(context);

	memset(&state, 0, sizeof(state));
	state.index = index;
	state.segment = abst_segment_open(index, info);
	if (state.segment == NULL)
		abst_page_corrupted(index, info->header,
							"The segment's header belongs to something else.");
	check_pages(&state);
	check_tids(&state);
	check_lengths(&state);
	check_dead(&state);
	check_codes(&state);
	abst_dict_check(state.segment);

	maxdoc = state.segment->header.maxdoc;
	room = (uint32) Min(Max(maxdoc, 1),
						(Size) maintenance_work_mem * 1024 / sizeof(DocState));
	state.docs = palloc_extended(room * sizeof(DocState), MCXT_ALLOC_HUGE);
	do
	{
		state.end = state.first + Min(room, maxdoc - state.first);
		load_docs(&state);
		check_terms(&state);
		check_sums(&state);
		state.first = state.end;
	} while (state.first < maxdoc);

	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}
