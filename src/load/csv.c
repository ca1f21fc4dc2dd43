/*-------------------------------------------------------------------------
 *
 * csv.c
 *		Reader of CSV and TSV with a header line (RFC 4180 and what is found
 *		in the wild).
 *
 * The delimiter (comma, semicolon, tab, bar) is the one under which the head
 * of the file shows a header with most known names; lines above the header
 * are skipped.  A record has as many fields as the header; empty ones too
 * many at its end do not count.
 *
 * Quotes: a field that begins with a quote ends at a quote before a delimiter
 * or line end, "" inside is one quote.  Another quote inside is a stray one.
 * If the line gives the right number of fields when the field with the stray
 * quote is taken literally, that is done; else the stray quote is taken as
 * text inside the quoted field.  A quoted field that is not closed reaches
 * into the next lines; as soon as a line there proves to be a record of its
 * own, or at a limit, what is before is rejected and reading goes on there.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <ctype.h>

#include "load/record.h"

/* A record's quoted fields may reach this far beyond its first line. */
#define SPAN_MAX (4 * 1024 * 1024)

#define HEADER_LINES 12			/* the header is among the first records */
#define FIELDS_MAX 4096

static const char delimiters[] = {',', ';', '\t', '|'};

typedef struct Column
{
	char	   *name;
	int			field;			/* or -1: to extra */
	bool		best;			/* the one the field is taken from */
} Column;

/* The parse of one record; it can be fed line by line. */
typedef struct Parse
{
	StringInfoData data;		/* values, each ended by a NUL */
	int			nfields;		/* complete ones */
	bool		quoted;			/* inside a quoted field */
	bool		stray;			/* a stray quote was seen */
	bool		literal;		/* take fields with stray quotes literally */
	int			field_at;		/* where the open field begins in data */
} Parse;

typedef struct CsvState
{
	AbstInput  *in;
	char		delimiter;
	int			ncolumns;
	Column	   *columns;
	Parse		parse;
	Parse		probe;			/* for lines looked at on their own */
	StringInfoData line;

	/* lines read and to be read again, each with its LF */
	StringInfoData queue;
	int			queue_at;
	int64		queue_line;		/* number of the line at queue_at */
} CsvState;

/* ---- parsing ---- */

static void
parse_begin(Parse *parse, bool literal)
{
	resetStringInfo(&parse->data);
	parse->nfields = 0;
	parse->quoted = false;
	parse->stray = false;
	parse->literal = literal;
	parse->field_at = 0;
}

static void
end_field(Parse *parse)
{
	appendStringInfoChar(&parse->data, '\0');
	parse->field_at = parse->data.len;
	parse->nfields++;
	parse->quoted = false;
}

/*
 * A stray quote at s[i] in a quoted field that began at s[from] on this line,
 * and is to be taken literally: up to the next delimiter.  Its outer quotes
 * go if it ends with one.  Returns where it ends.
 */
static int
literal_field(Parse *parse, const char *s, int len, int from, char delimiter)
{
	const char *end = memchr(s + from, delimiter, len - from);
	int			to = end ? (int) (end - s) : len;
	int			last = to;

	while (last > from && s[last - 1] == ' ')
		last--;
	parse->data.len = parse->field_at;
	if (last - from > 2 && s[last - 1] == '"')
		appendBinaryStringInfo(&parse->data, s + from + 1, last - from - 2);
	else
		appendBinaryStringInfo(&parse->data, s + from, to - from);
	parse->quoted = false;
	return to;
}

/*
 * Feed one line without its end.  True if the record is complete; false if a
 * quoted field goes on.
 */
static bool
parse_line(Parse *parse, const char *s, int len, char delimiter)
{
	int			from = -1;		/* where the open field began, on this line */
	int			i = 0;

	for (;;)
	{
		if (!parse->quoted)
		{
			const char *end;
			int			n;

			/* a field begins; blanks before a quote do not matter */
			n = i;
			while (delimiter != '\t' && n < len && s[n] == ' ')
				n++;
			if (n < len && s[n] == '"')
			{
				parse->quoted = true;
				from = n;
				i = n + 1;
				continue;
			}
			end = memchr(s + i, delimiter, len - i);
			n = end ? (int) (end - s) : len;
			appendBinaryStringInfo(&parse->data, s + i, n - i);
			i = n;
		}
		else
		{
			const char *quote = memchr(s + i, '"', len - i);
			int			n = quote ? (int) (quote - s) : len;
			int			after;

			appendBinaryStringInfo(&parse->data, s + i, n - i);
			if (quote == NULL)
			{
				appendStringInfoChar(&parse->data, '\n');
				return false;
			}
			if (n + 1 < len && s[n + 1] == '"')
			{
				appendStringInfoChar(&parse->data, '"');
				i = n + 2;
				continue;
			}
			after = n + 1;
			while (delimiter != '\t' && after < len && s[after] == ' ')
				after++;
			if (after < len && s[after] != delimiter)
			{
				parse->stray = true;
				if (!parse->literal || from < 0)
				{
					appendStringInfoChar(&parse->data, '"');
					i = n + 1;
					continue;
				}
				after = literal_field(parse, s, len, from, delimiter);
			}
			i = after;
		}
		end_field(parse);
		from = -1;
		if (i >= len)
			return true;
		i++;					/* the delimiter */
	}
}

