/*-------------------------------------------------------------------------
 *
 * notation.c
 *		An abstract_query value as text that reads back to the same value.
 *
 * The text of a plain search is what the user wrote.  Any other value adds a
 * note to its source:
 *
 *		graph networks /＊abstract_query 1 search config 'public.abstracts'
 *		k1 1.2 b 0.75 weights 1,1,1,1 n 19 lengths 120,2800,0,0
 *		terms 'graph':4 'network':7 plan |(0 1)＊/
 *
 * (on one line, with plain asterisks).  "search" or "like" is the kind; "like
 * norm 12.5 terms 'graph':0,2,0,0 ..." is an unbound document, its terms with
 * their frequency in the fields A to D; a bound LIKE has df and frequencies,
 * 'graph':4:0,2,0,0.  The plan is written from the root: a number is a term,
 * with ^boost unless that is 1; | & ! ? and " with children in parentheses
 * are OR, AND, NOT, OPT and PHRASE, whose children carry @offset.
 *
 * Floats are written in their shortest exact form, so nothing is lost.  What
 * does not read as a valid note to the last byte is not one: then the whole
 * text is the user's words.  A search that ends as a note would gets a note
 * of its own, so that printing and reading always give the same value.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <math.h>

#include "common/shortest_dec.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "query/pack.h"
#include "query/tree.h"
#include "text/lexemes.h"

#define NOTE_BEGIN	"/*abstract_query 1 "
#define NOTE_END	"*/"

/* ---- printing ---- */

static void
print_double(StringInfo out, double value)
{
	char		buf[DOUBLE_SHORTEST_DECIMAL_LEN];

	double_to_shortest_decimal_buf(value, buf);
	appendStringInfoString(out, buf);
}

static void
print_doubles(StringInfo out, const char *name, const double *values, int n)
{
	appendStringInfo(out, " %s ", name);
	for (int i = 0; i < n; i++)
	{
		if (i > 0)
			appendStringInfoChar(out, ',');
		print_double(out, values[i]);
	}
}

/* In single quotes; the slash is escaped so that no note can be inside. */
static void
print_quoted(StringInfo out, const char *text, int len)
{
	appendStringInfoChar(out, '\'');
	for (int i = 0; i < len; i++)
	{
		if (text[i] == '\'' || text[i] == '\\' || text[i] == '/')
			appendStringInfoChar(out, '\\');
		appendStringInfoChar(out, text[i]);
	}
	appendStringInfoChar(out, '\'');
}

static void
print_terms(StringInfo out, const AbstContent *content)
{
	const AbstPlan *plan = &content->plan;

	appendStringInfoString(out, " terms");
	for (int i = 0; i < plan->nterms; i++)
	{
		const AbstPlanTerm *term = &plan->terms[i];

		CHECK_FOR_INTERRUPTS();
		appendStringInfoChar(out, ' ');
		print_quoted(out, term->lexeme, term->len);
		if (content->bound)
		{
			appendStringInfoChar(out, ':');
			print_double(out, term->df);
		}
		if (content->kind == ABST_PLAN_LIKE)
		{
			for (int f = 0; f < ABST_NFIELDS; f++)
				appendStringInfo(out, "%c%u", f == 0 ? ':' : ',',
								 term->tf.field[f]);
		}
	}
}

/* Children of a node in parentheses; only a phrase's have offsets. */
static void
print_node(StringInfo out, const AbstPlan *plan, int at, bool in_phrase)
{
	const AbstNode *node = &plan->nodes[at];
	int			end = at + node->span;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	switch (node->kind)
	{
		case ABST_NODE_TERM:
			appendStringInfo(out, "%u", node->term);
			if (node->boost != 1.0)
			{
				appendStringInfoChar(out, '^');
				print_double(out, node->boost);
			}
			break;
		case ABST_NODE_PHRASE:
			appendStringInfoChar(out, '"');
			break;
		case ABST_NODE_AND:
			appendStringInfoChar(out, '&');
			break;
		case ABST_NODE_OR:
			appendStringInfoChar(out, '|');
			break;
		case ABST_NODE_NOT:
			appendStringInfoChar(out, '!');
			break;
		case ABST_NODE_OPT:
			appendStringInfoChar(out, '?');
			break;
	}
	if (node->kind != ABST_NODE_TERM)
	{
		for (int child = at + 1; child < end; child += plan->nodes[child].span)
		{
			appendStringInfoChar(out, child == at + 1 ? '(' : ' ');
			print_node(out, plan, child, node->kind == ABST_NODE_PHRASE);
		}
		appendStringInfoChar(out, ')');
	}
	if (in_phrase)
		appendStringInfo(out, "@%u", node->offset);
}

/* Might the text be taken for one with a note? */
static bool
looks_noted(const char *text, int len)
{
	int			end = strlen(NOTE_END);

	return len >= end && memcmp(text + len - end, NOTE_END, end) == 0;
}

