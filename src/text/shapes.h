/*-------------------------------------------------------------------------
 *
 * shapes.h
 *		The shape of numbers and of formulas in running text.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_SHAPES_H
#define ABST_TEXT_SHAPES_H

#include "compat.h"
#include "text/reader.h"

/*
 * End of the number at text[at] (a sign, a digit, or a point before a digit),
 * 0 if there is none.  *type becomes NUMBER or PERCENT, or NAME for what has
 * the shape of a version (1.2.3) or of dimensions (3x3).  "open" says that
 * the number may carry a sign here.
 */
extern int	abst_number_end(const char *text, int len, int at, bool open,
							AbstTokenType *type);

/*
 * End of the call "(...)" at text[at] that makes a formula of the single
 * letter before it, as in O(n log n); 0 if what is in the brackets is prose.
 */
extern int	abst_call_end(const char *text, int len, int at);

/* End of the exponent "^..." at text[at]; 0 if there is none. */
extern int	abst_exponent_end(const char *text, int len, int at);

#endif							/* ABST_TEXT_SHAPES_H */
