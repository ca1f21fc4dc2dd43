/*-------------------------------------------------------------------------
 *
 * corpus.c
 *		Documents of the benchmark: made up, the same from the same seed, or
 *		read from a file.  Either way each is had by its number.
 *
 * In what is made up word frequencies follow Zipf and Mandelbrot; each
 * document has a topic out of 400, whose words it prefers, and repeats words
 * it has used; lengths are lognormal with a mean of 150.  Words have 3 to 9
 * letters, frequent ones fewer.  So that documents can be made in any order,
 * each has its own random numbers, drawn from the seed and its number.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "text-corpus.h"

#define SEED 20260101
#define VOCABULARY 200000		/* words, by falling frequency */
#define TAU 6.283185307179586	/* a full turn; C11 has no M_PI */
#define TOPICS 400
#define TOPIC_WORDS 300
#define TOPIC_SHARE 0.15		/* of a document's words */
#define REPEAT_SHARE 0.2
#define MEAN_LENGTH 150.0
#define SIGMA 0.4				/* of the logarithm of lengths */

static bool from_file;
static uint64_t corpus_seed;
static char words[VOCABULARY][10];
static uint32_t topics[TOPICS][TOPIC_WORDS];

/* Alias method (Walker 1977): a rank in two steps. */
static double alias_share[VOCABULARY];
static uint32_t alias_other[VOCABULARY];

