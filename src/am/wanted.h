/*-------------------------------------------------------------------------
 *
 * wanted.h
 *		How many rows the next ordered scan of an index will be asked for.
 *
 * A guess, never more: it decides how many rows the first pass collects, not
 * which.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_AM_WANTED_H
#define ABST_AM_WANTED_H

#include "compat.h"

/* The planner expects an ordered scan to be asked for so many rows. */
extern void abst_wanted_plan(Oid index, double rows);

/* Rows that the scan that begins now may be asked for; 0 for unknown. */
extern int	abst_wanted_begin(Oid index);

/* The scan has ended after so many rows. */
extern void abst_wanted_end(Oid index, uint64 rows);

#endif							/* ABST_AM_WANTED_H */
