/*-------------------------------------------------------------------------
 *
 * places.h
 *		From pieces of the display text to characters of the raw text.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_PLACES_H
#define ABST_TEXT_PLACES_H

#include "compat.h"
#include "text/reader.h"

/* How many characters stand before a byte of the raw text, in any order. */
typedef struct AbstPlaces
{
	const AbstPlain *plain;
	int		   *chars;			/* before every so many bytes */
} AbstPlaces;

extern void abst_places_init(AbstPlaces *places, const AbstPlain *plain);

/* Characters before byte "at" of the raw text. */
extern int	abst_places_chars(const AbstPlaces *places, int at);

/*
 * Where in the raw text the piece of display text that ends at "end" ends.
 * "math" says that a formula ends there, whose marks belong to it.
 */
extern int	abst_raw_end(const AbstPlain *plain, int end, bool math);

/*
 * Where in the raw text the piece of display text that begins at "start"
 * begins, marks of emphasis right before it included.
 */
extern int	abst_raw_start(const AbstPlain *plain, int start);

/* Is there a formula that ends at this place of the display text? */
extern bool abst_math_ends(const AbstPlain *plain, int end);

#endif							/* ABST_TEXT_PLACES_H */
