/*-------------------------------------------------------------------------
 *
 * lexemes.h
 *		The tokens of a text and their lexemes, as a configuration has them.
 *
 * Works with every text search configuration and parser.  Tokens, positions
 * and lexemes are those of to_tsvector(config, text); what a tsvector would
 * forget (token types, stop words, which token a lexeme comes from) is kept.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_LEXEMES_H
#define ABST_TEXT_LEXEMES_H

#include "compat.h"

/* A longer lexeme stands for its first so many bytes. */
#define ABST_MAX_LEXEME 255

/*
 * Stands where a compound has a stop word (state-of-the-art), so that the
 * parts after it keep their distance.  It is in vectors, as a dictionary can
 * move a position only along with a lexeme; it is no term: documents and
 * abst_lexemes_of_text leave it out.
 */
#define ABST_FILLER "-"

static inline bool
abst_is_filler(const char *lexeme, int len)
{
	return len == 1 && *lexeme == ABST_FILLER[0];
}

typedef struct AbstLexeme
{
	const char *text;			/* not NUL-terminated */
	int			len;			/* 1 .. ABST_MAX_LEXEME */
	int			offset;			/* positions after the token's first */
} AbstLexeme;

typedef struct AbstLexemeToken
{
	int			type;			/* of the configuration's parser; 0 where a
								 * multi-token dictionary made the lexemes */
	const char *text;			/* the token itself; NULL with type 0 */
	int			len;
	int			position;		/* of the token's first lexeme, from 1 */
	int			width;			/* positions the token takes, at least 1 */
	int			nlexemes;		/* 0: a stop word */
	const AbstLexeme *lexemes;
} AbstLexemeToken;

/* What is passed is valid during the call only. */
typedef void (*AbstLexemeSink) (void *arg, const AbstLexemeToken *token);

/*
 * Call back for each token of "text" (database encoding) that a dictionary
 * knows, in order.  Tokens of types that the configuration does not map are
 * left out and take no position.
 */
extern void abst_lexemes_of_text(Oid config, const char *text, int len,
								 AbstLexemeSink sink, void *arg);

/* The same with fillers, as a vector needs them. */
extern void abst_lexemes_for_vector(Oid config, const char *text, int len,
									AbstLexemeSink sink, void *arg);

/* Changes when what was read before may be read otherwise now. */
extern uint64 abst_lexeme_epoch(void);

#endif							/* ABST_TEXT_LEXEMES_H */
