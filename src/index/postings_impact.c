/*-------------------------------------------------------------------------
 *
 * postings_impact.c
 *		Impacts: the Pareto set of (weighted frequency, weighted length).
 *
 * See postings_impact.h.  Nothing here knows a page.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <math.h>

#include "index/postings_impact.h"

StaticAssertDecl(lengthof(((AbstDirFoot *) 0)->bounds) == ABST_MAX_IMPACTS,
				 "the directory foot holds a whole set of impacts");

/*
 * The bits of a number that a bound keeps: exponent and ten of mantissa,
 * re-biased.  Zero or less: too small.  *rest says if bits were lost.
 */
static int64
bound_bits(double value, bool *rest)
{
	union
	{
		float8		value;
		uint64		bits;
	}			u;

	u.value = value;
	*rest = (u.bits & ((UINT64CONST(1) << 42) - 1)) != 0;
	return (int64) (u.bits >> 42) - (int64) ABST_BOUND_BIAS;
}

uint16
abst_bound_up(double value)
{
	bool		rest;
	int64		bits;

	if (!(value > 0))
		return 0;
	bits = bound_bits(value, &rest);
	if (rest)
		bits++;
	return (uint16) Min(Max(bits, 1), PG_UINT16_MAX);
}

uint16
abst_bound_down(double value)
{
	bool		rest;
	int64		bits;

	if (!(value > 0))
		return 0;
	bits = bound_bits(value, &rest);
	return (uint16) Min(Max(bits, 0), PG_UINT16_MAX);
}

/*
 * Sums of counts weighted by multiples of 1/1024 need no rounding, so they
 * are the same whatever the order of adding.
 */
bool
abst_weighting_init(AbstWeighting *weighting, const float8 *weights)
{
	weighting->exact = true;
	for (int i = 0; i < ABST_NFIELDS; i++)
	{
		double		weight = weights[i];

		if (!(weight >= 0 && weight <= ABST_MAX_WEIGHT))
			return false;
		weighting->weights[i] = weight;
		if (rint(weight * 1024) != weight * 1024)
			weighting->exact = false;
	}
	return true;
}

/*
 * Where weights are not exact, another order of adding gives another sum:
 * allow for more than the difference can be.
 */
#define SUM_SLACK	1e-14

uint16
abst_bound_of_tf(const AbstWeighting *weighting, AbstTf tf)
{
	double		sum = 0;

	for (int i = 0; i < ABST_NFIELDS; i++)
		sum += weighting->weights[i] * tf.field[i];
	return abst_bound_up(weighting->exact ? sum : sum * (1 + SUM_SLACK));
}

uint16
abst_bound_of_lengths(const AbstWeighting *weighting, AbstLengths lengths)
{
	double		sum = 0;

	for (int i = 0; i < ABST_NFIELDS; i++)
		sum += weighting->weights[i] * lengths.field[i];
	return abst_bound_down(weighting->exact ? sum : sum * (1 - SUM_SLACK));
}

/*
 * Points stand in increasing order of both members: a larger frequency has a
 * place only at a larger length.
 */
void
abst_front_add(AbstFront *front, AbstBound point)
{
	int			from;
	int			to;

	/* the first point with at least this frequency */
	for (to = 0; to < front->n; to++)
	{
		if (front->points[to].wtf >= point.wtf)
			break;
	}
	if (to < front->n && front->points[to].wlen <= point.wlen)
		return;					/* bounded already */

	/* what the new point bounds: not above it, not shorter */
	if (to < front->n && front->points[to].wtf == point.wtf)
		to++;
	for (from = to; from > 0; from--)
	{
		if (front->points[from - 1].wlen < point.wlen)
			break;
	}

	if (from == to)
	{
		if (front->n == ABST_FRONT_ROOM)
		{
			abst_front_thin(front, ABST_FRONT_ROOM / 2);
			abst_front_add(front, point);
			return;
		}
		memmove(&front->points[from + 1], &front->points[from],
				(front->n - from) * sizeof(AbstBound));
		front->n++;
	}
	else if (to - from > 1)
	{
		memmove(&front->points[from + 1], &front->points[to],
				(front->n - to) * sizeof(AbstBound));
		front->n -= to - from - 1;
	}
	front->points[from] = point;
}

/*
 * Two neighbours merge into a point that bounds both.  Bounds are nearly
 * logarithms, so the sum of the differences is the factor that is lost.
 */
void
abst_front_thin(AbstFront *front, int room)
{
	AbstBound  *points = front->points;

	while (front->n > room)
	{
		int			best = 0;
		int			best_loss = PG_INT32_MAX;

		for (int i = 0; i + 1 < front->n; i++)
		{
			int			loss = (points[i + 1].wtf - points[i].wtf) +
				(points[i + 1].wlen - points[i].wlen);

			if (loss < best_loss)
			{
				best = i;
				best_loss = loss;
			}
		}
		points[best].wtf = points[best + 1].wtf;
		memmove(&points[best + 1], &points[best + 2],
				(front->n - best - 2) * sizeof(AbstBound));
		front->n--;
	}
}

void
abst_front_impacts(const AbstBound *points, int n, AbstImpact *impacts)
{
	for (int i = 0; i < n; i++)
	{
		impacts[i].wtf = abst_bound_value(points[i].wtf);
		impacts[i].wlen = abst_bound_value(points[i].wlen);
	}
}
