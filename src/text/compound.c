/*-------------------------------------------------------------------------
 *
 * compound.c
 *		The dictionary template abstracts_compound: words joined by hyphens,
 *		slashes or plus signs.
 *
 * few-shot gives the glue "fewshot" and the first part at one position, each
 * further part at the next.  A segment between slashes that has hyphens gives
 * a glue of its own.  A part that is a stop word gives a filler instead, for
 * the dictionary interface can move a position only along with a lexeme;
 * fillers are in vectors to keep the distances, and nothing else counts them.
 *
 * abstracts_hanging does the same for a word that hangs with its hyphen, at
 * one position.
 *
 * Parts and glue go through the dictionary named by the option Dictionary,
 * as a plain word does; names and acronyms are kept as names are.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "catalog/namespace.h"
#include "commands/defrem.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "text/charclass.h"
#include "text/dictionaries.h"
#include "text/lexemes.h"
#include "text/reader.h"
#include "text/token_rules.h"
#include "tsearch/ts_cache.h"
#include "utils/builtins.h"
#include "utils/regproc.h"

PG_FUNCTION_INFO_V1(abst_compound_init);
PG_FUNCTION_INFO_V1(abst_compound_lexize);
PG_FUNCTION_INFO_V1(abst_hanging_lexize);

#define DEFAULT_DICTIONARY	"pg_catalog.english_stem"
#define MAX_PARTS			32

typedef struct CompoundData
{
	Oid			dictionary;		/* for parts that are plain words */
} CompoundData;

typedef struct Part
{
	int			start;
	int			len;
	char		before;			/* joiner before it: '-', '/', '+' or 0 */
	bool		name;			/* kept as names are */
} Part;

/* The lexemes found so far. */
typedef struct Output
{
	TSLexeme   *lexemes;
	int			n;
	int			size;
	bool		advance;		/* the next lexeme moves the position */
	int			first;			/* first lexeme of the current position */
} Output;

Datum
abst_compound_init(PG_FUNCTION_ARGS)
{
	List	   *options = (List *) PG_GETARG_POINTER(0);
	CompoundData *data = palloc0(sizeof(CompoundData));
	char	   *name = NULL;
	ListCell   *cell;

	foreach(cell, options)
	{
		DefElem    *option = (DefElem *) lfirst(cell);

		if (strcmp(option->defname, "dictionary") != 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("unrecognized abstracts_compound parameter: \"%s\"",
							option->defname),
					 errhint("The only parameter is \"dictionary\".")));
		if (name)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("multiple \"dictionary\" parameters")));
		name = defGetString(option);
	}
	data->dictionary = get_ts_dict_oid(abst_name_list(name ? name : DEFAULT_DICTIONARY),
									   false);
	PG_RETURN_POINTER(data);
}

/* Cut a compound into its parts; joiners as one of '-', '/', '+'. */
static int
split(const char *token, int len, Part *parts)
{
	int			n = 0;
	int			start = 0;
	char		before = 0;
	int			i = 0;

	while (i < len && n < MAX_PARTS - 1)
	{
		uint32		cp;
		int			c = abst_utf8_decode(token + i, len - i, &cp);
		bool		dash = abst_char_class(cp) == ABST_CHAR_DASH;

		/* a sign at the end (Ca2+) or a second one (C++) joins nothing */
		if ((dash || cp == '/' || (cp == '+' && i + 1 < len &&
								   token[i + 1] != '+' &&
								   token[i + 1] != '-' &&
								   token[i + 1] != '/')) &&
			i > start && i + c < len && !(cp == '+' && token[i - 1] == '+'))
		{
			parts[n].start = start;
			parts[n].len = i - start;
			parts[n++].before = before;
			before = dash ? '-' : (char) cp;
			i += c;
			if (dash && i + 1 < len && token[i] == '-')
				i++;
			start = i;
			continue;
		}
		i += c;
	}
	if (start < len)
	{
		parts[n].start = start;
		parts[n].len = len - start;
		parts[n++].before = before;
	}
	return n;
}

/* Is the word all capitals, two at least, and nothing else? */
static bool
all_capitals(const char *word, int len)
{
	for (int i = 0; i < len; i++)
		if (word[i] < 'A' || word[i] > 'Z')
			return false;
	return len > 0;
}

