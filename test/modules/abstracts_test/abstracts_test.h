/*-------------------------------------------------------------------------
 *
 * abstracts_test.h
 *		What the test functions share: random numbers, complaints, the model.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABSTRACTS_TEST_H
#define ABSTRACTS_TEST_H

#include "compat.h"

#include "fmgr.h"
#include "index/codec.h"
#include "index/format.h"
#include "index/pending.h"
#include "index/postings_impact.h"
#include "index/segment.h"
#include "index/segment_impl.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"

/* Complain unless something holds. */
#define EXPECT(condition) \
	do { \
		if (!(condition)) \
			elog(ERROR, "%s:%d: expected %s", __func__, __LINE__, #condition); \
	} while (0)

/* ---- random numbers, the same everywhere ---- */

typedef struct Random
{
	uint64		state;
} Random;

extern void random_seed(Random *random, int32 seed);
extern uint64 random_bits(Random *random);
/* Below n. */
extern uint32 random_below(Random *random, uint32 n);

/* ---- a segment in memory ---- */

typedef struct ModelTerm
{
	char	   *lexeme;
	int			len;
	uint32		df;
	uint64		cf;
	uint32	   *docids;
	AbstTf	   *tfs;
} ModelTerm;

typedef struct Model
{
	uint32		ndocs;			/* NULL rows included */
	uint32		nnulls;
	ItemPointerData *tids;
	bool	   *isnull;
	AbstLengths *lengths;
	float4	   *norms;
	int			nterms;
	ModelTerm  *terms;			/* sorted, unique */
	uint32		ncodes;
	AbstTf	   *codes;			/* most frequent first */
} Model;

extern Model *model_make(int32 seed, uint32 ndocs, int nterms, int fields);
/* Distinct random lexemes, sorted; returns how many. */
extern int	model_lexemes(Random *random, int n, char **lexemes, int *lens);
extern AbstTf model_tf(Random *random, int fields);

extern void model_write(Relation rel, const Model *model, const float8 *weights,
						uint32 id, bool building, AbstSegmentInfo *info);

/* ---- relations ---- */

extern Relation test_open(Oid relid);
extern void test_close(Relation rel);

#endif							/* ABSTRACTS_TEST_H */
