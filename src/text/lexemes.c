/*-------------------------------------------------------------------------
 *
 * lexemes.c
 *		The tokens of a text and their lexemes, with a cache in front of the
 *		dictionaries.
 *
 * A dictionary that looks at one token at a time gives the same lexemes for
 * the same token, always.  So what a configuration's dictionaries made of a
 * token is remembered for the backend's life, up to CACHE_BYTES; then the
 * cache is emptied and starts anew.  It is also emptied when any parser,
 * dictionary or configuration changes.  As soon as a dictionary asks for the
 * next token (a thesaurus), the core reads the text.
 *
 *-------------------------------------------------------------------------
 */
#include "text/lexemes.h"

#include "common/hashfn.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "tsearch/ts_cache.h"
#include "tsearch/ts_public.h"
#include "tsearch/ts_utils.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#define CACHE_BYTES (8 * 1024 * 1024)
#define CACHE_SLOTS 65536		/* a power of two; at most half are used */
#define CACHED_TOKEN 64			/* longer tokens are rare: not kept */

/* What the dictionaries made of a token. */
typedef struct Cached
{
	uint32		hash;
	Oid			config;
	int			type;
	int			len;			/* of the token, which follows the lexemes */
	bool		known;			/* some dictionary took it */
	int			width;
	int			nlexemes;
	AbstLexeme	lexemes[FLEXIBLE_ARRAY_MEMBER];
} Cached;

static MemoryContext cache_context = NULL;
static Cached **cache = NULL;
static int	cache_used = 0;
static bool cache_valid = false;
static uint64 cache_epoch = 0;	/* counts what made it invalid */

/* ---- the cache ---- */

static void
cache_forget(Datum arg, int cacheid, uint32 hashvalue)
{
	cache_valid = false;
	cache_epoch++;
}

uint64
abst_lexeme_epoch(void)
{
	return cache_epoch;
}

/* An empty cache, unless what there is may still be used. */
static void
cache_prepare(void)
{
	if (cache_context == NULL)
	{
		cache_context = AllocSetContextCreate(TopMemoryContext,
											  "abstracts lexeme cache",
											  ALLOCSET_DEFAULT_SIZES);
		CacheRegisterSyscacheCallback(TSPARSEROID, cache_forget, (Datum) 0);
		CacheRegisterSyscacheCallback(TSDICTOID, cache_forget, (Datum) 0);
		CacheRegisterSyscacheCallback(TSTEMPLATEOID, cache_forget, (Datum) 0);
		CacheRegisterSyscacheCallback(TSCONFIGOID, cache_forget, (Datum) 0);
		CacheRegisterSyscacheCallback(TSCONFIGMAP, cache_forget, (Datum) 0);
	}
	if (cache_valid && cache_used < CACHE_SLOTS / 2 &&
		MemoryContextMemAllocated(cache_context, false) < CACHE_BYTES)
		return;
	cache_valid = false;
	cache = NULL;
	cache_used = 0;
	MemoryContextReset(cache_context);
	cache = MemoryContextAllocZero(cache_context,
								   sizeof(Cached *) * CACHE_SLOTS);
	cache_valid = true;
}

static inline const char *
cached_token(const Cached *entry)
{
	return (const char *) &entry->lexemes[entry->nlexemes];
}

/* The slot of a token: its entry, or the free slot where it belongs. */
static Cached **
cache_slot(uint32 hash, Oid config, int type, const char *token, int len)
{
	uint32		at = hash & (CACHE_SLOTS - 1);

	for (;; at = (at + 1) & (CACHE_SLOTS - 1))
	{
		Cached	   *entry = cache[at];

		if (entry == NULL ||
			(entry->hash == hash && entry->config == config &&
			 entry->type == type && entry->len == len &&
			 memcmp(cached_token(entry), token, len) == 0))
			return &cache[at];
	}
}

/* ---- dictionaries ---- */

/* Cut a lexeme to its allowed length at a character border. */
static int
clipped_length(const char *lexeme)
{
	int			len = strlen(lexeme);

	return len <= ABST_MAX_LEXEME ? len
		: pg_mbcliplen(lexeme, len, ABST_MAX_LEXEME);
}

/*
 * Ask the dictionaries of a token type.  *known says if one took the token;
 * false is returned when one wants to see the next token first.
 */
