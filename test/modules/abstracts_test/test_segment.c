/*-------------------------------------------------------------------------
 *
 * test_segment.c
 *		A segment written and read back, compared with the model in memory.
 *
 *-------------------------------------------------------------------------
 */
#include "abstracts_test.h"

#include "storage/indexfsm.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(test_segment);
PG_FUNCTION_INFO_V1(test_dead);
PG_FUNCTION_INFO_V1(test_stale);

/* ---- documents ---- */

static void
compare_docs(AbstSegment *segment, const Model *model, Random *random)
{
	uint32		n = model->ndocs;
	ItemPointerData *tids = palloc(Max(n, 1) * sizeof(ItemPointerData));
	bool	   *isnull = palloc(Max(n, 1) * sizeof(bool));
	AbstLengths *lengths = palloc(Max(n, 1) * sizeof(AbstLengths));
	float4	   *norms = palloc(Max(n, 1) * sizeof(float4));
	uint64	   *words = palloc((n / 64 + 1) * sizeof(uint64));
	bool		any;

	EXPECT(abst_segment_maxdoc(segment) == n);
	EXPECT(abst_segment_tids(segment, 0, n, tids, isnull) == ABST_READ_OK);
	EXPECT(abst_segment_lengths(segment, 0, n, lengths) == ABST_READ_OK);
	EXPECT(abst_segment_norms(segment, 0, n, norms) == ABST_READ_OK);
	EXPECT(memcmp(isnull, model->isnull, n * sizeof(bool)) == 0);
	EXPECT(memcmp(tids, model->tids, n * sizeof(ItemPointerData)) == 0);
	EXPECT(memcmp(lengths, model->lengths, n * sizeof(AbstLengths)) == 0);
	EXPECT(memcmp(norms, model->norms, n * sizeof(float4)) == 0);
	EXPECT(abst_segment_dead(segment, 0, n, words, &any) == ABST_READ_OK && !any);

	/* parts, across the ends of pages */
	for (int round = 0; round < 200 && n > 0; round++)
	{
		uint32		first = random_below(random, n);
		uint32		m = 1 + random_below(random, Min(n - first, 5000));

		memset(lengths, 0xEE, m * sizeof(AbstLengths));
		EXPECT(abst_segment_tids(segment, first, m, tids, NULL) == ABST_READ_OK);
		EXPECT(abst_segment_lengths(segment, first, m, lengths) == ABST_READ_OK);
		EXPECT(abst_segment_norms(segment, first, m, norms) == ABST_READ_OK);
		EXPECT(memcmp(tids, model->tids + first, m * sizeof(ItemPointerData)) == 0);
		EXPECT(memcmp(lengths, model->lengths + first, m * sizeof(AbstLengths)) == 0);
		EXPECT(memcmp(norms, model->norms + first, m * sizeof(float4)) == 0);
	}
	pfree(tids);
	pfree(isnull);
	pfree(lengths);
	pfree(norms);
	pfree(words);
}

/* ---- dictionary ---- */

static const ModelTerm *
model_find(const Model *model, const char *lexeme, int len)
{
	for (int i = 0; i < model->nterms; i++)
	{
		const ModelTerm *term = &model->terms[i];

		if (term->df > 0 && term->len == len && memcmp(term->lexeme, lexeme, len) == 0)
			return term;
	}
	return NULL;
}

static void
compare_lookup(AbstSegment *segment, const Model *model, const char *lexeme, int len)
{
	const ModelTerm *term = model_find(model, lexeme, len);
	AbstTermInfo info;
	AbstRead	read = abst_segment_lookup(segment, lexeme, len, &info);

	if (term == NULL)
		EXPECT(read == ABST_READ_END);
	else
		EXPECT(read == ABST_READ_OK && info.df == term->df && info.cf == term->cf);
}

/*
 * Walk from a lexeme on; at most "limit" terms.
 */
