/*-------------------------------------------------------------------------
 *
 * utf8.c
 *		UTF-8 that may be broken, and the way to and from the database's
 *		encoding.
 *
 * In a UTF8 database the conversions return their argument.  In a SQL_ASCII
 * database bytes are taken for UTF-8 as they are; those that are not become
 * U+FFFD when they are decoded.  A character that the database's encoding
 * lacks becomes a question mark.
 *
 *-------------------------------------------------------------------------
 */
#include "text/utf8.h"

#include "catalog/namespace.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "text/reader.h"

int
abst_utf8_decode_long(const unsigned char *s, int len, uint32 *cp)
{
	uint32		c = s[0];

	if (c < 0x80)
	{
		*cp = c;
		return 1;
	}
	if (c >= 0xC2 && c <= 0xDF && len >= 2 && (s[1] & 0xC0) == 0x80)
	{
		*cp = ((c & 0x1F) << 6) | (s[1] & 0x3F);
		return 2;
	}
	if (c >= 0xE0 && c <= 0xEF && len >= 3 &&
		(s[1] & 0xC0) == 0x80 && (s[2] & 0xC0) == 0x80)
	{
		*cp = ((c & 0x0F) << 12) | ((s[1] & 0x3F) << 6) | (s[2] & 0x3F);
		if (*cp >= 0x800 && (*cp < 0xD800 || *cp > 0xDFFF))
			return 3;
	}
	else if (c >= 0xF0 && c <= 0xF4 && len >= 4 && (s[1] & 0xC0) == 0x80 &&
			 (s[2] & 0xC0) == 0x80 && (s[3] & 0xC0) == 0x80)
	{
		*cp = ((c & 0x07) << 18) | ((s[1] & 0x3F) << 12) |
			((s[2] & 0x3F) << 6) | (s[3] & 0x3F);
		if (*cp >= 0x10000 && *cp <= 0x10FFFF)
			return 4;
	}
	*cp = ABST_BAD_CHAR;
	return 1;
}

int
abst_utf8_encode(uint32 cp, char *to)
{
	if (cp < 0x80)
	{
		to[0] = (char) cp;
		return 1;
	}
	if (cp < 0x800)
	{
		to[0] = (char) (0xC0 | (cp >> 6));
		to[1] = (char) (0x80 | (cp & 0x3F));
		return 2;
	}
	if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
		cp = ABST_BAD_CHAR;
	if (cp < 0x10000)
	{
		to[0] = (char) (0xE0 | (cp >> 12));
		to[1] = (char) (0x80 | ((cp >> 6) & 0x3F));
		to[2] = (char) (0x80 | (cp & 0x3F));
		return 3;
	}
	to[0] = (char) (0xF0 | (cp >> 18));
	to[1] = (char) (0x80 | ((cp >> 12) & 0x3F));
	to[2] = (char) (0x80 | ((cp >> 6) & 0x3F));
	to[3] = (char) (0x80 | (cp & 0x3F));
	return 4;
}

int
abst_utf8_clip(const char *s, int len, int limit)
{
	int			n = limit;

	if (len <= limit)
		return len;
	/* at most three trailing bytes; more is no UTF-8 and may be cut */
	while (n > 0 && n > limit - 4 && ((unsigned char) s[n] & 0xC0) == 0x80)
		n--;
	return n > 0 ? n : limit;
}

/* Bytes converted in one call at most. */
#define PIECE (1 << 20)

/*
 * Copy "len" bytes from one encoding to another, with '?' for characters the
 * target lacks.
 */
static char *
convert(const char *from, int len, int src, int dest, int *newlen)
{
	Oid			proc = FindDefaultConversionProc(src, dest);
	Size		size;
	char	   *result;
	int			done = 0;
	int			out = 0;

	if (!OidIsValid(proc))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("default conversion function for encoding \"%s\" to \"%s\" does not exist",
						pg_encoding_to_char(src), pg_encoding_to_char(dest))));

	size = (Size) len * MAX_CONVERSION_GROWTH + 1;
	result = MemoryContextAllocHuge(CurrentMemoryContext, size);
	while (done < len)
	{
		/* conversion is called piecewise, as its length is an int */
		int			end = len;

		if (len - done > PIECE)
			end = done + Max(1, pg_encoding_mbcliplen(src, from + done,
													  len - done, PIECE));
		while (done < end)
		{
			int			took;

			CHECK_FOR_INTERRUPTS();
			result[out] = '\0';
			took = pg_do_encoding_conversion_buf(proc, src, dest,
												 (unsigned char *) from + done,
												 end - done,
												 (unsigned char *) result + out,
												 Min(size - out,
													 (Size) INT_MAX / 2),
												 true);
			out += strlen(result + out);
			done += took;
			if (done < end)
			{
				int			bad = pg_encoding_mblen(src, from + done);

				result[out++] = '?';
				done += Max(1, Min(bad, end - done));
			}
		}
	}
	result[out] = '\0';
	*newlen = out;
	return result;
}

char	   *
abst_to_utf8(const char *text, int len, int *utf8len)
{
	int			encoding = GetDatabaseEncoding();

	if (encoding == PG_UTF8 || encoding == PG_SQL_ASCII || len == 0)
	{
		*utf8len = len;
		return (char *) text;
	}
	return convert(text, len, encoding, PG_UTF8, utf8len);
}

char	   *
abst_from_utf8(const char *utf8, int len, int *textlen)
{
	int			encoding = GetDatabaseEncoding();

	if (encoding == PG_UTF8 || encoding == PG_SQL_ASCII || len == 0)
	{
		*textlen = len;
		return (char *) utf8;
	}
	return convert(utf8, len, PG_UTF8, encoding, textlen);
}
