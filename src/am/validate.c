/*-------------------------------------------------------------------------
 *
 * validate.c
 *		Check of an operator class, for amvalidate().
 *
 * A family of ours has, for each type it indexes, the operator that matches
 * an abstract_query and the ordering operator that gives the distance to one;
 * there are no support functions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/amvalidate.h"
#include "access/htup_details.h"
#include "catalog/pg_amop.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_opfamily.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/catcache.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"
#include "utils/syscache.h"

#include "am/am.h"

/* The family's name, palloc'd. */
static char *
name_of_family(Oid family)
{
	HeapTuple	tuple = SearchSysCache1(OPFAMILYOID, ObjectIdGetDatum(family));
	char	   *name;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for operator family %u", family);
	name = pstrdup(NameStr(((Form_pg_opfamily) GETSTRUCT(tuple))->opfname));
	ReleaseSysCache(tuple);
	return name;
}

/* Say what is wrong with a family; the result is what amvalidate() returns. */
static bool
complain(const char *family, const char *fault, Oid operator)
{
	if (OidIsValid(operator))
		ereport(INFO,
				(errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
				 errmsg("operator family \"%s\" of access method abstracts: operator %s %s",
						family, format_operator(operator), fault)));
	else
		ereport(INFO,
				(errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
				 errmsg("operator family \"%s\" of access method abstracts %s",
						family, fault)));
	return false;
}

/* One operator of the family. */
static bool
operator_is_valid(Form_pg_amop form, const char *family)
{
	bool		valid = true;
	bool		ordering = form->amopstrategy == ABST_STRATEGY_DISTANCE;

	if (form->amopstrategy < 1 || form->amopstrategy > ABST_NSTRATEGIES)
		return complain(family, "has an invalid strategy number",
						form->amopopr);

	if (ordering)
	{
		if (form->amoppurpose != AMOP_ORDER)
			valid = complain(family, "must be an ordering operator",
							 form->amopopr);
		else if (!opfamily_can_sort_type(form->amopsortfamily, FLOAT8OID))
			valid = complain(family, "must sort by a family for double precision",
							 form->amopopr);
	}
	else if (form->amoppurpose != AMOP_SEARCH)
		valid = complain(family, "must be a search operator", form->amopopr);

	if (!check_amop_signature(form->amopopr, ordering ? FLOAT8OID : BOOLOID,
							  form->amoplefttype, form->amoprighttype))
		valid = complain(family, "has a wrong signature", form->amopopr);
	return valid;
}

bool
abst_validate(Oid opclass)
{
	HeapTuple	tuple;
	Form_pg_opclass form;
	Oid			family;
	char	   *family_name;
	CatCList   *operators;
	CatCList   *functions;
	List	   *groups;
	ListCell   *cell;
	bool		complete = false;
	bool		valid = true;

	tuple = SearchSysCache1(CLAOID, ObjectIdGetDatum(opclass));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for operator class %u", opclass);
	form = (Form_pg_opclass) GETSTRUCT(tuple);
	family = form->opcfamily;
	family_name = name_of_family(family);

	operators = SearchSysCacheList1(AMOPSTRATEGY, ObjectIdGetDatum(family));
	functions = SearchSysCacheList1(AMPROCNUM, ObjectIdGetDatum(family));

	for (int i = 0; i < operators->n_members; i++)
	{
		HeapTuple	member = &operators->members[i]->tuple;

		if (!operator_is_valid((Form_pg_amop) GETSTRUCT(member), family_name))
			valid = false;
	}
	if (functions->n_members > 0)
		valid = complain(family_name, "must not have support functions",
						 InvalidOid);

	/* Each type the family knows needs both operators. */
	groups = identify_opfamily_groups(operators, functions);
	foreach(cell, groups)
	{
		OpFamilyOpFuncGroup *group = lfirst(cell);
		uint64		needed = (UINT64CONST(1) << ABST_STRATEGY_MATCH) |
			(UINT64CONST(1) << ABST_STRATEGY_DISTANCE);

		if ((group->operatorset & needed) != needed)
			valid = complain(family_name, "lacks an operator for one of its types",
							 InvalidOid);
		else if (group->lefttype == form->opcintype)
			complete = true;
	}
	if (!complete)
		valid = complain(family_name, "lacks operators for the type of its operator class",
						 InvalidOid);

	ReleaseCatCacheList(functions);
	ReleaseCatCacheList(operators);
	ReleaseSysCache(tuple);
	return valid;
}
