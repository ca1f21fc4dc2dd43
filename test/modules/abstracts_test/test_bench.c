/*-------------------------------------------------------------------------
 *
 * test_bench.c
 *		How long decoding, cursors and look-ups take, in processor time.
 *
 *-------------------------------------------------------------------------
 */
#include "abstracts_test.h"

#include <time.h>

#include "funcapi.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(test_bench);

/* What was measured. */
static void
report(ReturnSetInfo *rsinfo, const char *what, uint64 numbers, clock_t start)
{
	Datum		values[3];
	bool		nulls[3] = {false, false, false};
	double		seconds = (double) (clock() - start) / CLOCKS_PER_SEC;

	values[0] = CStringGetTextDatum(what);
	values[1] = Int64GetDatum((int64) numbers);
	values[2] = Float8GetDatum(seconds * 1e9 / Max(numbers, 1));
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

/*
 * Full blocks of one width, from memory.
 */
static void
bench_blocks(ReturnSetInfo *rsinfo, int doc_width, int code_width, int n,
			 int rounds)
{
	Random		random;
	uint8	   *bytes = palloc(1000 * ABST_CODEC_MAX_BYTES);
	uint8	   *starts[1000];
	uint32		previous[1000];
	uint32		docids[ABST_CODEC_BLOCK];
	uint32		codes[ABST_CODEC_BLOCK];
	uint32		docid = 0;
	uint8	   *at = bytes;
	AbstBlockInput input = {0, n, docids, codes, 0, NULL};
	AbstBlockLimits limits = {0, ABST_MAX_DOCS, 1 << code_width};
	clock_t		start;

	random_seed(&random, 1);
	for (int i = 0; i < lengthof(starts); i++)
	{
		previous[i] = docid;
		for (int j = 0; j < n; j++)
		{
			docid += 1 + random_below(&random, 1 << doc_width);
			docids[j] = docid;
			codes[j] = random_below(&random, 1 << code_width);
		}
		starts[i] = at;
		input.previous = previous[i];
		at += abst_block_encode(at, &input);
	}
	start = clock();
	for (int round = 0; round < rounds; round++)
	{
		for (int i = 0; i < lengthof(starts); i++)
		{
			AbstBlockHead head;

			limits.previous = previous[i];
			EXPECT(abst_block_head(starts[i], at, &head));
			EXPECT(abst_block_decode(starts[i], &head, &limits, docids,
									 codes));
		}
	}
	report(rsinfo, psprintf("decode n=%d, %d + %d bits", n, doc_width, code_width),
		   (uint64) rounds * lengthof(starts) * n, start);
	pfree(bytes);
}

/*
 * All postings of a segment through cursors; all terms through look-ups.
 */
static void
bench_segment(ReturnSetInfo *rsinfo, Relation rel,
			  const AbstSegmentInfo *info,
			  int rounds)
{
	AbstSegment *segment = abst_segment_open(rel, info);
	uint32		nterms = segment->header->nterms;
	AbstTermInfo *infos = palloc(nterms * sizeof(AbstTermInfo));
	char	  **lexemes = palloc(nterms * sizeof(char *));
	int		   *lens = palloc(nterms * sizeof(int));
	uint32		docids[ABST_BLOCK_SIZE];
	uint32		codes[ABST_BLOCK_SIZE];
	AbstDictCursor *cursor = abst_dict_begin(segment, "", 0);
	const char *lexeme;
	uint32		t = 0;
	int			n;
	uint64		numbers = 0;
	clock_t		start;

	while (abst_dict_next(cursor, &lexeme, &lens[t],
						  &infos[t]) == ABST_READ_OK)
	{
		lexemes[t] = palloc(lens[t] + 1);
		memcpy(lexemes[t], lexeme, lens[t]);
		t++;
	}
	abst_dict_end(cursor);

	for (int large = 0; large < 2; large++)
	{
		numbers = 0;
		start = clock();
		for (int round = 0; round < rounds; round++)
		{
			for (uint32 i = 0; i < nterms; i++)
			{
				AbstPostings *postings;

				if (infos[i].df < 2000 ? large : !large)
					continue;
				postings = abst_postings_begin(segment, &infos[i]);
				while (abst_postings_next(postings, docids, codes,
										  &n) == ABST_READ_OK)
					numbers += n;
				abst_postings_end(postings);
			}
		}
		report(rsinfo, large ? "cursor, terms of 2000 documents or more" : "cursor, other terms",
			   numbers, start);
	}

	start = clock();
	for (int round = 0; round < rounds; round++)
	{
		for (uint32 i = 0; i < nterms; i++)
		{
			uint32		at = (uint32) ((uint64) i * 7919 % nterms);
			AbstTermInfo found;

			EXPECT(abst_segment_lookup(segment, lexemes[at], lens[at],
									   &found) == ABST_READ_OK);
		}
	}
	report(rsinfo, "look-up", (uint64) nterms * rounds, start);
}

Datum
test_bench(PG_FUNCTION_ARGS)
{
	Relation	rel = test_open(PG_GETARG_OID(0));
	int			rounds = PG_GETARG_INT32(1);
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	AbstDirectory directory;
	static const int widths[][3] = {
		{1, 1, 128}, {3, 1, 128}, {5, 2, 128}, {7, 3, 128}, {10, 3, 128},
		{13, 4, 128}, {7, 3, 100}, {7, 3, 20}
	};

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < lengthof(widths); i++)
		bench_blocks(rsinfo, widths[i][0], widths[i][1], widths[i][2], rounds);
	abst_meta_read(rel, &directory);
	if (directory.nsegments > 0)
		bench_segment(rsinfo, rel, &directory.segments[0],
					  Max(rounds / 100, 1));
	test_close(rel);
	PG_RETURN_NULL();
}
