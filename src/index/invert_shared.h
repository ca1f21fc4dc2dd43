/*-------------------------------------------------------------------------
 *
 * invert_shared.h
 *		Several processes that invert one table into one segment.
 *
 * All of them, the leader too, go through the same steps:
 *
 *		begin (abst_inverter_begin, abst_inverter_share), add documents
 *		hand over	what was collected goes to files that all can read
 *		plan		leader only, when all have handed over
 *		write		all write postings, once there is a plan
 *		complete	leader only, when all have written
 *
 * A process that fails raises an error, which ends the others by way of the
 * parallel context; nobody waits for one that is gone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_INVERT_SHARED_H
#define ABST_INDEX_INVERT_SHARED_H

#include "compat.h"

#include "storage/buffile.h"
#include "storage/dsm.h"

#include "index/invert.h"

typedef struct AbstInvertShared AbstInvertShared;

/* What stands in shared memory; "segment" is where, for its files' life. */
extern Size abst_shared_size(void);
extern void abst_shared_init(AbstInvertShared *shared, dsm_segment *segment);
extern void abst_shared_attach(AbstInvertShared *shared, dsm_segment *segment);

/* Make an inverter one of several; "participant" is its number, from 0. */
extern void abst_inverter_share(AbstInverter *inverter,
								AbstInvertShared *shared, int participant);

/*
 * The end of collecting: so many take part, so many runs may be left.  Frees
 * the inverter.
 */
extern void abst_inverter_hand_over(AbstInverter *inverter, int nparticipants);

/* Rows read by all so far; one more of them. */
extern uint64 abst_shared_rows(AbstInvertShared *shared);
extern void abst_shared_add_rows(AbstInvertShared *shared, uint64 rows);

/*
 * Leader: wait until so many have handed over, or have written; meanwhile show
 * the progress of all.
 */
extern void abst_shared_wait_rows(AbstInvertShared *shared, int nparticipants);
extern void abst_shared_wait_parts(AbstInvertShared *shared,
								   int nparticipants);

/*
 * Leader: begin the segment "id", which gets what the participants 0 ..
 * nparticipants - 1 handed over, and tell the others what is to be done.
 * NULL if there is no row.
 */
typedef struct AbstInvertPlan AbstInvertPlan;
extern AbstInvertPlan *abst_shared_plan(AbstInvertShared *shared,
										Relation index, const float8 *weights,
										uint32 id, int nparticipants);

/* All: wait for the plan and write parts of it until there are none left. */
extern void abst_shared_write(AbstInvertShared *shared, Relation index,
							  const float8 *weights, int participant);

/* Leader: the segment, when all have written. */
extern void abst_shared_complete(AbstInvertPlan *plan, AbstSegmentInfo *info);

/* ---- for the inverter's own files ---- */

/* The file "name" of a participant. */
extern BufFile *abst_shared_create(AbstInvertShared *shared, const char *name,
								   int participant);
extern BufFile *abst_shared_open(AbstInvertShared *shared, const char *name,
								 int participant);
extern void abst_shared_delete(AbstInvertShared *shared, const char *name,
							   int participant);

/* It is written, the others may open it; closes it. */
extern void abst_shared_export(BufFile *file);

#endif							/* ABST_INDEX_INVERT_SHARED_H */
