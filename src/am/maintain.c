/*-------------------------------------------------------------------------
 *
 * maintain.c
 *		SQL functions for upkeep, and the opening of indexes given by name.
 *
 * They do what VACUUM does to an index, at once and for one index only; so
 * they ask for the same right.  On a partitioned index they work on all of
 * its leaves.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/index.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "tcop/utility.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"

#include "am/am.h"
#include "am/stats.h"
#include "index/upkeep.h"

PG_FUNCTION_INFO_V1(abst_flush_sql);
PG_FUNCTION_INFO_V1(abst_merge_sql);

/* Complain unless the user has the right on the index's table. */
static void
check_right(Oid relid, Oid table, AbstRight right)
{
	bool		has = false;

	switch (right)
	{
		case ABST_RIGHT_MAINTAIN:
			has = abst_may_maintain(table) || abst_owns_relation(table);
			break;
		case ABST_RIGHT_OWN:
			has = abst_owns_relation(table);
			break;
		case ABST_RIGHT_READ:
			has = pg_class_aclcheck(table, GetUserId(),
									ACL_SELECT) == ACLCHECK_OK;
			break;
	}
	if (has)
		return;
	if (right == ABST_RIGHT_READ)
		aclcheck_error(ACLCHECK_NO_PRIV,
					   get_relkind_objtype(get_rel_relkind(table)),
					   get_rel_name(table));
	aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_INDEX, get_rel_name(relid));
}

List	   *
abst_index_leaves(Oid relid, AbstRight right)
{
	char		relkind = get_rel_relkind(relid);
	char	   *name = get_rel_name(relid);
	Oid			table;
	List	   *members;
	List	   *leaves = NIL;
	ListCell   *cell;

	if (name == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("index with OID %u does not exist", relid)));
	if (relkind != RELKIND_INDEX && relkind != RELKIND_PARTITIONED_INDEX)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not an index", name),
				 errhint("Name an index of access method abstracts, not its table.")));
	table = IndexGetRelation(relid, false);
	check_right(relid, table, right);

	index_close(abst_open_index(relid, AccessShareLock), AccessShareLock);

	if (relkind == RELKIND_INDEX)
		return list_make1_oid(relid);
	members = find_all_inheritors(relid, AccessShareLock, NULL);
	foreach(cell, members)
	{
		if (get_rel_relkind(lfirst_oid(cell)) == RELKIND_INDEX)
			leaves = lappend_oid(leaves, lfirst_oid(cell));
	}
	list_free(members);
	return leaves;
}

Relation
abst_index_open(Oid relid, LOCKMODE lockmode, Relation *heap)
{
	Oid			table = IndexGetRelation(relid, true);
	Relation	index;

	*heap = OidIsValid(table) ? try_relation_open(table, lockmode) : NULL;
	if (*heap == NULL)
		return NULL;
	index = index_open(relid, lockmode);

	if (RELATION_IS_OTHER_TEMP(index))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot access temporary indexes of other sessions")));
	if (!index->rd_index->indisvalid)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("index \"%s\" is not valid",
						RelationGetRelationName(index)),
				 errhint("Rebuild the index with REINDEX.")));
	return index;
}

void
abst_index_close(Relation index, Relation heap)
{
	index_close(index, NoLock);
	relation_close(heap, NoLock);
}

/* abstracts_flush(regclass): documents flushed */
Datum
abst_flush_sql(PG_FUNCTION_ARGS)
{
	List	   *leaves;
	ListCell   *cell;
	int64		flushed = 0;

	PreventCommandIfReadOnly("abstracts_flush()");
	PreventCommandDuringRecovery("abstracts_flush()");
	leaves = abst_index_leaves(PG_GETARG_OID(0), ABST_RIGHT_MAINTAIN);
	foreach(cell, leaves)
	{
		Relation	heap;
		Relation	index = abst_index_open(lfirst_oid(cell),
											RowExclusiveLock, &heap);

		CHECK_FOR_INTERRUPTS();
		if (index == NULL)
			continue;
		flushed += abst_flush(index);
		abst_index_close(index, heap);
	}
	PG_RETURN_INT64(flushed);
}

/* abstracts_merge(regclass): merges done, 0 when there was nothing to gain */
Datum
abst_merge_sql(PG_FUNCTION_ARGS)
{
	List	   *leaves;
	ListCell   *cell;
	int64		merges = 0;

	PreventCommandIfReadOnly("abstracts_merge()");
	PreventCommandDuringRecovery("abstracts_merge()");
	leaves = abst_index_leaves(PG_GETARG_OID(0), ABST_RIGHT_MAINTAIN);
	foreach(cell, leaves)
	{
		Relation	heap;
		Relation	index = abst_index_open(lfirst_oid(cell),
											RowExclusiveLock, &heap);

		CHECK_FOR_INTERRUPTS();
		if (index == NULL)
			continue;
		abst_flush(index);
		merges += abst_merge(index, true);
		abst_reclaim(index);
		abst_index_close(index, heap);
	}
	PG_RETURN_INT64(merges);
}