static bool
single_letter(const char *word, int len)
{
	uint32		cp;

	return len > 0 && abst_utf8_decode(word, len, &cp) == len &&
		abst_class_is_letter(abst_char_class(cp));
}

static void
put(Output *out, char *utf8)
{
	if (utf8[0] == '\0')
		return;
	utf8[abst_utf8_clip(utf8, strlen(utf8), ABST_MAX_LEXEME)] = '\0';
	utf8 = abst_lexeme_out(utf8);
	if (out->advance)
		out->first = out->n;
	for (int i = out->first; i < out->n; i++)
		if (strcmp(out->lexemes[i].lexeme, utf8) == 0)
			return;
	if (out->n + 2 > out->size)
	{
		out->size = out->size * 2 + 16;
		out->lexemes = out->lexemes == NULL ?
			palloc(out->size * sizeof(TSLexeme)) :
			repalloc(out->lexemes, out->size * sizeof(TSLexeme));
	}
	memset(&out->lexemes[out->n], 0, 2 * sizeof(TSLexeme));
	out->lexemes[out->n].nvariant = 1;
	out->lexemes[out->n].flags = out->advance ? TSL_ADDPOS : 0;
	out->lexemes[out->n++].lexeme = utf8;
	out->advance = false;
}

/*
 * A folded plain word through the dictionary for parts.  Returns false for a
 * stop word.  A word that the dictionary does not know stays as it is.
 */
static bool
put_word(Output *out, Oid dictionary, char *folded)
{
	TSDictionaryCacheEntry *dict = lookup_ts_dictionary_cache(dictionary);
	DictSubState state = {0};
	char	   *word = abst_lexeme_out(pstrdup(folded));
	TSLexeme   *lexemes;

	lexemes = (TSLexeme *)
		DatumGetPointer(FunctionCall4(&dict->lexize,
									  PointerGetDatum(dict->dictData),
									  PointerGetDatum(word),
									  Int32GetDatum(strlen(word)),
									  PointerGetDatum(&state)));
	if (lexemes == NULL || (lexemes->flags & TSL_FILTER))
	{
		put(out, lexemes ? lexemes->lexeme : folded);
		return true;
	}
	if (lexemes->lexeme == NULL)
		return false;
	for (; lexemes->lexeme; lexemes++)
	{
		int			n;

		put(out, pstrdup(abst_to_utf8(lexemes->lexeme,
									  strlen(lexemes->lexeme), &n)));
	}
	return true;
}

static void
put_name(Output *out, const char *name, int len)
{
	AbstForms	forms = {0};

	abst_name_forms(name, len, &forms);
	for (int i = 0; i < forms.n; i++)
		put(out, forms.form[i]);
}

/* The parts from .. to - 1 in one word: hyphens go, slash and plus stay. */
static char *
glue(const char *token, const Part *parts, int from, int to)
{
	StringInfoData out;

	initStringInfo(&out);
	for (int i = from; i < to; i++)
	{
		const char *s = token + parts[i].start;
		int			n = parts[i].len;

		if (i > from && parts[i].before != '-')
			appendStringInfoChar(&out, parts[i].before);
		if (i == to - 1)
			n = abst_without_possessive(s, n);
		for (int k = 0; k < n; k++)
			if (s[k] != ',')	/* 10,000-word */
				appendStringInfoChar(&out, s[k]);
	}
	return out.data;
}

static void
put_glue(Output *out, Oid dictionary, const char *token, const Part *parts,
		 int from, int to)
{
	char	   *whole = glue(token, parts, from, to);
	bool		name = false;
	char	   *folded;
	const Part *last = &parts[to - 1];

	for (int i = from; i < to; i++)
		name |= parts[i].name;
	folded = abst_fold_word(whole, strlen(whole));
	if (!name)
	{
		if (!put_word(out, dictionary, folded))
			put(out, folded);
		return;
	}
	/* the plural of the last part decides: LLM-GNNs, but not GPT-4s */
	if (last->name && all_capitals(token + last->start, last->len - 1) &&
		last->len > 2 && token[last->start + last->len - 1] == 's')
		folded[strlen(folded) - 1] = '\0';
	put(out, folded);
	folded = abst_spell_greek(folded);
	if (folded)
		put(out, folded);
}

