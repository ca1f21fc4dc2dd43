/*-------------------------------------------------------------------------
 *
 * invert_plan.c
 *		One segment of what several inverters handed over.
 *
 * When all participants have handed over (invert_shared.c), the leader
 *
 *	- merges the documents by TID and gives them to the segment writer; as
 *	  tables are read by the chunk, a few thousand ranges of docids say which
 *	  docid of a participant became which docid of the segment;
 *	- makes one table of frequency vectors of all;
 *	- cuts the terms into ranges of about the same number of bytes, with the
 *	  help of the samples;
 *	- writes all this to a file, the plan.
 *
 * Then everybody takes ranges and writes their postings, merging the runs of
 * all participants (invert_write.c, segment_parts.c), and at last the leader
 * makes directory and dictionary of what they left.
 *
 * So the segment has the same documents, codes, terms and postings whoever
 * read what; only the places of its pages differ.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "index/inverter.h"

/* Ranges of terms for each participant: the last ones end about together. */
#define RANGES_EACH		8

#define DOCS_BUFFER		512

/* ---- the plan ---- */

/* What a participant handed over. */
typedef struct Handed
{
	uint32		ndocs;
	uint32		field_mask;
	uint32		ncodes;
	InvCode    *codes;
	uint32		nruns;
	InvRun	   *runs;

	/* its documents, as they are merged */
	BufFile    *file;
	uint32		next;			/* docid of the one at hand */
	uint32		nbuffered;
	uint32		at;
	InvDoc		buffer[DOCS_BUFFER];

	/* where they went */
	uint32		nranges;
	uint32		maxranges;
	InvRange   *ranges;
} Handed;

struct AbstInvertPlan
{
	AbstInvertShared *shared;
	MemoryContext context;
	Relation	index;
	AbstSegmentWriter *writer;
	uint32		id;
	int			nhanded;
	Handed	   *handed;
	uint32		ncodes;
	InvCode    *codes;
	dsm_segment *bounds;
	uint32		nranges;
};

static void
read_figures(AbstInvertShared *shared, int participant, Handed *handed)
{
	BufFile    *file = abst_shared_open(shared, "figures", participant);

	handed->ndocs = abst_shared_get_number(file);
	handed->field_mask = abst_shared_get_number(file);
	handed->ncodes = abst_shared_get_number(file);
	handed->codes = abst_shared_get_array(file, handed->ncodes,
										  sizeof(InvCode));
	handed->nruns = abst_shared_get_number(file);
	handed->runs = palloc0(Max(handed->nruns, 1) * sizeof(InvRun));
	for (uint32 i = 0; i < handed->nruns; i++)
	{
		InvRun	   *run = &handed->runs[i];

		run->number = abst_shared_get_number(file);
		abst_shared_get(file, &run->interval, sizeof(run->interval));
		run->nsamples = abst_shared_get_number(file);
		run->samples = abst_shared_get_array(file, run->nsamples,
											 sizeof(InvSample));
	}
	BufFileClose(file);
}

/* The participant's next document, or NULL. */
static InvDoc *
peek_doc(Handed *handed)
{
	if (handed->at == handed->nbuffered)
	{
		uint32		n = Min(handed->ndocs - handed->next, DOCS_BUFFER);

		if (n == 0)
			return NULL;
		CHECK_FOR_INTERRUPTS();
		abst_shared_get(handed->file, handed->buffer, n * sizeof(InvDoc));
		handed->nbuffered = n;
		handed->at = 0;
	}
	return &handed->buffer[handed->at];
}

static void
begin_range(Handed *handed, uint32 docid)
{
	if (handed->nranges == handed->maxranges)
	{
		handed->maxranges = Max(64, handed->maxranges * 2);
		if (handed->ranges == NULL)
			handed->ranges = palloc(handed->maxranges * sizeof(InvRange));
		else
			handed->ranges = repalloc_huge(handed->ranges,
										   handed->maxranges *
										   sizeof(InvRange));
	}
	handed->ranges[handed->nranges].first = handed->next;
	handed->ranges[handed->nranges].docid = docid;
	handed->nranges++;
}

