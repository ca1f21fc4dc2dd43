/*-------------------------------------------------------------------------
 *
 * charclass.c
 *		Look-ups in the character tables, and folding.
 *
 * Everything here is constant time per character and allocates nothing but
 * the result of abst_fold.
 *
 *-------------------------------------------------------------------------
 */
#include "text/charclass.h"

#include "text/unicode_tables.h"

/* Names of the letters alpha .. omega (U+03B1 .. U+03C9). */
static const char *const greek_names[] = {
	"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta",
	"iota", "kappa", "lambda", "mu", "nu", "xi", "omicron", "pi", "rho",
	"sigma", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"
};

uint8
abst_char_bits(uint32 cp)
{
	uint32		block = cp >> 7;

	if (block >= ABST_CLASS_BLOCKS)
		block = ABST_CLASS_BLOCKS - 1;
	return class_rows[class_blocks[block]][cp & 0x7F];
}

uint32
abst_char_superscript(uint32 cp)
{
	for (int i = 0; i < lengthof(super_forms); i++)
		if (super_forms[i].base == cp)
			return super_forms[i].form;
	return 0;
}

uint32
abst_char_subscript(uint32 cp)
{
	for (int i = 0; i < lengthof(sub_forms); i++)
		if (sub_forms[i].base == cp)
			return sub_forms[i].form;
	return 0;
}

const char *
abst_fold_char(uint32 cp, char *buf, int *len)
{
	int			low = 0;
	int			high = ABST_NFOLDS - 1;

	if (cp < 0x80)
	{
		buf[0] = (cp >= 'A' && cp <= 'Z') ? (char) (cp | 0x20) : (char) cp;
		*len = 1;
		return buf;
	}
	while (low <= high)
	{
		int			middle = (low + high) / 2;

		if (fold_map[middle].cp == cp)
		{
			*len = fold_map[middle].len;
			return (const char *) fold_pool + fold_map[middle].at;
		}
		if (fold_map[middle].cp < cp)
			low = middle + 1;
		else
			high = middle - 1;
	}
	*len = abst_utf8_encode(cp, buf);
	return buf;
}

char	   *
abst_fold(const char *utf8, int len, int *foldlen)
{
	Size		size = (Size) len + 32;
	char	   *result = palloc(size);
	int			out = 0;
	int			at = 0;

	while (at < len)
	{
		uint32		cp;
		char		buf[4];
		int			n;
		const char *f;

		at += abst_utf8_decode(utf8 + at, len - at, &cp);
		f = abst_fold_char(cp, buf, &n);
		if (out + n + 1 > size)
		{
			size = size * 2 + n;
			result = repalloc(result, size);
		}
		memcpy(result + out, f, n);
		out += n;
	}
	result[out] = '\0';
	*foldlen = out;
	return result;
}

const char *
abst_greek_name(uint32 cp)
{
	if (cp >= 0x3B1 && cp <= 0x3C9)
		return greek_names[cp - 0x3B1];
	return NULL;
}
