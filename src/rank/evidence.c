/*-------------------------------------------------------------------------
 *
 * evidence.c
 *		What a row's document says about the terms of a plan.
 *
 * Frequencies count as in the index; phrases are looked for in the positions
 * of the document.  A position says where a word stands whatever its label.
 * The last position there is (16383) stands for all beyond it, so a word
 * there is next to nothing.  A word without positions (a stripped vector)
 * may stand anywhere: a phrase of such words occurs where all of them do.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "rank/score.h"
#include "text/lexemes.h"

/* Positions 0 .. MAXENTRYPOS - 1, a bit each. */
#define NPOSITIONS		MAXENTRYPOS
#define NWORDS			(NPOSITIONS / 64)

typedef struct Positions
{
	uint64		bits[NWORDS];
} Positions;

/* The first entry not before the lexeme. */
static int
lower_bound(TSVector vector, const char *lexeme, int len)
{
	WordEntry  *entries = ARRPTR(vector);
	int			low = 0;
	int			high = vector->size;

	while (low < high)
	{
		int			mid = low + (high - low) / 2;

		if (abst_lexeme_cmp(STRPTR(vector) + entries[mid].pos,
							entries[mid].len, lexeme, len) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * The next entry at or after *at that stands for the term: the lexeme itself
 * or longer ones that are cut to it.  NULL after the last.
 */
static WordEntry *
next_entry(TSVector vector, const AbstPlanTerm *term, int *at)
{
	WordEntry  *entries = ARRPTR(vector);

	for (; *at < vector->size; (*at)++)
	{
		WordEntry  *entry = &entries[*at];
		const char *lexeme = STRPTR(vector) + entry->pos;

		if (entry->len < term->len ||
			memcmp(lexeme, term->lexeme, term->len) != 0)
			return NULL;
		if (entry->len == term->len ||
			(entry->len > ABST_MAX_LEXEME &&
			 pg_mbcliplen(lexeme, entry->len, ABST_MAX_LEXEME) == term->len))
		{
			(*at)++;
			return entry;
		}
		/* no lexeme shorter than this is what is left of a longer one */
		if (term->len <= ABST_MAX_LEXEME - MAX_MULTIBYTE_CHAR_LEN)
			return NULL;
	}
	return NULL;
}

static AbstTf
term_tf(TSVector vector, const AbstPlanTerm *term, int at)
{
	AbstTf		sum = {.all = 0};
	WordEntry  *entry;

	/* what only keeps distances in a vector is no term of the document */
	if (abst_is_filler(term->lexeme, term->len))
		return sum;
	while ((entry = next_entry(vector, term, &at)) != NULL)
	{
		AbstTf		tf = abst_entry_tf(vector, entry);

		for (int f = 0; f < ABST_NFIELDS; f++)
			sum.field[f] = Min(255, sum.field[f] + tf.field[f]);
	}
	return sum;
}

/* Frequencies of all terms; true if any is there. */
static bool
fill_tf(const AbstPlan *plan, TSVector vector, AbstTf *tf)
{
	bool		any = false;
	int			at = 0;

	for (int i = 0; i < plan->nterms; i++)
	{
		const AbstPlanTerm *term = &plan->terms[i];

		/*
		 * Few terms are looked up, many walk along: both sides are sorted
		 * alike.
		 */
		if (plan->nterms < vector->size / 8)
			at = lower_bound(vector, term->lexeme, term->len);
		else
		{
			WordEntry  *entries = ARRPTR(vector);

			while (at < vector->size &&
				   abst_lexeme_cmp(STRPTR(vector) + entries[at].pos,
								   entries[at].len,
								   term->lexeme, term->len) < 0)
				at++;
		}
		tf[i] = term_tf(vector, term, at);
		any |= (tf[i].all != 0);
	}
	return any;
}

/*
 * Set the bit of every place where the phrase could begin for this word to
 * stand "offset" further on.  False if the word may stand anywhere.
 */
static bool
mark_positions(TSVector vector, const AbstPlanTerm *term, int offset,
			   Positions *positions)
{
	int			at = lower_bound(vector, term->lexeme, term->len);
	WordEntry  *entry;

	while ((entry = next_entry(vector, term, &at)) != NULL)
	{
		WordEntryPos *pos;
		int			npos = POSDATALEN(vector, entry);

		if (npos == 0)
			return false;
		pos = POSDATAPTR(vector, entry);
		for (int i = 0; i < npos; i++)
		{
			int			p = WEP_GETPOS(pos[i]);

			if (p < MAXENTRYPOS - 1 && p >= offset)
				positions->bits[(p - offset) / 64] |=
					UINT64CONST(1) << ((p - offset) % 64);
		}
	}
	return true;
}

/* Does the phrase occur?  Every word of it is known to be there. */
static bool
phrase_occurs(const AbstPlan *plan, const AbstNode *phrase, TSVector vector)
{
	const AbstNode *end = phrase + phrase->span;
	Positions	begins;
	Positions	here;

	memset(&begins, 0xFF, sizeof(begins));
	for (const AbstNode *child = phrase + 1; child < end; child += child->span)
	{
		bool		anywhere = false;
		uint64		left = 0;

		CHECK_FOR_INTERRUPTS();
		memset(&here, 0, sizeof(here));
		for (const AbstNode *form = child; form < child + child->span; form++)
		{
			if (form->kind == ABST_NODE_TERM &&
				!mark_positions(vector, &plan->terms[form->term],
								child->offset, &here))
				anywhere = true;
		}
		if (anywhere)
			continue;
		for (int i = 0; i < NWORDS; i++)
			left |= (begins.bits[i] &= here.bits[i]);
		if (left == 0)
			return false;
	}
	return true;
}

/* Is each word of the phrase there, in one of its forms? */
static bool
words_present(const AbstNode *phrase, const AbstTf *tf)
{
	const AbstNode *end = phrase + phrase->span;

	for (const AbstNode *child = phrase + 1; child < end; child += child->span)
	{
		bool		present = false;

		for (const AbstNode *form = child; form < child + child->span; form++)
			present |= (form->kind == ABST_NODE_TERM && tf[form->term].all != 0);
		if (!present)
			return false;
	}
	return true;
}

/*
 * Arrays are allocated in the current context when evidence->tf is NULL, else
 * those of an earlier call for the same plan are filled again.
 */
void
abst_evidence_from_vector(const AbstPlan *plan, TSVector vector,
						  AbstEvidence *evidence)
{
	bool		any;

	if (evidence->tf == NULL)
	{
		evidence->tf = palloc_extended((Size) Max(plan->nterms, 1) *
									   sizeof(AbstTf), MCXT_ALLOC_HUGE);
		evidence->phrases = plan->nphrases > 0 ?
			palloc_extended(plan->nphrases * sizeof(bool), MCXT_ALLOC_HUGE) :
			NULL;
	}
	memset(&evidence->lengths, 0, sizeof(AbstLengths));
	evidence->norm = 0;
	any = fill_tf(plan, vector, evidence->tf);

	if (plan->nphrases > 0)
	{
		for (int i = 0; i < plan->nnodes; i++)
		{
			const AbstNode *node = &plan->nodes[i];

			if (node->kind == ABST_NODE_PHRASE)
				evidence->phrases[node->term] = any &&
					words_present(node, evidence->tf) &&
					phrase_occurs(plan, node, vector);
		}
	}
	/* lengths matter only for what scores, and to what looks at them */
	if (any && (plan->kind == ABST_PLAN_LIKE || plan->k_slope > 0))
		abst_doc_measure(vector, &evidence->lengths, &evidence->norm);
}
