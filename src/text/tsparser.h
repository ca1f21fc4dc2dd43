/*-------------------------------------------------------------------------
 *
 * tsparser.h
 *		Names of the token types, as the text search parser has them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_TSPARSER_H
#define ABST_TEXT_TSPARSER_H

#include "compat.h"
#include "fmgr.h"
#include "text/reader.h"

extern Datum abst_parser_start(PG_FUNCTION_ARGS);

extern const char *abst_token_type_name(AbstTokenType type);

/*
 * A token as the parser hands it out, in the database encoding: the slice of
 * the display text, or a word that hangs with what completes it.
 */
extern char *abst_token_text(const AbstPlain *plain, const AbstToken *token,
							 int *len);

#endif							/* ABST_TEXT_TSPARSER_H */