/* Drop empty fields beyond the header's; is the number right then? */
static bool
fields_fit(Parse *parse, int ncolumns)
{
	const char *end = parse->data.data + parse->data.len;

	while (parse->nfields > ncolumns && parse->data.len >= 2 &&
		   end[-1] == '\0' && end[-2] == '\0')
	{
		parse->nfields--;
		parse->data.len--;
		end--;
	}
	return parse->nfields == ncolumns;
}

/* ---- lines, with a queue of those to read again ---- */

static bool
next_line(CsvState *state, const char **line, int *len, int64 *lineno)
{
	bool		overlong;

	if (state->queue_at < state->queue.len)
	{
		const char *at = state->queue.data + state->queue_at;
		const char *end = memchr(at, '\n', state->queue.len - state->queue_at);

		*line = at;
		*len = (int) (end - at);
		*lineno = state->queue_line++;
		state->queue_at += *len + 1;
		return true;
	}
	*lineno = state->in->line;
	if (!abst_input_line(state->in, &state->line, &overlong))
		return false;
	*line = state->line.data;
	*len = state->line.len;
	return true;
}

/*
 * Let the lines of "raw" from offset "at" on be read again.  Those of the
 * queue that were not read yet follow them.
 */
static void
requeue(CsvState *state, StringInfo raw, int at, int64 lineno)
{
	StringInfoData queue;

	initStringInfo(&queue);
	appendBinaryStringInfo(&queue, raw->data + at, raw->len - at);
	appendBinaryStringInfo(&queue, state->queue.data + state->queue_at,
						   state->queue.len - state->queue_at);
	pfree(state->queue.data);
	state->queue = queue;
	state->queue_at = 0;
	state->queue_line = lineno;
	raw->len = at;
	raw->data[at] = '\0';
}

/*
 * Does a line begin a record?  It does if it is a whole one, or if "strict"
 * is not asked for, it opens a quoted field at the place of one.
 */
static bool
begins_record(CsvState *state, const char *line, int len, bool strict)
{
	Parse	   *probe = &state->probe;

	parse_begin(probe, true);
	if (parse_line(probe, line, len, state->delimiter))
		return state->ncolumns > 1 && fields_fit(probe, state->ncolumns);
	return !strict && probe->nfields < state->ncolumns &&
		(probe->nfields > 0 || line[0] == '"');
}

/* ---- records ---- */

static void
fill_record(CsvState *state, AbstRecord *record)
{
	const char *value = state->parse.data.data;
	int			i;

	for (i = 0; i < state->ncolumns; i++)
	{
		Column	   *column = &state->columns[i];
		int			len = (int) strlen(value);

		if (column->field >= 0 && column->best)
			abst_record_put(record, (AbstRecordField) column->field,
							column->name, value, len);
		value += len + 1;
	}

	/* second choices: where the best column is empty, else to extra */
	value = state->parse.data.data;
	for (i = 0; i < state->ncolumns; i++)
	{
		Column	   *column = &state->columns[i];
		int			len = (int) strlen(value);

		if (column->field >= 0 && !column->best)
			abst_record_put(record, (AbstRecordField) column->field,
							column->name, value, len);
		else if (column->field < 0)
			abst_record_put_extra_text(record, column->name, value, len);
		value += len + 1;
	}
}

/* Reject what "raw" holds. */
static void
reject(CsvState *state, AbstRecord *record, const char *reason)
{
	if (reason != NULL)
		abst_record_reject(record, "%s", reason);
	else
		abst_record_reject(record, "%d fields where the header has %d",
						   state->parse.nfields, state->ncolumns);
}

/*
 * The parse of record->raw failed.  Reject its first lines, up to one that
 * begins a record, and have the rest read again.  Where all quotes were
 * closed, only a line that is a whole record is taken for one.
 */