/* splitmix64 (Steele, Lea and Flood 2014) */
uint64_t
corpus_random(CorpusRandom *random)
{
	uint64_t	z = (random->state += UINT64_C(0x9E3779B97F4A7C15));

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

double
corpus_uniform(CorpusRandom *random)
{
	return (double) (corpus_random(random) >> 11) / 9007199254740992.0;
}

static uint32_t
below(CorpusRandom *random, uint32_t n)
{
	return (uint32_t) (corpus_uniform(random) * n);
}

/* Letters in turn from the two kinds, so that it can be read aloud. */
static void
make_word(CorpusRandom *random, int length, char *word)
{
	static const char consonants[] = "bcdfghjklmnpqrstvwxyz";
	static const char vowels[] = "aeiou";
	uint32_t	turn = below(random, 2);

	for (int i = 0; i < length; i++)
		word[i] = (i + turn) % 2 ? vowels[below(random, 5)] :
			consonants[below(random, 21)];
	word[length] = '\0';
}

static uint32_t
hash_word(const char *word)
{
	CorpusRandom random = {0};

	for (; *word; word++)
		random.state = corpus_random(&random) ^ (unsigned char) *word;
	return (uint32_t) corpus_random(&random);
}

/* Draw words until none is like one of a lower rank. */
static void
make_words(void)
{
	static uint32_t slots[1 << 19]; /* rank + 1; more than twice the words */
	const uint32_t mask = (1 << 19) - 1;

	memset(slots, 0, sizeof(slots));
	for (uint32_t rank = 0; rank < VOCABULARY; rank++)
	{
		CorpusRandom random = {corpus_seed + rank};
		int			least = rank < 500 ? 3 : rank < 20000 ? 4 : 6;
		uint32_t	slot;

		do
		{
			make_word(&random, least + below(&random, rank < 500 ? 3 : 4),
					  words[rank]);
			slot = hash_word(words[rank]) & mask;
			while (slots[slot] != 0 &&
				   strcmp(words[slots[slot] - 1], words[rank]) != 0)
				slot = (slot + 1) & mask;
		} while (slots[slot] != 0);
		slots[slot] = rank + 1;
	}
}

static void
make_aliases(void)
{
	static double share[VOCABULARY];
	static uint32_t small[VOCABULARY];
	static uint32_t large[VOCABULARY];
	int			nsmall = 0;
	int			nlarge = 0;
	double		sum = 0;

	for (int i = 0; i < VOCABULARY; i++)
		sum += share[i] = 1.0 / pow(i + 12.0, 1.05);
	for (int i = 0; i < VOCABULARY; i++)
	{
		share[i] *= VOCABULARY / sum;
		if (share[i] < 1)
			small[nsmall++] = i;
		else
			large[nlarge++] = i;
	}
	while (nsmall > 0 && nlarge > 0)
	{
		uint32_t	s = small[--nsmall];
		uint32_t	l = large[nlarge - 1];

		alias_share[s] = share[s];
		alias_other[s] = l;
		share[l] -= 1 - share[s];
		if (share[l] < 1)
		{
			nlarge--;
			small[nsmall++] = l;
		}
	}
	while (nsmall > 0)
		alias_share[small[--nsmall]] = 1;
	while (nlarge > 0)
		alias_share[large[--nlarge]] = 1;
}

static uint32_t
any_word(CorpusRandom *random)
{
	uint32_t	i = below(random, VOCABULARY);

	return corpus_uniform(random) < alias_share[i] ? i : alias_other[i];
}

static void
init(uint64_t seed)
{
	CorpusRandom random = {seed};

	corpus_seed = seed;
	make_words();
	make_aliases();
	for (int t = 0; t < TOPICS; t++)
		for (int i = 0; i < TOPIC_WORDS; i++)
			topics[t][i] = 200 + below(&random, 40000);
}

uint64_t
corpus_open(const char *what)
{
	from_file = *what == '\0' || what[strspn(what, "0123456789")] != '\0';
	if (from_file)
		return text_corpus_open(what);
	init(SEED);
	return strtoull(what, NULL, 10);
}

uint32_t
corpus_words(void)
{
	return from_file ? text_corpus_words() : VOCABULARY;
}

const char *
corpus_word(uint32_t rank)
{
	return from_file ? text_corpus_word(rank) : words[rank];
}

/* Box and Muller 1958. */
static double
normal(CorpusRandom *random)
{
	double		u = 1.0 - corpus_uniform(random);

	return sqrt(-2 * log(u)) * cos(TAU * corpus_uniform(random));
}

/* The random numbers of a document; the first one says its topic. */
static CorpusRandom
numbers_of(uint64_t number, uint32_t *topic)
{
	CorpusRandom random = {corpus_seed ^ (number * UINT64_C(0xD1342543DE82EF95))};

	corpus_random(&random);
	*topic = below(&random, TOPICS);
	return random;
}

uint32_t
corpus_topic(uint64_t number)
{
	uint32_t	topic = 0;

	if (!from_file)
		numbers_of(number, &topic);
	return topic;
}

static int
make_document(uint64_t number, uint32_t *out)
{
	uint32_t	about;
	CorpusRandom random = numbers_of(number, &about);
	const uint32_t *topic = topics[about];
	int			n;

	n = (int) exp(log(MEAN_LENGTH) - SIGMA * SIGMA / 2 +
				  SIGMA * normal(&random));
	if (n < 10)
		n = 10;
	if (n > CORPUS_MAX_TOKENS)
		n = CORPUS_MAX_TOKENS;
	for (int i = 0; i < n; i++)
	{
		double		kind = corpus_uniform(&random);

		if (i > 0 && kind < REPEAT_SHARE)
			out[i] = out[below(&random, i)];
		else if (kind < REPEAT_SHARE + TOPIC_SHARE)
			out[i] = topic[below(&random, TOPIC_WORDS)];
		else
			out[i] = any_word(&random);
	}
	return n;
}

int
corpus_document(uint64_t number, uint32_t *out)
{
	return from_file ? text_corpus_document(number, out) :
		make_document(number, out);
}

static int
cmp_word(const void *a, const void *b)
{
	uint32_t	x = *(const uint32_t *) a;
	uint32_t	y = *(const uint32_t *) b;

	return x < y ? -1 : x > y;
}

int
corpus_distinct(uint32_t *list, int n, uint32_t *tf)
{
	int			distinct = 0;

	qsort(list, n, sizeof(uint32_t), cmp_word);
	for (int i = 0; i < n; i++)
	{
		if (distinct > 0 && list[distinct - 1] == list[i])
			tf[distinct - 1]++;
		else
		{
			list[distinct] = list[i];
			tf[distinct++] = 1;
		}
	}
	return distinct;
}
