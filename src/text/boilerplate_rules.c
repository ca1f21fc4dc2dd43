/*-------------------------------------------------------------------------
 *
 * boilerplate_rules.c
 *		What a sentence says: whose the rights are, that the paper is
 *		withdrawn, that there is no abstract.
 *
 * Sentences come in lower case with one space between words, and with one
 * byte for all spellings of the copyright sign but "(c)".  A word such as "copyright" or
 * "withdrawn" never decides alone: abstracts are written about both.
 *
 *-------------------------------------------------------------------------
 */
#include "text/boilerplate.h"

#include <ctype.h>

static bool
begins(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool
begins_any(const char *s, const char *const *list, int n)
{
	for (int i = 0; i < n; i++)
		if (begins(s, list[i]))
			return true;
	return false;
}

static bool
contains_any(const char *s, const char *const *list, int n)
{
	for (int i = 0; i < n; i++)
		if (strstr(s, list[i]) != NULL)
			return true;
	return false;
}

/* Does it end with "suffix", closing signs aside? */
static bool
ends(const char *s, const char *suffix)
{
	int			len = strlen(s);
	int			n = strlen(suffix);

	while (len > 0 && strchr(".,;:!)]} ", s[len - 1]) != NULL)
		len--;
	return len >= n && memcmp(s + len - n, suffix, n) == 0;
}

/* A year from 1800 to 2099? */
static bool
is_year(const char *s)
{
	return (begins(s, "18") || begins(s, "19") || begins(s, "20")) &&
		isdigit((unsigned char) s[2]) && isdigit((unsigned char) s[3]) &&
		!isdigit((unsigned char) s[4]);
}

static const char *
skip_signs(const char *s)
{
	while (*s && strchr(" ,:;.-([", *s) != NULL)
		s++;
	return s;
}

/* After "copyright" or the sign: a year, a holder in set terms. */
static bool
names_holder(const char *s)
{
	static const char *const holders[] = {
		"the author", "author", "by ", "the editor", "held by", "is held by",
		"remains with", "copyright", "owned by", "belongs to"
	};

	s = skip_signs(s);
	if (*s == ABST_RIGHTS_SIGN || begins(s, "c)"))
		return true;
	return is_year(s) || begins_any(s, holders, lengthof(holders));
}

/* Does it say something, as sentences of the abstract do? */
static bool
is_prose(const char *s)
{
	static const char *const signs[] = {
		" is ", " are ", " was ", " were ", " we ", " can ", " has ", " have ",
		"available", "http", "www.", " our ", " these ", " how ", " it ",
		" that ", " which ", " changed ", " shows "
	};
	static const char *const openings[] = {"we ", "this ", "these ", "it ", "our "};

	return strlen(s) > 250 || contains_any(s, signs, lengthof(signs)) ||
		begins_any(s, openings, lengthof(openings));
}

/*
 * A notice of rights.  "copyright" counts at the beginning of a sentence with
 * what must follow it there.
 */
bool
abst_is_rights_notice(const char *s)
{
	static const char *const openings[] = {
		"crown copyright", "this article is protected by copyright",
		"this work is protected by copyright",
		"this is an open access article", "this is an open-access article",
		"an open access article under", "open access article distributed under",
		"published by elsevier", "published by wiley", "published by john wiley",
		"published by springer", "published by oxford university press",
		"published by cambridge university press", "published by taylor",
		"published by sage", "published by the bmj", "published by bmj",
		"published by mosby", "published by the royal society",
		"published under licence by", "published under license by",
		"this article is licensed under", "this work is licensed under",
		"licensed under a creative commons",
		"licensed under the creative commons",
		"distributed under the terms of the creative commons",
		"distributed under a creative commons"
	};

	while (*s == ' ' || *s == '[')
		s++;
	if (*s == ABST_RIGHTS_SIGN)
		return true;
	if (begins(s, "(c)"))
		return names_holder(s + 3) && !is_prose(s);
	if (begins(s, "copyright") && !isalnum((unsigned char) s[9]))
		return (names_holder(s + 9) && !is_prose(s)) ||
			ends(s, "rights reserved");
	if (ends(s, "rights reserved"))
		return strlen(s) <= 200;
	return begins_any(s, openings, lengthof(openings));
}

/*
 * What follows or comes before a notice: "Inc.", "2020 Elsevier Ltd.", the
 * volume and pages.
 */
bool
abst_is_rights_rest(const char *s)
{
	while (*s == ' ')
		s++;
	return strlen(s) <= 80 && !is_prose(s) &&
		(strlen(s) <= 25 || strpbrk(s, "0123456789") != NULL);
}

bool
abst_is_withdrawal(const char *s)
{
	static const char *const things[] = {
		"paper", "article", "manuscript", "preprint", "submission", "work",
		"report", "version", "publication", "entry", "abstract", "review",
		"thesis", "chapter", "study"
	};
	static const char *const forms[] = {
		" has been withdrawn", " has been retracted", " is withdrawn",
		" is retracted", " was withdrawn", " was retracted",
		" is being withdrawn", " has now been withdrawn",
		" have been withdrawn", " has been temporarily withdrawn",
		" has been permanently withdrawn", " is temporarily withdrawn",
		" has been removed by arxiv", " has been removed by the author",
		" is hereby withdrawn", " is now withdrawn", " withdrawn by"
	};
	static const char *const whole[] = {
		"withdrawn by the author", "withdrawn by author",
		"authors have withdrawn this", "author has withdrawn this",
		"authors have retracted this", "author has retracted this",
		"withdrawn by arxiv", "authors withdraw this", "author withdraws this",
		"authors wish to withdraw", "author wishes to withdraw"
	};
	static const char *const marks[] = {
		"withdrawn:", "retracted:", "[withdrawn]", "[retracted]",
		"(withdrawn)", "retracted article:", "retraction:", "withdrawal:"
	};
	const char *subject;

	while (*s == ' ')
		s++;
	if (begins_any(s, marks, lengthof(marks)) ||
		contains_any(s, whole, lengthof(whole)) ||
		strcmp(s, "withdrawn.") == 0 || strcmp(s, "withdrawn") == 0)
		return true;
	/* the paper itself: "this paper", "the article", "our submission" */
	for (subject = s; subject < s + 60 && *subject; subject++)
	{
		if (subject > s && subject[-1] != ' ')
			continue;
		if (!begins(subject, "this ") && !begins(subject, "the ") &&
			!begins(subject, "our "))
			continue;
		for (int i = 0; i < lengthof(things); i++)
		{
			const char *word = strchr(subject, ' ') + 1;
			int			n = strlen(things[i]);
			bool		this = begins(subject, "this ");

			/* "the work", "the study" may be another one */
			if (!begins(word, things[i]) || (!this && i > 6))
				continue;
			word += n;
			if (*word == 's')
				word++;
			if (begins_any(word, forms, lengthof(forms)))
				return true;
		}
	}
	return false;
}

/* Are all words of the kind that a placeholder is made of? */
bool
abst_is_placeholder(const char *s)
{
	static const char *const lone[] = {
		"n/a", "na", "n.a", "none", "null", "nil", "nan", "tbd", "tba", "empty",
		"unknown", "abstract", "no", "not available", "unavailable",
		"not applicable", "missing", "n.d", "no data", "not found",
		"to be announced", "untitled", "see text", "see pdf", "see full text",
		"no entry", "no text", "not provided", "not specified"
	};
	static const char *const words[] = {
		"a", "an", "abstract", "abstracts", "article", "as", "at", "author",
		"authors", "available", "been", "by", "content", "currently",
		"description", "document", "does", "editorial", "entry", "exist",
		"exists", "for", "found", "from", "given", "has", "have", "in",
		"included", "is", "it", "item", "journal", "letter", "missing", "no",
		"none", "not", "of", "on", "online", "or", "paper", "present",
		"provided", "publication", "published", "publisher", "record",
		"required", "source", "submitted", "summary", "supplied", "text",
		"the", "there", "this", "time", "to", "unavailable", "was", "with",
		"without", "yet"
	};
	static const char *const denials[] = {
		"no ", "not ", "unavailable", "missing", "none", "without "
	};
	char		bare[201];
	int			n = 0;
	const char *at;
	bool		subject = false;

	/* without the signs around it */
	while (*s && strchr(" .,;:!?-_*#[](){}<>\"'/\\|~=+", *s) != NULL)
		s++;
	n = strlen(s);
	while (n > 0 && strchr(" .,;:!?-_*#[](){}<>\"'/\\|~=+", s[n - 1]) != NULL)
		n--;
	if (n == 0)
		return true;
	if (n >= sizeof(bare))
		return false;
	memcpy(bare, s, n);
	bare[n] = '\0';
	for (int i = 0; i < lengthof(lone); i++)
		if (strcmp(bare, lone[i]) == 0)
			return true;
	if (!contains_any(bare, denials, lengthof(denials)))
		return false;
	for (at = bare; *at;)
	{
		int			len = strcspn(at, " .,;:!?-()[]");
		bool		known = len == 0;

		for (int i = 0; i < lengthof(words) && !known; i++)
			known = strlen(words[i]) == len && memcmp(words[i], at, len) == 0;
		if (!known)
			return false;
		subject |= (len >= 8 && begins(at, "abstract")) ||
			(len == 7 && begins(at, "summary"));
		at += len;
		at += strspn(at, " .,;:!?-()[]");
	}
	return subject;
}
