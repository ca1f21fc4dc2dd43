/*-------------------------------------------------------------------------
 *
 * page.c
 *		Pages of the index: reading, checking, allocating, writing, freeing.
 *
 * Locks: a function that returns a buffer returns it pinned and locked; all
 * others leave no lock and no pin.  Reading never writes.  A page image is
 * written with one full-page WAL record; freeing a page is one generic
 * record.  After a crash between two such records the page is an orphan: it
 * has an owner that the metapage does not know.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "access/xloginsert.h"
#include "index/format.h"
#include "index/page.h"
#include "miscadmin.h"
#include "storage/freespace.h"
#include "storage/indexfsm.h"
#include "storage/lmgr.h"
#include "storage/smgr.h"

/*
 * Make an empty page of ours.
 */
void
abst_page_init(Page page, AbstPageKind kind, uint32 owner, uint16 area)
{
	AbstPageOpaque opaque;

	PageInit(page, BLCKSZ, sizeof(AbstPageOpaqueData));
	((PageHeader) page)->pd_lower = MAXALIGN(SizeOfPageHeaderData);
	opaque = AbstPageGetOpaque(page);
	opaque->owner = owner;
	opaque->next = InvalidBlockNumber;
	opaque->area = area;
	opaque->kind = kind;
	opaque->unused = 0;
	opaque->unused2 = 0;
	opaque->page_id = ABST_PAGE_ID;
}

/*
 * Report a page that cannot be right.
 */
void
abst_page_corrupted(Relation index, BlockNumber block, const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_INDEX_CORRUPTED),
			 errmsg("index \"%s\" is corrupted at block %u",
					RelationGetRelationName(index), block),
			 errdetail_internal("%s", what),
			 errhint("Rebuild the index with REINDEX.")));
}

/*
 * Does the relation have this block?  The size is asked of the file system
 * only when what this backend knows of it does not settle the question: the
 * file shrinks only under an access exclusive lock.
 */
static bool
block_exists(Relation index, BlockNumber block)
{
	BlockNumber known;

	known = RelationGetSmgr(index)->smgr_cached_nblocks[MAIN_FORKNUM];
	if (known != InvalidBlockNumber && block < known)
		return true;
	return block < RelationGetNumberOfBlocks(index);
}

/*
 * What makes a page no page of ours, or NULL.
 */
static const char *
page_fault(Page page)
{
	PageHeader	header = (PageHeader) page;

	if (PageIsNew(page))
		return "The page was never written.";
	if (PageGetPageSize(page) != BLCKSZ ||
		header->pd_special != BLCKSZ - sizeof(AbstPageOpaqueData))
		return "The page has a special space of another size.";
	if (AbstPageGetOpaque(page)->page_id != ABST_PAGE_ID)
		return "The page does not belong to an index of this kind.";
	if (header->pd_lower < MAXALIGN(SizeOfPageHeaderData) ||
		header->pd_lower > header->pd_special)
		return "The page claims more content than fits.";
	return NULL;
}

/*
 * Pin, lock and check; see the header.
 */
Buffer
abst_page_read(Relation index, BlockNumber block, int lockmode,
			   AbstPageKind kind, uint32 owner)
{
	Buffer		buffer;
	Page		page;
	AbstPageOpaque opaque;
	const char *fault;

	if (!block_exists(index, block))
	{
		if (kind == ABST_PAGE_META)
			abst_page_corrupted(index, block, "The index has no metapage.");
		return InvalidBuffer;
	}

	buffer = ReadBuffer(index, block);
	LockBuffer(buffer, lockmode);
	page = BufferGetPage(buffer);

	fault = page_fault(page);
	opaque = fault == NULL ? AbstPageGetOpaque(page) : NULL;
	if (fault == NULL && kind == ABST_PAGE_META &&
		(opaque->kind != kind || opaque->owner != owner))
		fault = "The page is not a metapage.";
	if (fault != NULL)
	{
		UnlockReleaseBuffer(buffer);
		abst_page_corrupted(index, block, fault);
	}
	if (opaque->kind != kind || opaque->owner != owner)
	{
		UnlockReleaseBuffer(buffer);
		return InvalidBuffer;
	}
	return buffer;
}

/*
 * A pin keeps the block in memory, not its content.  The page was sane when
 * it was pinned and is only ever replaced by another sane page.
 */
bool
abst_page_relock(Buffer buffer, int lockmode, AbstPageKind kind, uint32 owner)
{
	AbstPageOpaque opaque;

	LockBuffer(buffer, lockmode);
	opaque = AbstPageGetOpaque(BufferGetPage(buffer));
	if (opaque->kind == kind && opaque->owner == owner)
		return true;
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	return false;
}

