/*-------------------------------------------------------------------------
 *
 * list.h
 *		Looks of lines in a plain list.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_LOAD_LIST_H
#define ABST_LOAD_LIST_H

#include "load/record.h"

#define ABST_SHORT_CHARS		120 /* a heading or title on its own */
#define ABST_SHORT_WORDS		16
#define ABST_TITLE_CHARS		220 /* a title above its abstract */
#define ABST_TITLE_WORDS		35
#define ABST_LINE_CHARS		80	/* one abstract a line: at least */

/* Characters in a text. */
extern int	abst_line_chars(const char *text, int len);

/*
 * Does the text end a sentence?  Question and exclamation marks count unless
 * "only_period": a title may have them.
 */
extern bool abst_line_ends_sentence(const char *text, int len,
									bool only_period);

/* Could it be a title: at most so long, no sentence in it nor at its end? */
extern bool abst_line_is_title(const char *text, int len, int maxchars,
							   int maxwords, bool only_period);

/* A line of three or more of the same sign. */
extern bool abst_line_is_rule(const char *text, int len);

/* A marked heading ("# Title", "== Title =="): narrows to what it says. */
extern bool abst_line_is_marked(const char **text, int *len);

/* Length of the field's label before a colon at the line's start, or 0. */
extern int	abst_line_label(const char *text, int len);

#endif							/* ABST_LOAD_LIST_H */
