/*-------------------------------------------------------------------------
 *
 * relocate.c
 *		Move pages from the end of the file to free blocks at its front.
 *
 * Pages of segments do not change (but for dead bits, under the maintenance
 * lock that is held here), so a page is moved by writing a copy, then
 * changing the one reference to it, then freeing the old one; each is a WAL
 * record of its own.  A reader that still knows the old block finds the same
 * content there until it is freed, and then a page that is not its own: it
 * starts again, as after a merge.  A crash in between leaves a copy, or an
 * old page, that nothing refers to.
 *
 * The pending list's page is different, as inserters append to it: its copy,
 * the metapage and the freeing of the old one are one record.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xloginsert.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"

#include "index/format.h"
#include "index/metapage.h"
#include "index/upkeep.h"

typedef struct Relocation
{
	Relation	index;
	BlockNumber cut;
	const BlockNumber *holes;
	BlockNumber nholes;
	BlockNumber next_hole;
	BlockNumber moved;
} Relocation;

/*
 * The next hole that is still free, pinned and locked exclusively; or
 * InvalidBuffer when there is none left.  An inserter may have been quicker.
 */
static Buffer
take_hole(Relocation *relocation)
{
	while (relocation->next_hole < relocation->nholes)
	{
		BlockNumber block = relocation->holes[relocation->next_hole++];
		Buffer		buffer = ReadBuffer(relocation->index, block);

		if (ConditionalLockBuffer(buffer))
		{
			Page		page = BufferGetPage(buffer);

			if (PageIsNew(page) ||
				AbstPageGetOpaque(page)->kind == ABST_PAGE_FREE)
				return buffer;
			LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
		}
		ReleaseBuffer(buffer);
	}
	return InvalidBuffer;
}

/* A private copy of a page of a segment. */
static void
read_copy(Relocation *relocation, BlockNumber block, AbstPageKind kind,
		  uint32 owner, Page copy)
{
	Buffer		buffer = abst_page_read(relocation->index, block,
										BUFFER_LOCK_SHARE, kind, owner);

	if (!BufferIsValid(buffer))
		abst_page_corrupted(relocation->index, block,
							"A segment refers to a page of another owner.");
	memcpy(copy, BufferGetPage(buffer), BLCKSZ);
	UnlockReleaseBuffer(buffer);
}

/* Copy a page into a hole; InvalidBlockNumber if there is none left. */
static BlockNumber
copy_page(Relocation *relocation, BlockNumber block, AbstPageKind kind,
		  uint32 owner)
{
	PGAlignedBlock image;
	Buffer		buffer;
	BlockNumber to;

	CHECK_FOR_INTERRUPTS();
	read_copy(relocation, block, kind, owner, (Page) image.data);
	buffer = take_hole(relocation);
	if (!BufferIsValid(buffer))
		return InvalidBlockNumber;
	to = BufferGetBlockNumber(buffer);

	START_CRIT_SECTION();
	memcpy(BufferGetPage(buffer), image.data, BLCKSZ);
	MarkBufferDirty(buffer);
	if (RelationNeedsWAL(relocation->index))
		log_newpage_buffer(buffer, true);
	END_CRIT_SECTION();

	UnlockReleaseBuffer(buffer);
	relocation->moved++;
	return to;
}

/*
 * Move what a table of blocks refers to.  The table is in the content of page
 * "block" at "offset"; its "n" entries are pages of "entry_kind".
 */
static void
move_entries(Relocation *relocation, BlockNumber block, AbstPageKind kind,
			 Size offset, uint32 n, AbstPageKind entry_kind, uint32 owner)
{
	PGAlignedBlock image;
	BlockNumber *table = (BlockNumber *) (AbstPageContent(image.data) + offset);
	BlockNumber *old = palloc(n * sizeof(BlockNumber));
	uint32	   *places = palloc(n * sizeof(uint32));
	uint32		nmoved = 0;

	read_copy(relocation, block, kind, owner, (Page) image.data);
	if (offset + n * sizeof(BlockNumber) > AbstPageContentSize(image.data))
		abst_page_corrupted(relocation->index, block,
							"The page table is shorter than it should be.");
	for (uint32 i = 0; i < n; i++)
	{
		BlockNumber to;

		if (table[i] < relocation->cut)
			continue;
		to = copy_page(relocation, table[i], entry_kind, owner);
		if (!BlockNumberIsValid(to))
			break;
		old[nmoved] = table[i];
		places[nmoved++] = i;
		table[i] = to;
	}

	if (nmoved > 0)
	{
		Buffer		buffer = abst_page_read(relocation->index, block,
											BUFFER_LOCK_EXCLUSIVE, kind, owner);
		GenericXLogState *state = GenericXLogStart(relocation->index);
		Page		page = GenericXLogRegisterBuffer(state, buffer, 0);
		BlockNumber *target = (BlockNumber *) (AbstPageContent(page) + offset);

		for (uint32 i = 0; i < nmoved; i++)
			target[places[i]] = table[places[i]];
		GenericXLogFinish(state);
		UnlockReleaseBuffer(buffer);
		for (uint32 i = 0; i < nmoved; i++)
			abst_page_free(relocation->index, old[i], owner);
	}
	pfree(old);
	pfree(places);
}

