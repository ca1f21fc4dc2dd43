/*-------------------------------------------------------------------------
 *
 * segment_write.c
 *		Writing a segment: page streams, documents, codes, table, header.
 *
 * The writer keeps one page image for every area it is filling, the block of
 * every page written, and two bytes of every document; before the code table
 * comes also its lengths, unless it is told which fields to expect.  A page
 * is written once; the header comes last, and until the metapage names it the
 * pages belong to nobody.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "common/hashfn.h"
#include "index/segment_impl.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/memutils.h"

StaticAssertDecl(sizeof(AbstLengths) + sizeof(uint16) <= ABST_WRITER_BYTES_PER_DOC,
				 "the writer keeps its promise on memory");

/* ---- page streams ---- */

void
abst_stream_room(AbstSegmentWriter *writer, AbstArea area, uint32 npages)
{
	AbstStream *stream = &writer->streams[area];
	Size		bytes = (Size) npages * sizeof(BlockNumber);

	if (npages <= stream->room)
		return;
	if (stream->blocks == NULL)
		stream->blocks = MemoryContextAllocHuge(writer->context, bytes);
	else
		stream->blocks = repalloc_huge(stream->blocks, bytes);
	stream->room = npages;
}

uint32
abst_stream_write(AbstSegmentWriter *writer, AbstArea area, Page image)
{
	AbstStream *stream = &writer->streams[area];
	BlockNumber block;

	if (writer->part == NULL)
	{
		stream->number = stream->npages;
		if (stream->npages == stream->room)
			abst_stream_room(writer, area, Max(stream->room * 2, 16));
	}
	AbstPageGetOpaque(image)->next = stream->number;
	block = abst_page_write_new(writer->index, image, writer->building);
	if (writer->part != NULL)
		abst_part_page_written(writer, stream->number, block);
	else
		stream->blocks[stream->npages++] = block;
	return stream->number;
}

/*
 * Write the page being filled, if there is one.
 */
void
abst_stream_end(AbstSegmentWriter *writer, AbstArea area)
{
	AbstStream *stream = &writer->streams[area];

	if (stream->image != NULL &&
		AbstPageContentSize(stream->image) > 0)
	{
		abst_stream_write(writer, area, (Page) stream->image);
		((PageHeader) stream->image)->pd_lower = MAXALIGN(SizeOfPageHeaderData);
	}
}

char	   *
abst_stream_reserve(AbstSegmentWriter *writer, AbstArea area, Size size,
					uint32 *page, uint16 *offset)
{
	AbstStream *stream = &writer->streams[area];
	Size		used;

	if (stream->image == NULL)
		stream->image = MemoryContextAllocZero(writer->context, BLCKSZ);
	else if (AbstPageContentSize(stream->image) + size > ABST_PAGE_SPACE)
		abst_stream_end(writer, area);
	if (PageIsNew((Page) stream->image) ||
		AbstPageContentSize(stream->image) == 0)
	{
		abst_page_init((Page) stream->image, ABST_PAGE_DATA, writer->id, area);
		stream->number = writer->part == NULL ? stream->npages :
			abst_part_page_number(writer);
	}

	used = AbstPageContentSize(stream->image);
	((PageHeader) stream->image)->pd_lower += size;
	*page = stream->number;
	*offset = (uint16) used;
	return AbstPageContent(stream->image) + used;
}

/* ---- documents ---- */

AbstSegmentWriter *
abst_segment_writer_begin(Relation index, uint32 id, const float8 *weights,
						  bool building)
{
	MemoryContext context;
	AbstSegmentWriter *writer;

	context = AllocSetContextCreate(CurrentMemoryContext,
									"abstracts segment writer",
									ALLOCSET_DEFAULT_SIZES);
	writer = MemoryContextAllocZero(context, sizeof(AbstSegmentWriter));
	writer->index = index;
	writer->id = id;
	writer->building = building;
	writer->context = context;
	memcpy(writer->weights, weights, sizeof(writer->weights));
	if (!abst_weighting_init(&writer->weighting, weights))
		elog(ERROR, "impossible field weights");
	ItemPointerSetInvalid(&writer->last_tid);
	abst_dict_writer_init(writer);
	return writer;
}