static void
resynchronise(CsvState *state, AbstRecord *record, const char *reason)
{
	int			npasses = reason == NULL && !state->parse.stray ? 1 : 2;
	int			pass;

	for (pass = 0; pass < npasses; pass++)
	{
		const char *at = strchr(record->raw.data, '\n');
		int64		lineno = record->line;

		while (at != NULL && at[1] != '\0')
		{
			const char *line = at + 1;
			const char *end = strchr(line, '\n');

			lineno++;
			if (begins_record(state, line, (int) (end - line), pass == 0))
			{
				requeue(state, &record->raw,
						(int) (line - record->raw.data), lineno);
				reject(state, record, reason);
				return;
			}
			at = end;
			CHECK_FOR_INTERRUPTS();
		}
	}
	reject(state, record, reason);
}

/*
 * Feed lines until the quoted field that is open at the end of record->raw is
 * closed.  False if it was not, and the record is a reject now.
 */
static bool
finish_record(CsvState *state, AbstRecord *record)
{
	Parse	   *parse = &state->parse;
	int			first = record->raw.len;
	bool		done = false;

	while (!done)
	{
		const char *line;
		int			len;
		int64		lineno;
		bool		stray = parse->stray;
		int			start = record->raw.len;

		if (record->raw.len - first > SPAN_MAX ||
			!next_line(state, &line, &len, &lineno))
		{
			resynchronise(state, record, "a quoted field is not closed");
			return false;
		}
		appendBinaryStringInfo(&record->raw, line, len);
		appendStringInfoChar(&record->raw, '\n');
		line = record->raw.data + start;
		parse->stray = false;
		done = parse_line(parse, line, len, state->delimiter);
		if (parse->stray && begins_record(state, line, len, false))
		{
			resynchronise(state, record, "a quoted field is not closed");
			return false;
		}
		parse->stray |= stray;
		CHECK_FOR_INTERRUPTS();
	}
	if (!fields_fit(parse, state->ncolumns))
	{
		resynchronise(state, record, NULL);
		return false;
	}
	return true;
}

static bool
csv_next(void *arg, AbstRecord *record)
{
	CsvState   *state = arg;
	Parse	   *parse = &state->parse;
	const char *line;
	int			len;
	bool		done;
	bool		tried = false;

	/* empty lines, and lines of delimiters alone, are no records */
	do
	{
		char		blank[] = {' ', '\r', state->delimiter, '\0'};

		if (!next_line(state, &line, &len, &record->line))
			return false;
		if ((int) strspn(line, blank) < len)
			break;
	} while (true);

	appendBinaryStringInfo(&record->raw, line, len);
	appendStringInfoChar(&record->raw, '\n');
	line = record->raw.data;
	if (len >= ABST_RECORD_MAX)
	{
		abst_record_reject(record, "line longer than %d MB",
						   ABST_RECORD_MAX / (1024 * 1024));
		return true;
	}
	parse_begin(parse, true);
	done = parse_line(parse, line, len, state->delimiter);
	if (done && parse->stray && !fields_fit(parse, state->ncolumns))
	{
		parse_begin(parse, false);
		done = parse_line(parse, line, len, state->delimiter);
		tried = true;
	}
	if (done && !fields_fit(parse, state->ncolumns))
	{
		/* show the number of fields of the plainer reading */
		if (tried)
		{
			parse_begin(parse, true);
			(void) parse_line(parse, line, len, state->delimiter);
		}
		reject(state, record, NULL);
		return true;
	}
	if (!done && !finish_record(state, record))
		return true;
	if (parse->stray)
		state->in->repairs[ABST_REPAIR_QUOTE]++;
	fill_record(state, record);
	return true;
}

/* ---- the header ---- */

typedef struct Header
{
	char		delimiter;
	int			score;			/* known names; title, abstract weigh more */
	int			end;			/* where its record ends in the head */
} Header;

/* How well the fields of a parsed record name columns; 0 if not at all. */
static int
header_score(const Parse *parse, const AbstReadOptions *options)
{
	const char *name = parse->data.data;
	bool		seen[ABST_REC_NFIELDS] = {false};
	int			score = 0;
	int			i;

	for (i = 0; i < parse->nfields; i++)
	{
		int			rank;
		int			len = (int) strlen(name);
		int			field = len <= 100 ?
		abst_field_lookup(options, name, len, &rank) : -1;

		if (field >= 0 && !seen[field])
		{
			seen[field] = true;
			score++;
		}
		name += len + 1;
	}
	if (!seen[ABST_REC_TITLE] && !seen[ABST_REC_ABSTRACT])
		return 0;
	return score + 3 * seen[ABST_REC_TITLE] + 3 * seen[ABST_REC_ABSTRACT];
}

