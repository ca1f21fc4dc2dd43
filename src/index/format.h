/*-------------------------------------------------------------------------
 *
 * format.h
 *		The bytes on disk: every structure that stands on a page.
 *
 * Numbers are in the machine's byte order, as everywhere in PostgreSQL.
 * Content begins right after the page header and ends at pd_lower; what an
 * area's page holds is told by the area it belongs to.  src/README.md has the
 * pictures.  A change of anything here needs a new ABST_META_VERSION.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_FORMAT_H
#define ABST_INDEX_FORMAT_H

#include "compat.h"
#include "index/meta.h"
#include "index/page.h"
#include "storage/itemptr.h"
#include "text/doc.h"

/* Content of a page, and the number of bytes in it. */
#define AbstPageContent(page)	((char *) PageGetContents(page))
#define AbstPageContentSize(page) \
	(((PageHeader) (page))->pd_lower - MAXALIGN(SizeOfPageHeaderData))

/* ---- areas of a segment ---- */

typedef enum AbstArea
{
	ABST_AREA_TIDS = 0,			/* AbstDiskTid by docid */
	ABST_AREA_LENGTHS,			/* uint16 by field and docid */
	ABST_AREA_NORMS,			/* float4 by docid */
	ABST_AREA_DEAD,				/* a bit by docid */
	ABST_AREA_CODES,			/* AbstTf by code */
	ABST_AREA_POSTINGS,			/* blocks, see codec.h */
	ABST_AREA_DIRECTORY,		/* AbstDirEntry runs of terms of many blocks */
	ABST_AREA_DICT,				/* dictionary leaves, in order of terms */
	ABST_AREA_INNER				/* dictionary inner pages */
} AbstArea;

#define ABST_NAREAS 9

/* Entries per page; docid / entries is the page, docid % entries the place. */
#define ABST_TIDS_PER_PAGE		(ABST_PAGE_SPACE / 6)
#define ABST_LENGTHS_PER_PAGE(nfields) \
	(ABST_PAGE_SPACE / (sizeof(uint16) * (nfields)))
#define ABST_NORMS_PER_PAGE		(ABST_PAGE_SPACE / sizeof(float4))
#define ABST_DEAD_PER_PAGE		((ABST_PAGE_SPACE / sizeof(uint64)) * 64)
#define ABST_CODES_PER_PAGE		(ABST_PAGE_SPACE / sizeof(AbstTf))
#define ABST_MAP_PER_PAGE		(ABST_PAGE_SPACE / sizeof(BlockNumber))
#define ABST_SLOTS_PER_PAGE		(ABST_PAGE_SPACE / sizeof(AbstDirEntry))

/* Docids stay below this, so a delta and one more bit fit 32 bits. */
#define ABST_MAX_DOCS			((uint32) 0x7FFFFFFF)

/* A TID; the NULL flag sits in a bit no offset number uses. */
typedef struct AbstDiskTid
{
	uint16		block_hi;
	uint16		block_lo;
	uint16		offset;			/* with ABST_TID_NULL */
} AbstDiskTid;

#define ABST_TID_NULL			0x8000

StaticAssertDecl(sizeof(AbstDiskTid) == 6, "a TID has six bytes");
StaticAssertDecl(MaxOffsetNumber < ABST_TID_NULL,
				 "no offset number uses the NULL flag");

/* ---- segment header ---- */

#define ABST_SEGMENT_MAGIC		0x41534547	/* "ASEG" */

/*
 * Header page.  "table" is the page table itself (npages blocks, the areas'
 * pages in the order of AbstArea) when nmaps is 0, else the nmaps blocks of
 * map pages that hold it.
 */
typedef struct AbstSegmentHeader
{
	uint32		magic;
	uint32		id;
	uint32		maxdoc;			/* rows, NULL rows included */
	uint32		nnulls;
	uint32		ncodes;
	uint32		nterms;
	uint32		dict_root;		/* page in DICT if dict_height is 0, else in
								 * INNER */
	uint16		dict_height;	/* inner levels */
	uint16		field_mask;		/* fields any document has; bit 0 is A */
	uint32		npages;			/* of all areas */
	uint32		nmaps;
	uint64		npostings;
	uint64		lengths[ABST_NFIELDS];	/* occurrences by field */
	float8		weights[ABST_NFIELDS];	/* bounds were computed under these */
	uint32		area_pages[ABST_NAREAS];
	uint32		unused;
	BlockNumber table[FLEXIBLE_ARRAY_MEMBER];
} AbstSegmentHeader;

#define ABST_HEADER_FIXED		offsetof(AbstSegmentHeader, table)
#define ABST_HEADER_TABLE_MAX \
	((ABST_PAGE_SPACE - ABST_HEADER_FIXED) / sizeof(BlockNumber))

