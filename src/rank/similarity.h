/*-------------------------------------------------------------------------
 *
 * similarity.h
 *		How alike two documents are.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_RANK_SIMILARITY_H
#define ABST_RANK_SIMILARITY_H

#include "compat.h"
#include "query/plan.h"
#include "rank/score.h"
#include "text/doc.h"

/* Similarity of the plan's document (LIKE) and the one in evidence. */
extern double abst_similarity_score(const AbstPlan *plan,
									const AbstEvidence *evidence);

/* What each shared term adds to it. */
extern void abst_similarity_explain(const AbstPlan *plan,
									const AbstEvidence *evidence,
									double *parts);

/*
 * Similarity of two documents without a corpus: what an unbound LIKE of
 * either gives for the other, to the last bit.
 */
extern double abst_similarity_of_docs(const AbstDoc *a, const AbstDoc *b);

#endif							/* ABST_RANK_SIMILARITY_H */
