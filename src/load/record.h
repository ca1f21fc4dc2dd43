/*-------------------------------------------------------------------------
 *
 * record.h
 *		Records of abstracts, and the readers that find them in files.
 *
 * One reader a file format, all behind one interface: bytes come in through
 * a callback, records go out one by one.  The same source is compiled into
 * the extension and into the client program, so it uses only what both have:
 * palloc, StringInfo, the JSON parser of src/common.
 *
 * Promises of every reader: any bytes are acceptable; memory is bounded by
 * ABST_RECORD_MAX and does not grow with the file; a record that cannot be
 * read comes out as a reject with its line, its reason and its raw text, and
 * the next one is unharmed.  All text is UTF-8, valid, and free of NUL.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_LOAD_RECORD_H
#define ABST_LOAD_RECORD_H

#include "compat.h"
#include "lib/stringinfo.h"

#ifdef FRONTEND
#define CHECK_FOR_INTERRUPTS() ((void) 0)
#else
#include "miscadmin.h"
#endif

/* A longer record is rejected; its tail is not kept in memory. */
#define ABST_RECORD_MAX		(16 * 1024 * 1024)

/* Bytes of the file's head that detection sees. */
#define ABST_HEAD_SIZE		65536

/* Keys longer than this are replaced by their hash: they must fit an index. */
#define ABST_KEY_MAX		500

/* ---- input: bytes to clean lines ---- */

/* Kinds of repairs of the input, counted by file. */
typedef enum AbstRepair
{
	ABST_REPAIR_BOM,			/* byte order mark removed */
	ABST_REPAIR_UTF16,			/* file was UTF-16 */
	ABST_REPAIR_LATIN1,			/* character read as Windows-1252 */
	ABST_REPAIR_UTF8,			/* bad byte became U+FFFD */
	ABST_REPAIR_NUL,			/* NUL removed */
	ABST_REPAIR_JSON,			/* value JSON does not have (NaN), lone
								 * surrogate, raw control character */
	ABST_REPAIR_QUOTE,			/* stray quote of CSV kept literally */
	ABST_REPAIR_TAIL,			/* closing bracket missing at the end */
	ABST_NREPAIRS
} AbstRepair;

extern const char *const abst_repair_names[ABST_NREPAIRS];

/* Fill buf with up to size bytes; 0 at the end. */
typedef size_t (*AbstReadBytes) (void *arg, char *buf, size_t size);

typedef enum AbstEncoding
{
	ABST_ENC_AUTO,				/* UTF-8, UTF-16 by its mark, else 1252 */
	ABST_ENC_UTF8,				/* bad bytes become U+FFFD */
	ABST_ENC_LATIN1,			/* every byte is a Windows-1252 character */
	ABST_ENC_UTF16LE,
	ABST_ENC_UTF16BE
} AbstEncoding;

typedef struct AbstInput
{
	AbstReadBytes read;
	void	   *arg;
	AbstEncoding encoding;
	bool		started;
	bool		eof;			/* the callback has nothing more */
	bool		last_cr;		/* last byte was CR: a LF belongs to it */
	bool		multibyte;		/* valid UTF-8 beyond ASCII was seen */
	unsigned char magic[8];		/* the file's first bytes */
	unsigned char *raw;			/* bytes not yet decoded */
	int			rawpos;
	int			rawlen;
	StringInfoData text;		/* decoded text, LF line ends */
	int			pos;			/* of it, consumed */
	int64		line;			/* line number at pos, from 1 */
	int64		repairs[ABST_NREPAIRS];
} AbstInput;

extern AbstInput *abst_input_begin(AbstReadBytes read, void *arg,
								   AbstEncoding encoding);
extern void abst_input_end(AbstInput *in);

/* Decode until "n" bytes are there; the number there, less at the end. */
extern int	abst_input_need(AbstInput *in, int n);

/* Take "n" bytes that are there, counting lines. */
extern void abst_input_skip(AbstInput *in, int n);

/*
 * Replace "line" by the next line without its end; false at the end.  What
 * goes beyond ABST_RECORD_MAX is dropped and *overlong set.
 */
extern bool abst_input_line(AbstInput *in, StringInfo line, bool *overlong);

/* Text at the current position, without NUL termination. */
#define abst_input_at(in) ((in)->text.data + (in)->pos)

/* ---- records ---- */

typedef enum AbstRecordField
{
	ABST_REC_KEY,				/* the source's own id */
	ABST_REC_TITLE,
	ABST_REC_ABSTRACT,
	ABST_REC_AUTHORS,			/* list */
	ABST_REC_YEAR,				/* digits */
	ABST_REC_VENUE,
	ABST_REC_DOI,				/* 10.…, lower case */
	ABST_REC_ARXIV,				/* without version */
	ABST_REC_VERSION,			/* digits */
	ABST_REC_PMID,				/* digits */
	ABST_REC_URL,
	ABST_REC_KEYWORDS,			/* list */
	ABST_REC_LANGUAGE,
	ABST_REC_SECTION,			/* heading it stood under */
	ABST_REC_EXTRA,				/* everything else: a JSON object */
	ABST_REC_NFIELDS
} AbstRecordField;

extern const char *const abst_record_field_names[ABST_REC_NFIELDS];

#define abst_field_is_list(field) \
	((field) == ABST_REC_AUTHORS || (field) == ABST_REC_KEYWORDS)