static bool
ask_dictionaries(ListDictionary *map, char *token, int len,
				 TSLexeme **result, bool *known)
{
	*known = false;
	*result = NULL;
	for (int i = 0; i < map->len; i++)
	{
		TSDictionaryCacheEntry *dict;
		DictSubState state = {0};
		TSLexeme   *lexemes;

		dict = lookup_ts_dictionary_cache(DatumGetObjectId(map->dictIds[i]));
		lexemes = (TSLexeme *)
			DatumGetPointer(FunctionCall4(&dict->lexize,
										  PointerGetDatum(dict->dictData),
										  PointerGetDatum(token),
										  Int32GetDatum(len),
										  PointerGetDatum(&state)));
		if (state.getnext)
			return false;
		if (lexemes == NULL)
			continue;
		if (lexemes->flags & TSL_FILTER)
		{
			token = lexemes->lexeme;
			len = strlen(token);
			continue;
		}
		*known = true;
		*result = lexemes;
		return true;
	}
	return true;
}

/* Pack a dictionary's answer, in the given context. */
static Cached *
pack_answer(MemoryContext context, const TSLexeme *lexemes, bool known,
			const char *token, int len)
{
	int			n = 0;
	Size		bytes = 0;
	Cached	   *entry;
	char	   *strings;
	int			offset = 0;

	while (lexemes && lexemes[n].lexeme)
		bytes += clipped_length(lexemes[n++].lexeme);
	entry = MemoryContextAlloc(context, offsetof(Cached, lexemes) +
							   n * sizeof(AbstLexeme) + len + bytes);
	entry->known = known;
	entry->len = len;
	entry->nlexemes = n;
	strings = (char *) &entry->lexemes[n];
	memcpy(strings, token, len);
	strings += len;
	for (int i = 0; i < n; i++)
	{
		AbstLexeme *lexeme = &entry->lexemes[i];

		if (lexemes[i].flags & TSL_ADDPOS)
			offset++;
		lexeme->len = clipped_length(lexemes[i].lexeme);
		lexeme->offset = offset;
		lexeme->text = strings;
		memcpy(strings, lexemes[i].lexeme, lexeme->len);
		strings += lexeme->len;
	}
	entry->width = offset + 1;
	return entry;
}

/* ---- reading ---- */

typedef struct Reading
{
	Oid			config;
	TSConfigCacheEntry *entry;
	MemoryContext scratch;		/* of one token; reset often */
	AbstLexemeSink sink;
	void	   *arg;
	bool		fillers;		/* report them, too */
	int			position;		/* taken so far */
} Reading;

/* What the dictionaries say of a token; NULL for a multi-token dictionary. */
static Cached *
lexize(Reading *reading, int type, char *token, int len)
{
	ListDictionary *map = &reading->entry->map[type];
	bool		keep = (len <= CACHED_TOKEN);
	uint32		hash = 0;
	Cached	  **slot = NULL;
	Cached	   *entry;
	TSLexeme   *lexemes;
	bool		known;
	MemoryContext old;

	if (keep)
	{
		cache_prepare();
		hash = hash_bytes((unsigned char *) token, len) ^
			hash_bytes_uint32(reading->config + type);
		slot = cache_slot(hash, reading->config, type, token, len);
		if (*slot)
			return *slot;
	}
	old = MemoryContextSwitchTo(reading->scratch);
	if (!ask_dictionaries(map, token, len, &lexemes, &known))
	{
		MemoryContextSwitchTo(old);
		return NULL;
	}
	MemoryContextSwitchTo(old);
	if (!keep)
		return pack_answer(reading->scratch, lexemes, known, token, len);

	/* Loading a dictionary may have emptied the cache: look again. */
	cache_prepare();
	slot = cache_slot(hash, reading->config, type, token, len);
	entry = pack_answer(cache_context, lexemes, known, token, len);
	entry->hash = hash;
	entry->config = reading->config;
	entry->type = type;
	*slot = entry;
	cache_used++;
	return entry;
}

/* Hand a token to the sink; fillers are left out unless they are wanted. */
static void
report(Reading *reading, AbstLexemeToken *token)
{
	AbstLexeme *lexemes;
	int			n = 0;
	int			fillers = 0;

	if (!reading->fillers)
		for (int i = 0; i < token->nlexemes; i++)
			fillers += abst_is_filler(token->lexemes[i].text,
									  token->lexemes[i].len);
	if (fillers == 0)
	{
		reading->sink(reading->arg, token);
		return;
	}
	lexemes = palloc(sizeof(AbstLexeme) * token->nlexemes);
	for (int i = 0; i < token->nlexemes; i++)
		if (!abst_is_filler(token->lexemes[i].text, token->lexemes[i].len))
			lexemes[n++] = token->lexemes[i];
	token->lexemes = lexemes;
	token->nlexemes = n;
	reading->sink(reading->arg, token);
	pfree(lexemes);
}

