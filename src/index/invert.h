/*-------------------------------------------------------------------------
 *
 * invert.h
 *		Documents in, segment out: the inverter of build and flush, and the
 *		merger of segments.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_INVERT_H
#define ABST_INDEX_INVERT_H

#include "compat.h"
#include "index/pending.h"
#include "index/segment.h"

typedef struct AbstInverter AbstInverter;

/*
 * Collect documents; past "budget" bytes sorted runs go to a temporary file.
 * Documents come in TID order except within one heap page (HOT chains report
 * their root), which the inverter sorts itself.
 */
extern AbstInverter *abst_inverter_begin(Relation index, const float8 *weights,
										 Size budget, bool building);
extern void abst_inverter_add(AbstInverter *inverter, ItemPointer tid,
							  const AbstDoc *doc);

/*
 * Write the segment under "id".  False (nothing written) if no document was
 * added.  Frees the inverter.
 */
extern bool abst_inverter_finish(AbstInverter *inverter, uint32 id,
								 AbstSegmentInfo *info);

#endif							/* ABST_INDEX_INVERT_H */