/* All documents go to the writer, in order of their TIDs. */
static void
plan_docs(AbstInvertPlan *plan)
{
	uint32		docid = 0;
	Handed	   *last = NULL;

	for (;;)
	{
		Handed	   *first = NULL;
		InvDoc	   *doc = NULL;

		for (int i = 0; i < plan->nhanded; i++)
		{
			InvDoc	   *candidate = peek_doc(&plan->handed[i]);

			if (candidate != NULL &&
				(doc == NULL ||
				 ItemPointerCompare(&candidate->tid, &doc->tid) < 0))
			{
				first = &plan->handed[i];
				doc = candidate;
			}
		}
		if (doc == NULL)
			break;
		if (first != last)
			begin_range(first, docid);
		last = first;
		docid = 1 + abst_segment_writer_doc(plan->writer, &doc->tid,
											&doc->lengths, doc->norm,
											doc->isnull != 0);
		first->at++;
		first->next++;
	}
}

/* One table of all frequency vectors. */
static void
plan_codes(AbstInvertPlan *plan)
{
	AbstInvertShared *shared = plan->shared;
	uint32		n = 0;
	AbstTf	   *tfs;

	for (int i = 0; i < plan->nhanded; i++)
		n += plan->handed[i].ncodes;
	plan->codes = palloc_extended(Max(n, 1) * sizeof(InvCode),
								  MCXT_ALLOC_HUGE);
	n = 0;
	for (int i = 0; i < plan->nhanded; i++)
	{
		memcpy(plan->codes + n, plan->handed[i].codes,
			   plan->handed[i].ncodes * sizeof(InvCode));
		n += plan->handed[i].ncodes;
	}
	plan->ncodes = abst_invert_order_codes(plan->codes, n);
	tfs = palloc_extended(Max(plan->ncodes, 1) * sizeof(AbstTf),
						  MCXT_ALLOC_HUGE);
	for (uint32 i = 0; i < plan->ncodes; i++)
	{
		tfs[i] = plan->codes[i].tf;
		shared->all_postings += plan->codes[i].count;
	}
	abst_segment_writer_codes(plan->writer, tfs, plan->ncodes);
	pfree(tfs);
}

/* A sample with the bytes that it stands for. */
typedef struct Weighed
{
	InvKey		key;
	uint64		bytes;
} Weighed;

static int
cmp_weighed(const void *a, const void *b)
{
	return abst_invert_key_cmp(&((const Weighed *) a)->key,
							   &((const Weighed *) b)->key);
}

/*
 * Keys that cut the terms into ranges of about the same number of bytes;
 * returns how many there are.
 */
static uint32
plan_cuts(AbstInvertPlan *plan, InvKey *cuts, uint32 wanted)
{
	uint32		n = 0;
	uint32		ncuts = 0;
	uint64		total = 0;
	uint64		sum = 0;
	Weighed    *samples;

	for (int i = 0; i < plan->nhanded; i++)
		for (uint32 j = 0; j < plan->handed[i].nruns; j++)
			n += plan->handed[i].runs[j].nsamples;
	samples = palloc_extended(Max(n, 1) * sizeof(Weighed), MCXT_ALLOC_HUGE);
	n = 0;
	for (int i = 0; i < plan->nhanded; i++)
		for (uint32 j = 0; j < plan->handed[i].nruns; j++)
		{
			InvRun	   *run = &plan->handed[i].runs[j];

			for (int k = 0; k < run->nsamples; k++)
			{
				samples[n].key = run->samples[k].key;
				samples[n].bytes = run->interval;
				total += run->interval;
				n++;
			}
		}
	qsort(samples, n, sizeof(Weighed), cmp_weighed);
	for (uint32 i = 0; i < n && ncuts < wanted; i++)
	{
		if (sum >= total / (wanted + 1) * (ncuts + 1) &&
			(ncuts == 0 ||
			 abst_invert_key_cmp(&cuts[ncuts - 1], &samples[i].key) < 0))
			cuts[ncuts++] = samples[i].key;
		sum += samples[i].bytes;
	}
	pfree(samples);
	return ncuts;
}

