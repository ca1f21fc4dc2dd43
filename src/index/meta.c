/*-------------------------------------------------------------------------
 *
 * meta.c
 *		The metapage: creating, copying, and the updates that publish.
 *
 * Every update is one generic WAL record over the metapage alone (the pending
 * list's own updates, in pending.c, take it together with list pages).  The
 * metapage is locked before any other page.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "access/xloginsert.h"
#include "catalog/pg_class.h"
#include "index/format.h"
#include "index/meta.h"
#include "index/metapage.h"
#include "miscadmin.h"
#include "storage/lock.h"

/*
 * Tells our lock on an index from any other lock on a pg_class object: the
 * core uses no sub-object numbers that high.
 */
#define ABST_MAINTENANCE_SUBID	0xFF85

/*
 * Add a page to a fork that nobody else can see yet, and log it.
 */
static void
create_page(Relation index, ForkNumber fork, Page image, BlockNumber expected)
{
	Buffer		buffer;

	buffer = ReadBufferExtended(index, fork, P_NEW, RBM_ZERO_AND_LOCK, NULL);
	if (BufferGetBlockNumber(buffer) != expected)
		elog(ERROR, "index \"%s\" is not empty",
			 RelationGetRelationName(index));

	/*
	 * The init fork of an unlogged index must be logged although the index as
	 * such is not: it is what recovery copies.
	 */
	START_CRIT_SECTION();
	memcpy(BufferGetPage(buffer), image, BLCKSZ);
	MarkBufferDirty(buffer);
	if (fork == INIT_FORKNUM || RelationNeedsWAL(index))
		log_newpage_buffer(buffer, true);
	END_CRIT_SECTION();

	UnlockReleaseBuffer(buffer);
}

/*
 * Metapage and first pending page of an empty index.
 */
void
abst_meta_create(Relation index, ForkNumber fork, Oid config,
				 const float8 *weights)
{
	PGAlignedBlock image;
	Page		page = (Page) image.data;
	AbstMetaPageData *meta;
	const BlockNumber pending = ABST_METAPAGE_BLKNO + 1;

	abst_page_init(page, ABST_PAGE_META, 0, 0);
	meta = (AbstMetaPageData *) AbstPageContent(page);
	memset(meta, 0, offsetof(AbstMetaPageData, segments));
	meta->magic = ABST_META_MAGIC;
	meta->version = ABST_META_VERSION;
	meta->config = config;
	meta->next_id = 2;
	memcpy(meta->weights, weights, sizeof(meta->weights));
	meta->pending_head = pending;
	meta->pending_tail = pending;
	meta->pending_first_id = 1;
	meta->pending_last_id = 1;
	meta->pending_pages = 1;
	meta->nsegments = 0;
	abst_metapage_set_lower(page);
	create_page(index, fork, page, ABST_METAPAGE_BLKNO);

	abst_page_init(page, ABST_PAGE_PENDING, 1, 0);
	create_page(index, fork, page, pending);
}

/*
 * pd_lower must be exact: what lies beyond is not logged.
 */
void
abst_metapage_set_lower(Page page)
{
	AbstMetaPageData *meta = (AbstMetaPageData *) AbstPageContent(page);

	((PageHeader) page)->pd_lower = MAXALIGN(SizeOfPageHeaderData) +
		offsetof(AbstMetaPageData, segments) +
		meta->nsegments * sizeof(AbstSegmentInfo);
}

/*
 * Pin and lock the metapage and see that it can be read.
 */
