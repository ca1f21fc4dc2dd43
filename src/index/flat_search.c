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
 * An accumulator holds -0.0 until its document is touched: no sum of parts is
 * -0.0, and -0.0 + part is the part, as it is for abst_score's first sum.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "miscadmin.h"
#include "utils/float.h"
#include "utils/memutils.h"

#include "index/flat.h"

/* The table: frequencies 1 .. 8, lengths below 1024. */
#define TABLE_TFS 8
#define TABLE_LENGTHS 1024
#define TABLE_CODES 16			/* a power of two */

/* Postings of a query that make it worth to fill the table anew. */
#define TABLE_WORTH 8192

#define ABSENT (-0.0)

struct AbstFlatSearch
{
	double	   *score;			/* of the window's documents, or ABSENT */
	double	   *weight;			/* of each plan term: boost * idf */
	double	   *value;			/* of each code: weighted frequency */
	int			nfields;		/* fields with a length and a weight */
	double		field_weight[ABST_NFIELDS];
	const uint16 *length[ABST_NFIELDS]; /* of the window's documents */

	/* codes below this (a power of two, or 0) have a row in the table */
	uint32		table_codes;
	uint32		row[TABLE_CODES];
	bool		use_table;		/* in this window */
};

/* wtf / (wtf + saturation) for a single field; kept from query to query. */
static struct
{
	bool		filled;
	double		k_base;
	double		k_slope;
	double		weight;
	double		factor[TABLE_TFS * TABLE_LENGTHS];
}			table;

static bool accumulators_clean = false;

static inline bool
is_absent(double score)
{
	uint64		bits;

	memcpy(&bits, &score, sizeof(bits));
	return bits == UINT64CONST(0x8000000000000000);
}

/*
 * Accumulators are kept from query to query, all ABSENT, so that a rare term
 * need not pay for them.  A pass that ends early leaves them as they are.
 */
