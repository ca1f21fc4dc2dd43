/*-------------------------------------------------------------------------
 *
 * flat_search.c
 *		BM25F of a flat plan: one double for each document of the window.
 *
 * A part of the score is weight * (wtf / (wtf + saturation)), and the second
 * factor depends on frequency and length alone.  Where a segment has one
 * field, as a plain tsvector has, both are small whole numbers, and the
 * factor comes from a table that is kept from query to query; what does not
 * fit the table is computed, with the same result.
 *
 * How the documents that may be among the best are found depends on the
 * window.  As parts are not negative, a score that ends up high enough was
 * seen to be so when its last part was added; once k documents are known this
 * is tested with each addition ("crossing").  Until then, and where postings
 * outnumber documents, all documents of the window are looked at
 * ("sweeping").  Where there are few postings, those touched are listed
 * ("listing").
 *
 * An accumulator that no posting has touched is empty: 0 if all parts are
 * positive, else -0.0, which no sum of parts is.  Either of them + part is the
 * part, as it is for abst_score's first sum.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "miscadmin.h"
#include "utils/float.h"
#include "utils/memutils.h"

#include "index/flat.h"

/* The table: frequencies 1 .. 16, lengths below 1024. */
#define TABLE_TFS 16
#define TABLE_LENGTHS 1024

/* Postings of a query that make it worth to fill the table anew. */
#define TABLE_WORTH 8192

#if defined(__clang__)
#define FOR_EACH_POSTING(p, n) \
	_Pragma("clang loop unroll_count(4)") \
	for (int p = 0; p < (n); p++)
#elif defined(__GNUC__)
#define FOR_EACH_POSTING(p, n) \
	_Pragma("GCC unroll 4") \
	for (int p = 0; p < (n); p++)
#else
#define FOR_EACH_POSTING(p, n) \
	for (int p = 0; p < (n); p++)
#endif

/* Where the postings of a block get their factors. */
typedef enum FactorSource
{
	TABLE,
	TABLE_OR_COMPUTE,			/* some codes have no row */
	COMPUTE
} FactorSource;

/* wtf / (wtf + saturation) for a single field; kept from query to query. */
static struct
{
	bool		filled;
	double		k_base;
	double		k_slope;
	double		weight;
	double		factor[TABLE_TFS * TABLE_LENGTHS];
}			table;

/* ---- accumulators ---- */

/* Kept from query to query: a rare term need not pay for them. */
static double *accumulators = NULL;
static uint64 accumulators_empty;	/* all are, unless a pass ended early */
static bool accumulators_clean = false;

#define EMPTY_POSITIVE	UINT64CONST(0)
#define EMPTY_ANY		UINT64CONST(0x8000000000000000) /* -0.0 */

static inline bool
is_empty(double score, uint64 empty)
{
	uint64		bits;

	memcpy(&bits, &score, sizeof(bits));
	return bits == empty;
}

static inline double
empty_score(uint64 empty)
{
	double		score;

	memcpy(&score, &empty, sizeof(score));
	return score;
}

static void
empty_scores(double *score, uint32 n, uint64 empty)
{
	if (empty == EMPTY_POSITIVE)
		memset(score, 0, sizeof(double) * n);
	else
		for (uint32 i = 0; i < n; i++)
			score[i] = empty_score(empty);
}

static void
prepare_accumulators(AbstFlatSearch *search, uint32 n)
{
	if (accumulators == NULL)
		accumulators = MemoryContextAlloc(TopMemoryContext,
										  sizeof(double) * n);
	if (!accumulators_clean || accumulators_empty != search->empty)
		empty_scores(accumulators, n, search->empty);
	accumulators_empty = search->empty;
	accumulators_clean = false;
	search->score = accumulators;
}

void
abst_flat_search_finish(void)
{
	accumulators_clean = true;
}

void
abst_flat_search_create(AbstScan *scan)
{
	AbstFlatSearch *search = palloc0(sizeof(AbstFlatSearch));
	const AbstPlan *plan = scan->flat_state->plan;

	search->weight = palloc0(sizeof(double) * Max(plan->nterms, 1));
	search->empty = EMPTY_POSITIVE;
	for (int n = 0; n < plan->nnodes; n++)
	{
		const AbstNode *node = &plan->nodes[n];

		if (node->kind != ABST_NODE_TERM)
			continue;
		search->weight[node->term] = node->boost * plan->terms[node->term].idf;
		if (!(search->weight[node->term] > 1e-100))
			search->empty = EMPTY_ANY;
	}
	for (int f = 0; f < ABST_NFIELDS; f++)
		if (!(plan->weights[f] > 1e-100))
			search->empty = EMPTY_ANY;
	prepare_accumulators(search, scan->window);
	scan->flat_state->search = search;
}

