/*-------------------------------------------------------------------------
 *
 * docmap.c
 *		What a segment knows of its documents: TIDs, lengths, norms, dead bits.
 *
 * Arrays by docid with a fixed number of entries to a page, read in bulk: a
 * page is locked once for all of its entries that are asked for.  Dead bits
 * are set in place, one generic WAL record a page; a crash between two pages
 * leaves some set, which is harmless: VACUUM sets them again.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "index/segment_impl.h"
#include "miscadmin.h"

/* The part of a request that lies on one page. */
typedef struct Slice
{
	uint32		page;
	uint32		first;			/* entry on the page */
	uint32		n;				/* entries wanted */
	uint32		total;			/* entries the page must have */
} Slice;

/*
 * Cut the slice that begins at "docid".  Callers ask only for what exists.
 */
static void
slice_at(AbstSegment *segment, uint32 docid, uint32 end, uint32 per_page,
		 Slice *slice)
{
	uint32		maxdoc = segment->header->maxdoc;

	slice->page = docid / per_page;
	slice->first = docid % per_page;
	slice->total = Min(maxdoc - slice->page * per_page, per_page);
	slice->n = Min(end - docid, slice->total - slice->first);
}

/*
 * The page of a slice, share-locked; its content must have "bytes".
 */
static AbstRead
slice_page(AbstSegment *segment, AbstArea area, const Slice *slice,
		   Size bytes, Buffer *buffer, const uint8 **content)
{
	AbstRead	read;
	Size		size;

	CHECK_FOR_INTERRUPTS();
	read = abst_segment_page(segment, area, slice->page, BUFFER_LOCK_SHARE,
							 buffer);
	if (read != ABST_READ_OK)
		return read;
	*content = abst_buffer_content(*buffer, &size);
	if (size != bytes)
		abst_page_corrupted(segment->index, BufferGetBlockNumber(*buffer),
							"A page of the document map has another size.");
	return ABST_READ_OK;
}

/*
 * The end of a request; documents that do not exist are a caller's error.
 */
static uint32
request_end(AbstSegment *segment, uint32 first, uint32 n)
{
	if (first > segment->header->maxdoc || n > segment->header->maxdoc - first)
		elog(ERROR, "document %u of a segment with %u", first + n,
			 segment->header->maxdoc);
	return first + n;
}

AbstRead
abst_segment_tids(AbstSegment *segment, uint32 first, uint32 n,
				  ItemPointerData *tids, bool *isnull)
{
	uint32		end = request_end(segment, first, n);

	for (uint32 docid = first; docid < end;)
	{
		Slice		slice;
		Buffer		buffer;
		const uint8 *content;
		const AbstDiskTid *disk;
		AbstRead	read;

		slice_at(segment, docid, end, ABST_TIDS_PER_PAGE, &slice);
		read = slice_page(segment, ABST_AREA_TIDS, &slice,
						  slice.total * sizeof(AbstDiskTid), &buffer,
						  &content);
		if (read != ABST_READ_OK)
			return read;
		disk = (const AbstDiskTid *) content + slice.first;
		for (uint32 i = 0; i < slice.n; i++)
		{
			bool		null = abst_memory_tid(disk[i], tids++);

			if (isnull != NULL)
				*isnull++ = null;
		}
		UnlockReleaseBuffer(buffer);
		docid += slice.n;
	}
	return ABST_READ_OK;
}

AbstRead
abst_segment_tids_at(AbstSegment *segment, const uint32 *docids, uint32 n,
					 ItemPointerData *tids)
{
	uint32		i = 0;

	while (i < n)
	{
		Slice		slice;
		Buffer		buffer;
		const uint8 *content;
		const AbstDiskTid *disk;
		uint32		end = request_end(segment, docids[i], 1);
		AbstRead	read;

		slice_at(segment, docids[i], end, ABST_TIDS_PER_PAGE, &slice);
		read = slice_page(segment, ABST_AREA_TIDS, &slice,
						  slice.total * sizeof(AbstDiskTid), &buffer,
						  &content);
		if (read != ABST_READ_OK)
			return read;
		disk = (const AbstDiskTid *) content;
		end = docids[i] - slice.first;	/* first document of the page */
		while (i < n && docids[i] - end < slice.total)
		{
			abst_memory_tid(disk[docids[i] - end], &tids[i]);
			i++;
		}
		UnlockReleaseBuffer(buffer);
	}
	return ABST_READ_OK;
}