StaticAssertDecl(offsetof(AbstSegmentHeader, npostings) == 40 &&
				 ABST_HEADER_FIXED == 152,
				 "segment header has no holes");

/* ---- block directory ---- */

/* One block of a term that has more than one. */
typedef struct AbstDirEntry
{
	uint32		last_docid;
	uint32		page;			/* in POSTINGS */
	uint16		offset;			/* of the block in the page's content */
	uint16		nbytes;			/* of the block */
	uint16		max_wtf;		/* of its impacts, as bounds */
	uint16		min_wlen;
} AbstDirEntry;

StaticAssertDecl(sizeof(AbstDirEntry) == 16, "directory entry has 16 bytes");

/* A point of a Pareto set: see postings_impact.h. */
typedef struct AbstBound
{
	uint16		wtf;
	uint16		wlen;
} AbstBound;

StaticAssertDecl(sizeof(AbstBound) == 4, "bound has 4 bytes");

/*
 * The foot follows a term's last directory entry, three slots on one page (a
 * page with less room is left and its rest stays zero).
 */
typedef struct AbstDirFoot
{
	uint32		nblocks;
	uint32		df;
	uint32		last_docid;
	uint8		nbounds;
	uint8		unused[3];
	AbstBound	bounds[8];		/* Pareto set of the whole list */
} AbstDirFoot;

#define ABST_FOOT_SLOTS			3

StaticAssertDecl(sizeof(AbstDirFoot) == ABST_FOOT_SLOTS * sizeof(AbstDirEntry),
				 "directory foot fills its slots");

/* ---- dictionary ---- */

/*
 * A dictionary page begins with this and ends with uint16 offsets (from the
 * content's start).  Leaf: entries with one offset for every 16th, where no
 * prefix is shared.  Inner: entries with one offset each.
 */
typedef struct AbstDictPage
{
	uint16		nentries;
	uint16		level;			/* 0 leaf */
} AbstDictPage;

#define ABST_DICT_RESTART		16
#define ABST_MAX_LEXEME			255

/* Postings of at most this many documents may stand in the dictionary. */
#define ABST_INLINE_MAX_DF		8
#define ABST_INLINE_MAX_BYTES	64

/* Bytes of the largest entry: prefix, suffix, df, cf, form, postings. */
#define ABST_DICT_ENTRY_MAX		(2 + ABST_MAX_LEXEME + 5 + 10 + 1 + ABST_INLINE_MAX_BYTES)

/* ---- pending list ---- */

/*
 * A record; not aligned on the page.  After it a mark of two bytes for each
 * term, by which to see that it is not there; then for each term in order: a
 * byte of length, the lexeme, a byte with the mask of its fields, and one
 * byte of frequency for each of them unless ABST_PENDING_ONES says that all
 * are 1.
 */
typedef struct AbstPendingRecord
{
	uint16		size;			/* bytes, this header included */
	uint16		nterms;
	AbstDiskTid tid;			/* with ABST_TID_NULL */
	uint16		unused;
	AbstLengths lengths;
	float4		norm;
} AbstPendingRecord;

#define ABST_PENDING_ONES		0x80
#define ABST_PENDING_FIELDS		((1 << ABST_NFIELDS) - 1)

StaticAssertDecl(sizeof(AbstPendingRecord) == 24, "pending record head has 24 bytes");

/* ---- metapage ---- */

StaticAssertDecl(sizeof(AbstSegmentInfo) == 56, "directory entry has no holes");
StaticAssertDecl(offsetof(AbstMetaPageData, segments) == 72,
				 "metapage has no holes");
StaticAssertDecl(offsetof(AbstMetaPageData, segments) +
				 ABST_MAX_SEGMENTS * sizeof(AbstSegmentInfo) <= ABST_PAGE_SPACE,
				 "the directory fits the metapage");
StaticAssertDecl(sizeof(AbstPageOpaqueData) == 16, "special space has 16 bytes");

/* ---- small helpers on these structures ---- */

static inline AbstDiskTid
abst_disk_tid(const ItemPointerData *tid, bool isnull)
{
	AbstDiskTid disk;

	disk.block_hi = tid->ip_blkid.bi_hi;
	disk.block_lo = tid->ip_blkid.bi_lo;
	disk.offset = tid->ip_posid | (isnull ? ABST_TID_NULL : 0);
	return disk;
}

static inline bool
abst_memory_tid(AbstDiskTid disk, ItemPointerData *tid)
{
	tid->ip_blkid.bi_hi = disk.block_hi;
	tid->ip_blkid.bi_lo = disk.block_lo;
	tid->ip_posid = disk.offset & ~ABST_TID_NULL;
	return (disk.offset & ABST_TID_NULL) != 0;
}

#endif							/* ABST_INDEX_FORMAT_H */
