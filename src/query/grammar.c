/*-------------------------------------------------------------------------
 *
 * grammar.c
 *		From the text of a query to its syntax tree.
 *
 *	query   := clause*							juxtaposition binds loosest
 *	clause  := and ( OR and )*
 *	and     := unary ( AND unary )*
 *	unary   := ( NOT | '-' | '+' )* primary
 *	primary := word | '"' words '"' | '(' query ')'
 *
 * No text is an error; what cannot be an operator where it stands is a word:
 *
 * - AND, OR and NOT are operators only in upper case and only with operands
 *   where they need them ("OR 2.3" and "the AND" hold words).
 * - '+' and '-' are operators only where a word could begin and only when a
 *   letter, a quote or an opening parenthesis follows, so "-3.2", "+5",
 *   "C++", "g-2" and a lone "-" are words.  '-' is NOT; a '+' makes its whole
 *   clause required.
 * - '(' is an operator only where a word could begin: the parentheses of
 *   "O(n log n)" belong to the words.  A group left open ends with the text,
 *   a ')' without a group is part of a word.
 * - A quote opens a phrase only where a word could begin and if another quote
 *   follows somewhere; straight and curly double quotes are the same.
 *
 * Time is linear in the text.  The only stack is an array of fixed size:
 * parentheses nested deeper than it are skipped.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "query/grammar.h"

/* What stands between the last operand and the next. */
typedef enum Joint
{
	JOINT_NONE,					/* nothing: a new clause begins */
	JOINT_AND,
	JOINT_OR
} Joint;

/* An open group: the query itself, or a parenthesis not yet closed. */
typedef struct Frame
{
	AbstSyntax *seq;			/* finished clauses */
	AbstSyntax *clause;			/* operands of OR so far, or NULL */
	AbstSyntax *conj;			/* operands of AND in the last of them */
	bool		must;			/* the clause had a plus */
	Joint		joint;
	bool		negated;		/* the operand to come stands under a NOT */
	const char *before;			/* end of what preceded the clause */
	int			literal;		/* parentheses open inside words */
} Frame;

typedef struct Reader
{
	const char *at;
	const char *end;
	const char *prev_end;		/* end of the last thing read */
	bool		utf8;
	bool		no_quotes;		/* no quote is left in the text */
	bool		only_words;		/* too many operators: no more of them */
	int			nnodes;
	int			skipped;		/* parentheses open beyond the deepest */
	int			depth;
	Frame		frames[ABST_MAX_GROUPS + 1];
} Reader;

/* ---- characters ---- */

/* Bytes of the blank at p, or 0. */
static inline int
blank_len(const Reader *reader, const char *p)
{
	const unsigned char *u = (const unsigned char *) p;

	if (u[0] < 0x80)
		return (u[0] == ' ' || (u[0] >= '\t' && u[0] <= '\r')) ? 1 : 0;
	if (!reader->utf8)
		return 0;
	/* U+0085, U+00A0 */
	if (u[0] == 0xC2 && reader->end - p >= 2)
		return (u[1] == 0x85 || u[1] == 0xA0) ? 2 : 0;
	if (reader->end - p < 3)
		return 0;
	/* U+2000 .. U+200A, U+2028, U+2029, U+202F, U+205F, U+3000 */
	if (u[0] == 0xE2 && u[1] == 0x80 &&
		(u[2] <= 0x8A || u[2] == 0xA8 || u[2] == 0xA9 || u[2] == 0xAF))
		return 3;
	if (u[0] == 0xE2 && u[1] == 0x81 && u[2] == 0x9F)
		return 3;
	if (u[0] == 0xE3 && u[1] == 0x80 && u[2] == 0x80)
		return 3;
	return 0;
}

/* Bytes of the double quote at p, straight or curly, or 0. */
static inline int
quote_len(const Reader *reader, const char *p)
{
	const unsigned char *u = (const unsigned char *) p;

	if (u[0] == '"')
		return 1;
	/* U+201C .. U+201F */
	if (reader->utf8 && u[0] == 0xE2 && reader->end - p >= 3 &&
		u[1] == 0x80 && u[2] >= 0x9C && u[2] <= 0x9F)
		return 3;
	return 0;
}

/* Can a plus or minus before p be an operator? */
static bool
takes_sign(const Reader *reader, const char *p)
{
	const unsigned char *u = (const unsigned char *) p;

	if (p >= reader->end)
		return false;
	if (u[0] < 0x80)
		return (u[0] >= 'a' && u[0] <= 'z') || (u[0] >= 'A' && u[0] <= 'Z') ||
			u[0] == '(' || u[0] == '"';
	if (quote_len(reader, p) > 0)
		return true;
	if (blank_len(reader, p) > 0)
		return false;
	if (reader->utf8 && reader->end - p >= 2)
	{
		/* Latin-1 signs, except the ordinals and the micro sign */
		if (u[0] == 0xC2)
			return u[1] == 0xAA || u[1] == 0xB5 || u[1] == 0xBA;
		/* general punctuation; mathematical operators */
		if (u[0] == 0xE2 &&
			(u[1] == 0x80 || u[1] == 0x81 || u[1] == 0x88 || u[1] == 0x89))
			return false;
	}
	return true;
}

