/*-------------------------------------------------------------------------
 *
 * handed.h
 *		The distance of the row that an index scan has just handed out.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_AM_HANDED_H
#define ABST_AM_HANDED_H

#include "compat.h"

#include "access/genam.h"
#include "query/query.h"
#include "storage/itemptr.h"

/*
 * Remember, for the scan, the exact distance between "query" and the row at
 * the TID.  "query" must stay where it is until the scan is forgotten.
 */
extern void abst_handed_remember(IndexScanDesc scan, const AbstQuery *query,
								 ItemPointer tid, float8 distance);

/* The scan ends or begins anew. */
extern void abst_handed_forget(IndexScanDesc scan);

/*
 * Is the value a column of a row handed out for this query?  Then its
 * distance, which is what the operator would compute.
 */
extern bool abst_handed_distance(Datum value, const AbstQuery *query,
								 float8 *distance);

#endif							/* ABST_AM_HANDED_H */