/*
 * Place for one more document's lengths.
 */
static AbstLengths *
lengths_place(AbstSegmentWriter *writer)
{
	uint32		chunk = writer->maxdoc / ABST_WRITER_CHUNK;

	if (chunk == writer->nchunks)
	{
		if (writer->nchunks == writer->chunks_room)
		{
			uint32		room = Max(writer->chunks_room * 2, 64);
			Size		bytes = room * sizeof(AbstLengths *);

			if (writer->length_chunks == NULL)
				writer->length_chunks = MemoryContextAlloc(writer->context,
														   bytes);
			else
				writer->length_chunks = repalloc(writer->length_chunks, bytes);
			writer->chunks_room = room;
		}
		writer->length_chunks[writer->nchunks++] =
			MemoryContextAlloc(writer->context,
							   ABST_WRITER_CHUNK * sizeof(AbstLengths));
	}
	return &writer->length_chunks[chunk][writer->maxdoc % ABST_WRITER_CHUNK];
}

/*
 * Documents whose lengths go to one page; those without any length, too, go
 * by pages.
 */
static uint32
lengths_per_page(AbstSegmentWriter *writer)
{
	int			nfields = pg_popcount32(writer->field_mask);

	return ABST_LENGTHS_PER_PAGE(Max(nfields, 1));
}

/*
 * Write a page of lengths, by column.
 */
static void
write_page_lengths(AbstSegmentWriter *writer)
{
	int			nfields = pg_popcount32(writer->field_mask);
	uint32		n = writer->npage_lengths;
	uint32		page;
	uint16		offset;
	uint16	   *column;

	writer->npage_lengths = 0;
	if (nfields == 0 || n == 0)
		return;
	column = (uint16 *)
		abst_stream_reserve(writer, ABST_AREA_LENGTHS,
							n * nfields * sizeof(uint16), &page, &offset);
	for (int f = 0; f < ABST_NFIELDS; f++)
	{
		if ((writer->field_mask & (1 << f)) == 0)
			continue;
		for (uint32 i = 0; i < n; i++)
			column[i] = writer->page_lengths[i].field[f];
		column += n;
	}
	abst_stream_end(writer, ABST_AREA_LENGTHS);
}

/*
 * Write the lengths of all documents that were kept.
 */
static void
write_lengths(AbstSegmentWriter *writer)
{
	uint32		per_page = lengths_per_page(writer);

	writer->page_lengths = MemoryContextAlloc(writer->context,
											  per_page * sizeof(AbstLengths));
	for (uint32 docid = 0; docid < writer->maxdoc; docid++)
	{
		writer->page_lengths[writer->npage_lengths++] =
			writer->length_chunks[docid / ABST_WRITER_CHUNK]
			[docid % ABST_WRITER_CHUNK];
		if (writer->npage_lengths == per_page)
			write_page_lengths(writer);
	}
	write_page_lengths(writer);
}

void
abst_segment_writer_expect(AbstSegmentWriter *writer, uint32 field_mask,
						   uint16 *bounds)
{
	Assert(writer->maxdoc == 0);
	writer->field_mask = field_mask;
	writer->bounds = bounds;
	writer->page_lengths = MemoryContextAlloc(writer->context,
											  lengths_per_page(writer) *
											  sizeof(AbstLengths));
}

void
abst_writer_use_bounds(AbstSegmentWriter *writer, uint16 *bounds)
{
	uint32		nchunks = writer->maxdoc / ABST_WRITER_CHUNK + 1;

	writer->bound_chunks = MemoryContextAlloc(writer->context,
											  nchunks * sizeof(uint16 *));
	for (uint32 c = 0; c < nchunks; c++)
		writer->bound_chunks[c] = bounds + (Size) c * ABST_WRITER_CHUNK;
}