static void
compare_walk(AbstSegment *segment, const Model *model, const char *start,
			 int start_len, int limit)
{
	AbstDictCursor *cursor = abst_dict_begin(segment, start, start_len);
	AbstTermInfo info;
	const char *lexeme;
	int			len;
	int			at = 0;

	while (at < model->nterms &&
		   abst_lexeme_cmp(model->terms[at].lexeme, model->terms[at].len,
						   start, start_len) < 0)
		at++;
	for (; at < model->nterms && limit > 0; at++)
	{
		const ModelTerm *term = &model->terms[at];

		if (term->df == 0)
			continue;
		EXPECT(abst_dict_next(cursor, &lexeme, &len, &info) == ABST_READ_OK);
		EXPECT(len == term->len && memcmp(lexeme, term->lexeme, len) == 0);
		EXPECT(info.df == term->df && info.cf == term->cf);
		limit--;
	}
	if (limit > 0)
	{
		EXPECT(abst_dict_next(cursor, &lexeme, &len, &info) == ABST_READ_END);
		EXPECT(abst_dict_next(cursor, &lexeme, &len, &info) == ABST_READ_END);
	}
	abst_dict_end(cursor);
}

static void
compare_dict(AbstSegment *segment, const Model *model, Random *random)
{
	int			step = Max(model->nterms / 500, 1);

	for (int i = 0; i < model->nterms; i += step)
	{
		char		lexeme[ABST_MAX_LEXEME];
		int			len = model->terms[i].len;

		memcpy(lexeme, model->terms[i].lexeme, len);
		compare_lookup(segment, model, lexeme, len);
		/* a prefix, a longer one, a neighbour */
		if (len > 0)
			compare_lookup(segment, model, lexeme, random_below(random, len));
		if (len < ABST_MAX_LEXEME)
		{
			lexeme[len] = (char) random_bits(random);
			compare_lookup(segment, model, lexeme, len + 1);
		}
		if (len > 0)
		{
			lexeme[random_below(random, len)]++;
			compare_lookup(segment, model, lexeme, len);
			if (i % 50 == 0)
				compare_walk(segment, model, lexeme, len, 40);
		}
	}
	compare_lookup(segment, model, "", 0);
	compare_lookup(segment, model, "\xFF\xFF\xFF\xFF", 4);
	compare_walk(segment, model, "", 0, PG_INT32_MAX);
	compare_walk(segment, model, "\xFF\xFF\xFF\xFF", 4, 10);
}

/* ---- postings ---- */

/* Weighted sums as a scorer makes them. */
static double
weighted_tf(const float8 *weights, AbstTf tf)
{
	double		sum = 0;

	for (int f = 0; f < ABST_NFIELDS; f++)
		sum += weights[f] * tf.field[f];
	return sum;
}

static double
weighted_length(const float8 *weights, AbstLengths lengths)
{
	double		sum = 0;

	for (int f = 0; f < ABST_NFIELDS; f++)
		sum += weights[f] * lengths.field[f];
	return sum;
}

static bool
bounds_hold(const Model *model, const ModelTerm *term, uint32 from, uint32 to,
			const float8 *weights, const AbstImpact *impacts, int n)
{
	for (uint32 i = from; i < to; i++)
	{
		double		wtf = weighted_tf(weights, term->tfs[i]);
		double		wlen = weighted_length(weights, model->lengths[term->docids[i]]);
		bool		bounded = false;

		for (int j = 0; j < n; j++)
			bounded |= impacts[j].wtf >= wtf && impacts[j].wlen <= wlen;
		if (!bounded)
			return false;
	}
	return true;
}

/*
 * With whole weights and small numbers a set of bounds that was not thinned
 * consists of postings that exist.
 */
