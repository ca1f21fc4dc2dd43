/*-------------------------------------------------------------------------
 *
 * bench-corpus.c
 *		Documents and queries of the benchmark.
 *
 *		bench-corpus docs CORPUS [FIRST]	lines "number <tab> text", for COPY
 *		bench-corpus topics CORPUS		lines "number <tab> topic"
 *		bench-corpus queries CORPUS CLASS_SIZE	lines "class <tab> query"
 *		bench-corpus figures CORPUS		what the corpus is like
 *
 * CORPUS is the number of documents to make up, or a file of such lines.
 *
 *-------------------------------------------------------------------------
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"

#define QUERY_SEED 7
#define RARE_MOST 40			/* documents of a rare word, 5 at least */

static uint32_t *df;			/* by word */
static uint64_t ndocs;
static CorpusRandom random_state = {QUERY_SEED};

static void
print_documents(uint64_t first)
{
	static uint32_t words[CORPUS_MAX_TOKENS];

	for (uint64_t d = first; d < ndocs; d++)
	{
		int			n = corpus_document(d, words);

		printf("%llu\t", (unsigned long long) d);
		for (int i = 0; i < n; i++)
		{
			if (i > 0)
				putchar(' ');
			fputs(corpus_word(words[i]), stdout);
		}
		putchar('\n');
	}
}

static uint64_t
count_documents(uint64_t *tokens, uint64_t *postings)
{
	static uint32_t words[CORPUS_MAX_TOKENS];
	static uint32_t tf[CORPUS_MAX_TOKENS];
	uint64_t	terms = 0;

	df = calloc(corpus_words() + 1, sizeof(uint32_t));
	*tokens = *postings = 0;
	for (uint64_t d = 0; d < ndocs; d++)
	{
		int			n = corpus_document(d, words);

		*tokens += n;
		n = corpus_distinct(words, n, tf);
		*postings += n;
		for (int i = 0; i < n; i++)
			terms += df[words[i]]++ == 0;
	}
	return terms;
}

/* ---- queries ---- */

typedef bool (*Fits) (uint32_t word);

static double
share(uint32_t word)
{
	return (double) df[word] / ndocs;
}

static bool
is_frequent(uint32_t word)
{
	return share(word) >= 0.01 && share(word) <= 0.20;
}

static bool
is_seldom(uint32_t word)
{
	return df[word] >= 5 && share(word) < 0.01;
}

static bool
is_rare(uint32_t word)
{
	return df[word] >= 5 && df[word] <= RARE_MOST;
}

static bool
is_common(uint32_t word)
{
	return share(word) >= 0.02 && share(word) <= 0.10;
}

static bool
is_no_stop_word(uint32_t word)
{
	return share(word) <= 0.20;
}

static bool
is_any(uint32_t word)
{
	(void) word;
	return true;
}

/* A random document, its words in order. */
static int
draw_document(uint32_t *words)
{
	return corpus_document((uint64_t) (corpus_uniform(&random_state) * ndocs),
						   words);
}

static void
shuffle(uint32_t *words, int n)
{
	for (int i = n - 1; i > 0; i--)
	{
		int			j = (int) (corpus_uniform(&random_state) * (i + 1));
		uint32_t	word = words[i];

		words[i] = words[j];
		words[j] = word;
	}
}

/* Up to "most" distinct words that fit, from a shuffled list. */
static int
take(const uint32_t *words, int n, Fits fits, int most, uint32_t *out)
{
	int			taken = 0;

	for (int i = 0; i < n && taken < most; i++)
		if (fits(words[i]))
			out[taken++] = words[i];
	return taken;
}

static void
print_query(const char *class, const uint32_t *words, int n)
{
	printf("%s\t", class);
	for (int i = 0; i < n; i++)
		printf("%s%s", i > 0 ? " " : "", corpus_word(words[i]));
	putchar('\n');
}

/* One query of "n" words, half of them frequent; false if there are not. */
static bool
mixed_query(const char *class, const uint32_t *words, int nwords, int n)
{
	uint32_t	query[8];

	if (take(words, nwords, is_frequent, n / 2, query) < n / 2 ||
		take(words, nwords, is_seldom, n - n / 2, query + n / 2) < n - n / 2)
		return false;
	print_query(class, query, n);
	return true;
}

static bool
one_class(const char *class, const uint32_t *words, int nwords, Fits fits,
		  int least, int most)
{
	static uint32_t query[CORPUS_MAX_TOKENS];
	int			n = take(words, nwords, fits, most, query);

	if (n < least)
		return false;
	print_query(class, query, n);
	return true;
}

