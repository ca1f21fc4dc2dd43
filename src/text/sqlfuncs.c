/*-------------------------------------------------------------------------
 *
 * sqlfuncs.c
 *		The reader's SQL functions: display text and vectors.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "fmgr.h"
#include "text/boilerplate.h"
#include "text/doc.h"
#include "text/reader.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(abst_plain_sql);
PG_FUNCTION_INFO_V1(abst_vector_sql);

Datum
abst_plain_sql(PG_FUNCTION_ARGS)
{
	text	   *raw = PG_GETARG_TEXT_PP(0);
	int			len;
	char	   *utf8 = abst_to_utf8(VARDATA_ANY(raw), VARSIZE_ANY_EXHDR(raw),
									&len);
	AbstPlain  *plain = abst_plain_make(utf8, len, false);
	char	   *result = abst_from_utf8(plain->text, plain->len, &len);

	PG_RETURN_TEXT_P(cstring_to_text_with_len(result, len));
}

/* Does the text say that there is no abstract? */
static bool
is_placeholder(const char *text, int len)
{
	char	   *utf8 = abst_to_utf8(text, len, &len);

	return abst_is_no_abstract(utf8, len);
}

/*
 * Title (A) and abstract (B); NULL only if both are.  An abstract that says
 * there is none is NULL.
 */
Datum
abst_vector_sql(PG_FUNCTION_ARGS)
{
	AbstTextPart parts[2];
	int			nparts = 0;
	Oid			config;

	for (int i = 0; i < 2; i++)
	{
		text	   *part;

		if (PG_ARGISNULL(i))
			continue;
		part = PG_GETARG_TEXT_PP(i);
		if (i == 1 && is_placeholder(VARDATA_ANY(part),
									 VARSIZE_ANY_EXHDR(part)))
			continue;
		parts[nparts].text = VARDATA_ANY(part);
		parts[nparts].len = VARSIZE_ANY_EXHDR(part);
		parts[nparts++].label = i == 0 ? 'A' : 'B';
	}
	if (nparts == 0 || (PG_NARGS() > 2 && PG_ARGISNULL(2)))
		PG_RETURN_NULL();
	config = PG_NARGS() > 2 ? PG_GETARG_OID(2) : abst_default_config();
	PG_RETURN_TSVECTOR(abst_vector_from_text(config, parts, nparts));
}
