/*-------------------------------------------------------------------------
 *
 * wordlist.c
 *		Sorted lists of words: what the language tables are made of.
 *
 *-------------------------------------------------------------------------
 */
#include "text/wordlist.h"

#include "text/charclass.h"

int
abst_word_key(const char *word, int len, char *key)
{
	int			n = 0;
	int			at = 0;

	while (at < len)
	{
		uint32		cp;
		char		buf[4];
		int			got;
		const char *folded;

		at += abst_utf8_decode(word + at, len - at, &cp);
		folded = abst_fold_char(cp, buf, &got);
		if (n + got >= ABST_WORD_KEY)
			return 0;
		memcpy(key + n, folded, got);
		n += got;
	}
	key[n] = '\0';
	return n;
}

bool
abst_word_listed(const char *const *list, int n, const char *word, int len)
{
	char		key[ABST_WORD_KEY];
	int			low = 0;
	int			high = n - 1;

	if (abst_word_key(word, len, key) == 0)
		return false;
	while (low <= high)
	{
		int			mid = (low + high) / 2;
		int			cmp = strcmp(key, list[mid]);

		if (cmp == 0)
			return true;
		if (cmp < 0)
			high = mid - 1;
		else
			low = mid + 1;
	}
	return false;
}

const char *
abst_word_value(const AbstWordPair *list, int n, const char *word, int len)
{
	char		key[ABST_WORD_KEY];
	int			low = 0;
	int			high = n - 1;

	if (abst_word_key(word, len, key) == 0)
		return NULL;
	while (low <= high)
	{
		int			mid = (low + high) / 2;
		int			cmp = strcmp(key, list[mid].word);

		if (cmp == 0)
			return list[mid].value;
		if (cmp < 0)
			high = mid - 1;
		else
			low = mid + 1;
	}
	return NULL;
}
