/*-------------------------------------------------------------------------
 *
 * expand.c
 *		abstract_expand: a query that asks for the other form of acronyms,
 *		too.
 *
 * The text of the query is rewritten, so that what comes of it can be seen
 * and goes through the grammar like any other query.  A short form becomes
 * (SHORT OR "long form"), the words of a long form (long form SHORT), which
 * asks for any of them as before; a quoted one ("long form" OR SHORT).  What
 * is required or excluded stays so, as the group stands where the word
 * stood.  Words count as in abstracts_acronyms: case, accents, hyphens and
 * the plural do not matter.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "common/hashfn.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "query/grammar.h"
#include "text/annotate.h"
#include "text/charclass.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/jsonb.h"

PG_FUNCTION_INFO_V1(abst_expand_sql);

/* Most words of a long form, other forms of one. */
#define MAX_WORDS		8
#define MAX_FORMS		8

/* A form and the forms that mean the same. */
typedef struct Entry
{
	uint64		hash;			/* key: of the form */
	bool		brief;			/* it is a short form */
	int			n;
	const char *other[MAX_FORMS];	/* database encoding */
} Entry;

typedef struct Expansion
{
	HTAB	   *entries;
	const char *source;
	int			done;			/* so much of the source is copied */
	StringInfoData out;
} Expansion;

/* Hash of a form: folded, without plural s, hyphens and blanks. */
static uint64
form_hash(const char *form, int len)
{
	int			utf8len;
	char	   *utf8 = abst_to_utf8(form, len, &utf8len);
	int			n;
	char	   *folded = abst_fold(utf8, utf8len, &n);
	int			kept = 0;

	for (int i = 0; i < n; i++)
		if (folded[i] != '-' && folded[i] != ' ' && folded[i] != '\n' &&
			folded[i] != '\t')
			folded[kept++] = folded[i];
	if (kept > 2 && folded[kept - 1] == 's' && folded[kept - 2] != 's' &&
		folded[kept - 2] != 'u' && folded[kept - 2] != 'i')
		kept--;
	return hash_bytes_extended((unsigned char *) folded, kept, 0);
}

static void
add_form(Expansion *e, const char *form, const char *other, bool brief)
{
	uint64		hash = form_hash(form, strlen(form));
	bool		found;
	Entry	   *entry = hash_search(e->entries, &hash, HASH_ENTER, &found);

	if (!found)
	{
		entry->brief = brief;
		entry->n = 0;
	}
	for (int i = 0; i < entry->n; i++)
		if (strcmp(entry->other[i], other) == 0)
			return;
	if (entry->n < MAX_FORMS)
		entry->other[entry->n++] = other;
}

/* A form as it can stand in a query: no quotes in it. */
static char *
clean_form(const JsonbValue *value)
{
	char	   *s = pnstrdup(value->val.string.val, value->val.string.len);

	for (char *c = s; *c; c += pg_mblen(c))
		if (*c == '"' || *c == '(' || *c == ')')
			*c = ' ';
	return s;
}

static void
add_pair(Expansion *e, const JsonbValue *brief, const JsonbValue *full)
{
	char	   *s;
	char	   *l;

	if (brief->type != jbvString || full->type != jbvString ||
		brief->val.string.len == 0 || full->val.string.len == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("acronyms must be strings that are not empty")));
	s = clean_form(brief);
	l = clean_form(full);
	add_form(e, s, l, true);
	add_form(e, l, s, false);
}

static void
no_table(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("acronyms must be a JSON array of objects with \"short\" and \"long\", or an object of short forms"),
			 errhint("Make such an array of a column of texts with abstracts_acronyms(text).")));
}

/* One object of the array that abstracts_acronyms returns. */
static void
read_object(Expansion *e, const JsonbValue *object)
{
	JsonbValue	brief;
	JsonbValue	full;

	if (object->type != jbvBinary ||
		!JsonContainerIsObject(object->val.binary.data) ||
		!getKeyJsonValueFromContainer(object->val.binary.data, "short", 5,
									  &brief) ||
		!getKeyJsonValueFromContainer(object->val.binary.data, "long", 4,
									  &full))
		no_table();
	add_pair(e, &brief, &full);
}

/* "SHORT": "long form", or "SHORT": ["long form", ...] */
static void
read_member(Expansion *e, const JsonbValue *key, const JsonbValue *value)
{
	JsonbIterator *iterator;
	JsonbIteratorToken token;
	JsonbValue	full;

	if (value->type != jbvBinary)
	{
		add_pair(e, key, value);
		return;
	}
	if (!JsonContainerIsArray(value->val.binary.data))
		no_table();
	iterator = JsonbIteratorInit(value->val.binary.data);
	while ((token = JsonbIteratorNext(&iterator, &full, true)) != WJB_DONE)
		if (token == WJB_ELEM)
			add_pair(e, key, &full);
}

