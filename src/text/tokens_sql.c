/*-------------------------------------------------------------------------
 *
 * tokens_sql.c
 *		The SQL function abstract_tokens: what the reader makes of a text.
 *
 * With our parser, tokens point into the raw text, markup and all; with
 * another one, wherever its tokens are slices of the text.  Blanks are left
 * out.  A token that no dictionary knows has no lexemes and no position, a
 * stop word an empty array.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "text/charclass.h"
#include "text/doc.h"
#include "text/lexemes.h"
#include "text/places.h"
#include "text/reader.h"
#include "text/tsparser.h"
#include "tsearch/ts_cache.h"
#include "tsearch/ts_public.h"
#include "utils/array.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(abst_tokens_sql);

#define NCOLUMNS	6

typedef struct TokenList
{
	ReturnSetInfo *result;
	/* our parser: the same walk once more, with the way to the raw text */
	AbstPlain  *plain;
	AbstTokenizer *tokenizer;
	/* another parser: its token types, and the text it slices */
	LexDescr   *types;
	const char *text;
	int			len;
	/* characters before a place, counted on from token to token */
	int			counted_bytes;
	int			counted_chars;
} TokenList;

/* Characters in the raw text before byte "at"; calls go forward, mostly. */
static int
chars_before(TokenList *list, int at)
{
	const char *s = list->plain ? list->plain->raw : list->text;

	if (at < list->counted_bytes)
		list->counted_bytes = list->counted_chars = 0;
	while (list->counted_bytes < at)
	{
		uint32		cp;

		list->counted_bytes += list->plain ?
			abst_utf8_decode(s + list->counted_bytes,
							 list->plain->rawlen - list->counted_bytes, &cp) :
			pg_mblen(s + list->counted_bytes);
		list->counted_chars++;
	}
	return list->counted_chars;
}

/* Add a row; the token's place is in bytes of the raw text, -1: unknown. */
static void
add_row(TokenList *list, const char *kind, const char *token, int len,
		int start, int end, const AbstLexemeToken *lexed)
{
	Datum		values[NCOLUMNS];
	bool		nulls[NCOLUMNS] = {false};

	values[0] = CStringGetTextDatum(kind);
	values[1] = PointerGetDatum(cstring_to_text_with_len(token, len));
	if (start >= 0)
	{
		int			first = chars_before(list, start);

		values[2] = Int32GetDatum(first + 1);
		values[3] = Int32GetDatum(chars_before(list, Max(end, start)) - first);
	}
	else
		nulls[2] = nulls[3] = true;
	if (lexed)
	{
		Datum	   *lexemes = palloc(Max(lexed->nlexemes, 1) * sizeof(Datum));

		for (int i = 0; i < lexed->nlexemes; i++)
			lexemes[i] = PointerGetDatum(cstring_to_text_with_len(lexed->lexemes[i].text,
																  lexed->lexemes[i].len));
		values[4] = PointerGetDatum(construct_array(lexemes, lexed->nlexemes,
													TEXTOID, -1, false,
													TYPALIGN_INT));
		values[5] = Int32GetDatum(lexed->position);
	}
	else
		nulls[4] = nulls[5] = true;
	tuplestore_putvalues(list->result->setResult, list->result->setDesc,
						 values, nulls);
}

static void
add_own_token(TokenList *list, const AbstToken *token,
			  const AbstLexemeToken *lexed)
{
	int			len;
	char	   *text = abst_from_utf8(list->plain->text +token->start,
									  token->len, &len);

	add_row(list, abst_token_type_name(token->type), text, len,
			list->plain->rawpos[token->start],
			abst_raw_end(list->plain, token->start + token->len,
						 token->type == ABST_TOK_MATH), lexed);
}

/* Walk on to a token the dictionaries know; those before it they do not. */
static void
own_sink(void *arg, const AbstLexemeToken *lexed)
{
	TokenList  *list = arg;
	AbstToken	token;

	if (lexed->type == 0)
	{
		/* a multi-token dictionary does not say which tokens it took */
		add_row(list, "phrase", "", 0, -1, -1, lexed);
		return;
	}
	while (abst_tokenizer_next(list->tokenizer, &token))
	{
		int			len;
		char	   *text;

		if (token.type == ABST_TOK_BLANK)
			continue;
		if (token.type == lexed->type)
		{
			text = abst_token_text(list->plain, &token, &len);

			if (len == lexed->len && memcmp(text, lexed->text, len) == 0)
			{
				add_own_token(list, &token, lexed);
				return;
			}
		}
		add_own_token(list, &token, NULL);
	}
}

static void
foreign_sink(void *arg, const AbstLexemeToken *lexed)
{
	TokenList  *list = arg;
	const char *kind = "phrase";
	int			start = -1;

	for (LexDescr *type = list->types; type->lexid != 0; type++)
		if (type->lexid == lexed->type)
			kind = type->alias;
	if (lexed->text >=list->text &&lexed->text <list->text +list->len)
		start = lexed->text -list->text;
	add_row(list, kind, lexed->text ? lexed->text : "", lexed->len,
			start, start + lexed->len, lexed);
}

Datum
abst_tokens_sql(PG_FUNCTION_ARGS)
{
	text	   *raw = PG_GETARG_TEXT_PP(0);
	Oid			config = PG_NARGS() > 1 ? PG_GETARG_OID(1) : abst_default_config();
	TSParserCacheEntry *parser;
	TokenList	list = {0};

	InitMaterializedSRF(fcinfo, 0);
	list.result = (ReturnSetInfo *) fcinfo->resultinfo;
	list.text = VARDATA_ANY(raw);
	list.len = VARSIZE_ANY_EXHDR(raw);
	parser = lookup_ts_parser_cache(lookup_ts_config_cache(config)->prsId);
	if (parser->prsstart.fn_addr == abst_parser_start)
	{
		int			len;
		char	   *utf8 = abst_to_utf8(list.text, list.len, &len);
		AbstToken	token;

		list.plain = abst_plain_make(utf8, len, true);
		list.tokenizer = abst_tokenizer_begin_plain(list.plain);
		abst_lexemes_of_text(config, list.text, list.len, own_sink, &list);
		while (abst_tokenizer_next(list.tokenizer, &token))
			if (token.type != ABST_TOK_BLANK)
				add_own_token(&list, &token, NULL);
	}
	else
	{
		if (!OidIsValid(parser->lextypeOid))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("text search parser does not name its token types")));
		list.types = (LexDescr *)
			DatumGetPointer(OidFunctionCall1(parser->lextypeOid, (Datum) 0));
		abst_lexemes_of_text(config, list.text, list.len, foreign_sink, &list);
	}
	return (Datum) 0;
}