static bool
bounds_exact(const Model *model, const ModelTerm *term, uint32 from, uint32 to,
			 const float8 *weights, const AbstImpact *impacts, int n)
{
	if (n == ABST_MAX_IMPACTS)
		return true;
	for (int j = 0; j < n; j++)
	{
		bool		found = false;

		for (uint32 i = from; i < to && !found; i++)
		{
			double		wtf = weighted_tf(weights, term->tfs[i]);
			double		wlen = weighted_length(weights, model->lengths[term->docids[i]]);

			found = impacts[j].wtf == wtf && impacts[j].wlen == abst_bound_value(abst_bound_down(wlen));
		}
		if (!found)
			return false;
	}
	return true;
}

/*
 * Block that comes next, by the model: its first posting and one past its
 * last.
 */
static void
compare_next(AbstSegment *segment, AbstPostings *postings, const Model *model,
			 const ModelTerm *term, const float8 *weights, uint32 from)
{
	uint32		to = Min(from + ABST_BLOCK_SIZE, term->df);
	uint32		docids[ABST_BLOCK_SIZE];
	uint32		codes[ABST_BLOCK_SIZE];
	uint32		last;
	AbstImpact	impacts[ABST_MAX_IMPACTS];
	AbstImpact	corner;
	uint32		ncodes;
	const AbstTf *table = abst_segment_codes(segment, &ncodes);
	int			n;

	if (from >= term->df)
	{
		EXPECT(abst_postings_peek(postings, &last) == ABST_READ_END);
		EXPECT(abst_postings_block_bound(postings, &corner) == ABST_READ_END);
		EXPECT(abst_postings_block_impacts(postings, impacts, &n) == ABST_READ_END);
		EXPECT(abst_postings_next(postings, docids, codes, &n) == ABST_READ_END);
		return;
	}
	EXPECT(abst_postings_peek(postings, &last) == ABST_READ_OK);
	EXPECT(last == term->docids[to - 1]);
	EXPECT(abst_postings_block_impacts(postings, impacts, &n) == ABST_READ_OK);
	EXPECT(n >= 1 && n <= ABST_MAX_IMPACTS);
	EXPECT(bounds_hold(model, term, from, to, weights, impacts, n));
	if (weights[0] == 2)
		EXPECT(bounds_exact(model, term, from, to, weights, impacts, n));
	EXPECT(abst_postings_block_bound(postings, &corner) == ABST_READ_OK);
	EXPECT(corner.wtf == impacts[n - 1].wtf && corner.wlen == impacts[0].wlen);

	EXPECT(abst_postings_next(postings, docids, codes, &n) == ABST_READ_OK);
	EXPECT(n == (int) (to - from));
	for (int i = 0; i < n; i++)
	{
		EXPECT(docids[i] == term->docids[from + i]);
		EXPECT(codes[i] < ncodes);
		EXPECT(table[codes[i]].all == term->tfs[from + i].all);
	}
}

/*
 * First posting of the block that a seek must find.
 */
static uint32
model_seek(const ModelTerm *term, uint32 target)
{
	for (uint32 from = 0; from < term->df; from += ABST_BLOCK_SIZE)
	{
		uint32		to = Min(from + ABST_BLOCK_SIZE, term->df);

		if (term->docids[to - 1] >= target)
			return from;
	}
	return term->df;
}

