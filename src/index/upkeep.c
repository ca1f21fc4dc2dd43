/*-------------------------------------------------------------------------
 *
 * upkeep.c
 *		Flush of the pending list, and the policy of merges.
 *
 * See upkeep.h for what is promised.  Merging is size-tiered: a segment's
 * tier is the logarithm of its live documents to the base of 8, and eight
 * segments in one tier are merged, together with all smaller ones, into one
 * of a higher tier; VACUUM, which has no budget to mind, merges four.  So a
 * document is rewritten once a tier, and the directory holds some dozens of
 * segments at most; when it gets near its limit all the same, the smallest
 * segments are merged whatever their tiers.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xloginsert.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "postmaster/autovacuum.h"
#include "storage/indexfsm.h"
#include "utils/memutils.h"

#include "index/format.h"
#include "index/invert.h"
#include "index/merge.h"
#include "index/upkeep.h"

#define TIER_BITS		3		/* a tier is a factor of 8 ... */
#define TIER_SEGMENTS	8		/* ... and full with as many segments */
#define TIER_VACUUMED	4		/* ... which VACUUM leaves fewer of */

/* Entries of the directory kept free for what a flush adds. */
#define DIRECTORY_RESERVE	8
#define CROWD_SEGMENTS		16	/* merged at once when it is nearly full */

/* A list of blocks. */
typedef struct BlockList
{
	BlockNumber *blocks;
	uint32		n;
	uint32		max;
} BlockList;

Size
abst_maintenance_budget(void)
{
	int			kb = maintenance_work_mem;

	if (abst_is_autovacuum() && autovacuum_work_mem != -1)
		kb = autovacuum_work_mem;
	return (Size) kb * 1024;
}

void
abst_log_built(Relation index)
{
	log_newpage_range(index, MAIN_FORKNUM, 0,
					  RelationGetNumberOfBlocks(index), true);
}

/* ---- blocks ---- */

static void
collect_block(BlockNumber block, void *arg)
{
	BlockList  *list = arg;

	if (list->n == list->max)
	{
		list->max = Max(64, list->max * 2);
		if (list->blocks == NULL)
			list->blocks = palloc(list->max * sizeof(BlockNumber));
		else
			list->blocks = repalloc_huge(list->blocks,
										 list->max * sizeof(BlockNumber));
	}
	list->blocks[list->n++] = block;
}

/* Free the pages of a segment that is no longer in the directory. */
static void
free_segment(Relation index, const AbstSegmentInfo *info)
{
	BlockList	list = {0};

	if (abst_segment_blocks(index, info, collect_block,
							&list) == ABST_READ_STALE)
		abst_page_corrupted(index, info->header,
							"A segment refers to pages of another one.");
	for (uint32 i = 0; i < list.n; i++)
		abst_page_free(index, list.blocks[i], info->id);
	pfree(list.blocks);
}

/* ---- merges; the maintenance lock is held ---- */

static inline uint64
live_docs(const AbstSegmentInfo *info)
{
	uint64		all = (uint64) info->ndocs + info->nnulls;

	return all - Min(info->ndead, all);
}

static inline int
tier_of(const AbstSegmentInfo *info)
{
	uint64		live = live_docs(info);

	return live == 0 ? 0 : pg_leftmost_one_pos64(live) / TIER_BITS;
}

static int
cmp_live(const void *a, const void *b)
{
	const AbstSegmentInfo *left = a;
	const AbstSegmentInfo *right = b;
	uint64		lives[2] = {live_docs(left), live_docs(right)};

	if (lives[0] != lives[1])
		return lives[0] < lives[1] ? -1 : 1;
	return left->id < right->id ? -1 : left->id > right->id;
}

