/*-------------------------------------------------------------------------
 *
 * boilerplate.c
 *		Finds boilerplate in raw text, and makes texts without it.
 *
 * The raw text is read as it is, as what is left out must be known before the
 * text is parsed; tags and entities are read over.  Notices are looked for
 * within END_BYTES of either end, repetitions by one search for the beginning
 * of the text, so the cost of a text without boilerplate is small.
 *
 *-------------------------------------------------------------------------
 */
#include "text/boilerplate.h"

#include <ctype.h>

#include "miscadmin.h"
#include "text/charclass.h"
#include "text/reader.h"

/* How far from an end of the text notices are looked for. */
#define END_BYTES		900
#define MAX_SENTENCES	48
#define MAX_SENTENCE	500

/* A longer text is no placeholder. */
#define MAX_PLACEHOLDER	400

/* What is shorter is not taken for a repetition. */
#define MIN_REPEATED	40
#define REPEATED_KEY	24
#define MAX_COPIES_TRIED	8

/* What is there more often than so was meant to be. */
#define MAX_COPIES		4

const char *
abst_boilerplate_name(AbstBoilerplateKind kind)
{
	static const char *const names[] = {
		"heading", "copyright", "placeholder", "title", "repeated", "withdrawn"
	};

	return names[kind];
}

