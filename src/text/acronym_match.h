/*-------------------------------------------------------------------------
 *
 * acronym_match.h
 *		Does a short form stand for some words?
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_ACRONYM_MATCH_H
#define ABST_TEXT_ACRONYM_MATCH_H

#include "compat.h"
#include "text/reader.h"

/* Letters and digits of a short form, and parts of words looked at. */
#define ABST_MAX_BRIEF		12
#define ABST_MAX_PARTS		40

/* A part of a word: words are parted at hyphens and the like. */
typedef struct AbstPart
{
	const char *text;			/* in the display text */
	int			len;
	int			start;			/* in the display text */
	bool		inner;			/* not the first part of its word */
	bool		upper;			/* begins with a capital */
	bool		small;			/* a function word */
} AbstPart;

/* The letters and digits of a short form, folded, plural s taken off. */
typedef struct AbstBrief
{
	int			n;
	uint32		letter[ABST_MAX_BRIEF];
	int			upper;			/* capitals in it */
	int			digits;
	bool		plain;			/* a capital at the beginning only */
} AbstBrief;

extern bool abst_brief_read(const char *s, int len, AbstBrief *brief);

/* Parts of a word, added behind the n there are; the new number. */
extern int	abst_parts_add(const char *text, AbstSpan word, AbstPart *parts,
						   int n);

/*
 * The part with which the long form of "brief" begins among the parts, of
 * which the last stands right before it; -1 if they are no long form of it.
 * "whole" says that it must begin with the first part, and that one more
 * word may follow.
 */
extern int	abst_brief_match(const AbstBrief *brief, const AbstPart *parts,
							 int n, bool whole);

#endif							/* ABST_TEXT_ACRONYM_MATCH_H */
