/*-------------------------------------------------------------------------
 *
 * vector.c
 *		Document vectors: texts read into a tsvector.
 *
 * The result is that of to_tsvector(config, text) for the text without its
 * boilerplate, but it is never too long: beyond the limits of a tsvector its
 * first part is kept, with a NOTICE.  Parts (title, abstract) follow each
 * other one position apart, so no phrase reaches from one into the next.
 *
 *-------------------------------------------------------------------------
 */
#include "text/doc.h"

#include "miscadmin.h"
#include "text/boilerplate.h"
#include "text/lexemes.h"
#include "tsearch/ts_utils.h"
#include "utils/memutils.h"

/* An occurrence of a lexeme; later, when sorted, of a unique one. */
typedef struct Occurrence
{
	const char *text;
	int			len;
	int			position;		/* not yet limited */
	int			weight;			/* tsvector's: A is 3 */
} Occurrence;

typedef struct Collector
{
	MemoryContext context;		/* strings */
	Occurrence *found;
	int			nfound;
	int			nalloc;
	int			base;			/* position before this part */
	int			last;			/* last position taken */
	int			weight;
} Collector;

static void
collect(void *arg, const AbstLexemeToken *token)
{
	Collector  *collector = arg;

	for (int i = 0; i < token->nlexemes; i++)
	{
		const AbstLexeme *lexeme = &token->lexemes[i];
		Occurrence *occurrence;
		char	   *copy;

		if (lexeme->len == 0)
			continue;
		if (collector->nfound >= collector->nalloc)
		{
			collector->nalloc *= 2;
			collector->found = repalloc_huge(collector->found,
											 collector->nalloc * sizeof(Occurrence));
		}
		copy = MemoryContextAlloc(collector->context, lexeme->len);
		memcpy(copy, lexeme->text, lexeme->len);
		occurrence = &collector->found[collector->nfound++];
		occurrence->text = copy;
		occurrence->len = lexeme->len;
		occurrence->position = collector->base + token->position + lexeme->offset;
		occurrence->weight = collector->weight;
	}
	collector->last = collector->base + token->position + token->width - 1;
}

/* ---- building the vector ---- */

static int
occurrence_cmp(const void *a, const void *b)
{
	const Occurrence *x = a;
	const Occurrence *y = b;
	int			cmp = abst_lexeme_cmp(x->text, x->len, y->text, y->len);

	if (cmp != 0)
		return cmp;
	if (x->position != y->position)
		return x->position < y->position ? -1 : 1;
	return y->weight - x->weight;
}

/* Occurrences of one lexeme, from i on: the index after the last. */
static int
end_of_lexeme(const Occurrence *found, int n, int i)
{
	int			end = i + 1;

	while (end < n && abst_lexeme_cmp(found[i].text, found[i].len,
									  found[end].text, found[end].len) == 0)
		end++;
	return end;
}

/*
 * Positions of found[from .. to - 1] as a tsvector keeps them: limited, each
 * once, at most 255.  Returns their number; "out" may be NULL.
 */
static int
entry_positions(const Occurrence *found, int from, int to, WordEntryPos *out)
{
	int			n = 0;
	int			previous = -1;

	for (int i = from; i < to && n < MAXNUMPOS - 1; i++)
	{
		int			position = LIMITPOS(found[i].position);

		if (position == previous)
			continue;
		if (out)
		{
			out[n] = 0;
			WEP_SETPOS(out[n], position);
			WEP_SETWEIGHT(out[n], found[i].weight);
		}
		previous = position;
		n++;
	}
	return n;
}

/* Lexemes and bytes that the first n (sorted) occurrences come to. */
static void
vector_size(const Occurrence *found, int n, int *nlexemes, Size *bytes)
{
	*nlexemes = 0;
	*bytes = 0;
	for (int i = 0, end; i < n; i = end)
	{
		end = end_of_lexeme(found, n, i);
		*bytes += found[i].len;
		*bytes = SHORTALIGN(*bytes) + sizeof(uint16) +
			entry_positions(found, i, end, NULL) * sizeof(WordEntryPos);
		(*nlexemes)++;
	}
}

static TSVector
fill_vector(const Occurrence *found, int n, int nlexemes, Size bytes)
{
	Size		size = CALCDATASIZE(nlexemes, bytes);
	TSVector	vector = palloc0(size);
	WordEntry  *entry = ARRPTR(vector);
	char	   *strings;
	Size		at = 0;

	SET_VARSIZE(vector, size);
	vector->size = nlexemes;
	strings = STRPTR(vector);
	for (int i = 0, end; i < n; i = end)
	{
		uint16		npos;

		end = end_of_lexeme(found, n, i);
		entry->haspos = 1;
		entry->len = found[i].len;
		entry->pos = at;
		memcpy(strings + at, found[i].text, found[i].len);
		at = SHORTALIGN(at + found[i].len);
		npos = entry_positions(found, i, end,
							   (WordEntryPos *) (strings + at + sizeof(uint16)));
		memcpy(strings + at, &npos, sizeof(uint16));
		at += sizeof(uint16) + npos * sizeof(WordEntryPos);
		entry++;
	}
	return vector;
}

/*
 * A vector of the first occurrences that fit.  Those left out come last in
 * the text: occurrences still stand in the order of the text here.
 */
static TSVector
make_vector(Occurrence *found, int n)
{
	Occurrence *sorted = palloc_extended(sizeof(Occurrence) * Max(n, 1),
										 MCXT_ALLOC_HUGE);
	int			kept = n;
	int			nlexemes;
	Size		bytes;
	TSVector	vector;

	for (;;)
	{
		memcpy(sorted, found, sizeof(Occurrence) * kept);
		qsort(sorted, kept, sizeof(Occurrence), occurrence_cmp);
		vector_size(sorted, kept, &nlexemes, &bytes);
		if (bytes <= MAXSTRPOS)
			break;
		CHECK_FOR_INTERRUPTS();
		kept = (int) (kept * 0.95 * Min(1.0, (double) MAXSTRPOS / bytes));
	}
	if (kept < n)
		ereport(NOTICE,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("document is too long to be read whole"),
				 errdetail("Its first %d of %d words are searchable.", kept, n)));
	vector = fill_vector(sorted, kept, nlexemes, bytes);
	pfree(sorted);
	return vector;
}

TSVector
abst_vector_from_text(Oid config, const AbstTextPart *parts, int nparts)
{
	Collector	collector = {0};
	TSVector	vector;
	MemoryContext scratch;
	MemoryContext old;

	scratch = AllocSetContextCreate(CurrentMemoryContext,
									"abstracts document",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(scratch);
	collector.context = scratch;
	collector.nalloc = 256;
	collector.found = palloc(sizeof(Occurrence) * collector.nalloc);
	for (int i = 0; i < nparts; i++)
	{
		const AbstTextPart *title = NULL;
		const char *text;
		int			len;

		if (i > 0 && parts[0].label == 'A')
			title = &parts[0];
		text = parts[i].text;

		len = parts[i].len;
		if (parts[i].label != 'A')	/* a title is what it is */
			text = abst_without_boilerplate(title ? title->text : NULL,
											title ? title->len : 0,
											text, len, &len);

		collector.weight = 'D' - parts[i].label;
		collector.base = collector.last > 0 ? collector.last + 1 : 0;
		abst_lexemes_for_vector(config, text, len, collect, &collector);
	}
	MemoryContextSwitchTo(old);
	vector = make_vector(collector.found, collector.nfound);
	MemoryContextDelete(scratch);
	return vector;
}