/*
 * Where to begin reading a run for terms from "start" on: at a piece before
 * them.  A key is only the beginning of its lexeme; that of a smaller key is
 * smaller, that of an equal one may be larger.
 */
static InvPlace
place_before(const InvRun *run, const InvKey *start)
{
	InvPlace	place = {0, 0};

	for (int i = 0; i < run->nsamples; i++)
	{
		if (abst_invert_key_cmp(&run->samples[i].key, start) >= 0)
			break;
		place = run->samples[i].place;
	}
	return place;
}

/* The file from which the others know what is to be done. */
static void
write_plan(AbstInvertPlan *plan)
{
	uint32		wanted = plan->nhanded * RANGES_EACH - 1;
	InvKey	   *cuts = palloc(wanted * sizeof(InvKey));
	uint32		ncuts = plan_cuts(plan, cuts, wanted);
	uint32		maxdoc = 0;
	BufFile    *file = abst_shared_create(plan->shared, "plan", 0);

	plan->nranges = ncuts + 1;
	for (int i = 0; i < plan->nhanded; i++)
		maxdoc += plan->handed[i].ndocs;
	abst_shared_put_number(file, plan->id);
	abst_shared_put_number(file, maxdoc);
	abst_shared_put_number(file, plan->ncodes);
	abst_shared_put(file, plan->codes, plan->ncodes * sizeof(InvCode));
	abst_shared_put_number(file, ncuts);
	abst_shared_put(file, cuts, ncuts * sizeof(InvKey));
	abst_shared_put_number(file, plan->nhanded);
	for (int i = 0; i < plan->nhanded; i++)
	{
		Handed	   *handed = &plan->handed[i];

		abst_shared_put_number(file, handed->ndocs);
		abst_shared_put_number(file, handed->ncodes);
		abst_shared_put(file, abst_invert_map_codes(handed->codes,
													handed->ncodes,
													plan->codes, plan->ncodes),
						handed->ncodes * sizeof(uint32));
		abst_shared_put_number(file, handed->nranges);
		abst_shared_put(file, handed->ranges,
						handed->nranges * sizeof(InvRange));
		abst_shared_put_number(file, handed->nruns);
		for (uint32 j = 0; j < handed->nruns; j++)
		{
			abst_shared_put_number(file, handed->runs[j].number);
			for (uint32 k = 0; k < ncuts; k++)
			{
				InvPlace	place = place_before(&handed->runs[j], &cuts[k]);

				abst_shared_put(file, &place, sizeof(place));
			}
		}
	}
	abst_shared_export(file);
}

AbstInvertPlan *
abst_shared_plan(AbstInvertShared *shared, Relation index,
				 const float8 *weights, uint32 id, int nparticipants)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "abstracts shared build",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	AbstInvertPlan *plan = palloc0(sizeof(AbstInvertPlan));
	uint32		fields = 0;
	uint64		ndocs = 0;

	plan->shared = shared;
	plan->context = context;
	plan->index = index;
	plan->id = id;
	plan->nhanded = nparticipants;
	plan->handed = palloc0(nparticipants * sizeof(Handed));
	for (int i = 0; i < nparticipants; i++)
	{
		Handed	   *handed = &plan->handed[i];

		read_figures(shared, i, handed);
		handed->file = abst_shared_open(shared, "docs", i);
		fields |= handed->field_mask;
		ndocs += handed->ndocs;
	}
	shared->all_rows = ndocs;
	if (ndocs == 0)
	{
		for (int i = 0; i < nparticipants; i++)
			BufFileClose(plan->handed[i].file);
		MemoryContextSwitchTo(old);
		MemoryContextDelete(context);
		abst_shared_advance(shared, &shared->planned);
		return NULL;
	}
	if (ndocs > ABST_MAX_DOCS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("index \"%s\" cannot hold more than %u rows in one segment",
						RelationGetRelationName(index), ABST_MAX_DOCS)));
	plan->bounds = dsm_create(ndocs * sizeof(uint16), 0);
	shared->bounds = dsm_segment_handle(plan->bounds);

	plan->writer = abst_segment_writer_begin(index, id, weights, true);
	abst_segment_writer_expect(plan->writer, fields,
							   dsm_segment_address(plan->bounds));
	plan_docs(plan);
	plan_codes(plan);
	write_plan(plan);
	for (int i = 0; i < nparticipants; i++)
		BufFileClose(plan->handed[i].file);
	MemoryContextSwitchTo(old);
	abst_shared_advance(shared, &shared->planned);
	return plan;
}