int
abst_choose_segments(const AbstDirectory *directory, uint32 floor_id,
					 uint64 budget_docs, AbstSegmentInfo *chosen)
{
	int			full = budget_docs > 0 ? TIER_SEGMENTS : TIER_VACUUMED;
	int			n = 0;
	int			first = 0;		/* of the tier */
	uint64		docs = 0;

	for (int i = 0; i < directory->nsegments; i++)
		if (directory->segments[i].id > floor_id)
			chosen[n++] = directory->segments[i];
	qsort(chosen, n, sizeof(AbstSegmentInfo), cmp_live);

	for (int i = 0; i < n; i++)
	{
		docs += live_docs(&chosen[i]);
		if (tier_of(&chosen[i]) != tier_of(&chosen[first]))
			first = i;
		if (i + 1 < n && tier_of(&chosen[i + 1]) == tier_of(&chosen[first]))
			continue;

		/* chosen[i] is its tier's last */
		if (i - first + 1 >= full)
		{
			if (docs > ABST_MAX_DOCS || (budget_docs > 0 &&
										 docs > budget_docs))
				break;
			return i + 1;
		}
	}

	/* The directory must not fill up, whatever it costs. */
	if (directory->nsegments > ABST_MAX_SEGMENTS - DIRECTORY_RESERVE && n > 1)
	{
		docs = 0;
		n = Min(n, CROWD_SEGMENTS);
		for (int i = 0; i < n; i++)
		{
			docs += live_docs(&chosen[i]);
			if (docs > ABST_MAX_DOCS)
				return i > 1 ? i : 0;
		}
		return n;
	}
	return 0;
}

void
abst_publish_merge(Relation index, const AbstSegmentInfo *merged, int n,
				   const AbstSegmentInfo *added)
{
	AbstPublish publish;
	uint32	   *dropped = palloc(n * sizeof(uint32));

	for (int i = 0; i < n; i++)
		dropped[i] = merged[i].id;
	memset(&publish, 0, sizeof(publish));
	publish.ndropped = n;
	publish.dropped = dropped;
	publish.flushed_head = InvalidBlockNumber;
	publish.added = added;
	abst_meta_publish(index, &publish);

	for (int i = 0; i < n; i++)
		free_segment(index, &merged[i]);
	IndexFreeSpaceMapVacuum(index);
	pfree(dropped);
}

/* Merge and publish. */
static void
merge_and_publish(Relation index, const AbstDirectory *directory,
				  const AbstSegmentInfo *chosen, int n)
{
	AbstSegmentInfo info;
	uint32		id = abst_meta_new_id(index);
	bool		any = abst_merge_segments(index, chosen, n,
										  directory->weights, id, &info);

	abst_publish_merge(index, chosen, n, any ? &info : NULL);
}

/* One merge if one is due; false if not. */
static bool
merge_step(Relation index, uint32 floor_id, uint64 budget_docs)
{
	AbstDirectory *directory = palloc(sizeof(AbstDirectory));
	AbstSegmentInfo *chosen;
	int			n;

	chosen = palloc(ABST_MAX_SEGMENTS * sizeof(AbstSegmentInfo));
	abst_meta_read(index, directory);
	n = abst_choose_segments(directory, floor_id, budget_docs, chosen);
	if (n > 0)
		merge_and_publish(index, directory, chosen, n);
	pfree(chosen);
	pfree(directory);
	return n > 0;
}

/*
 * Let the directory have room for some more segments; false if it has none.
 * The merges look after the pending list, so nothing that was read of it
 * before is true afterwards.
 */
static bool
make_room(Relation index, uint32 floor_id)
{
	AbstDirectory *directory = palloc(sizeof(AbstDirectory));
	int			nsegments;

	do
	{
		CHECK_FOR_INTERRUPTS();
		abst_meta_read(index, directory);
		nsegments = directory->nsegments;
	} while (nsegments > ABST_MAX_SEGMENTS - DIRECTORY_RESERVE / 2 &&
			 merge_step(index, floor_id, ABST_BREATHE_MERGE_DOCS));
	pfree(directory);
	return nsegments < ABST_MAX_SEGMENTS;
}

