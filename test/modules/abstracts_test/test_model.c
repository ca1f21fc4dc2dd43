/*-------------------------------------------------------------------------
 *
 * test_model.c
 *		Random documents in memory, and writing them as a segment.
 *
 *-------------------------------------------------------------------------
 */
#include "abstracts_test.h"

#include "utils/memutils.h"

static int
compare_strings(const void *a, const void *b)
{
	const text *left = *(const text *const *) a;
	const text *right = *(const text *const *) b;

	return abst_lexeme_cmp(VARDATA(left), VARSIZE(left) - VARHDRSZ,
						   VARDATA(right), VARSIZE(right) - VARHDRSZ);
}

/*
 * Lexemes of all lengths, many with long prefixes in common, any bytes.
 */
int
model_lexemes(Random *random, int n, char **lexemes, int *lens)
{
	text	  **all = palloc(n * sizeof(text *));
	int			m = 0;

	for (int i = 0; i < n; i++)
	{
		int			len;
		int			shared = 0;

		switch (random_below(random, 16))
		{
			case 0:
				len = 255;
				break;
			case 1:
				len = random_below(random, 256);
				break;
			default:
				len = 1 + random_below(random, 12);
				break;
		}
		all[i] = palloc(VARHDRSZ + 256);
		SET_VARSIZE(all[i], VARHDRSZ + len);
		if (i > 0 && random_below(random, 2) == 0)
		{
			text	   *other = all[random_below(random, i)];

			shared = Min(len, VARSIZE(other) - VARHDRSZ);
			shared = random_below(random, shared + 1);
			memcpy(VARDATA(all[i]), VARDATA(other), shared);
		}
		for (int j = shared; j < len; j++)
			VARDATA(all[i])[j] = random_below(random, 8) == 0 ?
				(char) random_bits(random) : 'a' + (char) random_below(random, 26);
	}
	qsort(all, n, sizeof(text *), compare_strings);
	for (int i = 0; i < n; i++)
	{
		if (i > 0 && compare_strings(&all[i - 1], &all[i]) == 0)
			continue;
		lexemes[m] = VARDATA(all[i]);
		lens[m] = VARSIZE(all[i]) - VARHDRSZ;
		m++;
	}
	return m;
}

/*
 * Frequencies in at least one of the fields of the mask, mostly small.
 */
AbstTf
model_tf(Random *random, int fields)
{
	AbstTf		tf = {.all = 0};

	while (tf.all == 0)
	{
		for (int f = 0; f < ABST_NFIELDS; f++)
		{
			if ((fields & (1 << f)) == 0 || random_below(random, 2) == 0)
				continue;
			tf.field[f] = 1;
			if (random_below(random, 4) == 0)
				tf.field[f] += random_below(random, 6);
			if (random_below(random, 3000) == 0)
				tf.field[f] = 1 + random_below(random, 255);
		}
	}
	return tf;
}

/*
 * Number of documents of a term: few, the edges of blocks, many, all.
 */
static uint32
random_df(Random *random, uint32 max)
{
	static const uint32 edges[] = {1, 2, 7, 8, 9, 127, 128, 129, 255, 256, 257, 384, 385};
	uint32		df;

	switch (random_below(random, 8))
	{
		case 0:
			df = edges[random_below(random, lengthof(edges))];
			break;
		case 1:
			df = 1 + random_below(random, Max(max, 1));
			break;
		case 2:
			df = random_below(random, 20) == 0 ? max : 3;
			break;
		case 3:
			df = 1 + random_below(random, 300);
			break;
		default:
			df = 1 + random_below(random, 12);
			break;
	}
	return Min(df, max);
}

/*
 * Give a term about so many documents, spread evenly or crowded.
 */
static void
fill_term(Random *random, Model *model, ModelTerm *term, int fields)
{
	uint32		live = model->ndocs - model->nnulls;
	uint32		wanted = random_df(random, live);
	uint32		left = live;
	uint32		run = 0;
	bool		crowded = random_below(random, 4) == 0;

	term->docids = palloc_extended(Max(wanted, 1) * sizeof(uint32), MCXT_ALLOC_HUGE);
	term->tfs = palloc_extended(Max(wanted, 1) * sizeof(AbstTf), MCXT_ALLOC_HUGE);
	for (uint32 docid = 0; docid < model->ndocs && term->df < wanted; docid++)
	{
		bool		take;

		if (model->isnull[docid])
			continue;
		if (run > 0)
		{
			take = true;
			run--;
		}
		else
		{
			take = random_below(random, left) < wanted - term->df;
			if (take && crowded)
				run = random_below(random, 200);
		}
		left--;
		if (!take)
			continue;
		term->docids[term->df] = docid;
		term->tfs[term->df] = model_tf(random, fields);
		term->df++;
	}
}

static int
compare_uint32(const void *a, const void *b)
{
	uint32		left = *(const uint32 *) a;
	uint32		right = *(const uint32 *) b;

	return left < right ? -1 : left > right;
}

