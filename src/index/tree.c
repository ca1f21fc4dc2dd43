/*-------------------------------------------------------------------------
 *
 * tree.c
 *		Evaluate any plans in a window: gather all frequencies, then judge.
 *
 * A matrix holds a row for each document of the window and a column for each
 * term of each plan: the posting's code plus one, zero where the term is
 * absent.  Each document touched becomes the evidence for the shared
 * functions, so trees, phrases, several keys and several conditions need no
 * arithmetic of their own here.
 *
 * Where documents without some term can be left out, its postings alone say
 * which rows are filled, and the other terms are looked up for these.
 *
 *-------------------------------------------------------------------------
 */
#include "index/evaluate.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"

/* The matrix stays in the second-level cache, or in a quarter of work_mem. */
#define TREE_MATRIX_BYTES (512 * 1024)
#define TREE_MAX_WINDOW 8192

struct AbstTree
{
	uint32	   *matrix;
	bool		needs_norms;
	int		   *nrequired;		/* terms each plan cannot match without */
	int		  **required;		/* their columns */
	int		   *rarest;			/* cursor of the rarest of them, or below */
};

#define NO_CURSOR	(-1)		/* the plan requires no term */
#define NO_MATCH	(-2)		/* the segment lacks a term it requires */

/* Enter the columns of the terms that a node cannot match without. */
static void
find_required(AbstScan *scan, int p, const AbstNode *node)
{
	AbstTree   *tree = scan->tree_state;
	const AbstNode *end = node + node->span;

	check_stack_depth();
	switch (node->kind)
	{
		case ABST_NODE_TERM:
			tree->required[p][tree->nrequired[p]++] =
				scan->plans[p].first_column + node->term;
			break;
		case ABST_NODE_OPT:
			find_required(scan, p, node + 1);
			break;
		case ABST_NODE_AND:
		case ABST_NODE_PHRASE:
			for (const AbstNode *child = node + 1; child < end;
				 child += child->span)
				find_required(scan, p, child);
			break;
		case ABST_NODE_OR:
			/* what stands alone is no choice */
			if (node->span > 1 && node[1].span == node->span - 1)
				find_required(scan, p, node + 1);
			break;
		default:
			break;
	}
}

static void
create_required(AbstScan *scan)
{
	AbstTree   *tree = scan->tree_state;

	tree->nrequired = palloc0(sizeof(int) * Max(scan->nplans, 1));
	tree->required = palloc0(sizeof(int *) * Max(scan->nplans, 1));
	tree->rarest = palloc0(sizeof(int) * Max(scan->nplans, 1));
	for (int p = 0; p < scan->nplans; p++)
	{
		const AbstPlan *plan = scan->plans[p].plan;

		tree->required[p] = palloc_extended(sizeof(int) * Max(plan->nnodes, 1),
											MCXT_ALLOC_HUGE);
		if (plan->kind == ABST_PLAN_SEARCH && plan->nnodes > 0)
			find_required(scan, p, plan->nodes);
	}
}

/* Has the document what the plan cannot match without? */
static inline bool
has_required(const AbstTree *tree, int p, const uint32 *row)
{
	for (int i = 0; i < tree->nrequired[p]; i++)
		if (row[tree->required[p][i]] == 0)
			return false;
	return true;
}

/*
 * Can documents be left out that the plan does not match?  Where a condition
 * asks for a match there is no row without, and where the plan orders they
 * have a score of 0.
 */
static bool
needs_match(AbstScan *scan, int p)
{
	const AbstSearch *search = scan->search;
	const AbstPlan *plan = scan->plans[p].plan;
	const float8 nothing = 0;

	for (int i = 0; i < search->nquals; i++)
		if (search->quals[i] == plan)
			return true;
	return search->norders == 1 && search->orders[0] == plan &&
		!abst_scan_admits(scan, &nothing, false);
}

static inline bool
may_be_left_out(AbstScan *scan, const uint32 *row)
{
	for (int p = 0; p < scan->nplans; p++)
		if (!has_required(scan->tree_state, p, row) && needs_match(scan, p))
			return true;
	return false;
}

uint32
abst_tree_window_size(AbstScan *scan)
{
	Size		bytes = Min((Size) work_mem * 256, TREE_MATRIX_BYTES);
	uint32		rows = bytes / (sizeof(uint32) * Max(scan->ncolumns, 1));

	rows = Min(rows, TREE_MAX_WINDOW);
	return Max(rows - rows % 64, 64);
}