/* Could one more segment be added? */
static bool
has_room(Relation index)
{
	AbstDirectory *directory = palloc(sizeof(AbstDirectory));
	bool		room;

	abst_meta_read(index, directory);
	room = directory->nsegments < ABST_MAX_SEGMENTS;
	pfree(directory);
	return room;
}

/* ---- flush; the maintenance lock is held ---- */

static int
cmp_pending(const void *a, const void *b)
{
	return ItemPointerCompare(&(*(AbstPendingDoc *const *) a)->tid,
							  &(*(AbstPendingDoc *const *) b)->tid);
}

/* Hand one pending document to the inverter. */
static void
invert_pending(AbstInverter *inverter, AbstPendingDoc *pending,
			   AbstDocTerm **terms, int *maxterms)
{
	const char *at = NULL;
	AbstDoc		doc;

	if (pending->isnull)
	{
		abst_inverter_add(inverter, &pending->tid, NULL);
		return;
	}
	if (pending->nterms > *maxterms)
	{
		*maxterms = Max(pending->nterms, *maxterms * 2);
		if (*terms != NULL)
			pfree(*terms);
		*terms = palloc(*maxterms * sizeof(AbstDocTerm));
	}
	doc.lengths = pending->lengths;
	doc.norm = pending->norm;
	doc.nterms = 0;
	doc.terms = *terms;
	while (doc.nterms < pending->nterms &&
		   abst_pending_next_term(pending, &at, &doc.terms[doc.nterms]))
		doc.nterms++;
	abst_inverter_add(inverter, &pending->tid, &doc);
}

/*
 * Read the part of the pending list that "part" describes, sorted by TID,
 * into a new segment.  Returns the number of documents; no segment is written
 * for none.  Everything is in the current context.
 */
static uint64
invert_part(Relation index, const AbstDirectory *part, AbstSegmentInfo *info)
{
	AbstPendingWalk *walk = abst_pending_begin(index, part);
	AbstInverter *inverter;
	AbstPendingDoc pending;
	AbstPendingDoc **docs;
	uint32		n = 0;
	uint32		max = 1024;
	AbstDocTerm *terms = NULL;
	int			maxterms = 0;
	AbstRead	result;

	docs = palloc(max * sizeof(AbstPendingDoc *));
	while ((result = abst_pending_next(walk, &pending)) == ABST_READ_OK)
	{
		Size		size = pending.isnull ? 0 : pending.end - pending.terms;
		AbstPendingDoc *doc = palloc(sizeof(AbstPendingDoc) + size);
		char	   *copy = (char *) doc + sizeof(AbstPendingDoc);

		CHECK_FOR_INTERRUPTS();
		*doc = pending;
		if (size > 0)
			memcpy(copy, pending.terms, size);
		doc->terms = copy;
		doc->end = copy + size;
		if (n == max)
		{
			max *= 2;
			docs = repalloc_huge(docs, max * sizeof(AbstPendingDoc *));
		}
		docs[n++] = doc;
	}
	abst_pending_end(walk);
	if (result == ABST_READ_STALE)
		abst_page_corrupted(index, part->pending_head,
							"The pending list has a page of another owner.");

	qsort(docs, n, sizeof(AbstPendingDoc *), cmp_pending);
	inverter = abst_inverter_begin(index, part->weights,
								   abst_maintenance_budget() / 2, false);
	for (uint32 i = 0; i < n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		invert_pending(inverter, docs[i], &terms, &maxterms);
	}
	abst_inverter_finish(inverter, n > 0 ? abst_meta_new_id(index) : 0, info);
	return n;
}

/* Batch that a page of the list belongs to. */
static uint32
batch_of(Relation index, const AbstDirectory *sealed, BlockNumber block)
{
	AbstPageKind kind;
	uint32		owner;

	abst_page_peek(index, block, &kind, &owner);
	if (kind != ABST_PAGE_PENDING || owner < sealed->pending_first_id ||
		owner > sealed->pending_last_id)
		abst_page_corrupted(index, block,
							"The pending list has a page of another owner.");
	return owner;
}

