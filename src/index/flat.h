/*-------------------------------------------------------------------------
 *
 * flat.h
 *		Flat plans, evaluated term by term: the frame and its two kernels.
 *
 * Private to flat.c, flat_search.c, flat_like.c and flat_prune.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_FLAT_H
#define ABST_INDEX_FLAT_H

#include "index/best.h"
#include "index/evaluate.h"

typedef struct AbstFlatLike AbstFlatLike;

/* How documents that may be among the best are found, see flat_search.c. */
typedef enum SearchMode
{
	LISTING,
	SWEEPING,
	CROSSING
} SearchMode;

#define ABST_TABLE_CODES 16		/* codes with a row; a power of two */

typedef struct AbstFlatSearch
{
	double	   *score;			/* of the window's documents, or empty */
	uint64		empty;			/* bits of an empty accumulator */
	SearchMode	mode;			/* in this window */
	double		least;			/* CROSSING: the score to reach */
	double	   *weight;			/* of each plan term: boost * idf */
	double	   *value;			/* of each code: weighted frequency */
	int			nfields;		/* fields with a length and a weight */
	double		field_weight[ABST_NFIELDS];
	const uint16 *length[ABST_NFIELDS]; /* of the window's documents */

	/* codes below this (a power of two, or 0) have a row in the table */
	uint32		table_codes;
	uint32		row[ABST_TABLE_CODES];
	bool		use_table;		/* in this window */
} AbstFlatSearch;

struct AbstFlat
{
	const AbstPlan *plan;
	AbstBest   *best;			/* NULL: every document touched is wanted */
	bool		listing;		/* few postings: list the documents touched
								 * instead of looking at all */
	bool		dense;			/* more postings than documents */
	uint32	   *list;			/* window-relative */
	uint32		nlist;
	int		   *rank;			/* SEARCH: place of a term in the order */
	double	   *rest;			/* SEARCH: what the terms of cursor c and all
								 * after it can add at most */
	AbstFlatSearch *search;		/* one of the two */
	AbstFlatLike *like;
};

/*
 * A kernel: accumulators for a window, all empty between windows.
 *
 * add: take in postings pos .. end - 1 of the cursor's block, which lie in the
 * window.  offer: hand the documents touched to abst_flat_offer and empty
 * their accumulators.  finish: the pass went well to its end.
 */
extern void abst_flat_search_create(AbstScan *scan);
extern void abst_flat_search_segment(AbstScan *scan);
extern AbstRead abst_flat_search_window(AbstScan *scan);
extern void abst_flat_search_add(AbstScan *scan, AbstCursor *cursor, int end);
extern AbstRead abst_flat_search_offer(AbstScan *scan);
extern void abst_flat_search_finish(void);

/* The part of one posting. */
extern double abst_flat_search_part(AbstScan *scan, const AbstCursor *cursor,
									uint32 code, uint32 i);

extern void abst_flat_like_create(AbstScan *scan);
extern void abst_flat_like_segment(AbstScan *scan);
extern AbstRead abst_flat_like_window(AbstScan *scan);
extern void abst_flat_like_add(AbstScan *scan, AbstCursor *cursor, int end);
extern AbstRead abst_flat_like_offer(AbstScan *scan);

/*
 * flat_prune.c: leave light terms to the documents that still have a chance.
 * begin: a segment whose cursors are in the plan's order.  window: may the
 * terms from cursor c on be left to few documents of the window?  Then adds
 * their parts to those, which it lists, and says yes.
 */
extern void abst_flat_prune_begin(AbstScan *scan);
extern AbstRead abst_flat_prune_window(AbstScan *scan, int c, double *tried,
									   bool *done);

/* Documents whose scores are looked at together; windows are multiples. */
#define ABST_SCORE_GROUP 16

/* Does any of a group reach the least score? */
static inline bool
abst_scores_reach(const double *score, double least)
{
	int			reached = 0;

	for (int i = 0; i < ABST_SCORE_GROUP; i++)
		reached |= (score[i] >= least);
	return reached != 0;
}

/* A document of the window, unless it is dead. */
static inline AbstRead
abst_flat_offer(AbstScan *scan, uint32 i, double distance)
{
	AbstFlat   *flat = scan->flat_state;

	if (abst_scan_dead(scan, i))
		return ABST_READ_OK;
	if (flat->best == NULL)
		return abst_scan_row(scan, scan->base + i, &distance);
	abst_best_offer(flat->best, distance, scan->base + i);
	return ABST_READ_OK;
}

#endif							/* ABST_INDEX_FLAT_H */