static double *
take_accumulators(uint32 n)
{
	static double *kept = NULL;

	if (kept == NULL)
		kept = MemoryContextAlloc(TopMemoryContext, sizeof(double) * n);
	if (!accumulators_clean)
		for (uint32 i = 0; i < n; i++)
			kept[i] = ABSENT;
	accumulators_clean = false;
	return kept;
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

	search->score = take_accumulators(scan->window);
	search->weight = palloc0(sizeof(double) * Max(plan->nterms, 1));
	for (int n = 0; n < plan->nnodes; n++)
	{
		const AbstNode *node = &plan->nodes[n];

		if (node->kind == ABST_NODE_TERM)
			search->weight[node->term] = node->boost *
				plan->terms[node->term].idf;
	}
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
	uint32		usable = TABLE_CODES;

	if (!table.filled || table.k_base != plan->k_base ||
		table.k_slope != plan->k_slope || table.weight != weight)
	{
		if (scan->sum_df < TABLE_WORTH)
			return 0;
		fill_table(plan, weight);
	}
	for (n = 0; n < TABLE_CODES && n < scan->ncodes; n++)
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

/* ---- lengths ---- */

/*
 * Lengths of the window, unless so few are needed that each is read alone.
 */
AbstRead
abst_flat_search_window(AbstScan *scan)
{
	AbstFlatSearch *search = scan->flat_state->search;
	uint32		longest;
	AbstRead	result;

	result = abst_scan_lengths(scan, search->length, &longest);
	search->use_table = search->table_codes > 0 && longest < TABLE_LENGTHS;
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
 * Add postings of one term.  "from_table" and "listing" are constants once
 * this is inlined.
 */
static pg_attribute_always_inline void
add_postings(AbstScan *scan, const uint32 *docids, const uint32 *codes, int n,
			 double weight, const bool from_table, const bool listing)
{
	AbstFlat   *flat = scan->flat_state;
	AbstFlatSearch *search = flat->search;
	double	   *score = search->score;
	const uint16 *length = search->length[0];
	const uint32 base = scan->base;
	uint32	   *list = flat->list;
	uint32		nlist = flat->nlist;

	for (int p = 0; p < n; p++)
	{
		uint32		i = docids[p] - base;
		double		old = score[i];
		double		part;

		if (from_table)
			part = weight * table.factor[search->row[codes[p]] + length[i]];
		else
			part = abst_bm25_part(weight, search->value[codes[p]],
								  saturation_of(search, flat->plan, i));
		if (listing)
		{
			list[nlist] = i;
			nlist += is_absent(old);
		}
		score[i] = old + part;
	}
	flat->nlist = nlist;
}

/* Are all codes of the postings below a power of two? */
static bool
codes_below(const uint32 *codes, int n, uint32 limit)
{
	uint32		seen = 0;

	for (int p = 0; p < n; p++)
		seen |= codes[p];
	return seen < limit;
}

AbstRead
abst_flat_search_add(AbstScan *scan, AbstCursor *cursor, int end)
{
	AbstFlat   *flat = scan->flat_state;
	AbstFlatSearch *search = flat->search;
	const uint32 *docids = cursor->docids + cursor->pos;
	const uint32 *codes = cursor->codes + cursor->pos;
	int			n = end - cursor->pos;
	double		weight = search->weight[cursor->term];

	if (search->use_table && codes_below(codes, n, search->table_codes))
	{
		if (flat->listing)
			add_postings(scan, docids, codes, n, weight, true, true);
		else
			add_postings(scan, docids, codes, n, weight, true, false);
	}
	else if (flat->listing)
		add_postings(scan, docids, codes, n, weight, false, true);
	else
		add_postings(scan, docids, codes, n, weight, false, false);
	return ABST_READ_OK;
}

/* ---- offering ---- */

/* The least score that is not yet too far away. */
static inline double
least_score(const AbstFlat *flat)
{
	return flat->best ? -flat->best->limit : -get_float8_infinity();
}

static inline AbstRead
offer_score(AbstScan *scan, uint32 i, double score)
{
	return abst_flat_offer(scan, i,
						   abst_distance_of_score(scan->flat_state->plan,
												  score));
}

static AbstRead
offer_listed(AbstScan *scan)
{
	AbstFlat   *flat = scan->flat_state;
	double	   *score = flat->search->score;
	double		least = least_score(flat);
	AbstRead	result = ABST_READ_OK;

	for (uint32 n = 0; n < flat->nlist; n++)
	{
		uint32		i = flat->list[n];

		if (score[i] >= least && result == ABST_READ_OK)
		{
			result = offer_score(scan, i, score[i]);
			least = least_score(flat);
		}
		score[i] = ABSENT;
	}
	return result;
}

#define GROUP 16				/* documents looked at together */

/* Does any of a group reach the least score? */
static inline bool
group_reaches(const double *score, double least)
{
	int			reached = 0;

	for (int i = 0; i < GROUP; i++)
		reached |= (score[i] >= least);
	return reached != 0;
}

static AbstRead
offer_all(AbstScan *scan)
{
	AbstFlat   *flat = scan->flat_state;
	double	   *score = flat->search->score;
	double		least = least_score(flat);
	AbstRead	result = ABST_READ_OK;

	for (uint32 first = 0; first < scan->size; first += GROUP)
	{
		double	   *group = score + first;

		if (group_reaches(group, least))
			for (uint32 i = 0; i < GROUP && result == ABST_READ_OK; i++)
				if (group[i] >= least && !is_absent(group[i]))
				{
					result = offer_score(scan, first + i, group[i]);
					least = least_score(flat);
				}
		for (uint32 i = 0; i < GROUP; i++)
			group[i] = ABSENT;
	}
	return result;
}

AbstRead
abst_flat_search_offer(AbstScan *scan)
{
	return scan->flat_state->listing ? offer_listed(scan) : offer_all(scan);
}
