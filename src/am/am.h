/*-------------------------------------------------------------------------
 *
 * am.h
 *		The access method: its callbacks, options and what they share.
 *
 * One stage of an index's life a file; this is what they show each other.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_AM_AM_H
#define ABST_AM_AM_H

#include "compat.h"

#include "access/amapi.h"
#include "access/genam.h"
#include "nodes/pathnodes.h"
#include "storage/lockdefs.h"
#include "utils/rel.h"

#include "index/meta.h"
#include "text/doc.h"

/* Strategies of the operator classes. */
#define ABST_STRATEGY_MATCH		1	/* column @~ abstract_query */
#define ABST_STRATEGY_DISTANCE	2	/* ORDER BY column <=> abstract_query */
#define ABST_NSTRATEGIES		2

/* Phases of a build, as pg_stat_progress_create_index shows them. */
#define ABST_PHASE_SCAN			2	/* 1 is the core's "initializing" */
#define ABST_PHASE_WRITE		3
#define ABST_PHASE_LOG			4

/* ---- options.c ---- */

/* Options of an index, as they stand in rd_options. */
typedef struct AbstOptions
{
	int32		vl_len_;		/* varlena header (do not touch directly!) */
	int			config;			/* offset of the name; 0: default */
	int			weights;		/* offset of the list; 0: default */
	float8		k1;
	float8		b;
} AbstOptions;

/* Register the options; called once when the library is loaded. */
extern void abst_options_init(void);

extern bytea *abst_options(Datum reloptions, bool validate);

/* Configuration that reads queries, and documents of a text column. */
extern Oid	abst_index_config(Relation index);
extern float8 abst_index_k1(Relation index);
extern float8 abst_index_b(Relation index);

/* Weights of the fields A to D. */
extern void abst_index_weights(Relation index, float8 *weights);

/* Is the column a text, rather than a tsvector? */
extern bool abst_index_reads_text(Relation index);

/*
 * Options that what the index holds depends on must be as they were when it
 * was built; else an error with the hint to REINDEX.
 */
extern void abst_options_check_frozen(Relation index,
									  const AbstDirectory *directory);

/* ---- handler.c ---- */

/* Is this an index of our access method? */
extern bool abst_is_index(Relation relation);

extern bool abst_property(Oid index, int attno, IndexAMProperty property,
						  const char *name, bool *result, bool *isnull);

/* ---- build.c ---- */

extern IndexBuildResult *abst_build(Relation heap, Relation index,
									struct IndexInfo *index_info);
extern void abst_buildempty(Relation index);
extern char *abst_buildphasename(int64 phase);

/* ---- insert.c ---- */

extern bool abst_insert(Relation index, Datum *values, bool *isnull,
						ItemPointer tid, Relation heap,
						IndexUniqueCheck check_unique, bool index_unchanged,
						struct IndexInfo *index_info);

/*
 * The document of a column's value that is not NULL.  "config" reads it when
 * "reads_text".  All in the current context; may point into the value.
 */
extern void abst_document(Datum value, bool reads_text, Oid config,
						  AbstDoc *doc);

/* ---- vacuum.c ---- */

extern IndexBulkDeleteResult *abst_bulkdelete(IndexVacuumInfo *info,
											  IndexBulkDeleteResult *stats,
											  IndexBulkDeleteCallback callback,
											  void *callback_state);
extern IndexBulkDeleteResult *abst_vacuumcleanup(IndexVacuumInfo *info,
												 IndexBulkDeleteResult *stats);

/* ---- validate.c ---- */

extern bool abst_validate(Oid opclass);

/* ---- maintain.c ---- */

/* Who may call a function on an index. */
typedef enum AbstRight
{
	ABST_RIGHT_MAINTAIN,		/* who may VACUUM its table */
	ABST_RIGHT_OWN,				/* the owner */
	ABST_RIGHT_READ				/* who may SELECT from its table */
} AbstRight;

/*
 * The index "relid", or the leaves of a partitioned one, as a list of Oids;
 * an error if it is no index of ours or the user lacks the right.
 */
extern List *abst_index_leaves(Oid relid, AbstRight right);

/*
 * Open a leaf and its table (that first), both locked; NULL when it was
 * dropped meanwhile.  Close both with abst_index_close, which keeps the locks
 * until the end of the transaction.
 */
extern Relation abst_index_open(Oid relid, LOCKMODE lockmode, Relation *heap);
extern void abst_index_close(Relation index, Relation heap);

/* ---- scan.c ---- */

extern IndexScanDesc abst_beginscan(Relation index, int nkeys, int norderbys);
extern void abst_rescan(IndexScanDesc scan, ScanKey keys, int nkeys,
						ScanKey orderbys, int norderbys);
extern bool abst_gettuple(IndexScanDesc scan, ScanDirection direction);
extern int64 abst_getbitmap(IndexScanDesc scan, TIDBitmap *bitmap);
extern void abst_endscan(IndexScanDesc scan);

/* ---- cost.c ---- */

/*
 * Cost of one call of a function or operator on a document and a query, or on
 * two documents.  False if nothing better than its COST is known.
 */
struct SupportRequestCost;
extern bool abst_call_cost(struct SupportRequestCost *req);

extern void abst_costestimate(struct PlannerInfo *root, struct IndexPath *path,
							  double loop_count, Cost *startup_cost,
							  Cost *total_cost, Selectivity *selectivity,
							  double *correlation, double *pages);

#endif							/* ABST_AM_AM_H */
