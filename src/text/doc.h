/*-------------------------------------------------------------------------
 *
 * doc.h
 *		A document as scoring and the index see it: its terms, sorted, with
 *		their frequency per field, and its lengths.
 *
 * Everything comes from a tsvector, so a document column and a text column
 * are treated alike, and operator and index count alike.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_DOC_H
#define ABST_TEXT_DOC_H

#include "compat.h"
#include "tsearch/ts_type.h"

#define ABST_NFIELDS 4			/* labels A, B, C, D: title, abstract,
								 * keywords, the rest */

/*
 * Term frequency by field, A first.  Each count is at most 255, the most a
 * tsvector holds.  "all" lets a frequency vector be copied and compared whole.
 */
typedef union AbstTf
{
	uint8		field[ABST_NFIELDS];
	uint32		all;
} AbstTf;

/* Field lengths: occurrences per field, each capped at ABST_MAX_LENGTH. */
#define ABST_MAX_LENGTH 65535

typedef struct AbstLengths
{
	uint16		field[ABST_NFIELDS];
} AbstLengths;

typedef struct AbstDocTerm
{
	const char *lexeme;			/* not NUL-terminated; into the tsvector */
	int			len;
	AbstTf		tf;
} AbstDocTerm;

typedef struct AbstDoc
{
	AbstLengths lengths;
	float4		norm;			/* squared length for similarity, see
								 * abst_doc_norm */
	int			nterms;
	AbstDocTerm *terms;			/* by memcmp, then length; unique */
} AbstDoc;

/* Compare two lexemes: memcmp over the shorter, then length. */
extern int	abst_lexeme_cmp(const char *a, int alen, const char *b, int blen);

/* Frequencies of one entry; an entry without positions counts once, as D. */
extern AbstTf abst_entry_tf(TSVector vector, WordEntry *entry);

/* All of a tsvector; terms palloc'd, lexemes point into the vector. */
extern void abst_doc_from_vector(TSVector vector, AbstDoc *doc);

/* Lengths and norm only. */
extern void abst_doc_measure(TSVector vector, AbstLengths *lengths,
							 float4 *norm);

/* 1 + ln tf with tf summed over the fields; 0 where the term is absent. */
extern double abst_like_frequency(AbstTf tf);

/* (1 + ln tf)^2 with tf summed over the fields: a term's part of the norm. */
extern double abst_norm_part(AbstTf tf);

/*
 * Read a text through a text search configuration into a tsvector, exactly
 * as to_tsvector(config, text) does while that fits, after boilerplate was
 * left out (boilerplate.h); beyond a tsvector's limits the first part is kept
 * and a NOTICE says so, never an error.  "label" is 'A'..'D'.  Words that parts of one document share a vector:
 * pass several parts.
 */
typedef struct AbstTextPart
{
	const char *text;			/* database encoding */
	int			len;
	char		label;			/* 'A' .. 'D' */
} AbstTextPart;

extern TSVector abst_vector_from_text(Oid config, const AbstTextPart *parts,
									  int nparts);

/*
 * The text of one row, all labelled D.  The last few are remembered, so
 * several operators on one row read it once.
 */
extern TSVector abst_vector_of_row(Oid config, const char *text, int len);

/* Schema of the extension, or InvalidOid. */
extern Oid	abst_extension_schema(void);

/* Oid of the extension's own configuration "abstracts" (cached per backend). */
extern Oid	abst_default_config(void);

#endif							/* ABST_TEXT_DOC_H */
