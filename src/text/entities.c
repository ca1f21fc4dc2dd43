/*-------------------------------------------------------------------------
 *
 * entities.c
 *		The pass that decodes character references: &lt; &#946; &#x3b2;
 *
 * Only well-formed references with a semicolon count, so "Tom&notit" and
 * "R&D" stay.  One call decodes one layer; the caller runs it twice for text
 * that was escaped twice.
 *
 *-------------------------------------------------------------------------
 */
#include "text/passes.h"

#include "miscadmin.h"
#include "text/charclass.h"
#include "text/entity_table.h"

/* What browsers make of references to C1 controls: windows-1252. */
static const uint16 windows_1252[] = {
	0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6,
	0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019,
	0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
	0x0153, 0x9D, 0x017E, 0x0178
};

static uint32
find_entity(const char *name, int len)
{
	int			low = 0;
	int			high = lengthof(entity_table) - 1;

	while (low <= high)
	{
		int			middle = (low + high) / 2;
		int			cmp = strncmp(name, entity_table[middle].name, len);

		if (cmp == 0 && entity_table[middle].name[len] != '\0')
			cmp = -1;
		if (cmp == 0)
			return entity_table[middle].cp;
		if (cmp < 0)
			high = middle - 1;
		else
			low = middle + 1;
	}
	return 0;
}

/* Bytes of the reference at s ("&..."), 0 if it is none. */
static int
reference(const char *s, Size len, uint32 *cp)
{
	int			limit = (int) Min(len, ABST_MAX_ENTITY_NAME + 2);
	int			i = 1;
	int			start;

	*cp = 0;
	if (limit > 2 && s[1] == '#')
	{
		bool		hex = s[2] == 'x' || s[2] == 'X';
		uint32		value = 0;

		i = start = hex ? 3 : 2;
		for (; i < limit && i < start + 8; i++)
		{
			char		c = s[i];

			if (c >= '0' && c <= '9')
				value = value * (hex ? 16 : 10) + (c - '0');
			else if (hex && c >= 'a' && c <= 'f')
				value = value * 16 + (c - 'a' + 10);
			else if (hex && c >= 'A' && c <= 'F')
				value = value * 16 + (c - 'A' + 10);
			else
				break;
			if (value > 0x10FFFF)
				value = 0x110000;
		}
		if (i == start || i >= limit || s[i] != ';')
			return 0;
		if (value >= 0x80 && value <= 0x9F)
			value = windows_1252[value - 0x80];
		if (value == 0 || value > 0x10FFFF || (value >= 0xD800 &&
											   value <= 0xDFFF))
			value = ABST_BAD_CHAR;
		*cp = value;
		return i + 1;
	}
	start = i;
	while (i < limit && ((s[i] >= 'a' && s[i] <= 'z') ||
						 (s[i] >= 'A' && s[i] <= 'Z') ||
						 (i > start && s[i] >= '0' && s[i] <= '9')))
		i++;
	if (i == start || i >= limit || s[i] != ';')
		return 0;
	*cp = find_entity(s + start, i - start);
	return *cp != 0 ? i + 1 : 0;
}

bool
abst_pass_entities(const AbstBuf *in, AbstBuf *out)
{
	Size		at = 0;
	bool		found = false;

	while (at < in->len)
	{
		const char *amp = memchr(in->text +at, '&', in->len - at);
		Size		next = amp ? (Size) (amp - in->text) : in->len;
		uint32		cp;
		int			n;
		AbstCharClass k;

		CHECK_FOR_INTERRUPTS();
		abst_buf_copy(out, in, at, next - at);
		at = next;
		if (at >= in->len)
			break;
		n = reference(in->text +at, in->len - at, &cp);
		if (n == 0)
		{
			abst_buf_copy(out, in, at, 1);
			at++;
			continue;
		}
		found = true;
		k = abst_char_class(cp);
		if (k == ABST_CHAR_SPACE || k == ABST_CHAR_CONTROL)
			cp = cp == '\n' ? '\n' : ' ';
		if (k != ABST_CHAR_INVISIBLE && k != ABST_CHAR_JOINER)
			abst_buf_put_char(out, cp, abst_buf_pos(in, at));
		at += n;
	}
	return found;
}
