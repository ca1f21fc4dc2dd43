/*-------------------------------------------------------------------------
 *
 * sections.c
 *		The parts of a structured abstract.
 *
 * A label stands where a sentence begins.  One that the table knows counts
 * with a colon behind it; as a whole line or sentence ("Aims", "Goal."); in
 * capitals, or where the text has two such, also with neither ("METHODS We
 * ...").  Any other label counts only next to known ones: a few words with a
 * colon, in capitals, or capitalised where there are two known ones.
 *
 *-------------------------------------------------------------------------
 */
#include "text/annotate.h"

#include "miscadmin.h"
#include "text/charclass.h"
#include "text/section_table.h"

/* Most words of a label. */
#define MAX_LABEL_WORDS		7

/* How sure a label is. */
typedef enum LabelSort
{
	LABEL_KNOWN,				/* known, and written as a label */
	LABEL_BARE,					/* known, nothing but a capital behind it */
	LABEL_CAPITALS,				/* unknown, capitals, colon */
	LABEL_TITLE					/* unknown, capitalised, colon */
} LabelSort;

typedef struct Label
{
	AbstSpan	span;
	int			start;			/* of what belongs to it, a bracket perhaps */
	int			body;			/* where the section's text begins */
	LabelSort	sort;
	const char *kind;
} Label;

/* The colon (or what does its work) at "at": its bytes, else 0. */
static int
colon_at(const AbstPlain *plain, int at)
{
	static const char *const colons[] = {":", "\xEF\xBC\x9A", "\xE2\x80\x94",
	"\xE3\x80\x91", "\xEF\xBC\xBD"};

	for (int i = 0; i < lengthof(colons); i++)
	{
		int			n = strlen(colons[i]);

		if (plain->len - at >= n && memcmp(plain->text +at, colons[i], n) == 0)
			return n;
	}
	return 0;
}

/* Kind of a label, also of one made of two: "Methods/Results". */
static const char *
label_kind(const char *s, int len)
{
	static const char *const joints[] = {"/", " and ", " & ", ", ", " und ",
	" et ", " y ", " e "};
	const char *kind = ABST_VALUE(section_labels, s, len);

	for (int j = 0; kind == NULL && j < lengthof(joints); j++)
	{
		int			n = strlen(joints[j]);

		for (int i = 1; i + n < len; i++)
		{
			if (memcmp(s + i, joints[j], n) != 0 &&
				pg_strncasecmp(s + i, joints[j], n) != 0)
				continue;
			if (ABST_VALUE(section_labels, s + i + n, len - i - n) != NULL)
				kind = ABST_VALUE(section_labels, s, i);
			break;
		}
	}
	return kind;
}

/* Are all letters capitals, and are there some? */
static bool
all_capitals(const char *s, int len)
{
	int			at = 0;
	int			upper = 0;

	while (at < len)
	{
		uint32		cp;
		AbstCharClass k;

		at += abst_utf8_decode(s + at, len - at, &cp);
		k = abst_char_class(cp);
		if (k == ABST_CHAR_LOWER)
			return false;
		upper += k == ABST_CHAR_UPPER;
	}
	return upper > 1;
}

static bool
begins_lower(const char *s, int len)
{
	uint32		cp;

	abst_utf8_decode(s, len, &cp);
	return abst_char_class(cp) == ABST_CHAR_LOWER;
}

/* Where the words of a possible label that begins with "token" end. */
static int
label_words(const AbstText *text, int token, int end, int *ends)
{
	int			n = 0;

	for (int t = token; t < text->ntokens && n < MAX_LABEL_WORDS &&
		 text->tokens[t].start < end; t++)
	{
		AbstSpan	gap;

		if (text->tokens[t].type == ABST_TOK_URL ||
			text->tokens[t].type == ABST_TOK_MATH)
			break;
		ends[n++] = abst_token_end(&text->tokens[t]);
		gap = abst_gap_after(text, t);
		if (gap.len == 0 || gap.len > 3 ||
			memchr(text->plain->text +gap.start, '\n', gap.len) != NULL)
			break;
		if (memchr(text->plain->text +gap.start, '.', gap.len) != NULL ||
			memchr(text->plain->text +gap.start, ':', gap.len) != NULL)
			break;
	}
	return n;
}

