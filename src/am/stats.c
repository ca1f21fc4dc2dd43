/*-------------------------------------------------------------------------
 *
 * stats.c
 *		Corpus statistics of an index, and binding a query to them.
 *
 * Every document that an index holds counts: those in segments, dead ones
 * included until a merge drops them, and those in the pending list.  Document
 * frequencies are read from the same directory as N, and from the same prefix
 * of the pending list, so no term is ever in more documents than there are.
 *
 * A partitioned index stands for the sum of its leaves.  Its parameters
 * (config, k1, b, weights) are those of its own options.
 *
 *-------------------------------------------------------------------------
 */
#include "am/stats.h"

#include "access/genam.h"
#include "access/relation.h"
#include "am/am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "index/pending.h"
#include "index/segment.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

/* How often to start again when flushes or merges get in between. */
#define STALE_RETRIES 100

/* One index (or leaf) while a query is bound to it. */
typedef struct LeafStats
{
	Relation	index;
	AbstDirectory directory;
	uint64		npending;		/* pending documents that count */
} LeafStats;

typedef struct BindState
{
	int			nleaves;
	LeafStats  *leaves;
	bool		stale;
} BindState;

Relation
abst_open_index(Oid index, LOCKMODE lockmode)
{
	Relation	rel = relation_open(index, lockmode);

	if (!abst_is_index(rel))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not an abstracts index",
						RelationGetRelationName(rel)),
				 errhint("Name an index made by CREATE INDEX ... USING abstracts.")));
	return rel;
}

Oid
abst_config_of_index(Oid index)
{
	Relation	rel = abst_open_index(index, AccessShareLock);
	AbstDirectory directory = {0};

	if (rel->rd_rel->relkind == RELKIND_INDEX)
		abst_meta_read(rel, &directory);
	relation_close(rel, NoLock);
	return directory.config;
}

/* Add the pending documents of a leaf to the corpus. */
static AbstRead
count_pending(LeafStats *leaf, AbstCorpus *corpus)
{
	AbstPendingWalk *walk = abst_pending_begin(leaf->index, &leaf->directory);
	AbstPendingDoc doc;
	AbstRead	result;

	leaf->npending = 0;
	while ((result = abst_pending_next(walk, &doc)) == ABST_READ_OK)
	{
		leaf->npending++;
		if (doc.isnull)
			continue;
		corpus->ndocs += 1;
		for (int f = 0; f < ABST_NFIELDS; f++)
			corpus->lengths[f] += doc.lengths.field[f];
	}
	abst_pending_end(walk);
	return result;
}

static AbstRead
count_leaf(LeafStats *leaf, AbstCorpus *corpus)
{
	abst_meta_read(leaf->index, &leaf->directory);
	for (int i = 0; i < leaf->directory.nsegments; i++)
	{
		AbstSegmentInfo *info = &leaf->directory.segments[i];

		corpus->ndocs += info->ndocs;
		for (int f = 0; f < ABST_NFIELDS; f++)
			corpus->lengths[f] += info->lengths[f];
	}
	return count_pending(leaf, corpus);
}

static AbstRead
df_in_segments(LeafStats *leaf, AbstPlanTerm *terms, int nterms)
{
	for (int i = 0; i < leaf->directory.nsegments; i++)
	{
		AbstSegment *segment;

		segment = abst_segment_borrow(leaf->index,
									  &leaf->directory.segments[i]);
		if (segment == NULL)
			return ABST_READ_STALE;
		for (int t = 0; t < nterms; t++)
		{
			AbstTermInfo info;
			AbstRead	result;

			CHECK_FOR_INTERRUPTS();
			result = abst_segment_lookup(segment, terms[t].lexeme,
										 terms[t].len, &info);
			if (result == ABST_READ_OK)
				terms[t].df += info.df;
			else if (result == ABST_READ_STALE)
			{
				abst_segment_forget(leaf->index);
				return result;
			}
		}
	}
	return ABST_READ_OK;
}

