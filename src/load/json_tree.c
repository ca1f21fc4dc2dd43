/*-------------------------------------------------------------------------
 *
 * json_tree.c
 *		JSON text to a tree, by PostgreSQL's parser, after a pass that
 *		repairs what writers get wrong.
 *
 * The pass also turns escapes beyond ASCII into UTF-8, so that the parser
 * needs no conversion in a database of another encoding, and bounds the
 * depth, which the parser does not do in client programs.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <ctype.h>

#include "common/jsonapi.h"
#include "load/json.h"
#include "mb/pg_wchar.h"

#define ARENA_BLOCK (64 * 1024)

typedef struct ArenaBlock
{
	struct ArenaBlock *next;
	Size		size;
	Size		used;
	char	   *data;
} ArenaBlock;

struct AbstJsonArena
{
	ArenaBlock *blocks;			/* the first one stays */
	StringInfoData clean;		/* repaired text */
	AbstJson   *stack[ABST_JSON_DEPTH + 1];
	int			depth;
	AbstJson   *root;
	const char *name;			/* of the member to come */
};

static ArenaBlock *
make_block(Size size)
{
	ArenaBlock *block = palloc(sizeof(ArenaBlock));

	block->next = NULL;
	block->size = size;
	block->used = 0;
	block->data = palloc(size);
	return block;
}

static void *
arena_alloc(AbstJsonArena *arena, Size size)
{
	ArenaBlock *block = arena->blocks;
	char	   *result;

	size = MAXALIGN(size);
	if (block->used + size > block->size)
	{
		block = make_block(Max(size, ARENA_BLOCK));
		block->next = arena->blocks;
		arena->blocks = block;
	}
	result = block->data + block->used;
	block->used += size;
	return result;
}

static void
arena_reset(AbstJsonArena *arena)
{
	while (arena->blocks->next != NULL)
	{
		ArenaBlock *next = arena->blocks->next;

		pfree(arena->blocks->data);
		pfree(arena->blocks);
		arena->blocks = next;
	}
	arena->blocks->used = 0;
	arena->depth = 0;
	arena->root = NULL;
	arena->name = NULL;
	if (arena->clean.maxlen > 1024 * 1024)
	{
		pfree(arena->clean.data);
		initStringInfo(&arena->clean);
	}
	resetStringInfo(&arena->clean);
}

AbstJsonArena *
abst_json_arena_make(void)
{
	AbstJsonArena *arena = palloc0(sizeof(AbstJsonArena));

	arena->blocks = make_block(ARENA_BLOCK);
	initStringInfo(&arena->clean);
	return arena;
}

void
abst_json_arena_free(AbstJsonArena *arena)
{
	arena_reset(arena);
	pfree(arena->blocks->data);
	pfree(arena->blocks);
	pfree(arena->clean.data);
	pfree(arena);
}

/* ---- the repairing pass ---- */

