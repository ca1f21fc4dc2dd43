/*-------------------------------------------------------------------------
 *
 * evaluate.h
 *		The state of one search pass, shared by its frame (search.c) and the
 *		two evaluators of a window (flat.c, tree.c).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_EVALUATE_H
#define ABST_INDEX_EVALUATE_H

#include "compat.h"
#include "index/search.h"
#include "index/segment.h"
#include "rank/score.h"

/* A term of a plan in a segment: the decoded postings it stands in. */
typedef struct AbstCursor
{
	int			plan;			/* which plan, which of its terms */
	int			term;
	uint32		df;				/* in the segment */
	AbstPostings *postings;
	int			n;				/* postings decoded; pos < n: not yet used */
	int			pos;
	int			nblocks;		/* blocks that there is room for */
	uint32		code_limit;		/* no code decoded is above this */
	uint32	   *docids;
	uint32	   *codes;
} AbstCursor;

#define ABST_CURSOR_BLOCKS 4	/* room of a cursor, memory permitting */

/* A plan of the search. */
typedef struct AbstPlanScan
{
	const AbstPlan *plan;
	int			first_column;	/* of its terms among all terms */
	AbstEvidence evidence;		/* all zero between documents */
	AbstDocTerm *lexemes;		/* its terms, for probing pending documents */
} AbstPlanScan;

typedef struct AbstFlat AbstFlat;
typedef struct AbstTree AbstTree;

/* Documents of the rest that are looked at together; most often few count. */
#define ABST_REST_WINDOW 1024

typedef struct AbstScan
{
	AbstSearch *search;
	MemoryContext context;		/* of the pass */
	int			nplans;
	AbstPlanScan *plans;
	int			ncolumns;		/* terms of all plans */
	bool		flat;
	AbstFlat   *flat_state;
	AbstTree   *tree_state;

	/* documents without any term */
	bool		rest_matches;
	float8		rest_distance[ABST_MAX_KEYS];
	bool		rest_done;		/* none of this segment can enter any more */
	ItemPointerData *rest_tids; /* of a window; NULL: not needed yet */
	bool	   *rest_isnull;

	/* the segment */
	AbstSegment *segment;
	uint32		maxdoc;
	uint32		nnulls;
	const AbstTf *codes;
	uint32		ncodes;
	int			ncursors;
	int			cursor_blocks;	/* room of each */
	AbstCursor *cursors;
	uint64		sum_df;

	/* the window: documents base .. base + size - 1 */
	uint32		done;			/* documents below this are done with */
	uint32		window;			/* largest size, a multiple of 64; windows
								 * begin at multiples of it */
	uint32		base;
	uint32		size;
	uint64	   *touched;		/* has a term; tree.c and the rest */
	uint64	   *dead;
	bool		any_dead;
	AbstLengths *lengths;		/* tree.c: create once a pass, begin for each
								 * segment */
	float4	   *norms;
	uint16	   *columns[ABST_NFIELDS];	/* flat.c: lengths that are not kept */
} AbstScan;

static inline bool
abst_scan_bit(const uint64 *words, uint32 i)
{
	return (words[i / 64] >> (i % 64)) & 1;
}

static inline void
abst_scan_set_bit(uint64 *words, uint32 i)
{
	words[i / 64] |= UINT64CONST(1) << (i % 64);
}

static inline bool
abst_scan_dead(const AbstScan *scan, uint32 i)
{
	return scan->any_dead && abst_scan_bit(scan->dead, i);
}

/* First decoded posting, from pos on, at or after a document; n if none. */
static inline int
abst_cursor_lower_bound(const AbstCursor *cursor, uint32 target)
{
	int			low = cursor->pos;
	int			high = cursor->n;

	while (low < high)
	{
		int			middle = low + (high - low) / 2;

		if (cursor->docids[middle] < target)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* search_rest.c: the documents that no term of the plans touches */
extern void abst_rest_judge(AbstScan *scan);
extern bool abst_rest_wanted(AbstScan *scan);
extern AbstRead abst_rest_segment(AbstScan *scan);

/* search.c */
extern AbstEvidence *abst_scan_evidence(AbstScan *scan, const AbstPlan *plan);
extern bool abst_scan_judge(AbstScan *scan, float8 *distance);
extern bool abst_scan_admits(AbstScan *scan, const float8 *distance,
							 bool isnull);
extern AbstRead abst_scan_lengths(AbstScan *scan, const uint16 **columns,
								  uint32 *longest);
extern AbstRead abst_scan_row(AbstScan *scan, uint32 docid,
							  const float8 *distance);

/*
 * Decode the next blocks of a term.  The decoder vouches for what it yields:
 * docids grow and lie in the segment, codes lie in its table.
 */
extern AbstRead abst_cursor_refill(AbstCursor *cursor);

/*
 * Move a cursor that was left behind to its first document at or after the
 * target; one that stands there already stays.
 */
extern AbstRead abst_cursor_catch_up(AbstCursor *cursor, uint32 target);

/* flat.c: create and finish once a pass, begin and end for each segment */
extern uint32 abst_flat_window_size(AbstScan *scan);
extern void abst_flat_create(AbstScan *scan);
extern AbstRead abst_flat_begin(AbstScan *scan);
extern AbstRead abst_flat_window(AbstScan *scan);
extern AbstRead abst_flat_end(AbstScan *scan);
extern void abst_flat_finish(AbstScan *scan);

/* tree.c: create once a pass, begin for each segment */
extern uint32 abst_tree_window_size(AbstScan *scan);
extern void abst_tree_create(AbstScan *scan);
extern void abst_tree_begin(AbstScan *scan);
extern AbstRead abst_tree_window(AbstScan *scan);

#endif							/* ABST_INDEX_EVALUATE_H */
