/*-------------------------------------------------------------------------
 *
 * sql.c
 *		abstracts_records: the readers of file formats as an SQL function.
 *
 * Rows come in the order of the records, rejects among them with their
 * reason.  They are collected in a tuplestore within work_mem; memory beside
 * it is one record's.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "load/record.h"
#include "mb/pg_wchar.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/memutils.h"

/* Result columns: the line, the fields (key is the stable one), then these. */
#define COL_LINE	0
#define COL_FIELD	1
#define COL_REJECT	(COL_FIELD + ABST_REC_NFIELDS)
#define COL_RAW		(COL_REJECT + 1)
#define NCOLUMNS	(COL_RAW + 1)

/* Raw text of a reject is cut here, with a mark. */
#define RAW_MAX		10000

typedef struct MemorySource
{
	const char *data;
	Size		left;
} MemorySource;

static size_t
read_memory(void *arg, char *buf, size_t size)
{
	MemorySource *source = arg;
	size_t		n = Min(size, source->left);

	memcpy(buf, source->data, n);
	source->data += n;
	source->left -= n;
	return n;
}

/* UTF-8 to a text datum in the database's encoding. */
static Datum
text_datum(const char *utf8, int len)
{
	char	   *local = pg_any_to_server(utf8, len, PG_UTF8);

	if (local != utf8)
		len = (int) strlen(local);
	return PointerGetDatum(cstring_to_text_with_len(local, len));
}

static Datum
list_datum(const StringInfoData *list)
{
	const char *item = list->data;
	const char *end = item + list->len;
	Datum	   *items;
	int			n = 0;
	int			i;

	for (i = 0; i < list->len; i++)
		n += list->data[i] == '\0';
	items = palloc(n * sizeof(Datum));
	for (n = 0; item < end; n++)
	{
		int			len = (int) strlen(item);

		items[n] = text_datum(item, len);
		item += len + 1;
	}
	return PointerGetDatum(construct_array(items, n, TEXTOID, -1, false,
										   TYPALIGN_INT));
}

static Datum
field_datum(AbstRecordField field, const StringInfoData *value)
{
	char	   *json;

	switch (field)
	{
		case ABST_REC_YEAR:
		case ABST_REC_VERSION:
			return Int32GetDatum(pg_strtoint32(value->data));
		case ABST_REC_AUTHORS:
		case ABST_REC_KEYWORDS:
			return list_datum(value);
		case ABST_REC_EXTRA:
			json = pg_any_to_server(value->data, value->len, PG_UTF8);
			return DirectFunctionCall1(jsonb_in, CStringGetDatum(json));
		default:
			return text_datum(value->data, value->len);
	}
}

static Datum
raw_datum(const StringInfoData *raw)
{
	int			len = raw->len;
	StringInfoData cut;

	if (len > 0 && raw->data[len - 1] == '\n')
		len--;
	if (len <= RAW_MAX)
		return text_datum(raw->data, len);
	for (len = RAW_MAX; len > 0 &&
		 ((unsigned char) raw->data[len] & 0xC0) == 0x80;)
		len--;
	initStringInfo(&cut);
	appendBinaryStringInfo(&cut, raw->data, len);
	appendStringInfo(&cut, " [cut: %d bytes in all]", raw->len);
	return text_datum(cut.data, cut.len);
}