static inline const char *
skip_blanks(const Reader *reader, const char *p)
{
	int			n;

	while (p < reader->end && (n = blank_len(reader, p)) > 0)
		p += n;
	return p;
}

/* Bytes of the word AND, OR or NOT standing alone at p, or 0. */
static int
operator_len(const Reader *reader, const char *p)
{
	int			left = reader->end - p;
	int			n;

	if (left >= 3 && (memcmp(p, "AND", 3) == 0 || memcmp(p, "NOT", 3) == 0))
		n = 3;
	else if (left >= 2 && memcmp(p, "OR", 2) == 0)
		n = 2;
	else
		return 0;
	p += n;
	if (p < reader->end && *p != '(' && *p != ')' &&
		blank_len(reader, p) == 0 && quote_len(reader, p) == 0)
		return 0;
	return n;
}

/* Does an operand begin after the operator that ends at p? */
static bool
operand_follows(const Reader *reader, const char *p)
{
	p = skip_blanks(reader, p);
	if (p >= reader->end || *p == ')')
		return false;
	return operator_len(reader, p) == 0 || *p == 'N';
}

/* ---- tree ---- */

static AbstSyntax *
make_node(Reader *reader, AbstSyntaxKind kind)
{
	AbstSyntax *node = palloc0(sizeof(AbstSyntax));

	node->kind = kind;
	if (++reader->nnodes >= ABST_MAX_SYNTAX)
		reader->only_words = true;
	return node;
}

static void
free_node(Reader *reader, AbstSyntax *node)
{
	pfree(node);
	reader->nnodes--;
}

static void
append(AbstSyntax *parent, AbstSyntax *child)
{
	child->next = NULL;
	if (parent->last != NULL)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
}

/*
 * Add "node" to the operands collected so far.  A list of this kind can only
 * be one that is being collected: a parenthesis gives a SEQ.
 */
static AbstSyntax *
join(Reader *reader, AbstSyntaxKind kind, AbstSyntax *list, AbstSyntax *node)
{
	if (list == NULL)
		return node;
	if (list->kind != kind)
	{
		AbstSyntax *made = make_node(reader, kind);

		append(made, list);
		list = made;
	}
	append(list, node);
	return list;
}

static Frame *
top(Reader *reader)
{
	return &reader->frames[reader->depth];
}

static void
begin_frame(Reader *reader)
{
	Frame	   *frame = top(reader);

	memset(frame, 0, sizeof(Frame));
	frame->seq = make_node(reader, ABST_SYNTAX_SEQ);
}

/* The clause being read is complete: hand it to the group. */
static void
finish_clause(Reader *reader, Frame *frame)
{
	AbstSyntax *clause = join(reader, ABST_SYNTAX_OR, frame->clause,
							  frame->conj);
	AbstSyntax *last = frame->seq->last;

	frame->clause = NULL;
	frame->conj = NULL;
	if (clause == NULL)
		return;
	clause->must = frame->must;
	frame->must = false;

	/*
	 * Words with nothing but blanks between them make one run: markup and
	 * dictionaries that look at several words then see them together.
	 */
	if (last != NULL && last->kind == ABST_SYNTAX_WORDS && !last->must &&
		clause->kind == ABST_SYNTAX_WORDS && !clause->must &&
		last->text + last->len == frame->before)
	{
		last->len = clause->text + clause->len - last->text;
		free_node(reader, clause);
	}
	else
		append(frame->seq, clause);
}

/* An operand is complete; "start" and prev_end tell what preceded it. */
static void
add_operand(Reader *reader, AbstSyntax *node)
{
	Frame	   *frame = top(reader);

	if (frame->negated)
	{
		AbstSyntax *not = make_node(reader, ABST_SYNTAX_NOT);

		append(not, node);
		node = not;
		frame->negated = false;
	}
	switch (frame->joint)
	{
		case JOINT_AND:
			frame->conj = join(reader, ABST_SYNTAX_AND, frame->conj, node);
			break;
		case JOINT_OR:
			frame->clause = join(reader, ABST_SYNTAX_OR, frame->clause,
								 frame->conj);
			frame->conj = node;
			break;
		case JOINT_NONE:
			frame->conj = node;
			break;
	}
	frame->joint = JOINT_NONE;
}

/*
 * Something that may begin a clause stands at the reader's position: unless
 * an operator joins it to what is there, finish that.  Called before prefix
 * operators are taken, so that they belong to the new clause.
 */
static void
begin_operand(Reader *reader)
{
	Frame	   *frame = top(reader);

	if (frame->joint == JOINT_NONE && !frame->negated && frame->conj != NULL)
		finish_clause(reader, frame);
	if (frame->conj == NULL && frame->clause == NULL)
		frame->before = reader->prev_end;
}

