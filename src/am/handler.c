/*-------------------------------------------------------------------------
 *
 * handler.c
 *		The handler of the access method: what it can do and who does it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/vacuum.h"
#include "fmgr.h"

#include "am/am.h"

PG_FUNCTION_INFO_V1(abst_handler);

/*
 * Fields that newer servers added (summarizing indexes, hashing, consistent
 * comparison, translation of strategies, cleanup after inserts) are right as
 * makeNode leaves them: false, or no function.
 */
Datum
abst_handler(PG_FUNCTION_ARGS)
{
	IndexAmRoutine *am = makeNode(IndexAmRoutine);

	am->amstrategies = ABST_NSTRATEGIES;
	am->amsupport = 0;
	am->amoptsprocnum = 0;
	am->amcanorder = false;
	am->amcanorderbyop = true;
	am->amcanbackward = false;
	am->amcanunique = false;
	am->amcanmulticol = false;
	am->amoptionalkey = true;
	am->amsearcharray = false;
	am->amsearchnulls = false;
	am->amstorage = false;
	am->amclusterable = false;
	am->ampredlocks = false;
	am->amcanparallel = false;
#ifdef ABST_HAVE_AMCANBUILDPARALLEL
	am->amcanbuildparallel = true;
#endif
	am->amcaninclude = false;
	am->amusemaintenanceworkmem = true;

	/*
	 * Giving back the tail takes a lock that a parallel worker must not take
	 * (it is logged for standbys under a transaction id).
	 */
	am->amparallelvacuumoptions = VACUUM_OPTION_NO_PARALLEL;
	am->amkeytype = InvalidOid;

	am->ambuild = abst_build;
	am->ambuildempty = abst_buildempty;
	am->aminsert = abst_insert;
	am->ambulkdelete = abst_bulkdelete;
	am->amvacuumcleanup = abst_vacuumcleanup;
	am->amcanreturn = NULL;
	am->amcostestimate = abst_costestimate;
	am->amoptions = abst_options;
	am->amproperty = abst_property;
	am->ambuildphasename = abst_buildphasename;
	am->amvalidate = abst_validate;
	am->amadjustmembers = NULL;
	am->ambeginscan = abst_beginscan;
	am->amrescan = abst_rescan;
	am->amgettuple = abst_gettuple;
	am->amgetbitmap = abst_getbitmap;
	am->amendscan = abst_endscan;
	am->ammarkpos = NULL;
	am->amrestrpos = NULL;
	am->amestimateparallelscan = NULL;
	am->aminitparallelscan = NULL;
	am->amparallelrescan = NULL;

	PG_RETURN_POINTER(am);
}

/*
 * The core knows all our properties but this one, which is up to the access
 * method: a column can be ordered by its distance to a query.
 */
bool
abst_property(Oid index, int attno, IndexAMProperty property,
			  const char *name, bool *result, bool *isnull)
{
	if (attno == 0 || property != AMPROP_DISTANCE_ORDERABLE)
		return false;
	*result = true;
	*isnull = false;
	return true;
}

bool
abst_is_index(Relation relation)
{
	return relation->rd_indam != NULL &&
		relation->rd_indam->ambuild == abst_build;
}