/*
 * Write the pages first .. first + n - 1 of a sealed list to a segment, and
 * let the list begin behind them: at the next page, or at block "next" of
 * batch "next_id" after the last.  Returns the number of documents.
 */
static uint64
flush_part(Relation index, const AbstDirectory *sealed, const BlockList *list,
		   uint32 first, uint32 n, BlockNumber next, uint32 next_id)
{
	AbstDirectory *part = palloc(sizeof(AbstDirectory));
	uint32		last = first + n - 1;
	AbstSegmentInfo info;
	AbstPublish publish;
	uint64		ndocs;

	*part = *sealed;
	part->pending_head = list->blocks[first];
	part->pending_first_id = batch_of(index, sealed, list->blocks[first]);
	part->pending_tail = list->blocks[last];
	part->pending_last_id = batch_of(index, sealed, list->blocks[last]);
	part->pending_pages = n;
	ndocs = invert_part(index, part, &info);

	memset(&publish, 0, sizeof(publish));
	publish.added = ndocs > 0 ? &info : NULL;
	publish.flushed_pages = n;
	publish.flushed_head = next;
	publish.flushed_first_id = next_id;
	if (last + 1 < list->n)
	{
		publish.flushed_head = list->blocks[last + 1];
		publish.flushed_first_id = batch_of(index, sealed,
											publish.flushed_head);
	}
	abst_meta_publish(index, &publish);

	for (uint32 i = first; i <= last; i++)
	{
		AbstPageKind kind;
		uint32		owner;

		abst_page_peek(index, list->blocks[i], &kind, &owner);
		if (kind == ABST_PAGE_PENDING)
			abst_page_free(index, list->blocks[i], owner);
	}
	return ndocs;
}

/*
 * Flush what is in the list now, or its first "most_pages" (0: all).  It is
 * sealed first, so what is inserted meanwhile is not waited for; and it is
 * taken in parts that fit the memory, each of which becomes a segment and is
 * published.  Adds to *flushed the documents; returns false if a full
 * directory made it stop before the end.
 */
