/*-------------------------------------------------------------------------
 *
 * segment.h
 *		An immutable segment: document map, dictionary, postings, dead bits.
 *
 * Documents have docids 0 .. ndocs + nnulls - 1 in the order of their TIDs.
 * A segment's pages belong to areas; within an area they are numbered from 0
 * and a page table maps (area, number) to a block.  Nothing straddles pages.
 * Only the dead bits ever change.
 *
 * Readers keep no pin or lock between calls unless said so, and return
 * ABST_READ_STALE when a page belongs to someone else by now.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_SEGMENT_H
#define ABST_INDEX_SEGMENT_H

#include "compat.h"
#include "index/meta.h"
#include "index/page.h"
#include "port/atomics.h"
#include "storage/buffile.h"
#include "storage/itemptr.h"
#include "text/doc.h"

#define ABST_BLOCK_SIZE 128		/* postings of a block */

typedef struct AbstSegment AbstSegment; /* open for reading */
typedef struct AbstSegmentWriter AbstSegmentWriter;

/* ---- reading ---- */

/* NULL when stale.  Lives in the current context. */
extern AbstSegment *abst_segment_open(Relation index,
									  const AbstSegmentInfo *info);

/* Releases any pins; the memory goes with its context. */
extern void abst_segment_close(AbstSegment *segment);

/*
 * For who keeps a segment open from one statement to another: the index as
 * the statement at hand has opened it; and whether the pages are where they
 * were when the segment was opened.
 */
extern void abst_segment_rebind(AbstSegment *segment, Relation index);
extern bool abst_segment_is_unchanged(AbstSegment *segment);

/*
 * The same from what the session keeps of segments it has read, which spares
 * reading header, page table and code table for every query.  The segment is
 * valid until the next call, and need not be closed.  Where a page turns out
 * to be stale, forget the index's segments before trying again.
 */
extern AbstSegment *abst_segment_borrow(Relation index,
										const AbstSegmentInfo *info);
extern void abst_segment_forget(Relation index);

/* Documents that share an entry in AbstKeptLengths.longest. */
#define ABST_LENGTH_CHUNK 16384

/* All lengths of a borrowed segment, in memory. */
typedef struct AbstKeptLengths
{
	int			nfields;		/* fields the segment has */
	uint16	   *field[ABST_NFIELDS];	/* by docid */
	uint16	   *longest;		/* in any field, by chunk of docids */
} AbstKeptLengths;

/*
 * Keep the lengths of a borrowed segment; *kept is NULL if they take more
 * memory than there is for that (half of work_mem in a session).
 */
extern AbstRead abst_segment_keep_lengths(AbstSegment *segment,
										  const AbstKeptLengths **kept);

/* All documents, NULL rows included: docids are below this. */
extern uint32 abst_segment_maxdoc(AbstSegment *segment);

/* The table of distinct frequency vectors: postings carry an index into it. */
extern const AbstTf *abst_segment_codes(AbstSegment *segment, uint32 *ncodes);

/* TIDs of docids first .. first + n - 1.  isnull may be NULL. */
extern AbstRead abst_segment_tids(AbstSegment *segment, uint32 first, uint32 n,
								  ItemPointerData *tids, bool *isnull);

/*
 * TIDs of n documents that lie apart, in the order of docids; a page is read
 * once for all of them that are on it.
 */
extern AbstRead abst_segment_tids_at(AbstSegment *segment,
									 const uint32 *docids, uint32 n,
									 ItemPointerData *tids);

/* Lengths of docids first .. first + n - 1. */
extern AbstRead abst_segment_lengths(AbstSegment *segment, uint32 first,
									 uint32 n,
									 AbstLengths *lengths);

/* Has any document a length in this field? */
extern bool abst_segment_has_field(AbstSegment *segment, int field);

/*
 * The same, as a column for each field that the segment has, in the order of
 * fields; the others are not touched.
 */
extern AbstRead abst_segment_length_columns(AbstSegment *segment,
											uint32 first, uint32 n,
											uint16 **columns);

/* Norms of docids first .. first + n - 1. */
extern AbstRead abst_segment_norms(AbstSegment *segment, uint32 first,
								   uint32 n,
								   float4 *norms);

