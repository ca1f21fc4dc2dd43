/*-------------------------------------------------------------------------
 *
 * postings.c
 *		Reading postings: a cursor over the blocks of one term.
 *
 * A term of few documents, or of one block, is decoded whole when it is first
 * asked for.  Else the cursor copies a stretch of the block directory at a
 * time and decodes blocks straight from their page, which it keeps pinned
 * from one block to the next but locks only while it decodes; each time it
 * sees that the page still belongs to the segment.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "index/segment_impl.h"
#include "miscadmin.h"

/* Directory entries copied at a time. */
#define CHUNK 32

struct AbstPostings
{
	AbstSegment *segment;
	AbstTermForm form;
	uint32		df;
	uint32		page;			/* as in the dictionary */
	uint16		offset;
	uint32		nblocks;
	uint32		next;			/* block that comes next */

	/* inline and single block: everything, once loaded */
	bool		loaded;
	bool		bounded;		/* bounds are known as well */
	int			nbounds;
	AbstBound	bounds[ABST_MAX_IMPACTS];
	uint32	   *docids;
	uint32	   *codes;

	/* directory: entries first .. first + n - 1 */
	uint32		first;
	int			n;
	uint32		before;			/* last docid before them, or NO_DOCID */
	AbstDirEntry *chunk;

	/* the pinned page of POSTINGS */
	Buffer		buffer;
	uint32		buffer_page;
};

static void pg_attribute_noreturn()
postings_corrupted(AbstPostings *postings, Buffer buffer)
{
	abst_page_corrupted(postings->segment->index, BufferGetBlockNumber(buffer),
						"A block of postings cannot be read.");
}

static void pg_attribute_noreturn()
directory_corrupted(AbstPostings *postings, Buffer buffer)
{
	abst_page_corrupted(postings->segment->index, BufferGetBlockNumber(buffer),
						"A block directory cannot be read.");
}

AbstPostings *
abst_postings_begin(AbstSegment *segment, const AbstTermInfo *info)
{
	AbstPostings *postings = palloc0(sizeof(AbstPostings));
	int			room;

	postings->segment = segment;
	postings->form = (AbstTermForm) info->form;
	postings->df = info->df;
	postings->page = info->page;
	postings->offset = info->offset;
	postings->buffer = InvalidBuffer;

	if (info->df > segment->header.maxdoc - segment->header.nnulls)
		abst_segment_corrupted(segment, "A term has more postings than there are documents.");
	if (postings->form == ABST_FORM_DIRECTORY)
	{
		postings->nblocks = (info->df + ABST_BLOCK_SIZE - 1) / ABST_BLOCK_SIZE;
		postings->chunk = palloc(CHUNK * sizeof(AbstDirEntry));
		return postings;
	}

	postings->nblocks = 1;
	room = postings->form == ABST_FORM_INLINE ? ABST_INLINE_MAX_DF :
		ABST_BLOCK_SIZE;
	postings->docids = palloc(2 * room * sizeof(uint32));
	postings->codes = postings->docids + room;
	if (postings->form == ABST_FORM_INLINE)
	{
		AbstBlockLimits limits;

		limits.previous = ABST_CODEC_NO_DOCID;
		limits.maxdoc = segment->header.maxdoc;
		limits.ncodes = segment->header.ncodes;
		if (info->df > ABST_INLINE_MAX_DF ||
			!abst_inline_decode(info->inline_bytes, info->inline_len, &limits,
								(int) info->df, postings->docids,
								postings->codes))
			abst_segment_corrupted(segment, "Postings in the dictionary cannot be read.");
		postings->loaded = true;
	}
	return postings;
}

void
abst_postings_end(AbstPostings *postings)
{
	if (BufferIsValid(postings->buffer))
		ReleaseBuffer(postings->buffer);
	if (postings->docids != NULL)
		pfree(postings->docids);
	if (postings->chunk != NULL)
		pfree(postings->chunk);
	pfree(postings);
}

/* ---- one block or less ---- */

/*
 * Decode the single block.
 */
static AbstRead
load_single(AbstPostings *postings)
{
	AbstSegment *segment = postings->segment;
	AbstBlockLimits limits;
	AbstBlockHead head;
	Buffer		buffer;
	const uint8 *content;
	Size		size;
	AbstRead	read;

	if (postings->loaded)
		return ABST_READ_OK;
	CHECK_FOR_INTERRUPTS();
	read = abst_segment_page(segment, ABST_AREA_POSTINGS, postings->page,
							 BUFFER_LOCK_SHARE, &buffer);
	if (read != ABST_READ_OK)
		return read;
	content = abst_buffer_content(buffer, &size);

	limits.previous = ABST_CODEC_NO_DOCID;
	limits.maxdoc = segment->header.maxdoc;
	limits.ncodes = segment->header.ncodes;
	if (postings->offset >= size ||
		!abst_block_head(content + postings->offset, content + size, &head) ||
		head.n != (int) postings->df || head.nbounds == 0 ||
		!abst_block_decode(content + postings->offset, &head, &limits,
						   postings->docids, postings->codes))
		postings_corrupted(postings, buffer);
	postings->nbounds = head.nbounds;
	memcpy(postings->bounds, abst_block_bounds(content + postings->offset),
		   head.nbounds * sizeof(AbstBound));
	UnlockReleaseBuffer(buffer);
	postings->loaded = true;
	postings->bounded = true;
	return ABST_READ_OK;
}

