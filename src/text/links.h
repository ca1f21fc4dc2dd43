/*-------------------------------------------------------------------------
 *
 * links.h
 *		Where URLs, DOIs, arXiv ids and e-mail addresses begin and end.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_LINKS_H
#define ABST_TEXT_LINKS_H

#include "compat.h"
#include "text/reader.h"

/* Longest link looked for; keeps every look-ahead bounded. */
#define ABST_MAX_LINK	1000

/*
 * Bytes of the URL with a scheme (or "www.") that begins at text[at], 0 if
 * none does.  Closing punctuation and unbalanced brackets are left out.
 */
extern int	abst_url_span(const char *text, int len, int at);

/*
 * What earlier calls of a walk have found out about the text further on, so
 * that none of it is looked at again and again.  Zero at the beginning.
 */
typedef struct AbstLinkMemo
{
	int			no_host;		/* no bare host begins before here */
	int			at_sign;		/* the next "@" at or after the last place, +
								 * 1 */
} AbstLinkMemo;

/*
 * Bytes of the link of any kind at text[at], where a word may begin; 0 if
 * none.  It ends before "limit".  *type becomes URL, DOI, ARXIV or EMAIL.
 */
extern int	abst_link_span(const char *text, int len, int at, int limit,
						   AbstLinkMemo *memo, AbstTokenType *type);

/* Bytes of the arXiv id (without prefix) at text[at]; *version: of "v2". */
extern int	abst_arxiv_id_span(const char *text, int len, int at,
							   int *version);

/* Bytes of a bare DOI ("10.1234/x") at text[at]. */
extern int	abst_doi_span(const char *text, int len, int at);

#endif							/* ABST_TEXT_LINKS_H */
