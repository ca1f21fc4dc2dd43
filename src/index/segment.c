/*-------------------------------------------------------------------------
 *
 * segment.c
 *		An open segment: header, page table, code table.
 *
 * Opening reads the header and the code table; map pages are read when a page
 * they know of is asked for, and kept.  What is kept costs 4 bytes a page and
 * 4 bytes a code.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "index/segment_impl.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/memutils.h"

void
abst_segment_corrupted(AbstSegment *segment, const char *what)
{
	abst_page_corrupted(segment->index, segment->info.header, what);
}

/*
 * Pages that an area of this header must have; a number that no area has
 * where that cannot be told from the header.
 */
static uint32
pages_needed(uint32 entries, uint32 per_page)
{
	return entries / per_page + (entries % per_page != 0 ? 1 : 0);
}

/*
 * What is wrong with a header, or NULL.
 */
static const char *
header_fault(const AbstSegmentHeader *header, const AbstSegmentInfo *info,
			 Size size)
{
	const uint32 *pages = header->area_pages;
	int			nfields = pg_popcount32(header->field_mask);
	uint64		total = 0;
	uint32		ntable;

	if (header->magic != ABST_SEGMENT_MAGIC || header->id != info->id)
		return "The page is not the header of the segment.";
	if (header->maxdoc > ABST_MAX_DOCS || header->nnulls > header->maxdoc ||
		header->maxdoc - header->nnulls != info->ndocs ||
		header->nnulls != info->nnulls || info->ndead > header->maxdoc)
		return "Segment and directory disagree on the number of documents.";
	if (header->field_mask >= 1 << ABST_NFIELDS)
		return "The segment has fields that do not exist.";
	for (int i = 0; i < ABST_NAREAS; i++)
		total += pages[i];
	if (total != header->npages ||
		header->npages + header->nmaps + 1 != info->npages)
		return "Segment and directory disagree on the number of pages.";

	ntable = header->nmaps > 0 ? header->nmaps : header->npages;
	if (ntable > ABST_HEADER_TABLE_MAX ||
		(header->nmaps > 0 &&
		 header->nmaps != pages_needed(header->npages, ABST_MAP_PER_PAGE)) ||
		size != ABST_HEADER_FIXED +
		ntable * sizeof(BlockNumber))
		return "The segment's page table has an impossible size.";

	if (pages[ABST_AREA_TIDS] != pages_needed(header->maxdoc,
											  ABST_TIDS_PER_PAGE) ||
		pages[ABST_AREA_NORMS] != pages_needed(header->maxdoc,
											   ABST_NORMS_PER_PAGE) ||
		pages[ABST_AREA_DEAD] != pages_needed(header->maxdoc,
											  ABST_DEAD_PER_PAGE) ||
		pages[ABST_AREA_CODES] != pages_needed(header->ncodes,
											   ABST_CODES_PER_PAGE) ||
		pages[ABST_AREA_LENGTHS] !=
		(nfields == 0 ? 0 : pages_needed(header->maxdoc,
										 ABST_LENGTHS_PER_PAGE(nfields))))
		return "An area of the segment has an impossible size.";
	if (header->dict_height > ABST_DICT_MAX_LEVELS ||
		(header->nterms == 0) != (pages[ABST_AREA_DICT] == 0) ||
		(header->nterms > 0 &&
		 header->dict_root >= (header->dict_height == 0 ?
							   pages[ABST_AREA_DICT] : pages[ABST_AREA_INNER])))
		return "The segment's dictionary has no root.";
	return NULL;
}

/*
 * Read the header page into the segment.
 */
