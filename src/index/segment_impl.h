/*-------------------------------------------------------------------------
 *
 * segment_impl.h
 *		An open segment as its readers know it, and the writer's parts.
 *
 * Private to the files of segments, dictionary, postings and document map.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_SEGMENT_IMPL_H
#define ABST_INDEX_SEGMENT_IMPL_H

#include "index/codec.h"
#include "index/format.h"
#include "index/postings_impact.h"
#include "index/segment.h"

/* ---- reading ---- */

typedef struct AbstKeptTerms AbstKeptTerms;

struct AbstSegment
{
	Relation	index;
	MemoryContext context;		/* of everything below */
	AbstSegmentInfo info;		/* as the directory has it */
	AbstSegmentHeader *header;	/* with its table */
	int			nfields;		/* fields in LENGTHS */
	uint32		area_start[ABST_NAREAS];	/* in the page table */
	BlockNumber **maps;			/* page table by map page, NULL: not read; if
								 * there are none the header has the table */
	AbstTf	   *codes;
	uint16	   *code_bounds;	/* weighted, by code; NULL: not needed yet */
	AbstWeighting weighting;
	bool		borrowed;		/* kept from query to query */
	AbstKeptLengths *lengths;	/* NULL: not kept */
	AbstKeptTerms *terms;		/* looked up before; NULL: none */
};

/* Where a term's postings are. */
typedef enum AbstTermForm
{
	ABST_FORM_INLINE,			/* in inline_bytes */
	ABST_FORM_BLOCK,			/* one block in POSTINGS at page, offset */
	ABST_FORM_DIRECTORY			/* page and slot (in offset) in DIRECTORY */
} AbstTermForm;

/* Block of an area's page. */
extern AbstRead abst_segment_block(AbstSegment *segment, AbstArea area,
								   uint32 number, BlockNumber *block);

/*
 * The same from the pages themselves, whatever is kept of them: a page of
 * dead bits may have moved, and its old copy must not be taken for it.
 */
extern AbstRead abst_segment_fresh_block(AbstSegment *segment, AbstArea area,
										 uint32 number, BlockNumber *block);

/* An area's page, pinned and locked. */
extern AbstRead abst_segment_page(AbstSegment *segment, AbstArea area,
								  uint32 number, int lockmode, Buffer *buffer);

/* Share-lock such a page again that was kept pinned; not when stale. */
extern AbstRead abst_segment_relock(AbstSegment *segment, AbstArea area,
									uint32 number, Buffer buffer);

/*
 * Is this page of a segment the one looked for?  Pages may move within the
 * file, so a block can come to hold another page of the same segment.
 */
static inline bool
abst_page_is_part(Page page, AbstArea area, uint32 number)
{
	AbstPageOpaque opaque = AbstPageGetOpaque(page);

	return opaque->area == area && opaque->next == number;
}

/* Content of a pinned and locked page. */
static inline const uint8 *
abst_buffer_content(Buffer buffer, Size *size)
{
	Page		page = BufferGetPage(buffer);

	*size = AbstPageContentSize(page);
	return (const uint8 *) AbstPageContent(page);
}

/* Something in the segment cannot be right. */
extern void abst_segment_corrupted(AbstSegment *segment,
								   const char *what) pg_attribute_noreturn();

/* Look a term up in the dictionary itself, whatever is remembered of it. */
extern AbstRead abst_dict_find(AbstSegment *segment, const char *lexeme,
							   int len, AbstTermInfo *info);

/* Inner pages of the dictionary against their invariants. */
extern void abst_dict_check(AbstSegment *segment);

/* Last docid of a term, as the end of its directory has it, if it has one. */
extern AbstRead abst_postings_last(AbstPostings *postings, uint32 *last_docid);

/* Weighted frequencies of all codes, as bounds. */
extern const uint16 *abst_segment_code_bounds(AbstSegment *segment);

/* ---- writing ---- */

/* What follows a lexeme in a leaf. */
typedef struct AbstDictEntry
{
	uint32		df;
	uint64		cf;
	AbstTermForm form;
	uint32		page;
	uint16		offset;
	int			inline_len;
	const uint8 *inline_bytes;	/* into the page */
} AbstDictEntry;

/* What makes a writer one of a part (segment_parts.c). */
typedef struct AbstPart AbstPart;

/* Pages of one area as they are written. */
typedef struct AbstStream
{
	char	   *image;			/* page being filled, NULL: none */
	uint32		number;			/* of that page within its area */
	uint32		npages;			/* written */
	uint32		room;			/* of blocks */
	BlockNumber *blocks;		/* by page */
} AbstStream;

#define ABST_DICT_MAX_LEVELS	8
#define ABST_DICT_MAX_OFFSETS	(ABST_PAGE_SPACE / 7)

/* A dictionary page being filled. */
typedef struct AbstDictLevel
{
	PGAlignedBlock image;
	Size		used;			/* of the content */
	int			nentries;
	int			noffsets;
	uint16		offsets[ABST_DICT_MAX_OFFSETS];
	int			first_len;		/* separator before the page */
	char		first[ABST_MAX_LEXEME];
} AbstDictLevel;

typedef struct AbstDictWriter
{
	AbstDictLevel *levels[ABST_DICT_MAX_LEVELS];	/* 0 is the leaf */
	uint32		pages[ABST_DICT_MAX_LEVELS];	/* written, by level */
	int			last_len;		/* last lexeme added */
	char		last[ABST_MAX_LEXEME];
} AbstDictWriter;