/* ---- writing ---- */

/* The plan as a participant reads it. */
typedef struct Orders
{
	AbstPartPlan part;
	uint32		ncuts;
	InvKey	   *cuts;
	int			norigins;
	InvOrigin  *origins;
	int			nruns;			/* of all origins */
	int			maxruns;
	BufFile   **runs;
	int		   *run_origins;
	InvPlace  **places;			/* by run and cut */
} Orders;

static void
read_codes(Orders *orders, BufFile *file)
{
	InvCode    *codes;
	AbstTf	   *tfs;

	orders->part.ncodes = abst_shared_get_number(file);
	codes = abst_shared_get_array(file, orders->part.ncodes, sizeof(InvCode));
	tfs = palloc_extended(Max(orders->part.ncodes, 1) * sizeof(AbstTf),
						  MCXT_ALLOC_HUGE);
	for (uint32 i = 0; i < orders->part.ncodes; i++)
		tfs[i] = codes[i].tf;
	orders->part.codes = tfs;
	pfree(codes);
}

static void
read_run(AbstInvertShared *shared, Orders *orders, BufFile *file, int origin)
{
	char		name[32];

	if (orders->nruns == orders->maxruns)
	{
		Size		max = orders->maxruns * 2;

		orders->runs = repalloc(orders->runs, max * sizeof(BufFile *));
		orders->run_origins = repalloc(orders->run_origins, max * sizeof(int));
		orders->places = repalloc(orders->places, max * sizeof(InvPlace *));
		orders->maxruns = max;
	}
	snprintf(name, sizeof(name), "run%u", abst_shared_get_number(file));
	orders->runs[orders->nruns] = abst_shared_open(shared, name, origin);
	orders->run_origins[orders->nruns] = origin;
	orders->places[orders->nruns] = abst_shared_get_array(file, orders->ncuts,
														  sizeof(InvPlace));
	orders->nruns++;
}

static Orders *
read_plan(AbstInvertShared *shared)
{
	Orders	   *orders = palloc0(sizeof(Orders));
	BufFile    *file = abst_shared_open(shared, "plan", 0);

	orders->maxruns = 64;
	orders->runs = palloc(orders->maxruns * sizeof(BufFile *));
	orders->run_origins = palloc(orders->maxruns * sizeof(int));
	orders->places = palloc(orders->maxruns * sizeof(InvPlace *));

	orders->part.id = abst_shared_get_number(file);
	orders->part.maxdoc = abst_shared_get_number(file);
	read_codes(orders, file);
	orders->ncuts = abst_shared_get_number(file);
	orders->cuts = abst_shared_get_array(file, orders->ncuts, sizeof(InvKey));
	orders->norigins = abst_shared_get_number(file);
	orders->origins = palloc0(orders->norigins * sizeof(InvOrigin));
	for (int i = 0; i < orders->norigins; i++)
	{
		InvOrigin  *origin = &orders->origins[i];
		uint32		nruns;

		origin->ndocs = abst_shared_get_number(file);
		origin->ncodes = abst_shared_get_number(file);
		origin->codes = abst_shared_get_array(file, origin->ncodes,
											  sizeof(uint32));
		origin->nranges = abst_shared_get_number(file);
		origin->ranges = abst_shared_get_array(file, origin->nranges,
											   sizeof(InvRange));
		nruns = abst_shared_get_number(file);
		for (uint32 j = 0; j < nruns; j++)
			read_run(shared, orders, file, i);
	}
	BufFileClose(file);
	return orders;
}