static AbstRead
read_header(AbstSegment *segment)
{
	Buffer		buffer;
	const AbstSegmentHeader *header;
	Size		size;
	const char *fault;
	uint32		start = 0;

	buffer = abst_page_read(segment->index, segment->info.header,
							BUFFER_LOCK_SHARE, ABST_PAGE_HEADER,
							segment->info.id);
	if (!BufferIsValid(buffer))
		return ABST_READ_STALE;
	header = (const AbstSegmentHeader *) abst_buffer_content(buffer, &size);

	if (size < ABST_HEADER_FIXED)
		fault = "The segment header is too short.";
	else
		fault = header_fault(header, &segment->info, size);
	if (fault == NULL &&
		!abst_weighting_init(&segment->weighting, header->weights))
		fault = "The segment has impossible field weights.";
	if (fault != NULL)
	{
		UnlockReleaseBuffer(buffer);
		abst_segment_corrupted(segment, fault);
	}

	segment->header = palloc(size);
	memcpy(segment->header, header, size);
	UnlockReleaseBuffer(buffer);
	if (segment->header->nmaps > 0)
		segment->maps = palloc0(segment->header->nmaps *
								sizeof(BlockNumber *));

	segment->nfields = pg_popcount32(segment->header->field_mask);
	for (int i = 0; i < ABST_NAREAS; i++)
	{
		segment->area_start[i] = start;
		start += segment->header->area_pages[i];
	}
	return ABST_READ_OK;
}

/*
 * Read the code table.
 */
static AbstRead
read_codes(AbstSegment *segment)
{
	uint32		ncodes = segment->header->ncodes;
	uint32		page = 0;

	segment->codes = palloc_extended(Max(ncodes, 1) * sizeof(AbstTf),
									 MCXT_ALLOC_HUGE);
	for (uint32 done = 0; done < ncodes;)
	{
		uint32		n = Min(ncodes - done, ABST_CODES_PER_PAGE);
		Buffer		buffer;
		const uint8 *content;
		Size		size;
		AbstRead	read;

		read = abst_segment_page(segment, ABST_AREA_CODES, page,
								 BUFFER_LOCK_SHARE, &buffer);
		if (read != ABST_READ_OK)
			return read;
		content = abst_buffer_content(buffer, &size);
		if (size != n * sizeof(AbstTf))
			abst_page_corrupted(segment->index, BufferGetBlockNumber(buffer),
								"The code table has another size.");
		memcpy(segment->codes + done, content, size);
		UnlockReleaseBuffer(buffer);
		done += n;
		page++;
	}
	return ABST_READ_OK;
}

AbstSegment *
abst_segment_open(Relation index, const AbstSegmentInfo *info)
{
	AbstSegment *segment = palloc0(sizeof(AbstSegment));

	segment->index = index;
	segment->context = CurrentMemoryContext;
	segment->info = *info;
	if (read_header(segment) != ABST_READ_OK ||
		read_codes(segment) != ABST_READ_OK)
		return NULL;
	return segment;
}

/*
 * Pins belong to cursors, so there is nothing to release.
 */
void
abst_segment_close(AbstSegment *segment)
{
}

void
abst_segment_rebind(AbstSegment *segment, Relation index)
{
	segment->index = index;
}

/* Does a page hold exactly these bytes, for the segment? */
static bool
page_holds(AbstSegment *segment, BlockNumber block, AbstPageKind kind,
		   const void *bytes, Size nbytes)
{
	Buffer		buffer = abst_page_read(segment->index, block,
										BUFFER_LOCK_SHARE, kind,
										segment->info.id);
	const uint8 *content;
	Size		size;
	bool		same;

	if (!BufferIsValid(buffer))
		return false;
	content = abst_buffer_content(buffer, &size);
	same = size == nbytes && memcmp(content, bytes, nbytes) == 0;
	UnlockReleaseBuffer(buffer);
	return same;
}

bool
abst_segment_is_unchanged(AbstSegment *segment)
{
	const AbstSegmentHeader *header = segment->header;
	uint32		ntable = header->nmaps > 0 ? header->nmaps : header->npages;

	if (!page_holds(segment, segment->info.header, ABST_PAGE_HEADER, header,
					ABST_HEADER_FIXED + ntable * sizeof(BlockNumber)))
		return false;
	for (uint32 i = 0; i < header->nmaps; i++)
	{
		uint32		n = Min(header->npages - i * ABST_MAP_PER_PAGE,
							ABST_MAP_PER_PAGE);

		if (segment->maps[i] != NULL &&
			!page_holds(segment, header->table[i], ABST_PAGE_MAP,
						segment->maps[i], n * sizeof(BlockNumber)))
			return false;
	}
	return true;
}

