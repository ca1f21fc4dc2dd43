/*-------------------------------------------------------------------------
 *
 * flat.c
 *		Evaluate one flat plan in a window, term by term.
 *
 * Each document of the window has an accumulator; the terms are added to it
 * one after the other, in term order.  That is the order, and these are the
 * double operations, of abst_score for a flat plan, so what an accumulator
 * holds at the end is the operator's score to the last bit.
 *
 * Lengths are read for the whole window where postings are dense, and one by
 * one where they are sparse.
 *
 *-------------------------------------------------------------------------
 */
#include "index/evaluate.h"

#include <math.h>

#include "miscadmin.h"
#include "port/pg_bitutils.h"

#define SEARCH_WINDOW 8192		/* 64 kB of doubles */
#define LIKE_WINDOW 2048		/* five sums each */

/* Documents per posting from which on lengths are read one by one. */
#define SPARSE 64

struct AbstFlat
{
	const AbstPlan *plan;
	bool		like;
	double	   *score;			/* SEARCH: accumulators */
	AbstLikeSums *sums;			/* LIKE: accumulators */
	double	   *saturation;		/* of the window's documents, where known */
	double	   *boost;			/* of each plan term; LIKE: f_mine */
	double	   *value;			/* of each code: weighted tf; LIKE: f */
	uint32		nvalues;		/* allocated */
	bool		dense;			/* in this segment */
};

uint32
abst_flat_window_size(AbstScan *scan)
{
	return scan->search->orders[0]->kind == ABST_PLAN_LIKE ? LIKE_WINDOW
		: SEARCH_WINDOW;
}

void
abst_flat_create(AbstScan *scan)
{
	AbstFlat   *flat = palloc0(sizeof(AbstFlat));
	const AbstPlan *plan = scan->search->orders[0];

	flat->plan = plan;
	flat->like = (plan->kind == ABST_PLAN_LIKE);
	flat->boost = palloc0(sizeof(double) * Max(plan->nterms, 1));
	if (flat->like)
	{
		flat->sums = palloc0(sizeof(AbstLikeSums) * scan->window);
		for (int t = 0; t < plan->nterms; t++)
			flat->boost[t] = abst_like_frequency(plan->terms[t].tf);
	}
	else
	{
		flat->score = palloc0(sizeof(double) * scan->window);
		flat->saturation = palloc(sizeof(double) * scan->window);
		for (int n = 0; n < plan->nnodes; n++)
			if (plan->nodes[n].kind == ABST_NODE_TERM)
				flat->boost[plan->nodes[n].term] = plan->nodes[n].boost;
	}
	scan->flat_state = flat;
}

/* A new segment: translate its codes once. */
void
abst_flat_begin(AbstScan *scan)
{
	AbstFlat   *flat = scan->flat_state;

	/* in the segment's context, which outlives its windows */
	flat->value = palloc_extended(sizeof(double) * Max(scan->ncodes, 1),
								  MCXT_ALLOC_HUGE);
	for (uint32 c = 0; c < scan->ncodes; c++)
		flat->value[c] = flat->like ? abst_like_frequency(scan->codes[c])
			: abst_weighted_tf(flat->plan, scan->codes[c]);
	flat->dense = scan->sum_df * SPARSE >= scan->maxdoc;
}

static inline double
saturation_of(const AbstPlan *plan, AbstLengths lengths)
{
	return plan->k_base + plan->k_slope * abst_weighted_length(plan, lengths);
}

/* Saturations of the whole window. */
static AbstRead
load_saturations(AbstScan *scan)
{
	AbstFlat   *flat = scan->flat_state;
	AbstRead	result;

	result = abst_segment_lengths(scan->segment, scan->base, scan->size,
								  scan->lengths);
	if (result != ABST_READ_OK)
		return result;
	for (uint32 i = 0; i < scan->size; i++)
		flat->saturation[i] = saturation_of(flat->plan, scan->lengths[i]);
	return ABST_READ_OK;
}

/* Saturation of one document, when it is touched for the first time. */
static AbstRead
load_saturation(AbstScan *scan, uint32 i)
{
	AbstFlat   *flat = scan->flat_state;
	AbstLengths lengths;
	AbstRead	result;

	result = abst_segment_lengths(scan->segment, scan->base + i, 1, &lengths);
	if (result == ABST_READ_OK)
		flat->saturation[i] = saturation_of(flat->plan, lengths);
	return result;
}