/* ---- reading ---- */

static void
read_word(Reader *reader)
{
	Frame	   *frame = top(reader);
	const char *p = reader->at;
	AbstSyntax *node;

	while (p < reader->end && blank_len(reader, p) == 0)
	{
		if (*p == '(')
			frame->literal++;
		else if (*p == ')')
		{
			if (frame->literal > 0)
				frame->literal--;
			else if (reader->skipped > 0 || reader->depth > 0)
				break;
		}
		p++;
	}
	node = make_node(reader, ABST_SYNTAX_WORDS);
	node->text = reader->at;
	node->len = p - reader->at;
	reader->at = reader->prev_end = p;
	add_operand(reader, node);
}

/* At a quote: false, and nothing read, if no other quote follows. */
static bool
read_phrase(Reader *reader)
{
	const char *start;
	const char *p;
	AbstSyntax *node;
	int			n = 0;

	if (reader->no_quotes)
		return false;
	start = reader->at + quote_len(reader, reader->at);
	for (p = start; p < reader->end; p++)
	{
		if ((n = quote_len(reader, p)) > 0)
			break;
	}
	if (p >= reader->end)
	{
		reader->no_quotes = true;
		return false;
	}
	node = make_node(reader, ABST_SYNTAX_PHRASE);
	node->text = start;
	node->len = p - start;
	reader->at = reader->prev_end = p + n;
	add_operand(reader, node);
	return true;
}

static void
open_group(Reader *reader)
{
	reader->at++;
	reader->prev_end = reader->at;
	if (reader->depth >= ABST_MAX_GROUPS)
	{
		reader->skipped++;
		return;
	}
	reader->depth++;
	begin_frame(reader);
}

static void
close_group(Reader *reader)
{
	Frame	   *frame = top(reader);

	finish_clause(reader, frame);
	reader->depth--;
	add_operand(reader, frame->seq);
}

/*
 * At AND or OR after an operand, or at NOT: true if it is an operator, which
 * is then taken.
 */
static bool
read_operator(Reader *reader)
{
	Frame	   *frame = top(reader);
	int			n = operator_len(reader, reader->at);
	char		first = *reader->at;

	if (n == 0 || !operand_follows(reader, reader->at + n))
		return false;
	if (first == 'N')
	{
		begin_operand(reader);
		frame->negated = !frame->negated;
	}
	else
	{
		if (frame->conj == NULL || frame->joint != JOINT_NONE)
			return false;
		frame->joint = (first == 'A') ? JOINT_AND : JOINT_OR;
	}
	reader->at += n;
	reader->prev_end = reader->at;
	return true;
}

/* A plus or minus that is an operator; it is taken. */
static bool
read_sign(Reader *reader)
{
	Frame	   *frame = top(reader);
	char		sign = *reader->at;

	if ((sign != '+' && sign != '-') || !takes_sign(reader, reader->at + 1))
		return false;
	begin_operand(reader);
	if (sign == '+')
		frame->must = true;
	else
		frame->negated = !frame->negated;
	reader->at++;
	reader->prev_end = reader->at;
	return true;
}

/* Read one thing at the reader's position, which is no blank. */
static void
read_one(Reader *reader)
{
	if (!reader->only_words)
	{
		if (*reader->at == ')' && top(reader)->literal == 0)
		{
			if (reader->skipped > 0 || reader->depth > 0)
			{
				reader->at++;
				reader->prev_end = reader->at;
				if (reader->skipped > 0)
					reader->skipped--;
				else
					close_group(reader);
				return;
			}
		}
		if (read_operator(reader) || read_sign(reader))
			return;
		begin_operand(reader);
		if (*reader->at == '(')
		{
			open_group(reader);
			return;
		}
		if (quote_len(reader, reader->at) > 0 && read_phrase(reader))
			return;
		read_word(reader);
	}
	else
	{
		/* the rest of the text is one run of words */
		AbstSyntax *node = make_node(reader, ABST_SYNTAX_WORDS);

		begin_operand(reader);
		node->text = reader->at;
		node->len = reader->end - reader->at;
		reader->at = reader->prev_end = reader->end;
		add_operand(reader, node);
	}
}

AbstSyntax *
abst_grammar_read(const char *text, int len)
{
	Reader	   *reader = palloc0(sizeof(Reader));
	AbstSyntax *result;

	reader->at = reader->prev_end = text;
	reader->end = text + len;
	reader->utf8 = (GetDatabaseEncoding() == PG_UTF8);
	begin_frame(reader);
	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		reader->at = skip_blanks(reader, reader->at);
		if (reader->at >= reader->end)
			break;
		read_one(reader);
	}
	while (reader->depth > 0)
		close_group(reader);
	finish_clause(reader, top(reader));
	result = top(reader)->seq;
	pfree(reader);
	return result;
}