AbstRead
abst_segment_lengths(AbstSegment *segment, uint32 first, uint32 n,
					 AbstLengths *lengths)
{
	uint32		end = request_end(segment, first, n);
	int			nfields = segment->nfields;

	if (nfields < ABST_NFIELDS)
		memset(lengths, 0, n * sizeof(AbstLengths));
	if (nfields == 0)
		return ABST_READ_OK;

	for (uint32 docid = first; docid < end;)
	{
		Slice		slice;
		Buffer		buffer;
		const uint8 *content;
		const uint16 *column;
		AbstRead	read;

		slice_at(segment, docid, end, ABST_LENGTHS_PER_PAGE(nfields), &slice);
		read = slice_page(segment, ABST_AREA_LENGTHS, &slice,
						  slice.total * nfields * sizeof(uint16), &buffer,
						  &content);
		if (read != ABST_READ_OK)
			return read;
		column = (const uint16 *) content + slice.first;
		for (int f = 0; f < ABST_NFIELDS; f++)
		{
			if ((segment->header->field_mask & (1 << f)) == 0)
				continue;
			for (uint32 i = 0; i < slice.n; i++)
				lengths[i].field[f] = column[i];
			column += slice.total;
		}
		UnlockReleaseBuffer(buffer);
		lengths += slice.n;
		docid += slice.n;
	}
	return ABST_READ_OK;
}

bool
abst_segment_has_field(AbstSegment *segment, int field)
{
	return (segment->header->field_mask & (1 << field)) != 0;
}

AbstRead
abst_segment_length_columns(AbstSegment *segment, uint32 first, uint32 n,
							uint16 **columns)
{
	uint32		end = request_end(segment, first, n);
	int			nfields = segment->nfields;
	uint32		done = 0;

	if (nfields == 0)
		return ABST_READ_OK;
	while (first + done < end)
	{
		Slice		slice;
		Buffer		buffer;
		const uint8 *content;
		AbstRead	read;

		slice_at(segment, first + done, end, ABST_LENGTHS_PER_PAGE(nfields),
				 &slice);
		read = slice_page(segment, ABST_AREA_LENGTHS, &slice,
						  slice.total * nfields * sizeof(uint16), &buffer,
						  &content);
		if (read != ABST_READ_OK)
			return read;
		for (int f = 0; f < nfields; f++)
			memcpy(columns[f] + done,
				   (const uint16 *) content + f * slice.total + slice.first,
				   slice.n * sizeof(uint16));
		UnlockReleaseBuffer(buffer);
		done += slice.n;
	}
	return ABST_READ_OK;
}

AbstRead
abst_segment_norms(AbstSegment *segment, uint32 first, uint32 n, float4 *norms)
{
	uint32		end = request_end(segment, first, n);

	for (uint32 docid = first; docid < end;)
	{
		Slice		slice;
		Buffer		buffer;
		const uint8 *content;
		AbstRead	read;

		slice_at(segment, docid, end, ABST_NORMS_PER_PAGE, &slice);
		read = slice_page(segment, ABST_AREA_NORMS, &slice,
						  slice.total * sizeof(float4), &buffer, &content);
		if (read != ABST_READ_OK)
			return read;
		memcpy(norms, (const float4 *) content + slice.first,
			   slice.n * sizeof(float4));
		UnlockReleaseBuffer(buffer);
		norms += slice.n;
		docid += slice.n;
	}
	return ABST_READ_OK;
}

/* Words of dead bits that n documents take. */
#define DEAD_WORDS(n) (((n) + 63) / 64)

