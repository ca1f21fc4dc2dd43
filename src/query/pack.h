/*-------------------------------------------------------------------------
 *
 * pack.h
 *		The content of an abstract_query value, in memory and in bytes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_QUERY_PACK_H
#define ABST_QUERY_PACK_H

#include "compat.h"
#include "lib/stringinfo.h"

#include "query/plan.h"
#include "query/query.h"

/* Everything a value holds.  What does not apply is empty or zero. */
typedef struct AbstContent
{
	AbstPlanKind kind;
	bool		bound;
	bool		vector;			/* LIKE: the source is a document's terms */
	const char *source;			/* the user's text; empty with "vector" */
	int			source_len;
	/* bound only; corpus.config is not used, the name is */
	const char *config;			/* qualified, quoted as an identifier */
	int			config_len;
	AbstCorpus	corpus;
	/* bound or vector: terms; bound search: nodes; LIKE: like_norm */
	AbstPlan	plan;
} AbstContent;

/* Deepest tree of nodes that is accepted from outside. */
#define ABST_MAX_DEPTH	512

/* ---- bytes (pack.c) ---- */

extern AbstQuery *abst_content_pack(const AbstContent *content);

/*
 * The content of a value; it points into the value.  Damaged bytes are an
 * ERRCODE_DATA_CORRUPTED error.
 */
extern void abst_content_unpack(AbstQuery *query, AbstContent *content);

/*
 * Is this content one that could have been made here?  Checks terms, nodes
 * and figures; everything else relies on it.
 */
extern bool abst_content_is_valid(AbstContent *content);

/* Are the parameters and totals of a corpus within bounds? */
extern bool abst_corpus_is_valid(const AbstCorpus *corpus);

/* ---- text (notation.c) ---- */

extern void abst_content_print(const AbstContent *content, StringInfo out);

/*
 * Read what abst_content_print writes.  False if the text does not end with
 * a valid note, so that all of it is the user's words; *content then is that
 * unbound search.  Points into "text", or is palloc'd.
 */
extern bool abst_content_read(const char *text, int len, AbstContent *content);

#endif							/* ABST_QUERY_PACK_H */
