/*-------------------------------------------------------------------------
 *
 * reclaim.c
 *		Find pages that nothing refers to, and keep the file short.
 *
 * What the metapage, the pending list and the segments in the directory refer
 * to is used; all else is free, whether it comes from a merge, a crash or an
 * error.  Under the maintenance lock nobody writes a segment, so only an
 * inserter can be taking pages, and those bear the current batch's id.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/storage.h"
#include "miscadmin.h"
#include "storage/indexfsm.h"
#include "storage/lmgr.h"

#include "index/pending.h"
#include "index/segment.h"
#include "index/upkeep.h"

/* A free tail shorter than both is not given back to the file system. */
#define TRUNCATE_PAGES		1000
#define TRUNCATE_FRACTION	16

/*
 * Size of the file, in terms of what is used, from which on pages are moved,
 * and the size then aimed at.  Up to a fifth of what is used may be dead, so
 * the file stays within 1.5 times the size of a new index.
 */
#define COMPACT_TRIGGER		1.2
#define COMPACT_TARGET		1.1
#define COMPACT_SLACK		8

typedef struct UsedBlocks
{
	Relation	index;
	uint8	   *bits;
	BlockNumber nblocks;
} UsedBlocks;

static void
mark_used(BlockNumber block, void *arg)
{
	UsedBlocks *used = arg;

	/* A page of the list may have been added since the size was taken. */
	if (block < used->nblocks)
		used->bits[block / 8] |= 1 << (block % 8);
}

/*
 * Find out what is used.  What an inserter takes from now on is not in it,
 * but bears a batch id of the list as it is.
 */
static void
find_used(Relation index, AbstDirectory *directory, UsedBlocks *used)
{
	used->index = index;
	used->nblocks = RelationGetNumberOfBlocks(index);
	used->bits = palloc_extended(used->nblocks / 8 + 1,
								 MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	abst_meta_read(index, directory);
	mark_used(ABST_METAPAGE_BLKNO, used);
	if (abst_pending_blocks(index, directory, mark_used, used) == ABST_READ_STALE)
		abst_page_corrupted(index, directory->pending_head,
							"The pending list has a page of another owner.");
	for (int i = 0; i < directory->nsegments; i++)
	{
		if (abst_segment_blocks(index, &directory->segments[i], mark_used,
								used) == ABST_READ_STALE)
			abst_page_corrupted(index, directory->segments[i].header,
								"A segment refers to pages of another one.");
		CHECK_FOR_INTERRUPTS();
	}
}

/* Free what is not used; returns the number of free blocks. */
static BlockNumber
free_unused(Relation index, const AbstDirectory *directory,
			const UsedBlocks *used)
{
	BlockNumber nfree = 0;

	for (BlockNumber block = 0; block < used->nblocks; block++)
	{
		AbstPageKind kind;
		uint32		owner;

		if (used->bits[block / 8] & (1 << (block % 8)))
			continue;
		CHECK_FOR_INTERRUPTS();
		abst_page_peek(index, block, &kind, &owner);
		if (kind == ABST_PAGE_PENDING &&
			owner >= directory->pending_first_id &&
			owner <= directory->pending_last_id)
			continue;			/* an inserter has just taken it */
		if (abst_page_free(index, block, owner))
			nfree++;
	}
	return nfree;
}

/*
 * Is too much of the file free?  A merge writes its result beside what it
 * replaces, so half of it may be.  Then pages move to the front until the
 * file could be cut at COMPACT_TARGET times what is used.
 */
static void
compact(Relation index, const UsedBlocks *used, BlockNumber nfree)
{
	BlockNumber nused = used->nblocks - nfree;
	BlockNumber cut = (BlockNumber) (nused * COMPACT_TARGET) + COMPACT_SLACK;
	BlockNumber *holes;
	BlockNumber nholes = 0;

	if (used->nblocks <= nused * COMPACT_TRIGGER + COMPACT_SLACK)
		return;
	holes = palloc_extended(cut * sizeof(BlockNumber), MCXT_ALLOC_HUGE);
	for (BlockNumber block = 0; block < cut; block++)
		if (!(used->bits[block / 8] & (1 << (block % 8))))
			holes[nholes++] = block;
	abst_relocate(index, cut, holes, nholes);
	pfree(holes);
}

/* Blocks at the end that are free. */
static BlockNumber
free_tail(Relation index, BlockNumber nblocks)
{
	BlockNumber n = 0;

	while (nblocks - n > ABST_METAPAGE_BLKNO + 1)
	{
		AbstPageKind kind;
		uint32		owner;

		CHECK_FOR_INTERRUPTS();
		abst_page_peek(index, nblocks - n - 1, &kind, &owner);
		if (kind != ABST_PAGE_FREE)
			break;
		n++;
	}
	return n;
}

/*
 * Cut off the free tail if it is worth it and nobody else has the index open
 * (that is what the lock finds out, without waiting).  Returns the number of
 * blocks that are gone.
 */
static BlockNumber
truncate_tail(Relation index)
{
	BlockNumber nblocks = RelationGetNumberOfBlocks(index);
	BlockNumber tail = free_tail(index, nblocks);

	if (tail == 0 ||
		(tail < TRUNCATE_PAGES && tail < nblocks / TRUNCATE_FRACTION))
		return 0;
	if (!ConditionalLockRelation(index, AccessExclusiveLock))
		return 0;
	nblocks = RelationGetNumberOfBlocks(index);
	tail = free_tail(index, nblocks);
	if (tail > 0)
		RelationTruncate(index, nblocks - tail);
	UnlockRelation(index, AccessExclusiveLock);
	return tail;
}

BlockNumber
abst_reclaim(Relation index)
{
	AbstDirectory *directory = palloc(sizeof(AbstDirectory));
	UsedBlocks	used;
	BlockNumber nfree;
	BlockNumber cut;

	abst_maintenance_lock(index, true);
	find_used(index, directory, &used);
	nfree = free_unused(index, directory, &used);
	compact(index, &used, nfree);
	cut = truncate_tail(index);
	IndexFreeSpaceMapVacuum(index);
	abst_maintenance_unlock(index);
	pfree(used.bits);
	pfree(directory);
	return nfree - Min(nfree, cut);
}
