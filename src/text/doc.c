/*-------------------------------------------------------------------------
 *
 * doc.c
 *		A document as scoring and the index see it, taken from a tsvector.
 *
 *-------------------------------------------------------------------------
 */
#include "text/doc.h"

#include <math.h>

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
	for (int i = 0; i < n; i++)
	{
		uint8	   *count = &tf.field[field_of_weight(WEP_GETWEIGHT(positions[i]))];

		if (*count < PG_UINT8_MAX)
			(*count)++;
	}
	return tf;
}

/* 1 + ln tf, tf summed over the fields; 0 where the term is absent. */
double
abst_like_frequency(AbstTf tf)
{
	int			sum = 0;

	for (int f = 0; f < ABST_NFIELDS; f++)
		sum += tf.field[f];
	return sum == 0 ? 0 : 1.0 + log((double) sum);
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

void
abst_doc_measure(TSVector vector, AbstLengths *lengths, float4 *norm)
{
	WordEntry  *entries = ARRPTR(vector);
	Measure		measure = {0};

	for (int i = 0; i < vector->size; i++)
		measure_add(&measure, abst_entry_tf(vector, &entries[i]));
	measure_result(&measure, lengths, norm);
}

void
abst_doc_from_vector(TSVector vector, AbstDoc *doc)
{
	WordEntry  *entries = ARRPTR(vector);
	char	   *strings = STRPTR(vector);
	Measure		measure = {0};

	doc->nterms = vector->size;
	doc->terms = palloc_extended(sizeof(AbstDocTerm) * Max(vector->size, 1),
								 MCXT_ALLOC_HUGE);
	for (int i = 0; i < vector->size; i++)
	{
		AbstDocTerm *term = &doc->terms[i];

		term->lexeme = strings + entries[i].pos;
		term->len = entries[i].len;
		term->tf = abst_entry_tf(vector, &entries[i]);
		measure_add(&measure, term->tf);
	}
	measure_result(&measure, &doc->lengths, &doc->norm);
}
