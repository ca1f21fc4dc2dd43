/*-------------------------------------------------------------------------
 *
 * corpus.h
 *		Documents of the benchmark: made up, the same from the same seed, or
 *		read from a file.  Either way each is had by its number.
 *
 *-------------------------------------------------------------------------
 */
#ifndef CORPUS_H
#define CORPUS_H

#include <stdint.h>

#define CORPUS_MAX_TOKENS 1000	/* of a document */

/*
 * Call it first.  A number makes up so many documents, anything else is the
 * path of a file as text-corpus.c describes it.  Returns how many there are.
 */
extern uint64_t corpus_open(const char *what);

/* How many words there are; their ranks are less. */
extern uint32_t corpus_words(void);

/* Words of a document as ranks, in order; returns how many. */
extern int	corpus_document(uint64_t number, uint32_t *words);

/* What a made-up document is about, one of 400; 0 of others. */
extern uint32_t corpus_topic(uint64_t number);

/* The word of a rank: letters from a to z. */
extern const char *corpus_word(uint32_t rank);

/* Distinct words of a document and how often each occurs; returns how many. */
extern int	corpus_distinct(uint32_t *words, int n, uint32_t *tf);

/* A generator of random numbers of its own. */
typedef struct CorpusRandom
{
	uint64_t	state;
} CorpusRandom;

extern uint64_t corpus_random(CorpusRandom *random);
extern double corpus_uniform(CorpusRandom *random);

#endif							/* CORPUS_H */
