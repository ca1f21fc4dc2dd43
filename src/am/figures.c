/*-------------------------------------------------------------------------
 *
 * figures.c
 *		abstracts_stats: figures of an index.
 *
 * Taken without a lock: where a merge replaces what is being read, reading
 * starts again.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/binaryheap.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "am/am.h"
#include "index/pending.h"
#include "index/segment.h"

PG_FUNCTION_INFO_V1(abst_stats_sql);

typedef struct IndexFigures
{
	int64		documents;		/* pending and dead ones too */
	int64		null_rows;
	int64		dead_rows;
	int64		pending_rows;
	int64		pending_pages;
	int64		segments;
	int64		pages;
	double		lengths;		/* occurrences in all documents */
	int64		terms;			/* of segments, each once */
	int64		postings;		/* of segments */
} IndexFigures;

/* A dictionary that is being walked. */
typedef struct StatsDict
{
	AbstSegment *segment;
	AbstDictCursor *cursor;
	const char *lexeme;
	int			len;
	AbstTermInfo term;
} StatsDict;

static int
cmp_dict(Datum a, Datum b, void *arg)
{
	StatsDict  *left = (StatsDict *) DatumGetPointer(a);
	StatsDict  *right = (StatsDict *) DatumGetPointer(b);

	/* a binaryheap's first is its largest */
	return abst_lexeme_cmp(right->lexeme, right->len, left->lexeme, left->len);
}

/* Terms and postings of all segments; false when stale. */
static bool
count_terms(Relation index, const AbstDirectory *directory, IndexFigures *figures)
{
	StatsDict  *dicts = palloc0(Max(directory->nsegments, 1) * sizeof(StatsDict));
	binaryheap *heap = binaryheap_allocate(Max(directory->nsegments, 1),
										   cmp_dict, NULL);
	char	   *last = palloc(256);
	int			last_len = -1;
	bool		fresh = true;

	for (int i = 0; i < directory->nsegments && fresh; i++)
	{
		StatsDict  *dict = &dicts[i];
		AbstRead	result = ABST_READ_STALE;

		dict->segment = abst_segment_open(index, &directory->segments[i]);
		if (dict->segment != NULL)
			dict->cursor = abst_dict_begin(dict->segment, "", 0);
		if (dict->cursor != NULL)
			result = abst_dict_next(dict->cursor, &dict->lexeme, &dict->len,
									&dict->term);
		fresh = result != ABST_READ_STALE;
		if (result == ABST_READ_OK)
			binaryheap_add(heap, PointerGetDatum(dict));
	}

	while (fresh && !binaryheap_empty(heap))
	{
		StatsDict  *dict = (StatsDict *) DatumGetPointer(binaryheap_first(heap));
		AbstRead	result;

		CHECK_FOR_INTERRUPTS();
		figures->postings += dict->term.df;
		if (dict->len != last_len || memcmp(last, dict->lexeme, last_len) != 0)
		{
			figures->terms++;
			last_len = Min(dict->len, 256);
			memcpy(last, dict->lexeme, last_len);
		}
		result = abst_dict_next(dict->cursor, &dict->lexeme, &dict->len,
								&dict->term);
		fresh = result != ABST_READ_STALE;
		if (result == ABST_READ_OK)
			binaryheap_replace_first(heap, PointerGetDatum(dict));
		else
			(void) binaryheap_remove_first(heap);
	}

	for (int i = 0; i < directory->nsegments; i++)
	{
		if (dicts[i].cursor != NULL)
			abst_dict_end(dicts[i].cursor);
		if (dicts[i].segment != NULL)
			abst_segment_close(dicts[i].segment);
	}
	return fresh;
}

/* Figures of the pending list; false when stale. */
static bool
count_pending(Relation index, const AbstDirectory *directory,
			  IndexFigures *figures)
{
	AbstPendingWalk *walk = abst_pending_begin(index, directory);
	AbstPendingDoc doc;
	AbstRead	result;

	while ((result = abst_pending_next(walk, &doc)) == ABST_READ_OK)
	{
		CHECK_FOR_INTERRUPTS();
		figures->pending_rows++;
		if (doc.isnull)
			figures->null_rows++;
		else
			figures->documents++;
		for (int i = 0; i < ABST_NFIELDS && !doc.isnull; i++)
			figures->lengths += doc.lengths.field[i];
	}
	abst_pending_end(walk);
	return result != ABST_READ_STALE;
}

