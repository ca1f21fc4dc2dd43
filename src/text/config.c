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
#include "catalog/pg_ts_config.h"
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

Oid
abst_extension_schema(void)
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
		Oid			schema = abst_extension_schema();

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