/*
 * Dead bits of docids first .. first + n - 1, bit i of word i/64 for docid
 * first + i; "first" must be a multiple of 64.  *any says if one is set; with
 * none dead in the whole segment no page is read.
 */
extern AbstRead abst_segment_dead(AbstSegment *segment, uint32 first, uint32 n,
								  uint64 *words, bool *any);

/* Mark documents dead; "words" as above, or-ed in.  Maintenance lock held. */
extern void abst_segment_mark_dead(AbstSegment *segment, uint32 first,
								   uint32 n,
								   const uint64 *words);

/* ---- dictionary ---- */

typedef struct AbstTermInfo
{
	uint32		df;
	uint64		cf;				/* occurrences, all fields */
	/* private: where the postings are */
	uint8		form;			/* inline, one block, or directory */
	uint8		inline_len;
	uint32		page;
	uint16		offset;
	uint8		inline_bytes[64];
} AbstTermInfo;

/* ABST_READ_END when the segment does not have the term. */
extern AbstRead abst_segment_lookup(AbstSegment *segment, const char *lexeme,
									int len, AbstTermInfo *info);

/* Walk the dictionary in order, from the first term >= "lexeme". */
typedef struct AbstDictCursor AbstDictCursor;
extern AbstDictCursor *abst_dict_begin(AbstSegment *segment,
									   const char *lexeme, int len);

/* *lexeme points into the cursor and is valid until the next call. */
extern AbstRead abst_dict_next(AbstDictCursor *cursor, const char **lexeme,
							   int *len, AbstTermInfo *info);
extern void abst_dict_end(AbstDictCursor *cursor);

/* ---- postings ---- */

typedef struct AbstPostings AbstPostings;

/* An impact: no posting of the unit has a larger tf at a smaller length. */
typedef struct AbstImpact
{
	float4		wtf;			/* weighted frequency, rounded up */
	float4		wlen;			/* weighted length, rounded down */
} AbstImpact;

#define ABST_MAX_IMPACTS 8

/* Open at the first block.  The cursor may keep one pin; end releases it. */
extern AbstPostings *abst_postings_begin(AbstSegment *segment,
										 const AbstTermInfo *info);

/*
 * Decode the next block: up to ABST_BLOCK_SIZE docids, increasing, and their
 * codes.  ABST_READ_END after the last.
 */
extern AbstRead abst_postings_next(AbstPostings *postings, uint32 *docids,
								   uint32 *codes, int *n);

/*
 * The same for up to "nblocks" blocks, as far as they stand on one page: there
 * must be room for ABST_BLOCK_SIZE postings each.  No code is above
 * *code_limit.
 */
extern AbstRead abst_postings_fill(AbstPostings *postings, uint32 *docids,
								   uint32 *codes, int nblocks, int *n,
								   uint32 *code_limit);

/*
 * Move, either way, so that the next block is the one that may hold the first
 * docid >= target; ABST_READ_END when all are smaller.
 */
extern AbstRead abst_postings_seek(AbstPostings *postings, uint32 target);

/* Last docid of the block the next call would decode (for skipping). */
extern AbstRead abst_postings_peek(AbstPostings *postings, uint32 *last_docid);

/*
 * Largest wtf and smallest wlen of the next block, taken apart: a looser
 * bound than its Pareto set, but from the directory alone.
 */
extern AbstRead abst_postings_block_bound(AbstPostings *postings,
										  AbstImpact *bound);

/* Exact bounds: Pareto set of the next block, and of the whole list. */
extern AbstRead abst_postings_block_impacts(AbstPostings *postings,
											AbstImpact *impacts, int *n);
extern AbstRead abst_postings_list_impacts(AbstPostings *postings,
										   AbstImpact *impacts, int *n);
extern void abst_postings_end(AbstPostings *postings);

/* ---- writing ---- */

/*
 * Write a segment: first every document in TID order, then the code table,
 * then every term in order with its postings in docid order.
 * "building" leaves WAL to the end of the build.  If the writer is never
 * finished its pages are orphans; VACUUM finds them.
 */
