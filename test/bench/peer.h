/*-------------------------------------------------------------------------
 *
 * peer.h
 *		Frame of the programs that ask a search library in its own process.
 *
 *		PROGRAM build FOLDER DOCS
 *		PROGRAM ask FOLDER
 *
 * "build" makes an index in FOLDER, which is there and empty, of DOCS: lines
 * "number <tab> words", numbers from 0 on.  Prints "version <tab> text" and
 * "built <tab> seconds".
 *
 * "ask" reads lines "k words" and answers each with a line "milliseconds <tab>
 * numbers": those of the best documents, ten at most, best first.  A document
 * matches if it has any of the words.  The time is that of finding k.
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

	/* asking: open what was built */
	void		(*open) (const char *folder);

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
