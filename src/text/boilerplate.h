/*-------------------------------------------------------------------------
 *
 * boilerplate.h
 *		What stands in an abstract but is not its text: headings, copyright
 *		notices, placeholders, notices of withdrawal, text given twice.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_BOILERPLATE_H
#define ABST_TEXT_BOILERPLATE_H

#include "compat.h"

typedef enum AbstBoilerplateKind
{
	ABST_HEADING,				/* the word "Abstract" before the text */
	ABST_COPYRIGHT,				/* notices of rights, publisher, licence */
	ABST_PLACEHOLDER,			/* the text says that there is none */
	ABST_TITLE,					/* the title, given once more */
	ABST_REPEATED,				/* text that stands there already */
	ABST_WITHDRAWN				/* the paper is withdrawn; stays searchable */
} AbstBoilerplateKind;

/* A piece of the raw text, in bytes. */
typedef struct AbstBoilerplate
{
	AbstBoilerplateKind kind;
	int			start;
	int			len;
} AbstBoilerplate;

/* Pieces found, in the order of the text. */
#define ABST_MAX_BOILERPLATE	64

typedef struct AbstBoilerplateList
{
	int			n;
	AbstBoilerplate item[ABST_MAX_BOILERPLATE];
} AbstBoilerplateList;

extern const char *abst_boilerplate_name(AbstBoilerplateKind kind);

/* Does the text (UTF-8) only say that there is no abstract? */
extern bool abst_is_no_abstract(const char *text, int len);

/*
 * Find boilerplate in a text (UTF-8, any bytes).  "title" is NULL where none
 * is known.  Linear in the text; notices are looked for near both ends only.
 */
extern void abst_boilerplate_find(const char *title, int titlelen,
								  const char *text, int len,
								  AbstBoilerplateList *found);

/*
 * The text (database encoding) as documents have it: without boilerplate, the
 * notice of withdrawal excepted.  The text itself if there is none.
 */
extern const char *abst_without_boilerplate(const char *title, int titlelen,
											const char *text, int len,
											int *newlen);

/* Stands for the copyright sign in sentences handed to the rules. */
#define ABST_RIGHTS_SIGN	'\001'

/* boilerplate_rules.c: what a sentence, in lower case, says. */
extern bool abst_is_rights_notice(const char *sentence);
extern bool abst_is_rights_rest(const char *sentence);
extern bool abst_is_withdrawal(const char *sentence);
extern bool abst_is_placeholder(const char *text);

#endif							/* ABST_TEXT_BOILERPLATE_H */
