/*-------------------------------------------------------------------------
 *
 * postings_directory.c
 *		The block directory of a term: next entry, search, foot.
 *
 * The entries of a term stand in consecutive slots over consecutive pages, so
 * that of any block is found by arithmetic.  A cursor copies a stretch of
 * them at a time; one page is locked at a time and no pin is kept.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "index/postings_cursor.h"
#include "miscadmin.h"

/* The entries of a term on one page of DIRECTORY, share-locked. */
typedef struct DirectoryPage
{
	Buffer		buffer;
	const AbstDirEntry *entries;	/* of blocks from .. to - 1 */
	uint32		from;
	uint32		to;
} DirectoryPage;

static void
pg_attribute_noreturn()
directory_corrupted(AbstPostings *postings, Buffer buffer)
{
	abst_page_corrupted(postings->segment->index, BufferGetBlockNumber(buffer),
						"A block directory cannot be read.");
}

/* Slot of a block's entry, counted over all pages of DIRECTORY. */
static inline uint64
slot_of(AbstPostings *postings, uint32 block)
{
	return (uint64) postings->page * ABST_SLOTS_PER_PAGE + postings->offset +
		block;
}

/*
 * Lock a page of DIRECTORY and find the term's entries on it.
 */
static AbstRead
lock_directory(AbstPostings *postings, uint32 page, DirectoryPage *view)
{
	uint64		start = slot_of(postings, 0);
	uint64		page_start = (uint64) page * ABST_SLOTS_PER_PAGE;
	uint32		slot;
	const uint8 *content;
	Size		size;
	AbstRead	read;

	CHECK_FOR_INTERRUPTS();
	read = abst_segment_page(postings->segment, ABST_AREA_DIRECTORY, page,
							 BUFFER_LOCK_SHARE, &view->buffer);
	if (read != ABST_READ_OK)
		return read;
	content = abst_buffer_content(view->buffer, &size);
	slot = start > page_start ? (uint32) (start - page_start) : 0;
	view->from = (uint32) (page_start + slot - start);
	view->to = (uint32) Min((uint64) postings->nblocks,
							page_start + ABST_SLOTS_PER_PAGE - start);
	if (view->from >= view->to ||
		(slot + view->to - view->from) * sizeof(AbstDirEntry) > size)
		directory_corrupted(postings, view->buffer);
	view->entries = (const AbstDirEntry *) content + slot;
	return ABST_READ_OK;
}

/*
 * Page of DIRECTORY with a block's entry.
 */
static inline uint32
directory_page_of(AbstPostings *postings, uint32 block)
{
	return (uint32) (slot_of(postings, block) / ABST_SLOTS_PER_PAGE);
}

/*
 * Copy entries from "block" on, which has one on the page.
 */
static void
copy_chunk(AbstPostings *postings, const DirectoryPage *view, uint32 block,
		   uint32 before)
{
	uint32		previous = before;

	postings->first = block;
	postings->n = (int) Min(view->to - block, ABST_DIRECTORY_CHUNK);
	postings->before = before;
	memcpy(postings->chunk, view->entries + (block - view->from),
		   postings->n * sizeof(AbstDirEntry));
	for (int i = 0; i < postings->n; i++)
	{
		uint32		last = postings->chunk[i].last_docid;

		if (last >= postings->segment->header->maxdoc ||
			(previous != ABST_CODEC_NO_DOCID && last <= previous))
		{
			postings->n = 0;
			directory_corrupted(postings, view->buffer);
		}
		previous = last;
	}
}

/*
 * Last docid of a block, from its entry.
 */
static AbstRead
last_docid_of(AbstPostings *postings, uint32 block, uint32 *docid)
{
	DirectoryPage view;
	AbstRead	read;

	read = lock_directory(postings, directory_page_of(postings, block), &view);
	if (read != ABST_READ_OK)
		return read;
	*docid = view.entries[block - view.from].last_docid;
	UnlockReleaseBuffer(view.buffer);
	return ABST_READ_OK;
}

/*
 * Let the chunk cover the next block; see the header.
 */
AbstRead
abst_directory_next(AbstPostings *postings, const AbstDirEntry **entry,
					uint32 *previous)
{
	uint32		block = postings->next;
	uint32		at = block - postings->first;

	if (block >= postings->nblocks)
		return ABST_READ_END;
	if (block < postings->first || at >= (uint32) postings->n)
	{
		DirectoryPage view;
		uint32		before = ABST_CODEC_NO_DOCID;
		AbstRead	read = ABST_READ_OK;

		if (block > 0 && postings->n > 0 &&
			block == postings->first + postings->n)
			before = postings->chunk[postings->n - 1].last_docid;
		else if (block > 0)
			read = last_docid_of(postings, block - 1, &before);
		if (read == ABST_READ_OK)
			read = lock_directory(postings,
								  directory_page_of(postings, block), &view);
		if (read != ABST_READ_OK)
			return read;
		copy_chunk(postings, &view, block, before);
		UnlockReleaseBuffer(view.buffer);
		at = 0;
	}
	*entry = &postings->chunk[at];
	*previous = at == 0 ? postings->before :
		postings->chunk[at - 1].last_docid;
	return ABST_READ_OK;
}