uint32
abst_segment_writer_doc(AbstSegmentWriter *writer, ItemPointer tid,
						const AbstLengths *lengths, float4 norm, bool isnull)
{
	AbstLengths *place;
	AbstDiskTid disk = abst_disk_tid(tid, isnull);
	uint32		fields = 0;
	uint32		page;
	uint16		offset;

	if (writer->has_codes)
		elog(ERROR, "document after the code table");
	if (writer->maxdoc > 0 && ItemPointerCompare(&writer->last_tid, tid) >= 0)
		elog(ERROR, "documents of a segment are out of order");
	if (writer->maxdoc == ABST_MAX_DOCS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("index \"%s\" cannot hold more than %u rows in a segment",
						RelationGetRelationName(writer->index), ABST_MAX_DOCS),
				 errhint("Partition the table.")));

	if (writer->bounds == NULL)
		place = lengths_place(writer);
	else
		place = &writer->page_lengths[writer->npage_lengths++];
	memset(place, 0, sizeof(AbstLengths));
	if (isnull)
	{
		norm = 0;
		writer->nnulls++;
	}
	else
	{
		*place = *lengths;
		for (int f = 0; f < ABST_NFIELDS; f++)
		{
			writer->lengths[f] += lengths->field[f];
			if (lengths->field[f] > 0)
				fields |= 1 << f;
		}
	}
	if (writer->bounds != NULL)
	{
		if (fields & ~writer->field_mask)
			elog(ERROR, "document with an unexpected field");
		writer->bounds[writer->maxdoc] =
			abst_bound_of_lengths(&writer->weighting, *place);
		if (writer->npage_lengths == lengths_per_page(writer))
			write_page_lengths(writer);
	}
	writer->field_mask |= fields;
	memcpy(abst_stream_reserve(writer, ABST_AREA_TIDS, sizeof(disk), &page,
							   &offset),
		   &disk, sizeof(disk));
	memcpy(abst_stream_reserve(writer, ABST_AREA_NORMS, sizeof(norm), &page,
							   &offset),
		   &norm, sizeof(norm));
	writer->last_tid = *tid;
	return writer->maxdoc++;
}

/*
 * From now on only the weighted length of a document matters.
 */
static void
weigh_lengths(AbstSegmentWriter *writer)
{
	writer->bound_chunks = MemoryContextAlloc(writer->context,
											  Max(writer->nchunks,
												  1) * sizeof(uint16 *));
	for (uint32 c = 0; c < writer->nchunks; c++)
	{
		uint32		first = c * ABST_WRITER_CHUNK;
		uint32		n = Min(writer->maxdoc - first, ABST_WRITER_CHUNK);
		uint16	   *bounds;

		CHECK_FOR_INTERRUPTS();
		bounds = MemoryContextAlloc(writer->context,
									ABST_WRITER_CHUNK * sizeof(uint16));
		for (uint32 i = 0; i < n; i++)
			bounds[i] = abst_bound_of_lengths(&writer->weighting,
											  writer->length_chunks[c][i]);
		pfree(writer->length_chunks[c]);
		writer->bound_chunks[c] = bounds;
	}
}

/* ---- codes ---- */

/*
 * Enter a code into the hash table from frequencies to codes.
 */
static void
enter_code(AbstSegmentWriter *writer, AbstTf tf, uint32 code)
{
	uint32		at = murmurhash32(tf.all) & writer->slot_mask;

	if (tf.all == 0)
		elog(ERROR, "code for no frequency at all");
	while (writer->slots[at].tf != 0)
	{
		if (writer->slots[at].tf == tf.all)
			elog(ERROR, "two codes for the same frequencies");
		at = (at + 1) & writer->slot_mask;
	}
	writer->slots[at].tf = tf.all;
	writer->slots[at].code = code;
}

