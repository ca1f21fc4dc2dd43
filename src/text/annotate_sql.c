/*-------------------------------------------------------------------------
 *
 * annotate_sql.c
 *		The SQL functions that return what is found in a text: sentences,
 *		sections, acronyms, entities, keywords.
 *
 * All pieces are given as they read in the display text, with their place in
 * the raw text: characters, from 1.
 *
 *-------------------------------------------------------------------------
 */
#include "text/annotate_sql.h"

#include "funcapi.h"
#include "miscadmin.h"
#include "text/places.h"
#include "utils/builtins.h"
#include "utils/numeric.h"

PG_FUNCTION_INFO_V1(abst_sentences_sql);
PG_FUNCTION_INFO_V1(abst_sections_sql);
PG_FUNCTION_INFO_V1(abst_acronyms_sql);
PG_FUNCTION_INFO_V1(abst_entities_sql);
PG_FUNCTION_INFO_V1(abst_keywords_sql);

#define MAX_COLUMNS		12

/* Words of context on either side of a number. */
#define CONTEXT_WORDS	5

/* Where rows go. */
typedef struct Rows
{
	ReturnSetInfo *result;
	const AbstText *text;
	AbstPlaces	places;
	Datum		values[MAX_COLUMNS];
	bool		nulls[MAX_COLUMNS];
	int			n;				/* columns put so far */
} Rows;

AbstText   *
abst_text_of_datum(Datum datum)
{
	text	   *raw = DatumGetTextPP(datum);
	int			len;
	char	   *utf8 = abst_to_utf8(VARDATA_ANY(raw), VARSIZE_ANY_EXHDR(raw),
									&len);

	return abst_text_read(utf8, len);
}

static void
begin_rows(Rows *rows, FunctionCallInfo fcinfo, const AbstText *text)
{
	InitMaterializedSRF(fcinfo, 0);
	memset(rows, 0, sizeof(Rows));
	rows->result = (ReturnSetInfo *) fcinfo->resultinfo;
	rows->text = text;

	abst_places_init(&rows->places, text->plain);
}

static void
put(Rows *rows, Datum value)
{
	rows->nulls[rows->n] = false;
	rows->values[rows->n++] = value;
}

static void
put_null(Rows *rows)
{
	rows->nulls[rows->n++] = true;
}

/* UTF-8 as a text in the database encoding; NULL for NULL. */
static void
put_text(Rows *rows, const char *utf8, int utf8len)
{
	int			len;
	char	   *s;

	if (utf8 == NULL)
	{
		put_null(rows);
		return;
	}
	s = abst_from_utf8(utf8, utf8len, &len);
	put(rows, PointerGetDatum(cstring_to_text_with_len(s, len)));
}

static void
put_string(Rows *rows, const char *utf8)
{
	put_text(rows, utf8, utf8 ? strlen(utf8) : 0);
}

static void
put_piece(Rows *rows, AbstSpan span)
{
	put_text(rows, rows->text->plain->text +span.start, span.len);
}

/* Start and length in characters of the raw text. */
static void
put_place(Rows *rows, AbstSpan span, bool marks)
{
	const AbstPlain *plain = rows->text->plain;
	int			end = span.start + span.len;
	int			from = marks && span.len > 0 ?
	abst_raw_start(plain, span.start) : plain->rawpos[span.start];
	int			to = span.len == 0 ? from :
	abst_raw_end(plain, end, abst_math_ends(plain, end));
	int			first = abst_places_chars(&rows->places, from);

	put(rows, Int32GetDatum(first + 1));
	put(rows, Int32GetDatum(abst_places_chars(&rows->places, Max(from, to)) -
							first));
}

static void
put_numeric(Rows *rows, const char *decimal)
{
	if (decimal == NULL)
		put_null(rows);
	else
		put(rows, DirectFunctionCall3(numeric_in, CStringGetDatum(decimal),
									  ObjectIdGetDatum(InvalidOid),
									  Int32GetDatum(-1)));
}

static void
end_row(Rows *rows)
{
	tuplestore_putvalues(rows->result->setResult, rows->result->setDesc,
						 rows->values, rows->nulls);
	rows->n = 0;
	CHECK_FOR_INTERRUPTS();
}

/* abstract_sentences(text) */
Datum
abst_sentences_sql(PG_FUNCTION_ARGS)
{
	AbstText   *text = abst_text_of_datum(PG_GETARG_DATUM(0));
	Rows		rows;

	begin_rows(&rows, fcinfo, text);
	for (int i = 0; i < text->nsentences; i++)
	{
		put(&rows, Int32GetDatum(i + 1));
		put_piece(&rows, text->sentences[i]);
		put_place(&rows, text->sentences[i], true);
		end_row(&rows);
	}
	return (Datum) 0;
}

