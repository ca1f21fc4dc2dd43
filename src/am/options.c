/*-------------------------------------------------------------------------
 *
 * options.c
 *		Options of an index: config, k1, b, weights.
 *
 * The name of a configuration is looked up where everybody finds the same
 * one, whatever the search path: as qualified, or in pg_catalog and the
 * extension's schema.  So an index reads alike for each user, and a dump can
 * be restored.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/reloptions.h"
#include "catalog/namespace.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_ts_config.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/varlena.h"

#include "am/am.h"
#include "query/weights.h"

#define MAX_K1		100.0
#define MAX_WEIGHT	100.0

static relopt_kind abst_relopt_kind;

/* ---- values ---- */

/* A configuration by schema and name; InvalidOid if there is none. */
static Oid
config_in_schema(const char *name, Oid schema)
{
	if (!OidIsValid(schema))
		return InvalidOid;
	return GetSysCacheOid2(TSCONFIGNAMENSP, Anum_pg_ts_config_oid,
						   CStringGetDatum(name), ObjectIdGetDatum(schema));
}

/* Schema of the extension: that of its own configuration. */
static Oid
extension_schema(void)
{
	HeapTuple	tuple;
	Oid			schema;

	tuple = SearchSysCache1(TSCONFIGOID,
							ObjectIdGetDatum(abst_default_config()));
	if (!HeapTupleIsValid(tuple))
		return InvalidOid;
	schema = ((Form_pg_ts_config) GETSTRUCT(tuple))->cfgnamespace;
	ReleaseSysCache(tuple);
	return schema;
}

/* The configuration of that name, or an error. */
static Oid
find_config(const char *value)
{
	char	   *copy = pstrdup(value);
	List	   *names;
	Oid			config = InvalidOid;

	if (SplitIdentifierString(copy, '.', &names))
	{
		if (list_length(names) == 1)
		{
			config = config_in_schema(linitial(names), PG_CATALOG_NAMESPACE);
			if (!OidIsValid(config))
				config = config_in_schema(linitial(names), extension_schema());
		}
		else if (list_length(names) == 2)
			config = config_in_schema(lsecond(names),
									  get_namespace_oid(linitial(names),
														true));
		list_free(names);
	}
	pfree(copy);

	if (!OidIsValid(config))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("text search configuration \"%s\" does not exist",
						value),
				 errhint("Qualify the name with its schema unless that is pg_catalog or the schema of the extension.")));
	return config;
}

/*
 * Read four numbers.  The reason why it cannot be done, or NULL.
 */
static const char *
parse_weights(const char *value, float8 *weights)
{
	const char *at = value;
	bool		any = false;

	for (int i = 0; i < ABST_NFIELDS; i++)
	{
		char	   *end;

		weights[i] = strtod(at, &end);
		if (end == at)
			return "There must be four numbers, for the labels A, B, C and D, parted by commas.";
		if (!(weights[i] >= 0 && weights[i] <= MAX_WEIGHT))
			return "Each weight must be between 0 and 100.";
		any = any || weights[i] > 0;
		while (*end == ' ')
			end++;
		if (*end != (i < ABST_NFIELDS - 1 ? ',' : '\0'))
			return "There must be four numbers, for the labels A, B, C and D, parted by commas.";
		at = end + 1;
	}
	return any ? NULL : "At least one weight must be greater than 0.";
}

static void
validate_config(const char *value)
{
	if (value != NULL)
		(void) find_config(value);
}

static void
validate_weights(const char *value)
{
	float8		weights[ABST_NFIELDS];
	const char *fault;

	if (value == NULL)
		return;
	fault = parse_weights(value, weights);
	if (fault != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid value for option \"weights\": \"%s\"", value),
				 errdetail_internal("%s", fault),
				 errhint("For example: weights = '2,1,1,1'.")));
}

/* ---- registration and parsing ---- */