void
abst_writer_know_codes(AbstSegmentWriter *writer, const AbstTf *codes,
					   uint32 ncodes)
{
	Size		n = Max(ncodes, 1);
	uint64		nslots;

	if (writer->has_codes || ncodes > ABST_MAX_DOCS / 4)
		elog(ERROR, "code table of %u codes", ncodes);
	writer->has_codes = true;
	nslots = pg_nextpower2_32(Max(ncodes, 8)) * UINT64CONST(2);
	writer->slot_mask = (uint32) (nslots - 1);
	writer->slots = MemoryContextAllocExtended(writer->context,
											   nslots * sizeof(AbstCodeSlot),
											   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	writer->code_bounds = MemoryContextAllocHuge(writer->context,
												 n * sizeof(uint16));
	writer->code_sums = MemoryContextAllocHuge(writer->context,
											   n * sizeof(uint16));
	writer->ncodes = ncodes;
	for (uint32 i = 0; i < ncodes; i++)
	{
		enter_code(writer, codes[i], i);
		writer->code_bounds[i] = abst_bound_of_tf(&writer->weighting,
												  codes[i]);
		writer->code_sums[i] = 0;
		for (int f = 0; f < ABST_NFIELDS; f++)
			writer->code_sums[i] += codes[i].field[f];
	}
}

void
abst_segment_writer_codes(AbstSegmentWriter *writer, const AbstTf *codes,
						  uint32 ncodes)
{
	uint32		page;
	uint16		offset;

	abst_writer_know_codes(writer, codes, ncodes);
	if (writer->bounds != NULL)
	{
		write_page_lengths(writer);
		abst_writer_use_bounds(writer, writer->bounds);
	}
	else
	{
		write_lengths(writer);
		weigh_lengths(writer);
	}
	for (uint32 i = 0; i < ncodes; i++)
		memcpy(abst_stream_reserve(writer, ABST_AREA_CODES, sizeof(AbstTf),
								   &page, &offset),
			   &codes[i], sizeof(AbstTf));
}

/* ---- the end ---- */

/*
 * Nobody is dead yet.
 */
static void
write_dead(AbstSegmentWriter *writer)
{
	for (uint32 first = 0; first < writer->maxdoc; first += ABST_DEAD_PER_PAGE)
	{
		uint32		n = Min(writer->maxdoc - first, ABST_DEAD_PER_PAGE);
		uint32		page;
		uint16		offset;

		abst_stream_reserve(writer, ABST_AREA_DEAD,
							(n + 63) / 64 * sizeof(uint64), &page, &offset);
		abst_stream_end(writer, ABST_AREA_DEAD);
	}
}

/*
 * All areas' blocks, one area after the other.
 */
static BlockNumber *
page_table(AbstSegmentWriter *writer, uint32 *npages)
{
	BlockNumber *table;
	uint32		n = 0;

	for (int i = 0; i < ABST_NAREAS; i++)
		n += writer->streams[i].npages;
	table = MemoryContextAllocExtended(writer->context,
									   Max(n, 1) * sizeof(BlockNumber),
									   MCXT_ALLOC_HUGE);
	*npages = n;
	n = 0;
	for (int i = 0; i < ABST_NAREAS; i++)
	{
		if (writer->streams[i].npages > 0)
			memcpy(table + n, writer->streams[i].blocks,
				   writer->streams[i].npages * sizeof(BlockNumber));
		n += writer->streams[i].npages;
	}
	return table;
}

/*
 * Write the page table to map pages; returns their blocks.
 */
static BlockNumber *
write_maps(AbstSegmentWriter *writer, const BlockNumber *table, uint32 npages,
		   uint32 *nmaps)
{
	uint32		n = (npages + ABST_MAP_PER_PAGE - 1) / ABST_MAP_PER_PAGE;
	PGAlignedBlock image;
	Page		page = (Page) image.data;
	BlockNumber *blocks;

	if (n > ABST_HEADER_TABLE_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("segment of index \"%s\" is too large",
						RelationGetRelationName(writer->index)),
				 errhint("Partition the table.")));
	blocks = MemoryContextAlloc(writer->context, n * sizeof(BlockNumber));
	for (uint32 i = 0; i < n; i++)
	{
		uint32		first = i * ABST_MAP_PER_PAGE;
		Size		bytes = Min(npages - first,
								ABST_MAP_PER_PAGE) * sizeof(BlockNumber);

		abst_page_init(page, ABST_PAGE_MAP, writer->id, (uint16) i);
		memcpy(AbstPageContent(page), table + first, bytes);
		((PageHeader) page)->pd_lower += bytes;
		blocks[i] = abst_page_write_new(writer->index, page, writer->building);
	}
	*nmaps = n;
	return blocks;
}