/* Four hex digits at "s", or -1. */
static int
hex4(const char *s, const char *end)
{
	int			code = 0;
	int			i;

	if (end - s < 4)
		return -1;
	for (i = 0; i < 4; i++)
	{
		int			c = (unsigned char) s[i];

		if (!isxdigit(c))
			return -1;
		code = code * 16 + (isdigit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return code;
}

/*
 * An escape "\u…" at "s": append its character.  Returns the bytes taken, 0 to
 * leave it to the parser.
 */
static int
clean_escape(StringInfo out, const char *s, const char *end, int64 *repairs)
{
	int			code = hex4(s + 2, end);
	int			taken = 6;

	if (code < 0 || (code > 0 && code < 0x80))
		return 0;
	if (code == 0)
	{
		repairs[ABST_REPAIR_NUL]++;
		return taken;
	}
	if (code >= 0xD800 && code < 0xE000)
	{
		int			low = -1;

		if (code < 0xDC00 && end - s >= 12 && s[6] == '\\' && s[7] == 'u')
			low = hex4(s + 8, end);
		if (low >= 0xDC00 && low < 0xE000)
		{
			code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
			taken = 12;
		}
		else
		{
			code = 0xFFFD;
			repairs[ABST_REPAIR_JSON]++;
		}
	}
	abst_append_utf8(out, code);
	return taken;
}

/* Copy a string's inside; returns where its closing quote is, or "end". */
static const char *
clean_string(StringInfo out, const char *s, const char *end, int64 *repairs)
{
	while (s < end && *s != '"')
	{
		const char *run = s;

		while (s < end && *s != '"' && *s != '\\' &&
			   (unsigned char) *s >= ' ')
			s++;
		appendBinaryStringInfo(out, run, (int) (s - run));
		if (s == end || *s == '"')
			break;
		if ((unsigned char) *s < ' ')
		{
			appendStringInfo(out, "\\u%04x", (unsigned char) *s);
			repairs[ABST_REPAIR_JSON]++;
			s++;
		}
		else if (end - s >= 2 && s[1] == 'u')
		{
			int			taken = clean_escape(out, s, end, repairs);

			if (taken == 0 && hex4(s + 2, end) >= 0)
			{
				appendBinaryStringInfo(out, s, 2);
				taken = 2;
			}
			else if (taken == 0)
			{
				/* "\unit": see below */
				appendStringInfoString(out, "\\\\");
				repairs[ABST_REPAIR_JSON]++;
				taken = 1;
			}
			s += taken;
		}
		else if (end - s >= 2 && strchr("\"\\/bfnrt", s[1]) == NULL)
		{
			/* "\alpha": a backslash that somebody forgot to double */
			appendStringInfoString(out, "\\\\");
			repairs[ABST_REPAIR_JSON]++;
			s++;
		}
		else
		{
			int			n = Min(2, (int) (end - s));

			appendBinaryStringInfo(out, s, n);
			s += n;
		}
	}
	return s;
}

/* Length of a literal at "s" that JSON lacks and that stands for no value. */
static int
foreign_literal(const char *s, const char *end)
{
	static const char *const literals[] = {"NaN", "Infinity", "-Infinity",
	"-NaN", "None", "undefined"};
	int			i;

	for (i = 0; i < lengthof(literals); i++)
	{
		int			n = (int) strlen(literals[i]);

		if (end - s >= n && strncmp(s, literals[i], n) == 0 &&
			(end - s == n || !isalnum((unsigned char) s[n])))
			return n;
	}
	return 0;
}

/* False if the nesting is too deep. */
static bool
clean_json(StringInfo out, const char *s, const char *end, int64 *repairs)
{
	int			depth = 0;

	while (s < end)
	{
		int			n;

		appendStringInfoChar(out, *s);
		if (*s == '"')
		{
			s = clean_string(out, s + 1, end, repairs);
			if (s < end)
				appendStringInfoChar(out, *s++);
			continue;
		}
		if (*s == '{' || *s == '[')
		{
			if (++depth > ABST_JSON_DEPTH)
				return false;
		}
		else if (*s == '}' || *s == ']')
			depth--;
		else if (strchr("NIu-", *s) != NULL && (n = foreign_literal(s, end)) > 0)
		{
			out->len--;
			appendStringInfoString(out, "null");
			repairs[ABST_REPAIR_JSON]++;
			s += n;
			continue;
		}
		s++;
	}
	return true;
}

/* ---- the tree ---- */

static AbstJson *
add_node(AbstJsonArena *arena, AbstJsonKind kind)
{
	AbstJson   *node = arena_alloc(arena, sizeof(AbstJson));

	memset(node, 0, sizeof(AbstJson));
	node->kind = kind;
	if (arena->depth == 0)
		arena->root = node;
	else
	{
		AbstJson   *parent = arena->stack[arena->depth - 1];

		if (parent->kind == ABST_JSON_OBJECT)
			node->name = arena->name;
		if (parent->last != NULL)
			parent->last->next = node;
		else
			parent->first = node;
		parent->last = node;
	}
	return node;
}

/* The parser's strings are ours to free, so nothing is left on an error. */
static const char *
keep_text(AbstJsonArena *arena, char *text, int *len)
{
	int			n = (int) strlen(text);
	char	   *copy = arena_alloc(arena, n + 1);

	memcpy(copy, text, n + 1);
	pfree(text);
	if (len != NULL)
		*len = n;
	return copy;
}

static ABST_JSON_ACTION
object_start(void *arg)
{
	AbstJsonArena *arena = arg;
	AbstJson   *node = add_node(arena, ABST_JSON_OBJECT);

	arena->stack[arena->depth++] = node;
	ABST_JSON_ACTION_RETURN;
}

static ABST_JSON_ACTION
array_start(void *arg)
{
	AbstJsonArena *arena = arg;
	AbstJson   *node = add_node(arena, ABST_JSON_ARRAY);

	arena->stack[arena->depth++] = node;
	ABST_JSON_ACTION_RETURN;
}

static ABST_JSON_ACTION
container_end(void *arg)
{
	((AbstJsonArena *) arg)->depth--;
	ABST_JSON_ACTION_RETURN;
}

static ABST_JSON_ACTION
field_start(void *arg, char *name, bool isnull)
{
	AbstJsonArena *arena = arg;

	arena->name = keep_text(arena, name, NULL);
	ABST_JSON_ACTION_RETURN;
}

static ABST_JSON_ACTION
scalar(void *arg, char *token, JsonTokenType type)
{
	AbstJsonArena *arena = arg;
	AbstJson   *node = add_node(arena,
								type == JSON_TOKEN_STRING ? ABST_JSON_STRING :
								type == JSON_TOKEN_NULL ? ABST_JSON_NULL :
								ABST_JSON_OTHER);

	node->text = keep_text(arena, token, &node->len);
	ABST_JSON_ACTION_RETURN;
}

AbstJson   *
abst_json_parse(AbstJsonArena *arena, const char *text, int len,
				int64 *repairs, AbstRecord *record)
{
	JsonSemAction actions;
	JsonLexContext *lexer;
	JsonParseErrorType error;

	arena_reset(arena);
	if (!clean_json(&arena->clean, text, text +len, repairs))
	{
		abst_record_reject(record, "JSON nested deeper than %d levels",
						   ABST_JSON_DEPTH);
		return NULL;
	}

	memset(&actions, 0, sizeof(actions));
	actions.semstate = arena;
	actions.object_start = object_start;
	actions.object_end = container_end;
	actions.array_start = array_start;
	actions.array_end = container_end;
	actions.object_field_start = field_start;
	actions.scalar = scalar;
	lexer = ABST_JSON_LEXER(arena->clean.data, arena->clean.len);
	error = pg_parse_json(lexer, &actions);
	if (error != JSON_SUCCESS)
	{
		const char *at = lexer->token_start ? lexer->token_start : lexer->input;
		int			rest = (int) (lexer->input + lexer->input_length - at);
		int			n = Min(20, Max(rest, 0));

		/* do not cut a character */
		while (n > 0 && n < rest && ((unsigned char) at[n] & 0xC0) == 0x80)
			n--;
		abst_record_reject(record, "not valid JSON at \"%.*s\"", n, at);
	}
	ABST_JSON_LEXER_FREE(lexer);
	return error == JSON_SUCCESS ? arena->root : NULL;
}

/*
 * A number jsonb may refuse: its exponent is beyond what numeric holds, or
 * it has very many digits.
 */
static bool
is_wild_number(const AbstJson *value)
{
	const char *e = strpbrk(value->text, "eE");

	if (value->text[0] != '-' && !isdigit((unsigned char) value->text[0]))
		return false;
	return value->len > 1000 ||
		(e != NULL && value->len - (e - value->text) >4);
}

void
abst_json_write(StringInfo out, const AbstJson *value)
{
	const AbstJson *child;
	bool		object = value->kind == ABST_JSON_OBJECT;

	switch (value->kind)
	{
		case ABST_JSON_NULL:
			appendStringInfoString(out, "null");
			break;
		case ABST_JSON_STRING:
			abst_append_json(out, value->text, value->len);
			break;
		case ABST_JSON_OTHER:
			if (is_wild_number(value))
				abst_append_json(out, value->text, value->len);
			else
				appendBinaryStringInfo(out, value->text, value->len);
			break;
		case ABST_JSON_OBJECT:
		case ABST_JSON_ARRAY:
			appendStringInfoChar(out, object ? '{' : '[');
			for (child = value->first; child != NULL; child = child->next)
			{
				if (child != value->first)
					appendStringInfoString(out, ", ");
				if (object)
				{
					abst_append_json(out, child->name,
									 (int) strlen(child->name));
					appendStringInfoString(out, ": ");
				}
				abst_json_write(out, child);
			}
			appendStringInfoChar(out, object ? '}' : ']');
			break;
	}
}
