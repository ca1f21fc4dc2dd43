/*-------------------------------------------------------------------------
 *
 * pack.c
 *		The bytes of an abstract_query value.
 *
 * A value is a sequence of fields without padding, in the server's byte
 * order, read and written from the front:
 *
 *		uint8		version
 *		uint8		flags
 *		uint32		source length, source
 *	bound:
 *		uint16		length of the configuration's name, name
 *		AbstCorpus without its config (all float8)
 *	bound or vector:
 *		float8		like_norm
 *		uint32		number of terms; each: uint8 length, uint32 tf,
 *					float8 df, lexeme
 *		uint32		number of nodes; each: uint8 kind, uint16 offset,
 *					uint32 span, uint32 term, float8 boost
 *
 * Reading checks every length against the value's end and the nodes for
 * being a tree, so a damaged value is an error and nothing worse.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <math.h>

#include "miscadmin.h"

#include "query/pack.h"
#include "query/tree.h"
#include "query/weights.h"
#include "text/lexemes.h"

#define PACK_VERSION	1

#define FLAG_LIKE		0x01
#define FLAG_VECTOR		0x02
#define FLAG_BOUND		0x04
#define FLAG_ALL		0x07

/* A name of a schema and of a configuration, each in quotes, doubled. */
#define MAX_CONFIG		1024

/* Bytes of a term without its lexeme, and of a node. */
#define TERM_BYTES		(1 + 4 + 8)
#define NODE_BYTES		(1 + 2 + 4 + 4 + 8)

/* ---- writing ---- */

static inline char *
put(char *at, const void *bytes, Size n)
{
	memcpy(at, bytes, n);
	return at + n;
}

static inline char *
put_double(char *at, double value)
{
	return put(at, &value, sizeof(value));
}

static inline char *
put_uint32(char *at, uint32 value)
{
	return put(at, &value, sizeof(value));
}

static char *
put_corpus(char *at, const AbstCorpus *corpus)
{
	at = put_double(at, corpus->k1);
	at = put_double(at, corpus->b);
	at = put(at, corpus->weights, sizeof(corpus->weights));
	at = put_double(at, corpus->ndocs);
	return put(at, corpus->lengths, sizeof(corpus->lengths));
}

static char *
put_plan(char *at, const AbstPlan *plan)
{
	at = put_double(at, plan->like_norm);
	at = put_uint32(at, plan->nterms);
	for (int i = 0; i < plan->nterms; i++)
	{
		const AbstPlanTerm *term = &plan->terms[i];
		uint8		len = term->len;

		at = put(at, &len, 1);
		at = put_uint32(at, term->tf.all);
		at = put_double(at, term->df);
		at = put(at, term->lexeme, term->len);
	}
	at = put_uint32(at, plan->nnodes);
	for (int i = 0; i < plan->nnodes; i++)
	{
		const AbstNode *node = &plan->nodes[i];
		uint16		offset = node->offset;

		at = put(at, &node->kind, 1);
		at = put(at, &offset, 2);
		at = put_uint32(at, node->span);
		at = put_uint32(at, node->term);
		at = put_double(at, node->boost);
	}
	return at;
}

static Size
packed_size(const AbstContent *content)
{
	Size		size = VARHDRSZ + 2 + 4 + content->source_len;

	if (content->bound)
		size += 2 + content->config_len +
			(3 + 2 * ABST_NFIELDS) * sizeof(float8);
	if (content->bound || content->vector)
	{
		size += 8 + 4 + 4;
		size += (Size) content->plan.nterms * TERM_BYTES;
		for (int i = 0; i < content->plan.nterms; i++)
			size += content->plan.terms[i].len;
		size += (Size) content->plan.nnodes * NODE_BYTES;
	}
	return size;
}