/* Look for the header under each delimiter; score 0 if there is none. */
static Header
find_header(const char *head, int len, const AbstReadOptions *options)
{
	Header		best = {',', 0, 0};
	Parse		parse;
	int			d;

	memset(&parse, 0, sizeof(parse));
	initStringInfo(&parse.data);
	for (d = 0; d < lengthof(delimiters); d++)
	{
		int			at = 0;
		int			records = 0;

		while (at < len && records++ < HEADER_LINES)
		{
			bool		done = false;
			int			score;

			parse_begin(&parse, false);
			while (!done && at < len)
			{
				const char *end = memchr(head + at, '\n', len - at);
				int			n = end ? (int) (end - head) - at : len - at;

				done = parse_line(&parse, head + at, n, delimiters[d]);
				at = Min(at + n + 1, len);
			}
			if (!done || parse.nfields < 2 || parse.nfields > FIELDS_MAX)
				continue;
			score = header_score(&parse, options);
			if (score > best.score)
			{
				best.delimiter = delimiters[d];
				best.score = score;
				best.end = at;
			}
		}
	}
	pfree(parse.data.data);
	return best;
}

/* Name the columns, and choose the one that each field is taken from. */
static void
set_columns(CsvState *state, const AbstReadOptions *options)
{
	const char *name = state->parse.data.data;
	int			best[ABST_REC_NFIELDS];
	int			ranks[ABST_REC_NFIELDS];
	int			i;

	for (i = 0; i < ABST_REC_NFIELDS; i++)
		best[i] = -1;
	state->ncolumns = state->parse.nfields;
	state->columns = palloc0(state->ncolumns * sizeof(Column));
	for (i = 0; i < state->ncolumns; i++)
	{
		Column	   *column = &state->columns[i];
		int			rank = 0;
		int			len = (int) strlen(name);
		const char *trimmed = name;
		int			n = len;

		column->field = abst_field_lookup(options, name, len, &rank);
		abst_trim(&trimmed, &n);
		column->name = n > 0 ? pnstrdup(trimmed, n) :
			psprintf("column %d", i + 1);
		if (column->field >= 0 &&
			(best[column->field] < 0 || rank < ranks[column->field]))
		{
			best[column->field] = i;
			ranks[column->field] = rank;
		}
		name += len + 1;
	}
	for (i = 0; i < ABST_REC_NFIELDS; i++)
	{
		if (best[i] >= 0)
			state->columns[best[i]].best = true;
	}
}

static void *
csv_begin(AbstInput *in, const AbstReadOptions *options, const char **error)
{
	CsvState   *state;
	int			len = abst_input_need(in, ABST_HEAD_SIZE);
	Header		header = find_header(abst_input_at(in), len, options);
	const char *at;
	int			start = 0;
	bool		done = false;

	if (header.score == 0)
	{
		*error = "no header line that names a title or an abstract; name the columns with a mapping such as title=Heading";
		return NULL;
	}
	state = palloc0(sizeof(CsvState));
	state->in = in;
	state->delimiter = header.delimiter;
	initStringInfo(&state->parse.data);
	initStringInfo(&state->probe.data);
	initStringInfo(&state->line);
	initStringInfo(&state->queue);

	/* parse once more up to the header's end: the last record is it */
	at = abst_input_at(in);
	parse_begin(&state->parse, false);
	while (start < header.end)
	{
		const char *end = memchr(at + start, '\n', header.end - start);
		int			n = end ? (int) (end - at) - start : header.end - start;

		if (done)
			parse_begin(&state->parse, false);
		done = parse_line(&state->parse, at + start, n, header.delimiter);
		start = Min(start + n + 1, header.end);
	}
	set_columns(state, options);
	abst_input_skip(in, header.end);
	return state;
}

static void
csv_end(void *arg)
{
	CsvState   *state = arg;
	int			i;

	for (i = 0; i < state->ncolumns; i++)
		pfree(state->columns[i].name);
	pfree(state->columns);
	pfree(state->parse.data.data);
	pfree(state->probe.data.data);
	pfree(state->line.data);
	pfree(state->queue.data);
	pfree(state);
}

static int
csv_detect(const char *head, int len, bool whole,
		   const AbstReadOptions *options)
{
	Header		header = find_header(head, len, options);

	/* one name and a comma can be prose */
	return header.score >= 5 ? 90 : header.score >= 4 ? 40 : 0;
}

const AbstFormat abst_format_csv = {
	"csv", "tsv", "comma, semicolon, tab or bar separated values with a header",
	csv_detect, csv_begin, csv_next, csv_end
};