static void
compare_postings(AbstSegment *segment, const Model *model,
				 const ModelTerm *term, const float8 *weights, Random *random)
{
	AbstTermInfo info;
	AbstPostings *postings;
	AbstImpact	impacts[ABST_MAX_IMPACTS];
	uint32		target = 0;
	int			n;

	EXPECT(abst_segment_lookup(segment, term->lexeme, term->len, &info) == ABST_READ_OK);
	postings = abst_postings_begin(segment, &info);
	EXPECT(abst_postings_list_impacts(postings, impacts, &n) == ABST_READ_OK);
	EXPECT(n >= 1 && n <= ABST_MAX_IMPACTS);
	EXPECT(bounds_hold(model, term, 0, term->df, weights, impacts, n));
	for (uint32 from = 0; from < term->df; from += ABST_BLOCK_SIZE)
		compare_next(segment, postings, model, term, weights, from);
	compare_next(segment, postings, model, term, weights, term->df);

	/* anywhere, then forward in growing steps */
	for (int round = 0; round < 40; round++)
	{
		uint32		from;
		AbstRead	read;

		if (round < 10)
			target = random_below(random, model->ndocs + 2);
		else if (round < 20)
			target = term->docids[random_below(random, term->df)] + random_below(random, 2);
		else if (round == 20)
			target = 0;
		else
			target += random_below(random, 1 + model->ndocs / 15);
		from = model_seek(term, target);
		read = abst_postings_seek(postings, target);
		EXPECT(read == (from < term->df ? ABST_READ_OK : ABST_READ_END));
		if (random_below(random, 4) != 0)
			compare_next(segment, postings, model, term, weights, from);
	}
	abst_postings_end(postings);

	/* a cursor that begins by seeking */
	postings = abst_postings_begin(segment, &info);
	target = random_below(random, model->ndocs + 2);
	EXPECT(abst_postings_seek(postings, target) ==
		   (model_seek(term, target) < term->df ? ABST_READ_OK : ABST_READ_END));
	compare_next(segment, postings, model, term, weights, model_seek(term, target));
	abst_postings_end(postings);
}

Datum
test_segment(PG_FUNCTION_ARGS)
{
	Relation	rel = test_open(PG_GETARG_OID(0));
	int32		seed = PG_GETARG_INT32(1);
	Model	   *model = model_make(seed, PG_GETARG_INT32(2), PG_GETARG_INT32(3),
								   PG_GETARG_INT32(4));
	AbstDirectory directory;
	AbstSegmentInfo info;
	AbstPublish publish;
	AbstSegment *segment;
	Random		random;
	uint64		npostings = 0;
	int			nterms = 0;
	int			npages;

	random_seed(&random, seed + 1);
	EXPECT(abst_maintenance_lock(rel, true));
	abst_meta_read(rel, &directory);
	model_write(rel, model, directory.weights, abst_meta_new_id(rel),
				PG_GETARG_BOOL(5), &info);
	EXPECT(info.ndocs == model->ndocs - model->nnulls);
	EXPECT(info.nnulls == model->nnulls && info.ndead == 0);

	memset(&publish, 0, sizeof(publish));
	publish.added = &info;
	publish.flushed_head = InvalidBlockNumber;
	abst_meta_publish(rel, &publish);
	npages = directory.nsegments;
	abst_meta_read(rel, &directory);
	EXPECT(directory.nsegments == npages + 1);
	EXPECT(memcmp(&directory.segments[npages], &info, sizeof(info)) == 0);

	segment = abst_segment_open(rel, &info);
	EXPECT(segment != NULL);
	compare_docs(segment, model, &random);
	compare_dict(segment, model, &random);
	for (int i = 0; i < model->nterms; i++)
	{
		if (model->terms[i].df == 0)
			continue;
		CHECK_FOR_INTERRUPTS();
		compare_postings(segment, model, &model->terms[i], directory.weights, &random);
		npostings += model->terms[i].df;
		nterms++;
	}
	abst_segment_close(segment);
	abst_segment_check(rel, &info);
	abst_maintenance_unlock(rel);
	test_close(rel);
	PG_RETURN_TEXT_P(cstring_to_text(psprintf("%u rows, %u null, %d terms, %llu postings, %u codes, %u pages",
											  model->ndocs, model->nnulls, nterms,
											  (unsigned long long) npostings,
											  model->ncodes, info.npages)));
}

/* ---- dead bits ---- */

