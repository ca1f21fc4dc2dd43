/*-------------------------------------------------------------------------
 *
 * postings_cursor.h
 *		A cursor over postings from within, and its block directory.
 *
 * Private to postings.c and postings_directory.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_POSTINGS_CURSOR_H
#define ABST_INDEX_POSTINGS_CURSOR_H

#include "index/segment_impl.h"

/* Directory entries copied at a time. */
#define ABST_DIRECTORY_CHUNK 32

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

/*
 * Entry of the next block, and the docid before that block (or NO_DOCID).
 * The entry is valid until the next call.
 */
extern AbstRead abst_directory_next(AbstPostings *postings,
									const AbstDirEntry **entry,
									uint32 *previous);

/* Entry of the next block if it is in the chunk already, else NULL. */
static inline const AbstDirEntry *
abst_directory_at_hand(const AbstPostings *postings)
{
	uint32		at = postings->next - postings->first;

	return postings->next < postings->nblocks &&
		at < (uint32) postings->n ? &postings->chunk[at] : NULL;
}

/* Make the first block that ends at or after the target the next one. */
extern AbstRead abst_directory_seek(AbstPostings *postings, uint32 target);

/* What stands at the end of a term's directory run. */
extern AbstRead abst_directory_foot(AbstPostings *postings,
									AbstDirFoot *foot);

#endif							/* ABST_INDEX_POSTINGS_CURSOR_H */