static AbstRead
df_in_pending(LeafStats *leaf, AbstPlanTerm *terms, int nterms)
{
	AbstPendingWalk *walk;
	AbstPendingDoc doc;
	AbstRead	result = ABST_READ_OK;
	AbstDocTerm *wanted = palloc(sizeof(AbstDocTerm) * Max(nterms, 1));
	AbstTf	   *tf = palloc(sizeof(AbstTf) * Max(nterms, 1));

	for (int t = 0; t < nterms; t++)
	{
		wanted[t].lexeme = terms[t].lexeme;
		wanted[t].len = terms[t].len;
	}
	walk = abst_pending_begin(leaf->index, &leaf->directory);
	for (uint64 i = 0; i < leaf->npending; i++)
	{
		result = abst_pending_next(walk, &doc);
		if (result != ABST_READ_OK)
			break;
		if (doc.isnull || !abst_pending_probe(&doc, wanted, nterms, tf))
			continue;
		for (int t = 0; t < nterms; t++)
			if (tf[t].all != 0)
				terms[t].df += 1;
	}
	abst_pending_end(walk);
	pfree(tf);
	pfree(wanted);
	return result == ABST_READ_END ? ABST_READ_OK : result;
}

/* AbstDfLookup: document frequencies over all leaves. */
static void
lookup_df(void *arg, AbstPlanTerm *terms, int nterms)
{
	BindState  *state = arg;

	for (int t = 0; t < nterms; t++)
		terms[t].df = 0;
	for (int i = 0; i < state->nleaves && !state->stale; i++)
		if (df_in_segments(&state->leaves[i], terms,
						   nterms) == ABST_READ_STALE ||
			df_in_pending(&state->leaves[i], terms, nterms) == ABST_READ_STALE)
			state->stale = true;
}

/* The index itself, or the leaves of a partitioned one, opened. */
static void
open_leaves(BindState *state, Relation rel)
{
	List	   *oids;
	ListCell   *lc;

	if (rel->rd_rel->relkind == RELKIND_INDEX)
	{
		state->leaves = palloc0(sizeof(LeafStats));
		state->leaves[state->nleaves++].index = rel;
		return;
	}
	oids = find_all_inheritors(RelationGetRelid(rel), AccessShareLock, NULL);
	state->leaves = palloc0(sizeof(LeafStats) * list_length(oids));
	foreach(lc, oids)
	{
		Relation	leaf = relation_open(lfirst_oid(lc), AccessShareLock);

		if (leaf->rd_rel->relkind == RELKIND_INDEX)
			state->leaves[state->nleaves++].index = leaf;
		else
			relation_close(leaf, NoLock);
	}
}

/* The index itself stays open. */
static void
close_leaves(BindState *state, Relation rel)
{
	for (int i = 0; i < state->nleaves; i++)
		if (state->leaves[i].index != rel)
			relation_close(state->leaves[i].index, NoLock);
	pfree(state->leaves);
}

/* Bind to an open index with its leaves; they are read, again if need be. */
static AbstQuery *
bind_to_leaves(AbstQuery *query, Relation rel, BindState *state)
{
	AbstQuery  *bound = NULL;

	for (int try = 0; bound == NULL; try++)
	{
		AbstCorpus	corpus = {0};

		if (try > STALE_RETRIES)
			ereport(ERROR,
					(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
					 errmsg("could not read the statistics of index \"%s\" because it is being reorganized",
							RelationGetRelationName(rel)),
					 errhint("Try again.")));
		CHECK_FOR_INTERRUPTS();
		corpus.config = abst_index_config(rel);
		corpus.k1 = abst_index_k1(rel);
		corpus.b = abst_index_b(rel);
		abst_index_weights(rel, corpus.weights);
		state->stale = false;
		for (int i = 0; i < state->nleaves && !state->stale; i++)
		{
			state->stale = count_leaf(&state->leaves[i],
									  &corpus) == ABST_READ_STALE;
			abst_options_check_frozen(state->leaves[i].index,
									  &state->leaves[i].directory);
		}
		if (state->stale)
			continue;
		bound = abst_query_bind(query, &corpus, lookup_df, state);
		if (state->stale)
			bound = NULL;
	}
	return bound;
}

/* ---- the memory ---- */

#define REMEMBERED 8
#define REMEMBERED_BYTES (4 * 1024 * 1024)	/* larger queries are not kept */

