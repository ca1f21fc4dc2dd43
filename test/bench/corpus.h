/*-------------------------------------------------------------------------
 *
 * corpus.h
 *		Made-up abstracts: the same from the same seed, each by its number.
 *
 *-------------------------------------------------------------------------
 */
#ifndef CORPUS_H
#define CORPUS_H

#include <stdint.h>

#define CORPUS_SEED 20260101	/* of the benchmark */
#define CORPUS_WORDS 200000		/* of the vocabulary, by falling frequency */
#define CORPUS_MAX_TOKENS 1000	/* of a document */

/* Make the tables; call it first. */
extern void corpus_init(uint64_t seed);

/* Words of a document as ranks, in order; returns how many. */
extern int	corpus_document(uint64_t number, uint32_t *words);

/* The word of a rank: 3 to 9 letters from a to z, frequent words shorter. */
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
