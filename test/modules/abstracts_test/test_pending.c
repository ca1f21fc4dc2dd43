/*-------------------------------------------------------------------------
 *
 * test_pending.c
 *		The pending list: append, walk, probe, seal.
 *
 *-------------------------------------------------------------------------
 */
#include "abstracts_test.h"

#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(test_pending);
PG_FUNCTION_INFO_V1(test_seal);

/* A document that was appended. */
typedef struct Pended
{
	ItemPointerData tid;
	AbstDoc    *doc;			/* NULL: the row's document is */
} Pended;

static AbstDoc *
random_doc(Random *random, int nterms)
{
	AbstDoc    *doc = palloc0(sizeof(AbstDoc));
	char	  **lexemes = palloc(Max(nterms, 1) * sizeof(char *));
	int		   *lens = palloc(Max(nterms, 1) * sizeof(int));

	doc->nterms = model_lexemes(random, nterms, lexemes, lens);
	doc->terms = palloc(Max(nterms, 1) * sizeof(AbstDocTerm));
	for (int i = 0; i < doc->nterms; i++)
	{
		doc->terms[i].lexeme = lexemes[i];
		doc->terms[i].len = lens[i];
		doc->terms[i].tf = model_tf(random, 15);
		for (int f = 0; f < ABST_NFIELDS; f++)
			doc->lengths.field[f] += doc->terms[i].tf.field[f];
	}
	doc->norm = (float4) random_below(random, 1000) / 3;
	return doc;
}

/*
 * Append random documents; at most n pages of terms each.
 */
static int
append_docs(Relation rel, Random *random, int n, Pended *pended)
{
	int			grown = 0;

	for (int i = 0; i < n; i++)
	{
		uint32		npages;

		ItemPointerSet(&pended[i].tid, random_below(random, PG_UINT32_MAX - 1),
					   1 + random_below(random, MaxOffsetNumber));
		pended[i].doc = random_below(random, 10) == 0 ? NULL :
			random_doc(random, random_below(random, random_below(random, 20) == 0 ? 150 : 30));
		EXPECT(abst_pending_append(rel, &pended[i].tid, pended[i].doc, &npages));
		if (npages > 0)
			grown = (int) npages;
	}
	return grown;
}

static void
compare_doc(const AbstPendingDoc *read, const Pended *pended)
{
	const AbstDoc *doc = pended->doc;
	const char *at = NULL;
	AbstDocTerm term;

	EXPECT(ItemPointerEquals(&((AbstPendingDoc *) read)->tid, &((Pended *) pended)->tid));
	EXPECT(read->isnull == (doc == NULL));
	if (doc == NULL)
	{
		EXPECT(!abst_pending_next_term(read, &at, &term));
		return;
	}
	EXPECT(memcmp(&read->lengths, &doc->lengths, sizeof(AbstLengths)) == 0);
	EXPECT(read->norm == doc->norm && read->nterms == doc->nterms);
	for (int i = 0; i < doc->nterms; i++)
	{
		EXPECT(abst_pending_next_term(read, &at, &term));
		EXPECT(term.len == doc->terms[i].len);
		EXPECT(memcmp(term.lexeme, doc->terms[i].lexeme, term.len) == 0);
		EXPECT(term.tf.all == doc->terms[i].tf.all);
	}
	EXPECT(!abst_pending_next_term(read, &at, &term));
}

/*
 * Terms of which some are in the document.
 */
static void
compare_probe(const AbstPendingDoc *read, const AbstDoc *doc, const AbstDoc *query)
{
	AbstTf	   *tf = palloc(Max(query->nterms, 1) * sizeof(AbstTf));
	bool		found = abst_pending_probe(read, query->terms, query->nterms, tf);
	bool		expected = false;

	for (int i = 0; i < query->nterms; i++)
	{
		uint32		want = 0;

		for (int j = 0; doc != NULL && j < doc->nterms; j++)
		{
			if (abst_lexeme_cmp(doc->terms[j].lexeme, doc->terms[j].len,
								query->terms[i].lexeme, query->terms[i].len) == 0)
				want = doc->terms[j].tf.all;
		}
		EXPECT(tf[i].all == want);
		expected |= want != 0;
	}
	EXPECT(found == expected);
	pfree(tf);
}

/*
 * Walk; documents must be those appended, in order, after "skip" others.
 */
static void
compare_list(Relation rel, const AbstDirectory *directory, int skip,
			 const Pended *pended, int n, Random *random)
{
	AbstPendingWalk *walk = abst_pending_begin(rel, directory);
	AbstPendingDoc doc;

	for (int i = 0; i < skip; i++)
		EXPECT(abst_pending_next(walk, &doc) == ABST_READ_OK);
	for (int i = 0; i < n; i++)
	{
		EXPECT(abst_pending_next(walk, &doc) == ABST_READ_OK);
		compare_doc(&doc, &pended[i]);
		compare_probe(&doc, pended[i].doc, random_doc(random, 20));
		if (pended[i].doc != NULL)
			compare_probe(&doc, pended[i].doc, pended[i].doc);
		if (i > 0 && pended[i - 1].doc != NULL)
			compare_probe(&doc, pended[i].doc, pended[i - 1].doc);
	}
	EXPECT(abst_pending_next(walk, &doc) == ABST_READ_END);
	EXPECT(abst_pending_next(walk, &doc) == ABST_READ_END);
	abst_pending_end(walk);
}