Buffer
abst_metapage_lock(Relation index, int lockmode)
{
	Buffer		buffer;
	AbstMetaPageData *meta;
	Size		size;
	const char *fault = NULL;

	buffer = abst_page_read(index, ABST_METAPAGE_BLKNO, lockmode,
							ABST_PAGE_META, 0);
	meta = (AbstMetaPageData *) AbstPageContent(BufferGetPage(buffer));
	size = AbstPageContentSize(BufferGetPage(buffer));

	if (size < offsetof(AbstMetaPageData, segments) ||
		meta->magic != ABST_META_MAGIC)
		fault = "The metapage is not one of this extension.";
	else if (meta->version != ABST_META_VERSION)
	{
		uint32		version = meta->version;

		UnlockReleaseBuffer(buffer);
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("index \"%s\" has format version %u, but version %u is needed",
						RelationGetRelationName(index), version,
						(uint32) ABST_META_VERSION),
				 errhint("Rebuild the index with REINDEX.")));
	}
	else if (meta->nsegments > ABST_MAX_SEGMENTS ||
			 size != offsetof(AbstMetaPageData, segments) +
			 meta->nsegments * sizeof(AbstSegmentInfo))
		fault = "The segment directory has an impossible size.";
	else if (meta->pending_first_id > meta->pending_last_id ||
			 meta->pending_last_id >= meta->next_id ||
			 meta->pending_pages == 0)
		fault = "The ends of the pending list do not agree.";

	if (fault != NULL)
	{
		UnlockReleaseBuffer(buffer);
		abst_page_corrupted(index, ABST_METAPAGE_BLKNO, fault);
	}
	return buffer;
}

/*
 * Copy what the metapage says.
 */
void
abst_metapage_copy(const AbstMetaPageData *meta, AbstDirectory *directory)
{
	directory->config = meta->config;
	memcpy(directory->weights, meta->weights, sizeof(directory->weights));
	directory->pending_head = meta->pending_head;
	directory->pending_tail = meta->pending_tail;
	directory->pending_first_id = meta->pending_first_id;
	directory->pending_last_id = meta->pending_last_id;
	directory->pending_pages = meta->pending_pages;
	directory->nsegments = meta->nsegments;
	memcpy(directory->segments, meta->segments,
		   meta->nsegments * sizeof(AbstSegmentInfo));
}

/*
 * A private copy of the directory.
 */
void
abst_meta_read(Relation index, AbstDirectory *directory)
{
	Buffer		buffer = abst_metapage_lock(index, BUFFER_LOCK_SHARE);

	abst_metapage_copy((AbstMetaPageData *) AbstPageContent(BufferGetPage(buffer)),
					   directory);
	UnlockReleaseBuffer(buffer);
}

/*
 * The error when next_id has come to the end of its range.
 */
void
abst_meta_out_of_ids(Relation index)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("index \"%s\" has no segment numbers left",
					RelationGetRelationName(index)),
			 errhint("Rebuild the index with REINDEX.")));
}

/*
 * Reserve an id.
 */
uint32
abst_meta_new_id(Relation index)
{
	Buffer		buffer;
	GenericXLogState *state;
	AbstMetaPageData *meta;
	uint32		id;

	buffer = abst_metapage_lock(index, BUFFER_LOCK_EXCLUSIVE);
	meta = (AbstMetaPageData *) AbstPageContent(BufferGetPage(buffer));
	if (meta->next_id == PG_UINT32_MAX)
	{
		UnlockReleaseBuffer(buffer);
		abst_meta_out_of_ids(index);
	}
	state = GenericXLogStart(index);
	meta = (AbstMetaPageData *)
		AbstPageContent(GenericXLogRegisterBuffer(state, buffer, 0));
	id = meta->next_id++;
	GenericXLogFinish(state);
	UnlockReleaseBuffer(buffer);
	return id;
}

/*
 * The lock tag of an index's maintenance lock.
 */
static void
maintenance_tag(Relation index, LOCKTAG *tag)
{
	SET_LOCKTAG_OBJECT(*tag, MyDatabaseId, RelationRelationId,
					   RelationGetRelid(index), ABST_MAINTENANCE_SUBID);
}

bool
abst_maintenance_lock(Relation index, bool wait)
{
	LOCKTAG		tag;

	maintenance_tag(index, &tag);
	return LockAcquire(&tag, ExclusiveLock, false, !wait) !=
		LOCKACQUIRE_NOT_AVAIL;
}

void
abst_maintenance_unlock(Relation index)
{
	LOCKTAG		tag;

	maintenance_tag(index, &tag);
	LockRelease(&tag, ExclusiveLock, false);
}

/*
 * Place of a segment in the directory, or -1.
 */
