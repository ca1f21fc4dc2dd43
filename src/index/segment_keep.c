/*-------------------------------------------------------------------------
 *
 * segment_keep.c
 *		What a session keeps of the segments it has read.
 *
 * Header, page table, code table and lengths of a segment never change, so
 * they may be kept from query to query.  What can happen is that its pages
 * move or that it is dropped: each page that is read tells whose it is, so
 * that shows as a stale page, and the caller forgets what is kept and starts
 * again.  Dead bits do change and are never kept.
 *
 * A number of segments are kept, those used last; lengths only while those of
 * all segments together take no more than half of work_mem.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "miscadmin.h"
#include "utils/inval.h"
#include "utils/memutils.h"

#include "index/segment_impl.h"

#define KEPT_SEGMENTS 64

typedef struct Kept
{
	Oid			relid;			/* InvalidOid: the place is free */
	Oid			file;			/* of the relation, changes with its content */
	bool		doomed;			/* by an invalidation; nobody may use it */
	uint64		used;
	Size		bytes;			/* of its lengths */
	AbstSegment *segment;
} Kept;

static Kept kept[KEPT_SEGMENTS];
static uint64 kept_clock = 0;
static Size kept_bytes = 0;
static MemoryContext kept_context = NULL;

/*
 * The relation changed: what is kept of it may be of another file.  It may be
 * in use, so it is only marked.
 */
static void
on_invalidation(Datum arg, Oid relid)
{
	for (int i = 0; i < KEPT_SEGMENTS; i++)
		if (!OidIsValid(relid) || kept[i].relid == relid)
			kept[i].doomed = true;
}

static void
set_up(void)
{
	if (kept_context != NULL)
		return;
	kept_context = AllocSetContextCreate(TopMemoryContext,
										 "abstracts segments",
										 ALLOCSET_SMALL_SIZES);
	CacheRegisterRelcacheCallback(on_invalidation, (Datum) 0);
}

static void
give_up(Kept *place)
{
	MemoryContext context = place->segment ? place->segment->context : NULL;

	kept_bytes -= place->bytes;
	memset(place, 0, sizeof(Kept));
	if (context)
		MemoryContextDelete(context);
}

static void
give_up_doomed(void)
{
	for (int i = 0; i < KEPT_SEGMENTS; i++)
		if (kept[i].doomed)
			give_up(&kept[i]);
}

/*
 * A free place, or the one that was not used for the longest time.
 */
static Kept *
make_place(void)
{
	Kept	   *oldest = &kept[0];

	for (int i = 0; i < KEPT_SEGMENTS; i++)
	{
		if (!OidIsValid(kept[i].relid))
			oldest = &kept[i];
		else if (OidIsValid(oldest->relid) && kept[i].used < oldest->used)
			oldest = &kept[i];
	}
	if (OidIsValid(oldest->relid))
		give_up(oldest);
	return oldest;
}

/*
 * Open the segment in a context of its own, which joins the kept ones only
 * when all went well.
 */
static AbstSegment *
open_to_keep(Relation index, const AbstSegmentInfo *info)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "abstracts segment",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	AbstSegment *segment = abst_segment_open(index, info);

	MemoryContextSwitchTo(old);
	if (segment == NULL)
	{
		MemoryContextDelete(context);
		return NULL;
	}
	segment->borrowed = true;
	MemoryContextSetParent(context, kept_context);
	return segment;
}

AbstSegment *
abst_segment_borrow(Relation index, const AbstSegmentInfo *info)
{
	Oid			relid = RelationGetRelid(index);
	Oid			file = index->rd_rel->relfilenode;
	AbstSegment *segment;
	Kept	   *place;

	set_up();
	give_up_doomed();
	for (int i = 0; i < KEPT_SEGMENTS; i++)
		if (kept[i].relid == relid && kept[i].file == file &&
			kept[i].segment->info.id == info->id &&
			kept[i].segment->info.header == info->header)
		{
			kept[i].used = ++kept_clock;
			kept[i].segment->index = index;
			kept[i].segment->info = *info;
			return kept[i].segment;
		}
	place = make_place();
	segment = open_to_keep(index, info);
	if (segment == NULL)
		return NULL;
	place->relid = relid;
	place->file = file;
	place->used = ++kept_clock;
	place->segment = segment;
	return segment;
}

void
abst_segment_forget(Relation index)
{
	on_invalidation((Datum) 0, RelationGetRelid(index));
}

/* ---- lengths ---- */

static Kept *
place_of(AbstSegment *segment)
{
	for (int i = 0; i < KEPT_SEGMENTS; i++)
		if (kept[i].segment == segment)
			return &kept[i];
	elog(ERROR, "the segment is not kept");
}

/* The longest of each chunk. */
static void
find_longest(AbstKeptLengths *lengths, uint32 maxdoc)
{
	for (int f = 0; f < lengths->nfields; f++)
		for (uint32 docid = 0; docid < maxdoc; docid++)
		{
			uint16	   *longest = &lengths->longest[docid / ABST_LENGTH_CHUNK];

			*longest = Max(*longest, lengths->field[f][docid]);
		}
}

AbstRead
abst_segment_keep_lengths(AbstSegment *segment, const AbstKeptLengths **result)
{
	uint32		maxdoc = segment->header->maxdoc;
	uint32		nchunks = maxdoc / ABST_LENGTH_CHUNK + 1;
	Size		bytes = ((Size) maxdoc * segment->nfields + nchunks) *
	sizeof(uint16);
	MemoryContext context;
	AbstKeptLengths *lengths;
	uint16	   *room;
	AbstRead	read;

	*result = segment->lengths;
	if (segment->lengths != NULL ||
		kept_bytes + bytes > (Size) work_mem * 1024 / 2)
		return ABST_READ_OK;
	context = AllocSetContextCreate(CurrentMemoryContext,
									"abstracts lengths",
									ALLOCSET_SMALL_SIZES);
	lengths = MemoryContextAllocZero(context, sizeof(AbstKeptLengths));
	room = MemoryContextAllocExtended(context, bytes,
									  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	lengths->nfields = segment->nfields;
	lengths->longest = room;
	for (int f = 0; f < segment->nfields; f++)
		lengths->field[f] = room + nchunks + (Size) f * maxdoc;
	read = abst_segment_length_columns(segment, 0, maxdoc, lengths->field);
	if (read != ABST_READ_OK)
	{
		MemoryContextDelete(context);
		return read;
	}
	find_longest(lengths, maxdoc);
	MemoryContextSetParent(context, segment->context);
	place_of(segment)->bytes = bytes;
	kept_bytes += bytes;
	*result = segment->lengths = lengths;
	return ABST_READ_OK;
}
