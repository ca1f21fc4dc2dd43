/*-------------------------------------------------------------------------
 *
 * json.h
 *		A JSON value as a tree, for readers of JSON.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_LOAD_JSON_H
#define ABST_LOAD_JSON_H

#include "load/record.h"

/* Deeper nesting is rejected: both parsers at work here are recursive. */
#define ABST_JSON_DEPTH 256

typedef enum AbstJsonKind
{
	ABST_JSON_OBJECT,
	ABST_JSON_ARRAY,
	ABST_JSON_STRING,
	ABST_JSON_OTHER,			/* number, true, false: text as written */
	ABST_JSON_NULL
} AbstJsonKind;

typedef struct AbstJson
{
	AbstJsonKind kind;
	const char *name;			/* of an object's member, else NULL */
	const char *text;			/* of a scalar, unescaped */
	int			len;
	struct AbstJson *first;		/* of members or elements */
	struct AbstJson *last;
	struct AbstJson *next;
} AbstJson;

/* Memory of one tree at a time. */
typedef struct AbstJsonArena AbstJsonArena;

extern AbstJsonArena *abst_json_arena_make(void);
extern void abst_json_arena_free(AbstJsonArena *arena);

/*
 * Parse one value; what JSON does not allow but writers produce (NaN, control
 * characters, lone surrogates, \u0000) is repaired and counted.  NULL with
 * the reason on "record" if it is no JSON.  The tree lives until the next
 * call.
 */
extern AbstJson *abst_json_parse(AbstJsonArena *arena, const char *text,
								 int len, int64 *repairs, AbstRecord *record);

/* Append the value as JSON text that jsonb accepts. */
extern void abst_json_write(StringInfo out, const AbstJson *value);

/* Put a record's members where they belong (json_fields.c). */
extern void abst_json_fill(AbstRecord *record, const AbstJson *object,
						   const AbstReadOptions *options);

#endif							/* ABST_LOAD_JSON_H */