/* All figures; false when stale. */
static bool
take_figures(Relation index, IndexFigures *figures)
{
	AbstDirectory *directory = palloc(sizeof(AbstDirectory));

	memset(figures, 0, sizeof(IndexFigures));
	abst_meta_read(index, directory);
	figures->segments = directory->nsegments;
	figures->pending_pages = directory->pending_pages;
	figures->pages = RelationGetNumberOfBlocks(index);
	for (int i = 0; i < directory->nsegments; i++)
	{
		AbstSegmentInfo *info = &directory->segments[i];

		figures->documents += info->ndocs;
		figures->null_rows += info->nnulls;
		figures->dead_rows += info->ndead;
		for (int j = 0; j < ABST_NFIELDS; j++)
			figures->lengths += info->lengths[j];
	}
	return count_pending(index, directory, figures) &&
		count_terms(index, directory, figures);
}

static void
add_figures(IndexFigures *sum, const IndexFigures *figures)
{
	sum->documents += figures->documents;
	sum->null_rows += figures->null_rows;
	sum->dead_rows += figures->dead_rows;
	sum->pending_rows += figures->pending_rows;
	sum->pending_pages += figures->pending_pages;
	sum->segments += figures->segments;
	sum->pages += figures->pages;
	sum->lengths += figures->lengths;
	sum->terms += figures->terms;
	sum->postings += figures->postings;
}

/* abstracts_stats(regclass): one row */
Datum
abst_stats_sql(PG_FUNCTION_ARGS)
{
	List	   *leaves = abst_index_leaves(PG_GETARG_OID(0), ABST_RIGHT_READ);
	ListCell   *cell;
	IndexFigures sum;
	int			nleaves = 0;
	TupleDesc	desc;
	Datum		values[12];
	bool		nulls[12] = {false};
	int			n = 0;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	desc = BlessTupleDesc(desc);

	memset(&sum, 0, sizeof(sum));
	foreach(cell, leaves)
	{
		MemoryContext context;
		MemoryContext old;
		Relation	heap;
		Relation	index = abst_index_open(lfirst_oid(cell), AccessShareLock,
											&heap);
		IndexFigures figures;
		bool		fresh;

		if (index == NULL)
			continue;
		context = AllocSetContextCreate(CurrentMemoryContext,
										"abstracts stats",
										ALLOCSET_DEFAULT_SIZES);
		do
		{
			CHECK_FOR_INTERRUPTS();
			old = MemoryContextSwitchTo(context);
			fresh = take_figures(index, &figures);
			MemoryContextSwitchTo(old);
			MemoryContextReset(context);
		} while (!fresh);
		MemoryContextDelete(context);
		add_figures(&sum, &figures);
		nleaves++;
		abst_index_close(index, heap);
	}

	values[n++] = Int64GetDatum(sum.documents);
	values[n++] = Int64GetDatum(sum.null_rows);
	values[n++] = Int64GetDatum(sum.dead_rows);
	values[n++] = Int64GetDatum(sum.pending_rows);
	values[n++] = Int64GetDatum(sum.pending_pages);
	values[n++] = Int64GetDatum(sum.segments);
	values[n++] = Int64GetDatum(sum.pages);
	values[n++] = Int64GetDatum(sum.pages * BLCKSZ);
	nulls[n] = sum.documents == 0;
	values[n++] = Float8GetDatum(sum.documents == 0 ? 0 :
								 sum.lengths / sum.documents);
	/* terms that partitions share would be counted twice */
	nulls[n] = nleaves > 1;
	values[n++] = Int64GetDatum(sum.terms);
	values[n++] = Int64GetDatum(sum.postings);
	Assert(n == desc->natts);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(desc, values, nulls)));
}
