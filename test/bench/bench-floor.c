/*-------------------------------------------------------------------------
 *
 * bench-floor.c
 *		The least time that the queries of the benchmark can take.
 *
 *		bench-floor CORPUS QUERIES [K [ROUNDS]]
 *
 * Answers the same queries from postings that stand decoded in memory, without
 * a server, deletions or visibility: (a) term at a time into an array of
 * accumulators, window by window, one division a posting; (b) block-max
 * MaxScore: in each block of documents, lists that cannot lift a document
 * over the limit are only probed.  BM25 with k1 = 1.2, b = 0.75.
 *
 * Prints the median time of each class in microseconds, "class <tab> (a) <tab>
 * (b)", after making sure that both find the same.  With 0 rounds it prints
 * the K best documents of each query instead, "class <tab> number:score ...".
 * CORPUS is the number of documents to make up, or a file of them.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "corpus.h"

#define WINDOW 65536			/* documents; 256 kB of floats, within L2 */
#define BLOCK 4096				/* documents that share a bound */
#define BATCH 64				/* postings scored at once */
#define CHUNK 256				/* documents swept at once */
#define PROBE_COST 16			/* of a candidate, in postings added */
#define SPARSE 32				/* fewer than a posting in so many documents */
#define LONG_LIST 128			/* postings from which on blocks pay */
#define SLACK 1e-5f				/* more than rounding takes from a bound */
#define MAX_QUERIES 100000
#define MAX_CLASSES 32

typedef struct List
{
	uint32_t	df;
	uint32_t   *docids;
	uint8_t    *tf;
	float		max;			/* largest part, without idf */
	float	   *block_max;		/* the same by block; NULL in short lists */
	uint32_t   *block_start;	/* first posting by block; NULL likewise */
} List;

typedef struct Query
{
	int			class;
	int			n;
	uint32_t   *words;
} Query;

typedef struct Hit
{
	float		score;
	uint32_t	docid;
} Hit;

static uint64_t ndocs;
static uint64_t nblocks;
static List *lists;				/* by word */
static uint16_t *lengths;
static float saturation[CORPUS_MAX_TOKENS + 1];
static Query queries[MAX_QUERIES];
static int	nqueries;
static char classes[MAX_CLASSES][16];
static int	nclasses;

/* The best k, the worst on top. */
static Hit *heap;
static int	k;
static int	nheap;

/* ---- the corpus ---- */

static void
count_postings(void)
{
	static uint32_t words[CORPUS_MAX_TOKENS];
	static uint32_t tf[CORPUS_MAX_TOKENS];
	double		sum = 0;

	lists = calloc(corpus_words(), sizeof(List));
	lengths = malloc(ndocs * sizeof(uint16_t));
	for (uint64_t d = 0; d < ndocs; d++)
	{
		int			n = corpus_document(d, words);

		lengths[d] = n;
		sum += n;
		n = corpus_distinct(words, n, tf);
		for (int i = 0; i < n; i++)
			lists[words[i]].df++;
	}
	for (int l = 0; l <= CORPUS_MAX_TOKENS; l++)
		saturation[l] = 1.2 * (0.25 + 0.75 * l / (sum / ndocs));
}

static void
allocate_postings(void)
{
	for (uint32_t w = 0; w < corpus_words(); w++)
	{
		List	   *list = &lists[w];

		list->docids = malloc((list->df + 1) * sizeof(uint32_t));
		list->tf = malloc(list->df + 1);
		if (list->df >= LONG_LIST)
		{
			list->block_max = calloc(nblocks, sizeof(float));
			list->block_start = calloc(nblocks + 1, sizeof(uint32_t));
		}
		list->df = 0;
	}
}

static void
add_posting(List *list, uint32_t d, uint32_t tf)
{
	float		part;

	if (tf > UINT8_MAX)
		tf = UINT8_MAX;
	part = tf / (tf + saturation[lengths[d]]);
	list->docids[list->df] = d;
	list->tf[list->df++] = tf;
	if (part > list->max)
		list->max = part;
	if (list->block_max)
	{
		if (part > list->block_max[d / BLOCK])
			list->block_max[d / BLOCK] = part;
		/* a count for now */
		list->block_start[d / BLOCK + 1]++;
	}
}

static void
fill_postings(void)
{
	static uint32_t words[CORPUS_MAX_TOKENS];
	static uint32_t tf[CORPUS_MAX_TOKENS];

	nblocks = (ndocs + BLOCK - 1) / BLOCK;
	allocate_postings();
	for (uint64_t d = 0; d < ndocs; d++)
	{
		int			n = corpus_document(d, words);

		n = corpus_distinct(words, n, tf);
		for (int i = 0; i < n; i++)
			add_posting(&lists[words[i]], d, tf[i]);
	}
	for (uint32_t w = 0; w < corpus_words(); w++)
		for (uint64_t b = 0; lists[w].block_start && b < nblocks; b++)
			lists[w].block_start[b + 1] += lists[w].block_start[b];
}