static void
add(AbstBoilerplateList *found, AbstBoilerplateKind kind, int start, int end)
{
	if (end > start && found->n < ABST_MAX_BOILERPLATE)
	{
		found->item[found->n].kind = kind;
		found->item[found->n].start = start;
		found->item[found->n++].len = end - start;
	}
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static bool
has_prefix(const char *text, int at, int end, const char *prefix)
{
	int			n = strlen(prefix);

	return end - at >= n && pg_strncasecmp(text +at, prefix, n) == 0;
}

/* ---- the beginning and the end of what counts ---- */

/* A tag at text[at]: its bytes, 0 if it is none. */
static int
tag_bytes(const char *text, int at, int end)
{
	int			limit = Min(end, at + 200);

	if (text[at] != '<' || at + 2 >= end ||
		!(isalpha((unsigned char) text[at + 1]) || text[at + 1] == '/'))
		return 0;
	for (int i = at + 1; i < limit && text[i] != '<'; i++)
		if (text[i] == '>')
			return i + 1 - at;
	return 0;
}

/* Over blanks, tags and marks that stand before the first word. */
static int
skip_opening(const char *text, int at, int end)
{
	for (;;)
	{
		int			n;

		if (at >= end)
			return at;
		if (is_blank(text[at]) || text[at] == '*' || text[at] == '#' ||
			text[at] == '{')
			at++;
		else if (end - at >= 3 && memcmp(text +at, "\xEF\xBB\xBF", 3) == 0)
			at += 3;
		else if (end - at >= 2 && memcmp(text +at, "\xC2\xA0", 2) == 0)
			at += 2;
		else if ((n = tag_bytes(text, at, end)) > 0)
			at += n;
		else if (has_prefix(text, at, end, "\\textbf") ||
				 has_prefix(text, at, end, "\\emph"))
			at += text[ at + 1] == 't' ? 7 : 5;

		else if (has_prefix(text, at, end, "\\begin{abstract}"))
			at += 16;
		else
			return at;
	}
}

static int
trim_end(const char *text, int start, int end)
{
	while (end > start && is_blank(text[end - 1]))
		end--;
	return end;
}

/* ---- sentences for the rules ---- */

/* The copyright sign at text[at] in any spelling: its bytes, else 0. */
static int
sign_bytes(const char *text, int at, int end)
{
	static const char *const spellings[] = {
		"\xC2\xA9", "&copy;", "&amp;copy;", "&#169;", "&#xA9;",
		"\\textcopyright", "\\copyright"
	};

	if (text[at] != '\xC2' && text[at] != '&' && text[at] != '\\')
		return 0;
	for (int i = 0; i < lengthof(spellings); i++)
		if (has_prefix(text, at, end, spellings[i]))
			return strlen(spellings[i]);
	return 0;
}

/* text[at .. end) for the rules: lower case, single blanks, no tags. */
static void
read_sentence(const char *text, int at, int end, char *out)
{
	int			n = 0;

	while (at < end && n < MAX_SENTENCE)
	{
		int			bytes = sign_bytes(text, at, end);
		char		c = text[at];

		if (bytes > 0)
		{
			out[n++] = ABST_RIGHTS_SIGN;
			at += bytes;
			continue;
		}
		bytes = c == '<' ? tag_bytes(text, at, end) : 0;
		if (bytes == 0 && end - at >= 2 && memcmp(text +at, "\xC2\xA0", 2) == 0)
			bytes = 2;
		if (bytes > 0 || is_blank(c))
		{
			at += Max(bytes, 1);
			if (n > 0 && out[n - 1] != ' ')
				out[n++] = ' ';
			continue;
		}
		out[n++] = (char) tolower((unsigned char) c);
		at++;
	}
	while (n > 0 && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
}

/* Does a notice of rights begin at text[at], whatever stands before it? */
static bool
notice_begins(const char *text, int start, int at, int end)
{
	int			before = at;

	/* this is asked at every byte */
	if (text[at] != '\xC2' && text[at] != '&' && text[at] != '\\' &&
		text[at] != '(' && text[at] != 'C')
		return false;
	if (sign_bytes(text, at, end) > 0)
	{
		/* "Copyright (c)" began before */
		while (before > start && (is_blank(text[before - 1]) ||
								  text[before - 1] == '('))
			before--;
		return !(before - start >= 9 &&
				 has_prefix(text, before - 9, before, "copyright"));
	}
	if (has_prefix(text, at, end, "(c) 20") ||
		has_prefix(text, at, end, "(c) 19") ||
		has_prefix(text, at, end, "(c)20") || has_prefix(text, at, end, "(c)19"))
	{
		/* "(a), (b) and (c) 2020 trees" is a list */
		while (before > start && is_blank(text[before - 1]))
			before--;
		return before == start || strchr(".!?>)\n", text[before - 1]) != NULL;
	}
	return has_prefix(text, at, end, "Copyright") && text[at] == 'C' &&
	(at == start || !isalnum((unsigned char) text[at - 1])) &&
	!(at - start >= 6 && has_prefix(text, at - 6, at, "Crown "));
}

/*
 * Where sentences begin in text[start .. end): after a point and a blank, on
 * a new line, after a tag, and where a notice begins.
 */
static int
find_sentences(const char *text, int start, int end, int *begin)
{
	int			n = 0;
	bool		fresh = true;	/* the next word begins a sentence */

	for (int at = start; at < end && n < MAX_SENTENCES;)
	{
		int			tag = tag_bytes(text, at, end);
		char		c = text[at];

		if (tag > 0)
		{
			fresh = fresh || text[at + 1] == '/' || text[at + 1] == 'p';

			at += tag;
			continue;
		}
		if (is_blank(c))
		{
			char		last = at > start ? text[at - 1] : '.';

			if (at > start + 1 && strchr(")]\"'", last) != NULL)
				last = text[at - 2];

			fresh = fresh || c == '\n' || last == '.' || last == '!' ||
				last == '?';
			at++;
			continue;
		}
		if (fresh || notice_begins(text, start, at, end))
			begin[n++] = at;
		fresh = false;
		at++;
	}
	return n;
}

/* ---- what is looked for ---- */

/* Words that begin a sentence after a heading without a point. */
static bool
opens_sentence(const char *text, int at, int end)
{
	static const char *const words[] = {
		"We", "This", "The", "These", "Those", "In", "A", "An", "Our", "It",
		"There", "For", "To", "As", "On", "With", "While", "Although",
		"Despite", "Recent", "Recently", "Many", "Most", "Given", "Using",
		"Here", "Since", "When", "By", "At", "Over", "Under", "From", "If",
		"How", "What", "Why", "Can", "Is", "Are", "I", "Some", "Several",
		"Among", "However"
	};
	static const char *const labels[] = {
		"Background", "Objective", "Objectives", "Purpose",
		"Aim", "Aims", "Introduction", "Motivation", "Context", "Methods",
		"Importance", "Question", "Problem", "Goal", "Goals", "Hypothesis"
	};

	for (int i = 0; i < lengthof(words); i++)
	{
		int			n = strlen(words[i]);

		if (end - at > n && memcmp(text +at, words[i], n) == 0 &&
			!isalnum((unsigned char) text[at + n]) && text[at + n] != '-')
			return true;
	}
	for (int i = 0; i < lengthof(labels); i++)
	{
		int			n = strlen(labels[i]);

		if (end - at > n && has_prefix(text, at, end, labels[i]) &&
			isupper((unsigned char) text[at]) &&
			!isalnum((unsigned char) text[at + n]) && text[at + n] != '-')
			return true;
	}
	return false;
}

/* "Abstract" before the text: where the text begins, "at" if it is none. */
static int
heading_end(const char *text, int at, int end)
{
	/* the others are taken only with a sign or a line of their own */
	static const char *const headings[] = {
		"Abstract", "R\xC3\xA9sum\xC3\xA9", "Zusammenfassung", "Resumen",
		"Resumo", "Riassunto", "Samenvatting", "Sammanfattning",
		"\xE6\x91\x98\xE8\xA6\x81", "\xE8\xA6\x81\xE6\x97\xA8",
		"\xE8\xA6\x81\xE7\xB4\x84", "\xEC\xB4\x88\xEB\xA1\x9D"
	};
	static const char *const signs[] = {
		":", ".", "-", "\xE2\x80\x94", "\xE2\x80\x93", "\xEF\xBC\x9A", "]", "\xE3\x80\x91"
	};
	int			i;
	int			k;
	bool		sign = false;
	bool		line = false;
	bool		capitals;

	if (text[at] == '[')
		at++;
	for (i = 0; i < lengthof(headings); i++)
		if (has_prefix(text, at, end, headings[i]))
			break;
	if (i == lengthof(headings))
		return at;
	k = at + strlen(headings[i]);
	capitals = memcmp(text +at, "ABSTRACT", Min(8, end - at)) == 0;
	/* marks of emphasis, blanks, and the sign */
	for (;;)
	{
		int			tag;
		bool		more = false;

		if (k >= end)
			break;
		if (is_blank(text[k]) || text[k] == '*' || text[k] == '}')
		{
			line = line || text[k] == '\n';

			k++;
			continue;
		}
		if ((tag = tag_bytes(text, k, end)) > 0)
		{
			line = line || text[k + 1] == '/' || text[k + 1] == 'p';

			k += tag;
			continue;
		}
		for (int s = 0; s < lengthof(signs) && !more; s++)
			if (has_prefix(text, k, end, signs[s]))
			{
				/* "Abstract-level", "abstract.py" */
				if ((text[k] == '-' || text[k] == '.') &&!sign &&
					k + 1 < end && islower((unsigned char) text[k + 1]))
					return at;
				k += strlen(signs[s]);
				sign = more = true;
			}
		if (!more)
			break;
	}
	if (k >= end)
		return at;
	if (sign || line)
		return k;
	if (i > 0 || !is_blank(text[k - 1]))
		return at;
	if (text[at] == 'A' && opens_sentence(text, k, end))
		return k;
	/* in capitals, before a word that is not */
	if (capitals && isupper((unsigned char) text[k]) && k + 1 < end &&
		islower((unsigned char) text[k + 1]))
		return k;
	return at;
}

/* The next letter or digit of a text, lower case for ASCII; -1 at the end. */
static int
next_letter(const char *text, int *at, int end)
{
	while (*at < end)
	{
		unsigned char c = text[*at];
		int			tag = c == '<' ? tag_bytes(text, *at, end) : 0;

		if (tag > 0)
		{
			*at += tag;
			continue;
		}
		(*at)++;
		if (c >= 0x80 || isalnum(c))
			return tolower(c);
	}
	return -1;
}

/*
 * Does text[at .. end) begin with the title, and then with something else?
 * Returns where that begins, or "at".
 */
static int
title_end(const char *title, int titlelen, const char *text, int at, int end)
{
	int			t = 0;
	int			x = at;
	int			letters = 0;
	int			words = 1;
	int			sign;
	int			next;

	for (;;)
	{
		int			before = x;
		int			c = next_letter(title, &t, titlelen);

		if (c < 0)
		{
			x = before;
			break;
		}
		if (c != next_letter(text, &x, end))
			return at;
		letters++;
	}
	for (int i = 0; i < titlelen; i++)
		words += is_blank(title[i]);
	/* the rest of the title's last word, then a sign or a new sentence */
	sign = next = x;
	while (next < end && !isalnum((unsigned char) text[next]) &&
		   (unsigned char) text[next] < 0x80)
		next++;
	if (next >= end)
		return letters > 0 ? end : at;	/* nothing but the title */
	if (letters < 15 || words < 3)
		return at;
	if (sign < end && (isalnum((unsigned char) text[sign]) ||
					   text[sign] == '-'))
		return at;
	for (int i = sign; i < next; i++)
		if (strchr(".:;\n?!|<", text[i]) != NULL)
			return next;
	return isupper((unsigned char) text[next]) ? next : at;
}

/* Is text[at .. end) the same as what begins at "start", read round and round? */
static bool
is_periodic(const char *text, int start, int at, int end)
{
	int			a = start;
	int			b = at;

	for (;;)
	{
		int			c = next_letter(text, &b, end);

		if (c < 0)
			break;
		if (c != next_letter(text, &a, end))
			return false;
	}
	/* what is left of the first text must be the last copy */
	return true;
}

/* Is text[start .. at) some sentences, and not a row of the same word? */
static bool
is_passage(const char *text, int start, int at)
{
	int			end = trim_end(text, start, at);
	int			words = 1;

	if (end == start || (strchr(".!?:;)>\"", text[end - 1]) == NULL &&
						 memchr(text +end, '\n', at - end) == NULL &&
						 (unsigned char) text[end - 1] < 0x80))
		return false;
	for (int i = start; i < end && words < 5; i++)
		words += is_blank(text[i]);
	return words >= 5 || (unsigned char) text[start] >= 0xE0;
}

/* The text once more: where the copy begins, "end" if there is none. */
static int
find_copy(const char *text, int start, int end)
{
	int			from = start + MIN_REPEATED;
	int			tries = 0;		/* each may read the whole text */

	while (tries < MAX_COPIES_TRIED && end - from >= MIN_REPEATED)
	{
		const char *s = memchr(text +from, text[start], end - from);
		int			at;

		if (s == NULL)
			break;
		CHECK_FOR_INTERRUPTS();
		at = s - text;

		if (end - at < MIN_REPEATED)
			break;
		if (memcmp(s, text +start, REPEATED_KEY) == 0)
		{
			/* the copy must be whole: as long as what it copies, or more */
			if (end - at >= (at - start) * 9 / 10 &&
				(end - start) / (at - start) <= MAX_COPIES &&
				is_passage(text, start, at) &&
				is_periodic(text, start, at, end))
				return at;
			tries++;
			from = at + REPEATED_KEY;
		}
		else
			from = at + 1;
	}
	return end;
}

/* Lines that stand in the text already. */
static void
find_lines(const char *text, int start, int end, AbstBoilerplateList *found)
{
	int			line[ABST_MAX_BOILERPLATE];
	int			len[ABST_MAX_BOILERPLATE];
	int			n = 0;

	for (int at = start; at < end && n < ABST_MAX_BOILERPLATE;)
	{
		const char *s = memchr(text +at, '\n', end - at);
		int			next = s ? (int) (s - text) : end;
		int			stop = trim_end(text, at, next);
		bool		known = false;

		while (at < stop && is_blank(text[at]))
			at++;
		for (int i = 0; i < n && !known && stop - at >= MIN_REPEATED; i++)
			known = len[i] == stop - at &&
				memcmp(text +line[i], text +at, len[i]) == 0;
		if (known)
			add(found, ABST_REPEATED, at, stop);
		else if (stop - at >= MIN_REPEATED)
		{
			line[n] = at;
			len[n++] = stop - at;
		}
		at = next + 1;
	}
}

/* Notices of rights at the beginning; returns where the text begins. */
static int
rights_end(const char *text, int start, int end)
{
	int			begin[MAX_SENTENCES];
	int			n = find_sentences(text, start, Min(end, start + END_BYTES),
								   begin);
	char		sentence[MAX_SENTENCE + 1];
	int			i = 0;

	for (; i + 1 < n; i++)
	{
		read_sentence(text, begin[i], begin[i + 1], sentence);
		if (!abst_is_rights_notice(sentence))
			break;
	}
	return i > 0 ? begin[i] : start;
}

/* Notices of rights at the end; returns where they begin. */
static int
rights_start(const char *text, int start, int end)
{
	int			begin[MAX_SENTENCES + 1];
	int			from = Max(start, end - END_BYTES);
	int			n;
	int			tail;
	int			rest = 0;
	char		sentence[MAX_SENTENCE + 1];

	while (from < end && from > start && (text[from] & 0xC0) == 0x80)
		from++;
	n = find_sentences(text, from, end, begin);
	begin[n] = end;
	tail = n;
	for (int i = n - 1; i >= 0; i--)
	{
		read_sentence(text, begin[i], begin[i + 1], sentence);
		if (abst_is_rights_notice(sentence))
		{
			tail = i;
			rest = 0;
		}
		else if (!abst_is_rights_rest(sentence) || ++rest > 4)
			break;
	}
	/* "2020 Elsevier Ltd. All rights reserved.": the sign was lost */
	while (tail > 0 && tail < n)
	{
		read_sentence(text, begin[tail - 1], begin[tail], sentence);
		if (!(sentence[0] == '2' || sentence[0] == '1') ||
			!isdigit((unsigned char) sentence[1]) ||
			!isdigit((unsigned char) sentence[2]) ||
			!isdigit((unsigned char) sentence[3]) || sentence[4] != ' ' ||
			!abst_is_rights_rest(sentence))
			break;
		tail--;
	}
	if (tail == n)
		return end;
	/* the bracket or blank before it belongs to it */
	while (begin[tail] > start && strchr("([ ", text[begin[tail] - 1]) != NULL)
		begin[tail]--;
	return begin[tail];
}

static void
find_withdrawal(const char *text, int start, int end,
				AbstBoilerplateList *found)
{
	for (int side = 0; side < 2; side++)
	{
		int			from = side == 0 ? start : Max(start, end - END_BYTES);
		int			to = side == 0 ? Min(end, start + END_BYTES) : end;
		int			begin[MAX_SENTENCES + 1];
		int			n = find_sentences(text, from, to, begin);
		char		sentence[MAX_SENTENCE + 1];

		begin[n] = to;
		for (int i = 0; i < n; i++)
		{
			read_sentence(text, begin[i], begin[i + 1], sentence);
			if (abst_is_withdrawal(sentence))
			{
				add(found, ABST_WITHDRAWN, begin[i],
					trim_end(text, begin[i], begin[i + 1]));
				return;
			}
		}
		if (from == start && to == end)
			break;
	}
}

static int
item_cmp(const void *a, const void *b)
{
	return ((const AbstBoilerplate *) a)->start -
		((const AbstBoilerplate *) b)->start;
}

/* Does text[start .. end) say that there is no abstract? */
static bool
is_placeholder(const char *text, int start, int end)
{
	char		all[MAX_SENTENCE + 1];

	if (end <= start || end - start > MAX_PLACEHOLDER)
		return false;
	read_sentence(text, start, end, all);
	return abst_is_placeholder(all);
}

bool
abst_is_no_abstract(const char *text, int len)
{
	int			start = skip_opening(text, 0, len);

	return is_placeholder(text, start, trim_end(text, start, len));
}

void
abst_boilerplate_find(const char *title, int titlelen, const char *text,
					  int len, AbstBoilerplateList *found)
{
	int			start = skip_opening(text, 0, len);
	int			end = trim_end(text, start, len);
	int			next;

	found->n = 0;
	if (end - start <= 0)
		return;
	if (is_placeholder(text, start, end))
	{
		add(found, ABST_PLACEHOLDER, start, end);
		return;
	}
	find_withdrawal(text, start, end, found);
	if ((next = heading_end(text, start, end)) > start)
	{
		add(found, ABST_HEADING, start, next);
		start = next;
	}
	if ((next = rights_end(text, start, end)) > start)
	{
		add(found, ABST_COPYRIGHT, start, trim_end(text, start, next));
		start = next;
	}
	if ((next = rights_start(text, start, end)) < end)
	{
		add(found, ABST_COPYRIGHT, next, end);
		end = trim_end(text, start, next);
	}
	if (title != NULL &&
		(next = title_end(title, titlelen, text, start, end)) > start)
	{
		add(found, ABST_TITLE, start, trim_end(text, start, next));
		start = next;
		if ((next = heading_end(text, start, end)) > start)
		{
			add(found, ABST_HEADING, start, next);
			start = next;
		}
	}
	if ((next = find_copy(text, start, end)) < end)
		add(found, ABST_REPEATED, next, end);
	else if (memchr(text +start, '\n', end - start) != NULL)
		find_lines(text, start, end, found);
	qsort(found->item, found->n, sizeof(AbstBoilerplate), item_cmp);
}

const char *
abst_without_boilerplate(const char *title, int titlelen, const char *text,
						 int len, int *newlen)
{
	AbstBoilerplateList found;
	int			utf8len;
	char	   *utf8 = abst_to_utf8(text, len, &utf8len);
	char	   *out;
	int			n = 0;
	int			at = 0;

	if (title != NULL)
		title = abst_to_utf8(title, titlelen, &titlelen);
	abst_boilerplate_find(title, titlelen, utf8, utf8len, &found);
	*newlen = len;
	if (found.n == 0 ||
		(found.n == 1 && found.item[0].kind == ABST_WITHDRAWN))
		return text;

	out = palloc_extended(utf8len + found.n + 1, MCXT_ALLOC_HUGE);
	for (int i = 0; i <= found.n; i++)
	{
		int			stop = i < found.n ? found.item[i].start : utf8len;

		if (i < found.n && found.item[i].kind == ABST_WITHDRAWN)
			continue;
		if (stop > at)
		{
			memcpy(out + n, utf8 + at, stop - at);
			n += stop - at;
		}
		if (i < found.n)
		{
			out[n++] = '\n';
			at = Max(at, found.item[i].start + found.item[i].len);
		}
	}
	out[n] = '\0';
	return abst_from_utf8(out, n, newlen);
}
