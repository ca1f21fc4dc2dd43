/*-------------------------------------------------------------------------
 *
 * words.h
 *		The words of a piece of query text, as a configuration reads them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_QUERY_WORDS_H
#define ABST_QUERY_WORDS_H

#include "compat.h"

#include "text/lexemes.h"

/* One token of the text.  Valid during the callback only. */
typedef struct AbstWord
{
	int			position;		/* as in a document vector, from 1 */
	int			width;			/* positions it takes, at least 1 */
	bool		compound;		/* lexemes[0] is the glue, the others are
								 * parts; never with a foreign parser */
	/*
	 * Folded and lower-cased, not stemmed, and only if it consists of letters
	 * and digits (those of a compound: without the joints); else NULL.
	 * Always NULL with a foreign parser.
	 */
	const char *plain;			/* NUL-terminated */
	int			plain_len;
	bool		gluable;		/* may be one half of a word written apart */
	int			nlexemes;		/* 0: a stop word */
	const AbstLexeme *lexemes;
} AbstWord;

typedef void (*AbstWordSink) (void *arg, const AbstWord *word);

/* Call back for each word of "text", in order; blanks are left out. */
extern void abst_words_read(Oid config, const char *text, int len,
							AbstWordSink sink, void *arg);

#endif							/* ABST_QUERY_WORDS_H */
