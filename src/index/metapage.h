/*-------------------------------------------------------------------------
 *
 * metapage.h
 *		The metapage as those see it who change it together with other pages.
 *
 * Private to meta.c and pending.c; everyone else uses meta.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_METAPAGE_H
#define ABST_INDEX_METAPAGE_H

#include "index/meta.h"

/* Pinned, locked and checked; never stale. */
extern Buffer abst_metapage_lock(Relation index, int lockmode);

/* Copy into a directory. */
extern void abst_metapage_copy(const AbstMetaPageData *meta,
							   AbstDirectory *directory);

/* Set pd_lower after the number of segments has changed. */
extern void abst_metapage_set_lower(Page page);

/* The error when there is no id left for another segment or batch. */
extern void abst_meta_out_of_ids(Relation index) pg_attribute_noreturn();

#endif							/* ABST_INDEX_METAPAGE_H */