AbstQuery *
abst_content_pack(const AbstContent *content)
{
	Size		size = packed_size(content);
	AbstQuery  *query;
	char	   *at;
	uint8		head[2];

	if (!AllocSizeIsValid(size))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("abstract_query value is too long"),
				 errdetail("It would take %zu bytes.", size)));
	query = palloc(size);
	SET_VARSIZE(query, size);
	head[0] = PACK_VERSION;
	head[1] = (content->kind == ABST_PLAN_LIKE ? FLAG_LIKE : 0) |
		(content->vector ? FLAG_VECTOR : 0) | (content->bound ? FLAG_BOUND : 0);
	at = put(query->data, head, 2);
	at = put_uint32(at, content->source_len);
	at = put(at, content->source, content->source_len);
	if (content->bound)
	{
		uint16		len = content->config_len;

		at = put(at, &len, 2);
		at = put(at, content->config, len);
		at = put_corpus(at, &content->corpus);
	}
	if (content->bound || content->vector)
		at = put_plan(at, &content->plan);
	Assert(at == (char *) query + size);
	return query;
}

/* ---- reading ---- */

typedef struct Cursor
{
	const char *at;
	const char *end;
} Cursor;

static void
corrupted(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("abstract_query value is damaged")));
}

/* The next n bytes, which lie within the value. */
static const char *
take(Cursor *cursor, Size n)
{
	const char *at = cursor->at;

	if ((Size) (cursor->end - at) < n)
		corrupted();
	cursor->at += n;
	return at;
}

static void
take_into(Cursor *cursor, void *target, Size n)
{
	memcpy(target, take(cursor, n), n);
}

static uint32
take_uint32(Cursor *cursor)
{
	uint32		value;

	take_into(cursor, &value, sizeof(value));
	return value;
}

/* A count of things that take at least "each" bytes. */
static uint32
take_count(Cursor *cursor, Size each)
{
	uint32		n = take_uint32(cursor);

	if (n > (Size) (cursor->end - cursor->at) / each)
		corrupted();
	return n;
}

static void
take_plan(Cursor *cursor, AbstPlan *plan)
{
	take_into(cursor, &plan->like_norm, sizeof(float8));
	plan->nterms = take_count(cursor, TERM_BYTES);
	plan->terms = palloc_extended((Size) Max(plan->nterms, 1) *
								  sizeof(AbstPlanTerm),
								  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int i = 0; i < plan->nterms; i++)
	{
		AbstPlanTerm *term = &plan->terms[i];
		uint8		len;

		take_into(cursor, &len, 1);
		term->len = len;
		take_into(cursor, &term->tf.all, sizeof(uint32));
		take_into(cursor, &term->df, sizeof(float8));
		term->lexeme = take(cursor, len);
	}
	plan->nnodes = take_count(cursor, NODE_BYTES);
	plan->nodes = palloc_extended((Size) Max(plan->nnodes, 1) *
								  sizeof(AbstNode),
								  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int i = 0; i < plan->nnodes; i++)
	{
		AbstNode   *node = &plan->nodes[i];

		take_into(cursor, &node->kind, 1);
		take_into(cursor, &node->offset, 2);
		take_into(cursor, &node->span, sizeof(uint32));
		take_into(cursor, &node->term, sizeof(uint32));
		take_into(cursor, &node->boost, sizeof(float8));
	}
}

void
abst_content_unpack(AbstQuery *query, AbstContent *content)
{
	Cursor		cursor;
	uint8		head[2];

	memset(content, 0, sizeof(AbstContent));
	cursor.at = query->data;
	cursor.end = (char *) query + VARSIZE(query);
	take_into(&cursor, head, 2);
	if (head[0] != PACK_VERSION || (head[1] & ~FLAG_ALL) != 0)
		corrupted();
	content->kind = (head[1] & FLAG_LIKE) ? ABST_PLAN_LIKE : ABST_PLAN_SEARCH;
	content->vector = (head[1] & FLAG_VECTOR) != 0;
	content->bound = (head[1] & FLAG_BOUND) != 0;
	content->source_len = take_count(&cursor, 1);
	content->source = take(&cursor, content->source_len);
	if (content->bound)
	{
		uint16		len;
		AbstCorpus *corpus = &content->corpus;

		take_into(&cursor, &len, 2);
		content->config_len = len;
		content->config = take(&cursor, len);
		take_into(&cursor, &corpus->k1, sizeof(float8));
		take_into(&cursor, &corpus->b, sizeof(float8));
		take_into(&cursor, corpus->weights, sizeof(corpus->weights));
		take_into(&cursor, &corpus->ndocs, sizeof(float8));
		take_into(&cursor, corpus->lengths, sizeof(corpus->lengths));
	}
	content->plan.kind = content->kind;
	if (content->bound || content->vector)
		take_plan(&cursor, &content->plan);
	if (cursor.at != cursor.end || !abst_content_is_valid(content))
		corrupted();
}