/*
 * Bounds of postings in the dictionary stand nowhere: make them just as the
 * writer makes those of a block.
 */
static AbstRead
bound_inline(AbstPostings *postings)
{
	AbstSegment *segment = postings->segment;
	const uint16 *code_bounds = abst_segment_code_bounds(segment);
	AbstFront	front;

	abst_front_init(&front);
	for (uint32 i = 0; i < postings->df; i++)
	{
		AbstLengths lengths;
		AbstBound	point;
		AbstRead	read;

		read = abst_segment_lengths(segment, postings->docids[i], 1, &lengths);
		if (read != ABST_READ_OK)
			return read;
		point.wtf = code_bounds[postings->codes[i]];
		point.wlen = abst_bound_of_lengths(&segment->weighting, lengths);
		abst_front_add(&front, point);
	}
	abst_front_thin(&front, ABST_MAX_IMPACTS);
	postings->nbounds = front.n;
	memcpy(postings->bounds, front.points, front.n * sizeof(AbstBound));
	postings->bounded = true;
	return ABST_READ_OK;
}

/*
 * Load postings and bounds of a term without a directory.
 */
static AbstRead
load_bounds(AbstPostings *postings)
{
	AbstRead	read = load_single(postings);

	if (read == ABST_READ_OK && !postings->bounded)
		read = bound_inline(postings);
	return read;
}

/* ---- the block directory ---- */

/* Slot of a block's entry, counted over all pages of DIRECTORY. */
static inline uint64
slot_of(AbstPostings *postings, uint32 block)
{
	return (uint64) postings->page * ABST_SLOTS_PER_PAGE + postings->offset +
		block;
}

/*
 * A page of DIRECTORY, share-locked, and the blocks from .. to - 1 whose
 * entries stand there; *entries is that of "from".
 */