void
abst_tree_create(AbstScan *scan)
{
	AbstTree   *tree = palloc0(sizeof(AbstTree));

	tree->matrix = palloc_extended(sizeof(uint32) * scan->window *
								   Max(scan->ncolumns, 1),
								   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int p = 0; p < scan->nplans; p++)
		if (scan->plans[p].plan->kind == ABST_PLAN_LIKE)
			tree->needs_norms = true;
	scan->lengths = palloc(sizeof(AbstLengths) * scan->window);
	scan->norms = palloc0(sizeof(float4) * scan->window);
	scan->tree_state = tree;
	create_required(scan);
}

static inline uint32 *
column_of(AbstScan *scan, const AbstCursor *cursor)
{
	return scan->tree_state->matrix +
		scan->plans[cursor->plan].first_column + cursor->term;
}

/*
 * Enter a term's postings of the window into its column: of all documents, or
 * only of those touched already.
 */
static AbstRead
fill_column(AbstScan *scan, AbstCursor *cursor, bool touched_only)
{
	uint32	   *column = column_of(scan, cursor);
	uint32		end = scan->base + scan->size;
	AbstRead	result = abst_cursor_catch_up(cursor, scan->base);

	while (result == ABST_READ_OK && cursor->pos < cursor->n &&
		   cursor->docids[cursor->pos] < end)
	{
		for (; cursor->pos < cursor->n && cursor->docids[cursor->pos] < end;
			 cursor->pos++)
		{
			uint32		i = cursor->docids[cursor->pos] - scan->base;

			if (touched_only && !abst_scan_bit(scan->touched, i))
				continue;
			column[i * scan->ncolumns] = cursor->codes[cursor->pos] + 1;
			abst_scan_set_bit(scan->touched, i);
		}
		if (cursor->pos < cursor->n)
			break;
		result = abst_cursor_refill(cursor);
	}
	return result;
}

/* The same, looking up the documents touched. */
static AbstRead
look_up_column(AbstScan *scan, AbstCursor *cursor)
{
	uint32	   *column = column_of(scan, cursor);
	int			nblocks = cursor->nblocks;
	AbstRead	result = ABST_READ_OK;

	cursor->nblocks = 1;
	for (uint32 w = 0; w < scan->window / 64; w++)
		for (uint64 left = scan->touched[w];
			 left != 0 && result == ABST_READ_OK; left &= left - 1)
		{
			uint32		i = w * 64 + pg_rightmost_one_pos64(left);

			result = abst_cursor_catch_up(cursor, scan->base + i);
			if (result == ABST_READ_OK && cursor->n > 0 &&
				cursor->docids[cursor->pos] == scan->base + i)
				column[i * scan->ncolumns] = cursor->codes[cursor->pos] + 1;
		}
	cursor->nblocks = nblocks;
	return result;
}

/* A new segment: find the rarest term that each plan requires. */
void
abst_tree_begin(AbstScan *scan)
{
	AbstTree   *tree = scan->tree_state;
	int		   *cursor_of = palloc(sizeof(int) * Max(scan->ncolumns, 1));

	for (int column = 0; column < scan->ncolumns; column++)
		cursor_of[column] = NO_CURSOR;
	for (int c = 0; c < scan->ncursors; c++)
		cursor_of[scan->plans[scan->cursors[c].plan].first_column +
				  scan->cursors[c].term] = c;
	for (int p = 0; p < scan->nplans; p++)
	{
		tree->rarest[p] = NO_CURSOR;
		for (int i = 0; i < tree->nrequired[p]; i++)
		{
			int			c = cursor_of[tree->required[p][i]];

			if (c == NO_CURSOR)
			{
				tree->rarest[p] = NO_MATCH;
				break;
			}
			if (tree->rarest[p] == NO_CURSOR ||
				scan->cursors[c].df < scan->cursors[tree->rarest[p]].df)
				tree->rarest[p] = c;
		}
	}
	pfree(cursor_of);
}

/* The rarest term without which documents can be left out by now. */
static int
find_driver(AbstScan *scan)
{
	AbstTree   *tree = scan->tree_state;
	int			driver = NO_CURSOR;

	for (int p = 0; p < scan->nplans; p++)
	{
		if (tree->rarest[p] == NO_CURSOR || !needs_match(scan, p))
			continue;
		if (tree->rarest[p] == NO_MATCH)
			return NO_MATCH;
		if (driver == NO_CURSOR ||
			scan->cursors[tree->rarest[p]].df < scan->cursors[driver].df)
			driver = tree->rarest[p];
	}
	return driver;
}

