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

#include "load/list.h"


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

	if (abst_line_label(text, (int) (strchr(text, '\n') - text)) > 0)
		return BLOCK_LABELLED;
	if (memchr(text, '\n', len - 1) == NULL &&
		abst_line_is_title(text, len, ABST_SHORT_CHARS, ABST_SHORT_WORDS,
						   true))
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

		if (block->text.len > 0 && (len == 0 || abst_line_is_marked(&marked,
																	&nmarked)))
			break;
		state->have_line = false;
		if (len == 0)
			continue;
		if (abst_line_is_rule(text, len))
		{
			/* under a first line it marks a heading, else it parts blocks */
			if (block->text.len == 0)
				continue;
			if ((text[0] == '=' || text[0] == '-') &&
				strchr(block->text.data, '\n') ==
				block->text.data + block->text.len - 1 &&
				abst_line_is_title(block->text.data, block->text.len,
								   ABST_TITLE_CHARS, ABST_TITLE_WORDS, true))
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
			abst_line_is_marked(&marked, &nmarked);

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
		if (lines > 0 && (abst_line_chars(text, n) < ABST_LINE_CHARS ||
						  !abst_line_ends_sentence(text, n, false)))
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
		!abst_line_is_title(text, first, ABST_TITLE_CHARS, ABST_TITLE_WORDS,
							true) ||
		nrest < 2 * first || islower((unsigned char) *rest))
		return 0;
	if (!abst_line_ends_sentence(rest, nrest - 1, false) && nrest < 200)
		return 0;

	/* would the next word have fitted? */
	while (line < text +len)
	{
		const char *next = memchr(line, '\n', text +len - line);

		width = Max(width, abst_line_chars(line, (int) (next - line)));
		line = next + 1;
	}
	while (word < nrest && !isspace((unsigned char) rest[word]))
		word++;
	if (abst_line_chars(text, first) + 1 + abst_line_chars(rest, word) > width)
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
		} while (next < end && abst_line_label(next, (int) (end - next)) == 0);
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
		int			n = abst_line_label(at, (int) strlen(at));
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
