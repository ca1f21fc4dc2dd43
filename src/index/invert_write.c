/*-------------------------------------------------------------------------
 *
 * invert_write.c
 *		The inverter's last step: documents, frequency vectors and postings go
 *		to the segment writer.
 *
 * Postings stream from memory or from runs.  Where runs come from several
 * inverters, each has docids and codes of its own; both are translated, and
 * the postings of a term are merged by the segment's docids.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/progress.h"
#include "miscadmin.h"
#include "utils/backend_progress.h"
#include "utils/memutils.h"

#include "index/inverter.h"

/* Postings between two calls that report them. */
#define REPORT_STEP		(1 << 18)

/* Postings of one term from one inverter. */
typedef struct InvStream
{
	const InvOrigin *origin;
	InvMerge   *merge;			/* of the sources; NULL: from memory */
	InvSource **sources;		/* the first one is being read */
	int			nsources;
	uint32		left;			/* postings of its piece */
	uint32		own_docid;
	uint32		range;			/* where own_docid lies ... */
	uint32		range_end;		/* ... its end ... */
	uint32		shift;			/* ... and what leads to the segment's docid */
	/* the posting at hand, as the segment knows it */
	uint32		docid;
	uint32		code;
} InvStream;

/* ---- postings ---- */

/* Find the range, from the current one on, that holds own_docid. */
static void
find_range(InvStream *stream)
{
	const InvOrigin *origin = stream->origin;
	uint32		low = stream->range;
	uint32		high = origin->nranges;

	/* the last range that begins at or before it */
	while (high - low > 1)
	{
		uint32		middle = low + (high - low) / 2;

		if (origin->ranges[middle].first <= stream->own_docid)
			low = middle;
		else
			high = middle;
	}
	stream->range = low;
	stream->range_end = low + 1 < origin->nranges ?
		origin->ranges[low + 1].first : origin->ndocs;
	stream->shift = origin->ranges[low].docid - origin->ranges[low].first;
}

static void
stream_begin(InvStream *stream, const InvOrigin *origin, InvMerge *merge,
			 InvSource **sources, int nsources)
{
	stream->origin = origin;
	stream->merge = merge;
	stream->sources = sources;
	stream->nsources = nsources;
	stream->left = sources[0]->npostings;
	stream->own_docid = 0;
	stream->range = 0;
	stream->range_end = 0;
}

/* Go to the next posting; false at the end. */
static inline bool
stream_next(InvStream *stream)
{
	uint32		code;

	while (unlikely(stream->left == 0))
	{
		if (stream->merge == NULL ||
			!abst_invert_go_on(stream->merge, stream->sources[0]))
		{
			if (stream->nsources <= 1)
				return false;
			stream->sources++;
			stream->nsources--;
		}
		stream->left = stream->sources[0]->npostings;
		stream->own_docid = 0;
	}
	stream->left--;
	stream->own_docid += abst_invert_varint(stream->sources[0]);
	code = abst_invert_varint(stream->sources[0]);
	if (unlikely(code >= stream->origin->ncodes ||
				 stream->own_docid >= stream->origin->ndocs))
		elog(ERROR, "a run has an impossible posting");
	if (unlikely(stream->own_docid >= stream->range_end))
		find_range(stream);
	stream->docid = stream->own_docid + stream->shift;
	stream->code = stream->origin->codes[code];
	return true;
}

/* All of one stream, up to a docid; false if it ended before. */
static inline bool
write_stream(AbstSegmentWriter *writer, InvStream *stream, uint32 limit)
{
	do
	{
		if (stream->docid >= limit)
			return true;
		abst_segment_writer_coded(writer, stream->docid, stream->code);
	} while (stream_next(stream));
	return false;
}

/* All streams, each of which stands at its first posting. */
static void
write_streams(AbstSegmentWriter *writer, InvStream *streams, int n)
{
	while (n > 1)
	{
		int			first = 0;
		uint32		limit = PG_UINT32_MAX;

		for (int i = 1; i < n; i++)
		{
			if (streams[i].docid < streams[first].docid)
			{
				limit = streams[first].docid;
				first = i;
			}
			else
				limit = Min(limit, streams[i].docid);
		}
		if (!write_stream(writer, &streams[first], limit))
			streams[first] = streams[--n];
	}
	(void) write_stream(writer, &streams[0], PG_UINT32_MAX);
}

