/*-------------------------------------------------------------------------
 *
 * flat_prune.c
 *		MaxScore for a flat search: light terms are not added up.
 *
 * Terms stand in the order of falling weight.  A part is weight * factor, and
 * no factor is above 1, so the weights of the terms from some place on add up
 * to what they can add to a score.  When that is less than what it takes to
 * be among the best, a document that has none of the terms before has no
 * chance, and of the others only those that are near enough: the rest of the
 * terms is looked up for these, in the same order, so that their scores are
 * the operator's.  (Turtle and Flood 1995; Dimopoulos, Nepomnyachiy and Suel
 * 2013.)
 *
 * Adding up a posting takes a few instructions, looking one up means to decode
 * its block.  So it is done only where the documents left are few: a sample
 * tells, whenever the rest has shrunk by half, whether the window is worth
 * sweeping for them.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "miscadmin.h"

#include "index/flat.h"

/* Postings that are added up in the time that one is looked up. */
#define LOOKUP_COST 300

/* Documents from which it is guessed how many have a chance. */
#define SAMPLE 512

/* Rounding: sums of parts against sums of weights. */
#define SLACK 1e-9

void
abst_flat_prune_begin(AbstScan *scan)
{
	AbstFlat   *flat = scan->flat_state;

	/* in the segment's context, as the cursors' order is its own */
	flat->rest = palloc0(sizeof(double) * (scan->ncursors + 1));
	for (int c = scan->ncursors - 1; c >= 0; c--)
		flat->rest[c] = flat->rest[c + 1] +
			flat->search->weight[scan->cursors[c].term];
}

/* Documents below "end" whose score is enough, into the list. */
static void
find_candidates(AbstScan *scan, uint32 end, double least)
{
	AbstFlat   *flat = scan->flat_state;
	const double *score = flat->search->score;

	flat->nlist = 0;
	for (uint32 first = 0; first < end; first += ABST_SCORE_GROUP)
	{
		if (!abst_scores_reach(score + first, least))
			continue;
		for (uint32 i = first; i < first + ABST_SCORE_GROUP; i++)
			if (score[i] >= least)
				flat->list[flat->nlist++] = i;
	}
}

/* Is it cheaper to look up this many documents than to add up what is left? */
static bool
is_cheaper(AbstScan *scan, int c, double ncandidates, double left)
{
	return ncandidates * (scan->ncursors - c) * LOOKUP_COST < left;
}

/* Postings that the cursors from c on have in a window, on average. */
static double
postings_left(AbstScan *scan, int c)
{
	double		df = 0;

	for (; c < scan->ncursors; c++)
		df += scan->cursors[c].df;
	return df * scan->size / scan->maxdoc;
}

/* Add a cursor's parts to the candidates; drop those without a chance. */
static AbstRead
look_up(AbstScan *scan, int c, double least)
{
	AbstFlat   *flat = scan->flat_state;
	AbstCursor *cursor = &scan->cursors[c];
	double	   *score = flat->search->score;
	uint32		kept = 0;
	int			nblocks = cursor->nblocks;
	AbstRead	result = ABST_READ_OK;

	cursor->nblocks = 1;
	for (uint32 n = 0; n < flat->nlist && result == ABST_READ_OK; n++)
	{
		uint32		i = flat->list[n];

		result = abst_cursor_catch_up(cursor, scan->base + i);
		if (cursor->n > 0 && result == ABST_READ_OK &&
			cursor->docids[cursor->pos] == scan->base + i)
			score[i] += abst_flat_search_part(scan, cursor,
											  cursor->codes[cursor->pos], i);
		if (score[i] + flat->rest[c + 1] >= least)
			flat->list[kept++] = i;
	}
	flat->nlist = kept;
	cursor->nblocks = nblocks;
	return result;
}

AbstRead
abst_flat_prune_window(AbstScan *scan, int c, double *tried, bool *done)
{
	AbstFlat   *flat = scan->flat_state;
	double		least = flat->search->least * (1 - SLACK);
	double		left;
	AbstRead	result = ABST_READ_OK;

	*done = false;
	if (!(flat->rest[c] < least) || flat->rest[c] > *tried / 2)
		return ABST_READ_OK;
	*tried = flat->rest[c];
	left = postings_left(scan, c);
	if (left > scan->size / 8)
	{
		find_candidates(scan, Min(SAMPLE, scan->size), least - flat->rest[c]);
		if (is_cheaper(scan, c, flat->nlist, left * SAMPLE / scan->size))
		{
			find_candidates(scan, scan->size, least - flat->rest[c]);
			*done = is_cheaper(scan, c, flat->nlist, left);
		}
	}
	if (!*done)
	{
		flat->nlist = 0;
		return ABST_READ_OK;
	}
	for (; c < scan->ncursors && flat->nlist > 0 && result == ABST_READ_OK;
		 c++)
		result = look_up(scan, c, least);
	return result;
}