typedef struct Remembered
{
	AbstQuery  *query;			/* as given; NULL: slot is free */
	AbstQuery  *bound;
	Oid			index;
	uint64		version;		/* of the index's directory */
	AbstMoment	moment;
	uint64		used;
} Remembered;

static Remembered remembered[REMEMBERED];
static uint64 remembered_clock = 0;

void
abst_moment(AbstMoment *moment)
{
	memset(moment, 0, sizeof(AbstMoment));
	if (ActiveSnapshotSet())
	{
		Snapshot	snapshot = GetActiveSnapshot();

		moment->xmin = snapshot->xmin;
		moment->xmax = snapshot->xmax;
		moment->xcnt = snapshot->xcnt;
		moment->curcid = snapshot->curcid;
	}
}

/* Differs after every flush and merge of the index or of one of its leaves. */
static uint64
version_of_leaves(BindState *state)
{
	uint64		version = 0;

	for (int i = 0; i < state->nleaves; i++)
	{
		LeafStats  *leaf = &state->leaves[i];

		abst_meta_read(leaf->index, &leaf->directory);
		version = version * 31 + RelationGetRelid(leaf->index);
		version = version * 31 + leaf->directory.pending_last_id;
		for (int s = 0; s < leaf->directory.nsegments; s++)
			version = version * 31 + leaf->directory.segments[s].id;
	}
	return version;
}

/* The slot to use for a new entry: a free one or the longest unused. */
static Remembered *
oldest_slot(void)
{
	Remembered *oldest = &remembered[0];

	for (int i = 1; i < REMEMBERED; i++)
		if (remembered[i].used < oldest->used)
			oldest = &remembered[i];
	if (oldest->query)
		pfree(oldest->query);
	if (oldest->bound)
		pfree(oldest->bound);
	memset(oldest, 0, sizeof(Remembered));
	return oldest;
}

static AbstQuery *
copy_query(const AbstQuery *query, MemoryContext context)
{
	AbstQuery  *copy = MemoryContextAllocHuge(context, VARSIZE(query));

	memcpy(copy, query, VARSIZE(query));
	return copy;
}

/* Two equal queries, whole. */
static bool
same_query(const AbstQuery *a, const AbstQuery *b)
{
	return VARSIZE(a) == VARSIZE(b) && memcmp(a, b, VARSIZE(a)) == 0;
}

/* What is remembered of a key without "bound"; NULL if nothing is. */
static Remembered *
find_remembered(const Remembered *key, const AbstQuery *query)
{
	for (int i = 0; i < REMEMBERED; i++)
	{
		Remembered *slot = &remembered[i];

		if (slot->query != NULL && slot->index == key->index &&
			slot->version == key->version &&
			memcmp(&slot->moment, &key->moment, sizeof(AbstMoment)) == 0 &&
			same_query(slot->query, query))
			return slot;
	}
	return NULL;
}

/* Allocate all before a slot changes: an error must leave it whole. */
static void
remember(Remembered *fresh, const AbstQuery *query, const AbstQuery *bound)
{
	if (VARSIZE(query) + VARSIZE(bound) > REMEMBERED_BYTES)
		return;
	fresh->query = copy_query(query, TopMemoryContext);
	fresh->bound = copy_query(bound, TopMemoryContext);
	fresh->used = ++remembered_clock;
	*oldest_slot() = *fresh;
}

AbstQuery  *
abst_bind_to_index(AbstQuery *query, Oid index)
{
	Remembered	fresh = {0};
	Remembered *known;
	BindState	state = {0};
	Relation	rel;
	AbstQuery  *bound;

	if (abst_query_is_bound(query))
		return query;
	rel = abst_open_index(index, AccessShareLock);
	open_leaves(&state, rel);
	fresh.index = index;
	fresh.version = version_of_leaves(&state);
	abst_moment(&fresh.moment);
	known = find_remembered(&fresh, query);
	if (known != NULL)
	{
		known->used = ++remembered_clock;
		bound = copy_query(known->bound, CurrentMemoryContext);
	}
	else
	{
		bound = bind_to_leaves(query, rel, &state);
		remember(&fresh, query, bound);
	}
	close_leaves(&state, rel);
	relation_close(rel, NoLock);
	return bound;
}
