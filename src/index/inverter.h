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
#include "port/atomics.h"
#include "storage/buffile.h"
#include "storage/condition_variable.h"
#include "storage/sharedfileset.h"

#include "index/format.h"
#include "index/invert.h"
#include "index/invert_shared.h"

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

/* Bytes of a lexeme by which ranges of terms are told apart. */
#define KEY_BYTES		31

typedef struct InvKey
{
	uint8		len;
	char		bytes[KEY_BYTES];
} InvKey;

/* A place in a file. */
typedef struct InvPlace
{
	int			fileno;
	off_t		offset;
} InvPlace;

/* A piece of a run, so that reading can begin there. */
typedef struct InvSample
{
	InvKey		key;
	InvPlace	place;
} InvSample;

#define MAX_SAMPLES		128		/* of a run */

/* A run in a temporary file. */
typedef struct InvRun
{
	BufFile    *file;			/* NULL: closed, to be opened by its number */
	int			number;
	int			level;			/* merges it went through */
	uint64		bytes;
	/* every so many bytes, if others will read the run */
	uint64		interval;
	int			nsamples;
	InvSample  *samples;		/* NULL: none wanted */
} InvRun;

/* Where postings are decoded from: slices in memory, or a run's buffer. */
typedef struct InvSource
{
	int			origin;			/* the inverter that it comes from */
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
	bool		ahead;			/* the piece was not looked at yet */
	bool		ended;			/* there is none */
} InvSource;

/* Pieces of several runs in order: of lexemes, then of the sources. */
typedef struct InvMerge
{
	int			nsources;
	InvSource  *sources;
	int			n;				/* sources on the heap */
	int		   *heap;			/* the first one's piece is next */
	const InvKey *end;			/* no lexeme from here on; NULL: all */
} InvMerge;

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
	uint32		field_mask;		/* fields of any document */
	BufFile    *doc_file;		/* earlier documents */
	uint64		ndocs_filed;
	uint64		ndocs;
	InvShuffle *shuffles;
	uint32		nshuffles;
	uint32		maxshuffles;
	/* a term's postings, brought into order */
	uint8	   *sorted;
	Size		maxsorted;
	/* runs */
	InvRun	   *runs;
	int			nruns;
	int			maxruns;
	int			next_run;		/* number */
	/* with others */
	AbstInvertShared *shared;	/* NULL: alone */
	int			participant;
};

/* ---- invert.c ---- */

/* An empty hash table; the old one, if any, is the caller's to free. */
extern void abst_invert_new_table(AbstInverter *inverter, uint32 nslots);

/* The current heap page is complete. */
extern void abst_invert_finish_page(AbstInverter *inverter);

/* Documents held in memory go to their file; after finish_page only. */
extern void abst_invert_file_docs(AbstInverter *inverter);

/* ---- invert_runs.c ---- */

/* A temporary file, shared if the inverter is; lives as long as that. */
extern BufFile *abst_invert_new_file(AbstInverter *inverter, const char *name);

/* Write the terms in memory as a run, and start with empty memory again. */
extern void abst_invert_spill(AbstInverter *inverter);

/*
 * Sort the terms in memory, in place: the table is used up, its first nterms
 * slots hold them in order.
 */
extern void abst_invert_sort_terms(AbstInverter *inverter);

/* Runs that one merge may take within so much memory. */
extern int	abst_invert_fan_in(Size budget);

/* Merge the last runs until there are at most so many. */
extern void abst_invert_reduce_runs(AbstInverter *inverter, int nruns);

/*
 * Merge "n" runs, or what they have from "start" to "end" (NULL: all).
 * "places" are where to begin reading each one (NULL: at its beginning).
 * "origins" say whose they are (NULL: of one).
 */
extern InvMerge *abst_invert_merge_begin(BufFile **files, int n,
										 const int *origins,
										 const InvPlace *places,
										 const InvKey *start,
										 const InvKey *end);