/* ---- the table ---- */

static void
fill_table(const AbstPlan *plan, double weight)
{
	table.filled = false;
	table.k_base = plan->k_base;
	table.k_slope = plan->k_slope;
	table.weight = weight;
	for (int tf = 1; tf <= TABLE_TFS; tf++)
	{
		double	   *row = &table.factor[(tf - 1) * TABLE_LENGTHS];

		for (int length = 0; length < TABLE_LENGTHS; length++)
			row[length] = abst_saturated(weight * tf,
										 plan->k_base +
										 plan->k_slope * (weight * length));
	}
	table.filled = true;
}

/* Can the table serve this segment?  Then find the rows of its codes. */
static uint32
find_rows(AbstScan *scan, AbstFlatSearch *search, int field)
{
	const AbstPlan *plan = scan->flat_state->plan;
	double		weight = search->field_weight[0];
	uint32		n = 0;
	uint32		usable = ABST_TABLE_CODES;

	if (!table.filled || table.k_base != plan->k_base ||
		table.k_slope != plan->k_slope || table.weight != weight)
	{
		if (scan->sum_df < TABLE_WORTH)
			return 0;
		fill_table(plan, weight);
	}
	for (n = 0; n < ABST_TABLE_CODES && n < scan->ncodes; n++)
	{
		uint32		tf = scan->codes[n].field[field];

		if (tf == 0 || tf > TABLE_TFS)
			break;
		search->row[n] = (tf - 1) * TABLE_LENGTHS;
	}
	if (n < scan->ncodes)
		while (usable > n)
			usable /= 2;
	return usable;
}

void
abst_flat_search_segment(AbstScan *scan)
{
	AbstFlatSearch *search = scan->flat_state->search;
	const AbstPlan *plan = scan->flat_state->plan;
	int			field = 0;

	/* in the segment's context, which outlives its windows */
	search->value = palloc_extended(sizeof(double) * Max(scan->ncodes, 1),
									MCXT_ALLOC_HUGE);
	for (uint32 c = 0; c < scan->ncodes; c++)
		search->value[c] = abst_weighted_tf(plan, scan->codes[c]);
	search->nfields = 0;
	for (int f = 0; f < ABST_NFIELDS; f++)
		if (abst_segment_has_field(scan->segment, f))
		{
			field = f;
			search->field_weight[search->nfields++] = plan->weights[f];
		}
	search->table_codes = search->nfields == 1 ?
		find_rows(scan, search, field) : 0;
}

/* ---- windows ---- */

/* The least score that is not yet too far away. */
static inline double
least_score(const AbstFlat *flat)
{
	return flat->best ? -flat->best->limit : -get_float8_infinity();
}

AbstRead
abst_flat_search_window(AbstScan *scan)
{
	AbstFlatSearch *search = scan->flat_state->search;
	uint32		longest;
	AbstRead	result;

	result = abst_scan_lengths(scan, search->length, &longest);
	search->use_table = search->table_codes > 0 && longest < TABLE_LENGTHS;
	search->least = least_score(scan->flat_state);
	if (scan->flat_state->listing)
		search->mode = LISTING;
	else
		search->mode = search->least > 0 && !scan->flat_state->dense ?
			CROSSING : SWEEPING;
	return result;
}

/* ---- adding up ---- */

static pg_attribute_always_inline double
saturation_of(const AbstFlatSearch *search, const AbstPlan *plan, uint32 i)
{
	double		length = 0;

	for (int f = 0; f < search->nfields; f++)
		length += search->field_weight[f] * search->length[f][i];
	return plan->k_base + plan->k_slope * length;
}

/*
 * Add postings of one term.  "source" and "mode" are constants once this is
 * inlined.  A list that is full when CROSSING is given up; the window is
 * then swept.
 */
static pg_attribute_always_inline void
add_postings(AbstScan *scan, const uint32 *docids, const uint32 *codes, int n,
			 double weight, const FactorSource source, const SearchMode mode)
{
	AbstFlat   *flat = scan->flat_state;
	AbstFlatSearch *search = flat->search;
	double	   *score = search->score;
	const uint16 *length = search->length[0];
	const uint64 empty = search->empty;
	const double least = search->least;
	const uint32 base = scan->base;
	uint32	   *list = flat->list;
	uint32		nlist = flat->nlist;

	FOR_EACH_POSTING(p, n)
	{
		uint32		i = docids[p] - base;
		double		old = score[i];
		double		sum;

		if (source == TABLE ||
			(source == TABLE_OR_COMPUTE &&
			 likely(codes[p] < search->table_codes)))
			sum = old + weight *
				table.factor[search->row[codes[p]] + length[i]];
		else
			sum = old + abst_bm25_part(weight, search->value[codes[p]],
									   saturation_of(search, flat->plan, i));
		score[i] = sum;
		if (mode == LISTING)
		{
			list[nlist] = i;
			nlist += is_empty(old, empty);
		}
		else if (mode == CROSSING && unlikely(sum >= least))
			list[nlist++] = i;
	}
	flat->nlist = nlist;
}