/* ---- queries ---- */

static int
class_of(const char *name)
{
	for (int c = 0; c < nclasses; c++)
		if (strcmp(classes[c], name) == 0)
			return c;
	snprintf(classes[nclasses], sizeof(classes[0]), "%s", name);
	return nclasses++;
}

static int
cmp_name(const void *a, const void *b)
{
	return strcmp(corpus_word(*(const uint32_t *) a),
				  corpus_word(*(const uint32_t *) b));
}

static uint32_t *sorted;

/* Rank of a word. */
static uint32_t
rank_of(const char *word)
{
	int			low = 0;
	int			high = (int) corpus_words() - 1;

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (strcmp(corpus_word(sorted[middle]), word) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return sorted[low];
}

/* Queries of plain words; filters, phrases and trees are left out. */
static void
read_queries(const char *path)
{
	static char line[65536];
	FILE	   *file = fopen(path, "r");

	if (file == NULL)
	{
		perror(path);
		exit(1);
	}
	sorted = malloc(corpus_words() * sizeof(uint32_t));
	for (uint32_t i = 0; i < corpus_words(); i++)
		sorted[i] = i;
	qsort(sorted, corpus_words(), sizeof(uint32_t), cmp_name);
	while (fgets(line, sizeof(line), file) && nqueries < MAX_QUERIES)
	{
		char	   *class = strtok(line, "\t\n");
		Query	   *query = &queries[nqueries];

		if (class == NULL || strcmp(class, "filtered") == 0 ||
			strcmp(class, "phrase") == 0 || strcmp(class, "bool") == 0)
			continue;
		query->class = class_of(class);
		query->words = malloc(sizeof(uint32_t) * CORPUS_MAX_TOKENS);
		query->n = 0;
		for (char *word; (word = strtok(NULL, " \n")) != NULL;)
			query->words[query->n++] = rank_of(word);
		nqueries++;
	}
	fclose(file);
}

/* ---- the best k ---- */

static bool
worse(const Hit *a, const Hit *b)
{
	return a->score < b->score ||
		(a->score == b->score && a->docid > b->docid);
}

static void
heap_add(float score, uint32_t docid)
{
	Hit			hit = {score, docid};
	int			i;

	if (nheap < k)
	{
		for (i = nheap++; i > 0 && worse(&hit, &heap[(i - 1) / 2]);
			 i = (i - 1) / 2)
			heap[i] = heap[(i - 1) / 2];
		heap[i] = hit;
		return;
	}
	if (!worse(&heap[0], &hit))
		return;
	for (i = 0;;)
	{
		int			child = 2 * i + 1;

		if (child >= k)
			break;
		if (child + 1 < k && worse(&heap[child + 1], &heap[child]))
			child++;
		if (!worse(&heap[child], &hit))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = hit;
}

static float
limit(void)
{
	return nheap < k ? 0 : heap[0].score;
}

/* ---- the two ways ---- */

static float
idf_of(const List *list)
{
	return log(1 + (ndocs - list->df + 0.5) / (list->df + 0.5));
}

/*
 * Zero between queries.  Scores are not negative, so they compare like the
 * integers with their bits, which takes fewer instructions.
 */
static union
{
	float		score[WINDOW];
	int32_t		bits[WINDOW];
}			window;

/* First posting at or after a document, which is a bound of a block. */
static uint32_t
seek(const List *list, uint32_t at, uint64_t docid)
{
	if (list->block_start)
		return list->block_start[docid < ndocs ? docid / BLOCK : nblocks];
	while (at < list->df && list->docids[at] < docid)
		at++;
	return at;
}

/*
 * Add postings of a list.  What depends on no other posting is done for a
 * batch of them, where the compiler can use vectors.
 */
static void
accumulate(const List *list, uint32_t at, uint32_t end, uint64_t base,
		   float idf)
{
	float		below[BATCH];
	float		part[BATCH];

	for (; at + BATCH <= end; at += BATCH)
	{
		const uint32_t *docids = list->docids + at;
		const uint8_t *tf = list->tf + at;

		for (int i = 0; i < BATCH; i++)
			below[i] = saturation[lengths[docids[i]]];
		for (int i = 0; i < BATCH; i++)
			part[i] = (float) (int32_t) tf[i];
		for (int i = 0; i < BATCH; i++)
			part[i] = idf * part[i] / (part[i] + below[i]);
		for (int i = 0; i < BATCH; i++)
			window.score[docids[i] - base] += part[i];
	}
	for (; at < end; at++)
	{
		uint32_t	d = list->docids[at];
		float		tf = list->tf[at];

		window.score[d - base] += idf * tf / (tf + saturation[lengths[d]]);
	}
}

/* Offer all documents of a window and clear it. */
static void
sweep(uint64_t base, int size)
{
	for (int i = 0; i < size; i += CHUNK)
	{
		union
		{
			float		score;
			int32_t		bits;
		}			least = {limit()};
		int32_t		any = 0;

		/* negative if one is above */
		for (int j = 0; j < CHUNK; j++)
			any |= least.bits - window.bits[i + j];
		for (int j = 0; any < 0 && j < CHUNK; j++)
			if (window.score[i + j] > limit())
				heap_add(window.score[i + j], base + i + j);
		memset(&window.score[i], 0, sizeof(float) * CHUNK);
	}
}

/* The same where postings are few: only documents that have one. */
static void
offer_touched(const List *list, uint32_t at, uint32_t end, uint64_t base)
{
	for (; at < end; at++)
	{
		float	   *score = &window.score[list->docids[at] - base];

		if (*score > limit())
			heap_add(*score, list->docids[at]);
		*score = 0;
	}
}

static void
term_at_a_time(const Query *query)
{
	static uint32_t at[CORPUS_MAX_TOKENS];
	static uint32_t end[CORPUS_MAX_TOKENS];
	static float idf[CORPUS_MAX_TOKENS];

	for (int t = 0; t < query->n; t++)
	{
		end[t] = 0;
		idf[t] = idf_of(&lists[query->words[t]]);
	}
	for (uint64_t base = 0; base < ndocs; base += WINDOW)
	{
		uint64_t	postings = 0;

		for (int t = 0; t < query->n; t++)
		{
			const List *list = &lists[query->words[t]];

			at[t] = end[t];
			end[t] = seek(list, at[t], base + WINDOW);
			postings += end[t] - at[t];
			accumulate(list, at[t], end[t], base, idf[t]);
		}
		if (postings >= WINDOW / SPARSE)
			sweep(base, ndocs - base < WINDOW ?
				  (int) ((ndocs - base + CHUNK - 1) / CHUNK * CHUNK) : WINDOW);
		else
			for (int t = 0; t < query->n; t++)
				offer_touched(&lists[query->words[t]], at[t], end[t], base);
	}
}

typedef struct Term
{
	const List *list;
	float		idf;
	float		max;			/* in the block */
	uint32_t	at;				/* postings in the block */
	uint32_t	end;
} Term;

/* Part of a document in the block, 0 if it is not there. */
static float
probe(const Term *term, uint32_t docid)
{
	const List *list = term->list;
	uint32_t	low = term->at;
	uint32_t	high = term->end;
	float		tf;

	while (low < high)
	{
		uint32_t	middle = low + (high - low) / 2;

		if (list->docids[middle] < docid)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == term->end || list->docids[low] != docid)
		return 0;
	tf = list->tf[low];
	return term->idf * tf / (tf + saturation[lengths[docid]]);
}

/* Enter a block; terms by rising bounds, sums of these.  False if no document
 * of it can be among the best. */
static bool
enter_block(Term *terms, int n, uint64_t base, float *sums)
{
	for (int t = 0; t < n; t++)
	{
		Term		term = terms[t];
		int			i;

		term.at = term.end;
		term.end = seek(term.list, term.at, base + BLOCK);
		term.max = term.at == term.end ? 0 : term.idf *
			(term.list->block_max ? term.list->block_max[base / BLOCK] :
			 term.list->max);
		/* nearly in order from the block before */
		for (i = t; i > 0 && terms[i - 1].max > term.max; i--)
			terms[i] = terms[i - 1];
		terms[i] = term;
	}
	sums[0] = 0;
	for (int t = 0; t < n; t++)
		sums[t + 1] = sums[t] + terms[t].max;
	return sums[n] > limit() * (1 - SLACK);
}

/* Offer a document of which the first "first" terms are not added yet. */
static void
complete(const Term *terms, int first, const float *sums, float score,
		 uint32_t docid)
{
	for (int t = first - 1; t >= 0; t--)
	{
		if (score + sums[t + 1] <= limit() * (1 - SLACK))
			return;
		score += probe(&terms[t], docid);
	}
	if (score > limit())
		heap_add(score, docid);
}

static void
answer_block(const Term *terms, int n, uint64_t base, const float *sums)
{
	uint64_t	postings = 0;
	uint64_t	others = 0;
	int			first = 0;

	while (first < n && sums[first + 1] <= limit() * (1 - SLACK))
	{
		others += terms[first].end - terms[first].at;
		first++;
	}
	for (int t = first; t < n; t++)
		postings += terms[t].end - terms[t].at;
	if (postings * PROBE_COST > others)
	{
		first = 0;
		postings += others;
	}
	for (int t = first; t < n; t++)
	{
		accumulate(terms[t].list, terms[t].at, terms[t].end, base,
				   terms[t].idf);
	}
	if (first == 0 && postings >= BLOCK / SPARSE)
	{
		sweep(base, BLOCK);
		return;
	}
	/* Each document once, with its first posting: it is cleared then. */
	for (int t = first; t < n; t++)
		for (uint32_t at = terms[t].at; at < terms[t].end; at++)
		{
			uint32_t	docid = terms[t].list->docids[at];
			float		score = window.score[docid - base];

			window.score[docid - base] = 0;
			if (score > 0 && score + sums[first] > limit() * (1 - SLACK))
				complete(terms, first, sums, score, docid);
		}
}

static void
block_max_maxscore(const Query *query)
{
	static Term terms[CORPUS_MAX_TOKENS];
	static float sums[CORPUS_MAX_TOKENS + 1];

	for (int t = 0; t < query->n; t++)
	{
		terms[t].list = &lists[query->words[t]];
		terms[t].idf = idf_of(terms[t].list);
		terms[t].max = 0;
		terms[t].end = 0;
	}
	for (uint64_t base = 0; base < ndocs; base += BLOCK)
		if (enter_block(terms, query->n, base, sums))
			answer_block(terms, query->n, base, sums);
}

/* ---- answers ---- */

typedef void (*Answer) (const Query *);

static int
cmp_score(const void *a, const void *b)
{
	float		x = ((const Hit *) a)->score;
	float		y = ((const Hit *) b)->score;

	return x > y ? -1 : x < y;
}

/* The best scores, best first as in "heap"; returns how many. */
static int
scores_of(const Query *query, Answer answer, float *scores)
{
	nheap = 0;
	answer(query);
	qsort(heap, nheap, sizeof(Hit), cmp_score);
	for (int i = 0; i < nheap; i++)
		scores[i] = heap[i].score;
	return nheap;
}

/* Both ways find the same, or a time says nothing. */
static void
compare_ways(void)
{
	float	   *a = malloc(sizeof(float) * k);
	float	   *b = malloc(sizeof(float) * k);

	for (int q = 0; q < nqueries; q++)
	{
		int			n = scores_of(&queries[q], term_at_a_time, a);
		bool		same = n == scores_of(&queries[q], block_max_maxscore, b);

		for (int i = 0; same && i < n; i++)
			same = fabsf(a[i] - b[i]) <= SLACK * a[i];
		if (!same)
		{
			fprintf(stderr, "query %d (%s): the two ways differ\n", q + 1,
					classes[queries[q].class]);
			exit(1);
		}
	}
	free(a);
	free(b);
}

static void
print_answers(void)
{
	float	   *scores = malloc(sizeof(float) * k);

	for (int q = 0; q < nqueries; q++)
	{
		int			n = scores_of(&queries[q], term_at_a_time, scores);

		printf("%s\t", classes[queries[q].class]);
		for (int i = 0; i < n; i++)
			printf("%s%u:%.7g", i > 0 ? " " : "", heap[i].docid, scores[i]);
		putchar('\n');
	}
	free(scores);
}

/* ---- measuring ---- */

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static int
cmp_double(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return x < y ? -1 : x > y;
}

static double
median_of_class(int class, int rounds, Answer answer)
{
	double	   *times = malloc(sizeof(double) * nqueries * rounds);
	int			n = 0;
	double		median;

	for (int r = -1; r < rounds; r++)
		for (int q = 0; q < nqueries; q++)
		{
			double		start = now();

			if (queries[q].class != class)
				continue;
			nheap = 0;
			answer(&queries[q]);
			if (r >= 0)
				times[n++] = now() - start;
		}
	qsort(times, n, sizeof(double), cmp_double);
	median = n > 0 ? times[n / 2] : 0;
	free(times);
	return median;
}

int
main(int argc, char **argv)
{
	int			rounds;

	if (argc < 3)
	{
		fprintf(stderr, "usage: %s CORPUS QUERIES [K [ROUNDS]]\n", argv[0]);
		return 2;
	}
	ndocs = corpus_open(argv[1]);
	k = argc > 3 ? atoi(argv[3]) : 10;
	k = k > 0 ? k : 1;
	rounds = argc > 4 ? atoi(argv[4]) : 3;
	heap = malloc(sizeof(Hit) * k);
	count_postings();
	fill_postings();
	read_queries(argv[2]);
	if (rounds == 0)
	{
		print_answers();
		return 0;
	}
	compare_ways();
	for (int c = 0; c < nclasses; c++)
		printf("%s\t%.1f\t%.1f\n", classes[c],
			   median_of_class(c, rounds, term_at_a_time),
			   median_of_class(c, rounds, block_max_maxscore));
	return 0;
}
