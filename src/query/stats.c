/*-------------------------------------------------------------------------
 *
 * stats.c
 *		Statistics of a corpus given as JSON.
 *
 * An object with these keys, all but "n" optional:
 *
 *		n			documents of the corpus
 *		lengths		total occurrences in the fields A to D; without them
 *					there is no length normalisation
 *		terms		object, lexeme: documents that have it; 0 if missing
 *		k1, b		parameters of BM25
 *		weights		of the fields A to D
 *		config		text search configuration that reads the query and
 *					columns of type text
 *
 * This is what another database needs to score as the corpus's own does.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "catalog/namespace.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/numeric.h"
#include "utils/regproc.h"

#include "query/stats.h"
#include "query/weights.h"
#include "text/doc.h"

static void
bad_value(const char *key, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid value for \"%s\" in the statistics", key),
			 errhint("%s", hint)));
}

static double
get_number(const JsonbValue *value, const char *key, double max,
		   const char *hint)
{
	double		number;

	if (value->type != jbvNumeric)
		bad_value(key, hint);
	number = DatumGetFloat8(DirectFunctionCall1(numeric_float8,
												NumericGetDatum(value->val.numeric)));
	if (!(number >= 0 && number <= max))
		bad_value(key, hint);
	return number;
}

/* Numbers for the fields A to D. */
static void
get_fields(const JsonbValue *value, const char *key, double max,
		   const char *hint, float8 *fields)
{
	JsonbIterator *it;
	JsonbIteratorToken token;
	JsonbValue	item;
	int			n = 0;

	if (value->type != jbvBinary ||
		!JsonContainerIsArray(value->val.binary.data))
		bad_value(key, hint);
	it = JsonbIteratorInit(value->val.binary.data);
	while ((token = JsonbIteratorNext(&it, &item, true)) != WJB_DONE)
	{
		if (token != WJB_ELEM)
			continue;
		if (n == ABST_NFIELDS)
			bad_value(key, hint);
		fields[n++] = get_number(&item, key, max, hint);
	}
	if (n != ABST_NFIELDS)
		bad_value(key, hint);
}

static Oid
get_config(const JsonbValue *value)
{
	char	   *name;
	Oid			config;

	if (value->type != jbvString)
		bad_value("config",
				  "Give the name of a text search configuration.");
	name = pnstrdup(value->val.string.val, value->val.string.len);
	config = get_ts_config_oid(abst_name_list(name), true);
	if (!OidIsValid(config))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("text search configuration \"%s\" does not exist",
						name),
				 errhint("Give one that is listed by \\dF in psql, or leave out \"config\".")));
	return config;
}

/* Every count of documents must be one. */
static void
check_terms(const JsonbValue *value, double ndocs)
{
	static const char *hint = "Give an object of lexemes and the number of documents that have them, none more than \"n\".";
	JsonbIterator *it;
	JsonbIteratorToken token;
	JsonbValue	item;

	if (value->type != jbvBinary ||
		!JsonContainerIsObject(value->val.binary.data))
		bad_value("terms", hint);
	it = JsonbIteratorInit(value->val.binary.data);
	while ((token = JsonbIteratorNext(&it, &item, true)) != WJB_DONE)
	{
		CHECK_FOR_INTERRUPTS();
		if (token == WJB_VALUE)
			get_number(&item, "terms", ndocs, hint);
	}
}

static bool
key_is(const JsonbValue *key, const char *name)
{
	return key->val.string.len == strlen(name) &&
		memcmp(key->val.string.val, name, key->val.string.len) == 0;
}

/* Read one key of the object. */
static void
read_key(const JsonbValue *key, const JsonbValue *value, AbstCorpus *corpus,
		 JsonbContainer **terms)
{
	if (key_is(key, "n"))
		corpus->ndocs = get_number(value, "n", 1e15,
								   "Give the number of documents.");
	else if (key_is(key, "lengths"))
		get_fields(value, "lengths", 1e15,
				   "Give an array of four numbers, the total occurrences in the fields A to D.",
				   corpus->lengths);
	else if (key_is(key, "k1"))
		corpus->k1 = get_number(value, "k1", ABST_MAX_K1,
								"Give a number from 0 to 100.");
	else if (key_is(key, "b"))
		corpus->b = get_number(value, "b", 1, "Give a number from 0 to 1.");
	else if (key_is(key, "weights"))
		get_fields(value, "weights", ABST_MAX_WEIGHT,
				   "Give an array of four numbers from 0 to 100, the weights of the fields A to D.",
				   corpus->weights);
	else if (key_is(key, "config"))
		corpus->config = get_config(value);
	else if (key_is(key, "terms"))
	{
		if (value->type == jbvBinary)
			*terms = value->val.binary.data;
		else
			check_terms(value, 0);
	}
	else
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unknown key \"%.*s\" in the statistics",
						key->val.string.len, key->val.string.val),
				 errhint("Known keys are \"n\", \"lengths\", \"terms\", \"k1\", \"b\", \"weights\" and \"config\".")));
}

static void
lookup_df(void *arg, AbstPlanTerm *terms, int nterms)
{
	JsonbContainer *container = arg;

	for (int i = 0; i < nterms; i++)
	{
		JsonbValue	value;

		CHECK_FOR_INTERRUPTS();
		terms[i].df = 0;
		if (container != NULL &&
			getKeyJsonValueFromContainer(container, terms[i].lexeme,
										 terms[i].len, &value) != NULL)
			terms[i].df = get_number(&value, "terms", 1e15, "");
	}
}

AbstQuery *
abst_query_bind_stats(AbstQuery *query, Jsonb *stats)
{
	AbstCorpus	corpus;
	JsonbContainer *terms = NULL;
	JsonbIterator *it;
	JsonbIteratorToken token;
	JsonbValue	key;
	JsonbValue	value;

	memset(&corpus, 0, sizeof(corpus));
	corpus.k1 = ABST_DEFAULT_K1;
	corpus.b = ABST_DEFAULT_B;
	corpus.ndocs = -1;
	for (int f = 0; f < ABST_NFIELDS; f++)
		corpus.weights[f] = ABST_DEFAULT_WEIGHT;

	if (!JB_ROOT_IS_OBJECT(stats))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("statistics must be a JSON object")));
	it = JsonbIteratorInit(&stats->root);
	while ((token = JsonbIteratorNext(&it, &key, true)) != WJB_DONE)
	{
		if (token != WJB_KEY)
			continue;
		(void) JsonbIteratorNext(&it, &value, true);
		read_key(&key, &value, &corpus, &terms);
	}
	if (corpus.ndocs < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("key \"n\" is missing in the statistics"),
				 errhint("Give the number of documents, for instance {\"n\": 1000}.")));
	if (terms != NULL)
	{
		value.type = jbvBinary;
		value.val.binary.data = terms;
		check_terms(&value, corpus.ndocs);
	}
	if (!OidIsValid(corpus.config))
		corpus.config = abst_default_config();
	return abst_query_bind(query, &corpus, lookup_df, terms);
}
