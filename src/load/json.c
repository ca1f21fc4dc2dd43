/*-------------------------------------------------------------------------
 *
 * json.c
 *		Reader of JSON Lines, of JSON values one after another, and of one
 *		JSON array of records.
 *
 * A scanner finds where a record ends without parsing it, and notices at
 * once where a record cannot go on: a bracket that closes another, an object
 * where a member's name must stand, a line that begins a new record inside
 * a record that began on a line of its own.  The broken record is rejected
 * alone, and reading goes on at the new one.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <ctype.h>

#include "load/json.h"

typedef struct JsonState
{
	AbstInput  *in;
	const AbstReadOptions *options;
	AbstJsonArena *arena;
	bool		array;			/* inside the one array */
	bool		begun;
	int			column;			/* of the next character, from 0 */
} JsonState;

/* The scan of one record. */
typedef struct Scan
{
	char		stack[ABST_JSON_DEPTH * 4];	/* open brackets */
	int			depth;
	char		previous;		/* last character that is no white space */
	bool		in_string;
	bool		line_start;		/* only white space since the line began */
	bool		one_line;		/* more than a bracket on the first line */
	bool		first_line;
	int			column;			/* where the record began */
	bool		overlong;
	const char *error;
} Scan;

/* Take one character, which must be there. */
static void
take(JsonState *state, StringInfo raw, Scan *scan)
{
	char		c = *abst_input_at(state->in);

	abst_input_skip(state->in, 1);
	state->column = c == '\n' ? 0 : state->column + 1;
	if (raw->len < ABST_RECORD_MAX)
		appendStringInfoChar(raw, c);
	else if (scan != NULL)
		scan->overlong = true;
}

/* Take a run of a string's plain characters at once. */
static void
take_run(JsonState *state, StringInfo raw, Scan *scan)
{
	const char *at = abst_input_at(state->in);
	int			avail = state->in->text.len - state->in->pos;
	int			n = 0;

	while (n < avail && at[n] != '"' && at[n] != '\\' && at[n] != '\n')
		n++;
	if (raw->len + n <= ABST_RECORD_MAX)
		appendBinaryStringInfo(raw, at, n);
	else
		scan->overlong = true;
	state->in->pos += n;
	state->column += n;
}

static char
peek(JsonState *state)
{
	return abst_input_need(state->in, 1) > 0 ? *abst_input_at(state->in) : '\0';
}

/*
 * After a line end inside a string: does the next line begin a record?  It
 * does with an object's first member, or with the bracket of an object
 * written over several lines, no further in than this record.
 */
static bool
record_ahead(JsonState *state, const Scan *scan)
{
	int			avail = abst_input_need(state->in, 64);
	const char *at = abst_input_at(state->in);
	int			i = 0;

	while (i < avail && (at[i] == ' ' || at[i] == '\t'))
		i++;
	if (i > scan->column || i >= avail || at[i] != '{')
		return false;
	for (i++; i < avail && (at[i] == ' ' || at[i] == '\t'); i++)
		;
	return i < avail && (at[i] == '"' || at[i] == '\n');
}

/* An opening bracket: may a value stand here? */
static bool
may_open(const Scan *scan, char c, int column)
{
	char		inner;

	if (scan->depth == 0)
		return true;
	inner = scan->stack[scan->depth - 1];
	if (inner == '{')
		return scan->previous == ':';
	if (scan->previous != '[' && scan->previous != ',')
		return false;

	/* inside an array, but at the start of a line: see the file's head */
	return !(c == '{' && scan->line_start && scan->one_line &&
			 column <= scan->column);
}

/*
 * Take one record, from its bracket to the one that closes it.  False with
 * scan->error if it breaks off; then the next character may begin another.
 */
