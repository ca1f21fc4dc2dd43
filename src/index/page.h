/*-------------------------------------------------------------------------
 *
 * page.h
 *		Pages of the index: the only floor that touches buffers and WAL.
 *
 * Every page names its owner in its special space: the id of the segment, or
 * of the pending batch, that it was written for.  Ids grow and are never used
 * twice, so whoever follows a directory that has since been replaced sees
 * another id and knows that the page is not the one it looks for.  Such a
 * page is "stale": no error, the caller starts again from the metapage.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_PAGE_H
#define ABST_INDEX_PAGE_H

#include "compat.h"
#include "access/generic_xlog.h"
#include "storage/bufmgr.h"
#include "storage/bufpage.h"
#include "utils/rel.h"

#define ABST_METAPAGE_BLKNO 0
#define ABST_PAGE_ID		0xFF85	/* last two bytes of every page */

typedef enum AbstPageKind
{
	ABST_PAGE_META = 1,
	ABST_PAGE_PENDING,
	ABST_PAGE_HEADER,			/* segment header */
	ABST_PAGE_MAP,				/* page table of a segment */
	ABST_PAGE_DATA,				/* a page of one of a segment's areas */
	ABST_PAGE_FREE				/* belongs to nobody; may be taken */
} AbstPageKind;

typedef struct AbstPageOpaqueData
{
	uint32		owner;			/* segment id or pending batch id; 0 metapage */
	BlockNumber next;			/* pending: next page; else Invalid */
	uint16		area;			/* DATA: AbstArea */
	uint8		kind;			/* AbstPageKind */
	uint8		unused;
	uint16		unused2;
	uint16		page_id;		/* ABST_PAGE_ID, for tools that look at pages */
} AbstPageOpaqueData;

typedef AbstPageOpaqueData *AbstPageOpaque;

#define AbstPageGetOpaque(page) \
	((AbstPageOpaque) PageGetSpecialPointer(page))

/* Bytes for content on a page. */
#define ABST_PAGE_SPACE \
	(BLCKSZ - MAXALIGN(SizeOfPageHeaderData) - MAXALIGN(sizeof(AbstPageOpaqueData)))

/* Result of looking at something that a concurrent merge may have replaced. */
typedef enum AbstRead
{
	ABST_READ_OK,
	ABST_READ_END,				/* nothing (more) there */
	ABST_READ_STALE				/* the directory is out of date: start again */
} AbstRead;

extern void abst_page_init(Page page, AbstPageKind kind, uint32 owner, uint16 area);

/*
 * Pin and share-lock or exclusive-lock a page, check that it is ours and
 * sane; corruption is an ERRCODE_INDEX_CORRUPTED error naming index and
 * block, with a hint.  A block beyond the end, or another owner or kind,
 * gives InvalidBuffer (stale).
 */
extern Buffer abst_page_read(Relation index, BlockNumber block, int lockmode,
							 AbstPageKind kind, uint32 owner);

/*
 * Lock a page that the caller has kept pinned, and see whether it is still
 * the one it was.  False (not locked, still pinned) when it is stale.
 */
extern bool abst_page_relock(Buffer buffer, int lockmode, AbstPageKind kind,
							 uint32 owner);

/*
 * Copy a whole page under a share lock, whoever owns it, after the same
 * checks.  False when there is no such block.
 */
extern bool abst_page_copy(Relation index, BlockNumber block, Page copy);

/* The corruption error. */
extern void abst_page_corrupted(Relation index, BlockNumber block,
								const char *what) pg_attribute_noreturn();

/*
 * A buffer for a new page, exclusive-locked and pinned: from the free space
 * map if "reuse", else by extending the relation.  The free space map is only
 * a hint: it is not crash-safe, and two backends can draw the same block from
 * it.  So a page is taken only if it says itself that it is free (kind FREE,
 * or never initialized), under the lock the caller then holds.
 */
extern Buffer abst_page_new(Relation index, bool reuse);

/*
 * What stands on a page right now, for whoever looks for free ones: kind and
 * owner.  A page never initialized counts as FREE.  Share-locked meanwhile.
 */
extern void abst_page_peek(Relation index, BlockNumber block,
						   AbstPageKind *kind, uint32 *owner);

/*
 * Give a page back: mark it FREE (one small WAL record) and record it in the
 * free space map, provided it still has the owner given (or is free already).
 * False if it has become someone else's meanwhile.
 */
extern bool abst_page_free(Relation index, BlockNumber block, uint32 owner);

/*
 * Write a finished page image: into a new block, WAL-logged as a full page
 * unless "building" (then the build logs all pages at its end).  Returns the
 * block.  The page must be exact up to pd_lower.
 */
extern BlockNumber abst_page_write_new(Relation index, Page image, bool building);

#endif							/* ABST_INDEX_PAGE_H */
