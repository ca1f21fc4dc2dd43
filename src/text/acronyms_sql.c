/*-------------------------------------------------------------------------
 *
 * acronyms_sql.c
 *		The aggregate abstracts_acronyms: the acronyms of many texts.
 *
 * Pairs that differ in case, accents or plural only are one.  Of several
 * spellings the result shows one that does not depend on the order of rows:
 * of long forms that in lower case, of short forms that in capitals.
 *
 *-------------------------------------------------------------------------
 */
#include "text/annotate_sql.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "text/charclass.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/jsonb.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

PG_FUNCTION_INFO_V1(abst_acronyms_add_sql);
PG_FUNCTION_INFO_V1(abst_acronyms_done_sql);

/* A pair of forms; the key is a hash of both, folded. */
typedef struct Pair
{
	uint64		hash;
	char	   *brief;			/* UTF-8, singular */
	char	   *full;
	int64		texts;			/* that explain it */
	int64		last;			/* number of the last of them */
} Pair;

typedef struct Collection
{
	MemoryContext context;		/* strings, and what is read of a text */
	MemoryContext scratch;
	HTAB	   *pairs;
	int64		texts;
} Collection;

static Collection *
begin_collection(MemoryContext parent)
{
	MemoryContext old = MemoryContextSwitchTo(parent);
	Collection *collection = palloc0(sizeof(Collection));
	HASHCTL		control = {0};

	collection->context = parent;
	collection->scratch = AllocSetContextCreate(parent,
												"abstracts acronyms text",
												ALLOCSET_DEFAULT_SIZES);
	control.keysize = sizeof(uint64);
	control.entrysize = sizeof(Pair);
	control.hcxt = parent;
	collection->pairs = hash_create("abstracts acronyms", 256, &control,
									HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	MemoryContextSwitchTo(old);
	return collection;
}

/* Length of a long form without the s of a plural. */
static int
singular_length(const char *s, int len)
{
	if (len > 4 && s[len - 1] == 's' && s[len - 2] != 's' &&
		s[len - 2] != 'u' && s[len - 2] != 'i')
		return len - 1;
	return len;
}

static uint64
hash_form(const char *s, int len, uint64 seed)
{
	int			n;
	char	   *folded = abst_fold(s, len, &n);
	int			kept = 0;

	/* few-shot and few shot are the same */
	for (int i = 0; i < n; i++)
		if (folded[i] != '-' && folded[i] != ' ')
			folded[kept++] = folded[i];
	return hash_bytes_extended((unsigned char *) folded, kept, seed);
}

static void
add_pair(Collection *collection, const AbstText *text,
		 const AbstAcronym *acronym)
{
	const char *s = text->plain->text;
	int			brief_len = abst_acronym_singular(s + acronym->brief.start,
												  acronym->brief.len);
	bool		plural = brief_len < acronym->brief.len;
	int			full_len = acronym->full.len;
	char	   *brief = pnstrdup(s + acronym->brief.start, brief_len);
	char	   *full;
	int			single = singular_length(s + acronym->full.start, full_len);
	uint64		hash;
	Pair	   *pair;
	bool		found;

	hash = hash_form(brief, brief_len, 0);
	hash = hash_form(s + acronym->full.start, single, hash);
	full = pnstrdup(s + acronym->full.start, plural ? single : full_len);
	pair = hash_search(collection->pairs, &hash, HASH_ENTER, &found);
	if (!found)
	{
		pair->brief = pair->full = NULL;
		pair->texts = pair->last = 0;
	}
	if (pair->last != collection->texts)
		pair->texts++;
	pair->last = collection->texts;
	if (pair->brief == NULL || strcmp(brief, pair->brief) < 0)
		pair->brief = MemoryContextStrdup(collection->context, brief);
	if (pair->full == NULL || strcmp(full, pair->full) > 0)
		pair->full = MemoryContextStrdup(collection->context, full);
}

/* Transition function: NULL texts count for nothing. */
Datum
abst_acronyms_add_sql(PG_FUNCTION_ARGS)
{
	MemoryContext context;
	MemoryContext old;
	Collection *collection;
	AbstText   *text;
	AbstAcronym *acronyms;
	int			n;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "transition function called outside of an aggregate");
	collection = PG_ARGISNULL(0) ? begin_collection(context) :
		(Collection *) PG_GETARG_POINTER(0);
	if (PG_ARGISNULL(1))
		PG_RETURN_POINTER(collection);
	old = MemoryContextSwitchTo(collection->scratch);
	collection->texts++;
	text = abst_text_of_datum(PG_GETARG_DATUM(1));

	acronyms = abst_acronyms_find(text, &n);
	for (int i = 0; i < n; i++)
		add_pair(collection, text, &acronyms[i]);
	MemoryContextSwitchTo(old);
	MemoryContextReset(collection->scratch);
	PG_RETURN_POINTER(collection);
}

/* By texts, most first; then by the forms. */
static int
cmp_pairs(const void *left, const void *right)
{
	const Pair *a = *(const Pair *const *) left;
	const Pair *b = *(const Pair *const *) right;
	int			cmp;

	if (a->texts != b->texts)
		return a->texts > b->texts ? -1 : 1;
	cmp = strcmp(a->brief, b->brief);
	return cmp != 0 ? cmp : strcmp(a->full, b->full);
}

static void
push_string(JsonbParseState * *state, const char *utf8, JsonbIteratorToken as)
{
	JsonbValue	value;
	int			len;

	value.type = jbvString;
	value.val.string.val = abst_from_utf8(utf8, strlen(utf8), &len);
	value.val.string.len = len;
	pushJsonbValue(state, as, &value);
}

/* Final function: an array of objects. */
Datum
abst_acronyms_done_sql(PG_FUNCTION_ARGS)
{
	Collection *collection;
	JsonbParseState *state = NULL;
	JsonbValue *result;
	HASH_SEQ_STATUS walk;
	Pair	  **pairs;
	Pair	   *pair;
	int64		n = 0;

	/* no rows: no acronyms, rather than NULL, which no query survives */
	collection = PG_ARGISNULL(0) ? begin_collection(CurrentMemoryContext) :
		(Collection *) PG_GETARG_POINTER(0);
	pairs = palloc_extended(sizeof(Pair *) *
							(hash_get_num_entries(collection->pairs) + 1),
							MCXT_ALLOC_HUGE);
	hash_seq_init(&walk, collection->pairs);
	while ((pair = hash_seq_search(&walk)) != NULL)
		pairs[n++] = pair;
	qsort(pairs, n, sizeof(Pair *), cmp_pairs);

	pushJsonbValue(&state, WJB_BEGIN_ARRAY, NULL);
	for (int64 i = 0; i < n; i++)
	{
		JsonbValue	texts;

		CHECK_FOR_INTERRUPTS();
		pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
		push_string(&state, "short", WJB_KEY);
		push_string(&state, pairs[i]->brief, WJB_VALUE);
		push_string(&state, "long", WJB_KEY);
		push_string(&state, pairs[i]->full, WJB_VALUE);
		push_string(&state, "texts", WJB_KEY);
		texts.type = jbvNumeric;
		texts.val.numeric = int64_to_numeric(pairs[i]->texts);
		pushJsonbValue(&state, WJB_VALUE, &texts);
		pushJsonbValue(&state, WJB_END_OBJECT, NULL);
	}
	result = pushJsonbValue(&state, WJB_END_ARRAY, NULL);
	PG_RETURN_JSONB_P(JsonbValueToJsonb(result));
}