/* Words in a row from anywhere in the document. */
static bool
title_query(const uint32_t *tokens, int ntokens)
{
	int			from = (int) (corpus_uniform(&random_state) * (ntokens - 7));

	print_query("title", tokens + from, 8);
	return true;
}

static bool
phrase_query(const uint32_t *tokens, int ntokens)
{
	int			from = (int) (corpus_uniform(&random_state) * (ntokens - 1));

	if (tokens[from] == tokens[from + 1])
		return false;
	printf("phrase\t\"%s %s\"\n", corpus_word(tokens[from]),
		   corpus_word(tokens[from + 1]));
	return true;
}

/* Must, may and must not; and a tree. */
static bool
bool_query(const uint32_t *words, int nwords, int i)
{
	uint32_t	f[2];
	uint32_t	s[2];

	if (take(words, nwords, is_frequent, 2, f) < 2 ||
		take(words, nwords, is_seldom, 2, s) < 2)
		return false;
	printf(i % 2 ? "bool\t+%s %s -%s\n" : "bool\t(%s OR %s) AND %s\n",
		   corpus_word(f[0]), corpus_word(s[0]), corpus_word(f[1]));
	return true;
}

static bool
query_of_class(const char *class, int i)
{
	static uint32_t tokens[CORPUS_MAX_TOKENS];
	static uint32_t words[CORPUS_MAX_TOKENS];
	static uint32_t tf[CORPUS_MAX_TOKENS];
	int			ntokens = draw_document(tokens);
	int			n;

	/* enough for each class to choose from */
	if (ntokens < 10)
		return false;
	memcpy(words, tokens, sizeof(uint32_t) * ntokens);
	n = corpus_distinct(words, ntokens, tf);
	shuffle(words, n);
	if (strcmp(class, "q1r") == 0)
		return one_class(class, words, n, is_rare, 1, 1);
	if (strcmp(class, "q1f") == 0)
		return one_class(class, words, n, is_common, 1, 1);
	if (strcmp(class, "q2") == 0)
		return mixed_query(class, words, n, 2);
	if (strcmp(class, "q4") == 0 || strcmp(class, "filtered") == 0)
		return mixed_query(class, words, n, 4);
	if (strcmp(class, "q8") == 0)
		return mixed_query(class, words, n, 8);
	if (strcmp(class, "title") == 0)
		return title_query(tokens, ntokens);
	if (strcmp(class, "qdocs") == 0)
		return one_class(class, words, n, is_no_stop_word, 2, n);
	if (strcmp(class, "qdoc") == 0)
		return one_class(class, words, n, is_any, 2, n);
	if (strcmp(class, "phrase") == 0)
		return phrase_query(tokens, ntokens);
	return bool_query(words, n, i);
}

static void
print_queries(int size)
{
	static const char *const classes[] = {"q1r", "q1f", "q2", "q4", "q8",
		"title", "qdocs", "qdoc", "filtered", "phrase", "bool"
	};

	for (size_t c = 0; c < sizeof(classes) / sizeof(classes[0]); c++)
	{
		int			found = 0;

		for (int tries = 0; found < size && tries < 100 * size; tries++)
			found += query_of_class(classes[c], found);
		if (found < size)
			fprintf(stderr, "%s: only %d queries; too few documents\n",
					classes[c], found);
	}
}

int
main(int argc, char **argv)
{
	uint64_t	tokens;
	uint64_t	postings;
	uint64_t	terms;

	if (argc < 3)
	{
		fprintf(stderr, "usage: %s docs CORPUS [FIRST] | topics CORPUS | "
				"queries CORPUS CLASS_SIZE | figures CORPUS\n", argv[0]);
		return 2;
	}
	ndocs = corpus_open(argv[2]);
	if (strcmp(argv[1], "topics") == 0)
	{
		for (uint64_t d = 0; d < ndocs; d++)
			printf("%llu\t%u\n", (unsigned long long) d,
				   (unsigned) corpus_topic(d));
		return 0;
	}
	if (strcmp(argv[1], "docs") == 0)
	{
		print_documents(argc > 3 ? strtoull(argv[3], NULL, 10) : 0);
		return 0;
	}
	terms = count_documents(&tokens, &postings);
	if (strcmp(argv[1], "queries") == 0)
		print_queries(argc > 3 ? atoi(argv[3]) : 100);
	else
		printf("%llu documents, %.1f tokens and %.1f distinct words each, %llu distinct words\n",
			   (unsigned long long) ndocs, (double) tokens / ndocs,
			   (double) postings / ndocs, (unsigned long long) terms);
	return 0;
}