Datum
test_dead(PG_FUNCTION_ARGS)
{
	Relation	rel = test_open(PG_GETARG_OID(0));
	AbstDirectory directory;
	Random		random;
	uint64		total = 0;

	random_seed(&random, PG_GETARG_INT32(1));
	EXPECT(abst_maintenance_lock(rel, true));
	abst_meta_read(rel, &directory);
	for (int i = 0; i < directory.nsegments; i++)
	{
		AbstSegmentInfo *info = &directory.segments[i];
		AbstSegment *segment = abst_segment_open(rel, info);
		uint32		n = abst_segment_maxdoc(segment);
		uint32		nwords = n / 64 + 1;
		uint64	   *words = palloc0(nwords * sizeof(uint64));
		uint64	   *want = palloc0(nwords * sizeof(uint64));
		uint64	   *back = palloc(nwords * sizeof(uint64));
		bool		any;
		uint32		ndead = 0;

		EXPECT(abst_segment_dead(segment, 0, n, want, &any) == ABST_READ_OK);
		for (int part = 0; part < 3; part++)
		{
			uint32		first = random_below(&random, nwords) * 64;
			uint32		m = first >= n ? 0 : 1 + random_below(&random, n - first);

			memset(words, 0, nwords * sizeof(uint64));
			for (uint32 d = 0; d < m; d++)
			{
				if (random_below(&random, 10) == 0)
				{
					words[d / 64] |= UINT64CONST(1) << (d % 64);
					want[(first + d) / 64] |= UINT64CONST(1) << (d % 64);
				}
			}
			abst_segment_mark_dead(segment, first, m, words);
		}
		for (uint32 w = 0; w < nwords; w++)
			ndead += pg_popcount64(want[w]);
		abst_meta_set_dead(rel, info->id, ndead);
		abst_segment_close(segment);

		info->ndead = ndead;
		segment = abst_segment_open(rel, info);
		EXPECT(abst_segment_dead(segment, 0, n, back, &any) == ABST_READ_OK);
		EXPECT(any == (ndead > 0));
		EXPECT(memcmp(back, want, (n + 63) / 64 * sizeof(uint64)) == 0);
		for (int round = 0; round < 50 && n > 64; round++)
		{
			uint32		first = random_below(&random, n / 64) * 64;
			uint32		m = 1 + random_below(&random, n - first);

			EXPECT(abst_segment_dead(segment, first, m, back, &any) == ABST_READ_OK);
			for (uint32 d = 0; d < (m + 63) / 64 * 64; d++)
			{
				bool		is = (back[d / 64] >> (d % 64)) & 1;

				EXPECT(is == (d < m && ((want[(first + d) / 64] >> (d % 64)) & 1)));
			}
		}
		abst_segment_close(segment);
		total += ndead;
	}
	abst_maintenance_unlock(rel);
	test_close(rel);
	PG_RETURN_TEXT_P(cstring_to_text(psprintf("%llu documents dead", (unsigned long long) total)));
}

/* ---- stale pages ---- */

static void
collect(BlockNumber block, void *arg)
{
	BlockNumber **next = arg;

	*(*next)++ = block;
}

/*
 * Read all that a segment has; true once something was stale.
 */
static bool
read_is_stale(AbstSegment *segment, AbstPostings *postings, const AbstTermInfo *info)
{
	ItemPointerData tid;
	AbstLengths lengths;
	float4		norm;
	uint32		docids[ABST_BLOCK_SIZE];
	uint32		codes[ABST_BLOCK_SIZE];
	AbstTermInfo found;
	AbstDictCursor *cursor;
	const char *lexeme;
	int			len;
	int			n;
	bool		stale = true;

	stale &= abst_segment_tids(segment, 0, 1, &tid, NULL) == ABST_READ_STALE;
	stale &= abst_segment_lengths(segment, 0, 1, &lengths) == ABST_READ_STALE;
	stale &= abst_segment_norms(segment, 0, 1, &norm) == ABST_READ_STALE;
	stale &= abst_segment_lookup(segment, "a", 1, &found) == ABST_READ_STALE;
	cursor = abst_dict_begin(segment, "", 0);
	stale &= abst_dict_next(cursor, &lexeme, &len, &found) == ABST_READ_STALE;
	abst_dict_end(cursor);
	/* the page it has pinned */
	stale &= abst_postings_next(postings, docids, codes, &n) == ABST_READ_STALE;
	return stale;
}