extern AbstSegmentWriter *abst_segment_writer_begin(Relation index, uint32 id,
													const float8 *weights,
													bool building);

/*
 * Before the first document, if it is known: the fields that documents have,
 * and room for two bytes of each document; then the writer keeps nothing else
 * of them.
 */
extern void abst_segment_writer_expect(AbstSegmentWriter *writer,
									   uint32 field_mask, uint16 *bounds);

/* Returns the docid. */
extern uint32 abst_segment_writer_doc(AbstSegmentWriter *writer,
									  ItemPointer tid,
									  const AbstLengths *lengths, float4 norm,
									  bool isnull);

/* Distinct frequency vectors, most frequent first; all that are used. */
extern void abst_segment_writer_codes(AbstSegmentWriter *writer,
									  const AbstTf *codes,
									  uint32 ncodes);
extern void abst_segment_writer_term(AbstSegmentWriter *writer,
									 const char *lexeme, int len);
extern void abst_segment_writer_posting(AbstSegmentWriter *writer,
										uint32 docid, AbstTf tf);

/* The same by the number of the frequency vector in the table of codes. */
extern void abst_segment_writer_coded(AbstSegmentWriter *writer,
									  uint32 docid, uint32 code);

/* Completes the last term, dictionary, map and header; fills *info. */
extern void abst_segment_writer_finish(AbstSegmentWriter *writer,
									   AbstSegmentInfo *info);

/* As for readers; and every block written so far, before the end. */
extern void abst_segment_writer_rebind(AbstSegmentWriter *writer,
									   Relation index);
extern void abst_segment_writer_blocks(AbstSegmentWriter *writer,
									   void (*callback) (BlockNumber block,
														 void *arg),
									   void *arg);

/*
 * A segment's postings may be written by several processes.  One has the
 * writer of the segment and gives it documents and codes, as above.  All take
 * ranges of terms: each begins a part and gives it the terms and postings of
 * one range after the other, each range into a file of its own.  When all
 * have ended, the first one adds the files of all ranges, in the order of
 * terms, and the lists of pages of all parts.
 */
typedef struct AbstPartPlan
{
	uint32		id;				/* of the segment */
	const float8 *weights;
	const AbstTf *codes;		/* as the writer of the segment has them */
	uint32		ncodes;
	uint32		maxdoc;
	uint16	   *bounds;			/* filled by abst_segment_writer_expect */
	pg_atomic_uint32 *npages;	/* pages of postings, of all parts */
	BufFile    *pages;			/* gets the list of this part's pages */
} AbstPartPlan;

extern AbstSegmentWriter *abst_segment_part_begin(Relation index,
												  const AbstPartPlan *plan);
extern void abst_segment_part_range(AbstSegmentWriter *part, BufFile *file);
extern void abst_segment_part_end_range(AbstSegmentWriter *part);
extern void abst_segment_part_finish(AbstSegmentWriter *part);

/* "npages" are those that all parts wrote together. */
extern void abst_segment_writer_add_range(AbstSegmentWriter *writer,
										  BufFile *file);
extern void abst_segment_writer_add_pages(AbstSegmentWriter *writer,
										  BufFile *pages, uint32 npages);

/*
 * Bytes of memory the writer needs for each document it was given, unless
 * abst_segment_writer_expect said otherwise.
 */
#define ABST_WRITER_BYTES_PER_DOC 12

/* ---- upkeep ---- */

/* Call back with every block of a segment (header, map, data). */
extern AbstRead abst_segment_blocks(Relation index,
									const AbstSegmentInfo *info,
									void (*callback) (BlockNumber block,
													  void *arg), void *arg);

/*
 * Is every page of a segment that nobody knows of yet still its own?
 */
extern bool abst_segment_is_whole(Relation index,
								  const AbstSegmentInfo *info);

/*
 * Check one segment against its invariants; every violation is reported by
 * ereport(ERROR, ERRCODE_INDEX_CORRUPTED).  segcheck.c has the list.  The
 * caller sees to it that the segment stays: maintenance lock held.
 */
extern void abst_segment_check(Relation index, const AbstSegmentInfo *info);

#endif							/* ABST_INDEX_SEGMENT_H */