/* ---- terms ---- */

void
abst_invert_write_merge(AbstSegmentWriter *writer, InvMerge *merge,
						const InvOrigin *origins, int norigins,
						void (*postings) (void *arg, uint64 n), void *arg)
{
	InvSource **users = palloc(Max(merge->nsources, 1) * sizeof(InvSource *));
	InvStream  *streams = palloc(norigins * sizeof(InvStream));
	uint64		unreported = 0;

	while ((users[0] = abst_invert_take(merge)) != NULL)
	{
		int			n = 1;
		int			nstreams = 0;

		CHECK_FOR_INTERRUPTS();
		while (abst_invert_same_lexeme(merge, users[0]))
			users[n++] = abst_invert_take(merge);
		abst_segment_writer_term(writer, users[0]->lexeme, users[0]->len);

		/* One inverter's runs follow each other, in order. */
		for (int i = 0, end; i < n; i = end)
		{
			for (end = i; end < n && users[end]->origin == users[i]->origin;)
				unreported += users[end++]->npostings;
			stream_begin(&streams[nstreams], &origins[users[i]->origin],
						 merge, &users[i], end - i);
			if (stream_next(&streams[nstreams]))
				nstreams++;
		}
		if (nstreams > 0)
			write_streams(writer, streams, nstreams);
		for (int i = 0; i < n; i++)
			abst_invert_give_back(merge, users[i]);

		if (unreported >= REPORT_STEP && postings != NULL)
		{
			postings(arg, unreported);
			unreported = 0;
		}
	}
	if (postings != NULL)
		postings(arg, unreported);
	pfree(users);
	pfree(streams);
}

/* ---- frequency vectors ---- */

static int
cmp_code_tf(const void *a, const void *b)
{
	const InvCode *left = a;
	const InvCode *right = b;

	return left->tf.all < right->tf.all ? -1 : left->tf.all > right->tf.all;
}

static int
cmp_code(const void *a, const void *b)
{
	const InvCode *left = a;
	const InvCode *right = b;

	if (left->count != right->count)
		return left->count > right->count ? -1 : 1;
	return cmp_code_tf(a, b);
}

uint32
abst_invert_order_codes(InvCode *codes, uint32 n)
{
	uint32		distinct = 0;

	qsort(codes, n, sizeof(InvCode), cmp_code_tf);
	for (uint32 i = 0; i < n; i++)
	{
		if (distinct > 0 && codes[distinct - 1].tf.all == codes[i].tf.all)
			codes[distinct - 1].count += codes[i].count;
		else
			codes[distinct++] = codes[i];
	}
	qsort(codes, distinct, sizeof(InvCode), cmp_code);
	return distinct;
}

/* A code and where it stands. */
typedef struct InvCodePlace
{
	InvCode		code;
	uint32		place;
} InvCodePlace;

uint32	   *
abst_invert_map_codes(const InvCode *codes, uint32 n, const InvCode *ordered,
					  uint32 nordered)
{
	InvCodePlace *places;
	uint32	   *map = palloc_extended(Max(n, 1) * sizeof(uint32),
									  MCXT_ALLOC_HUGE);

	places = palloc_extended(Max(nordered, 1) * sizeof(InvCodePlace),
							 MCXT_ALLOC_HUGE);
	for (uint32 i = 0; i < nordered; i++)
	{
		places[i].code = ordered[i];
		places[i].place = i;
	}
	qsort(places, nordered, sizeof(InvCodePlace), cmp_code_tf);
	for (uint32 i = 0; i < n; i++)
	{
		InvCodePlace *found = bsearch(&codes[i], places, nordered,
									  sizeof(InvCodePlace), cmp_code_tf);

		if (found == NULL)
			elog(ERROR, "frequency vector got lost");
		map[i] = found->place;
	}
	pfree(places);
	return map;
}

/* ---- one inverter alone ---- */

/* Tell the writer of all documents. */
static void
write_docs(AbstInverter *inverter, AbstSegmentWriter *writer)
{
	uint64		left = inverter->ndocs_filed;

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
}

