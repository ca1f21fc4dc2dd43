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

/* What is remembered of a text; NULL if nothing is. */
static TSVector
recall(Oid config, const char *text, int len)
{
	for (int i = 0; i < RECENT; i++)
	{
		Recent	   *slot = &recent[i];

		if (slot->text !=NULL && slot->len == len &&
			slot->config == config && slot->epoch == abst_lexeme_epoch() &&
			memcmp(slot->text, text, len) == 0)
			return slot->vector;
	}
	return NULL;
}

static void
remember(Oid config, const char *text, int len, TSVector vector)
{
	Recent	   *slot = &recent[next_slot];
	TSVector	kept = copy_vector(vector, TopMemoryContext);
	char	   *copy = MemoryContextAlloc(TopMemoryContext, Max(len, 1));

	/* All is allocated before the slot changes: an error leaves it whole. */
	memcpy(copy, text, len);
	if (slot->text !=NULL)
	{
		pfree(slot->text);
		pfree(slot->vector);
	}
	slot->text = copy;
	slot->len = len;
	slot->config = config;
	slot->epoch = abst_lexeme_epoch();
	slot->vector = kept;
	next_slot = (next_slot + 1) % RECENT;
}

TSVector
abst_vector_of_row(Oid config, const char *text, int len)
{
	AbstTextPart part;
	TSVector	vector = recall(config, text, len);

	if (vector != NULL)
		return copy_vector(vector, CurrentMemoryContext);
	part.text = text;

	part.len = len;
	part.label = 'D';
	vector = abst_vector_from_text(config, &part, 1);
	if (len <= RECENT_BYTES && VARSIZE(vector) <= RECENT_BYTES)
		remember(config, text, len, vector);
	return vector;
}