typedef enum AbstRecordKind
{
	ABST_RECORD_GOOD,
	ABST_RECORD_HEADING,		/* its text is the section */
	ABST_RECORD_REJECT			/* reason and raw text are set */
} AbstRecordKind;

/*
 * A record.  Memory belongs to it and is used again for the next one.  An
 * empty value is NULL.  Items of a list each end with a NUL.
 */
typedef struct AbstRecord
{
	AbstRecordKind kind;
	int64		line;			/* where it begins, from 1 */
	StringInfoData value[ABST_REC_NFIELDS];
	StringInfoData key;			/* stable key, see abst_record_finish */
	StringInfoData reason;
	StringInfoData raw;
} AbstRecord;

extern AbstRecord *abst_record_make(void);
extern void abst_record_free(AbstRecord *record);
extern void abst_record_reset(AbstRecord *record);

/*
 * Give a field its value, in the field's normal form.  A value that has none
 * (a year without digits), or a field that is set, goes to extra as "name".
 */
extern void abst_record_put(AbstRecord *record, AbstRecordField field,
							const char *name, const char *text, int len);
extern void abst_record_put_item(AbstRecord *record, AbstRecordField field,
								 const char *text, int len);
/* "json" is one JSON value. */
extern void abst_record_put_extra(AbstRecord *record, const char *name,
								  const char *json, int len);
extern void abst_record_put_extra_text(AbstRecord *record, const char *name,
									   const char *text, int len);

/*
 * Complete a record: identifiers drawn from one another, the stable key
 * (DOI, arXiv id, PMID, the source's id, or a hash of the text), extra
 * closed.  Without title and abstract it becomes a reject.
 */
extern void abst_record_finish(AbstRecord *record);

extern void abst_record_reject(AbstRecord *record, const char *fmt,...)
			pg_attribute_printf(2, 3);

/* First 8 bytes of a hash over all values: equal records have equal ones. */
extern int64 abst_record_digest(const AbstRecord *record);

/* ---- names and normal forms (fields.c) ---- */

/* One --map: the field takes the values of that name, or none ("" name). */
typedef struct AbstMapping
{
	AbstRecordField field;
	const char *source;
} AbstMapping;

typedef struct AbstReadOptions
{
	const AbstMapping *mappings;
	int			nmappings;
} AbstReadOptions;

/*
 * The field that a column or member of this name is, or -1; *rank says how
 * well it fits, 0 best.
 */
extern int	abst_field_lookup(const AbstReadOptions *options,
							  const char *name, int len, int *rank);
/* Parse "field=name"; false if there is no such field. */
extern bool abst_mapping_parse(const char *text, AbstMapping *mapping);

/* Normal forms are appended to "out"; false (nothing appended) if none. */
extern bool abst_normal_doi(StringInfo out, const char *text, int len);
extern bool abst_normal_arxiv(StringInfo out, StringInfo version,
							  const char *text, int len);
extern bool abst_normal_year(StringInfo out, const char *text, int len);
extern bool abst_normal_digits(StringInfo out, const char *text, int len);
extern void abst_split_authors(AbstRecord *record, const char *text, int len);
extern void abst_split_keywords(AbstRecord *record, const char *text, int len);

/* Trim white space (no-break space included) at both ends. */
extern void abst_trim(const char **text, int *len);
extern void abst_append_utf8(StringInfo out, uint32 code);
extern void abst_append_json(StringInfo out, const char *text, int len);

/* ---- SHA-256 (sha256.c) ---- */

typedef struct AbstSha256
{
	uint32		state[8];
	uint64		nbytes;
	uint8		block[64];
} AbstSha256;

extern void abst_sha256_begin(AbstSha256 *sha);
extern void abst_sha256_add(AbstSha256 *sha, const void *data, size_t len);
extern void abst_sha256_end(AbstSha256 *sha, uint8 *digest);	/* 32 bytes */

/* ---- readers (one file each) and their table (format.c) ---- */

/*
 * A file format.  "detect" judges the head of a file, 0 (no) to 100 (sure).
 * "next" fills a record that was reset, false at the end.  "begin" may
 * return NULL with *error set: nothing in the file can be read.
 */
typedef struct AbstFormat
{
	const char *name;
	const char *alias;			/* second name, or NULL */
	const char *description;
	int			(*detect) (const char *head, int len, bool whole,
						   const AbstReadOptions *options);
	void	   *(*begin) (AbstInput *in, const AbstReadOptions *options,
						  const char **error);
	bool		(*next) (void *state, AbstRecord *record);
	void		(*end) (void *state);
} AbstFormat;

extern const AbstFormat abst_format_list;
extern const AbstFormat abst_format_json;
extern const AbstFormat abst_format_csv;

/* Formats in order, NULL at the end. */
extern const AbstFormat *const abst_formats[];

typedef struct AbstReader
{
	const AbstFormat *format;
	AbstInput  *in;
	void	   *state;
} AbstReader;

/* By name; NULL if there is none. */
extern const AbstFormat *abst_format_by_name(const char *name);

/*
 * Begin reading; "format" NULL detects it.  NULL with *error (a constant
 * string) if the content is no format we read.  The input stays the caller's.
 */
extern AbstReader *abst_reader_begin(AbstInput *in, const AbstFormat *format,
									 const AbstReadOptions *options,
									 const char **error);
/* Resets "record" and fills it; good records are finished. */
extern bool abst_reader_next(AbstReader *reader, AbstRecord *record);
extern void abst_reader_end(AbstReader *reader);

#endif							/* ABST_LOAD_RECORD_H */
