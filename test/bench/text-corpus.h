/*-------------------------------------------------------------------------
 *
 * text-corpus.h
 *		Documents of a file; corpus.h is how programs come to them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TEXT_CORPUS_H
#define TEXT_CORPUS_H

#include <stdint.h>

/* Read the file; returns how many documents it has. */
extern uint64_t text_corpus_open(const char *path);
extern int	text_corpus_document(uint64_t number, uint32_t *words);
extern const char *text_corpus_word(uint32_t rank);
extern uint32_t text_corpus_words(void);

#endif							/* TEXT_CORPUS_H */