uint32
abst_segment_maxdoc(AbstSegment *segment)
{
	return segment->header->maxdoc;
}

const AbstTf *
abst_segment_codes(AbstSegment *segment, uint32 *ncodes)
{
	*ncodes = segment->header->ncodes;
	return segment->codes;
}

const uint16 *
abst_segment_code_bounds(AbstSegment *segment)
{
	if (segment->code_bounds == NULL)
	{
		uint32		ncodes = segment->header->ncodes;
		uint16	   *bounds;

		bounds = MemoryContextAllocExtended(segment->context,
											Max(ncodes, 1) * sizeof(uint16),
											MCXT_ALLOC_HUGE);
		for (uint32 i = 0; i < ncodes; i++)
			bounds[i] = abst_bound_of_tf(&segment->weighting,
										 segment->codes[i]);
		segment->code_bounds = bounds;
	}
	return segment->code_bounds;
}

/*
 * Read one map page and keep it.
 */
static AbstRead
read_map(AbstSegment *segment, uint32 number)
{
	uint32		n = Min(segment->header->npages - number * ABST_MAP_PER_PAGE,
						ABST_MAP_PER_PAGE);
	Buffer		buffer;
	const uint8 *content;
	Size		size;
	BlockNumber *map;

	CHECK_FOR_INTERRUPTS();
	buffer = abst_page_read(segment->index, segment->header->table[number],
							BUFFER_LOCK_SHARE, ABST_PAGE_MAP,
							segment->info.id);
	if (!BufferIsValid(buffer))
		return ABST_READ_STALE;
	if (AbstPageGetOpaque(BufferGetPage(buffer))->area != number)
	{
		UnlockReleaseBuffer(buffer);
		return ABST_READ_STALE;
	}
	content = abst_buffer_content(buffer, &size);
	if (size != n * sizeof(BlockNumber))
		abst_page_corrupted(segment->index, segment->header->table[number],
							"The page table has another size.");
	map = MemoryContextAlloc(segment->context, size);
	memcpy(map, content, size);
	UnlockReleaseBuffer(buffer);
	segment->maps[number] = map;
	return ABST_READ_OK;
}

AbstRead
abst_segment_block(AbstSegment *segment, AbstArea area, uint32 number,
				   BlockNumber *block)
{
	uint32		at;
	uint32		map;

	if (number >= segment->header->area_pages[area])
		abst_segment_corrupted(segment, "The segment refers to a page that it does not have.");
	at = segment->area_start[area] + number;
	if (segment->header->nmaps == 0)
	{
		*block = segment->header->table[at];
		return ABST_READ_OK;
	}
	map = at / ABST_MAP_PER_PAGE;
	if (segment->maps[map] == NULL)
	{
		AbstRead	read = read_map(segment, map);

		if (read != ABST_READ_OK)
			return read;
	}
	*block = segment->maps[map][at % ABST_MAP_PER_PAGE];
	return ABST_READ_OK;
}

/*
 * One entry of a table of blocks on a page.
 */
static AbstRead
read_entry(AbstSegment *segment, BlockNumber block, AbstPageKind kind,
		   Size offset, BlockNumber *entry)
{
	Buffer		buffer = abst_page_read(segment->index, block,
										BUFFER_LOCK_SHARE, kind,
										segment->info.id);
	const uint8 *content;
	Size		size;

	if (!BufferIsValid(buffer))
		return ABST_READ_STALE;
	content = abst_buffer_content(buffer, &size);
	if (offset + sizeof(BlockNumber) > size)
	{
		UnlockReleaseBuffer(buffer);
		return ABST_READ_STALE;
	}
	memcpy(entry, content + offset, sizeof(BlockNumber));
	UnlockReleaseBuffer(buffer);
	return ABST_READ_OK;
}