static AbstRead
directory_page(AbstPostings *postings, uint32 page, Buffer *buffer,
			   const AbstDirEntry **entries, uint32 *from, uint32 *to)
{
	uint64		start = slot_of(postings, 0);
	uint64		page_start = (uint64) page * ABST_SLOTS_PER_PAGE;
	uint32		slot;
	const uint8 *content;
	Size		size;
	AbstRead	read;

	CHECK_FOR_INTERRUPTS();
	read = abst_segment_page(postings->segment, ABST_AREA_DIRECTORY, page,
							 BUFFER_LOCK_SHARE, buffer);
	if (read != ABST_READ_OK)
		return read;
	content = abst_buffer_content(*buffer, &size);
	slot = start > page_start ? (uint32) (start - page_start) : 0;
	*from = (uint32) (page_start + slot - start);
	*to = (uint32) Min((uint64) postings->nblocks,
					   page_start + ABST_SLOTS_PER_PAGE - start);
	if (*from >= *to || (slot + *to - *from) * sizeof(AbstDirEntry) > size)
		directory_corrupted(postings, *buffer);
	*entries = (const AbstDirEntry *) content + slot;
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
 * Copy entries from "block" on, which is among "entries".
 */
static void
copy_chunk(AbstPostings *postings, Buffer buffer, const AbstDirEntry *entries,
		   uint32 from, uint32 to, uint32 block, uint32 before)
{
	uint32		previous = before;

	postings->first = block;
	postings->n = (int) Min(to - block, CHUNK);
	postings->before = before;
	memcpy(postings->chunk, entries + (block - from),
		   postings->n * sizeof(AbstDirEntry));
	for (int i = 0; i < postings->n; i++)
	{
		uint32		last = postings->chunk[i].last_docid;

		if (last >= postings->segment->header.maxdoc ||
			(previous != ABST_CODEC_NO_DOCID && last <= previous))
		{
			postings->n = 0;
			directory_corrupted(postings, buffer);
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
	Buffer		buffer;
	const AbstDirEntry *entries;
	uint32		from;
	uint32		to;
	AbstRead	read;

	read = directory_page(postings, directory_page_of(postings, block),
						  &buffer, &entries, &from, &to);
	if (read != ABST_READ_OK)
		return read;
	*docid = entries[block - from].last_docid;
	UnlockReleaseBuffer(buffer);
	return ABST_READ_OK;
}

/*
 * Let the chunk cover the next block.  *entry is its entry, *previous the
 * docid before it.
 */
static AbstRead
next_entry(AbstPostings *postings, const AbstDirEntry **entry,
		   uint32 *previous)
{
	uint32		block = postings->next;
	uint32		at = block - postings->first;

	if (block >= postings->nblocks)
		return ABST_READ_END;
	if (block < postings->first || at >= (uint32) postings->n)
	{
		Buffer		buffer;
		const AbstDirEntry *entries;
		uint32		from;
		uint32		to;
		uint32		before = ABST_CODEC_NO_DOCID;
		AbstRead	read = ABST_READ_OK;

		if (block > 0 && postings->n > 0 &&
			block == postings->first + postings->n)
			before = postings->chunk[postings->n - 1].last_docid;
		else if (block > 0)
			read = last_docid_of(postings, block - 1, &before);
		if (read == ABST_READ_OK)
			read = directory_page(postings, directory_page_of(postings, block),
								  &buffer, &entries, &from, &to);
		if (read != ABST_READ_OK)
			return read;
		copy_chunk(postings, buffer, entries, from, to, block, before);
		UnlockReleaseBuffer(buffer);
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
	Buffer		buffer;
	const AbstDirEntry *entries;
	uint32		from;
	uint32		to;
	uint32		at;
	AbstRead	read;

	read = directory_page(postings, page, &buffer, &entries, &from, &to);
	if (read != ABST_READ_OK)
		return read;
	at = search_entries(entries, to - from, target);
	*found = from + at;
	*hit = *found < to;
	if (*hit && (at > 0 || from == 0))
		copy_chunk(postings, buffer, entries, from, to, *found,
				   at > 0 ? entries[at - 1].last_docid : ABST_CODEC_NO_DOCID);
	UnlockReleaseBuffer(buffer);
	return ABST_READ_OK;
}

/*
 * Seek in a directory: the chunk at hand, then the page it came from, then
 * the rest of the run by halving.
 */
static AbstRead
seek_directory(AbstPostings *postings, uint32 target)
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

/* ---- the cursor ---- */

AbstRead
abst_postings_seek(AbstPostings *postings, uint32 target)
{
	AbstRead	read;

	if (postings->form == ABST_FORM_DIRECTORY)
		return seek_directory(postings, target);
	read = load_single(postings);
	if (read != ABST_READ_OK)
		return read;
	postings->next = postings->docids[postings->df - 1] < target ? 1 : 0;
	return postings->next == 0 ? ABST_READ_OK : ABST_READ_END;
}

AbstRead
abst_postings_peek(AbstPostings *postings, uint32 *last_docid)
{
	const AbstDirEntry *entry;
	uint32		previous;
	AbstRead	read;

	if (postings->next >= postings->nblocks)
		return ABST_READ_END;
	if (postings->form == ABST_FORM_DIRECTORY)
	{
		read = next_entry(postings, &entry, &previous);
		if (read == ABST_READ_OK)
			*last_docid = entry->last_docid;
	}
	else
	{
		read = load_single(postings);
		if (read == ABST_READ_OK)
			*last_docid = postings->docids[postings->df - 1];
	}
	return read;
}

/*
 * Lock the page of a block, pinning it first if another one is pinned.
 */
static AbstRead
lock_block(AbstPostings *postings, const AbstDirEntry *entry)
{
	AbstSegment *segment = postings->segment;
	AbstRead	read;

	if (BufferIsValid(postings->buffer))
	{
		if (postings->buffer_page == entry->page)
			return abst_page_relock(postings->buffer, BUFFER_LOCK_SHARE,
									ABST_PAGE_DATA, segment->info.id) ?
				ABST_READ_OK : ABST_READ_STALE;
		ReleaseBuffer(postings->buffer);
		postings->buffer = InvalidBuffer;
	}
	CHECK_FOR_INTERRUPTS();
	read = abst_segment_page(segment, ABST_AREA_POSTINGS, entry->page,
							 BUFFER_LOCK_SHARE, &postings->buffer);
	if (read != ABST_READ_OK)
		postings->buffer = InvalidBuffer;
	postings->buffer_page = entry->page;
	return read;
}

/*
 * The next block on its locked page, its head taken apart.
 */
static const uint8 *
block_at(AbstPostings *postings, const AbstDirEntry *entry,
		 AbstBlockHead *head)
{
	Size		size;
	const uint8 *content = abst_buffer_content(postings->buffer, &size);
	uint32		n = postings->next + 1 < postings->nblocks ? ABST_BLOCK_SIZE :
		postings->df - postings->next * ABST_BLOCK_SIZE;

	if (entry->offset >= size ||
		!abst_block_head(content + entry->offset, content + size, head) ||
		head->nbytes != entry->nbytes || head->n != (int) n ||
		head->nbounds == 0)
		postings_corrupted(postings, postings->buffer);
	return content + entry->offset;
}

AbstRead
abst_postings_next(AbstPostings *postings, uint32 *docids, uint32 *codes,
				   int *n)
{
	AbstBlockLimits limits;
	AbstBlockHead head;
	const AbstDirEntry *entry;
	const uint8 *block;
	AbstRead	read;

	if (postings->next >= postings->nblocks)
		return ABST_READ_END;
	if (postings->form != ABST_FORM_DIRECTORY)
	{
		read = load_single(postings);
		if (read != ABST_READ_OK)
			return read;
		memcpy(docids, postings->docids, postings->df * sizeof(uint32));
		memcpy(codes, postings->codes, postings->df * sizeof(uint32));
		*n = (int) postings->df;
		postings->next = 1;
		return ABST_READ_OK;
	}

	read = next_entry(postings, &entry, &limits.previous);
	if (read == ABST_READ_OK)
		read = lock_block(postings, entry);
	if (read != ABST_READ_OK)
		return read;
	block = block_at(postings, entry, &head);
	limits.maxdoc = postings->segment->header.maxdoc;
	limits.ncodes = postings->segment->header.ncodes;
	if (!abst_block_decode(block, &head, &limits, docids, codes) ||
		docids[head.n - 1] != entry->last_docid)
		postings_corrupted(postings, postings->buffer);
	LockBuffer(postings->buffer, BUFFER_LOCK_UNLOCK);
	*n = head.n;
	postings->next++;
	return ABST_READ_OK;
}

/* ---- bounds ---- */

AbstRead
abst_postings_block_bound(AbstPostings *postings, AbstImpact *bound)
{
	const AbstDirEntry *entry;
	uint32		previous;
	AbstRead	read;

	if (postings->next >= postings->nblocks)
		return ABST_READ_END;
	if (postings->form == ABST_FORM_DIRECTORY)
	{
		read = next_entry(postings, &entry, &previous);
		if (read == ABST_READ_OK)
		{
			bound->wtf = abst_bound_value(entry->max_wtf);
			bound->wlen = abst_bound_value(entry->min_wlen);
		}
		return read;
	}
	read = load_bounds(postings);
	if (read == ABST_READ_OK)
	{
		bound->wtf = abst_bound_value(postings->bounds[postings->nbounds - 1].wtf);
		bound->wlen = abst_bound_value(postings->bounds[0].wlen);
	}
	return read;
}

AbstRead
abst_postings_block_impacts(AbstPostings *postings, AbstImpact *impacts,
							int *n)
{
	AbstBound	bounds[ABST_MAX_IMPACTS];
	AbstBlockHead head;
	const AbstDirEntry *entry;
	const uint8 *block;
	uint32		previous;
	AbstRead	read;

	if (postings->next >= postings->nblocks)
		return ABST_READ_END;
	if (postings->form != ABST_FORM_DIRECTORY)
		return abst_postings_list_impacts(postings, impacts, n);

	read = next_entry(postings, &entry, &previous);
	if (read == ABST_READ_OK)
		read = lock_block(postings, entry);
	if (read != ABST_READ_OK)
		return read;
	block = block_at(postings, entry, &head);
	*n = head.nbounds;
	memcpy(bounds, abst_block_bounds(block), *n * sizeof(AbstBound));
	LockBuffer(postings->buffer, BUFFER_LOCK_UNLOCK);
	abst_front_impacts(bounds, *n, impacts);
	return ABST_READ_OK;
}

/*
 * The foot of the run; it does not straddle pages.
 */
static AbstRead
read_foot(AbstPostings *postings, AbstDirFoot *foot)
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

AbstRead
abst_postings_list_impacts(AbstPostings *postings, AbstImpact *impacts, int *n)
{
	AbstDirFoot foot;
	AbstRead	read;

	if (postings->form == ABST_FORM_DIRECTORY)
	{
		read = read_foot(postings, &foot);
		if (read == ABST_READ_OK)
		{
			*n = foot.nbounds;
			abst_front_impacts(foot.bounds, *n, impacts);
		}
		return read;
	}
	read = load_bounds(postings);
	if (read == ABST_READ_OK)
	{
		*n = postings->nbounds;
		abst_front_impacts(postings->bounds, *n, impacts);
	}
	return read;
}

AbstRead
abst_postings_last(AbstPostings *postings, uint32 *last_docid)
{
	AbstDirFoot foot;
	AbstRead	read;

	if (postings->form == ABST_FORM_DIRECTORY)
	{
		read = read_foot(postings, &foot);
		if (read == ABST_READ_OK)
			*last_docid = foot.last_docid;
		return read;
	}
	read = load_single(postings);
	if (read == ABST_READ_OK)
		*last_docid = postings->docids[postings->df - 1];
	return read;
}
