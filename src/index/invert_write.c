/*-------------------------------------------------------------------------
 *
 * invert_write.c
 *		The inverter's last step: documents, frequency vectors and postings go
 *		to the segment writer.
 *
 * Postings stream from memory or from the runs; what is held back is at most
 * a heap page's worth of one term, to bring rows that arrived out of order
 * into the order of their TIDs.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "index/inverter.h"

/* Postings of one term on their way to the writer. */
typedef struct InvEmit
{
	AbstInverter *inverter;
	AbstSegmentWriter *writer;
	uint32		shuffle;		/* first one not wholly before the postings */
	int			nheld;			/* postings of the page of "shuffle" */
	int			maxheld;
	struct InvHeld
	{
		uint32		docid;
		AbstTf		tf;
	}		   *held;
	uint64		nemitted;
} InvEmit;

/* Write the postings held back, in order of their final docids. */
static void
flush_held(InvEmit *emit)
{
	for (int i = 1; i < emit->nheld; i++)
	{
		struct InvHeld item = emit->held[i];
		int			at = i;

		while (at > 0 && emit->held[at - 1].docid > item.docid)
		{
			emit->held[at] = emit->held[at - 1];
			at--;
		}
		emit->held[at] = item;
	}
	for (int i = 0; i < emit->nheld; i++)
		abst_segment_writer_posting(emit->writer, emit->held[i].docid,
									emit->held[i].tf);
	emit->nheld = 0;
}

