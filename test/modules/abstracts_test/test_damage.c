/*-------------------------------------------------------------------------
 *
 * test_damage.c
 *		Damaged pages: errors of corruption, never anything worse.
 *
 * A page is damaged in its buffer, everything is read, then the page is put
 * right again.
 *
 *-------------------------------------------------------------------------
 */
#include "abstracts_test.h"

#include "access/xact.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

PG_FUNCTION_INFO_V1(test_damage);

/*
 * Read whatever there is without checking more than readers do.
 */
static void
read_all(Relation rel)
{
	AbstDirectory directory;
	AbstPendingWalk *walk;
	AbstPendingDoc doc;

	abst_meta_read(rel, &directory);
	for (int i = 0; i < directory.nsegments; i++)
	{
		AbstSegment *segment = abst_segment_open(rel, &directory.segments[i]);
		AbstDictCursor *cursor;
		AbstTermInfo info;
		AbstTermInfo found;
		const char *lexeme;
		int			len;
		uint32		n;
		uint32		ncodes;
		const AbstTf *codes;

		if (segment == NULL)
			continue;
		n = abst_segment_maxdoc(segment);
		codes = abst_segment_codes(segment, &ncodes);
		if (n > 0)
		{
			ItemPointerData *tids = palloc(n * sizeof(ItemPointerData));
			AbstLengths *lengths = palloc(n * sizeof(AbstLengths));
			float4	   *norms = palloc(n * sizeof(float4));
			uint64	   *words = palloc((n + 63) / 64 * sizeof(uint64));
			bool		any;

			abst_segment_tids(segment, 0, n, tids, NULL);
			abst_segment_lengths(segment, 0, n, lengths);
			abst_segment_norms(segment, 0, n, norms);
			abst_segment_dead(segment, 0, n, words, &any);
		}
		cursor = abst_dict_begin(segment, "", 0);
		while (abst_dict_next(cursor, &lexeme, &len, &info) == ABST_READ_OK)
		{
			AbstPostings *postings = abst_postings_begin(segment, &info);
			uint32		docids[ABST_BLOCK_SIZE];
			uint32		ids[ABST_BLOCK_SIZE];
			AbstImpact	impacts[ABST_MAX_IMPACTS];
			int			m;

			abst_segment_lookup(segment, lexeme, len, &found);
			abst_postings_list_impacts(postings, impacts, &m);
			abst_postings_seek(postings, n / 2);
			abst_postings_block_impacts(postings, impacts, &m);
			abst_postings_seek(postings, 0);
			while (abst_postings_next(postings, docids, ids,
									  &m) == ABST_READ_OK)
			{
				for (int j = 0; j < m; j++)
				{
					EXPECT(docids[j] < n && ids[j] < ncodes);
					EXPECT(codes[ids[j]].all != 0);
				}
			}
			abst_postings_end(postings);
		}
		abst_dict_end(cursor);
	}

	walk = abst_pending_begin(rel, &directory);
	while (abst_pending_next(walk, &doc) == ABST_READ_OK)
	{
		const char *at = NULL;
		AbstDocTerm term;

		while (abst_pending_next_term(&doc, &at, &term))
			EXPECT(term.len <= ABST_MAX_LEXEME);
	}
}

/*
 * Run one reader in a subtransaction.  True if it found the damage.
 */
static bool
finds_damage(Relation rel, bool check)
{
	MemoryContext old = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	volatile bool found = false;

	BeginInternalSubTransaction(NULL);
	PG_TRY();
	{
		if (check)
		{
			AbstDirectory directory;

			abst_meta_read(rel, &directory);
			for (int i = 0; i < directory.nsegments; i++)
				abst_segment_check(rel, &directory.segments[i]);
		}
		else
			read_all(rel);
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(old);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		if (error->sqlerrcode != ERRCODE_INDEX_CORRUPTED &&
			error->sqlerrcode != ERRCODE_FEATURE_NOT_SUPPORTED)
			ReThrowError(error);
		FreeErrorData(error);
		found = true;
	}
	PG_END_TRY();
	MemoryContextSwitchTo(old);
	CurrentResourceOwner = owner;
	return found;
}

/*
 * Damage of some kind in the content or in the heads of a page.
 */
static void
damage(Random *random, Page page)
{
	int			lower = ((PageHeader) page)->pd_lower;
	uint8	   *bytes = (uint8 *) page;

	switch (random_below(random, 6))
	{
		case 0:					/* a bit of the content */
			bytes[24 + random_below(random, Max(lower - 24,
												1))] ^= 1 << random_below(random, 8);
			break;
		case 1:					/* some bytes of it */
			for (int i = 0; i < 20; i++)
				bytes[24 + random_below(random, Max(lower - 24,
													1))] = (uint8) random_bits(random);
			break;
		case 2:					/* its beginning */
			for (int i = 0; i < 16; i++)
				bytes[24 + i] = (uint8) random_bits(random);
			break;
		case 3:					/* its length */
			((PageHeader) page)->pd_lower = (uint16) random_below(random,
																  BLCKSZ);
			break;
		case 4:					/* the special space */
			bytes[BLCKSZ - 1 - random_below(random,
											16)] ^= 1 << random_below(random,
																	  8);
			break;
		case 5:					/* everything */
			if (random_below(random, 2) == 0)
				memset(bytes, 0, BLCKSZ);
			else
				for (int i = 24; i < BLCKSZ - 16; i++)
					bytes[i] = (uint8) random_bits(random);
			break;
	}
}

Datum
test_damage(PG_FUNCTION_ARGS)
{
	Relation	rel = test_open(PG_GETARG_OID(0));
	int			rounds = PG_GETARG_INT32(2);
	BlockNumber nblocks = RelationGetNumberOfBlocks(rel);
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "damage",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	Random		random;
	int			by_readers = 0;
	int			by_check = 0;

	random_seed(&random, PG_GETARG_INT32(1));
	EXPECT(!finds_damage(rel, true) && !finds_damage(rel, false));
	for (int round = 0; round < rounds; round++)
	{
		BlockNumber block = random_below(&random, nblocks);
		Buffer		buffer = ReadBuffer(rel, block);
		PGAlignedBlock copy;

		CHECK_FOR_INTERRUPTS();
		LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
		memcpy(copy.data, BufferGetPage(buffer), BLCKSZ);
		if (round % 5 == 0)
			abst_page_copy(rel, (block + 1 + random_below(&random,
														  nblocks - 1)) % nblocks,
						   BufferGetPage(buffer));	/* another page */
		else
			damage(&random, BufferGetPage(buffer));
		LockBuffer(buffer, BUFFER_LOCK_UNLOCK);

		by_readers += finds_damage(rel, false);
		by_check += finds_damage(rel, true);

		LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
		memcpy(BufferGetPage(buffer), copy.data, BLCKSZ);
		UnlockReleaseBuffer(buffer);
		MemoryContextReset(context);
	}
	EXPECT(!finds_damage(rel, true) && !finds_damage(rel, false));
	MemoryContextSwitchTo(old);
	test_close(rel);
	elog(DEBUG1, "%d of %d found by readers, %d by the check", by_readers, rounds, by_check);

	/* some damage does not matter: norms, weights nobody reads here */
	EXPECT(by_check * 10 >= rounds * 6);
	EXPECT(by_readers * 10 >= rounds * 3);
	PG_RETURN_TEXT_P(cstring_to_text("errors only"));
}