static void
put_record(ReturnSetInfo *rsinfo, const AbstRecord *record)
{
	Datum		values[NCOLUMNS] = {0};
	bool		nulls[NCOLUMNS];
	int			i;

	memset(nulls, true, sizeof(nulls));
	values[COL_LINE] = Int64GetDatum(record->line);
	nulls[COL_LINE] = false;
	if (record->kind == ABST_RECORD_REJECT)
	{
		values[COL_REJECT] = text_datum(record->reason.data,
										record->reason.len);
		values[COL_RAW] = raw_datum(&record->raw);
		nulls[COL_REJECT] = nulls[COL_RAW] = false;
	}
	else
	{
		for (i = 0; i < ABST_REC_NFIELDS; i++)
		{
			const StringInfoData *value = i == ABST_REC_KEY ? &record->key :
			&record->value[i];

			if (value->len == 0)
				continue;
			values[COL_FIELD + i] = field_datum((AbstRecordField) i, value);
			nulls[COL_FIELD + i] = false;
		}
	}
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

/* The mapping argument, "field=name" each. */
static void
read_mappings(ArrayType *array, AbstReadOptions *options)
{
	AbstMapping *mappings;
	Datum	   *items;
	bool	   *nulls;
	int			n;
	int			i;

	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT,
					  &items, &nulls, &n);
	mappings = palloc0(n * sizeof(AbstMapping) + 1);
	for (i = 0; i < n; i++)
	{
		char	   *mapping = nulls[i] ? pstrdup("") : TextDatumGetCString(items[i]);

		mapping = pg_server_to_any(mapping, (int) strlen(mapping), PG_UTF8);
		if (!abst_mapping_parse(mapping, &mappings[i]))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("invalid mapping \"%s\"", mapping),
					 errhint("A mapping is a record's field, an equals sign and the name in the source, such as \"title=Heading\".")));
	}
	options->mappings = mappings;
	options->nmappings = n;
}

static Datum
records(FunctionCallInfo fcinfo, const char *data, Size len,
		AbstEncoding encoding)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(1));
	const AbstFormat *format = NULL;
	AbstReadOptions options;
	MemorySource source;
	AbstInput  *in;
	AbstReader *reader;
	const char *error;
	MemoryContext tuple_context;
	MemoryContext old_context;

	if (pg_strcasecmp(name, "auto") != 0)
	{
		format = abst_format_by_name(name);
		if (format == NULL)
		{
			StringInfoData names;
			int			i;

			initStringInfo(&names);
			for (i = 0; abst_formats[i] != NULL; i++)
				appendStringInfo(&names, ", %s", abst_formats[i]->name);
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("unrecognized file format \"%s\"", name),
					 errhint("Formats are auto%s.", names.data)));
		}
	}
	read_mappings(PG_GETARG_ARRAYTYPE_P(2), &options);
	InitMaterializedSRF(fcinfo, 0);

	source.data = data;
	source.left = len;
	in = abst_input_begin(read_memory, &source, encoding);
	reader = abst_reader_begin(in, format, &options, &error);
	if (reader == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("could not read records"),
				 errdetail("Reason: %s.", error)));
	tuple_context = AllocSetContextCreate(CurrentMemoryContext,
										  "abstracts record",
										  ALLOCSET_DEFAULT_SIZES);
	{
		AbstRecord *record = abst_record_make();

		while (abst_reader_next(reader, record))
		{
			if (record->kind == ABST_RECORD_HEADING)
				continue;
			old_context = MemoryContextSwitchTo(tuple_context);
			put_record(rsinfo, record);
			MemoryContextSwitchTo(old_context);
			MemoryContextReset(tuple_context);
		}
		abst_record_free(record);
	}
	MemoryContextDelete(tuple_context);
	abst_reader_end(reader);
	abst_input_end(in);
	return (Datum) 0;
}

PG_FUNCTION_INFO_V1(abst_records_text);
Datum
abst_records_text(PG_FUNCTION_ARGS)
{
	text	   *content = PG_GETARG_TEXT_PP(0);
	const char *data = VARDATA_ANY(content);
	Size		len = VARSIZE_ANY_EXHDR(content);
	char	   *utf8 = pg_server_to_any(data, (int) len, PG_UTF8);

	if (utf8 != data)
		len = strlen(utf8);
	return records(fcinfo, utf8, len, ABST_ENC_UTF8);
}

PG_FUNCTION_INFO_V1(abst_records_bytea);
Datum
abst_records_bytea(PG_FUNCTION_ARGS)
{
	bytea	   *content = PG_GETARG_BYTEA_PP(0);

	return records(fcinfo, VARDATA_ANY(content), VARSIZE_ANY_EXHDR(content),
				   ABST_ENC_AUTO);
}
