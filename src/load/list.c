/*-------------------------------------------------------------------------
 *
 * list.c
 *		Reader of plain lists: abstracts parted by blank lines, under
 *		headings.
 *
 * A block is a run of lines that are not blank.  Marked headings ("# Title",
 * "== Title ==", a line underlined with = or -) are blocks of their own; a
 * line of signs only parts blocks.  A block is short if it is one line of at
 * most 120 characters and 16 words that neither ends with a full stop nor
 * holds a sentence.
 * Then:
 *
 * - One or two short or marked blocks before a long one are headings; more of
 *	 them in a row are records themselves, as are those at the end.
 * - If in the head of the file short or marked blocks and single long ones
 *	 take turns, twice or more, the short ones are the titles of the long ones.
 * - In a block of several lines the first is a title if it could be one, what
 *	 follows is longer, and the line was broken before it was full: the next
 *	 word would have fitted.  A hard-wrapped paragraph breaks full lines.
 * - Lines "Title: …", "Abstract: …", "Authors: …" and so on are fields if the
 *	 block begins with one.
 * - If the head has no blank line and each of its lines is long and ends a
 *	 sentence, every line is an abstract.
 *
 * Wrapped lines are joined with a blank.  Numbers before a text stay.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <ctype.h>

#include "load/record.h"

#define SHORT_CHARS		120		/* a heading or title on its own */
#define SHORT_WORDS		16
#define TITLE_CHARS		220		/* a title above its abstract */
#define TITLE_WORDS		35
#define LINE_CHARS		80		/* one abstract a line: at least */

#define AHEAD 4					/* blocks looked at together */

typedef enum BlockKind
{
	BLOCK_LONG,
	BLOCK_SHORT,				/* one line without sentence end */
	BLOCK_MARKED,				/* marked as a heading */
	BLOCK_LABELLED				/* begins with "Label:" */
} BlockKind;

typedef struct Block
{
	BlockKind	kind;
	bool		overlong;
	int64		line;
	StringInfoData text;		/* lines, each with its LF */
} Block;

typedef struct ListState
{
	AbstInput  *in;
	const AbstReadOptions *options;
	bool		by_line;		/* every line is an abstract */
	bool		titles;			/* short blocks are titles */
	Block		block[AHEAD];
	int			nblocks;
	bool		eof;
	bool		have_line;		/* "line" was read but belongs to the next */
	bool		overlong;
	int64		lineno;
	StringInfoData line;
	StringInfoData section;
} ListState;

/* Labels of fields in a list; a strict choice, as prose has colons too. */
static const char *const labels[] = {
	"title", "titel", "abstract", "authors", "author", "year", "venue",
	"conference", "journal", "doi", "arxiv", "url", "link", "keywords",
	"id", "key", "pmid", "zusammenfassung", "autoren"
};

/* ---- what a line looks like ---- */