/* Postings that are walked over in the time that one is looked up. */
#define LOOKUP_COST 64

/*
 * Fill the rows of the driver's documents.  What can be left out now can be so
 * ever after, so the next window is that of its next document.
 */
static AbstRead
fill_driven(AbstScan *scan, int driver)
{
	AbstCursor *rarest = &scan->cursors[driver];
	AbstRead	result = fill_column(scan, rarest, false);
	uint32		ntouched = 0;

	scan->done = rarest->n > 0 ? rarest->docids[rarest->pos] : scan->maxdoc;
	for (uint32 w = 0; w < scan->window / 64; w++)
		ntouched += pg_popcount64(scan->touched[w]);
	for (int c = 0; c < scan->ncursors && result == ABST_READ_OK; c++)
	{
		AbstCursor *cursor = &scan->cursors[c];
		double		here = (double) cursor->df * scan->size / scan->maxdoc;

		if (c == driver || ntouched == 0)
			continue;
		result = (double) ntouched * LOOKUP_COST < here ?
			look_up_column(scan, cursor) : fill_column(scan, cursor, true);
	}
	return result;
}

/* Lengths and norms of the window's documents. */
static AbstRead
load_measures(AbstScan *scan)
{
	AbstRead	result;

	result = abst_segment_lengths(scan->segment, scan->base, scan->size,
								  scan->lengths);
	if (result == ABST_READ_OK && scan->tree_state->needs_norms)
		result = abst_segment_norms(scan->segment, scan->base, scan->size,
									scan->norms);
	return result;
}

/* Judge one touched document and empty its row of the matrix. */
static AbstRead
judge_document(AbstScan *scan, uint32 i)
{
	uint32	   *row = scan->tree_state->matrix + i * scan->ncolumns;
	float8		distance[ABST_MAX_KEYS];
	AbstRead	result = ABST_READ_OK;

	if (!abst_scan_dead(scan, i) && !may_be_left_out(scan, row))
	{
		for (int p = 0; p < scan->nplans; p++)
		{
			AbstPlanScan *ps = &scan->plans[p];

			ps->evidence.lengths = scan->lengths[i];
			ps->evidence.norm = scan->norms[i];
			for (int t = 0; t < ps->plan->nterms; t++)
			{
				uint32		code = row[ps->first_column + t];

				ps->evidence.tf[t].all = code ? scan->codes[code - 1].all : 0;
			}
		}
		if (abst_scan_judge(scan, distance) &&
			abst_scan_admits(scan, distance, false))
			result = abst_scan_row(scan, scan->base + i, distance);
	}
	memset(row, 0, sizeof(uint32) * scan->ncolumns);
	return result;
}

AbstRead
abst_tree_window(AbstScan *scan)
{
	bool		any = false;
	int			driver;
	AbstRead	result = ABST_READ_OK;

	memset(scan->touched, 0, scan->window / 8);
	driver = find_driver(scan);
	if (driver == NO_MATCH)
	{
		scan->done = scan->maxdoc;
		return ABST_READ_OK;
	}
	if (driver != NO_CURSOR)
		result = fill_driven(scan, driver);
	else
		for (int c = 0; c < scan->ncursors && result == ABST_READ_OK; c++)
			result = fill_column(scan, &scan->cursors[c], false);
	for (uint32 w = 0; w < scan->window / 64 && !any; w++)
		any = (scan->touched[w] != 0);
	if (result != ABST_READ_OK || !any)
		return result;

	result = load_measures(scan);
	for (uint32 w = 0; w < scan->window / 64 && result == ABST_READ_OK; w++)
	{
		CHECK_FOR_INTERRUPTS();
		for (uint64 left = scan->touched[w];
			 left != 0 && result == ABST_READ_OK; left &= left - 1)
			result = judge_document(scan, w * 64 +
									pg_rightmost_one_pos64(left));
	}
	for (int p = 0; p < scan->nplans; p++)
		memset(scan->plans[p].evidence.tf, 0,
			   sizeof(AbstTf) * scan->plans[p].plan->nterms);
	return result;
}
