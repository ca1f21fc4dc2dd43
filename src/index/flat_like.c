/*-------------------------------------------------------------------------
 *
 * flat_like.c
 *		Similarity of a LIKE plan: five sums for each document of the window.
 *
 * What a posting adds to the sums depends on its term and code alone; for the
 * codes that nearly all postings have this is computed once a segment.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "miscadmin.h"

#include "index/flat.h"
#include "rank/similarity.h"

#define KNOWN_CODES 4			/* codes of which the sums are known */

/* The five sums, a whole number of 16-byte vectors. */
typedef union LikeCell
{
	AbstLikeSums sums;
	double		number[6];
} LikeCell;

struct AbstFlatLike
{
	LikeCell   *cells;			/* of the window's documents; own_theirs is 0
								 * where untouched */
	double	   *mine;			/* of each plan term: f of the query */
	double	   *value;			/* of each code: f */
	LikeCell   *known;			/* KNOWN_CODES for each plan term */
};

void
abst_flat_like_create(AbstScan *scan)
{
	AbstFlatLike *like = palloc0(sizeof(AbstFlatLike));
	const AbstPlan *plan = scan->flat_state->plan;
	int			nterms = Max(plan->nterms, 1);

	like->cells = palloc0(sizeof(LikeCell) * scan->window);
	like->mine = palloc0(sizeof(double) * nterms);
	for (int t = 0; t < plan->nterms; t++)
		like->mine[t] = abst_like_frequency(plan->terms[t].tf);
	like->known = palloc_extended(sizeof(LikeCell) * KNOWN_CODES * nterms,
								  MCXT_ALLOC_HUGE);
	scan->norms = palloc0(sizeof(float4) * scan->window);
	scan->flat_state->like = like;
}

void
abst_flat_like_segment(AbstScan *scan)
{
	AbstFlatLike *like = scan->flat_state->like;
	const AbstPlan *plan = scan->flat_state->plan;

	/* in the segment's context, which outlives its windows */
	like->value = palloc_extended(sizeof(double) * Max(scan->ncodes, 1),
								  MCXT_ALLOC_HUGE);
	for (uint32 c = 0; c < scan->ncodes; c++)
		like->value[c] = abst_like_frequency(scan->codes[c]);

	memset(like->known, 0, sizeof(LikeCell) * KNOWN_CODES * plan->nterms);
	for (int t = 0; t < plan->nterms; t++)
		for (uint32 c = 0; c < KNOWN_CODES && c < scan->ncodes; c++)
			abst_like_add(&like->known[t * KNOWN_CODES + c].sums,
						  plan->terms[t].idf, like->mine[t], like->value[c]);
}

AbstRead
abst_flat_like_window(AbstScan *scan)
{
	return abst_segment_norms(scan->segment, scan->base, scan->size,
							  scan->norms);
}

AbstRead
abst_flat_like_add(AbstScan *scan, AbstCursor *cursor, int end)
{
	AbstFlat   *flat = scan->flat_state;
	AbstFlatLike *like = flat->like;
	const LikeCell *known = like->known + cursor->term * KNOWN_CODES;
	double		w = flat->plan->terms[cursor->term].idf;
	double		mine = like->mine[cursor->term];

	for (int p = cursor->pos; p < end; p++)
	{
		uint32		i = cursor->docids[p] - scan->base;
		uint32		code = cursor->codes[p];
		LikeCell   *cell = &like->cells[i];

		if (flat->listing)
		{
			flat->list[flat->nlist] = i;
			flat->nlist += (cell->sums.own_theirs == 0);
		}
		if (likely(code < KNOWN_CODES))
			for (int n = 0; n < 6; n++)
				cell->number[n] += known[code].number[n];
		else
			abst_like_add(&cell->sums, w, mine, like->value[code]);
	}
	return ABST_READ_OK;
}

/* Offer a document if it may be near enough, and empty its sums. */
static inline AbstRead
offer_cell(AbstScan *scan, uint32 i)
{
	AbstFlat   *flat = scan->flat_state;
	LikeCell   *cell = &flat->like->cells[i];
	AbstRead	result = ABST_READ_OK;

	if (flat->best == NULL ||
		abst_like_reaches(flat->plan, &cell->sums, scan->norms[i],
						  1.0 - flat->best->limit))
	{
		double		similarity = abst_like_similarity(flat->plan, &cell->sums,
													  scan->norms[i]);

		result = abst_flat_offer(scan, i,
								 abst_distance_of_score(flat->plan,
														similarity));
	}
	memset(cell, 0, sizeof(LikeCell));
	return result;
}

AbstRead
abst_flat_like_offer(AbstScan *scan)
{
	AbstFlat   *flat = scan->flat_state;
	AbstRead	result = ABST_READ_OK;

	if (flat->listing)
	{
		for (uint32 n = 0; n < flat->nlist && result == ABST_READ_OK; n++)
			result = offer_cell(scan, flat->list[n]);
		return result;
	}
	for (uint32 i = 0; i < scan->size && result == ABST_READ_OK; i++)
		if (flat->like->cells[i].sums.own_theirs != 0)
			result = offer_cell(scan, i);
	return result;
}