/* Documents whose lengths and bounds are kept together. */
#define ABST_WRITER_CHUNK 8192

/* A frequency vector and its code; an empty place has tf 0. */
typedef struct AbstCodeSlot
{
	uint32		tf;
	uint32		code;
} AbstCodeSlot;

struct AbstSegmentWriter
{
	Relation	index;
	uint32		id;
	bool		building;
	MemoryContext context;
	float8		weights[ABST_NFIELDS];
	AbstWeighting weighting;
	AbstStream	streams[ABST_NAREAS];

	/* documents */
	uint32		maxdoc;
	uint32		nnulls;
	uint32		field_mask;
	uint64		lengths[ABST_NFIELDS];	/* totals */
	ItemPointerData last_tid;
	uint32		nchunks;
	uint32		chunks_room;
	AbstLengths **length_chunks;	/* until the codes come */
	uint16	  **bound_chunks;	/* weighted lengths, from then on */
	uint16	   *bounds;			/* the caller's place for them, or NULL; then
								 * lengths are kept for a page only */
	AbstLengths *page_lengths;
	uint32		npage_lengths;

	/* codes */
	bool		has_codes;
	uint32		ncodes;
	uint16	   *code_bounds;	/* weighted frequencies */
	uint16	   *code_sums;		/* occurrences in all fields */
	AbstTf	   *codes;
	uint32		slot_mask;
	AbstCodeSlot *slots;

	/* the current term */
	bool		in_term;
	int			lexeme_len;
	char		lexeme[ABST_MAX_LEXEME];
	uint32		df;
	uint64		cf;
	uint32		last_docid;		/* of the last posting */
	uint32		block_previous; /* last docid of the last block */
	int			n;				/* postings waiting for their block */
	uint32		docids[ABST_BLOCK_SIZE];
	uint32		post_codes[ABST_BLOCK_SIZE];
	uint32		nblocks;		/* written with a directory entry */
	uint32		run_page;		/* first entry in DIRECTORY */
	uint16		run_slot;
	AbstFront	list_front;

	AbstDictWriter dict;
	uint32		nterms;
	uint64		npostings;

	/* a part of a segment (segment_parts.c) */
	AbstPart   *part;			/* NULL: the whole segment */
};

/*
 * Reserve bytes on the area's current page, beginning a new one where they do
 * not fit.  The bytes are zero; *page and *offset say where they are.
 */
extern char *abst_stream_reserve(AbstSegmentWriter *writer, AbstArea area,
								 Size size, uint32 *page, uint16 *offset);

/* Write a finished page of an area; returns its number. */
extern uint32 abst_stream_write(AbstSegmentWriter *writer, AbstArea area,
								Page image);

/* Postings of the current term; the last posting ends with the term. */
extern void abst_writer_flush_term(AbstSegmentWriter *writer);

/* The codes and what follows from them, without writing them. */
extern void abst_writer_know_codes(AbstSegmentWriter *writer,
								   const AbstTf *codes, uint32 ncodes);

/* Let documents' weighted lengths be looked up in "bounds". */
extern void abst_writer_use_bounds(AbstSegmentWriter *writer, uint16 *bounds);

/* Write the page of an area that is being filled, if there is one. */
extern void abst_stream_end(AbstSegmentWriter *writer, AbstArea area);

/*
 * What becomes of a term: directory entries and foot if it has several
 * blocks, then its dictionary entry.
 */
extern void abst_writer_put_block(AbstSegmentWriter *writer,
								  const AbstDirEntry *entry);
extern void abst_writer_put_foot(AbstSegmentWriter *writer,
								 const AbstDirFoot *foot);
extern void abst_writer_put_term(AbstSegmentWriter *writer,
								 AbstDictEntry *entry);

/* The same for a part: into its file. */
extern void abst_part_put_block(AbstSegmentWriter *writer,
								const AbstDirEntry *entry);
extern void abst_part_put_foot(AbstSegmentWriter *writer,
							   const AbstDirFoot *foot);
extern void abst_part_put_term(AbstSegmentWriter *writer,
							   const AbstDictEntry *entry);

/* A part's pages of postings: a number for the next one; where one went. */
extern uint32 abst_part_page_number(AbstSegmentWriter *writer);
extern void abst_part_page_written(AbstSegmentWriter *writer, uint32 number,
								   BlockNumber block);

/* Room for the blocks of "npages" pages of an area. */
extern void abst_stream_room(AbstSegmentWriter *writer, AbstArea area,
							 uint32 npages);

/* Dictionary: terms in order, then the root. */
extern void abst_dict_writer_init(AbstSegmentWriter *writer);
extern void abst_dict_writer_add(AbstSegmentWriter *writer, const char *lexeme,
								 int len, const uint8 *payload, int nbytes);
extern void abst_dict_writer_finish(AbstSegmentWriter *writer, uint32 *root,
									uint16 *height);

/* ---- dictionary entries, shared by reader and writer ---- */

extern int	abst_dict_entry_put(uint8 *out, const AbstDictEntry *entry);

/* NULL if the bytes before "end" cannot be an entry. */
extern const uint8 *abst_dict_entry_get(const uint8 *p, const uint8 *end,
										AbstDictEntry *entry);

#endif							/* ABST_INDEX_SEGMENT_IMPL_H */
