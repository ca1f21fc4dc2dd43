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

#endif							/* ABST_TEXT_TSPARSER_H */
