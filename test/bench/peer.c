/*-------------------------------------------------------------------------
 *
 * peer.c
 *		Frame of the programs that ask a search library in its own process.
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "peer.h"

#define BEST 10

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

static void
add_documents(const Peer *peer, const char *path)
{
	FILE	   *file = fopen(path, "r");
	char	   *line = NULL;
	size_t		room = 0;

	if (file == NULL)
		peer_die(path, "cannot be read");
	while (getline(&line, &room, file) > 0)
	{
		char	   *words = strchr(line, '\t');

		if (words == NULL)
			peer_die(path, "a line without a tab");
		words[strcspn(words, "\n")] = '\0';
		peer->add((uint32_t) strtoul(line, NULL, 10), words + 1);
	}
	free(line);
	fclose(file);
}

static void
build(const Peer *peer, const char *folder, const char *docs)
{
	double		start = now();

	peer->create(folder);
	add_documents(peer, docs);
	peer->finish();
	printf("version\t%s\nbuilt\t%.3f\n", peer->version(), now() - start);
}

static void
answer(const Peer *peer, int k, const char *words)
{
	uint32_t   *numbers = malloc(sizeof(uint32_t) * k);
	double		start = now();
	int			n = peer->search(words, k, numbers);

	printf("%.4f\t", (now() - start) * 1e3);
	for (int i = 0; i < n && i < BEST; i++)
		printf("%s%u", i > 0 ? " " : "", numbers[i]);
	putchar('\n');
	fflush(stdout);
	free(numbers);
}

static void
ask(const Peer *peer, const char *folder)
{
	char	   *line = NULL;
	size_t		room = 0;

	peer->open(folder);
	while (getline(&line, &room, stdin) > 0)
	{
		char	   *words;
		long		k = strtol(line, &words, 10);

		if (k < 1 || *words != ' ')
			peer_die(line, "is not \"k words\"");
		words[strcspn(words, "\n")] = '\0';
		answer(peer, (int) k, words + 1);
	}
	free(line);
}

int
peer_main(const Peer *peer, int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "build") == 0)
		build(peer, argv[2], argv[3]);
	else if (argc == 3 && strcmp(argv[1], "ask") == 0)
		ask(peer, argv[2]);
	else
	{
		fprintf(stderr, "usage: %s build FOLDER DOCS | ask FOLDER\n", argv[0]);
		return 2;
	}
	return 0;
}
