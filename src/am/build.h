/*-------------------------------------------------------------------------
 *
 * build.h
 *		What a build in one process and one in several have in common.
 *
 * Private to build.c and build_parallel.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_AM_BUILD_H
#define ABST_AM_BUILD_H

#include "compat.h"

#include "access/tableam.h"
#include "nodes/execnodes.h"

#include "am/am.h"
#include "index/invert.h"
#include "index/invert_shared.h"

typedef struct AbstBuild
{
	Relation	heap;
	Relation	index;
	IndexInfo  *index_info;
	bool		reads_text;
	Oid			config;			/* that reads it */
	float8		weights[ABST_NFIELDS];
	double		heap_tuples;	/* rows of the table ... */
	uint64		index_tuples;	/* ... and of the index */
} AbstBuild;

/* ---- build.c ---- */

/* Fill all but the counters. */
extern void abst_build_init(AbstBuild *build, Relation heap, Relation index,
							IndexInfo *index_info);

/*
 * Read rows into the inverter and count them: the whole table, or the share
 * that "scan" hands out ("shared" then counts for all).
 */
extern void abst_build_scan(AbstBuild *build, AbstInverter *inverter,
							TableScanDesc scan, AbstInvertShared *shared);

extern void abst_build_report_phase(int64 phase);

/* Tell the progress view how many rows there are to write. */
extern void abst_build_report_rows(uint64 rows);

/* ---- build_parallel.c ---- */

/* Workers that this build should ask for, the leader not counted. */
extern int	abst_build_workers(AbstBuild *build);

/*
 * Build with workers.  False if there are none to be had: nothing was done.
 * *any says if there is a segment, in *info.
 */
extern bool abst_build_parallel(AbstBuild *build, int nworkers, bool *any,
								AbstSegmentInfo *info);

#endif							/* ABST_AM_BUILD_H */
