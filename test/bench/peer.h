/*-------------------------------------------------------------------------
 *
 * peer.h
 *		Frame of the programs that time a search library in its own process.
 *
 *		PROGRAM FOLDER DOCS QUERIES ROUNDS SECONDS K...
 *
 * DOCS has lines "number <tab> words", numbers from 0 on; QUERIES "class <tab>
 * words".  The library makes an index in FOLDER, which is there and empty, and
 * answers: a document matches if it has any of the words.
 *
 * Prints, each when it is known,
 *		version <tab> text
 *		built <tab> seconds
 *		best <tab> class <tab> query's number <tab> documents	the ten best
 *		time <tab> k <tab> class <tab> n <tab> median <tab> p95	milliseconds
 *
 * A first round is not counted, nor is any begun in a class after SECONDS:
 * where that cuts something off, n is smaller.
 *
 *-------------------------------------------------------------------------
 */
#ifndef PEER_H
#define PEER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct Peer
{
	/* name and version of the library */
	const char *(*version) (void);

	/* building: create, add each document once in order, finish */
	void		(*create) (const char *folder);
	void		(*add) (uint32_t number, char *words);
	void		(*finish) (void);

	/* numbers of the best documents, best first, k at most; how many */
	int			(*search) (const char *words, int k, uint32_t *numbers);
} Peer;

/* What main does; returns the status. */
extern int	peer_main(const Peer *peer, int argc, char **argv);

/* Say what is wrong, and end. */
extern void peer_die(const char *what, const char *why);

#ifdef __cplusplus
}
#endif

#endif							/* PEER_H */