/* One part at the current position; a stop word becomes a filler. */
static void
put_part(Output *out, Oid dictionary, const char *token, const Part *part,
		 bool exact)
{
	const char *s = token + part->start;
	int			n = part->len;
	AbstForms	forms = {0};
	uint32		cp;

	if (part->name)
	{
		const char *comma = memchr(s, ',', n);

		abst_utf8_decode(s, n, &cp);
		if (abst_char_class(cp) == ABST_CHAR_DIGIT && comma != NULL &&
			s + n - comma == 4)
		{
			abst_number_forms(s, n, &forms);
			for (int i = 0; i < forms.n; i++)
				put(out, forms.form[i]);
		}
		else
			put_name(out, s, n);
		return;
	}
	n = abst_without_possessive(s, n);
	if (exact)
		put(out, abst_fold_word(s, n));
	else if (!put_word(out, dictionary, abst_fold_word(s, n)))
	{
		/* the T of T-cell is no stop word */
		if (n == 1 && s[0] >= 'A' && s[0] <= 'Z')
			put(out, abst_fold_word(s, n));
		else if (out->advance)
			put(out, pstrdup(ABST_FILLER));
	}
}

/* Cut a token into parts, and say which of them are names. */
static int
read_parts(const char *token, int len, Part *parts)
{
	int			n = split(token, len, parts);
	bool		capitals = true;

	/* STATE-OF-THE-ART in a heading is made of words, MT-LLM of acronyms */
	for (int i = 0; i < n; i++)
		capitals &= all_capitals(token + parts[i].start, parts[i].len);
	capitals &= n >= 3;
	for (int i = 0; i < n; i++)
		parts[i].name = !capitals &&
			abst_looks_like_name(token + parts[i].start, parts[i].len);
	return n;
}

Datum
abst_compound_lexize(PG_FUNCTION_ARGS)
{
	CompoundData *data = (CompoundData *) PG_GETARG_POINTER(0);
	char	   *token = (char *) PG_GETARG_POINTER(1);
	int			len = PG_GETARG_INT32(2);
	Part		parts[MAX_PARTS];
	Output		out = {0};
	int			n;
	bool		joined = false;
	bool		single;

	token = abst_to_utf8(token, len, &len);
	n = read_parts(token, len, parts);
	for (int i = 0; i < n; i++)
		joined |= parts[i].before == '/' || parts[i].before == '+';

	/* k-means is not the mean, nor is a t-test a test of t */
	single = n == 2 && single_letter(token + parts[0].start, parts[0].len);

	for (int i = 0; i < n; i++)
	{
		int			end = i + 1;

		while (end < n && parts[end].before == '-')
			end++;
		out.advance = i > 0;
		out.first = out.n;
		if (i == 0)
			put_glue(&out, data->dictionary, token, parts, 0, n);
		if (joined && (i == 0 || parts[i].before != '-') && end > i + 1)
			put_glue(&out, data->dictionary, token, parts, i, end);
		put_part(&out, data->dictionary, token, &parts[i], single && i > 0);
	}
	if (out.lexemes == NULL)
		out.lexemes = palloc0(sizeof(TSLexeme));
	PG_RETURN_POINTER(out.lexemes);
}

/*
 * A word that hangs, completed: "pre-training" for the "pre-" of "pre- and
 * post-training".  The glue and what stands there share one position.
 */
Datum
abst_hanging_lexize(PG_FUNCTION_ARGS)
{
	CompoundData *data = (CompoundData *) PG_GETARG_POINTER(0);
	char	   *token = (char *) PG_GETARG_POINTER(1);
	int			len = PG_GETARG_INT32(2);
	Part		parts[MAX_PARTS];
	Output		out = {0};
	int			n;

	token = abst_to_utf8(token, len, &len);
	n = read_parts(token, len, parts);
	if (n > 0)
		put_glue(&out, data->dictionary, token, parts, 0, n);
	if (n > 2)
		put_glue(&out, data->dictionary, token, parts, 0, n - 1);
	if (n > 0)
		put_part(&out, data->dictionary, token, &parts[0], false);
	if (out.lexemes == NULL)
		out.lexemes = palloc0(sizeof(TSLexeme));
	PG_RETURN_POINTER(out.lexemes);
}