void
abst_options_init(void)
{
	abst_relopt_kind = add_reloption_kind();

	add_string_reloption(abst_relopt_kind, "config",
						 "Text search configuration that reads queries and text columns",
						 NULL, validate_config, AccessExclusiveLock);
	add_string_reloption(abst_relopt_kind, "weights",
						 "Weights of the labels A, B, C and D in the score",
						 NULL, validate_weights, AccessExclusiveLock);
	add_real_reloption(abst_relopt_kind, "k1",
					   "Saturation of the term frequency in the score",
					   ABST_DEFAULT_K1, 0.0, MAX_K1,
					   ShareUpdateExclusiveLock);
	add_real_reloption(abst_relopt_kind, "b",
					   "Share of length normalization in the score",
					   ABST_DEFAULT_B, 0.0, 1.0,
					   ShareUpdateExclusiveLock);
}

bytea	   *
abst_options(Datum reloptions, bool validate)
{
	static const relopt_parse_elt table[] = {
		{.optname = "config",
			.opttype = RELOPT_TYPE_STRING,
		.offset = offsetof(AbstOptions, config)},
		{.optname = "weights",
			.opttype = RELOPT_TYPE_STRING,
		.offset = offsetof(AbstOptions, weights)},
		{.optname = "k1",
			.opttype = RELOPT_TYPE_REAL,
		.offset = offsetof(AbstOptions, k1)},
		{.optname = "b",
			.opttype = RELOPT_TYPE_REAL,
		.offset = offsetof(AbstOptions, b)}
	};

	return (bytea *) build_reloptions(reloptions, validate, abst_relopt_kind,
									  sizeof(AbstOptions), table,
									  lengthof(table));
}

/* ---- access ---- */

static AbstOptions *
options_of(Relation index)
{
	return (AbstOptions *) index->rd_options;
}

Oid
abst_index_config(Relation index)
{
	AbstOptions *options = options_of(index);

	if (options == NULL || options->config == 0)
		return abst_default_config();
	return find_config(GET_STRING_RELOPTION(options, config));
}

float8
abst_index_k1(Relation index)
{
	AbstOptions *options = options_of(index);

	return options == NULL ? ABST_DEFAULT_K1 : options->k1;
}

float8
abst_index_b(Relation index)
{
	AbstOptions *options = options_of(index);

	return options == NULL ? ABST_DEFAULT_B : options->b;
}

void
abst_index_weights(Relation index, float8 *weights)
{
	AbstOptions *options = options_of(index);

	if (options != NULL && options->weights != 0)
	{
		validate_weights(GET_STRING_RELOPTION(options, weights));
		(void) parse_weights(GET_STRING_RELOPTION(options, weights), weights);
		return;
	}
	for (int i = 0; i < ABST_NFIELDS; i++)
		weights[i] = 1.0;
}

bool
abst_index_reads_text(Relation index)
{
	return index->rd_opcintype[0] != TSVECTOROID;
}

/* Name of a configuration for a message. */
static char *
config_name(Oid config)
{
	HeapTuple	tuple = SearchSysCache1(TSCONFIGOID, ObjectIdGetDatum(config));
	Form_pg_ts_config form;
	char	   *name;

	if (!HeapTupleIsValid(tuple))
		return psprintf("%u", config);
	form = (Form_pg_ts_config) GETSTRUCT(tuple);
	name = quote_qualified_identifier(get_namespace_name(form->cfgnamespace),
									  NameStr(form->cfgname));
	ReleaseSysCache(tuple);
	return name;
}

void
abst_options_check_frozen(Relation index, const AbstDirectory *directory)
{
	float8		weights[ABST_NFIELDS];

	abst_index_weights(index, weights);
	if (memcmp(weights, directory->weights, sizeof(weights)) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("index \"%s\" was built with other weights",
						RelationGetRelationName(index)),
				 errdetail("It was built with \"%g,%g,%g,%g\", its option says \"%g,%g,%g,%g\".",
						   directory->weights[0], directory->weights[1],
						   directory->weights[2], directory->weights[3],
						   weights[0], weights[1], weights[2], weights[3]),
				 errhint("Rebuild the index with REINDEX, or set the option back.")));

	if (abst_index_reads_text(index))
	{
		Oid			config = abst_index_config(index);

		if (config != directory->config)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("index \"%s\" was built with another text search configuration",
							RelationGetRelationName(index)),
					 errdetail("It was built with \"%s\", its option says \"%s\".",
							   config_name(directory->config),
							   config_name(config)),
					 errhint("Rebuild the index with REINDEX, or set the option back.")));
	}
}