/* Move a segment's data pages, then its maps, then its header. */
static void
move_segment(Relocation *relocation, const AbstSegmentInfo *info)
{
	const Size	offset = offsetof(AbstSegmentHeader, table);
	PGAlignedBlock image;
	AbstSegmentHeader *header = (AbstSegmentHeader *) AbstPageContent(image.data);
	uint32		npages;
	uint32		nmaps;

	read_copy(relocation, info->header, ABST_PAGE_HEADER, info->id,
			  (Page) image.data);
	npages = header->npages;
	nmaps = header->nmaps;
	if (nmaps == 0)
		move_entries(relocation, info->header, ABST_PAGE_HEADER, offset,
					 npages, ABST_PAGE_DATA, info->id);
	else
	{
		if (nmaps > ABST_HEADER_TABLE_MAX)
			abst_page_corrupted(relocation->index, info->header,
								"The page table is longer than a page.");
		for (uint32 i = 0; i < nmaps; i++)
			move_entries(relocation, header->table[i], ABST_PAGE_MAP, 0,
						 Min(ABST_MAP_PER_PAGE,
							 npages - i * ABST_MAP_PER_PAGE),
						 ABST_PAGE_DATA, info->id);
		move_entries(relocation, info->header, ABST_PAGE_HEADER, offset,
					 nmaps, ABST_PAGE_MAP, info->id);
	}

	if (info->header >= relocation->cut)
	{
		AbstSegmentInfo moved = *info;
		AbstPublish publish;

		moved.header = copy_page(relocation, info->header, ABST_PAGE_HEADER,
								 info->id);
		if (!BlockNumberIsValid(moved.header))
			return;
		memset(&publish, 0, sizeof(publish));
		publish.ndropped = 1;
		publish.dropped = &info->id;
		publish.added = &moved;
		publish.flushed_head = InvalidBlockNumber;
		abst_meta_publish(relocation->index, &publish);
		abst_page_free(relocation->index, info->header, info->id);
	}
}

/*
 * Move the pending list if it is one page.  The old page is freed in the same
 * record, so an inserter that is on its way there sees that it is gone.
 */
static void
move_pending(Relocation *relocation)
{
	Relation	index = relocation->index;
	Buffer		metabuffer = abst_metapage_lock(index, BUFFER_LOCK_EXCLUSIVE);
	AbstMetaPageData *meta;
	BlockNumber tail;
	Buffer		oldbuffer;
	Buffer		newbuffer;
	GenericXLogState *state;
	Page		page;

	meta = (AbstMetaPageData *) AbstPageContent(BufferGetPage(metabuffer));
	tail = meta->pending_tail;
	if (meta->pending_head != tail || tail < relocation->cut)
	{
		UnlockReleaseBuffer(metabuffer);
		return;
	}
	oldbuffer = abst_page_read(index, tail, BUFFER_LOCK_EXCLUSIVE,
							   ABST_PAGE_PENDING, meta->pending_last_id);
	if (!BufferIsValid(oldbuffer))
	{
		UnlockReleaseBuffer(metabuffer);
		abst_page_corrupted(index, tail,
							"The page is not the tail of the pending list.");
	}
	newbuffer = take_hole(relocation);
	if (!BufferIsValid(newbuffer))
	{
		UnlockReleaseBuffer(oldbuffer);
		UnlockReleaseBuffer(metabuffer);
		return;
	}

	state = GenericXLogStart(index);
	page = GenericXLogRegisterBuffer(state, metabuffer, 0);
	meta = (AbstMetaPageData *) AbstPageContent(page);
	meta->pending_head = BufferGetBlockNumber(newbuffer);
	meta->pending_tail = BufferGetBlockNumber(newbuffer);
	page = GenericXLogRegisterBuffer(state, newbuffer, GENERIC_XLOG_FULL_IMAGE);
	memcpy(page, BufferGetPage(oldbuffer), BLCKSZ);
	page = GenericXLogRegisterBuffer(state, oldbuffer, GENERIC_XLOG_FULL_IMAGE);
	abst_page_init(page, ABST_PAGE_FREE, 0, 0);
	GenericXLogFinish(state);

	UnlockReleaseBuffer(newbuffer);
	UnlockReleaseBuffer(oldbuffer);
	UnlockReleaseBuffer(metabuffer);
	relocation->moved++;
}

BlockNumber
abst_relocate(Relation index, BlockNumber cut, const BlockNumber *holes,
			  BlockNumber nholes)
{
	AbstDirectory *directory = palloc(sizeof(AbstDirectory));
	Relocation	relocation;

	memset(&relocation, 0, sizeof(relocation));
	relocation.index = index;
	relocation.cut = cut;
	relocation.holes = holes;
	relocation.nholes = nholes;

	abst_meta_read(index, directory);
	for (int i = 0; i < directory->nsegments; i++)
		move_segment(&relocation, &directory->segments[i]);
	move_pending(&relocation);
	pfree(directory);
	return relocation.moved;
}
