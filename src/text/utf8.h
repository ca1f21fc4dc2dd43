/*-------------------------------------------------------------------------
 *
 * utf8.h
 *		UTF-8 that may be broken: decoding, encoding, cutting.
 *
 * Every function accepts any bytes.  What is no valid UTF-8 reads as one
 * U+FFFD for each byte.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_UTF8_H
#define ABST_TEXT_UTF8_H

#include "compat.h"

#define ABST_BAD_CHAR	0xFFFD

/* The slow part of abst_utf8_decode: everything but ASCII. */
extern int	abst_utf8_decode_long(const unsigned char *s, int len, uint32 *cp);

/* Write a character; returns its bytes (1..4). */
extern int	abst_utf8_encode(uint32 cp, char *to);

/* Largest length <= limit that ends at a character border of s. */
extern int	abst_utf8_clip(const char *s, int len, int limit);

/* Read the character at s; len > 0.  Returns the bytes it takes (1..4). */
static inline int
abst_utf8_decode(const char *s, int len, uint32 *cp)
{
	unsigned char c = (unsigned char) *s;

	if (c < 0x80)
	{
		*cp = c;
		return 1;
	}
	return abst_utf8_decode_long((const unsigned char *) s, len, cp);
}

/* Read the character that ends before s[at]; at > 0. */
static inline int
abst_utf8_decode_before(const char *s, int at, uint32 *cp)
{
	int			n = 1;
	int			got;

	while (n < 4 && n < at && ((unsigned char) s[at - n] & 0xC0) == 0x80)
		n++;
	got = abst_utf8_decode(s + at - n, n, cp);
	if (got == n)
		return n;
	*cp = ABST_BAD_CHAR;
	return 1;
}

#endif							/* ABST_TEXT_UTF8_H */