void
abst_content_print(const AbstContent *content, StringInfo out)
{
	appendBinaryStringInfo(out, content->source, content->source_len);
	if (content->kind == ABST_PLAN_SEARCH && !content->bound &&
		!looks_noted(content->source, content->source_len))
		return;

	appendStringInfo(out, "%s%s%s", content->source_len > 0 ? " " : "",
					 NOTE_BEGIN,
					 content->kind == ABST_PLAN_LIKE ? "like" : "search");
	if (content->bound)
	{
		const AbstCorpus *corpus = &content->corpus;

		appendStringInfoString(out, " config ");
		print_quoted(out, content->config, content->config_len);
		print_doubles(out, "k1", &corpus->k1, 1);
		print_doubles(out, "b", &corpus->b, 1);
		print_doubles(out, "weights", corpus->weights, ABST_NFIELDS);
		print_doubles(out, "n", &corpus->ndocs, 1);
		print_doubles(out, "lengths", corpus->lengths, ABST_NFIELDS);
	}
	if (content->bound || content->vector)
	{
		if (content->kind == ABST_PLAN_LIKE)
			print_doubles(out, "norm", &content->plan.like_norm, 1);
		print_terms(out, content);
	}
	if (content->plan.nnodes > 0)
	{
		appendStringInfoString(out, " plan ");
		print_node(out, &content->plan, 0, false);
	}
	appendStringInfoString(out, NOTE_END);
}

/* ---- reading ---- */

/* Reads from the front; every function returns false on anything amiss. */
typedef struct Scan
{
	const char *at;
	const char *end;
} Scan;

static bool
scan_word(Scan *scan, const char *word)
{
	Size		n = strlen(word);

	if ((Size) (scan->end - scan->at) < n || memcmp(scan->at, word, n) != 0)
		return false;
	scan->at += n;
	return true;
}

static inline bool
scan_char(Scan *scan, char c)
{
	if (scan->at >= scan->end || *scan->at != c)
		return false;
	scan->at++;
	return true;
}

static bool
scan_double(Scan *scan, double *value)
{
	char		buf[DOUBLE_SHORTEST_DECIMAL_LEN];
	char	   *stop;
	int			n = 0;

	while (scan->at + n < scan->end && n < (int) sizeof(buf) - 1 &&
		   strchr("0123456789+-.e", scan->at[n]) != NULL)
	{
		buf[n] = scan->at[n];
		n++;
	}
	buf[n] = '\0';
	if (n == 0)
		return false;
	*value = strtod(buf, &stop);
	if (*stop != '\0' || !isfinite(*value))
		return false;
	scan->at += n;
	return true;
}