/*
 * Word i of the words for n documents, without bits for documents after them.
 */
static inline uint64
dead_word(const uint64 *words, uint32 i, uint32 n)
{
	if (i == n / 64)
		return words[i] & ((UINT64CONST(1) << (n % 64)) - 1);
	return words[i];
}

AbstRead
abst_segment_dead(AbstSegment *segment, uint32 first, uint32 n, uint64 *words,
				  bool *any)
{
	uint32		end = request_end(segment, first, n);
	uint64		seen = 0;

	if (first % 64 != 0)
		elog(ERROR, "dead bits begin at document %u", first);
	*any = false;
	memset(words, 0, DEAD_WORDS(n) * sizeof(uint64));
	if (segment->info.ndead == 0)
		return ABST_READ_OK;

	for (uint32 docid = first; docid < end;)
	{
		Slice		slice;
		Buffer		buffer;
		const uint8 *content;
		AbstRead	read;
		uint32		nwords;

		slice_at(segment, docid, end, ABST_DEAD_PER_PAGE, &slice);
		read = slice_page(segment, ABST_AREA_DEAD, &slice,
						  DEAD_WORDS(slice.total) * sizeof(uint64), &buffer,
						  &content);
		if (read != ABST_READ_OK)
			return read;
		nwords = DEAD_WORDS(slice.n);
		memcpy(words, (const uint64 *) content + slice.first / 64,
			   nwords * sizeof(uint64));
		UnlockReleaseBuffer(buffer);

		/* bits after the last document asked for are not the caller's */
		for (uint32 i = 0; i < nwords; i++)
		{
			words[i] = dead_word(words, i, slice.n);
			seen |= words[i];
		}
		words += nwords;
		docid += slice.n;
	}
	*any = seen != 0;
	return ABST_READ_OK;
}

/*
 * Or the words of one slice into its page, if that changes anything.
 */
static void
mark_page(AbstSegment *segment, const Slice *slice, const uint64 *words)
{
	uint32		nwords = DEAD_WORDS(slice->n);
	Buffer		buffer;
	Size		size;
	uint64	   *bits;
	bool		changes = false;

	/* the maintenance lock keeps the segment, so a strange page is damage */
	if (abst_segment_page(segment, ABST_AREA_DEAD, slice->page,
						  BUFFER_LOCK_EXCLUSIVE, &buffer) != ABST_READ_OK)
		abst_segment_corrupted(segment, "A page of dead bits belongs to something else.");
	bits = (uint64 *) abst_buffer_content(buffer, &size) + slice->first / 64;
	if (size != DEAD_WORDS(slice->total) * sizeof(uint64))
		abst_page_corrupted(segment->index, BufferGetBlockNumber(buffer),
							"A page of dead bits has another size.");
	for (uint32 i = 0; i < nwords; i++)
		changes |= (dead_word(words, i, slice->n) & ~bits[i]) != 0;

	if (changes)
	{
		GenericXLogState *state = GenericXLogStart(segment->index);
		Page		page = GenericXLogRegisterBuffer(state, buffer, 0);

		bits = (uint64 *) AbstPageContent(page) + slice->first / 64;
		for (uint32 i = 0; i < nwords; i++)
			bits[i] |= dead_word(words, i, slice->n);
		GenericXLogFinish(state);
	}
	UnlockReleaseBuffer(buffer);
}

void
abst_segment_mark_dead(AbstSegment *segment, uint32 first, uint32 n,
					   const uint64 *words)
{
	uint32		end = request_end(segment, first, n);

	if (first % 64 != 0)
		elog(ERROR, "dead bits begin at document %u", first);
	for (uint32 docid = first; docid < end;)
	{
		Slice		slice;

		CHECK_FOR_INTERRUPTS();
		slice_at(segment, docid, end, ABST_DEAD_PER_PAGE, &slice);
		mark_page(segment, &slice, words);
		words += DEAD_WORDS(slice.n);
		docid += slice.n;
	}
}