static void
read_table(Expansion *e, Jsonb *table)
{
	JsonbIterator *iterator = JsonbIteratorInit(&table->root);
	JsonbIteratorToken token;
	JsonbValue	value;
	JsonbValue	key;

	if (JB_ROOT_IS_SCALAR(table))
		no_table();
	while ((token = JsonbIteratorNext(&iterator, &value, true)) != WJB_DONE)
	{
		CHECK_FOR_INTERRUPTS();
		if (token == WJB_ELEM)
			read_object(e, &value);
		else if (token == WJB_KEY)
			key = value;
		else if (token == WJB_VALUE)
			read_member(e, &key, &value);
	}
}

static void
copy_source(Expansion *e, int to)
{
	if (to > e->done)
		appendBinaryStringInfo(&e->out, e->source + e->done, to - e->done);
	e->done = Max(e->done, to);
}

/* Other forms of an entry, each behind "joint". */
static void
put_others(Expansion *e, const Entry *entry, const char *joint)
{
	for (int i = 0; i < entry->n; i++)
	{
		bool		phrase = strpbrk(entry->other[i], " -") != NULL;

		appendStringInfo(&e->out, phrase ? "%s\"%s\"" : "%s%s", joint,
						 entry->other[i]);
	}
}

static const Entry *
find_form(Expansion *e, const char *form, int len)
{
	uint64		hash = form_hash(form, len);

	return hash_search(e->entries, &hash, HASH_FIND, NULL);
}

/* A run of words of the source. */
static void
expand_words(Expansion *e, int start, int end)
{
	int			at = start;

	while (at < end)
	{
		int			ends[MAX_WORDS];
		int			n = 0;
		int			next = at;
		const Entry *entry = NULL;

		CHECK_FOR_INTERRUPTS();
		while (at < end && isspace((unsigned char) e->source[at]))
			at++;
		next = at;
		while (n < MAX_WORDS && next < end)
		{
			while (next < end && !isspace((unsigned char) e->source[next]))
				next += pg_mblen(e->source + next);
			ends[n++] = Min(next, end);
			while (next < end && isspace((unsigned char) e->source[next]))
				next++;
		}
		if (n == 0)
			return;
		for (; n > 0; n--)
		{
			entry = find_form(e, e->source + at, ends[n - 1] - at);
			if (entry != NULL && (n == 1 || !entry->brief))
				break;
			entry = NULL;
		}
		if (entry == NULL)
		{
			at = ends[0];
			continue;
		}
		copy_source(e, at);
		appendStringInfoChar(&e->out, '(');
		copy_source(e, ends[n - 1]);
		put_others(e, entry, n > 1 ? " " : " OR ");
		appendStringInfoChar(&e->out, ')');
		at = ends[n - 1];
	}
}

/* A phrase: the slice between two quotes. */
static void
expand_phrase(Expansion *e, int start, int end)
{
	const Entry *entry = find_form(e, e->source + start, end - start);
	int			quote = e->done;

	if (entry == NULL)
		return;
	/* the character before the slice is its quote */
	while (quote + pg_mblen(e->source + quote) < start)
		quote += pg_mblen(e->source + quote);
	copy_source(e, quote);
	appendStringInfoChar(&e->out, '(');
	copy_source(e, end + pg_mblen(e->source + end));
	put_others(e, entry, " OR ");
	appendStringInfoChar(&e->out, ')');
}

static void
expand_syntax(Expansion *e, const AbstSyntax *syntax)
{
	int			start = syntax->text ? syntax->text -e->source : 0;

	check_stack_depth();
	if (syntax->kind == ABST_SYNTAX_WORDS)
		expand_words(e, start, start + syntax->len);
	else if (syntax->kind == ABST_SYNTAX_PHRASE)
		expand_phrase(e, start, start + syntax->len);
	for (const AbstSyntax *child = syntax->first; child; child = child->next)
		expand_syntax(e, child);
}

/* abstract_expand(query, acronyms) */
Datum
abst_expand_sql(PG_FUNCTION_ARGS)
{
	char	   *source = text_to_cstring(PG_GETARG_TEXT_PP(0));
	Jsonb	   *table = PG_GETARG_JSONB_P(1);
	Expansion	e = {0};
	HASHCTL		control = {0};
	int			len = strlen(source);

	control.keysize = sizeof(uint64);
	control.entrysize = sizeof(Entry);
	control.hcxt = CurrentMemoryContext;
	e.entries = hash_create("abstracts forms", 256, &control,
							HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	e.source = source;
	initStringInfo(&e.out);
	read_table(&e, table);
	expand_syntax(&e, abst_grammar_read(source, len));
	copy_source(&e, len);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(e.out.data, e.out.len));
}