/* Tell the writer of the frequency vectors; fills the origin's map. */
static void
write_codes(AbstInverter *inverter, AbstSegmentWriter *writer,
			InvOrigin *origin)
{
	uint32		n = inverter->ncodes;
	InvCode    *ordered = palloc_extended(Max(1, n) * sizeof(InvCode),
										  MCXT_ALLOC_HUGE);
	AbstTf	   *tfs = palloc_extended(Max(1, n) * sizeof(AbstTf),
									  MCXT_ALLOC_HUGE);

	memcpy(ordered, inverter->codes, n * sizeof(InvCode));
	if (abst_invert_order_codes(ordered, n) != n)
		elog(ERROR, "frequency vector is there twice");
	for (uint32 i = 0; i < n; i++)
		tfs[i] = ordered[i].tf;
	abst_segment_writer_codes(writer, tfs, n);
	origin->ncodes = n;
	origin->codes = abst_invert_map_codes(inverter->codes, n, ordered, n);
	pfree(ordered);
	pfree(tfs);
}

/* How far a build has come, in rows: the share of postings written. */
typedef struct InvProgress
{
	double		rows_per_posting;
	uint64		postings;
} InvProgress;

static void
report_postings(void *arg, uint64 n)
{
	InvProgress *progress = arg;

	progress->postings += n;
	pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE,
								 (int64) (progress->rows_per_posting *
										  progress->postings));
}

/* All terms, from memory. */
static void
write_terms(AbstInverter *inverter, AbstSegmentWriter *writer,
			const InvOrigin *origin, InvProgress *progress)
{
	uint64		unreported = 0;

	abst_invert_sort_terms(inverter);
	for (uint32 i = 0; i < inverter->nterms; i++)
	{
		InvTerm    *term = inverter->slots[i].term;
		InvSource	source;
		InvSource  *sources = &source;
		InvStream	stream;

		CHECK_FOR_INTERRUPTS();
		abst_segment_writer_term(writer, term->lexeme, term->len);
		abst_invert_source(inverter, &source, term);
		stream_begin(&stream, origin, NULL, &sources, 1);
		if (stream_next(&stream))
			(void) write_stream(writer, &stream, PG_UINT32_MAX);

		unreported += term->npostings;
		if (unreported >= REPORT_STEP && inverter->building)
		{
			report_postings(progress, unreported);
			unreported = 0;
		}
	}
}

/* All terms, from the runs. */
static void
write_runs(AbstInverter *inverter, AbstSegmentWriter *writer,
		   const InvOrigin *origin, InvProgress *progress)
{
	BufFile   **files = palloc(inverter->nruns * sizeof(BufFile *));
	InvMerge   *merge;

	for (int i = 0; i < inverter->nruns; i++)
		files[i] = inverter->runs[i].file;
	merge = abst_invert_merge_begin(files, inverter->nruns, NULL, NULL, NULL,
									NULL);
	abst_invert_write_merge(writer, merge, origin, 1,
							inverter->building ? report_postings : NULL,
							progress);
	abst_invert_merge_end(merge);
	for (int i = 0; i < inverter->nruns; i++)
		BufFileClose(files[i]);
	pfree(files);
}

bool
abst_inverter_finish(AbstInverter *inverter, uint32 id, AbstSegmentInfo *info)
{
	MemoryContext old;
	AbstSegmentWriter *writer;
	InvRange	range = {0, 0};
	InvOrigin	origin = {0};
	InvProgress progress = {0};
	uint64		postings = 0;

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
		abst_invert_reduce_runs(inverter,
								abst_invert_fan_in(inverter->budget));
	}

	writer = abst_segment_writer_begin(inverter->index, id, inverter->weights,
									   inverter->building);
	abst_segment_writer_expect(writer, inverter->field_mask,
							   MemoryContextAllocHuge(inverter->context,
													  inverter->ndocs *
													  sizeof(uint16)));
	write_docs(inverter, writer);
	origin.ndocs = (uint32) inverter->ndocs;
	origin.nranges = 1;
	origin.ranges = &range;
	write_codes(inverter, writer, &origin);
	for (uint32 i = 0; i < inverter->ncodes; i++)
		postings += inverter->codes[i].count;
	progress.rows_per_posting = (double) inverter->ndocs / Max(postings, 1);
	if (inverter->nruns == 0)
		write_terms(inverter, writer, &origin, &progress);
	else
		write_runs(inverter, writer, &origin, &progress);
	abst_segment_writer_finish(writer, info);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(inverter->context);
	return true;
}
