/*-------------------------------------------------------------------------
 *
 * text-corpus.c
 *		Documents of a file: lines "number <tab> words", numbers from 0 on.
 *
 * All of it is kept in memory, words as their ranks, which are given in order
 * of first appearance.  Words are separated by single blanks.
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "text-corpus.h"

static char **words;
static uint32_t nwords;
static uint32_t *slots;			/* rank + 1, 0 if free */
static uint32_t nslots;			/* a power of two */
static uint32_t *tokens;
static uint64_t ntokens;
static uint64_t token_room;
static uint64_t *starts;		/* first token by document, and the end */
static uint64_t ndocs;

static void *
resize(void *old, size_t size)
{
	void	   *new = realloc(old, size);

	if (new == NULL)
	{
		fprintf(stderr, "out of memory\n");
		exit(1);
	}
	return new;
}

/* FNV-1a */
static uint32_t
hash_word(const char *word)
{
	uint32_t	hash = UINT32_C(2166136261);

	for (; *word; word++)
		hash = (hash ^ (unsigned char) *word) * UINT32_C(16777619);
	return hash;
}

/* Where the word is, or where it would be. */
static uint32_t *
slot_of(const char *word)
{
	uint32_t	slot = hash_word(word) & (nslots - 1);

	while (slots[slot] != 0 && strcmp(words[slots[slot] - 1], word) != 0)
		slot = (slot + 1) & (nslots - 1);
	return &slots[slot];
}

/* At least half of the slots stay free. */
static void
double_slots(void)
{
	nslots = nslots > 0 ? 2 * nslots : 1024;
	slots = resize(slots, nslots * sizeof(uint32_t));
	memset(slots, 0, nslots * sizeof(uint32_t));
	words = resize(words, nslots / 2 * sizeof(char *));
	for (uint32_t w = 0; w < nwords; w++)
		*slot_of(words[w]) = w + 1;
}

static uint32_t
rank_of(const char *word)
{
	uint32_t   *slot = slot_of(word);

	if (*slot == 0)
	{
		words[nwords] = resize(NULL, strlen(word) + 1);
		strcpy(words[nwords], word);
		*slot = ++nwords;
		if (2 * nwords < nslots)
			return nwords - 1;
		double_slots();
		return nwords - 1;
	}
	return *slot - 1;
}

static void
add_token(const char *word)
{
	if (ntokens == token_room)
	{
		token_room = token_room > 0 ? 2 * token_room : 1 << 20;
		tokens = resize(tokens, token_room * sizeof(uint32_t));
	}
	tokens[ntokens++] = rank_of(word);
}

static void
add_document(char *text)
{
	int			n = 0;

	/* room doubles whenever the number is a power of two */
	if ((ndocs & (ndocs - 1)) == 0)
		starts = resize(starts, (2 * ndocs + 2) * sizeof(uint64_t));
	starts[ndocs++] = ntokens;
	for (char *word = strtok(text, " "); word && n < CORPUS_MAX_TOKENS;
		 word = strtok(NULL, " "), n++)
		add_token(word);
	starts[ndocs] = ntokens;
}

uint64_t
text_corpus_open(const char *path)
{
	FILE	   *file = fopen(path, "r");
	char	   *line = NULL;
	size_t		room = 0;

	if (file == NULL)
	{
		perror(path);
		exit(1);
	}
	double_slots();
	while (getline(&line, &room, file) > 0)
	{
		char	   *tab = strchr(line, '\t');

		if (tab == NULL)
		{
			fprintf(stderr, "%s: no tab in line %llu\n", path,
					(unsigned long long) ndocs + 1);
			exit(1);
		}
		line[strcspn(line, "\n")] = '\0';
		add_document(tab + 1);
	}
	free(line);
	fclose(file);
	return ndocs;
}

int
text_corpus_document(uint64_t number, uint32_t *out)
{
	int			n = (int) (starts[number + 1] - starts[number]);

	memcpy(out, tokens + starts[number], n * sizeof(uint32_t));
	return n;
}

const char *
text_corpus_word(uint32_t rank)
{
	return words[rank];
}

uint32_t
text_corpus_words(void)
{
	return nwords;
}
