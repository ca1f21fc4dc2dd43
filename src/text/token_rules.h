/*-------------------------------------------------------------------------
 *
 * token_rules.h
 *		What a token becomes: the rules behind the dictionaries.
 *
 * All work on UTF-8 and return palloc'd, NUL-terminated, folded strings of
 * at most ABST_MAX_LEXEME bytes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_TOKEN_RULES_H
#define ABST_TEXT_TOKEN_RULES_H

#include "compat.h"

/* Lexemes for one position, without duplicates. */
#define ABST_MAX_FORMS	8

typedef struct AbstForms
{
	int			n;
	char	   *form[ABST_MAX_FORMS];
} AbstForms;

/* Add a form unless it is empty or there; cut to the allowed length. */
extern void abst_forms_add(AbstForms *forms, char *form);

/* Bytes of a word without its possessive 's. */
extern int	abst_without_possessive(const char *word, int len);

/* A folded word, cut to the allowed length. */
extern char *abst_fold_word(const char *word, int len);

/*
 * A name or an acronym: folded, plural and possessive s taken off, points
 * between single letters dropped; with Greek letters also spelled out.
 */
extern void abst_name_forms(const char *name, int len, AbstForms *forms);

/* Is it a name or an acronym rather than a plain word? */
extern bool abst_looks_like_name(const char *word, int len);

/* A unit of measurement, with either micro sign. */
extern void abst_unit_forms(const char *unit, int len, AbstForms *forms);

/* A number without ornaments: 1,024 is 1024, U+2212 is -, 10^-5 is 1e-5. */
extern void abst_number_forms(const char *number, int len, AbstForms *forms);

/* A URL, DOI, arXiv id in the form it is looked up by. */
extern void abst_link_forms(const char *link, int len, AbstForms *forms);

/* A formula without blanks and layout signs, and the names in it. */
extern void abst_math_forms(const char *math, int len, AbstForms *forms);

/* Letters with Greek ones spelled out; NULL if there are none. */
extern char *abst_spell_greek(const char *folded);

#endif							/* ABST_TEXT_TOKEN_RULES_H */