/*
 * Take the first source off the heap; its piece is to be read to its end, then
 * given back.  NULL at the end.
 */
extern InvSource *abst_invert_take(InvMerge *merge);
extern void abst_invert_give_back(InvMerge *merge, InvSource *source);

/*
 * A piece was read to its end: go on to the next one if it is of the same
 * lexeme.
 */
extern bool abst_invert_go_on(InvMerge *merge, InvSource *source);

/* Does the source that is next stand at the same lexeme? */
extern bool abst_invert_same_lexeme(InvMerge *merge, InvSource *source);

/* Frees the memory; the files are the caller's. */
extern void abst_invert_merge_end(InvMerge *merge);

/*
 * Let a source read the postings of a term in memory, in order of docids.
 * Valid until the next call.
 */
extern void abst_invert_source(AbstInverter *inverter, InvSource *source,
							   InvTerm *term);

/* More bytes for a source that ran dry; false at its end. */
extern bool abst_invert_refill(InvSource *source);

/* The first bytes of a lexeme, and the order of keys. */
extern void abst_invert_key(InvKey *key, const char *lexeme, int len);
extern int	abst_invert_key_cmp(const InvKey *a, const InvKey *b);

/* ---- invert_write.c ---- */

/* Documents that follow each other in one inverter and in the segment. */
typedef struct InvRange
{
	uint32		first;			/* docid in the inverter */
	uint32		docid;			/* in the segment */
} InvRange;

/* What one inverter's postings mean in the segment. */
typedef struct InvOrigin
{
	uint32		ndocs;
	uint32		ncodes;
	uint32	   *codes;			/* by its own */
	uint32		nranges;
	InvRange   *ranges;
} InvOrigin;

/*
 * Write all that the merge has.  "postings" is called now and then with the
 * number of postings written since; it may be NULL.
 */
extern void abst_invert_write_merge(AbstSegmentWriter *writer,
									InvMerge *merge, const InvOrigin *origins,
									int norigins,
									void (*postings) (void *arg, uint64 n),
									void *arg);

/*
 * Bring frequency vectors into the order of a segment: most frequent first.
 * Equal ones are added up; returns how many are left.
 */
extern uint32 abst_invert_order_codes(InvCode *codes, uint32 n);

/* Give each of the inverter's codes its number in "ordered". */
extern uint32 *abst_invert_map_codes(const InvCode *codes, uint32 n,
									 const InvCode *ordered, uint32 nordered);

/* ---- invert_shared.c, for invert_plan.c ---- */

struct AbstInvertShared
{
	SharedFileSet files;
	ConditionVariable changed;	/* any of the next three */
	pg_atomic_uint32 handed_over;
	pg_atomic_uint32 planned;
	pg_atomic_uint32 written;

	/* progress */
	pg_atomic_uint64 rows;		/* read */
	pg_atomic_uint64 postings;	/* written */

	/* of the plan */
	dsm_handle	bounds;			/* two bytes a document */
	uint64		all_rows;
	uint64		all_postings;
	pg_atomic_uint32 next_range;
	pg_atomic_uint32 npages;	/* of postings */
};

/* Bytes, numbers and arrays to a shared file and back. */
extern void abst_shared_put(BufFile *file, const void *bytes, Size size);
extern void abst_shared_get(BufFile *file, void *bytes, Size size);
extern void abst_shared_put_number(BufFile *file, uint32 number);
extern uint32 abst_shared_get_number(BufFile *file);
extern void *abst_shared_get_array(BufFile *file, uint32 n, Size size);

/* A step was made; wait for it to be made so often ("report" may be NULL). */
extern void abst_shared_advance(AbstInvertShared *shared,
								pg_atomic_uint32 *step);
extern void abst_shared_wait(AbstInvertShared *shared, pg_atomic_uint32 *step,
							 uint32 times,
							 void (*report) (AbstInvertShared *shared));

/* Show in the progress view how much is written. */
extern void abst_shared_report_written(AbstInvertShared *shared);

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
