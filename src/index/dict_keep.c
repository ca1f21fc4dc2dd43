/*-------------------------------------------------------------------------
 *
 * dict_keep.c
 *		Look-ups in the dictionary of a kept segment, the last ones remembered.
 *
 * A query looks its terms up when it is bound and again when it is run, and
 * most queries have words that others had.  A segment's dictionary never
 * changes, so what was found, or not found, holds as long as the segment.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "common/hashfn.h"
#include "utils/memutils.h"

#include "index/segment_impl.h"

#define KEPT_TERMS 256			/* a power of 2 */
#define KEPT_LEXEME 31			/* longer ones are looked up each time */

/* One place; a term that another one's hash leads to drives that out. */
typedef struct KeptTerm
{
	uint8		len;			/* 0: free */
	char		lexeme[KEPT_LEXEME];
	bool		found;
	AbstTermInfo info;
} KeptTerm;

struct AbstKeptTerms
{
	KeptTerm	place[KEPT_TERMS];
};

/* The place of a term; NULL for one that is not kept. */
static KeptTerm *
place_of(AbstSegment *segment, const char *lexeme, int len)
{
	uint32		hash;

	if (!segment->borrowed || len > KEPT_LEXEME || len == 0)
		return NULL;
	if (segment->terms == NULL)
		segment->terms = MemoryContextAllocZero(segment->context,
												sizeof(AbstKeptTerms));
	hash = hash_bytes((const unsigned char *) lexeme, len);
	return &segment->terms->place[hash % KEPT_TERMS];
}

AbstRead
abst_segment_lookup(AbstSegment *segment, const char *lexeme, int len,
					AbstTermInfo *info)
{
	KeptTerm   *place = place_of(segment, lexeme, len);
	AbstRead	read;

	if (place != NULL && place->len == len &&
		memcmp(place->lexeme, lexeme, len) == 0)
	{
		if (place->found)
			*info = place->info;
		return place->found ? ABST_READ_OK : ABST_READ_END;
	}
	read = abst_dict_find(segment, lexeme, len, info);
	if (place != NULL && read != ABST_READ_STALE)
	{
		place->len = len;
		memcpy(place->lexeme, lexeme, len);
		place->found = read == ABST_READ_OK;
		if (place->found)
			place->info = *info;
	}
	return read;
}