static bool
scan_record(JsonState *state, StringInfo raw, Scan *scan)
{
	memset(scan, 0, sizeof(*scan));
	scan->column = state->column;
	scan->first_line = true;
	for (;;)
	{
		char		c;

		if (scan->in_string)
			take_run(state, raw, scan);
		c = peek(state);
		if (c == '\0' && abst_input_need(state->in, 1) == 0)
		{
			scan->error = "truncated: the input ends inside this record";
			return false;
		}
		if (scan->in_string)
		{
			if (c == '"')
			{
				scan->in_string = false;
				scan->previous = c;
			}
			else if (c == '\\')
			{
				take(state, raw, scan);
				if (abst_input_need(state->in, 1) == 0 || peek(state) == '\n')
					continue;
			}
			else if (c == '\n')
			{
				take(state, raw, scan);
				if (record_ahead(state, scan))
				{
					scan->error = "truncated: the line ends inside a string";
					return false;
				}
				continue;
			}
			if (abst_input_need(state->in, 1) > 0)
				take(state, raw, scan);
			continue;
		}
		if (isspace((unsigned char) c))
		{
			if (c == '\n')
			{
				scan->line_start = true;
				scan->first_line = false;
				CHECK_FOR_INTERRUPTS();
			}
			take(state, raw, scan);
			continue;
		}
		if (c == '{' || c == '[')
		{
			if (!may_open(scan, c, state->column))
			{
				scan->error = "truncated: another record begins inside this one";
				return false;
			}
			if (scan->depth < (int) sizeof(scan->stack))
				scan->stack[scan->depth] = c;
			scan->depth++;
			if (scan->depth > (int) sizeof(scan->stack))
			{
				scan->error = "JSON nested too deep";
				return false;
			}
		}
		else if (c == '}' || c == ']')
		{
			if (scan->stack[scan->depth - 1] != (c == '}' ? '{' : '['))
			{
				scan->error = "a bracket closes another than the open one";
				return false;
			}
			scan->depth--;
		}
		else if (c == '"')
			scan->in_string = true;
		if (scan->first_line && scan->depth > 0 && scan->previous != '\0')
			scan->one_line = true;
		scan->previous = c;
		scan->line_start = false;
		take(state, raw, scan);
		if (scan->depth == 0)
			return true;
	}
}

/*
 * Take bad text up to where the next record may begin: a line's end, or, in
 * an array, a bracket that opens after "},", or after any comma if the bad
 * text is no object.
 */
static void
take_bad(JsonState *state, StringInfo raw, bool object)
{
	char		before[2] = {'\0', '\0'};

	while (abst_input_need(state->in, 1) > 0)
	{
		char		c = peek(state);

		if (state->array && c == '{' && before[1] == ',' &&
			(!object || before[0] == '}'))
			return;
		take(state, raw, NULL);
		if (c == '\n')
			return;
		if (!isspace((unsigned char) c))
		{
			before[0] = before[1];
			before[1] = c;
		}
		CHECK_FOR_INTERRUPTS();
	}
}

/* Does only what may part records stand on the rest of the line? */
static bool
line_goes_on(JsonState *state)
{
	int			avail = abst_input_need(state->in, 256);
	const char *at = abst_input_at(state->in);
	int			i = 0;

	while (i < avail && (at[i] == ' ' || at[i] == '\t' || at[i] == ','))
		i++;
	return i < avail && at[i] != '\n' && at[i] != '{' && at[i] != ']' &&
		at[i] != '\x1e';
}

/* Skip what parts records; false at the end. */
static bool
skip_separators(JsonState *state)
{
	for (;;)
	{
		char		c = peek(state);

		if (c == '\0' && abst_input_need(state->in, 1) == 0)
			break;
		if (c == '[' && !state->begun)
			state->array = true;
		else if (c == ']' && state->array)
			state->array = false;
		else if (!isspace((unsigned char) c) && c != ',' && c != '\x1e')
			return true;
		if (!isspace((unsigned char) c))
			state->begun = true;
		abst_input_skip(state->in, 1);
		state->column = c == '\n' ? 0 : state->column + 1;
		CHECK_FOR_INTERRUPTS();
	}
	if (state->array)
	{
		state->array = false;
		state->in->repairs[ABST_REPAIR_TAIL]++;
	}
	return false;
}

