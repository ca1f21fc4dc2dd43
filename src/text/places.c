/*-------------------------------------------------------------------------
 *
 * places.c
 *		From pieces of the display text to characters of the raw text.
 *
 *-------------------------------------------------------------------------
 */
#include "text/places.h"

#include "miscadmin.h"
#include "text/charclass.h"
#include "utils/memutils.h"

/* Characters are counted before every so many bytes. */
#define STRIDE	512

void
abst_places_init(AbstPlaces *places, const AbstPlain *plain)
{
	int			at = 0;
	int			chars = 0;
	int			mark = 0;

	places->plain = plain;
	places->chars = palloc(sizeof(int) * (plain->rawlen / STRIDE + 1));
	while (at <= plain->rawlen)
	{
		uint32		cp;

		if ((at & 0xFFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		/* a character that lies across a mark is counted behind it */
		while (mark * STRIDE <= at)
			places->chars[mark++] = chars;
		if (at == plain->rawlen)
			break;
		at += abst_utf8_decode(plain->raw + at, plain->rawlen - at, &cp);
		chars++;
	}
}

int
abst_places_chars(const AbstPlaces *places, int at)
{
	const AbstPlain *plain = places->plain;
	int			byte = at / STRIDE * STRIDE;
	int			chars = places->chars[at / STRIDE];

	/* to the first character that begins at or behind the mark */
	for (int i = 0; i < 3 && byte < plain->rawlen &&
		 ((unsigned char) plain->raw[byte] & 0xC0) == 0x80; i++)
		byte++;
	while (byte < at)
	{
		uint32		cp;

		byte += abst_utf8_decode(plain->raw + byte, plain->rawlen - byte, &cp);
		chars++;
	}
	return chars;
}

int
abst_raw_end(const AbstPlain *plain, int end, bool math)
{
	int			last = end;
	uint32		cp;
	int			n;
	int			raw;

	if (math || end <= 0)
		return plain->rawpos[end];
	last -= abst_utf8_decode_before(plain->text, end, &cp);
	raw = plain->rawpos[last];
	n = end - last;
	/* a character that stands there as it is, else up to the next one */
	if (raw + n <= plain->rawlen &&
		memcmp(plain->raw + raw, plain->text +last, n) == 0)
		return raw + n;
	return plain->rawpos[end];
}

int
abst_raw_start(const AbstPlain *plain, int start)
{
	int			at = plain->rawpos[start];
	int			limit = start > 0 ? abst_raw_end(plain, start, false) : 0;

	if (start > 0 && plain->text[start - 1] != '\n')
		limit = Max(limit, plain->rawpos[start - 1]);
	limit = Max(limit, at - 64);
	for (int i = at; i > limit; i--)
	{
		char		c = plain->raw[i - 1];

		if (c == '*' || c == '_' || c == '{' || c == '`')
			at = i - 1;
		else if (c == '\\')
			return i - 1;
		else if (!(c >= 'a' && c <= 'z'))
			break;
	}
	return at;
}

bool
abst_math_ends(const AbstPlain *plain, int end)
{
	int			low = 0;
	int			high = plain->nmath;

	/* the first formula that ends at or after this place */
	while (low < high)
	{
		int			mid = (low + high) / 2;

		if (plain->math[mid].start + plain->math[mid].len < end)
			low = mid + 1;
		else
			high = mid;
	}
	return low < plain->nmath &&
		plain->math[low].start + plain->math[low].len == end;
}