/* abstract_sections(text) */
Datum
abst_sections_sql(PG_FUNCTION_ARGS)
{
	AbstText   *text = abst_text_of_datum(PG_GETARG_DATUM(0));
	int			n;
	AbstSection *sections = abst_sections_find(text, &n);
	Rows		rows;

	begin_rows(&rows, fcinfo, text);
	for (int i = 0; i < n; i++)
	{
		put(&rows, Int32GetDatum(i + 1));
		if (sections[i].label.len > 0)
			put_piece(&rows, sections[i].label);
		else
			put_null(&rows);
		put_string(&rows, sections[i].kind);
		put_piece(&rows, sections[i].body);
		put_place(&rows, sections[i].body, true);
		end_row(&rows);
	}
	return (Datum) 0;
}

/* abstract_acronyms(text) */
Datum
abst_acronyms_sql(PG_FUNCTION_ARGS)
{
	AbstText   *text = abst_text_of_datum(PG_GETARG_DATUM(0));
	int			n;
	AbstAcronym *acronyms = abst_acronyms_find(text, &n);
	Rows		rows;

	begin_rows(&rows, fcinfo, text);
	for (int i = 0; i < n; i++)
	{
		put_piece(&rows, acronyms[i].brief);
		put_piece(&rows, acronyms[i].full);
		put_place(&rows, acronyms[i].brief, false);
		put_place(&rows, acronyms[i].full, false);
		put_string(&rows, acronyms[i].brief_first ? "short (long)" :
				   "long (short)");
		end_row(&rows);
	}
	return (Datum) 0;
}

/* The words around a mention, within its sentence. */
static AbstSpan
context_of(const AbstText *text, const AbstMention *mention, int sentence)
{
	const AbstSpan *around = &text->sentences[sentence];
	int			end = mention->span.start + mention->span.len;
	int			first = abst_token_at(text, mention->span.start);
	int			last = abst_token_at(text, end) - 1;
	AbstSpan	span;

	for (int i = 0; i < CONTEXT_WORDS && first > 0 &&
		 text->tokens[first - 1].start >= around->start; i++)
		first--;
	for (int i = 0; i < CONTEXT_WORDS && last + 1 < text->ntokens &&
		 text->tokens[last + 1].start < around->start + around->len; i++)
		last++;
	span.start = Min(text->tokens[first].start, mention->span.start);
	span.len = Max(abst_token_end(&text->tokens[last]), end) - span.start;
	return span;
}

/* abstract_entities(text) */
Datum
abst_entities_sql(PG_FUNCTION_ARGS)
{
	static const char *const kinds[] = {
		[ABST_MENTION_SYSTEM] = "system",
		[ABST_MENTION_DATASET] = "dataset",
		[ABST_MENTION_MODEL] = "model",
		[ABST_MENTION_URL] = "url",
		[ABST_MENTION_DOI] = "doi",
		[ABST_MENTION_ARXIV] = "arxiv",
		[ABST_MENTION_NUMBER] = "number",
		[ABST_MENTION_MATH] = "math",
		[ABST_MENTION_CITATION] = "citation"
	};
	AbstText   *text = abst_text_of_datum(PG_GETARG_DATUM(0));
	int			n;
	AbstMention *mentions = abst_mentions_find(text, &n);
	Rows		rows;

	begin_rows(&rows, fcinfo, text);
	for (int i = 0; i < n; i++)
	{
		const AbstMention *mention = &mentions[i];
		int			sentence = abst_sentence_at(text, mention->span.start);
		bool		number = mention->kind == ABST_MENTION_NUMBER;

		put_string(&rows, kinds[mention->kind]);
		put_piece(&rows, mention->span);
		if (number)
		{
			Datum		value;

			put_null(&rows);
			put_numeric(&rows, mention->number);
			value = DirectFunctionCall1(numeric_out, rows.values[3]);
			rows.values[2] = CStringGetTextDatum(DatumGetCString(value));
			rows.nulls[2] = false;
		}
		else
		{
			put_string(&rows, mention->value);
			put_null(&rows);
		}
		put_numeric(&rows, mention->high);
		put_numeric(&rows, mention->margin);
		put_string(&rows, mention->unit);
		put_string(&rows, mention->bound);
		put_piece(&rows, context_of(text, mention, sentence));
		put_place(&rows, mention->span, false);
		put(&rows, Int32GetDatum(sentence + 1));
		end_row(&rows);
	}
	return (Datum) 0;
}

void
abst_keywords_emit(FunctionCallInfo fcinfo, const AbstText *text, int limit,
				   AbstWordRarity rarity, void *arg)
{
	int			n;
	AbstKeyword *keywords;
	Rows		rows;

	if (limit < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number of keywords must not be negative")));
	keywords = abst_keywords_find(text, limit, rarity, arg, &n);
	begin_rows(&rows, fcinfo, text);
	for (int i = 0; i < n; i++)
	{
		put_piece(&rows, keywords[i].span);
		put(&rows, Float8GetDatum(keywords[i].score));
		put(&rows, Int32GetDatum(keywords[i].count));
		put_place(&rows, keywords[i].span, false);
		end_row(&rows);
	}
}

/* abstract_keywords(text, int) */
Datum
abst_keywords_sql(PG_FUNCTION_ARGS)
{
	abst_keywords_emit(fcinfo, abst_text_of_datum(PG_GETARG_DATUM(0)),
					   PG_GETARG_INT32(1), NULL, NULL);
	return (Datum) 0;
}
