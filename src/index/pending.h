/*-------------------------------------------------------------------------
 *
 * pending.h
 *		The pending list: documents not yet in a segment.
 *
 * A linked list of pages, head to tail, that are only ever appended to.  A
 * record is one document and never leaves its page; a document whose record
 * does not fit an empty page gets a segment of its own instead.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_PENDING_H
#define ABST_INDEX_PENDING_H

#include "compat.h"
#include "index/meta.h"
#include "storage/itemptr.h"
#include "text/doc.h"

/* Flush once the list has this many pages. */
#define ABST_PENDING_LIMIT 32

/*
 * Append a document (doc == NULL: the row's document is NULL).  False when
 * its record does not fit a page: nothing was written.  *npages is the
 * length of the list after a page was added, else 0.
 */
extern bool abst_pending_append(Relation index, ItemPointer tid,
								const AbstDoc *doc,
								uint32 *npages);

/* A record as a reader sees it. */
typedef struct AbstPendingDoc
{
	Relation	index;			/* of the walk, and the page: for errors */
	BlockNumber block;
	ItemPointerData tid;
	bool		isnull;
	AbstLengths lengths;
	float4		norm;
	int			nterms;
	const char *marks;			/* private */
	const char *terms;			/* private, see abst_pending_next_term */
	const char *end;
} AbstPendingDoc;

/*
 * Walk the terms of a record in order; *at starts as NULL.  Bytes that cannot
 * be a term are an error here; a walk over records does not look at them.
 */
extern bool abst_pending_next_term(const AbstPendingDoc *doc, const char **at,
								   AbstDocTerm *term);

/* An error unless all terms of a record can be read. */
extern void abst_pending_verify(const AbstPendingDoc *doc);

/*
 * Frequencies of the given terms (sorted, unique) in a record; tf[i] is zero
 * where the term is absent.  True if any is present.
 */
extern bool abst_pending_probe(const AbstPendingDoc *doc,
							   const AbstDocTerm *terms,
							   int nterms, AbstTf *tf);

/*
 * Walk the list as "directory" has it.  Each page is copied under a share
 * lock; *doc points into the walk's copy and is valid until the next call.
 */
typedef struct AbstPendingWalk AbstPendingWalk;
extern AbstPendingWalk *abst_pending_begin(Relation index,
										   const AbstDirectory *directory);
extern AbstRead abst_pending_next(AbstPendingWalk *walk, AbstPendingDoc *doc);
extern void abst_pending_end(AbstPendingWalk *walk);

/*
 * Seal the list: start a new, empty tail page with a batch id of its own, so
 * that what stood before can be read in peace.  Fills "sealed" with a
 * directory whose pending part is the sealed pages, "next" with the block and
 * "next_id" with the batch where the list will go on after the flush.  False
 * if there is nothing to flush.  Maintenance lock held.
 */
extern bool abst_pending_seal(Relation index, AbstDirectory *sealed,
							  BlockNumber *next, uint32 *next_id);

/* Call back with every block of the list in "directory". */
extern AbstRead abst_pending_blocks(Relation index,
									const AbstDirectory *directory,
									void (*callback) (BlockNumber block,
													  void *arg), void *arg);

#endif							/* ABST_INDEX_PENDING_H */
