/*-------------------------------------------------------------------------
 *
 * inverter.h
 *		The inverter's own structures, shared by the files it consists of.
 *
 * Private to invert.c (collecting), invert_runs.c (sorting and spilling) and
 * invert_write.c (handing over to the segment writer).  invert.c describes
 * the whole.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_INVERTER_H
#define ABST_INDEX_INVERTER_H

#include "compat.h"
#include "storage/buffile.h"

#include "index/format.h"
#include "index/invert.h"

#define FIRST_SLICE		16		/* bytes that come with a new term */
#define MAX_SLICE		4096	/* slices double up to this */
#define LINK_SIZE		sizeof(char *)
#define MIN_ARENA_BLOCK	(32 * 1024)
#define MIN_TABLE		1024	/* slots of a new table, a power of two */
#define RUN_BUFFER		(16 * 1024)
#define MAX_VARINT		5

/* A term; its lexeme and first slice follow in the same allocation. */
typedef struct InvTerm
{
	uint8	   *tail;			/* next byte goes here */
	uint8	   *tail_end;		/* end of the current slice's data; its link
								 * to the next slice stands behind it */
	uint32		last_docid;
	uint32		npostings;
	uint32		slice_size;		/* data bytes of the current slice */
	uint8		len;
	char		lexeme[FLEXIBLE_ARRAY_MEMBER];
} InvTerm;

/* A slot of the hash table; key becomes the sort key when a run is made. */
typedef struct InvSlot
{
	uint64		key;
	InvTerm    *term;
} InvSlot;

/* A distinct frequency vector. */
typedef struct InvCode
{
	AbstTf		tf;
	uint64		count;
} InvCode;

/* A document as it waits for the writer. */
typedef struct InvDoc
{
	ItemPointerData tid;
	uint16		isnull;
	AbstLengths lengths;
	float4		norm;
} InvDoc;

/* A heap page whose rows came out of order: new places of its documents. */
typedef struct InvShuffle
{
	uint32		first;			/* docid of the page's first document */
	uint32		ndocs;
	uint16	   *place;			/* by order of arrival */
} InvShuffle;

/* A run in a temporary file. */
typedef struct InvRun
{
	BufFile    *file;
	int			level;			/* merges it went through */
} InvRun;

/* Where postings are decoded from: slices in memory, or a run's buffer. */
typedef struct InvSource
{
	const uint8 *at;
	const uint8 *end;
	/* in memory */
	uint32		slice_size;
	const uint8 *tail;			/* of the last slice */
	/* a run */
	BufFile    *file;			/* NULL: in memory */
	uint8	   *buffer;
	/* the current piece of a run */
	int			len;
	char		lexeme[ABST_MAX_LEXEME];
	uint32		npostings;
	uint64		nbytes;
} InvSource;

struct AbstInverter
{
	Relation	index;
	float8		weights[ABST_NFIELDS];
	bool		building;
	Size		budget;
	MemoryContext context;		/* everything but the arena */
	MemoryContext arena;
	/* arena */
	char	   *free;			/* unused rest of the newest block */
	char	   *free_end;
	Size		block_size;		/* of the next block */
	Size		arena_bytes;
	/* hash table */
	InvSlot    *slots;
	uint32		nslots;
	uint32		nterms;
	/* frequency vectors */
	InvCode    *codes;
	uint32		ncodes;
	uint32		maxcodes;
	uint32	   *code_slots;		/* hash: code + 1, 0 for empty */
	uint32		ncode_slots;
	/* documents */
	InvDoc	   *docs;			/* of complete heap pages, then the current */
	uint32		ndocs_held;
	uint32		maxdocs;
	uint32		page_start;		/* index in docs of the current page's first */
	bool		page_shuffled;
	BufFile    *doc_file;		/* earlier documents */
	uint64		ndocs_filed;
	uint64		ndocs;
	InvShuffle *shuffles;
	uint32		nshuffles;
	uint32		maxshuffles;
	/* runs */
	InvRun	   *runs;
	int			nruns;
	int			maxruns;
};

/* ---- invert.c ---- */

/* An empty hash table; the old one, if any, is the caller's to free. */
extern void abst_invert_new_table(AbstInverter *inverter, uint32 nslots);
/* The current heap page is complete. */
extern void abst_invert_finish_page(AbstInverter *inverter);

/* ---- invert_runs.c ---- */

/* Write the terms in memory as a run, and start with empty memory again. */
extern void abst_invert_spill(AbstInverter *inverter);
/*
 * Sort the terms in memory, in place: the table is used up, its first nterms
 * slots hold them in order.
 */
extern void abst_invert_sort_terms(AbstInverter *inverter);
/* Runs that one merge may take. */
extern int	abst_invert_fan_in(AbstInverter *inverter);
/* Merge runs "first" .. nruns - 1 into one of a higher level. */
extern void abst_invert_merge_runs(AbstInverter *inverter, int first);
/*
 * Open runs "first" .. nruns - 1 for a merge: sources, and a heap of "n" of
 * them whose first one stands at the smallest lexeme, of the earliest run.
 */
extern InvSource *abst_invert_open_runs(AbstInverter *inverter, int first,
										int **heap, int *n);
/* The first source has been read: on to its next piece. */
extern void abst_invert_advance(InvSource *sources, int *heap, int *n);
/* Drop the runs, and what open_runs returned. */
extern void abst_invert_close_runs(AbstInverter *inverter, int first,
								   InvSource *sources, int *heap);
/* Let a source read the postings of a term in memory. */
extern void abst_invert_source(InvSource *source, InvTerm *term);
/* More bytes for a source that ran dry; false at its end. */
extern bool abst_invert_refill(InvSource *source);

/* ---- varints ---- */

static inline uint8 *
abst_invert_put(uint8 *at, uint32 value)
{
	while (value >= 0x80)
	{
		*at++ = (uint8) (value | 0x80);
		value >>= 7;
	}
	*at++ = (uint8) value;
	return at;
}

static inline uint8
abst_invert_byte(InvSource *source)
{
	if (unlikely(source->at == source->end) && !abst_invert_refill(source))
		elog(ERROR, "unexpected end of a run");
	return *source->at++;
}

static inline uint32
abst_invert_varint(InvSource *source)
{
	uint32		value = 0;
	int			shift = 0;
	uint8		byte;

	do
	{
		byte = abst_invert_byte(source);
		value |= (uint32) (byte & 0x7F) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

#endif							/* ABST_INDEX_INVERTER_H */