/* First shuffled page, from emit->shuffle on, that ends after "docid". */
static uint32
find_shuffle(InvEmit *emit, uint32 docid)
{
	InvShuffle *shuffles = emit->inverter->shuffles;
	uint32		low = emit->shuffle;
	uint32		high = emit->inverter->nshuffles;

	while (low < high)
	{
		uint32		middle = low + (high - low) / 2;

		if (shuffles[middle].first + shuffles[middle].ndocs > docid)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* A posting by docid of arrival goes to the writer, maybe held back first. */
static void
emit_shuffled(InvEmit *emit, uint32 docid, AbstTf tf)
{
	AbstInverter *inverter = emit->inverter;
	InvShuffle *shuffle;
	uint32		at = emit->shuffle;

	if (at < inverter->nshuffles &&
		docid >= inverter->shuffles[at].first + inverter->shuffles[at].ndocs)
	{
		flush_held(emit);
		at = emit->shuffle = find_shuffle(emit, docid);
	}
	if (at >= inverter->nshuffles || docid < inverter->shuffles[at].first)
	{
		abst_segment_writer_posting(emit->writer, docid, tf);
		return;
	}
	shuffle = &inverter->shuffles[at];
	if (emit->nheld == emit->maxheld)
	{
		emit->maxheld = Max(512, emit->maxheld * 2);
		if (emit->held == NULL)
			emit->held = palloc(emit->maxheld * sizeof(*emit->held));
		else
			emit->held = repalloc(emit->held,
								  emit->maxheld * sizeof(*emit->held));
	}
	emit->held[emit->nheld].docid = shuffle->first +
		shuffle->place[docid - shuffle->first];
	emit->held[emit->nheld].tf = tf;
	emit->nheld++;
}

/* All postings of a piece. */
static void
emit_postings(InvEmit *emit, InvSource *source)
{
	AbstInverter *inverter = emit->inverter;
	const InvCode *codes = inverter->codes;
	uint32		docid = 0;

	for (uint32 i = 0; i < source->npostings; i++)
	{
		uint32		code;

		if ((emit->nemitted++ & 0xFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		docid += abst_invert_varint(source);
		code = abst_invert_varint(source);
		if (code >= inverter->ncodes || docid >= inverter->ndocs)
			elog(ERROR, "a run has an impossible posting");
		if (inverter->nshuffles == 0)
			abst_segment_writer_posting(emit->writer, docid, codes[code].tf);
		else
			emit_shuffled(emit, docid, codes[code].tf);
	}
}

static int
cmp_code(const void *a, const void *b)
{
	const InvCode *left = a;
	const InvCode *right = b;

	if (left->count != right->count)
		return left->count > right->count ? -1 : 1;
	return left->tf.all < right->tf.all ? -1 : left->tf.all > right->tf.all;
}

/* Tell the writer of all documents and of the frequency vectors. */
static void
write_docs(AbstInverter *inverter, AbstSegmentWriter *writer)
{
	uint64		left = inverter->ndocs_filed;
	AbstTf	   *tfs;
	InvCode    *codes;

	if (left > 0)
	{
		InvDoc	   *buffer = palloc(1024 * sizeof(InvDoc));

		if (BufFileSeek(inverter->doc_file, 0, 0, SEEK_SET) != 0)
			ereport(ERROR,
					(errcode_for_file_access(),
					 errmsg("could not rewind a temporary file: %m")));
		while (left > 0)
		{
			uint32		n = (uint32) Min(left, 1024);

			CHECK_FOR_INTERRUPTS();
			if (BufFileRead(inverter->doc_file, buffer, n * sizeof(InvDoc)) !=
				n * sizeof(InvDoc))
				elog(ERROR, "unexpected end of a file of documents");
			for (uint32 i = 0; i < n; i++)
				abst_segment_writer_doc(writer, &buffer[i].tid,
										&buffer[i].lengths, buffer[i].norm,
										buffer[i].isnull != 0);
			left -= n;
		}
		BufFileClose(inverter->doc_file);
		pfree(buffer);
	}
	for (uint32 i = 0; i < inverter->ndocs_held; i++)
	{
		InvDoc	   *doc = &inverter->docs[i];

		if ((i & 0xFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		abst_segment_writer_doc(writer, &doc->tid, &doc->lengths, doc->norm,
								doc->isnull != 0);
	}

	codes = palloc(Max(1, inverter->ncodes) * sizeof(InvCode));
	tfs = palloc(Max(1, inverter->ncodes) * sizeof(AbstTf));
	memcpy(codes, inverter->codes, inverter->ncodes * sizeof(InvCode));
	qsort(codes, inverter->ncodes, sizeof(InvCode), cmp_code);
	for (uint32 i = 0; i < inverter->ncodes; i++)
		tfs[i] = codes[i].tf;
	abst_segment_writer_codes(writer, tfs, inverter->ncodes);
	pfree(codes);
	pfree(tfs);
}

/* All terms, from memory or from the runs. */
static void
write_terms(InvEmit *emit)
{
	AbstInverter *inverter = emit->inverter;
	InvSource  *sources;
	int		   *heap;
	int			n;
	char		lexeme[ABST_MAX_LEXEME];
	int			len = -1;

	if (inverter->nruns == 0)
	{
		abst_invert_sort_terms(inverter);
		for (uint32 i = 0; i < inverter->nterms; i++)
		{
			InvTerm    *term = inverter->slots[i].term;
			InvSource	source;

			abst_segment_writer_term(emit->writer, term->lexeme, term->len);
			abst_invert_source(&source, term);
			emit->shuffle = 0;
			emit_postings(emit, &source);
			flush_held(emit);
		}
		return;
	}

	sources = abst_invert_open_runs(inverter, 0, &heap, &n);
	while (n > 0)
	{
		InvSource  *source = &sources[heap[0]];

		if (len != source->len || memcmp(lexeme, source->lexeme, len) != 0)
		{
			flush_held(emit);
			emit->shuffle = 0;
			len = source->len;
			memcpy(lexeme, source->lexeme, len);
			abst_segment_writer_term(emit->writer, lexeme, len);
		}
		emit_postings(emit, source);
		abst_invert_advance(sources, heap, &n);
	}
	flush_held(emit);
	abst_invert_close_runs(inverter, 0, sources, heap);
}

bool
abst_inverter_finish(AbstInverter *inverter, uint32 id, AbstSegmentInfo *info)
{
	MemoryContext old;
	InvEmit		emit;

	if (inverter->ndocs == 0)
	{
		MemoryContextDelete(inverter->context);
		return false;
	}

	old = MemoryContextSwitchTo(inverter->context);
	abst_invert_finish_page(inverter);
	if (inverter->nruns > 0)
	{
		if (inverter->nterms > 0)
			abst_invert_spill(inverter);
		while (inverter->nruns > abst_invert_fan_in(inverter))
			abst_invert_merge_runs(inverter, inverter->nruns - abst_invert_fan_in(inverter));
	}

	memset(&emit, 0, sizeof(emit));
	emit.inverter = inverter;
	emit.writer = abst_segment_writer_begin(inverter->index, id,
											inverter->weights,
											inverter->building);
	write_docs(inverter, emit.writer);
	write_terms(&emit);
	abst_segment_writer_finish(emit.writer, info);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(inverter->context);
	return true;
}