/*
 * A private copy; see the header.
 */
bool
abst_page_copy(Relation index, BlockNumber block, Page copy)
{
	Buffer		buffer;
	const char *fault;

	if (!block_exists(index, block))
		return false;
	buffer = ReadBuffer(index, block);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	memcpy(copy, BufferGetPage(buffer), BLCKSZ);
	UnlockReleaseBuffer(buffer);

	fault = page_fault(copy);
	if (fault != NULL)
		abst_page_corrupted(index, block, fault);
	return true;
}

/*
 * May a page that nobody has locked but us be taken?
 */
static bool
page_is_free(Page page)
{
	if (PageIsNew(page))
		return true;
	return page_fault(page) == NULL &&
		AbstPageGetOpaque(page)->kind == ABST_PAGE_FREE;
}

/*
 * A buffer for a new page; see the header.
 */
Buffer
abst_page_new(Relation index, bool reuse)
{
	Buffer		buffer;

	/* Several processes may be building an index that only they can see. */
	bool		lock_extension = !RelationUsesLocalBuffers(index);

	while (reuse)
	{
		BlockNumber block = GetFreeIndexPage(index);

		if (block == InvalidBlockNumber)
			break;
		if (!block_exists(index, block))
			continue;
		buffer = ReadBuffer(index, block);

		/* someone else may just be taking it, or reading what it was */
		if (ConditionalLockBuffer(buffer))
		{
			if (page_is_free(BufferGetPage(buffer)))
				return buffer;
			LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
		}
		ReleaseBuffer(buffer);
	}

	/*
	 * The mode locks the buffer before anyone else can see it, so nobody
	 * finds the empty page and takes it for free.
	 */
	if (lock_extension)
		LockRelationForExtension(index, ExclusiveLock);
	buffer = ReadBufferExtended(index, MAIN_FORKNUM, P_NEW,
								RBM_ZERO_AND_LOCK, NULL);
	if (lock_extension)
		UnlockRelationForExtension(index, ExclusiveLock);
	return buffer;
}

/*
 * Write a finished page image; see the header.
 */
BlockNumber
abst_page_write_new(Relation index, Page image, bool building)
{
	Buffer		buffer;
	BlockNumber block;

	CHECK_FOR_INTERRUPTS();

	buffer = abst_page_new(index, !building);
	block = BufferGetBlockNumber(buffer);

	START_CRIT_SECTION();
	memcpy(BufferGetPage(buffer), image, BLCKSZ);
	MarkBufferDirty(buffer);
	if (!building && RelationNeedsWAL(index))
		log_newpage_buffer(buffer, true);
	END_CRIT_SECTION();

	UnlockReleaseBuffer(buffer);
	return block;
}

/*
 * Kind and owner of a page as it stands.
 */
void
abst_page_peek(Relation index, BlockNumber block, AbstPageKind *kind,
			   uint32 *owner)
{
	Buffer		buffer;
	Page		page;
	const char *fault;

	buffer = ReadBuffer(index, block);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	page = BufferGetPage(buffer);
	*kind = ABST_PAGE_FREE;
	*owner = 0;
	fault = PageIsNew(page) ? NULL : page_fault(page);
	if (!PageIsNew(page) && fault == NULL)
	{
		*kind = AbstPageGetOpaque(page)->kind;
		*owner = AbstPageGetOpaque(page)->owner;
	}
	UnlockReleaseBuffer(buffer);
	if (fault != NULL)
		abst_page_corrupted(index, block, fault);
}

/*
 * Give a page back; see the header.
 */
bool
abst_page_free(Relation index, BlockNumber block, uint32 owner)
{
	Buffer		buffer;
	Page		page;

	Assert(block != ABST_METAPAGE_BLKNO);
	CHECK_FOR_INTERRUPTS();

	buffer = ReadBuffer(index, block);
	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	page = BufferGetPage(buffer);

	if (!page_is_free(page))
	{
		GenericXLogState *state;

		if (page_fault(page) != NULL ||
			AbstPageGetOpaque(page)->owner != owner)
		{
			UnlockReleaseBuffer(buffer);
			return false;
		}

		/* an image of an empty page is all hole, so the record is small */
		state = GenericXLogStart(index);
		page = GenericXLogRegisterBuffer(state, buffer,
										 GENERIC_XLOG_FULL_IMAGE);
		abst_page_init(page, ABST_PAGE_FREE, 0, 0);
		GenericXLogFinish(state);
	}
	UnlockReleaseBuffer(buffer);

	RecordFreeIndexPage(index, block);
	return true;
}
