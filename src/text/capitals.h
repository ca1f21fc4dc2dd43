/*-------------------------------------------------------------------------
 *
 * capitals.h
 *		Words in capitals that are no acronyms, and letters that are names.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_CAPITALS_H
#define ABST_TEXT_CAPITALS_H

#include "compat.h"

/*
 * Is the sentence, heading or line from text[at] on written in capitals only?
 * Then its words are no acronyms.  *end becomes where it ends.
 */
extern bool abst_capital_stretch(const char *text, int len, int at, int *end);

/* Is the word one of those written in capitals as labels of sections? */
extern bool abst_is_label_word(const char *word, int len);

/*
 * "A" or "I" at text[at] as a name: after a noun, as in vitamin A and type I.
 * What comes after a sign or a function word is the article or the pronoun.
 */
extern bool abst_named_by_letter(const char *text, int at);

#endif							/* ABST_TEXT_CAPITALS_H */
