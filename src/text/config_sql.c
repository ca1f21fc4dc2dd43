/*-------------------------------------------------------------------------
 *
 * config_sql.c
 *		The SQL function abstracts_create_config: our parser and dictionaries
 *		over the stemmer of another language.
 *
 * What it creates belongs to the caller, not to the extension: pg_dump saves
 * it and DROP takes it away.  It is made by the statements a user would
 * write, in the schema in which they would make it.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "catalog/namespace.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_ts_dict.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "text/doc.h"
#include "utils/builtins.h"
#include "utils/formatting.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

PG_FUNCTION_INFO_V1(abst_create_config_sql);

/* Does the stemmer leave out stop words?  Errors if there is none. */
static bool
stemmer_has_stop_words(const char *language, const char *stemmer)
{
	HeapTuple	tuple = SearchSysCache2(TSDICTNAMENSP,
										CStringGetDatum(stemmer),
										ObjectIdGetDatum(PG_CATALOG_NAMESPACE));
	Datum		options;
	bool		isnull;
	bool		found;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("there is no stemmer for the language \"%s\"",
						language),
				 errhint("Name a language that the server has a dictionary for, without its \"_stem\", or \"simple\".")));
	options = SysCacheGetAttr(TSDICTNAMENSP, tuple,
							  Anum_pg_ts_dict_dictinitoption, &isnull);
	found = !isnull && strstr(TextDatumGetCString(options), "stopwords") != NULL;
	ReleaseSysCache(tuple);
	return found;
}

static void
run(const char *statement)
{
	if (SPI_execute(statement, false, 0) < 0)
		elog(ERROR, "statement failed: %s", statement);
}

static bool
dictionary_exists(const char *name)
{
	return OidIsValid(get_ts_dict_oid(list_make1(makeString(pstrdup(name))),
									  true));
}

/* Create a dictionary unless one of this name can be seen. */
static void
create_dictionary(const char *name, const char *definition,
				  const char *comment)
{
	if (dictionary_exists(name))
		return;
	run(psprintf("CREATE TEXT SEARCH DICTIONARY %s (%s)",
				 quote_identifier(name), definition));
	run(psprintf("COMMENT ON TEXT SEARCH DICTIONARY %s IS %s",
				 quote_identifier(name), quote_literal_cstr(comment)));
}

/* The mapping of a configuration's token types. */
static void
map_tokens(const char *config, const char *types, const char *dictionaries)
{
	run(psprintf("ALTER TEXT SEARCH CONFIGURATION %s ADD MAPPING FOR %s WITH %s",
				 config, types, dictionaries));
}

Datum
abst_create_config_sql(PG_FUNCTION_ARGS)
{
	char	   *language = text_to_cstring(PG_GETARG_TEXT_PP(0));
	char	   *stemmer;
	char	   *name;
	char	   *compound;
	char	   *hanging;
	char	   *stop;
	bool		has_stop;
	const char *own;
	const char *config;
	Oid			result;

	language = str_tolower(language, strlen(language), C_COLLATION_OID);
	stemmer = strcmp(language, "simple") == 0 ? language :
		psprintf("%s_stem", language);
	if (strlen(language) > 30)
		stemmer = language;		/* never the name of a stemmer */
	has_stop = stemmer_has_stop_words(language, stemmer);
	name = psprintf("abstracts_%s", language);
	compound = psprintf("abstracts_%s_compound", language);
	hanging = psprintf("abstracts_%s_hanging", language);
	stop = psprintf("abstracts_%s_stop", language);
	if (OidIsValid(get_ts_config_oid(list_make1(makeString(name)), true)))
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("text search configuration \"%s\" already exists",
						name),
				 errhint("Use it as it is, or drop it first.")));
	own = quote_identifier(get_namespace_name(abst_extension_schema()));
	config = quote_identifier(name);

	SPI_connect();
	create_dictionary(compound,
					  psprintf("TEMPLATE = %s.abstracts_compound, DICTIONARY = %s",
							   own,
							   quote_literal_cstr(psprintf("pg_catalog.%s", stemmer))),
					  psprintf("joined words: the glue, and the parts by %s",
							   stemmer));
	create_dictionary(hanging,
					  psprintf("TEMPLATE = %s.abstracts_hanging, DICTIONARY = %s",
							   own,
							   quote_literal_cstr(psprintf("pg_catalog.%s", stemmer))),
					  psprintf("words that hang with a hyphen, by %s",
							   stemmer));
	if (has_stop)
		create_dictionary(stop,
						  psprintf("TEMPLATE = pg_catalog.simple, STOPWORDS = %s, ACCEPT = false",
								   quote_identifier(language)),
						  psprintf("stop words of the language \"%s\" as they are written, with their accents",
								   language));
	run(psprintf("CREATE TEXT SEARCH CONFIGURATION %s (PARSER = %s.abstracts)",
				 config, own));
	run(psprintf("COMMENT ON TEXT SEARCH CONFIGURATION %s IS %s", config,
				 quote_literal_cstr(psprintf("scientific abstracts, words by %s",
											 stemmer))));
	map_tokens(config, "word",
			   psprintf("%s%s%s.abstracts_fold, pg_catalog.%s",
						has_stop ? quote_identifier(stop) : "",
						has_stop ? ", " : "", own, quote_identifier(stemmer)));
	map_tokens(config, "compound", quote_identifier(compound));
	map_tokens(config, "hanging", quote_identifier(hanging));
	map_tokens(config, "name, acronym", psprintf("%s.abstracts_name", own));
	map_tokens(config, "number, percent", psprintf("%s.abstracts_number", own));
	map_tokens(config, "unit", psprintf("%s.abstracts_unit", own));
	map_tokens(config, "math", psprintf("%s.abstracts_math", own));
	map_tokens(config, "greek", psprintf("%s.abstracts_greek", own));
	map_tokens(config, "cjk", psprintf("%s.abstracts_cjk", own));
	map_tokens(config, "email, url, doi, arxiv",
			   psprintf("%s.abstracts_link", own));
	result = get_ts_config_oid(list_make1(makeString(name)), false);
	SPI_finish();
	PG_RETURN_OID(result);
}