static bool
flush_locked(Relation index, uint32 floor_id, uint32 most_pages,
			 uint64 *flushed)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "abstracts flush",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext part_context = AllocSetContextCreate(context,
													   "abstracts flush part",
													   ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	AbstDirectory *sealed = palloc(sizeof(AbstDirectory));
	BlockNumber next;
	uint32		next_id;
	BlockList	list = {0};
	uint32		most;			/* pages in a part */
	uint32		end;			/* page to stop before */
	bool		complete = make_room(index, floor_id);

	/* Copies take up to twice their page, with pointers and all. */
	most = Max(ABST_PENDING_LIMIT, abst_maintenance_budget() / 4 / BLCKSZ);

	if (complete && abst_pending_seal(index, sealed, &next, &next_id))
	{
		if (abst_pending_blocks(index, sealed, collect_block, &list) ==
			ABST_READ_STALE)
			abst_page_corrupted(index, sealed->pending_head,
								"The pending list has a page of another owner.");

		if (most_pages > 0)
			most = end = Min(most_pages, list.n);
		else
			end = list.n;
		for (uint32 first = 0; first < end && complete; first += most)
		{
			uint32		n = Min(most, end - first);

			complete = has_room(index);
			if (!complete)
				break;
			MemoryContextSwitchTo(part_context);
			*flushed += flush_part(index, sealed, &list, first, n, next,
								   next_id);
			MemoryContextSwitchTo(context);
			MemoryContextReset(part_context);
		}
		IndexFreeSpaceMapVacuum(index);
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return complete;
}

/* ---- interface ---- */

uint64
abst_flush(Relation index)
{
	uint64		flushed = 0;

	abst_maintenance_lock(index, true);
	while (!flush_locked(index, 0, 0, &flushed))
		CHECK_FOR_INTERRUPTS();
	abst_maintenance_unlock(index);
	return flushed;
}

uint64
abst_flush_some(Relation index)
{
	uint64		flushed = 0;

	if (!abst_maintenance_lock(index, false))
		return 0;
	(void) flush_locked(index, 0, ABST_PENDING_LIMIT, &flushed);
	abst_maintenance_unlock(index);
	return flushed;
}

void
abst_breathe(Relation index, uint32 floor_id)
{
	AbstDirectory *directory = palloc(sizeof(AbstDirectory));
	uint64		flushed = 0;
	bool		due;

	abst_meta_read(index, directory);
	due = directory->pending_pages >= ABST_PENDING_LIMIT;
	pfree(directory);
	if (!due)
		return;
	(void) flush_locked(index, floor_id, 0, &flushed);
	while (merge_step(index, floor_id, ABST_BREATHE_MERGE_DOCS))
		CHECK_FOR_INTERRUPTS();
}

void
abst_insert_as_segment(Relation index, ItemPointer tid, const AbstDoc *doc)
{
	AbstDirectory *directory = palloc(sizeof(AbstDirectory));
	AbstInverter *inverter;
	AbstSegmentInfo info;
	AbstPublish publish;

	abst_maintenance_lock(index, true);
	if (!make_room(index, 0))
		elog(ERROR, "could not make room in the directory of segments");
	abst_meta_read(index, directory);
	inverter = abst_inverter_begin(index, directory->weights,
								   abst_maintenance_budget(), false);
	abst_inverter_add(inverter, tid, doc);
	abst_inverter_finish(inverter, abst_meta_new_id(index), &info);
	memset(&publish, 0, sizeof(publish));
	publish.added = &info;
	publish.flushed_head = InvalidBlockNumber;
	abst_meta_publish(index, &publish);
	abst_maintenance_unlock(index);
	pfree(directory);
}

/* Merge everything, if there is anything to gain. */
static bool
merge_all(Relation index)
{
	AbstDirectory *directory = palloc(sizeof(AbstDirectory));
	uint64		docs = 0;
	uint64		dead = 0;
	bool		due;

	abst_meta_read(index, directory);
	for (int i = 0; i < directory->nsegments; i++)
	{
		docs += live_docs(&directory->segments[i]);
		dead += directory->segments[i].ndead;
	}
	if (docs > ABST_MAX_DOCS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("index \"%s\" cannot hold more than %u rows in one segment",
						RelationGetRelationName(index), ABST_MAX_DOCS)));
	due = directory->nsegments > 1 || dead > 0;
	if (due)
		merge_and_publish(index, directory, directory->segments,
						  directory->nsegments);
	pfree(directory);
	return due;
}

int
abst_merge(Relation index, bool all)
{
	int			merges = 0;
	bool		more = true;

	/* The lock is let go between merges, for those who wait for it. */
	while (more)
	{
		abst_maintenance_lock(index, true);
		if (all)
			more = merge_all(index);
		else
			more = merge_step(index, 0, 0);
		abst_maintenance_unlock(index);
		if (more)
			merges++;
		if (all)
			break;
		CHECK_FOR_INTERRUPTS();
	}
	return merges;
}

int
abst_merge_dead(Relation index, double share)
{
	AbstDirectory *directory = palloc(sizeof(AbstDirectory));
	int			merges = 0;

	for (;;)
	{
		int			found = -1;

		abst_maintenance_lock(index, true);
		abst_meta_read(index, directory);
		for (int i = 0; i < directory->nsegments && found < 0; i++)
		{
			AbstSegmentInfo *info = &directory->segments[i];

			if (info->ndead > share * ((double) info->ndocs + info->nnulls))
				found = i;
		}
		if (found >= 0)
		{
			merge_and_publish(index, directory, &directory->segments[found],
							  1);
			merges++;
		}
		abst_maintenance_unlock(index);
		if (found < 0)
			break;
		CHECK_FOR_INTERRUPTS();
	}
	pfree(directory);
	return merges;
}
