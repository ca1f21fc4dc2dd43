/*-------------------------------------------------------------------------
 *
 * list_line.c
 *		What a line of a plain list looks like: a title, a heading, a label,
 *		the end of a sentence.
 *
 * Judgements by form alone; what they mean in a list is list.c's to say.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <ctype.h>

#include "load/list.h"

/* Labels of fields in a list; a strict choice, as prose has colons too. */
static const char *const labels[] = {
	"title", "titel", "abstract", "authors", "author", "year", "venue",
	"conference", "journal", "doi", "arxiv", "url", "link", "keywords",
	"id", "key", "pmid", "zusammenfassung", "autoren"
};

int
abst_line_chars(const char *text, int len)
{
	int			n = 0;
	int			i;

	for (i = 0; i < len; i++)
		n += ((unsigned char) text[i] & 0xC0) !=0x80;
	return n;
}

static int
count_words(const char *text, int len)
{
	int			n = 0;
	int			i;

	for (i = 0; i < len; i++)
		n += !isspace((unsigned char) text[i]) &&
			(i == 0 || isspace((unsigned char) text[i - 1]));
	return n;
}

/* Drop closing quotes and brackets. */
static int
without_closers(const char *text, int len)
{
	static const char *const closers[] = {
		"\"", "'", ")", "]", "*", "_", "\xE2\x80\x9D", "\xE2\x80\x99",
		"\xC2\xBB", "\xEF\xBC\x89", "\xE3\x80\x8D"
	};
	int			i;

	for (i = 0; i < lengthof(closers);)
	{
		int			n = (int) strlen(closers[i]);

		if (len > n && memcmp(text +len - n, closers[i], n) == 0)
		{
			len -= n;
			i = 0;
		}
		else
			i++;
	}
	return len;
}

/* Does the text end a sentence?  Question and exclamation may be a title's. */
bool
abst_line_ends_sentence(const char *text, int len, bool only_period)
{
	static const char *const ends[] = {
		".", "\xE3\x80\x82", "\xE2\x80\xA6", "\xEF\xBC\x8E", "\xE0\xA5\xA4",
		"?", "!", "\xEF\xBC\x9F", "\xEF\xBC\x81"
	};
	int			nends = only_period ? 5 : lengthof(ends);
	int			i;

	len = without_closers(text, len);
	for (i = 0; i < nends; i++)
	{
		int			n = (int) strlen(ends[i]);

		if (len >= n && memcmp(text +len - n, ends[i], n) == 0)
			return true;
	}
	return false;
}

/* Does a sentence end inside: ". " after a word of two letters or more? */
static bool
holds_sentence(const char *text, int len)
{
	int			i;

	for (i = 2; i + 2 < len; i++)
	{
		if (text[i] == '.' && text[i + 1] == ' ' &&
			islower((unsigned char) text[i - 1]) &&
			islower((unsigned char) text[i - 2]) &&
			(isupper((unsigned char) text[i + 2]) ||
			 (unsigned char) text[i + 2] >= 0x80))
			return true;
	}
	return memmem(text, len, "\xE3\x80\x82", 3) != NULL;
}

bool
abst_line_is_title(const char *text, int len, int maxchars, int maxwords,
				   bool only_period)
{
	abst_trim(&text, &len);
	return len > 0 && abst_line_chars(text, len) <= maxchars &&
		count_words(text, len) <= maxwords &&
		!abst_line_ends_sentence(text, len, only_period) &&
		strchr(",;-", text[len - 1]) == NULL &&
		!holds_sentence(text, len);
}

/* A line of three or more of the same sign. */
bool
abst_line_is_rule(const char *text, int len)
{
	int			i;

	abst_trim(&text, &len);
	if (len < 3 || strchr("-=*_~#", text[0]) == NULL)
		return false;
	for (i = 1; i < len; i++)
	{
		if (text[i] != text[0])
			return false;
	}
	return true;
}

/* A marked heading: narrow *text to what it says. */
bool
abst_line_is_marked(const char **text, int *len)
{
	const char *at = *text;
	int			n = *len;
	int			marks = 0;
	char		mark;

	abst_trim(&at, &n);
	if (n == 0 || abst_line_chars(at, n) > ABST_TITLE_CHARS)
		return false;
	mark = at[0];
	while (marks < n && at[marks] == mark)
		marks++;
	if (mark == '#')
	{
		if (marks > 6 || marks == n || at[marks] != ' ')
			return false;
	}
	else if (mark == '=')
	{
		if (marks < 2 || n < 2 * marks + 1 || at[n - 1] != '=' ||
			at[n - 2] != '=')
			return false;
	}
	else
		return false;
	at += marks;
	n -= marks;
	while (n > 0 && at[n - 1] == mark)
		n--;
	abst_trim(&at, &n);
	*text = at;
	*len = n;
	return n > 0;
}

/* The label before a colon at the line's start: its length, or 0. */
int
abst_line_label(const char *text, int len)
{
	int			i;

	for (i = 0; i < lengthof(labels); i++)
	{
		int			n = (int) strlen(labels[i]);

		if (len > n && text[n] == ':' &&
			pg_strncasecmp(text, labels[i], n) == 0 &&
			(len == n + 1 || isspace((unsigned char) text[n + 1])))
			return n;
	}
	return 0;
}
