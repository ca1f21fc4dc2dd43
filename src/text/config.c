/*-------------------------------------------------------------------------
 *
 * config.c
 *		The extension's own text search configuration.
 *
 * It is found through the extension, never through search_path, and
 * remembered until any configuration or the extension's catalog row changes.
 *
 *-------------------------------------------------------------------------
 */
#include "text/doc.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_ts_config.h"
#include "catalog/pg_ts_dict.h"
#include "catalog/pg_ts_parser.h"
#include "catalog/pg_ts_template.h"
#include "tsearch/ts_cache.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

static Oid	default_config = InvalidOid;

static void
forget_default_config(Datum arg, int cacheid, uint32 hashvalue)
{
	default_config = InvalidOid;
}

/* Schema of the extension, or InvalidOid. */
static Oid
extension_schema(void)
{
	Relation	rel = table_open(ExtensionRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	Oid			schema = InvalidOid;

	ScanKeyInit(&key, Anum_pg_extension_extname, BTEqualStrategyNumber,
				F_NAMEEQ, CStringGetDatum("abstracts"));
	scan = systable_beginscan(rel, ExtensionNameIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		schema = ((Form_pg_extension) GETSTRUCT(tuple))->extnamespace;
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return schema;
}

Oid
abst_default_config(void)
{
	static bool registered = false;

	if (!registered)
	{
		CacheRegisterSyscacheCallback(TSCONFIGOID, forget_default_config,
									  (Datum) 0);
		registered = true;
	}
	if (!OidIsValid(default_config))
	{
		Oid			schema = extension_schema();

		if (OidIsValid(schema))
			default_config = GetSysCacheOid2(TSCONFIGNAMENSP,
											 Anum_pg_ts_config_oid,
											 CStringGetDatum("abstracts"),
											 ObjectIdGetDatum(schema));
		if (!OidIsValid(default_config))
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_OBJECT),
					 errmsg("text search configuration \"abstracts\" of the extension does not exist"),
					 errhint("Create the extension \"abstracts\", or drop and create it again.")));
	}
	return default_config;
}

/* Are the template's functions of a dictionary parallel safe? */
static bool
dictionary_parallel_safe(Oid dictionary)
{
	HeapTuple	tuple = SearchSysCache1(TSDICTOID,
										ObjectIdGetDatum(dictionary));
	HeapTuple	template;
	Form_pg_ts_template form;
	bool		safe;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for text search dictionary %u",
			 dictionary);
	template = SearchSysCache1(TSTEMPLATEOID,
							   ObjectIdGetDatum(((Form_pg_ts_dict) GETSTRUCT(tuple))->dicttemplate));
	if (!HeapTupleIsValid(template))
		elog(ERROR, "cache lookup failed for the template of text search dictionary %u",
			 dictionary);
	form = (Form_pg_ts_template) GETSTRUCT(template);
	safe = (!OidIsValid(form->tmplinit) ||
			func_parallel(form->tmplinit) == PROPARALLEL_SAFE) &&
		func_parallel(form->tmpllexize) == PROPARALLEL_SAFE;
	ReleaseSysCache(template);
	ReleaseSysCache(tuple);
	return safe;
}

/* Are a parser's functions parallel safe? */
static bool
parser_parallel_safe(Oid parser)
{
	HeapTuple	tuple = SearchSysCache1(TSPARSEROID, ObjectIdGetDatum(parser));
	Form_pg_ts_parser form;
	bool		safe;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for text search parser %u", parser);
	form = (Form_pg_ts_parser) GETSTRUCT(tuple);
	safe = func_parallel(form->prsstart) == PROPARALLEL_SAFE &&
		func_parallel(form->prstoken) == PROPARALLEL_SAFE &&
		func_parallel(form->prsend) == PROPARALLEL_SAFE;
	ReleaseSysCache(tuple);
	return safe;
}

bool
abst_config_parallel_safe(Oid config)
{
	TSConfigCacheEntry *entry = lookup_ts_config_cache(config);

	if (!parser_parallel_safe(entry->prsId))
		return false;
	for (int type = 0; type < entry->lenmap; type++)
		for (int i = 0; i < entry->map[type].len; i++)
			if (!dictionary_parallel_safe(DatumGetObjectId(entry->map[type].dictIds[i])))
				return false;
	return true;
}