static bool
scan_uint(Scan *scan, uint32 max, uint32 *value)
{
	uint64		sum = 0;
	const char *start = scan->at;

	while (scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9')
	{
		sum = sum * 10 + (*scan->at - '0');
		if (sum > max)
			return false;
		scan->at++;
	}
	*value = sum;
	return scan->at > start;
}

static bool
scan_doubles(Scan *scan, const char *name, double *values, int n)
{
	if (!scan_char(scan, ' ') || !scan_word(scan, name) ||
		!scan_char(scan, ' '))
		return false;
	for (int i = 0; i < n; i++)
	{
		if ((i > 0 && !scan_char(scan, ',')) ||
			!scan_double(scan, &values[i]))
			return false;
	}
	return true;
}

/* What print_quoted wrote, at most "max" bytes; palloc'd. */
static bool
scan_quoted(Scan *scan, int max, const char **text, int *len)
{
	char	   *copy;
	const char *p;
	int			n = 0;

	if (!scan_char(scan, '\''))
		return false;
	for (p = scan->at; p < scan->end && *p != '\''; p++)
	{
		if (*p == '\\' && ++p >= scan->end)
			return false;
		if (++n > max)
			return false;
	}
	copy = palloc(n + 1);
	n = 0;
	for (p = scan->at; p < scan->end && *p != '\''; p++)
	{
		if (*p == '\\')
			p++;
		copy[n++] = *p;
	}
	copy[n] = '\0';
	scan->at = p;
	*text = copy;
	*len = n;
	return scan_char(scan, '\'') &&
		pg_verifymbstr(copy, n, true);
}

static bool
scan_term(Scan *scan, const AbstContent *content, AbstPlanTerm *term)
{
	memset(term, 0, sizeof(AbstPlanTerm));
	if (!scan_quoted(scan, ABST_MAX_LEXEME, &term->lexeme, &term->len))
		return false;
	if (content->bound &&
		!(scan_char(scan, ':') && scan_double(scan, &term->df)))
		return false;
	if (content->kind != ABST_PLAN_LIKE)
		return true;
	for (int f = 0; f < ABST_NFIELDS; f++)
	{
		uint32		tf;

		if (!scan_char(scan, f == 0 ? ':' : ',') || !scan_uint(scan, 255, &tf))
			return false;
		term->tf.field[f] = tf;
	}
	return true;
}

static bool
scan_terms(Scan *scan, AbstContent *content)
{
	AbstPlan   *plan = &content->plan;
	Size		max = 16;

	if (!scan_word(scan, " terms"))
		return false;
	plan->terms = palloc(max * sizeof(AbstPlanTerm));
	while (scan->end - scan->at >= 2 && scan->at[0] == ' ' &&
		   scan->at[1] == '\'')
	{
		CHECK_FOR_INTERRUPTS();
		scan->at++;
		if (plan->nterms == max)
		{
			max *= 2;
			plan->terms = repalloc_huge(plan->terms,
										max * sizeof(AbstPlanTerm));
		}
		if (!scan_term(scan, content, &plan->terms[plan->nterms]))
			return false;
		plan->nterms++;
	}
	return true;
}

static AbstNode *
new_node(AbstPlan *plan, Size *max)
{
	AbstNode   *node;

	if (plan->nnodes == *max)
	{
		*max *= 2;
		plan->nodes = repalloc_huge(plan->nodes, *max * sizeof(AbstNode));
	}
	node = &plan->nodes[plan->nnodes++];
	memset(node, 0, sizeof(AbstNode));
	return node;
}

static bool
scan_node(Scan *scan, AbstPlan *plan, Size *max, int depth, bool in_phrase)
{
	static const char kinds[] = {
		[ABST_NODE_PHRASE] = '"',[ABST_NODE_AND] = '&',[ABST_NODE_OR] = '|',
		[ABST_NODE_NOT] = '!',[ABST_NODE_OPT] = '?'
	};
	int			at = plan->nnodes;
	AbstNode   *node = new_node(plan, max);

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (depth > ABST_MAX_DEPTH || scan->at >= scan->end)
		return false;
	if (*scan->at >= '0' && *scan->at <= '9')
	{
		node->kind = ABST_NODE_TERM;
		node->boost = 1.0;
		if (!scan_uint(scan, PG_INT32_MAX, &node->term))
			return false;
		if (scan_char(scan, '^') && !scan_double(scan, &node->boost))
			return false;
	}
	else
	{
		int			kind = lengthof(kinds) - 1;

		while (kind > 0 && kinds[kind] != *scan->at)
			kind--;
		if (kinds[kind] != *scan->at)
			return false;
		node->kind = kind;
		scan->at++;
		if (!scan_char(scan, '('))
			return false;
		do
		{
			if (!scan_node(scan, plan, max, depth + 1,
						   kind == ABST_NODE_PHRASE))
				return false;
		} while (scan_char(scan, ' '));
		if (!scan_char(scan, ')'))
			return false;
	}
	if (in_phrase)
	{
		uint32		offset;

		if (!scan_char(scan, '@') || !scan_uint(scan, PG_UINT16_MAX, &offset))
			return false;
		plan->nodes[at].offset = offset;
	}
	plan->nodes[at].span = plan->nnodes - at;
	return true;
}

/* All between the beginning and the end of a note. */
static bool
scan_note(Scan *scan, AbstContent *content)
{
	AbstCorpus *corpus = &content->corpus;
	AbstPlan   *plan = &content->plan;
	Size		max = 16;

	if (scan_word(scan, "like"))
		content->kind = ABST_PLAN_LIKE;
	else if (!scan_word(scan, "search"))
		return false;
	plan->kind = content->kind;
	if (scan_word(scan, " config "))
	{
		content->bound = true;
		if (!(scan_quoted(scan, 1024, &content->config, &content->config_len) &&
			  scan_doubles(scan, "k1", &corpus->k1, 1) &&
			  scan_doubles(scan, "b", &corpus->b, 1) &&
			  scan_doubles(scan, "weights", corpus->weights, ABST_NFIELDS) &&
			  scan_doubles(scan, "n", &corpus->ndocs, 1) &&
			  scan_doubles(scan, "lengths", corpus->lengths, ABST_NFIELDS)))
			return false;
	}
	else if (scan->at == scan->end)
		return true;
	else if (content->source_len == 0)
		content->vector = true;
	else
		return false;

	if (content->kind == ABST_PLAN_LIKE &&
		!scan_doubles(scan, "norm", &plan->like_norm, 1))
		return false;
	if (!scan_terms(scan, content))
		return false;
	if (scan_word(scan, " plan "))
	{
		plan->nodes = palloc(max * sizeof(AbstNode));
		if (!scan_node(scan, plan, &max, 0, false))
			return false;
	}
	return scan->at == scan->end;
}

bool
abst_content_read(const char *text, int len, AbstContent *content)
{
	int			begin_len = strlen(NOTE_BEGIN);
	const char *note;
	Scan		scan;

	if (looks_noted(text, len))
	{
		/* the last beginning: none can be inside of a note */
		scan.end = text + len - strlen(NOTE_END);
		for (note = scan.end - begin_len; note >= text; note--)
		{
			if (*note == '/' && memcmp(note, NOTE_BEGIN, begin_len) == 0)
				break;
		}
		if (note >= text && (note == text || note[-1] == ' '))
		{
			memset(content, 0, sizeof(AbstContent));
			content->source = text;
			content->source_len = Max(note - 1 - text, 0);
			scan.at = note + begin_len;
			if (scan_note(&scan, content) && abst_content_is_valid(content))
				return true;
		}
	}
	memset(content, 0, sizeof(AbstContent));
	content->kind = ABST_PLAN_SEARCH;
	content->plan.kind = ABST_PLAN_SEARCH;
	content->source = text;
	content->source_len = len;
	return false;
}
