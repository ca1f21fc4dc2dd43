/*-------------------------------------------------------------------------
 *
 * meta.h
 *		The metapage: what the index consists of at a moment.
 *
 * It holds the format version, the parameters the postings were written
 * under, the segment directory and the pending list's ends.  A flush or a
 * merge becomes visible by one update of it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_META_H
#define ABST_INDEX_META_H

#include "compat.h"
#include "index/page.h"
#include "text/doc.h"

#define ABST_META_MAGIC		0x41425354	/* "ABST" */
#define ABST_META_VERSION	1

/* One segment, as the directory in the metapage has it. */
typedef struct AbstSegmentInfo
{
	uint32		id;
	BlockNumber header;			/* block of its header page */
	uint32		ndocs;			/* documents, without the NULL rows */
	uint32		nnulls;			/* rows whose document is NULL */
	uint32		ndead;			/* of both: deleted, still held */
	uint32		npages;			/* header, map and data */
	uint64		lengths[ABST_NFIELDS];	/* total occurrences by field */
} AbstSegmentInfo;

#define ABST_MAX_SEGMENTS	96

typedef struct AbstMetaPageData
{
	uint32		magic;
	uint32		version;
	Oid			config;			/* configuration a text column was read with;
								 * InvalidOid for tsvector columns */
	uint32		next_id;		/* next segment or batch id; never goes back */
	float8		weights[ABST_NFIELDS];	/* bounds were computed under these */
	BlockNumber pending_head;
	BlockNumber pending_tail;
	uint32		pending_first_id;	/* batch ids in the list: first .. last */
	uint32		pending_last_id;
	uint32		pending_pages;
	uint32		nsegments;
	AbstSegmentInfo segments[FLEXIBLE_ARRAY_MEMBER];
} AbstMetaPageData;

/* A private copy: everything a scan needs to find the index's content. */
typedef struct AbstDirectory
{
	Oid			config;
	float8		weights[ABST_NFIELDS];
	BlockNumber pending_head;
	BlockNumber pending_tail;
	uint32		pending_first_id;
	uint32		pending_last_id;
	uint32		pending_pages;
	int			nsegments;
	AbstSegmentInfo segments[ABST_MAX_SEGMENTS];
} AbstDirectory;

/* Write the metapage (and one empty pending page) of an empty index. */
extern void abst_meta_create(Relation index, ForkNumber fork, Oid config,
							 const float8 *weights);

/* Copy the directory; no lock is kept. */
extern void abst_meta_read(Relation index, AbstDirectory *directory);

/* Reserve an id for a new segment or batch (one WAL record). */
extern uint32 abst_meta_new_id(Relation index);

/*
 * The maintenance lock: flush, merge and VACUUM's marking take it, so one of
 * them works at a time.  Scans and inserts never do.  Heavyweight, released
 * by abst_maintenance_unlock or at the end of the transaction.
 */
extern bool abst_maintenance_lock(Relation index, bool wait);
extern void abst_maintenance_unlock(Relation index);

/*
 * Publish: drop "ndropped" segments by id, add "added" (or NULL), and, when
 * "flushed_head" is valid, let the pending list begin at that block with
 * batch "flushed_first_id", "flushed_pages" fewer pages.  One WAL record.
 * Caller holds the maintenance lock; pages of what was dropped become free
 * afterwards by the caller.
 */
typedef struct AbstPublish
{
	int			ndropped;
	const uint32 *dropped;
	const AbstSegmentInfo *added;
	BlockNumber flushed_head;	/* InvalidBlockNumber: list unchanged */
	uint32		flushed_first_id;
	uint32		flushed_pages;
} AbstPublish;

extern void abst_meta_publish(Relation index, const AbstPublish *publish);

/* Set a segment's count of dead documents (VACUUM; maintenance lock held). */
extern void abst_meta_set_dead(Relation index, uint32 segment_id,
							   uint32 ndead);

#endif							/* ABST_INDEX_META_H */
