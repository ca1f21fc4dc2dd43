/*-------------------------------------------------------------------------
 *
 * wanted.c
 *		How many rows the next ordered scan of an index will be asked for.
 *
 * An access method is not told the LIMIT of a statement, and a pass that
 * collects too few rows has to be made again.  The planner does know it and
 * calls our cost estimate, most often right before the scan.  A plan that is
 * used again comes without that; then what recent scans of the index took is
 * the best guess: the most of them, halved with each scan that takes less.
 *
 * All is kept by session, for the indexes used last.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <limits.h>

#include "am/wanted.h"

#define WANTED_INDEXES 16

/* Scans without a LIMIT take all; others must not collect as many for that. */
#define WANTED_MOST 2048

typedef struct Wanted
{
	Oid			index;
	double		planned;		/* for the next scan; 0: not known */
	uint64		taken;			/* by recent scans; 0: not known */
	uint64		used;
} Wanted;

static Wanted wanted[WANTED_INDEXES];
static uint64 wanted_clock = 0;

/* The place of an index: its own, or else that of the longest unused. */
static Wanted *
place_of(Oid index)
{
	Wanted	   *place = &wanted[0];

	for (int i = 0; i < WANTED_INDEXES; i++)
	{
		if (wanted[i].index == index)
		{
			place = &wanted[i];
			break;
		}
		if (wanted[i].used < place->used)
			place = &wanted[i];
	}
	if (place->index != index)
		memset(place, 0, sizeof(Wanted));
	place->index = index;
	place->used = ++wanted_clock;
	return place;
}

void
abst_wanted_plan(Oid index, double rows)
{
	place_of(index)->planned = rows;
}

/* What was planned holds for one scan. */
int
abst_wanted_begin(Oid index)
{
	Wanted	   *place = place_of(index);
	double		rows = place->planned > 0 ? place->planned : place->taken;

	place->planned = 0;
	return (int) Min(rows, INT_MAX / 4);
}

void
abst_wanted_end(Oid index, uint64 rows)
{
	Wanted	   *place = place_of(index);

	place->taken = Max(Min(rows, WANTED_MOST), place->taken / 2);
}
