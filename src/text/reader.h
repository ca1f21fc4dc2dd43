/*-------------------------------------------------------------------------
 *
 * reader.h
 *		What the reader makes of a raw abstract: display text, and tokens.
 *
 * Stage 1 (plain) turns raw UTF-8 into display text: markup gone, NFC, with
 * a map from every display byte back to the raw text.  Stage 2 (tokens) cuts
 * the display text into typed tokens that cover it without a gap.  Both are
 * linear in the input, never fail on any bytes, and can be cancelled.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_READER_H
#define ABST_TEXT_READER_H

#include "compat.h"

/*
 * Token types.  The core's headline function knows some numbers: 12 is blank,
 * 13 becomes a blank, 5 and 15..17 are left out (the core's parser shows them
 * through their parts).  Ours keep clear of these, so ts_headline shows every
 * token; but "hanging" is 15, for it says more than the text shows.  Type 0 is
 * the end of the text.
 */
typedef enum AbstTokenType
{
	ABST_TOK_END = 0,
	ABST_TOK_WORD = 1,			/* letters, ordinary case: stemmed */
	ABST_TOK_NAME = 2,			/* mixed case, or letters with digits/signs */
	ABST_TOK_ACRONYM = 3,		/* all capitals, plural s and 's included */
	ABST_TOK_EMAIL = 4,
	ABST_TOK_DOI = 6,
	ABST_TOK_ARXIV = 7,
	ABST_TOK_NUMBER = 8,		/* signed, decimal, with exponent */
	ABST_TOK_PERCENT = 9,		/* number with % */
	ABST_TOK_MATH = 10,			/* one formula */
	ABST_TOK_CJK = 11,			/* run of CJK characters; its dictionary
								 * yields character bigrams */
	ABST_TOK_BLANK = 12,		/* space and punctuation: never indexed */
	ABST_TOK_GREEK = 14,		/* a Greek letter standing alone */
	ABST_TOK_HANGING = 15,		/* "pre-" of "pre- and post-test": with the
								 * rest of the word it is part of */
	ABST_TOK_URL = 18,
	ABST_TOK_COMPOUND = 19,		/* hyphen, slash, plus joined: whole; its
								 * dictionary yields glue and parts */
	ABST_TOK_UNIT = 20			/* unit of measurement after a number */
} AbstTokenType;

#define ABST_TOK_MAX 21

/* No token is longer (bytes); a longer word goes on as a blank. */
#define ABST_MAX_TOKEN 1024

/* A piece of text. */
typedef struct AbstSpan
{
	int			start;
	int			len;
} AbstSpan;

/* Display text of one abstract. */
typedef struct AbstPlain
{
	char	   *text;			/* UTF-8, NFC, NUL-terminated */
	int			len;			/* bytes */
	const char *raw;			/* the UTF-8 input, owned by the caller */
	int			rawlen;
	/* raw byte offset of each display byte, len + 1 entries, non-decreasing */
	int		   *rawpos;
	/* formulas in the display text, in order; each is one token */
	int			nmath;
	AbstSpan   *math;
} AbstPlain;

/* A token of the display text. */
typedef struct AbstToken
{
	AbstTokenType type;
	int			start;			/* byte offset in the display text */
	int			len;			/* bytes */
	AbstSpan	rest;			/* HANGING: what completes the word */
} AbstToken;

/*
 * Make display text of "raw" (any bytes; bad UTF-8 becomes U+FFFD).  With
 * "want_map" false rawpos is NULL.  Everything is palloc'd in the current
 * context.
 */
extern AbstPlain *abst_plain_make(const char *raw, int rawlen, bool want_map);

/*
 * Walk the tokens of a display text, in order, blanks included.  The first
 * form knows where the formulas are; the second takes any text.
 */
typedef struct AbstTokenizer AbstTokenizer;
extern AbstTokenizer *abst_tokenizer_begin_plain(const AbstPlain *plain);
extern AbstTokenizer *abst_tokenizer_begin(const char *text, int len);
extern bool abst_tokenizer_next(AbstTokenizer *tokenizer, AbstToken *token);

/*
 * Text in the database encoding to UTF-8 and back.  In a UTF8 database no
 * copy is made.
 */
extern char *abst_to_utf8(const char *text, int len, int *utf8len);
extern char *abst_from_utf8(const char *utf8, int len, int *textlen);

#endif							/* ABST_TEXT_READER_H */
