/*-------------------------------------------------------------------------
 *
 * compat.h
 *		Every test of the PostgreSQL version, in one place.
 *
 * The rest of the source is written against PostgreSQL 18's names; this
 * file supplies what an older server calls otherwise.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_COMPAT_H
#define ABST_COMPAT_H

#ifdef FRONTEND
#include "postgres_fe.h"
#else
#include "postgres.h"
#endif

#if PG_VERSION_NUM < 150000 || PG_VERSION_NUM >= 190000
#error "abstracts needs PostgreSQL 15, 16, 17 or 18"
#endif

/*
 * common/jsonapi.h: 16 lets the actions return an error, 17 lets the caller
 * own the lexer.
 */
#if PG_VERSION_NUM >= 160000
#define ABST_JSON_ACTION JsonParseErrorType
#define ABST_JSON_ACTION_RETURN return JSON_SUCCESS
#else
#define ABST_JSON_ACTION void
#define ABST_JSON_ACTION_RETURN return
#endif
#if PG_VERSION_NUM >= 170000
#define ABST_JSON_LEXER(json, len) \
	makeJsonLexContextCstringLen(NULL, (json), (len), PG_UTF8, true)
#define ABST_JSON_LEXER_FREE(lex) freeJsonLexContext(lex)
#else
#define ABST_JSON_LEXER(json, len) \
	makeJsonLexContextCstringLen((json), (len), PG_UTF8, true)
#define ABST_JSON_LEXER_FREE(lex) \
	(pfree((lex)->strval->data), pfree((lex)->strval), pfree(lex))
#endif

#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/* commands/vacuum.h: 18 tells ANALYZE apart. */
#if PG_VERSION_NUM >= 180000
#define abst_vacuum_delay_point()	vacuum_delay_point(false)
#else
#define abst_vacuum_delay_point()	vacuum_delay_point()
#endif

/* postmaster/autovacuum.h, miscadmin.h: is this an autovacuum worker? */
#if PG_VERSION_NUM >= 170000
#define abst_is_autovacuum()	AmAutoVacuumWorkerProcess()
#else
#define abst_is_autovacuum()	IsAutoVacuumWorkerProcess()
#endif

/* utils/acl.h: ownership of a relation. */
#if PG_VERSION_NUM >= 160000
#define abst_owns_relation(relid) \
	object_ownercheck(RelationRelationId, relid, GetUserId())
#else
#define abst_owns_relation(relid) \
	pg_class_ownercheck(relid, GetUserId())
#endif

/* utils/acl.h: 17 has a privilege for maintenance beside ownership. */
#if PG_VERSION_NUM >= 170000
#define abst_may_maintain(relid) \
	(pg_class_aclcheck(relid, GetUserId(), ACL_MAINTAIN) == ACLCHECK_OK)
#else
#define abst_may_maintain(relid)	abst_owns_relation(relid)
#endif

/* utils/guc.h: 17 has a function for running code of a table's owner. */
#if PG_VERSION_NUM >= 170000
#define abst_restrict_search_path()	RestrictSearchPath()
#else
#define abst_restrict_search_path() \
	((void) set_config_option("search_path", "pg_catalog, pg_temp", \
							  PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, \
							  true, 0, false))
#endif

/*
 * Workers for an index build, as the planner counts them.  17 asks it for
 * every access method that says it can use them, before only for B-trees.
 */
#if PG_VERSION_NUM >= 170000
#define ABST_HAVE_AMCANBUILDPARALLEL
#define abst_planned_workers(heap, index, info)	((info)->ii_ParallelWorkers)
#else
#define abst_planned_workers(heap, index, info) \
	plan_create_index_workers(RelationGetRelid(heap), RelationGetRelid(index))
#endif

/* fmgr.h: 18 lets a module name itself. */
#if PG_VERSION_NUM >= 180000
#define ABST_MODULE_MAGIC(version_) \
	PG_MODULE_MAGIC_EXT(.name = "abstracts", .version = version_)
#else
#define ABST_MODULE_MAGIC(version_)	PG_MODULE_MAGIC
#endif

/* 18 has range table entries for GROUP BY. */
#if PG_VERSION_NUM >= 180000
#define ABST_HAVE_RTE_GROUP
#endif

/* Count an index scan: statistics, and since 18 EXPLAIN ANALYZE. */
#if PG_VERSION_NUM >= 180000
#define abst_count_index_scan(scan) \
	do { \
		pgstat_count_index_scan((scan)->indexRelation); \
		if ((scan)->instrument) \
			(scan)->instrument->nsearches++; \
	} while (0)
#else
#define abst_count_index_scan(scan) \
	pgstat_count_index_scan((scan)->indexRelation)
#endif

/* storage/relfilelocator.h: relfilenode.h before 16. */
#if PG_VERSION_NUM >= 160000
#define AbstLocator RelFileLocator
#define AbstLocatorEquals(a, b) RelFileLocatorEquals(a, b)
#define AbstRelationLocator(rel) ((rel)->rd_locator)
#else
#define AbstLocator RelFileNode
#define AbstLocatorEquals(a, b) RelFileNodeEquals(a, b)
#define AbstRelationLocator(rel) ((rel)->rd_node)
#endif

/* A qualified name as a list; an error if it is none (utils/regproc.h). */
#if PG_VERSION_NUM >= 160000
#define abst_name_list(name)	stringToQualifiedNameList((name), NULL)
#else
#define abst_name_list(name)	stringToQualifiedNameList(name)
#endif

/* 18 has the prefix pg_noreturn in place of this suffix. */
#if PG_VERSION_NUM >= 180000
#define pg_attribute_noreturn() __attribute__((noreturn))
#endif

#endif							/* ABST_COMPAT_H */
