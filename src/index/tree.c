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
};

uint32
abst_tree_window_size(AbstScan *scan)
{
	Size		bytes = Min((Size) work_mem * 256, TREE_MATRIX_BYTES);
	uint32		rows = bytes / (sizeof(uint32) * Max(scan->ncolumns, 1));

	rows = Min(rows, TREE_MAX_WINDOW);
	return Max(rows - rows % ABST_WINDOW_UNIT, ABST_WINDOW_UNIT);
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
}

/* Enter a term's postings of the window into its column. */
static AbstRead
fill_column(AbstScan *scan, AbstCursor *cursor)
{
	uint32	   *column = scan->tree_state->matrix +
	scan->plans[cursor->plan].first_column + cursor->term;
	uint32		end = scan->base + scan->size;

	while (cursor->pos < cursor->n && cursor->docids[cursor->pos] < end)
	{
		AbstRead	result;

		for (; cursor->pos < cursor->n && cursor->docids[cursor->pos] < end;
			 cursor->pos++)
		{
			uint32		i = cursor->docids[cursor->pos] - scan->base;

			column[i * scan->ncolumns] = cursor->codes[cursor->pos] + 1;
			abst_scan_set_bit(scan->touched, i);
		}
		if (cursor->pos < cursor->n)
			break;
		result = abst_cursor_refill(cursor);
		if (result != ABST_READ_OK)
			return result;
	}
	return ABST_READ_OK;
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

	if (!abst_scan_dead(scan, i))
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
	AbstRead	result = ABST_READ_OK;

	memset(scan->touched, 0, scan->window / 8);
	for (int c = 0; c < scan->ncursors && result == ABST_READ_OK; c++)
		result = fill_column(scan, &scan->cursors[c]);
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