static int
find_segment(const AbstMetaPageData *meta, uint32 id)
{
	for (uint32 i = 0; i < meta->nsegments; i++)
	{
		if (meta->segments[i].id == id)
			return (int) i;
	}
	return -1;
}

/*
 * Drop and add segments in a copy of the metapage.  The reason why that is
 * impossible, or NULL.
 */
static const char *
apply_publish(AbstMetaPageData *meta, const AbstPublish *publish)
{
	for (int i = 0; i < publish->ndropped; i++)
	{
		int			at = find_segment(meta, publish->dropped[i]);

		if (at < 0)
			return "A segment to be dropped is not in the directory.";
		meta->nsegments--;
		memmove(&meta->segments[at], &meta->segments[at + 1],
				(meta->nsegments - at) * sizeof(AbstSegmentInfo));
	}
	if (publish->added != NULL)
	{
		if (find_segment(meta, publish->added->id) >= 0)
			return "A segment to be added is in the directory already.";
		meta->segments[meta->nsegments++] = *publish->added;
	}
	if (BlockNumberIsValid(publish->flushed_head))
	{
		if (publish->flushed_pages >= meta->pending_pages ||
			publish->flushed_first_id > meta->pending_last_id)
			return "The pending list is shorter than what was flushed.";
		meta->pending_head = publish->flushed_head;
		meta->pending_first_id = publish->flushed_first_id;
		meta->pending_pages -= publish->flushed_pages;
	}
	return NULL;
}

/*
 * Make a flush or a merge visible.  Before the record a crash leaves the old
 * state and orphan pages of the new segment; after it the new state and
 * orphan pages of what was dropped.
 */
void
abst_meta_publish(Relation index, const AbstPublish *publish)
{
	Buffer		buffer;
	GenericXLogState *state;
	Page		page;
	AbstMetaPageData *meta;
	const char *fault;

	buffer = abst_metapage_lock(index, BUFFER_LOCK_EXCLUSIVE);
	meta = (AbstMetaPageData *) AbstPageContent(BufferGetPage(buffer));
	if (publish->added != NULL &&
		meta->nsegments + 1 > ABST_MAX_SEGMENTS + publish->ndropped)
	{
		UnlockReleaseBuffer(buffer);
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("index \"%s\" cannot have more than %d segments",
						RelationGetRelationName(index), ABST_MAX_SEGMENTS),
				 errhint("Run VACUUM on the table.")));
	}

	state = GenericXLogStart(index);
	page = GenericXLogRegisterBuffer(state, buffer, 0);
	meta = (AbstMetaPageData *) AbstPageContent(page);
	fault = apply_publish(meta, publish);
	if (fault != NULL)
	{
		GenericXLogAbort(state);
		UnlockReleaseBuffer(buffer);
		abst_page_corrupted(index, ABST_METAPAGE_BLKNO, fault);
	}
	abst_metapage_set_lower(page);
	GenericXLogFinish(state);
	UnlockReleaseBuffer(buffer);
}

/*
 * Set a segment's count of dead documents.
 */
void
abst_meta_set_dead(Relation index, uint32 segment_id, uint32 ndead)
{
	Buffer		buffer;
	GenericXLogState *state;
	AbstMetaPageData *meta;
	int			at;

	buffer = abst_metapage_lock(index, BUFFER_LOCK_EXCLUSIVE);
	meta = (AbstMetaPageData *) AbstPageContent(BufferGetPage(buffer));
	at = find_segment(meta, segment_id);
	if (at < 0)
	{
		UnlockReleaseBuffer(buffer);
		abst_page_corrupted(index, ABST_METAPAGE_BLKNO,
							"A segment with dead documents is not in the directory.");
	}
	if (meta->segments[at].ndead != ndead)
	{
		state = GenericXLogStart(index);
		meta = (AbstMetaPageData *)
			AbstPageContent(GenericXLogRegisterBuffer(state, buffer, 0));
		meta->segments[at].ndead = ndead;
		GenericXLogFinish(state);
	}
	UnlockReleaseBuffer(buffer);
}