static int
count_docs(Relation rel, const AbstDirectory *directory)
{
	AbstPendingWalk *walk = abst_pending_begin(rel, directory);
	AbstPendingDoc doc;
	AbstRead	read;
	int			n = 0;

	while ((read = abst_pending_next(walk, &doc)) == ABST_READ_OK)
		n++;
	EXPECT(read == ABST_READ_END);
	abst_pending_end(walk);
	return n;
}

static void
count_block(BlockNumber block, void *arg)
{
	(*(int *) arg)++;
}

Datum
test_pending(PG_FUNCTION_ARGS)
{
	Relation	rel = test_open(PG_GETARG_OID(0));
	int			n = PG_GETARG_INT32(2);
	Pended	   *pended = palloc(Max(n, 1) * sizeof(Pended));
	AbstDirectory before;
	AbstDirectory after;
	Random		random;
	uint32		npages;
	int			old;
	int			grown;
	int			blocks = 0;

	random_seed(&random, PG_GETARG_INT32(1));
	abst_meta_read(rel, &before);
	old = count_docs(rel, &before);
	grown = append_docs(rel, &random, n, pended);
	abst_meta_read(rel, &after);
	EXPECT(grown == 0 || grown == (int) after.pending_pages);
	compare_list(rel, &after, old, pended, n, &random);
	EXPECT(abst_pending_blocks(rel, &after, count_block, &blocks) == ABST_READ_OK);
	EXPECT(blocks == (int) after.pending_pages);

	/* the largest that fits, and one that does not */
	EXPECT(!abst_pending_append(rel, &pended[0].tid, random_doc(&random, 3000), &npages));
	EXPECT(npages == 0);
	EXPECT(count_docs(rel, &after) == old + n);
	test_close(rel);
	PG_RETURN_TEXT_P(cstring_to_text(psprintf("%d documents, %u pages",
											  old + n, after.pending_pages)));
}

Datum
test_seal(PG_FUNCTION_ARGS)
{
	Relation	rel = test_open(PG_GETARG_OID(0));
	Pended		behind[200];
	AbstDirectory before;
	AbstDirectory sealed;
	AbstDirectory both;
	AbstDirectory after;
	AbstPublish publish;
	AbstPendingWalk *walk;
	AbstPendingDoc doc;
	BlockNumber next;
	uint32		next_id;
	Random		random;
	int			old;
	BlockNumber head;

	random_seed(&random, PG_GETARG_INT32(1));
	EXPECT(abst_maintenance_lock(rel, true));
	abst_meta_read(rel, &before);
	old = count_docs(rel, &before);
	EXPECT(old > 0);
	EXPECT(abst_pending_seal(rel, &sealed, &next, &next_id));
	EXPECT(sealed.pending_pages == before.pending_pages);
	EXPECT(next_id > sealed.pending_last_id);
	EXPECT(count_docs(rel, &sealed) == old);

	/* documents go on behind the seal, and a reader sees both */
	append_docs(rel, &random, lengthof(behind), behind);
	EXPECT(count_docs(rel, &sealed) == old);
	abst_meta_read(rel, &both);
	EXPECT(both.pending_last_id == next_id);
	EXPECT(both.pending_first_id == before.pending_first_id);
	compare_list(rel, &both, old, behind, lengthof(behind), &random);

	memset(&publish, 0, sizeof(publish));
	publish.flushed_head = next;
	publish.flushed_first_id = next_id;
	publish.flushed_pages = sealed.pending_pages;
	abst_meta_publish(rel, &publish);
	abst_meta_read(rel, &after);
	EXPECT(after.pending_head == next && after.pending_first_id == next_id);
	EXPECT(after.pending_pages == both.pending_pages - sealed.pending_pages);
	compare_list(rel, &after, 0, behind, lengthof(behind), &random);

	/* old readers still see the old list until its pages are freed */
	EXPECT(count_docs(rel, &both) == old + lengthof(behind));
	head = sealed.pending_head;
	EXPECT(abst_page_free(rel, head, sealed.pending_first_id));
	walk = abst_pending_begin(rel, &both);
	EXPECT(abst_pending_next(walk, &doc) == ABST_READ_STALE);
	abst_pending_end(walk);

	/* nothing to seal once the list is one empty page */
	EXPECT(abst_pending_seal(rel, &sealed, &next, &next_id));
	publish.flushed_head = next;
	publish.flushed_first_id = next_id;
	publish.flushed_pages = sealed.pending_pages;
	abst_meta_publish(rel, &publish);
	EXPECT(!abst_pending_seal(rel, &sealed, &next, &next_id));
	abst_meta_read(rel, &after);
	EXPECT(after.pending_pages == 1 && after.pending_head == after.pending_tail);
	abst_maintenance_unlock(rel);
	test_close(rel);
	PG_RETURN_TEXT_P(cstring_to_text(psprintf("%d flushed", old)));
}