/* The label at a sentence's beginning, if there is one. */
static bool
read_label(const AbstText *text, const AbstSpan *sentence, Label *label)
{
	const AbstPlain *plain = text->plain;
	int			token = abst_token_at(text, sentence->start);
	int			ends[MAX_LABEL_WORDS];
	int			nwords;
	int			start;
	bool		bracket;

	if (token >= text->ntokens)
		return false;
	start = text->tokens[token].start;

	if (start - sentence->start > 4)
		return false;
	bracket = start > sentence->start;
	nwords = label_words(text, token, sentence->start + sentence->len, ends);
	label->start = sentence->start;
	label->span.start = start;
	for (int n = nwords; n > 0; n--)
	{
		int			end = ends[n - 1];
		int			len = end - start;
		int			at = end;
		int			colon;
		const char *s = plain->text +start;

		if (at < plain->len && plain->text[at] == ' ')
			at++;
		colon = bracket && at < plain->len && plain->text[at] == ']' ? 1 :
			colon_at(plain, at);
		label->kind = label_kind(s, len);
		label->span.len = len;
		label->body = at + colon;
		if (colon > 0 && label->kind != NULL &&
			(abst_begins_upper(text, token) || bracket ||
			 text->tokens[token].type == ABST_TOK_CJK ||
			 !abst_has_upper(s, 1)))
		{
			/* in lower case only where a line begins */
			if (begins_lower(s, len) && !bracket && sentence->start > 0 &&
				plain->text[sentence->start - 1] != '\n')
				return false;
			label->sort = LABEL_KNOWN;
			return true;
		}
		if (colon == 1 && n == nwords && abst_begins_upper(text, token))
		{
			label->sort = all_capitals(s, len) ? LABEL_CAPITALS : LABEL_TITLE;
			return true;
		}
		if (label->kind == NULL || !abst_begins_upper(text, token))
			continue;
		/* a whole line or sentence */
		if (end >= sentence->start + sentence->len - 1)
		{
			label->sort = LABEL_KNOWN;
			label->body = sentence->start + sentence->len;
			return true;
		}
		if (token + n < text->ntokens && abst_begins_upper(text, token + n) &&
			abst_gap_is_space(text, token + n - 1))
		{
			label->sort = all_capitals(s, len) ? LABEL_KNOWN : LABEL_BARE;
			return true;
		}
	}
	return false;
}

/* Labels that count, given all of them. */
static int
choose(Label *labels, int n)
{
	int			known = 0;
	int			bare = 0;
	int			kept = 0;

	for (int i = 0; i < n; i++)
	{
		known += labels[i].sort == LABEL_KNOWN;
		bare += labels[i].sort == LABEL_BARE;
	}
	for (int i = 0; i < n; i++)
	{
		bool		keep;

		switch (labels[i].sort)
		{
			case LABEL_BARE:
				keep = known + bare > 1;
				break;
			case LABEL_CAPITALS:
				keep = known > 0;
				break;
			case LABEL_TITLE:
				keep = known > 1;
				break;
			default:
				keep = true;
		}
		if (keep)
			labels[kept++] = labels[i];
	}
	return kept;
}

/* Text from "start" to "end" without blanks at either end. */
static AbstSpan
trimmed(const AbstPlain *plain, int start, int end)
{
	AbstSpan	span;

	while (start < end && (plain->text[start] == ' ' ||
						   plain->text[start] == '\n'))
		start++;
	while (end > start && (plain->text[end - 1] == ' ' ||
						   plain->text[end - 1] == '\n'))
		end--;
	span.start = start;
	span.len = end - start;
	return span;
}

AbstSection *
abst_sections_find(const AbstText *text, int *n)
{
	const AbstPlain *plain = text->plain;
	AbstList	list;
	AbstList	sections;
	Label	   *labels;
	int			nlabels;
	AbstSpan	head;

	abst_list_init(&list, sizeof(Label));
	for (int i = 0; i < text->nsentences; i++)
	{
		Label		label = {0};

		CHECK_FOR_INTERRUPTS();
		if (read_label(text, &text->sentences[i], &label))
			*(Label *) abst_list_add(&list) = label;
	}
	labels = (Label *) list.entries;
	nlabels = choose(labels, list.n);

	abst_list_init(&sections, sizeof(AbstSection));
	head = trimmed(plain, 0, nlabels > 0 ? labels[0].start : plain->len);
	if (head.len > 0)
		((AbstSection *) abst_list_add(&sections))->body = head;
	for (int i = 0; i < nlabels; i++)
	{
		AbstSection *section = abst_list_add(&sections);
		int			end = i + 1 < nlabels ? labels[i + 1].start :
		plain->len;

		section->label = labels[i].span;
		section->kind = labels[i].kind;
		section->body = trimmed(plain, labels[i].body, end);
	}
	*n = sections.n;
	return (AbstSection *) sections.entries;
}
