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

#include "index/postings_cursor.h"
#include "miscadmin.h"

static void
pg_attribute_noreturn()
postings_corrupted(AbstPostings *postings, Buffer buffer)
{
	abst_page_corrupted(postings->segment->index, BufferGetBlockNumber(buffer),
						"A block of postings cannot be read.");
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

	if (info->df > segment->header->maxdoc - segment->header->nnulls)
		abst_segment_corrupted(segment, "A term has more postings than there are documents.");
	if (postings->form == ABST_FORM_DIRECTORY)
	{
		postings->nblocks = (info->df + ABST_BLOCK_SIZE - 1) / ABST_BLOCK_SIZE;
		postings->chunk = palloc(ABST_DIRECTORY_CHUNK * sizeof(AbstDirEntry));
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
		limits.maxdoc = segment->header->maxdoc;
		limits.ncodes = segment->header->ncodes;
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
	limits.maxdoc = segment->header->maxdoc;
	limits.ncodes = segment->header->ncodes;
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

/* ---- the cursor ---- */

AbstRead
abst_postings_seek(AbstPostings *postings, uint32 target)
{
	AbstRead	read;

	if (postings->form == ABST_FORM_DIRECTORY)
		return abst_directory_seek(postings, target);
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
		read = abst_directory_next(postings, &entry, &previous);
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
			return abst_segment_relock(segment, ABST_AREA_POSTINGS,
									   entry->page, postings->buffer);
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

/*
 * Decode the next block from its locked page.
 */
static int
decode_block(AbstPostings *postings, const AbstDirEntry *entry,
			 uint32 previous, uint32 *docids, uint32 *codes,
			 uint32 *code_limit)
{
	AbstBlockLimits limits;
	AbstBlockHead head;
	const uint8 *block = block_at(postings, entry, &head);

	limits.previous = previous;
	limits.maxdoc = postings->segment->header->maxdoc;
	limits.ncodes = postings->segment->header->ncodes;
	if (!abst_block_decode(block, &head, &limits, docids, codes) ||
		docids[head.n - 1] != entry->last_docid)
		postings_corrupted(postings, postings->buffer);
	postings->next++;
	*code_limit = Max(*code_limit, head.code_limit);
	return head.n;
}

AbstRead
abst_postings_fill(AbstPostings *postings, uint32 *docids, uint32 *codes,
				   int nblocks, int *n, uint32 *code_limit)
{
	const AbstDirEntry *entry;
	uint32		previous;
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
		*code_limit = PG_UINT32_MAX;
		postings->next = 1;
		return ABST_READ_OK;
	}

	read = abst_directory_next(postings, &entry, &previous);
	if (read == ABST_READ_OK)
		read = lock_block(postings, entry);
	if (read != ABST_READ_OK)
		return read;
	*n = 0;
	*code_limit = 0;
	do
	{
		*n += decode_block(postings, entry, previous, docids + *n, codes + *n,
						   code_limit);
		previous = entry->last_docid;
		entry = abst_directory_at_hand(postings);
	} while (--nblocks > 0 && entry != NULL &&
			 entry->page == postings->buffer_page);
	LockBuffer(postings->buffer, BUFFER_LOCK_UNLOCK);
	return ABST_READ_OK;
}

AbstRead
abst_postings_next(AbstPostings *postings, uint32 *docids, uint32 *codes,
				   int *n)
{
	uint32		code_limit;

	return abst_postings_fill(postings, docids, codes, 1, n, &code_limit);
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
		read = abst_directory_next(postings, &entry, &previous);
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

	read = abst_directory_next(postings, &entry, &previous);
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

AbstRead
abst_postings_list_impacts(AbstPostings *postings, AbstImpact *impacts, int *n)
{
	AbstDirFoot foot;
	AbstRead	read;

	if (postings->form == ABST_FORM_DIRECTORY)
	{
		read = abst_directory_foot(postings, &foot);
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
		read = abst_directory_foot(postings, &foot);
		if (read == ABST_READ_OK)
			*last_docid = foot.last_docid;
		return read;
	}
	read = load_single(postings);
	if (read == ABST_READ_OK)
		*last_docid = postings->docids[postings->df - 1];
	return read;
}