static void
count_postings(void *arg, uint64 n)
{
	AbstInvertShared *shared = arg;

	pg_atomic_fetch_add_u64(&shared->postings, n);
	if (!IsParallelWorker())
		abst_shared_report_written(shared);
}

/* Write the terms of range "number", which ends before cut "number". */
static void
write_range(AbstInvertShared *shared, Orders *orders, AbstSegmentWriter *part,
			uint32 number)
{
	InvPlace   *places = NULL;
	const InvKey *start = NULL;
	const InvKey *end = NULL;
	BufFile    *file = abst_shared_create(shared, "range", number);
	InvMerge   *merge;

	if (number > 0)
	{
		start = &orders->cuts[number - 1];
		places = palloc(Max(orders->nruns, 1) * sizeof(InvPlace));
		for (int i = 0; i < orders->nruns; i++)
			places[i] = orders->places[i][number - 1];
	}
	if (number < orders->ncuts)
		end = &orders->cuts[number];
	abst_segment_part_range(part, file);
	merge = abst_invert_merge_begin(orders->runs, orders->nruns,
									orders->run_origins, places, start, end);
	abst_invert_write_merge(part, merge, orders->origins, orders->norigins,
							count_postings, shared);
	abst_invert_merge_end(merge);
	abst_segment_part_end_range(part);
	abst_shared_export(file);
}

/* There are rows: write parts of their postings until none is left. */
static void
write_parts(AbstInvertShared *shared, Relation index, const float8 *weights,
			int participant)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "abstracts shared build",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	dsm_segment *bounds;
	bool		attached = false;
	Orders	   *orders;
	AbstSegmentWriter *part;
	uint32		number;

	orders = read_plan(shared);
	bounds = dsm_find_mapping(shared->bounds);
	if (bounds == NULL)
	{
		bounds = dsm_attach(shared->bounds);
		if (bounds == NULL)
			elog(ERROR, "could not attach to the shared memory of a build");
		attached = true;
	}
	orders->part.weights = weights;
	orders->part.bounds = dsm_segment_address(bounds);
	orders->part.npages = &shared->npages;
	orders->part.pages = abst_shared_create(shared, "pages", participant);
	part = abst_segment_part_begin(index, &orders->part);
	while ((number = pg_atomic_fetch_add_u32(&shared->next_range, 1)) <=
		   orders->ncuts)
		write_range(shared, orders, part, number);
	abst_segment_part_finish(part);
	abst_shared_export(orders->part.pages);
	for (int i = 0; i < orders->nruns; i++)
		BufFileClose(orders->runs[i]);
	if (attached)
		dsm_detach(bounds);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

void
abst_shared_write(AbstInvertShared *shared, Relation index,
				  const float8 *weights, int participant)
{
	abst_shared_wait(shared, &shared->planned, 1, NULL);
	if (shared->all_rows > 0)
		write_parts(shared, index, weights, participant);
	abst_shared_advance(shared, &shared->written);
}

void
abst_shared_complete(AbstInvertPlan *plan, AbstSegmentInfo *info)
{
	AbstInvertShared *shared = plan->shared;
	MemoryContext old = MemoryContextSwitchTo(plan->context);
	uint32		npages = pg_atomic_read_u32(&shared->npages);

	for (uint32 i = 0; i < plan->nranges; i++)
	{
		BufFile    *file = abst_shared_open(shared, "range", i);

		abst_segment_writer_add_range(plan->writer, file);
		BufFileClose(file);
	}
	for (int i = 0; i < plan->nhanded; i++)
	{
		BufFile    *file = abst_shared_open(shared, "pages", i);

		abst_segment_writer_add_pages(plan->writer, file, npages);
		BufFileClose(file);
	}
	abst_segment_writer_finish(plan->writer, info);
	dsm_detach(plan->bounds);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(plan->context);
}