AbstRead
abst_segment_fresh_block(AbstSegment *segment, AbstArea area, uint32 number,
						 BlockNumber *block)
{
	const Size	table = offsetof(AbstSegmentHeader, table);
	uint32		at = segment->area_start[area] + number;
	BlockNumber map;
	AbstRead	read;

	if (number >= segment->header->area_pages[area])
		abst_segment_corrupted(segment, "The segment refers to a page that it does not have.");
	if (segment->header->nmaps == 0)
		return read_entry(segment, segment->info.header, ABST_PAGE_HEADER,
						  table + at * sizeof(BlockNumber), block);
	read = read_entry(segment, segment->info.header, ABST_PAGE_HEADER,
					  table + at / ABST_MAP_PER_PAGE * sizeof(BlockNumber),
					  &map);
	if (read != ABST_READ_OK)
		return read;
	return read_entry(segment, map, ABST_PAGE_MAP,
					  at % ABST_MAP_PER_PAGE * sizeof(BlockNumber), block);
}

AbstRead
abst_segment_page(AbstSegment *segment, AbstArea area, uint32 number,
				  int lockmode, Buffer *buffer)
{
	BlockNumber block;
	AbstRead	read;

	read = segment->borrowed && area == ABST_AREA_DEAD ?
		abst_segment_fresh_block(segment, area, number, &block) :
		abst_segment_block(segment, area, number, &block);
	if (read != ABST_READ_OK)
		return read;
	*buffer = abst_page_read(segment->index, block, lockmode, ABST_PAGE_DATA,
							 segment->info.id);
	if (!BufferIsValid(*buffer))
		return ABST_READ_STALE;
	if (!abst_page_is_part(BufferGetPage(*buffer), area, number))
	{
		UnlockReleaseBuffer(*buffer);
		return ABST_READ_STALE;
	}
	return ABST_READ_OK;
}

AbstRead
abst_segment_relock(AbstSegment *segment, AbstArea area, uint32 number,
					Buffer buffer)
{
	if (!abst_page_relock(buffer, BUFFER_LOCK_SHARE, ABST_PAGE_DATA,
						  segment->info.id))
		return ABST_READ_STALE;
	if (abst_page_is_part(BufferGetPage(buffer), area, number))
		return ABST_READ_OK;
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	return ABST_READ_STALE;
}

AbstRead
abst_segment_blocks(Relation index, const AbstSegmentInfo *info,
					void (*callback) (BlockNumber block, void *arg), void *arg)
{
	AbstSegment *segment = abst_segment_open(index, info);

	if (segment == NULL)
		return ABST_READ_STALE;
	callback(info->header, arg);
	for (uint32 i = 0; i < segment->header->nmaps; i++)
		callback(segment->header->table[i], arg);
	for (int area = 0; area < ABST_NAREAS; area++)
	{
		for (uint32 i = 0; i < segment->header->area_pages[area]; i++)
		{
			BlockNumber block;
			AbstRead	read;

			read = abst_segment_block(segment, area, i, &block);
			if (read != ABST_READ_OK)
				return read;
			callback(block, arg);
		}
	}
	abst_segment_close(segment);
	return ABST_READ_OK;
}

bool
abst_segment_is_whole(Relation index, const AbstSegmentInfo *info)
{
	AbstSegment *segment = abst_segment_open(index, info);

	if (segment == NULL)
		return false;
	for (int area = 0; area < ABST_NAREAS; area++)
		for (uint32 i = 0; i < segment->header->area_pages[area]; i++)
		{
			Buffer		buffer;

			CHECK_FOR_INTERRUPTS();
			if (abst_segment_page(segment, area, i, BUFFER_LOCK_SHARE,
								  &buffer) != ABST_READ_OK)
				return false;
			UnlockReleaseBuffer(buffer);
		}
	abst_segment_close(segment);
	return true;
}
