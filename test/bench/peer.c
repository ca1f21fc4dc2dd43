/*-------------------------------------------------------------------------
 *
 * peer.c
 *		Frame of the programs that time a search library in its own process.
 *
 *-------------------------------------------------------------------------
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "peer.h"

#define BEST 10

typedef struct Query
{
	char	   *class;
	char	   *words;
} Query;

static const Peer *peer;
static Query *queries;
static int	nqueries;
static int	rounds;
static double budget;			/* seconds of a class */

void
peer_die(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	exit(1);
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* ---- lines "a <tab> b" of a file ---- */

typedef void (*TakeLine) (char *before, char *after);

static void
read_lines(const char *path, TakeLine take)
{
	FILE	   *file = fopen(path, "r");
	char	   *line = NULL;
	size_t		room = 0;

	if (file == NULL)
		peer_die(path, "cannot be read");
	while (getline(&line, &room, file) > 0)
	{
		char	   *tab = strchr(line, '\t');

		if (tab == NULL)
			peer_die(path, "a line without a tab");
		*tab = '\0';
		tab[1 + strcspn(tab + 1, "\n")] = '\0';
		take(line, tab + 1);
	}
	free(line);
	fclose(file);
}

static void
take_document(char *number, char *words)
{
	peer->add((uint32_t) strtoul(number, NULL, 10), words);
}

static void
take_query(char *class, char *words)
{
	/* room doubles whenever the number is a power of two */
	if ((nqueries & (nqueries - 1)) == 0)
		queries = realloc(queries, sizeof(Query) * (2 * nqueries + 1));
	queries[nqueries].class = strdup(class);
	queries[nqueries++].words = strdup(words);
}

/* ---- asking ---- */

static int
cmp_double(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return x < y ? -1 : x > y;
}

static void
print_best(int query, const uint32_t *numbers, int n)
{
	printf("best\t%s\t%d\t", queries[query].class, query);
	for (int i = 0; i < n && i < BEST; i++)
		printf("%s%u", i > 0 ? " " : "", numbers[i]);
	putchar('\n');
}

static void
print_times(int k, const char *class, double *times, int n)
{
	if (n == 0)
		return;
	qsort(times, n, sizeof(double), cmp_double);
	printf("time\t%d\t%s\t%d\t%.4f\t%.4f\n", k, class, n,
		   (times[(n - 1) / 2] + times[n / 2]) / 2,
		   times[(n * 95 + 99) / 100 - 1]);
	fflush(stdout);
}

/* Queries from "first" to "end" are a class. */
static void
time_class(int first, int end, int k, bool best)
{
	int			most = k > BEST ? k : BEST;
	uint32_t   *numbers = malloc(sizeof(uint32_t) * most);
	double	   *times = malloc(sizeof(double) * (end - first) * rounds);
	double		start = now();
	int			n = 0;

	for (int round = -1; round < rounds; round++)
		for (int q = first; q < end; q++)
		{
			double		before = now();
			int			found;

			if (before - start > (round < 0 ? budget / 3 : budget) &&
				(round < 0 || n > 0))
				break;
			found = peer->search(queries[q].words,
								 best && round < 0 ? most : k, numbers);
			if (round >= 0)
				times[n++] = (now() - before) * 1e3;
			else if (best)
				print_best(q, numbers, found);
		}
	print_times(k, queries[first].class, times, n);
	free(times);
	free(numbers);
}

static void
time_classes(int k, bool best)
{
	int			end;

	for (int first = 0; first < nqueries; first = end)
	{
		for (end = first + 1; end < nqueries; end++)
			if (strcmp(queries[end].class, queries[first].class) != 0)
				break;
		time_class(first, end, k, best);
	}
}

int
peer_main(const Peer *of, int argc, char **argv)
{
	double		start;

	if (argc < 7)
	{
		fprintf(stderr, "usage: %s FOLDER DOCS QUERIES ROUNDS SECONDS K...\n",
				argv[0]);
		return 2;
	}
	peer = of;
	rounds = atoi(argv[4]) > 0 ? atoi(argv[4]) : 1;
	budget = atof(argv[5]);
	printf("version\t%s\n", peer->version());
	fflush(stdout);
	start = now();
	peer->create(argv[1]);
	read_lines(argv[2], take_document);
	peer->finish();
	printf("built\t%.3f\n", now() - start);
	fflush(stdout);
	read_lines(argv[3], take_query);
	for (int i = 6; i < argc; i++)
		time_classes(atoi(argv[i]), i == 6);
	return 0;
}
