/*-------------------------------------------------------------------------
 *
 * doc.c
 *		A document as scoring and the index see it, taken from a tsvector.
 *
 * A tsvector from elsewhere may hold lexemes longer than ours: they stand for
 * their first ABST_MAX_LEXEME bytes, and those that become equal count as
 * one.  Fillers (lexemes.h) count for nothing.
 *
 *-------------------------------------------------------------------------
 */
#include "text/doc.h"

#include <math.h>

#include "mb/pg_wchar.h"
#include "text/lexemes.h"

int
abst_lexeme_cmp(const char *a, int alen, const char *b, int blen)
{
	int			cmp = memcmp(a, b, Min(alen, blen));

	return cmp != 0 ? cmp : alen - blen;
}

/* Field of a position: label A is 3 in a tsvector, and field 0 here. */
static inline int
field_of_weight(int weight)
{
	return ABST_NFIELDS - 1 - weight;
}

AbstTf
abst_entry_tf(TSVector vector, WordEntry *entry)
{
	AbstTf		tf = {.all = 0};
	WordEntryPos *positions;
	int			n;

	if (!entry->haspos)
	{
		tf.field[field_of_weight(0)] = 1;
		return tf;
	}
	n = POSDATALEN(vector, entry);
	positions = POSDATAPTR(vector, entry);
	if (n == 1)
	{
		tf.field[field_of_weight(WEP_GETWEIGHT(positions[0]))] = 1;
		return tf;
	}
	for (int i = 0; i < n; i++)
	{
		uint8	   *count = &tf.field[field_of_weight(WEP_GETWEIGHT(positions[i]))];

		if (*count < PG_UINT8_MAX)
			(*count)++;
	}
	return tf;
}

/*
 * 1 + ln tf, tf summed over the fields; 0 where the term is absent.  Values
 * for small sums are kept: logarithms are what a norm would cost.
 */
double
abst_like_frequency(AbstTf tf)
{
	static double known[64];
	int			sum = 0;

	for (int f = 0; f < ABST_NFIELDS; f++)
		sum += tf.field[f];
	if (sum == 0)
		return 0;
	if (sum >= (int) lengthof(known))
		return 1.0 + log((double) sum);
	if (known[sum] == 0)
		known[sum] = 1.0 + log((double) sum);
	return known[sum];
}

double
abst_norm_part(AbstTf tf)
{
	double		frequency = abst_like_frequency(tf);

	return frequency * frequency;
}

/* Gathers lengths and norm, term by term in the order of the vector. */
typedef struct Measure
{
	uint32		lengths[ABST_NFIELDS];
	double		norm;
} Measure;

static void
measure_add(Measure *measure, AbstTf tf)
{
	for (int f = 0; f < ABST_NFIELDS; f++)
		measure->lengths[f] += tf.field[f];
	measure->norm += abst_norm_part(tf);
}

static void
measure_result(const Measure *measure, AbstLengths *lengths, float4 *norm)
{
	for (int f = 0; f < ABST_NFIELDS; f++)
		lengths->field[f] = Min(measure->lengths[f], ABST_MAX_LENGTH);
	*norm = (float4) measure->norm;
}

/* Has the vector lexemes that must be cut? */
static bool
has_long_lexemes(TSVector vector)
{
	WordEntry  *entries = ARRPTR(vector);

	for (int i = 0; i < vector->size; i++)
		if (entries[i].len > ABST_MAX_LEXEME)
			return true;
	return false;
}

static int
term_cmp(const void *a, const void *b)
{
	const AbstDocTerm *x = a;
	const AbstDocTerm *y = b;

	return abst_lexeme_cmp(x->lexeme, x->len, y->lexeme, y->len);
}

/* Cut long terms, sort again, and count equal ones as one. */
static void
cut_terms(AbstDoc *doc)
{
	int			n = 0;

	for (int i = 0; i < doc->nterms; i++)
		if (doc->terms[i].len > ABST_MAX_LEXEME)
			doc->terms[i].len = pg_mbcliplen(doc->terms[i].lexeme,
											 doc->terms[i].len,
											 ABST_MAX_LEXEME);
	qsort(doc->terms, doc->nterms, sizeof(AbstDocTerm), term_cmp);
	for (int i = 0; i < doc->nterms; i++)
	{
		if (n > 0 && term_cmp(&doc->terms[n - 1], &doc->terms[i]) == 0)
		{
			AbstTf	   *tf = &doc->terms[n - 1].tf;

			for (int f = 0; f < ABST_NFIELDS; f++)
				tf->field[f] = Min((int) tf->field[f] + doc->terms[i].tf.field[f],
								   PG_UINT8_MAX);
		}
		else
			doc->terms[n++] = doc->terms[i];
	}
	doc->nterms = n;
}

void
abst_doc_measure(TSVector vector, AbstLengths *lengths, float4 *norm)
{
	WordEntry  *entries = ARRPTR(vector);
	char	   *strings = STRPTR(vector);
	Measure		measure = {0};

	if (has_long_lexemes(vector))
	{
		AbstDoc		doc;

		abst_doc_from_vector(vector, &doc);
		*lengths = doc.lengths;
		*norm = doc.norm;
		pfree(doc.terms);
		return;
	}
	for (int i = 0; i < vector->size; i++)
		if (!abst_is_filler(strings + entries[i].pos, entries[i].len))
			measure_add(&measure, abst_entry_tf(vector, &entries[i]));
	measure_result(&measure, lengths, norm);
}

void
abst_doc_from_vector(TSVector vector, AbstDoc *doc)
{
	WordEntry  *entries = ARRPTR(vector);
	char	   *strings = STRPTR(vector);
	Measure		measure = {0};

	doc->nterms = 0;
	doc->terms = palloc_extended(sizeof(AbstDocTerm) * Max(vector->size, 1),
								 MCXT_ALLOC_HUGE);
	for (int i = 0; i < vector->size; i++)
	{
		AbstDocTerm *term = &doc->terms[doc->nterms];

		term->lexeme = strings + entries[i].pos;
		term->len = entries[i].len;
		if (abst_is_filler(term->lexeme, term->len))
			continue;
		term->tf = abst_entry_tf(vector, &entries[i]);
		doc->nterms++;
	}
	if (has_long_lexemes(vector))
		cut_terms(doc);
	for (int i = 0; i < doc->nterms; i++)
		measure_add(&measure, doc->terms[i].tf);
	measure_result(&measure, &doc->lengths, &doc->norm);
}
