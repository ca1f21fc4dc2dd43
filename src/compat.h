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

#include "postgres.h"

#if PG_VERSION_NUM < 150000 || PG_VERSION_NUM >= 190000
#error "abstracts needs PostgreSQL 15, 16, 17 or 18"
#endif

#if PG_VERSION_NUM >= 160000
#include "varatt.h"
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

/* utils/regproc.h: 16 can report a bad name instead of throwing. */
#if PG_VERSION_NUM >= 160000
#define abst_qualified_name(name)	stringToQualifiedNameList(name, NULL)
#else
#define abst_qualified_name(name)	stringToQualifiedNameList(name)
#endif

#endif							/* ABST_COMPAT_H */