/* Report one token; false for a multi-token dictionary. */
static bool
read_token(Reading *reading, int type, char *token, int len)
{
	Cached	   *entry = lexize(reading, type, token, len);
	AbstLexemeToken out;

	if (entry == NULL)
		return false;
	if (entry->known)
	{
		out.type = type;
		out.text = token;
		out.len = len;
		out.position = reading->position + 1;
		out.width = entry->width;
		out.nlexemes = entry->nlexemes;
		out.lexemes = entry->lexemes;
		reading->position += entry->width;
		report(reading, &out);
	}
	return true;
}

/* ---- multi-token dictionaries ---- */

static int
word_cmp(const void *a, const void *b)
{
	return ((const ParsedWord *) a)->pos.pos - ((const ParsedWord *) b)->pos.pos;
}

/* Report lexemes of one position as a token. */
static void
report_position(Reading *reading, const ParsedWord *words, int n)
{
	AbstLexemeToken out = {0};
	AbstLexeme *lexemes = palloc(sizeof(AbstLexeme) * n);

	for (int i = 0; i < n; i++)
	{
		lexemes[i].text = words[i].word;
		lexemes[i].len = words[i].len <= ABST_MAX_LEXEME ? words[i].len :
			pg_mbcliplen(words[i].word, words[i].len, ABST_MAX_LEXEME);
		lexemes[i].offset = 0;
	}
	out.position = words[0].pos.pos;
	out.width = 1;
	out.nlexemes = n;
	out.lexemes = lexemes;
	reading->position = out.position;
	report(reading, &out);
	pfree(lexemes);
}

/*
 * Let the core read the text, and go on after the position reached.  Up to
 * the token that a multi-token dictionary first asked about, the core comes
 * to the same lexemes and positions.
 */
static void
go_on_by_core(Reading *reading, const char *text, int len)
{
	ParsedText	parsed = {0};
	int			next;

	parsed.lenwords = Max(len / 6, 2);
	parsed.words = palloc_extended(sizeof(ParsedWord) * parsed.lenwords,
								   MCXT_ALLOC_HUGE);
	parsetext(reading->config, &parsed, unconstify(char *, text), len);
	qsort(parsed.words, parsed.curwords, sizeof(ParsedWord), word_cmp);
	for (int i = 0; i < parsed.curwords; i = next)
	{
		for (next = i; next < parsed.curwords &&
			 parsed.words[next].pos.pos == parsed.words[i].pos.pos;)
			next++;
		if (parsed.words[i].pos.pos > reading->position)
			report_position(reading, &parsed.words[i], next - i);
	}
}

/* ---- the whole text ---- */

/* Read token by token; false when the core has to go on. */
static bool
read_tokens(Reading *reading, const char *text, int len)
{
	TSParserCacheEntry *parser = lookup_ts_parser_cache(reading->entry->prsId);
	void	   *data;
	int			type;
	bool		good = true;

	data = DatumGetPointer(FunctionCall2(&parser->prsstart,
										 PointerGetDatum(text),
										 Int32GetDatum(len)));
	do
	{
		char	   *token = NULL;
		int			tokenlen = 0;

		CHECK_FOR_INTERRUPTS();
		type = DatumGetInt32(FunctionCall3(&parser->prstoken,
										   PointerGetDatum(data),
										   PointerGetDatum(&token),
										   PointerGetDatum(&tokenlen)));
		if (type > 0 && type < reading->entry->lenmap &&
			reading->entry->map[type].len > 0)
			good = read_token(reading, type, token, tokenlen);
		MemoryContextReset(reading->scratch);
	} while (type > 0 && good);
	FunctionCall1(&parser->prsend, PointerGetDatum(data));
	return good;
}

static void
read_text(Oid config, const char *text, int len, bool fillers,
		  AbstLexemeSink sink, void *arg)
{
	Reading		reading = {0};

	reading.config = config;
	reading.entry = lookup_ts_config_cache(config);
	reading.scratch = AllocSetContextCreate(CurrentMemoryContext,
											"abstracts token",
											ALLOCSET_SMALL_SIZES);
	reading.sink = sink;
	reading.arg = arg;
	reading.fillers = fillers;
	cache_prepare();
	if (!read_tokens(&reading, text, len))
		go_on_by_core(&reading, text, len);
	MemoryContextDelete(reading.scratch);
}

void
abst_lexemes_of_text(Oid config, const char *text, int len,
					 AbstLexemeSink sink, void *arg)
{
	read_text(config, text, len, false, sink, arg);
}

void
abst_lexemes_for_vector(Oid config, const char *text, int len,
						AbstLexemeSink sink, void *arg)
{
	read_text(config, text, len, true, sink, arg);
}
