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

#if defined(__GNUC__) && !defined(ABST_NO_VECTORS)
#define TWO_LANES		__attribute__((vector_size(16), aligned(8)))
typedef TWO_LANES double v2d;
#define ABST_VECTORS
#endif

/* The five sums, and one to make them a whole number of 16-byte vectors. */
typedef union LikeCell
{
	AbstLikeSums sums;
	double		number[6];
#ifdef ABST_VECTORS
	v2d			pair[3];
#endif
} LikeCell;

struct AbstFlatLike
{
	LikeCell   *cells;			/* of the window's documents; own_theirs is 0
								 * where untouched */
	double	   *mine;			/* of each plan term: f of the query */
	double	   *value;			/* of each code: f */
	LikeCell   *known;			/* KNOWN_CODES for each plan term */
	double		mine_least;		/* S of the query is at least this */
};

static inline void
cell_add(LikeCell *cell, const LikeCell *part)
{
#ifdef ABST_VECTORS
	for (int n = 0; n < 3; n++)
		cell->pair[n] += part->pair[n];
#else
	for (int n = 0; n < 6; n++)
		cell->number[n] += part->number[n];
#endif
}

static inline void
cell_empty(LikeCell *cell)
{
	const LikeCell nothing = {.number = {0}};

	*cell = nothing;
}

void
abst_flat_like_create(AbstScan *scan)
{
	AbstFlatLike *like = palloc0(sizeof(AbstFlatLike));
	const AbstPlan *plan = scan->flat_state->plan;
	int			nterms = Max(plan->nterms, 1);

	like->cells = palloc0(sizeof(LikeCell) * scan->window);
	like->mine = palloc0(sizeof(double) * nterms);
	for (int t = 0; t < plan->nterms; t++)
	{
		like->mine[t] = abst_like_frequency(plan->terms[t].tf);
		like->mine_least += Min(plan->prior, plan->terms[t].idf) *
			like->mine[t] * like->mine[t];
	}
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

/* "listing" is a constant once this is inlined. */
static pg_attribute_always_inline void
add_postings(AbstScan *scan, const AbstCursor *cursor, int end,
			 const bool listing)
{
	AbstFlat   *flat = scan->flat_state;
	AbstFlatLike *like = flat->like;
	LikeCell   *cells = like->cells;
	const LikeCell *known = like->known + cursor->term * KNOWN_CODES;
	const double w = flat->plan->terms[cursor->term].idf;
	const double mine = like->mine[cursor->term];
	const uint32 base = scan->base;
	uint32	   *list = flat->list;
	uint32		nlist = flat->nlist;

	for (int p = cursor->pos; p < end; p++)
	{
		uint32		i = cursor->docids[p] - base;
		uint32		code = cursor->codes[p];
		LikeCell   *cell = &cells[i];

		if (listing)
		{
			list[nlist] = i;
			nlist += (cell->sums.own_theirs == 0);
		}
		if (likely(code < KNOWN_CODES))
			cell_add(cell, &known[code]);
		else
			abst_like_add(&cell->sums, w, mine, like->value[code]);
	}
	flat->nlist = nlist;
}

void
abst_flat_like_add(AbstScan *scan, AbstCursor *cursor, int end)
{
	if (scan->flat_state->listing)
		add_postings(scan, cursor, end, true);
	else
		add_postings(scan, cursor, end, false);
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
	cell_empty(cell);
	return result;
}

/*
 * A quick test that nearly all documents fail: with S of the query as small
 * as it can be, and of S of the document only what is not shared, is the
 * similarity high enough?  The factor is of the square; 0: it tells nothing.
 */
static inline double
quick_factor(const AbstFlat *flat)
{
	double		least = flat->best ? 1.0 - flat->best->limit : 0;

	if (!(least > 1e-6))
		return 0;
	return (1 - 1e-9) * least * least * flat->like->mine_least *
		flat->plan->prior;
}

static inline bool
passes_quickly(const LikeCell *cell, float4 norm, double factor)
{
	double		rest = norm - cell->sums.own_theirs;

	/* less than a half is rounding, see similarity.c */
	return rest < 0.5 ||
		cell->sums.dot * cell->sums.dot >= factor * rest;
}

static AbstRead
offer_all(AbstScan *scan)
{
	AbstFlat   *flat = scan->flat_state;
	LikeCell   *cells = flat->like->cells;
	double		factor = quick_factor(flat);
	AbstRead	result = ABST_READ_OK;

	for (uint32 i = 0; i < scan->size && result == ABST_READ_OK; i++)
	{
		if (!passes_quickly(&cells[i], scan->norms[i], factor))
			cell_empty(&cells[i]);
		else if (cells[i].sums.own_theirs != 0)
		{
			result = offer_cell(scan, i);
			factor = quick_factor(flat);
		}
	}
	return result;
}

AbstRead
abst_flat_like_offer(AbstScan *scan)
{
	AbstFlat   *flat = scan->flat_state;
	AbstRead	result = ABST_READ_OK;

	if (!flat->listing)
		return offer_all(scan);
	for (uint32 n = 0; n < flat->nlist && result == ABST_READ_OK; n++)
		result = offer_cell(scan, flat->list[n]);
	return result;
}
