/*-------------------------------------------------------------------------
 *
 * handed.c
 *		The distance of the row that an index scan has just handed out.
 *
 * The executor computes an ORDER BY expression again for each row that an
 * ordered index scan returns, whether it is selected or not.  For a text
 * column that is reading the text anew, which takes longer than the search.
 * The index knows the distance to the last bit, so it leaves it here.
 *
 * What the operator gets is a pointer.  While the row is in the scan's slot,
 * it points into the page of the row, which the slot keeps pinned; so it can
 * be told with certainty whether it is the indexed column of the tuple at the
 * TID handed out.  A later version of the row in its HOT chain, a copy of the
 * row elsewhere, a local buffer, another column or another query: they all
 * fail to show that, and the operator computes.  Line pointers and tuples of
 * a pinned page do not move, so no lock is needed (as in heapam).
 *
 * There are places for a few scans, as of a join.  A scan's place is given up
 * when it ends, begins anew, or its memory goes after an error.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "access/htup_details.h"
#include "access/relscan.h"
#include "catalog/pg_am.h"
#include "catalog/pg_index.h"
#include "storage/bufmgr.h"
#include "storage/bufpage.h"
#include "utils/rel.h"

#include "am/handed.h"

#define PLACES 8

typedef struct Handed
{
	IndexScanDesc scan;			/* NULL: free */
	const AbstQuery *query;
	ItemPointerData tid;
	float8		distance;
} Handed;

static Handed places[PLACES];
static int	next_place = 0;

/* Heap column that the index is on; 0 if that cannot be told from a page. */
static AttrNumber
indexed_column(IndexScanDesc scan)
{
	if (scan->heapRelation == NULL ||
		scan->heapRelation->rd_rel->relam != HEAP_TABLE_AM_OID ||
		RelationUsesLocalBuffers(scan->heapRelation))
		return InvalidAttrNumber;
	return scan->indexRelation->rd_index->indkey.values[0];
}

void
abst_handed_remember(IndexScanDesc scan, const AbstQuery *query,
					 ItemPointer tid, float8 distance)
{
	Handed	   *place = NULL;

	if (indexed_column(scan) <= 0)
		return;
	for (int i = 0; i < PLACES && place == NULL; i++)
		if (places[i].scan == scan)
			place = &places[i];
	if (place == NULL)
	{
		place = &places[next_place];
		next_place = (next_place + 1) % PLACES;
	}
	place->scan = scan;
	place->query = query;
	place->tid = *tid;
	place->distance = distance;
}

void
abst_handed_forget(IndexScanDesc scan)
{
	for (int i = 0; i < PLACES; i++)
		if (places[i].scan == scan)
			memset(&places[i], 0, sizeof(Handed));
}

/* The shared buffer that a pointer points into, or InvalidBuffer. */
static Buffer
buffer_of(const char *pointer)
{
	if (pointer < BufferBlocks ||
		pointer >= BufferBlocks + (Size) NBuffers * BLCKSZ)
		return InvalidBuffer;
	return (Buffer) ((pointer - BufferBlocks) / BLCKSZ) + 1;
}

/* Is the buffer that of the block in the table? */
static bool
holds_block(Buffer buffer, Relation heap, BlockNumber block)
{
	AbstLocator locator;
	ForkNumber	fork;
	BlockNumber number;

	BufferGetTag(buffer, &locator, &fork, &number);
	return fork == MAIN_FORKNUM && number == block &&
		AbstLocatorEquals(locator, AbstRelationLocator(heap));
}

/* Is the pointer the indexed column of the tuple at the TID? */
static bool
is_column_of_row(const Handed *place, Buffer buffer, const char *pointer)
{
	Relation	heap = place->scan->heapRelation;
	OffsetNumber offset = ItemPointerGetOffsetNumber(&place->tid);
	Page		page = BufferGetPage(buffer);
	HeapTupleData tuple;
	ItemId		item;
	bool		isnull;
	Datum		value;

	if (!holds_block(buffer, heap, ItemPointerGetBlockNumber(&place->tid)) ||
		offset > PageGetMaxOffsetNumber(page))
		return false;
	item = PageGetItemId(page, offset);
	if (!ItemIdIsNormal(item) ||
		pointer < (char *) PageGetItem(page, item) ||
		pointer >= (char *) PageGetItem(page, item) + ItemIdGetLength(item))
		return false;
	tuple.t_data = (HeapTupleHeader) PageGetItem(page, item);
	tuple.t_len = ItemIdGetLength(item);
	tuple.t_self = place->tid;
	tuple.t_tableOid = RelationGetRelid(heap);
	value = heap_getattr(&tuple, indexed_column(place->scan),
						 RelationGetDescr(heap), &isnull);
	return !isnull && DatumGetPointer(value) == pointer;
}

static bool
same_query(const AbstQuery *a, const AbstQuery *b)
{
	return VARSIZE(a) == VARSIZE(b) && memcmp(a, b, VARSIZE(a)) == 0;
}

bool
abst_handed_distance(Datum value, const AbstQuery *query, float8 *distance)
{
	const char *pointer = DatumGetPointer(value);
	Buffer		buffer = buffer_of(pointer);

	if (!BufferIsValid(buffer))
		return false;
	for (int i = 0; i < PLACES; i++)
		if (places[i].scan != NULL && same_query(places[i].query, query) &&
			is_column_of_row(&places[i], buffer, pointer))
		{
			*distance = places[i].distance;
			return true;
		}
	return false;
}
