/*-------------------------------------------------------------------------
 *
 * recent.c
 *		The documents read last.
 *
 * One row's text is often asked for several times in a row: by a condition,
 * by ORDER BY and by the select list.  Reading is pure for one configuration,
 * so the last few results are kept, for the backend's life or until any text
 * search object changes.
 *
 *-------------------------------------------------------------------------
 */
#include "text/doc.h"

#include "utils/memutils.h"

#include "text/lexemes.h"

#define RECENT 4
#define RECENT_BYTES 65536		/* longer texts are not kept */

typedef struct Recent
{
	char	   *text;			/* NULL: free */
	int			len;
	Oid			config;
	uint64		epoch;			/* abst_lexeme_epoch at the time */
	TSVector	vector;
} Recent;

static Recent recent[RECENT];
static int	next_slot = 0;

static TSVector
copy_vector(TSVector vector, MemoryContext context)
{
	TSVector	copy = MemoryContextAlloc(context, VARSIZE(vector));

	memcpy(copy, vector, VARSIZE(vector));
	return copy;
}

TSVector
abst_vector_of_row(Oid config, const char *text, int len)
{
	AbstTextPart part = {text, len, 'D'};
	TSVector	vector;
	Recent		fresh;
	Recent	   *slot;

	for (int i = 0; i < RECENT; i++)
		if (recent[i].text != NULL && recent[i].len == len &&
			recent[i].config == config &&
			recent[i].epoch == abst_lexeme_epoch() &&
			memcmp(recent[i].text, text, len) == 0)
			return copy_vector(recent[i].vector, CurrentMemoryContext);
	vector = abst_vector_from_text(config, &part, 1);
	if (len > RECENT_BYTES || VARSIZE(vector) > RECENT_BYTES)
		return vector;

	/* Allocate all before the slot changes: an error must leave it whole. */
	fresh.epoch = abst_lexeme_epoch();
	fresh.config = config;
	fresh.len = len;
	fresh.vector = copy_vector(vector, TopMemoryContext);
	fresh.text = MemoryContextAlloc(TopMemoryContext, Max(len, 1));
	memcpy(fresh.text, text, len);
	slot = &recent[next_slot];
	next_slot = (next_slot + 1) % RECENT;
	if (slot->text != NULL)
	{
		pfree(slot->text);
		pfree(slot->vector);
	}
	*slot = fresh;
	return vector;
}