/* Add the postings pos .. end - 1 of the decoded block, all in the window. */
static AbstRead
add_search(AbstScan *scan, AbstCursor *cursor, int end)
{
	AbstFlat   *flat = scan->flat_state;
	double		idf = flat->plan->terms[cursor->term].idf;
	double		boost = flat->boost[cursor->term];

	for (int p = cursor->pos; p < end; p++)
	{
		uint32		i = cursor->docids[p] - scan->base;

		if (!abst_scan_bit(scan->touched, i))
		{
			abst_scan_set_bit(scan->touched, i);
			flat->score[i] = 0;
			if (!flat->dense)
			{
				AbstRead	result = load_saturation(scan, i);

				if (result != ABST_READ_OK)
					return result;
			}
		}
		flat->score[i] += boost * abst_bm25_part(idf,
												 flat->value[cursor->codes[p]],
												 flat->saturation[i]);
	}
	return ABST_READ_OK;
}

static AbstRead
add_like(AbstScan *scan, AbstCursor *cursor, int end)
{
	AbstFlat   *flat = scan->flat_state;
	double		w = flat->plan->terms[cursor->term].idf;
	double		f_mine = flat->boost[cursor->term];

	for (int p = cursor->pos; p < end; p++)
	{
		uint32		i = cursor->docids[p] - scan->base;

		if (!abst_scan_bit(scan->touched, i))
		{
			abst_scan_set_bit(scan->touched, i);
			memset(&flat->sums[i], 0, sizeof(AbstLikeSums));
		}
		abst_like_add(&flat->sums[i], w, f_mine,
					  flat->value[cursor->codes[p]]);
	}
	return ABST_READ_OK;
}

/* Add all postings of a term that lie in the window. */
static AbstRead
add_term(AbstScan *scan, AbstCursor *cursor)
{
	uint32		limit = scan->base + scan->size;

	while (cursor->pos < cursor->n && cursor->docids[cursor->pos] < limit)
	{
		int			end = cursor->n;
		AbstRead	result;

		if (cursor->docids[end - 1] >= limit)
			while (cursor->docids[end - 1] >= limit)
				end--;
		result = scan->flat_state->like ? add_like(scan, cursor, end)
			: add_search(scan, cursor, end);
		cursor->pos = end;
		if (result == ABST_READ_OK && end == cursor->n)
			result = abst_cursor_refill(cursor);
		if (result != ABST_READ_OK)
			return result;
	}
	return ABST_READ_OK;
}

static AbstRead
offer(AbstScan *scan, uint32 i, double score)
{
	float8		distance = abst_distance_of_score(scan->flat_state->plan,
												  score);

	if (!abst_scan_admits(scan, &distance, false) || abst_scan_dead(scan, i))
		return ABST_READ_OK;
	return abst_scan_row(scan, scan->base + i, &distance);
}

/* Offer the documents touched to the best k. */
static AbstRead
offer_touched(AbstScan *scan)
{
	AbstFlat   *flat = scan->flat_state;
	AbstRead	result = ABST_READ_OK;

	for (uint32 w = 0; w < scan->window / 64 && result == ABST_READ_OK; w++)
		for (uint64 left = scan->touched[w];
			 left != 0 && result == ABST_READ_OK; left &= left - 1)
		{
			uint32		i = w * 64 + pg_rightmost_one_pos64(left);

			result = offer(scan, i, flat->like ?
						   abst_like_similarity(flat->plan, &flat->sums[i],
												scan->norms[i]) :
						   flat->score[i]);
		}
	return result;
}

AbstRead
abst_flat_window(AbstScan *scan)
{
	AbstFlat   *flat = scan->flat_state;
	uint32		limit = scan->base + scan->size;
	bool		any = false;
	AbstRead	result = ABST_READ_OK;

	for (int c = 0; c < scan->ncursors && !any; c++)
		any = scan->cursors[c].pos < scan->cursors[c].n &&
			scan->cursors[c].docids[scan->cursors[c].pos] < limit;
	if (!any)
		return ABST_READ_OK;
	if (flat->like)
		result = abst_segment_norms(scan->segment, scan->base, scan->size,
									scan->norms);
	else if (flat->dense)
		result = load_saturations(scan);
	for (int c = 0; c < scan->ncursors && result == ABST_READ_OK; c++)
		result = add_term(scan, &scan->cursors[c]);
	if (result == ABST_READ_OK)
		result = offer_touched(scan);
	return result;
}
