/*-------------------------------------------------------------------------
 *
 * bench-floor.c
 *		The least time that the queries of the benchmark can take.
 *
 *		bench-floor N QUERIES [K [ROUNDS]]
 *
 * Answers the same queries from postings that stand decoded in memory, without
 * a server, deletions or visibility: (a) term at a time into an array of
 * accumulators, window by window, one division a posting; (b) block-max
 * MaxScore: in each window of documents, lists that cannot lift a document
 * over the limit are only probed.  Prints the median time of each class in
 * microseconds.  BM25 with k1 = 1.2, b = 0.75.
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

#define WINDOW 16384			/* documents; 64 kB of floats */
#define MAX_QUERIES 100000
#define MAX_CLASSES 32

typedef struct List
{
	uint32_t	df;
	uint32_t   *docids;
	uint8_t    *tf;
	float	   *block_max;		/* by window: largest part without idf */
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
static List lists[CORPUS_WORDS];
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
fill_postings(void)
{
	static uint32_t words[CORPUS_MAX_TOKENS];
	static uint32_t tf[CORPUS_MAX_TOKENS];
	uint64_t	nwindows = ndocs / WINDOW + 1;

	for (int w = 0; w < CORPUS_WORDS; w++)
	{
		lists[w].docids = malloc((lists[w].df + 1) * sizeof(uint32_t));
		lists[w].tf = malloc(lists[w].df + 1);
		lists[w].block_max = calloc(nwindows, sizeof(float));
		lists[w].df = 0;
	}
	for (uint64_t d = 0; d < ndocs; d++)
	{
		int			n = corpus_document(d, words);

		n = corpus_distinct(words, n, tf);
		for (int i = 0; i < n; i++)
		{
			List	   *list = &lists[words[i]];
			float		part = tf[i] / (tf[i] + saturation[lengths[d]]);

			list->docids[list->df] = d;
			list->tf[list->df++] = tf[i] < 255 ? tf[i] : 255;
			if (part > list->block_max[d / WINDOW])
				list->block_max[d / WINDOW] = part;
		}
	}
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

static uint32_t sorted[CORPUS_WORDS];

/* Rank of a word. */
static uint32_t
rank_of(const char *word)
{
	int			low = 0;
	int			high = CORPUS_WORDS - 1;

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

/* Queries of plain words; phrases and trees are left out. */
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
	for (uint32_t i = 0; i < CORPUS_WORDS; i++)
		sorted[i] = i;
	qsort(sorted, CORPUS_WORDS, sizeof(uint32_t), cmp_name);
	while (fgets(line, sizeof(line), file) && nqueries < MAX_QUERIES)
	{
		char	   *class = strtok(line, "\t\n");
		Query	   *query = &queries[nqueries];

		if (class == NULL || strcmp(class, "phrase") == 0 ||
			strcmp(class, "bool") == 0)
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

static float accumulators[WINDOW];

/* Add a list's postings in the window; returns the position after them. */
static uint32_t
accumulate(const List *list, uint32_t at, uint64_t base, float idf)
{
	uint64_t	end = base + WINDOW;

	for (; at < list->df && list->docids[at] < end; at++)
	{
		uint32_t	d = list->docids[at];
		float		tf = list->tf[at];

		accumulators[d - base] += idf * tf / (tf + saturation[lengths[d]]);
	}
	return at;
}

static void
sweep(uint64_t base)
{
	for (int i = 0; i < WINDOW; i += 16)
	{
		int			any = 0;
		float		least = limit();

		for (int j = 0; j < 16; j++)
			any |= accumulators[i + j] > least;
		if (any)
			for (int j = 0; j < 16; j++)
				if (accumulators[i + j] > limit())
					heap_add(accumulators[i + j], base + i + j);
	}
	memset(accumulators, 0, sizeof(accumulators));
}

static void
term_at_a_time(const Query *query)
{
	static uint32_t at[CORPUS_MAX_TOKENS];
	static float idf[CORPUS_MAX_TOKENS];

	for (int t = 0; t < query->n; t++)
	{
		at[t] = 0;
		idf[t] = idf_of(&lists[query->words[t]]);
	}
	for (uint64_t base = 0; base < ndocs; base += WINDOW)
	{
		for (int t = 0; t < query->n; t++)
			at[t] = accumulate(&lists[query->words[t]], at[t], base, idf[t]);
		sweep(base);
	}
}

/* Frequency of a document in a list, from a position on; 0 if absent. */
static uint32_t
probe(const List *list, uint32_t from, uint32_t docid)
{
	uint32_t	low = from;
	uint32_t	high = list->df;

	while (low < high)
	{
		uint32_t	middle = low + (high - low) / 2;

		if (list->docids[middle] < docid)
			low = middle + 1;
		else
			high = middle;
	}
	return low < list->df && list->docids[low] == docid ? list->tf[low] : 0;
}

typedef struct Term
{
	const List *list;
	float		idf;
	float		max;			/* in the window */
	uint32_t	at;
} Term;

static int
cmp_max(const void *a, const void *b)
{
	float		x = ((const Term *) a)->max;
	float		y = ((const Term *) b)->max;

	return x < y ? -1 : x > y;
}

static void
maxscore_window(Term *terms, int n, uint64_t base)
{
	float		sums[CORPUS_MAX_TOKENS + 1] = {0};
	int			first;

	for (int t = 0; t < n; t++)
		terms[t].max = terms[t].idf * terms[t].list->block_max[base / WINDOW];
	qsort(terms, n, sizeof(Term), cmp_max);
	for (int t = 0; t < n; t++)
		sums[t + 1] = sums[t] + terms[t].max;
	for (first = 0; first < n && sums[first + 1] <= limit(); first++);
	for (int t = first; t < n; t++)
	{
		while (terms[t].at < terms[t].list->df &&
			   terms[t].list->docids[terms[t].at] < base)
			terms[t].at++;
		terms[t].at = accumulate(terms[t].list, terms[t].at, base,
								 terms[t].idf);
	}
	for (int i = 0; first < n && i < WINDOW; i++)
	{
		float		score = accumulators[i];
		uint64_t	d = base + i;

		if (score == 0)
			continue;
		for (int t = first - 1; t >= 0 && score + sums[t + 1] > limit(); t--)
		{
			float		tf = probe(terms[t].list, terms[t].at, d);

			score += terms[t].idf * tf / (tf + saturation[lengths[d]]);
		}
		if (score > limit())
			heap_add(score, d);
	}
	memset(accumulators, 0, sizeof(accumulators));
}

static void
block_max_maxscore(const Query *query)
{
	static Term terms[CORPUS_MAX_TOKENS];

	for (int t = 0; t < query->n; t++)
	{
		terms[t].list = &lists[query->words[t]];
		terms[t].idf = idf_of(terms[t].list);
		terms[t].at = 0;
	}
	for (uint64_t base = 0; base < ndocs; base += WINDOW)
		maxscore_window(terms, query->n, base);
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
median_of_class(int class, int rounds, void (*answer) (const Query *))
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
		fprintf(stderr, "usage: %s N QUERIES [K [ROUNDS]]\n", argv[0]);
		return 2;
	}
	ndocs = strtoull(argv[1], NULL, 10);
	k = argc > 3 ? atoi(argv[3]) : 10;
	rounds = argc > 4 ? atoi(argv[4]) : 3;
	heap = malloc(sizeof(Hit) * k);
	corpus_init(CORPUS_SEED);
	count_postings();
	fill_postings();
	read_queries(argv[2]);
	for (int c = 0; c < nclasses; c++)
		printf("%s\t%.1f\t%.1f\n", classes[c],
			   median_of_class(c, rounds, term_at_a_time),
			   median_of_class(c, rounds, block_max_maxscore));
	return 0;
}