typedef struct CodeCount
{
	uint32		tf;
	uint32		count;
} CodeCount;

static int
compare_counts(const void *a, const void *b)
{
	const CodeCount *left = a;
	const CodeCount *right = b;

	if (left->count != right->count)
		return left->count > right->count ? -1 : 1;
	return compare_uint32(&left->tf, &right->tf);
}

/*
 * Distinct frequency vectors by frequency.
 */
static void
count_codes(Model *model, uint64 npostings)
{
	uint32	   *all = palloc_extended(Max(npostings, 1) * sizeof(uint32), MCXT_ALLOC_HUGE);
	CodeCount  *counts;
	uint64		n = 0;

	for (int i = 0; i < model->nterms; i++)
	{
		for (uint32 j = 0; j < model->terms[i].df; j++)
			all[n++] = model->terms[i].tfs[j].all;
	}
	qsort(all, n, sizeof(uint32), compare_uint32);
	counts = palloc_extended(Max(n, 1) * sizeof(CodeCount), MCXT_ALLOC_HUGE);
	for (uint64 i = 0; i < n; i++)
	{
		if (i == 0 || all[i] != all[i - 1])
		{
			counts[model->ncodes].tf = all[i];
			counts[model->ncodes++].count = 0;
		}
		counts[model->ncodes - 1].count++;
	}
	qsort(counts, model->ncodes, sizeof(CodeCount), compare_counts);
	model->codes = palloc(Max(model->ncodes, 1) * sizeof(AbstTf));
	for (uint32 i = 0; i < model->ncodes; i++)
		model->codes[i].all = counts[i].tf;
	pfree(all);
	pfree(counts);
}

Model *
model_make(int32 seed, uint32 ndocs, int nterms, int fields)
{
	Model	   *model = palloc0(sizeof(Model));
	Random		random;
	BlockNumber block = 0;
	OffsetNumber offset = 1;
	char	  **lexemes = palloc(Max(nterms, 1) * sizeof(char *));
	int		   *lens = palloc(Max(nterms, 1) * sizeof(int));
	uint64		npostings = 0;

	random_seed(&random, seed);
	model->ndocs = ndocs;
	model->tids = palloc(Max(ndocs, 1) * sizeof(ItemPointerData));
	model->isnull = palloc0(Max(ndocs, 1) * sizeof(bool));
	model->lengths = palloc0(Max(ndocs, 1) * sizeof(AbstLengths));
	model->norms = palloc0(Max(ndocs, 1) * sizeof(float4));
	for (uint32 i = 0; i < ndocs; i++)
	{
		if (random_below(&random, 10) == 0)
		{
			block += 1 + random_below(&random, random_below(&random, 50) == 0 ? 300000 : 3);
			offset = 1;
		}
		ItemPointerSet(&model->tids[i], block, offset);
		offset += 1 + random_below(&random, 2);
		model->isnull[i] = random_below(&random, 20) == 0;
		model->nnulls += model->isnull[i];
		if (!model->isnull[i])
			model->norms[i] = (float4) random_below(&random, 100000) / 7;
	}

	model->nterms = model_lexemes(&random, nterms, lexemes, lens);
	model->terms = palloc0(Max(model->nterms, 1) * sizeof(ModelTerm));
	for (int i = 0; i < model->nterms; i++)
	{
		ModelTerm  *term = &model->terms[i];

		CHECK_FOR_INTERRUPTS();
		term->lexeme = lexemes[i];
		term->len = lens[i];
		fill_term(&random, model, term, fields);
		npostings += term->df;
		for (uint32 j = 0; j < term->df; j++)
		{
			AbstLengths *lengths = &model->lengths[term->docids[j]];

			for (int f = 0; f < ABST_NFIELDS; f++)
			{
				uint8		tf = term->tfs[j].field[f];

				term->cf += tf;
				lengths->field[f] = (uint16) Min(lengths->field[f] + tf, ABST_MAX_LENGTH);
			}
		}
	}
	count_codes(model, npostings);
	return model;
}

void
model_write(Relation rel, const Model *model, const float8 *weights,
			uint32 id, bool building, AbstSegmentInfo *info)
{
	AbstSegmentWriter *writer;

	writer = abst_segment_writer_begin(rel, id, weights, building);
	for (uint32 i = 0; i < model->ndocs; i++)
	{
		ItemPointerData tid = model->tids[i];
		uint32		docid;

		docid = abst_segment_writer_doc(writer, &tid,
										model->isnull[i] ? NULL : &model->lengths[i],
										model->norms[i], model->isnull[i]);
		EXPECT(docid == i);
	}
	abst_segment_writer_codes(writer, model->codes, model->ncodes);
	for (int i = 0; i < model->nterms; i++)
	{
		const ModelTerm *term = &model->terms[i];

		abst_segment_writer_term(writer, term->lexeme, term->len);
		for (uint32 j = 0; j < term->df; j++)
			abst_segment_writer_posting(writer, term->docids[j], term->tfs[j]);
	}
	abst_segment_writer_finish(writer, info);
}