bool
abst_query_is_bound(const AbstQuery *query)
{
	if (VARSIZE(query) < VARHDRSZ + 2 || query->data[0] != PACK_VERSION)
		corrupted();
	return (query->data[1] & FLAG_BOUND) != 0;
}

/* ---- validity ---- */

static inline bool
is_count(double value)
{
	return value >= 0 && value <= 1e15;
}

bool
abst_corpus_is_valid(const AbstCorpus *corpus)
{
	if (!(corpus->k1 >= 0 && corpus->k1 <= ABST_MAX_K1 &&
		  corpus->b >= 0 && corpus->b <= 1 && is_count(corpus->ndocs)))
		return false;
	for (int f = 0; f < ABST_NFIELDS; f++)
	{
		if (!(corpus->weights[f] >= 0 &&
			  corpus->weights[f] <= ABST_MAX_WEIGHT &&
			  is_count(corpus->lengths[f])))
			return false;
	}
	return true;
}

/* Terms sorted and unique, figures in range. */
static bool
terms_are_valid(const AbstContent *content)
{
	const AbstPlan *plan = &content->plan;

	for (int i = 0; i < plan->nterms; i++)
	{
		const AbstPlanTerm *term = &plan->terms[i];

		CHECK_FOR_INTERRUPTS();
		if (term->len > ABST_MAX_LEXEME ||
			!(term->df >= 0 && term->df <= content->corpus.ndocs))
			return false;
		if ((term->tf.all == 0) == (plan->kind == ABST_PLAN_LIKE))
			return false;
		if (i > 0 &&
			abst_lexeme_cmp(term[-1].lexeme, term[-1].len,
							term->lexeme, term->len) >= 0)
			return false;
	}
	return plan->like_norm >= 0 && plan->like_norm <= 1e15;
}

/* Is the node at "at" with all below it a tree that scoring understands? */
static bool
node_is_valid(const AbstPlan *plan, int at, int end, int depth, bool in_phrase)
{
	const AbstNode *node = &plan->nodes[at];
	int			nchildren = 0;
	int			child;

	check_stack_depth();
	if (node->span == 0 || node->span > end - at || depth > ABST_MAX_DEPTH)
		return false;
	end = at + node->span;
	if (node->kind == ABST_NODE_TERM)
		return node->span == 1 && node->term < plan->nterms &&
			node->boost > 0 && node->boost <= 1e15;
	/* words of a phrase may have several forms, nothing more */
	if (in_phrase && node->kind != ABST_NODE_OR)
		return false;
	for (child = at + 1; child < end; child += plan->nodes[child].span)
	{
		CHECK_FOR_INTERRUPTS();
		if (in_phrase && plan->nodes[child].kind != ABST_NODE_TERM)
			return false;
		if (!node_is_valid(plan, child, end, depth + 1,
						   node->kind == ABST_NODE_PHRASE))
			return false;
		nchildren++;
	}
	switch (node->kind)
	{
		case ABST_NODE_PHRASE:
		case ABST_NODE_AND:
		case ABST_NODE_OR:
		case ABST_NODE_OPT:
			return nchildren > 0;
		case ABST_NODE_NOT:
			return nchildren == 1;
	}
	return false;
}

bool
abst_content_is_valid(AbstContent *content)
{
	AbstPlan   *plan = &content->plan;

	if (content->vector &&
		(content->kind != ABST_PLAN_LIKE || content->source_len > 0))
		return false;
	if (content->bound &&
		(content->config_len == 0 || content->config_len > MAX_CONFIG ||
		 !abst_corpus_is_valid(&content->corpus)))
		return false;
	if (!terms_are_valid(content))
		return false;
	if (plan->kind == ABST_PLAN_LIKE)
		return plan->nnodes == 0;
	if (plan->nnodes == 0)
		return plan->nterms == 0;
	return plan->nodes[0].span == plan->nnodes &&
		node_is_valid(plan, 0, plan->nnodes, 0, false);
}
