/*-------------------------------------------------------------------------
 *
 * dictionaries.c
 *		Dictionary templates for the parser's token types.
 *
 * abstracts_fold is a filter, so that any stock dictionary can follow it; the
 * others end the chain for their token type.  All look at one token only and
 * depend on nothing but its bytes.  They take no options; abstracts_compound,
 * which does, is in compound.c.
 *
 *-------------------------------------------------------------------------
 */
#include "text/dictionaries.h"

#include "commands/defrem.h"
#include "fmgr.h"
#include "text/charclass.h"
#include "text/lexemes.h"
#include "text/reader.h"
#include "text/token_rules.h"

PG_FUNCTION_INFO_V1(abst_dictionary_init);
PG_FUNCTION_INFO_V1(abst_fold_lexize);
PG_FUNCTION_INFO_V1(abst_name_lexize);
PG_FUNCTION_INFO_V1(abst_number_lexize);
PG_FUNCTION_INFO_V1(abst_link_lexize);
PG_FUNCTION_INFO_V1(abst_unit_lexize);
PG_FUNCTION_INFO_V1(abst_math_lexize);
PG_FUNCTION_INFO_V1(abst_greek_lexize);
PG_FUNCTION_INFO_V1(abst_cjk_lexize);

/* No options: any is an error. */
Datum
abst_dictionary_init(PG_FUNCTION_ARGS)
{
	List	   *options = (List *) PG_GETARG_POINTER(0);
	ListCell   *cell;

	foreach(cell, options)
	{
		DefElem    *option = (DefElem *) lfirst(cell);

		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unrecognized dictionary parameter: \"%s\"",
						option->defname),
				 errhint("This dictionary takes no parameters.")));
	}
	/* core takes NULL for "no data", but wants it palloc'd if it is any */
	PG_RETURN_POINTER(palloc0(1));
}

char	   *
abst_lexeme_out(char *utf8)
{
	int			len;
	char	   *text = abst_from_utf8(utf8, strlen(utf8), &len);

	if (text == utf8)
		return utf8;
	text[		len] = '\0';
	return text;
}

/* Forms as lexemes at one position. */
static TSLexeme *
lexemes_of_forms(const AbstForms *forms)
{
	TSLexeme   *result = palloc0((forms->n + 1) * sizeof(TSLexeme));

	for (int i = 0; i < forms->n; i++)
	{
		result[i].nvariant = i + 1;
		result[i].lexeme = abst_lexeme_out(forms->form[i]);
	}
	return result;
}

typedef void (*FormsRule) (const char *token, int len, AbstForms *forms);

static Datum
lexize(FunctionCallInfo fcinfo, FormsRule rule)
{
	char	   *token = (char *) PG_GETARG_POINTER(1);
	int			len = PG_GETARG_INT32(2);
	AbstForms	forms = {0};

	token = abst_to_utf8(token, len, &len);
	rule(token, len, &forms);
	PG_RETURN_POINTER(lexemes_of_forms(&forms));
}

/*
 * Lower case, without accents, ligatures and look-alikes; cut to the length a
 * lexeme may have.  NULL (take the token as it is) where nothing changes.
 */
Datum
abst_fold_lexize(PG_FUNCTION_ARGS)
{
	char	   *token = (char *) PG_GETARG_POINTER(1);
	int			len = PG_GETARG_INT32(2);
	TSLexeme   *result;
	bool		plain = len <= ABST_MAX_LEXEME;

	for (int i = 0; i < len && plain; i++)
		plain = token[i] >= 'a' && token[i] <= 'z';
	if (plain)
		PG_RETURN_POINTER(NULL);
	token = abst_to_utf8(token, len, &len);
	result = palloc0(2 * sizeof(TSLexeme));
	result->flags = TSL_FILTER;
	result->lexeme = abst_lexeme_out(abst_fold_word(token, len));
	PG_RETURN_POINTER(result);
}

Datum
abst_name_lexize(PG_FUNCTION_ARGS)
{
	return lexize(fcinfo, abst_name_forms);
}

Datum
abst_number_lexize(PG_FUNCTION_ARGS)
{
	return lexize(fcinfo, abst_number_forms);
}

Datum
abst_unit_lexize(PG_FUNCTION_ARGS)
{
	return lexize(fcinfo, abst_unit_forms);
}

Datum
abst_link_lexize(PG_FUNCTION_ARGS)
{
	return lexize(fcinfo, abst_link_forms);
}

Datum
abst_math_lexize(PG_FUNCTION_ARGS)
{
	return lexize(fcinfo, abst_math_forms);
}

/* The sign and the name of a Greek letter. */
static void
greek_forms(const char *letter, int len, AbstForms *forms)
{
	char	   *folded;

	len = abst_without_possessive(letter, len);
	folded = abst_fold_word(letter, len);
	abst_forms_add(forms, folded);
	abst_forms_add(forms, abst_spell_greek(folded));
}

Datum
abst_greek_lexize(PG_FUNCTION_ARGS)
{
	return lexize(fcinfo, greek_forms);
}

/* Overlapping pairs of characters, one position each; one alone is itself. */
Datum
abst_cjk_lexize(PG_FUNCTION_ARGS)
{
	char	   *token = (char *) PG_GETARG_POINTER(1);
	int			len = PG_GETARG_INT32(2);
	int			n = 0;
	int			foldlen;
	char	   *folded;
	TSLexeme   *result;
	int			first = 0;

	token = abst_to_utf8(token, len, &len);
	folded = abst_fold(token, len, &foldlen);
	result = palloc0((foldlen + 1) * sizeof(TSLexeme));
	while (first < foldlen)
	{
		uint32		cp;
		int			second = first + abst_utf8_decode(folded + first,
													  foldlen - first, &cp);
		int			end;

		if (second >= foldlen && n > 0)
			break;
		end = second >= foldlen ? second :
			second + abst_utf8_decode(folded + second, foldlen - second, &cp);
		result[n].nvariant = 1;
		result[n].flags = n > 0 ? TSL_ADDPOS : 0;
		result[n++].lexeme =
			abst_lexeme_out(pnstrdup(folded + first, end - first));
		first = second;
	}
	PG_RETURN_POINTER(result);
}
