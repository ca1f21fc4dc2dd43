/*-------------------------------------------------------------------------
 *
 * annotate.h
 *		A text with its tokens and sentences, and what is found in it.
 *
 * Everything found is a piece of the display text; places.h leads back to
 * the raw text.  All work is linear in the text: look-ahead is bounded by
 * constants, and every loop over the text can be cancelled.  Results live
 * in the current context.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_ANNOTATE_H
#define ABST_TEXT_ANNOTATE_H

#include "compat.h"
#include "text/reader.h"

typedef struct AbstText
{
	AbstPlain  *plain;			/* with its map */
	int			ntokens;
	AbstToken  *tokens;			/* blanks left out */
	int			nsentences;
	AbstSpan   *sentences;		/* in order; display text but for blanks */
} AbstText;

/* Read raw UTF-8 text, its tokens and its sentences. */
extern AbstText *abst_text_read(const char *raw, int rawlen);

/* A list that grows by itself; entries of any size. */
typedef struct AbstList
{
	Size		entry;			/* bytes of an entry */
	int			n;
	int			size;
	char	   *entries;
} AbstList;

extern void abst_list_init(AbstList *list, Size entry);
extern void *abst_list_add(AbstList *list);

/* End of a token in the display text. */
static inline int
abst_token_end(const AbstToken *token)
{
	return token->start + token->len;
}

/* Number (from 0) of the sentence a place of the display text is in. */
extern int	abst_sentence_at(const AbstText *text, int at);

/* First token at or after a place of the display text; ntokens if none. */
extern int	abst_token_at(const AbstText *text, int at);

/* The token's first character is a capital; has one anywhere. */
extern bool abst_begins_upper(const AbstText *text, int token);
extern bool abst_has_upper(const char *s, int len);

/* Is the token this word, whatever its case? */
extern bool abst_token_is(const AbstText *text, int token, const char *word);

/* What stands between a token and the next; -1: before the first. */
extern AbstSpan abst_gap_after(const AbstText *text, int token);

/* Nothing but one blank between a token and the next? */
extern bool abst_gap_is_space(const AbstText *text, int token);

/* ---- sentences.c ---- */

extern void abst_sentences_find(AbstText *text);

/* ---- sections.c ---- */

typedef struct AbstSection
{
	AbstSpan	label;			/* without its colon; length 0: none */
	AbstSpan	body;
	const char *kind;			/* "methods", ...; NULL: no common label */
} AbstSection;

extern AbstSection *abst_sections_find(const AbstText *text, int *n);

/* ---- acronyms.c ---- */

typedef struct AbstAcronym
{
	AbstSpan	brief;			/* short form as it stands, plural and all */
	AbstSpan	full;			/* long form */
	bool		brief_first;
} AbstAcronym;

extern AbstAcronym *abst_acronyms_find(const AbstText *text, int *n);

/* The short form without plural s; its length in the display text. */
extern int	abst_acronym_singular(const char *brief, int len);

/* ---- mentions.c ---- */

typedef enum AbstMentionKind
{
	ABST_MENTION_SYSTEM,
	ABST_MENTION_DATASET,
	ABST_MENTION_MODEL,
	ABST_MENTION_URL,
	ABST_MENTION_DOI,
	ABST_MENTION_ARXIV,
	ABST_MENTION_NUMBER,
	ABST_MENTION_MATH,
	ABST_MENTION_CITATION
} AbstMentionKind;

typedef struct AbstMention
{
	AbstMentionKind kind;
	AbstSpan	span;
	const char *value;			/* normalised; NUL-terminated */
	/* of numbers; NUL-terminated decimal notation, NULL where not said */
	const char *number;
	const char *high;			/* other end of a range */
	const char *margin;			/* behind a plus-minus sign */
	const char *unit;
	const char *bound;			/* "=", "<", "<=", ">", ">=", "~" */
} AbstMention;

/* All mentions, by place; those of one place by kind. */
extern AbstMention *abst_mentions_find(const AbstText *text, int *n);

/* What the kinds add to the list. */
extern void abst_numbers_find(const AbstText *text, AbstList *mentions);
extern void abst_citations_find(const AbstText *text, AbstList *mentions);
extern void abst_names_find(const AbstText *text, AbstList *mentions);

/* ---- keywords.c ---- */

typedef struct AbstKeyword
{
	AbstSpan	span;			/* where it stands first */
	double		score;
	int			count;
} AbstKeyword;

/*
 * Weight of the word (a token of the display text) in a corpus: from 0 for
 * one in every document to 1 for one in none.
 */
typedef double (*AbstWordRarity) (void *arg, const char *word, int len);

/* At most "limit" keywords, best first; rarity may be NULL. */
extern AbstKeyword *abst_keywords_find(const AbstText *text, int limit,
									   AbstWordRarity rarity, void *arg,
									   int *n);

#endif							/* ABST_TEXT_ANNOTATE_H */
