/*-------------------------------------------------------------------------
 *
 * tsparser.c
 *		The text search parser "abstracts".
 *
 * It makes display text of what it is given and hands out the tokens of that
 * text, in the database's encoding; so ts_headline shows display text.
 *
 *-------------------------------------------------------------------------
 */
#include "text/tsparser.h"

#include "fmgr.h"
#include "text/reader.h"
#include "tsearch/ts_public.h"

PG_FUNCTION_INFO_V1(abst_parser_start);
PG_FUNCTION_INFO_V1(abst_parser_token);
PG_FUNCTION_INFO_V1(abst_parser_end);
PG_FUNCTION_INFO_V1(abst_parser_types);

typedef struct ParserState
{
	AbstPlain  *plain;
	AbstTokenizer *tokenizer;
	AbstToken	shown;			/* what stands there for a word that hangs */
} ParserState;

static const struct
{
	AbstTokenType type;
	const char *name;
	const char *description;
}			token_types[] =

{
	{ABST_TOK_WORD, "word", "Word of ordinary letters"},
	{ABST_TOK_NAME, "name", "Name with mixed case, digits or signs"},
	{ABST_TOK_ACRONYM, "acronym", "Word in capitals, plural s included"},
	{ABST_TOK_EMAIL, "email", "Email address"},
	{ABST_TOK_DOI, "doi", "Digital object identifier"},
	{ABST_TOK_ARXIV, "arxiv", "arXiv identifier"},
	{ABST_TOK_NUMBER, "number", "Number, signed, with decimals or exponent"},
	{ABST_TOK_PERCENT, "percent", "Number with a per cent sign"},
	{ABST_TOK_MATH, "math", "Formula"},
	{ABST_TOK_CJK, "cjk", "Run of Chinese, Japanese or Korean characters"},
	{ABST_TOK_BLANK, "blank", "Space and punctuation"},
	{ABST_TOK_GREEK, "greek", "Greek letter standing alone"},
	{ABST_TOK_URL, "url", "URL"},
	{ABST_TOK_HANGING, "hanging", "Word that hangs with a hyphen, completed"},
	{ABST_TOK_COMPOUND, "compound", "Words joined by hyphen, slash or plus"},
	{ABST_TOK_UNIT, "unit", "Unit of measurement after a number"}
};

const char *
abst_token_type_name(AbstTokenType type)
{
	for (int i = 0; i < lengthof(token_types); i++)
		if (token_types[i].type == type)
			return token_types[i].name;
	return "blank";
}

char	   *
abst_token_text(const AbstPlain *plain, const AbstToken *token, int *len)
{
	char	   *whole;

	if (token->type != ABST_TOK_HANGING)
		return abst_from_utf8(plain->text +token->start, token->len, len);
	whole = palloc(token->len + token->rest.len + 1);
	memcpy(whole, plain->text +token->start, token->len);
	memcpy(whole + token->len, plain->text +token->rest.start,
		   token->rest.len);
	whole[token->len + token->rest.len] = '\0';
	return abst_from_utf8(whole, token->len + token->rest.len, len);
}

Datum
abst_parser_start(PG_FUNCTION_ARGS)
{
	char	   *text = (char *) PG_GETARG_POINTER(0);
	int			len = PG_GETARG_INT32(1);
	ParserState *state = palloc0(sizeof(ParserState));

	text = abst_to_utf8(text, len, &len);

	state->plain = abst_plain_make(text, len, false);
	state->tokenizer = abst_tokenizer_begin_plain(state->plain);
	PG_RETURN_POINTER(state);
}

Datum
abst_parser_token(PG_FUNCTION_ARGS)
{
	ParserState *state = (ParserState *) PG_GETARG_POINTER(0);
	char	  **lexeme = (char **) PG_GETARG_POINTER(1);
	int		   *len = (int *) PG_GETARG_POINTER(2);
	AbstToken	token;

	if (state->shown.len > 0)
	{
		token = state->shown;
		state->shown.len = 0;
	}
	else if (!abst_tokenizer_next(state->tokenizer, &token))
	{
		*lexeme = NULL;
		*len = 0;
		PG_RETURN_INT32(ABST_TOK_END);
	}
	/* the caller may hold on to a token until the end: nothing is freed */
	*lexeme = abst_token_text(state->plain, &token, len);
	if (token.type == ABST_TOK_HANGING)
	{
		/* headlines leave the completed word out, and show this */
		state->shown = token;
		state->shown.type = ABST_TOK_BLANK;
	}
	PG_RETURN_INT32(token.type);
}

Datum
abst_parser_end(PG_FUNCTION_ARGS)
{
	ParserState *state = (ParserState *) PG_GETARG_POINTER(0);

	pfree(state->plain->text);
	pfree(state->plain);
	pfree(state->tokenizer);
	pfree(state);
	PG_RETURN_VOID();
}

Datum
abst_parser_types(PG_FUNCTION_ARGS)
{
	LexDescr   *types = palloc0((lengthof(token_types) + 1) * sizeof(LexDescr));

	for (int i = 0; i < lengthof(token_types); i++)
	{
		types[i].lexid = token_types[i].type;
		types[i].alias = pstrdup(token_types[i].name);
		types[i].descr = pstrdup(token_types[i].description);
	}
	PG_RETURN_POINTER(types);
}
