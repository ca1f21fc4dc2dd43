/*-------------------------------------------------------------------------
 *
 * units.h
 *		Units of measurement after numbers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_UNITS_H
#define ABST_TEXT_UNITS_H

#include "compat.h"

/*
 * End of the unit at text[at], which stands right behind a number or a blank
 * after it: mg, km/h, kg m^-2 written as kg·m⁻².  0 if there is none.  With
 * "glued" (5mg) letters that may mean something else there (5k, 3D) are none.
 */
extern int	abst_unit_end(const char *text, int len, int at, bool glued);

#endif							/* ABST_TEXT_UNITS_H */
