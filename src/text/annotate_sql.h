/*-------------------------------------------------------------------------
 *
 * annotate_sql.h
 *		Rows of what is found in a text.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_ANNOTATE_SQL_H
#define ABST_TEXT_ANNOTATE_SQL_H

#include "compat.h"
#include "fmgr.h"
#include "text/annotate.h"

/* A text argument in the database encoding, read. */
extern AbstText *abst_text_of_datum(Datum datum);

/* Rows of abstract_keywords; sets up the result. */
extern void abst_keywords_emit(FunctionCallInfo fcinfo, const AbstText *text,
							   int limit, AbstWordRarity rarity, void *arg);

#endif							/* ABST_TEXT_ANNOTATE_SQL_H */
