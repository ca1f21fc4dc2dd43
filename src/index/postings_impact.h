/*-------------------------------------------------------------------------
 *
 * postings_impact.h
 *		Impacts: the Pareto set of (weighted frequency, weighted length).
 *
 * A bound is a number of 16 bits: 6 of exponent, 10 of mantissa, no sign.
 * Bounds compare as the numbers they stand for; integers up to 2,048 are
 * exact; others are rounded up for frequencies and down for lengths, so a set
 * bounds every posting it was made from.  Weights are at most
 * ABST_MAX_WEIGHT, which keeps every value in range.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_POSTINGS_IMPACT_H
#define ABST_INDEX_POSTINGS_IMPACT_H

#include "index/format.h"
#include "index/segment.h"

#define ABST_MAX_WEIGHT 1e6

/* ---- bounds ---- */

/* Exponents -24 .. 39; the code 0 is the number 0. */
#define ABST_BOUND_BIAS ((uint64) (1023 - 24) << 10)

/* The least bound >= value, the greatest bound <= value; value >= 0. */
extern uint16 abst_bound_up(double value);
extern uint16 abst_bound_down(double value);

static inline float4
abst_bound_value(uint16 bound)
{
	union
	{
		uint64		bits;
		float8		value;
	}			u;

	if (bound == 0)
		return 0;
	u.bits = (bound + ABST_BOUND_BIAS) << 42;
	return (float4) u.value;
}

/* ---- weighting ---- */

/* Field weights, and whether sums of weighted counts are exact. */
typedef struct AbstWeighting
{
	float8		weights[ABST_NFIELDS];
	bool		exact;
} AbstWeighting;

/* False if the weights are none: negative, too large, not a number. */
extern bool abst_weighting_init(AbstWeighting *weighting, const float8 *weights);
extern uint16 abst_bound_of_tf(const AbstWeighting *weighting, AbstTf tf);
extern uint16 abst_bound_of_lengths(const AbstWeighting *weighting,
									AbstLengths lengths);

/* ---- sets ---- */

#define ABST_FRONT_ROOM 128

/* A Pareto set: both members of its points increase. */
typedef struct AbstFront
{
	int			n;
	AbstBound	points[ABST_FRONT_ROOM];
} AbstFront;

static inline void
abst_front_init(AbstFront *front)
{
	front->n = 0;
}

/* Add a point; a full set is thinned first, so it stays a bound. */
extern void abst_front_add(AbstFront *front, AbstBound point);

/* Merge neighbours, the closest first, until at most "room" are left. */
extern void abst_front_thin(AbstFront *front, int room);

/* As callers outside see it; at most ABST_MAX_IMPACTS points. */
extern void abst_front_impacts(const AbstBound *points, int n,
							   AbstImpact *impacts);

#endif							/* ABST_INDEX_POSTINGS_IMPACT_H */
