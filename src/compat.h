/*-------------------------------------------------------------------------
 *
 * compat.h
 *		Every test of the PostgreSQL version, in one place.
 *
 * The rest of the source is written against PostgreSQL 18's names; this
 * file supplies what an older server calls otherwise.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_COMPAT_H
#define ABST_COMPAT_H

#ifdef FRONTEND
#include "postgres_fe.h"
#else
#include "postgres.h"
#endif

#if PG_VERSION_NUM < 150000 || PG_VERSION_NUM >= 190000
#error "abstracts needs PostgreSQL 15, 16, 17 or 18"
#endif

/*
 * common/jsonapi.h: 16 lets the actions return an error, 17 lets the caller own
 * the lexer.
 */
#if PG_VERSION_NUM >= 160000
#define ABST_JSON_ACTION JsonParseErrorType
#define ABST_JSON_ACTION_RETURN return JSON_SUCCESS
#else
#define ABST_JSON_ACTION void
#define ABST_JSON_ACTION_RETURN return
#endif
#if PG_VERSION_NUM >= 170000
#define ABST_JSON_LEXER(json, len) \
	makeJsonLexContextCstringLen(NULL, (json), (len), PG_UTF8, true)
#define ABST_JSON_LEXER_FREE(lex) freeJsonLexContext(lex)
#else
#define ABST_JSON_LEXER(json, len) \
	makeJsonLexContextCstringLen((json), (len), PG_UTF8, true)
#define ABST_JSON_LEXER_FREE(lex) \
	(pfree((lex)->strval->data), pfree((lex)->strval), pfree(lex))
#endif

#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

#endif							/* ABST_COMPAT_H */
