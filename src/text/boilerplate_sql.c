/*-------------------------------------------------------------------------
 *
 * boilerplate_sql.c
 *		The SQL function abstract_boilerplate: what of a text documents leave
 *		out, and why.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "fmgr.h"
#include "funcapi.h"
#include "text/boilerplate.h"
#include "text/reader.h"
#include "text/utf8.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(abst_boilerplate_sql);

/* Characters in utf8[from .. to). */
static int
count_chars(const char *utf8, int from, int to)
{
	int			n = 0;

	while (from < to)
	{
		uint32		cp;

		from += abst_utf8_decode(utf8 + from, to - from, &cp);
		n++;
	}
	return n;
}

/* (abstract) or (title, abstract); a NULL title is not known. */
Datum
abst_boilerplate_sql(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	int			last = PG_NARGS() - 1;
	AbstBoilerplateList found;
	text	   *raw;
	char	   *title = NULL;
	int			titlelen = 0;
	char	   *utf8;
	int			len;
	int			at = 0;
	int			chars = 0;

	InitMaterializedSRF(fcinfo, 0);
	if (PG_ARGISNULL(last))
		return (Datum) 0;
	if (last > 0 && !PG_ARGISNULL(0))
	{
		raw = PG_GETARG_TEXT_PP(0);
		title = abst_to_utf8(VARDATA_ANY(raw), VARSIZE_ANY_EXHDR(raw),
							 &titlelen);
	}
	raw = PG_GETARG_TEXT_PP(last);
	utf8 = abst_to_utf8(VARDATA_ANY(raw), VARSIZE_ANY_EXHDR(raw), &len);
	abst_boilerplate_find(title, titlelen, utf8, len, &found);
	for (int i = 0; i < found.n; i++)
	{
		const AbstBoilerplate *item = &found.item[i];
		Datum		values[3];
		bool		nulls[3] = {false};

		chars += count_chars(utf8, at, item->start);
		at = item->start;
		values[0] = CStringGetTextDatum(abst_boilerplate_name(item->kind));
		values[1] = Int32GetDatum(chars + 1);
		values[2] = Int32GetDatum(count_chars(utf8, at, at + item->len));
		tuplestore_putvalues(result->setResult, result->setDesc, values,
							 nulls);
	}
	return (Datum) 0;
}