/*
 * First of n entries that ends at or after the target, n if none does.
 */
static uint32
search_entries(const AbstDirEntry *entries, uint32 n, uint32 target)
{
	uint32		low = 0;
	uint32		high = n;

	while (low < high)
	{
		uint32		middle = low + (high - low) / 2;

		if (entries[middle].last_docid < target)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Look for the target on one page of the run.  *found is the first block
 * there that ends at or after it, past the page's last block if none does.
 * If one does the chunk begins there, unless its predecessor is elsewhere.
 */
static AbstRead
search_page(AbstPostings *postings, uint32 page, uint32 target, uint32 *found,
			bool *hit)
{
	DirectoryPage view;
	uint32		at;
	AbstRead	read;

	read = lock_directory(postings, page, &view);
	if (read != ABST_READ_OK)
		return read;
	at = search_entries(view.entries, view.to - view.from, target);
	*found = view.from + at;
	*hit = *found < view.to;
	if (*hit && (at > 0 || view.from == 0))
		copy_chunk(postings, &view, *found,
				   at > 0 ? view.entries[at - 1].last_docid :
				   ABST_CODEC_NO_DOCID);
	UnlockReleaseBuffer(view.buffer);
	return ABST_READ_OK;
}

/*
 * Seek in a directory: the chunk at hand, then the page it came from, then
 * the rest of the run by halving.
 */
AbstRead
abst_directory_seek(AbstPostings *postings, uint32 target)
{
	uint32		low = directory_page_of(postings, 0);
	uint32		high = directory_page_of(postings, postings->nblocks - 1);
	uint32		block;
	bool		hit;
	AbstRead	read;

	if (postings->n > 0 &&
		(postings->before == ABST_CODEC_NO_DOCID || target > postings->before))
	{
		uint32		at = search_entries(postings->chunk, postings->n, target);

		if (at < (uint32) postings->n)
		{
			postings->next = postings->first + at;
			return ABST_READ_OK;
		}
		low = directory_page_of(postings, postings->first);
	}

	/* most often it is near; then a page halfway, until one is left */
	read = search_page(postings, low, target, &block, &hit);
	if (read != ABST_READ_OK)
		return read;
	if (!hit)
		low++;
	while (!hit && low < high)
	{
		uint32		middle = low + (high - low) / 2;

		read = search_page(postings, middle, target, &block, &hit);
		if (read != ABST_READ_OK)
			return read;
		if (!hit)
			low = middle + 1;
		else
		{
			/* the first of its page may not be the first of all */
			high = middle;
			hit = false;
		}
	}
	if (!hit && low <= high)
	{
		read = search_page(postings, low, target, &block, &hit);
		if (read != ABST_READ_OK)
			return read;
	}
	postings->next = hit ? block : postings->nblocks;
	return hit ? ABST_READ_OK : ABST_READ_END;
}

/*
 * The foot of the run; it does not straddle pages.
 */
AbstRead
abst_directory_foot(AbstPostings *postings, AbstDirFoot *foot)
{
	uint64		slot = slot_of(postings, postings->nblocks);
	uint32		page = (uint32) (slot / ABST_SLOTS_PER_PAGE);
	uint32		place = (uint32) (slot % ABST_SLOTS_PER_PAGE);
	Buffer		buffer;
	const uint8 *content;
	Size		size;
	AbstRead	read;

	if (place + ABST_FOOT_SLOTS > ABST_SLOTS_PER_PAGE)
	{
		page++;
		place = 0;
	}
	read = abst_segment_page(postings->segment, ABST_AREA_DIRECTORY, page,
							 BUFFER_LOCK_SHARE, &buffer);
	if (read != ABST_READ_OK)
		return read;
	content = abst_buffer_content(buffer, &size);
	if (place * sizeof(AbstDirEntry) + sizeof(AbstDirFoot) > size)
		directory_corrupted(postings, buffer);
	memcpy(foot, content + place * sizeof(AbstDirEntry), sizeof(AbstDirFoot));
	if (foot->nblocks != postings->nblocks || foot->df != postings->df ||
		foot->nbounds == 0 || foot->nbounds > ABST_MAX_IMPACTS)
		directory_corrupted(postings, buffer);
	UnlockReleaseBuffer(buffer);
	return ABST_READ_OK;
}