Datum
test_stale(PG_FUNCTION_ARGS)
{
	Relation	rel = test_open(PG_GETARG_OID(0));
	AbstDirectory directory;
	AbstSegmentInfo *info = &directory.segments[0];
	AbstSegment *segment;
	AbstDictCursor *cursor;
	AbstTermInfo term;
	AbstTermInfo largest = {0};
	AbstPostings *postings;
	AbstPublish publish;
	BlockNumber *blocks;
	BlockNumber *next;
	uint32		docids[ABST_BLOCK_SIZE];
	uint32		codes[ABST_BLOCK_SIZE];
	const char *lexeme;
	int			len;
	int			n;
	BlockNumber before;
	AbstPageKind kind;
	uint32		owner;
	PGAlignedBlock image;

	EXPECT(abst_maintenance_lock(rel, true));
	abst_meta_read(rel, &directory);
	EXPECT(directory.nsegments > 0);
	segment = abst_segment_open(rel, info);
	cursor = abst_dict_begin(segment, "", 0);
	while (abst_dict_next(cursor, &lexeme, &len, &term) == ABST_READ_OK)
	{
		if (term.df > largest.df)
			largest = term;
	}
	abst_dict_end(cursor);
	EXPECT(largest.df > 3 * ABST_BLOCK_SIZE);
	postings = abst_postings_begin(segment, &largest);
	EXPECT(abst_postings_next(postings, docids, codes, &n) == ABST_READ_OK);

	blocks = next = palloc(info->npages * sizeof(BlockNumber));
	EXPECT(abst_segment_blocks(rel, info, collect, &next) == ABST_READ_OK);
	EXPECT(next - blocks == info->npages);

	memset(&publish, 0, sizeof(publish));
	publish.ndropped = 1;
	publish.dropped = &info->id;
	publish.flushed_head = InvalidBlockNumber;
	abst_meta_publish(rel, &publish);
	for (uint32 i = 0; i < info->npages; i++)
	{
		EXPECT(!abst_page_free(rel, blocks[i], info->id + 1));
		EXPECT(abst_page_free(rel, blocks[i], info->id));
		EXPECT(abst_page_free(rel, blocks[i], info->id));
		abst_page_peek(rel, blocks[i], &kind, &owner);
		EXPECT(kind == ABST_PAGE_FREE);
	}
	EXPECT(read_is_stale(segment, postings, &largest));
	abst_postings_end(postings);
	EXPECT(abst_segment_open(rel, info) == NULL);
	EXPECT(abst_segment_blocks(rel, info, collect, &next) == ABST_READ_STALE);

	/* free pages are used again, each once, before the file grows */
	IndexFreeSpaceMapVacuum(rel);
	before = RelationGetNumberOfBlocks(rel);
	abst_page_init((Page) image.data, ABST_PAGE_DATA, info->id, ABST_AREA_TIDS);
	for (uint32 i = 0; i < info->npages; i++)
	{
		BlockNumber block = abst_page_write_new(rel, (Page) image.data, false);
		uint32		j;

		for (j = 0; j < info->npages && blocks[j] != block; j++)
			;
		EXPECT(j < info->npages);
		blocks[j] = InvalidBlockNumber;
	}
	EXPECT(RelationGetNumberOfBlocks(rel) == before);
	EXPECT(abst_page_write_new(rel, (Page) image.data, false) == before);

	/* and a block that the file does not have is stale, too */
	EXPECT(abst_page_read(rel, before + 1000, BUFFER_LOCK_SHARE, ABST_PAGE_DATA, 1) == InvalidBuffer);
	abst_maintenance_unlock(rel);
	test_close(rel);
	PG_RETURN_TEXT_P(cstring_to_text("stale, and used again"));
}
