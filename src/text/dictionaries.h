/*-------------------------------------------------------------------------
 *
 * dictionaries.h
 *		What the dictionary templates share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_DICTIONARIES_H
#define ABST_TEXT_DICTIONARIES_H

#include "compat.h"
#include "tsearch/ts_public.h"

/* A palloc'd UTF-8 lexeme in the database's encoding. */
extern char *abst_lexeme_out(char *utf8);

#endif							/* ABST_TEXT_DICTIONARIES_H */