static int
count_chars(const char *text, int len)
{
	int			n = 0;
	int			i;

	for (i = 0; i < len; i++)
		n += ((unsigned char) text[i] & 0xC0) != 0x80;
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

		if (len > n && memcmp(text + len - n, closers[i], n) == 0)
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
static bool
ends_sentence(const char *text, int len, bool only_period)
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

		if (len >= n && memcmp(text + len - n, ends[i], n) == 0)
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

static bool
is_title(const char *text, int len, int maxchars, int maxwords, bool only_period)
{
	abst_trim(&text, &len);
	return len > 0 && count_chars(text, len) <= maxchars &&
		count_words(text, len) <= maxwords &&
		!ends_sentence(text, len, only_period) &&
		strchr(",;-", text[len - 1]) == NULL &&
		!holds_sentence(text, len);
}

/* A line of three or more of the same sign. */
static bool
is_rule(const char *text, int len)
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
static bool
is_marked(const char **text, int *len)
{
	const char *at = *text;
	int			n = *len;
	int			marks = 0;
	char		mark;

	abst_trim(&at, &n);
	if (n == 0 || count_chars(at, n) > TITLE_CHARS)
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
static int
label_length(const char *text, int len)
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

/* ---- blocks ---- */

/* The next line, trimmed; false at the end. */
static bool
next_line(ListState *state, const char **text, int *len)
{
	if (!state->have_line)
	{
		state->lineno = state->in->line;
		if (!abst_input_line(state->in, &state->line, &state->overlong))
			return false;
		state->have_line = true;
	}
	*text = state->line.data;
	*len = state->line.len;
	abst_trim(text, len);
	return true;
}

static BlockKind
judge_block(const Block *block)
{
	const char *text = block->text.data;
	int			len = block->text.len;

	if (label_length(text, (int) (strchr(text, '\n') - text)) > 0)
		return BLOCK_LABELLED;
	if (memchr(text, '\n', len - 1) == NULL &&
		is_title(text, len, SHORT_CHARS, SHORT_WORDS, true))
		return BLOCK_SHORT;
	return BLOCK_LONG;
}

/* Read one block into "block"; false if there is none. */
static bool
read_block(ListState *state, Block *block)
{
	const char *text;
	int			len;

	resetStringInfo(&block->text);
	block->overlong = false;
	while (next_line(state, &text, &len))
	{
		const char *marked = text;
		int			nmarked = len;

		if (block->text.len > 0 && (len == 0 || is_marked(&marked, &nmarked)))
			break;
		state->have_line = false;
		if (len == 0)
			continue;
		if (is_rule(text, len))
		{
			/* under a first line it marks a heading, else it parts blocks */
			if (block->text.len == 0)
				continue;
			if ((text[0] == '=' || text[0] == '-') &&
				strchr(block->text.data, '\n') ==
				block->text.data + block->text.len - 1 &&
				is_title(block->text.data, block->text.len,
						 TITLE_CHARS, TITLE_WORDS, true))
			{
				block->kind = BLOCK_MARKED;
				return true;
			}
			break;
		}
		if (block->text.len == 0)
			block->line = state->lineno;
		block->overlong |= state->overlong ||
			block->text.len + len > ABST_RECORD_MAX;
		if (block->text.len + len <= ABST_RECORD_MAX)
		{
			bool		is_heading = block->text.len == 0 &&
				is_marked(&marked, &nmarked);

			if (is_heading)
				appendBinaryStringInfo(&block->text, marked, nmarked);
			else
				appendBinaryStringInfo(&block->text, text, len);
			appendStringInfoChar(&block->text, '\n');
			if (is_heading)
			{
				block->kind = BLOCK_MARKED;
				return true;
			}
		}
		if (state->by_line)
			break;
	}
	if (block->text.len == 0)
		return false;
	block->kind = judge_block(block);
	return true;
}

/* Have "n" blocks in view if there are so many. */
static bool
look_ahead(ListState *state, int n)
{
	while (state->nblocks < n && !state->eof)
	{
		if (read_block(state, &state->block[state->nblocks]))
			state->nblocks++;
		else
			state->eof = true;
	}
	return state->nblocks >= n;
}

/* Drop the first block; its buffer is used again. */
static void
drop_block(ListState *state)
{
	Block		first = state->block[0];

	state->nblocks--;
	memmove(&state->block[0], &state->block[1],
			(AHEAD - 1) * sizeof(Block));
	if (first.text.maxlen > 1024 * 1024)
	{
		pfree(first.text.data);
		initStringInfo(&first.text);
	}
	state->block[AHEAD - 1] = first;
}

static bool
is_shortish(const Block *block)
{
	return block->kind == BLOCK_SHORT || block->kind == BLOCK_MARKED;
}

/* ---- what the head of the file tells ---- */

typedef struct HeadSource
{
	const char *head;
	int			len;
} HeadSource;

static size_t
read_head(void *arg, char *buf, size_t size)
{
	HeadSource *source = arg;
	size_t		n = Min(size, (size_t) source->len);

	memcpy(buf, source->head, n);
	source->head += n;
	source->len -= (int) n;
	return n;
}

/* No blank line, every line (three or more) long and a whole sentence? */
static bool
head_is_lines(const char *head, int len, bool whole)
{
	const char *end = head + len;
	int			lines = 0;

	while (head < end)
	{
		const char *next = memchr(head, '\n', end - head);
		const char *text = head;
		int			n;

		if (next == NULL && !whole)
			break;
		if (next == NULL)
			next = end;
		n = (int) (next - head);
		abst_trim(&text, &n);
		if (n == 0)
		{
			/* blank lines may only end the file */
			text = next;
			n = (int) (end - next);
			abst_trim(&text, &n);
			return n == 0 && lines >= 3;
		}
		/* the first line may be the list's heading */
		if (lines > 0 && (count_chars(text, n) < LINE_CHARS ||
						  !ends_sentence(text, n, false)))
			return false;
		lines++;
		head = next + 1;
	}
	return lines >= 3;
}

static void
begin_blocks(ListState *state, AbstInput *in, const AbstReadOptions *options)
{
	int			i;

	memset(state, 0, sizeof(*state));
	state->in = in;
	state->options = options;
	initStringInfo(&state->line);
	initStringInfo(&state->section);
	for (i = 0; i < AHEAD; i++)
		initStringInfo(&state->block[i].text);
}

static void
end_blocks(ListState *state)
{
	int			i;

	pfree(state->line.data);
	pfree(state->section.data);
	for (i = 0; i < AHEAD; i++)
		pfree(state->block[i].text.data);
}

/* Do titles and single long blocks take turns in the head? */
static bool
head_has_titles(const char *head, int len, bool whole)
{
	HeadSource	source = {head, len};
	AbstInput  *in = abst_input_begin(read_head, &source, ABST_ENC_UTF8);
	ListState	blocks;
	bool		ok = true;
	int			pairs = 0;

	begin_blocks(&blocks, in, NULL);
	while (ok && look_ahead(&blocks, 2))
	{
		/* the last block may be cut */
		if (!whole && !look_ahead(&blocks, 3))
			break;
		if (is_shortish(&blocks.block[0]))
		{
			if (blocks.block[1].kind == BLOCK_LONG)
			{
				pairs++;
				drop_block(&blocks);
			}
		}
		else if (blocks.block[0].kind == BLOCK_LONG)
			ok = false;
		drop_block(&blocks);
	}
	end_blocks(&blocks);
	abst_input_end(in);
	return ok && pairs >= 2;
}

/* ---- records ---- */

/* Join wrapped lines with a blank. */
static void
join_lines(StringInfo out, const char *text, int len)
{
	int			i;

	while (len > 0 && text[len - 1] == '\n')
		len--;
	for (i = 0; i < len; i++)
		appendStringInfoChar(out, text[i] == '\n' ? ' ' : text[i]);
}

static void
put_joined(AbstRecord *record, AbstRecordField field, const char *name,
		   const char *text, int len)
{
	StringInfoData joined;

	initStringInfo(&joined);
	join_lines(&joined, text, len);
	abst_record_put(record, field, name, joined.data, joined.len);
	pfree(joined.data);
}

/*
 * Length of the title in the first line of a block, with its line end; 0 if
 * the first line is the abstract's.
 */
static int
title_length(const char *text, int len)
{
	const char *end = memchr(text, '\n', len);
	int			first = (int) (end - text);
	const char *rest = end + 1;
	int			nrest = len - first - 1;
	int			width = 0;
	int			word = 0;
	const char *line = rest;

	if (nrest <= 0 ||
		!is_title(text, first, TITLE_CHARS, TITLE_WORDS, true) ||
		nrest < 2 * first || islower((unsigned char) *rest))
		return 0;
	if (!ends_sentence(rest, nrest - 1, false) && nrest < 200)
		return 0;

	/* would the next word have fitted? */
	while (line < text + len)
	{
		const char *next = memchr(line, '\n', text + len - line);

		width = Max(width, count_chars(line, (int) (next - line)));
		line = next + 1;
	}
	while (word < nrest && !isspace((unsigned char) rest[word]))
		word++;
	if (count_chars(text, first) + 1 + count_chars(rest, word) > width)
		return 0;
	return first + 1;
}

/* Put the "Label: value" lines of a block; other lines continue a value. */
static void
put_labelled(const ListState *state, AbstRecord *record, const Block *block)
{
	const char *at = block->text.data;
	const char *end = at + block->text.len;

	while (at < end)
	{
		const char *value = strchr(at, ':') + 1;
		const char *next = value;
		char		name[32];
		int			rank;
		int			field;

		do
		{
			next = memchr(next, '\n', end - next);
			next = next ? next + 1 : end;
		} while (next < end && label_length(next, (int) (end - next)) == 0);
		strlcpy(name, at, Min(sizeof(name), (size_t) (value - at)));
		field = abst_field_lookup(state->options, name, (int) strlen(name),
								  &rank);
		if (field >= 0)
			put_joined(record, field, name, value, (int) (next - value));
		else
		{
			const char *text = value;
			int			len = (int) (next - value);

			abst_record_put_extra_text(record, name, text, len);
		}
		at = next;
	}
}

/* Which of the labels title and abstract does a block have? */
static void
labels_of(const ListState *state, const Block *block, bool *title,
		  bool *abstract)
{
	const char *at = block->text.data;

	*title = *abstract = false;
	while (at != NULL && *at != '\0')
	{
		int			n = label_length(at, (int) strlen(at));
		int			rank;
		int			field;

		field = n > 0 ? abst_field_lookup(state->options, at, n, &rank) : -1;
		*title |= field == ABST_REC_TITLE;
		*abstract |= field == ABST_REC_ABSTRACT;
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
}

/* Does the block in view after the first go on with a labelled record? */
static bool
goes_on(ListState *state, AbstRecord *record)
{
	bool		has_abstract = record->value[ABST_REC_ABSTRACT].len > 0;
	bool		title;
	bool		abstract;

	if (!look_ahead(state, 2))
		return false;
	if (state->block[1].kind == BLOCK_LONG)
		return !has_abstract;
	if (state->block[1].kind != BLOCK_LABELLED)
		return false;
	labels_of(state, &state->block[1], &title, &abstract);
	return !title && !(abstract && has_abstract);
}

/*
 * A labelled record goes on over blank lines: with labelled blocks that bring
 * no new title, and with a long block where the abstract is still missing.
 */
static void
take_labelled(ListState *state, AbstRecord *record)
{
	bool		more;

	do
	{
		const Block *block = &state->block[0];

		if (block->kind == BLOCK_LABELLED)
			put_labelled(state, record, block);
		else
			put_joined(record, ABST_REC_ABSTRACT, "abstract",
					   block->text.data, block->text.len);
		if (record->raw.len + block->text.len < ABST_RECORD_MAX)
			appendStringInfoString(&record->raw, block->text.data);
		more = goes_on(state, record);
		drop_block(state);
	} while (more);
}

/* How the first block in view is to be taken. */
static bool
is_heading(ListState *state)
{
	int			run = 0;

	if (!is_shortish(&state->block[0]))
		return false;
	while (run < 3 && look_ahead(state, run + 1) &&
		   is_shortish(&state->block[run]))
		run++;
	/* at the end of the file nothing stands under it */
	if (state->nblocks == run)
		return state->block[0].kind == BLOCK_MARKED;
	if (state->titles)
		return run >= 2;
	return run <= 2 || state->block[0].kind == BLOCK_MARKED;
}

static void
take_heading(ListState *state, AbstRecord *record)
{
	record->kind = ABST_RECORD_HEADING;
	resetStringInfo(&state->section);
	join_lines(&state->section, state->block[0].text.data,
			   state->block[0].text.len);
	appendBinaryStringInfo(&record->value[ABST_REC_SECTION],
						   state->section.data, state->section.len);
	drop_block(state);
}

static bool
list_next(void *arg, AbstRecord *record)
{
	ListState  *state = arg;
	Block	   *block = &state->block[0];
	int			title = 0;

	if (!look_ahead(state, 1))
		return false;
	record->line = block->line;
	if (is_heading(state))
	{
		take_heading(state, record);
		return true;
	}
	abst_record_put(record, ABST_REC_SECTION, "section",
					state->section.data, state->section.len);
	if (block->kind == BLOCK_LABELLED && !block->overlong)
	{
		take_labelled(state, record);
		return true;
	}

	/* a title standing alone belongs to the next block */
	if (state->titles && is_shortish(block) && look_ahead(state, 2) &&
		state->block[1].kind == BLOCK_LONG)
	{
		put_joined(record, ABST_REC_TITLE, "title", block->text.data,
				   block->text.len);
		appendBinaryStringInfo(&record->raw, block->text.data,
							   block->text.len);
		drop_block(state);
	}
	else if (!state->by_line)
		title = title_length(block->text.data, block->text.len);

	appendBinaryStringInfo(&record->raw, block->text.data, block->text.len);
	if (title > 0)
		put_joined(record, ABST_REC_TITLE, "title", block->text.data, title);
	put_joined(record, ABST_REC_ABSTRACT, "abstract",
			   block->text.data + title, block->text.len - title);
	if (block->overlong)
		abst_record_reject(record, "text longer than %d MB without a blank line",
						   ABST_RECORD_MAX / (1024 * 1024));
	drop_block(state);
	return true;
}

static void *
list_begin(AbstInput *in, const AbstReadOptions *options, const char **error)
{
	ListState  *state = palloc(sizeof(ListState));
	int			len = abst_input_need(in, ABST_HEAD_SIZE);
	bool		whole = in->eof && in->rawpos == in->rawlen;

	begin_blocks(state, in, options);
	state->by_line = head_is_lines(abst_input_at(in), len, whole);
	state->titles = !state->by_line &&
		head_has_titles(abst_input_at(in), len, whole);
	return state;
}

static void
list_end(void *arg)
{
	end_blocks(arg);
	pfree(arg);
}

/* Any text can be a list; other readers that recognise theirs go first. */
static int
list_detect(const char *head, int len, bool whole,
			const AbstReadOptions *options)
{
	return 1;
}

const AbstFormat abst_format_list = {
	"list", "text", "abstracts parted by blank lines, under headings",
	list_detect, list_begin, list_next, list_end
};