/*
 * Write the header, the last page of a segment.
 */
static BlockNumber
write_header(AbstSegmentWriter *writer, AbstSegmentHeader *header)
{
	PGAlignedBlock image;
	Page		page = (Page) image.data;
	BlockNumber *table;
	uint32		entries;
	Size		fixed = ABST_HEADER_FIXED;

	table = page_table(writer, &header->npages);
	entries = header->npages;
	if (entries > ABST_HEADER_TABLE_MAX)
	{
		table = write_maps(writer, table, header->npages, &header->nmaps);
		entries = header->nmaps;
	}
	for (int i = 0; i < ABST_NAREAS; i++)
		header->area_pages[i] = writer->streams[i].npages;

	abst_page_init(page, ABST_PAGE_HEADER, writer->id, 0);
	memcpy(AbstPageContent(page), header, fixed);
	memcpy(AbstPageContent(page) + fixed, table,
		   entries * sizeof(BlockNumber));
	((PageHeader) page)->pd_lower += fixed + entries * sizeof(BlockNumber);
	return abst_page_write_new(writer->index, page, writer->building);
}

void
abst_segment_writer_finish(AbstSegmentWriter *writer, AbstSegmentInfo *info)
{
	AbstSegmentHeader header;

	if (!writer->has_codes)
		abst_segment_writer_codes(writer, NULL, 0);
	abst_writer_flush_term(writer);
	write_dead(writer);
	abst_stream_end(writer, ABST_AREA_TIDS);
	abst_stream_end(writer, ABST_AREA_NORMS);
	abst_stream_end(writer, ABST_AREA_CODES);
	abst_stream_end(writer, ABST_AREA_POSTINGS);
	abst_stream_end(writer, ABST_AREA_DIRECTORY);

	memset(&header, 0, sizeof(header));
	header.magic = ABST_SEGMENT_MAGIC;
	header.id = writer->id;
	header.maxdoc = writer->maxdoc;
	header.nnulls = writer->nnulls;
	header.ncodes = writer->ncodes;
	header.nterms = writer->nterms;
	header.field_mask = (uint16) writer->field_mask;
	header.npostings = writer->npostings;
	memcpy(header.lengths, writer->lengths, sizeof(header.lengths));
	memcpy(header.weights, writer->weights, sizeof(header.weights));
	abst_dict_writer_finish(writer, &header.dict_root, &header.dict_height);

	memset(info, 0, sizeof(AbstSegmentInfo));
	info->header = write_header(writer, &header);
	info->id = writer->id;
	info->ndocs = writer->maxdoc - writer->nnulls;
	info->nnulls = writer->nnulls;
	info->npages = header.npages + header.nmaps + 1;
	memcpy(info->lengths, writer->lengths, sizeof(info->lengths));

	MemoryContextDelete(writer->context);
}

/* ---- a writer that pauses ---- */

void
abst_segment_writer_rebind(AbstSegmentWriter *writer, Relation index)
{
	writer->index = index;
}

void
abst_segment_writer_blocks(AbstSegmentWriter *writer,
						   void (*callback) (BlockNumber block, void *arg),
						   void *arg)
{
	for (int i = 0; i < ABST_NAREAS; i++)
		for (uint32 j = 0; j < writer->streams[i].npages; j++)
			callback(writer->streams[i].blocks[j], arg);
}