double
abst_flat_search_part(AbstScan *scan, const AbstCursor *cursor, uint32 code,
					  uint32 i)
{
	AbstFlat   *flat = scan->flat_state;
	AbstFlatSearch *search = flat->search;

	return abst_bm25_part(search->weight[cursor->term], search->value[code],
						  saturation_of(search, flat->plan, i));
}

/* One function for each source, one loop in it for each mode. */
#define ADD_FUNCTION(name, source) \
static void \
name(AbstScan *scan, const uint32 *docids, const uint32 *codes, int n, \
	 double weight, SearchMode mode) \
{ \
	switch (mode) \
	{ \
		case LISTING: \
			add_postings(scan, docids, codes, n, weight, source, LISTING); \
			break; \
		case SWEEPING: \
			add_postings(scan, docids, codes, n, weight, source, SWEEPING); \
			break; \
		case CROSSING: \
			add_postings(scan, docids, codes, n, weight, source, CROSSING); \
			break; \
	} \
}

ADD_FUNCTION(add_from_table, TABLE)
ADD_FUNCTION(add_mixed, TABLE_OR_COMPUTE)
ADD_FUNCTION(add_computed, COMPUTE)

void
abst_flat_search_add(AbstScan *scan, AbstCursor *cursor, int end)
{
	AbstFlat   *flat = scan->flat_state;
	AbstFlatSearch *search = flat->search;
	const uint32 *docids = cursor->docids + cursor->pos;
	const uint32 *codes = cursor->codes + cursor->pos;
	int			n = end - cursor->pos;
	double		weight = search->weight[cursor->term];

	if (search->mode == CROSSING && flat->nlist + n > scan->window)
		search->mode = SWEEPING;
	if (!search->use_table)
		add_computed(scan, docids, codes, n, weight, search->mode);
	else if (cursor->code_limit >= search->table_codes)
		add_mixed(scan, docids, codes, n, weight, search->mode);
	else
		add_from_table(scan, docids, codes, n, weight, search->mode);
}

/* ---- offering ---- */

static inline AbstRead
offer_score(AbstScan *scan, uint32 i, double score)
{
	return abst_flat_offer(scan, i,
						   abst_distance_of_score(scan->flat_state->plan,
												  score));
}

/* Those listed, each once: what was looked at is empty. */
static AbstRead
offer_listed(AbstScan *scan)
{
	AbstFlat   *flat = scan->flat_state;
	double	   *score = flat->search->score;
	const uint64 empty = flat->search->empty;
	AbstRead	result = ABST_READ_OK;

	for (uint32 n = 0; n < flat->nlist; n++)
	{
		uint32		i = flat->list[n];

		if (score[i] >= least_score(flat) && !is_empty(score[i], empty) &&
			result == ABST_READ_OK)
			result = offer_score(scan, i, score[i]);
		score[i] = empty_score(empty);
	}
	return result;
}

static AbstRead
offer_all(AbstScan *scan)
{
	AbstFlat   *flat = scan->flat_state;
	double	   *score = flat->search->score;
	const uint64 empty = flat->search->empty;
	AbstRead	result = ABST_READ_OK;

	for (uint32 first = 0; first < scan->size; first += ABST_SCORE_GROUP)
	{
		if (!abst_scores_reach(score + first, least_score(flat)))
			continue;
		for (uint32 i = first; i < first + ABST_SCORE_GROUP &&
			 result == ABST_READ_OK;
			 i++)
			if (score[i] >= least_score(flat) && !is_empty(score[i], empty))
				result = offer_score(scan, i, score[i]);
	}
	return result;
}

AbstRead
abst_flat_search_offer(AbstScan *scan)
{
	AbstFlatSearch *search = scan->flat_state->search;
	AbstRead	result;

	result = search->mode == SWEEPING ? offer_all(scan) : offer_listed(scan);
	if (search->mode != LISTING)
		empty_scores(search->score, scan->size, search->empty);
	return result;
}
