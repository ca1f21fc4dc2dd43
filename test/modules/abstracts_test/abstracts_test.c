/*-------------------------------------------------------------------------
 *
 * abstracts_test.c
 *		Module head, random numbers, and the functions on whole relations.
 *
 * The relation under test is a plain table whose pages are written as those
 * of an index: the page functions need no more of a relation than its pages.
 *
 *-------------------------------------------------------------------------
 */
#include "abstracts_test.h"

#include "access/table.h"
#include "catalog/pg_type.h"
#include "storage/smgr.h"
#include "utils/array.h"
#include "utils/builtins.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(test_create);
PG_FUNCTION_INFO_V1(test_create_init);
PG_FUNCTION_INFO_V1(test_check);

/* splitmix64 */
void
random_seed(Random *random, int32 seed)
{
	random->state = (uint64) seed * UINT64CONST(0x9E3779B97F4A7C15) + 1;
}

uint64
random_bits(Random *random)
{
	uint64		z = (random->state += UINT64CONST(0x9E3779B97F4A7C15));

	z = (z ^ (z >> 30)) * UINT64CONST(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64CONST(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

uint32
random_below(Random *random, uint32 n)
{
	return (uint32) (((random_bits(random) >> 32) * n) >> 32);
}

Relation
test_open(Oid relid)
{
	return table_open(relid, RowExclusiveLock);
}

void
test_close(Relation rel)
{
	table_close(rel, RowExclusiveLock);
}

Datum
test_create(PG_FUNCTION_ARGS)
{
	Relation	rel = test_open(PG_GETARG_OID(0));
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(1);
	AbstDirectory directory;

	if (ARR_NDIM(array) != 1 || ARR_DIMS(array)[0] != ABST_NFIELDS ||
		ARR_ELEMTYPE(array) != FLOAT8OID || ARR_HASNULL(array))
		elog(ERROR, "four weights are needed");
	abst_meta_create(rel, MAIN_FORKNUM, 77, (float8 *) ARR_DATA_PTR(array));

	abst_meta_read(rel, &directory);
	EXPECT(directory.config == 77);
	EXPECT(directory.nsegments == 0);
	EXPECT(directory.pending_head == 1 && directory.pending_tail == 1);
	EXPECT(directory.pending_pages == 1);
	EXPECT(memcmp(directory.weights, ARR_DATA_PTR(array),
				  sizeof(directory.weights)) == 0);
	EXPECT(abst_meta_new_id(rel) == 2);
	EXPECT(abst_meta_new_id(rel) == 3);

	EXPECT(abst_maintenance_lock(rel, true));
	EXPECT(abst_maintenance_lock(rel, false));
	abst_maintenance_unlock(rel);
	abst_maintenance_unlock(rel);
	test_close(rel);
	PG_RETURN_VOID();
}

Datum
test_create_init(PG_FUNCTION_ARGS)
{
	Relation	rel = test_open(PG_GETARG_OID(0));
	const float8 weights[ABST_NFIELDS] = {1, 1, 1, 1};
	Buffer		buffer;
	int			npages;

	abst_meta_create(rel, INIT_FORKNUM, InvalidOid, weights);
	buffer = ReadBufferExtended(rel, INIT_FORKNUM, 0, RBM_NORMAL, NULL);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	EXPECT(AbstPageGetOpaque(BufferGetPage(buffer))->kind == ABST_PAGE_META);
	UnlockReleaseBuffer(buffer);
	npages = (int) smgrnblocks(RelationGetSmgr(rel), INIT_FORKNUM);
	test_close(rel);
	PG_RETURN_INT32(npages);
}

Datum
test_check(PG_FUNCTION_ARGS)
{
	Relation	rel = test_open(PG_GETARG_OID(0));
	AbstDirectory directory;
	AbstPendingWalk *walk;
	AbstPendingDoc doc;
	AbstRead	read;
	int			npending = 0;

	EXPECT(abst_maintenance_lock(rel, true));
	abst_meta_read(rel, &directory);
	for (int i = 0; i < directory.nsegments; i++)
		abst_segment_check(rel, &directory.segments[i]);
	walk = abst_pending_begin(rel, &directory);
	while ((read = abst_pending_next(walk, &doc)) == ABST_READ_OK)
		npending++;
	EXPECT(read == ABST_READ_END);
	abst_pending_end(walk);
	abst_maintenance_unlock(rel);
	test_close(rel);
	PG_RETURN_TEXT_P(cstring_to_text(psprintf("%d segments, %d pending documents",
											  directory.nsegments, npending)));
}
