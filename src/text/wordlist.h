/*-------------------------------------------------------------------------
 *
 * wordlist.h
 *		Sorted lists of words: what the language tables are made of.
 *
 * The lists hold folded words (abst_fold_char), sorted by byte value;
 * test/lint holds them to it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_WORDLIST_H
#define ABST_TEXT_WORDLIST_H

#include "compat.h"

/* Longest entry of a list, with its NUL. */
#define ABST_WORD_KEY	48

/* Fold a word to look it up; its length, 0 if it is too long for a list. */
extern int	abst_word_key(const char *word, int len, char *key);

/* Is the word, folded, in the list? */
extern bool abst_word_listed(const char *const *list, int n,
							 const char *word, int len);

#define ABST_LISTED(list, word, len) \
	abst_word_listed(list, lengthof(list), word, len)

/* A word and what it stands for. */
typedef struct AbstWordPair
{
	const char *word;
	const char *value;
} AbstWordPair;

/* What the word, folded, stands for; NULL if it is not in the list. */
extern const char *abst_word_value(const AbstWordPair *list, int n,
								   const char *word, int len);

#define ABST_VALUE(list, word, len) \
	abst_word_value(list, lengthof(list), word, len)

#endif							/* ABST_TEXT_WORDLIST_H */