static bool
json_next(void *arg, AbstRecord *record)
{
	JsonState  *state = arg;
	AbstJson   *object;
	Scan		scan;

	if (!skip_separators(state))
		return false;
	state->begun = true;
	record->line = state->in->line;
	if (peek(state) != '{')
	{
		take_bad(state, &record->raw, false);
		abst_record_reject(record, "not a JSON object");
		return true;
	}
	if (!scan_record(state, &record->raw, &scan))
	{
		/* where another record begins, reading goes on right there */
		if (!(peek(state) == '{' && scan.line_start) &&
			!(scan.in_string && record->raw.len > 0 &&
			  record->raw.data[record->raw.len - 1] == '\n'))
			take_bad(state, &record->raw, true);
		abst_record_reject(record, "%s", scan.error);
		return true;
	}
	if (scan.overlong)
	{
		abst_record_reject(record, "record longer than %d MB",
						   ABST_RECORD_MAX / (1024 * 1024));
		return true;
	}
	if (!state->array && line_goes_on(state))
	{
		take_bad(state, &record->raw, true);
		abst_record_reject(record, "text after the end of the record");
		return true;
	}
	object = abst_json_parse(state->arena, record->raw.data, record->raw.len,
							 state->in->repairs, record);
	if (object != NULL)
		abst_json_fill(record, object, state->options);
	return true;
}

static void *
json_begin(AbstInput *in, const AbstReadOptions *options, const char **error)
{
	JsonState  *state = palloc0(sizeof(JsonState));

	state->in = in;
	state->options = options;
	state->arena = abst_json_arena_make();
	return state;
}

static void
json_end(void *arg)
{
	JsonState  *state = arg;

	abst_json_arena_free(state->arena);
	pfree(state);
}

/* Does an object with a first member, or an empty one, begin here? */
static bool
object_begins(const char *at, const char *end)
{
	if (at == end || *at != '{')
		return false;
	for (at++; at < end && isspace((unsigned char) *at); at++)
		;
	return at < end && (*at == '"' || *at == '}');
}

/* Skip elements of an array that are no objects: numbers, words, strings. */
static const char *
skip_scalars(const char *at, const char *end)
{
	const char *start = at;

	while (at < end && *at != '{' && *at != '[' && *at != '\n')
	{
		if (*at == '"')
		{
			for (at++; at < end && *at != '"' && *at != '\n'; at++)
				at += *at == '\\';
			if (at >= end || *at != '"')
				return start;
			at++;
		}
		else
		{
			while (at < end && (isalnum((unsigned char) *at) ||
								strchr("+-.", *at) != NULL))
				at++;
		}
		while (at < end && isspace((unsigned char) *at))
			at++;
		if (at == end || *at != ',')
			return start;
		for (at++; at < end && isspace((unsigned char) *at); at++)
			;
	}
	return at;
}

/* Do objects begin on half of the lines?  The first may be a broken one. */
static bool
lines_are_objects(const char *head, const char *end)
{
	int			lines = 0;
	int			objects = 0;

	while (head < end && lines < 50)
	{
		const char *next = memchr(head, '\n', end - head);

		while (head < end && (*head == ' ' || *head == '\t'))
			head++;
		if (head < end && *head != '\n')
		{
			lines++;
			objects += object_begins(head, end);
		}
		head = next ? next + 1 : end;
	}
	return objects > 0 && objects * 2 >= lines;
}

/* An object, an array of objects, or lines of them. */
static int
json_detect(const char *head, int len, bool whole,
			const AbstReadOptions *options)
{
	const char *end = head + len;
	const char *at = head;

	while (at < end && (isspace((unsigned char) *at) || *at == '\x1e'))
		at++;
	if (at < end && *at == '[')
	{
		for (at++; at < end && isspace((unsigned char) *at); at++)
			;
		if (at < end && *at == ']')
			return 50;
		at = skip_scalars(at, end);
	}
	if (object_begins(at, end))
		return 95;
	return lines_are_objects(head, end) ? 92 : 0;
}

const AbstFormat abst_format_json = {
	"jsonl", "json", "JSON Lines, or one JSON array of objects",
	json_detect, json_begin, json_next, json_end
};
