/*-------------------------------------------------------------------------
 *
 * dict_write.c
 *		Writing the dictionary: entries, leaves, inner pages up to the root.
 *
 * Terms come in order.  One page of every level is open; a page that is full
 * is written, and its separator goes to the level above.  A separator is the
 * shortest prefix of a page's first lexeme that is larger than the last
 * lexeme before it.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "index/segment_impl.h"
#include "utils/memutils.h"

/* ---- entries ---- */

/*
 * An entry: df, cf - df, then where the postings are.  A term of at most
 * ABST_INLINE_MAX_DF documents has a byte with the length of its postings,
 * which follow; with length 0 they are in a block.  Page and place of a block
 * or of a directory run are varints; which of both it is follows from df.
 */
int
abst_dict_entry_put(uint8 *out, const AbstDictEntry *entry)
{
	uint8	   *p = out;

	p = abst_varint_put(p, entry->df);
	p = abst_varint_put(p, entry->cf - entry->df);
	if (entry->df <= ABST_INLINE_MAX_DF)
		*p++ = (uint8) entry->inline_len;
	if (entry->form == ABST_FORM_INLINE)
	{
		memcpy(p, entry->inline_bytes, entry->inline_len);
		p += entry->inline_len;
	}
	else
	{
		p = abst_varint_put(p, entry->page);
		p = abst_varint_put(p, entry->offset);
	}
	return (int) (p - out);
}

const uint8 *
abst_dict_entry_get(const uint8 *p, const uint8 *end, AbstDictEntry *entry)
{
	uint64		more;
	uint32		offset;

	p = abst_varint_get32(p, end, &entry->df);
	if (p == NULL || entry->df == 0)
		return NULL;
	p = abst_varint_get(p, end, &more);
	if (p == NULL)
		return NULL;
	entry->cf = entry->df + more;
	entry->inline_len = 0;
	if (entry->df <= ABST_INLINE_MAX_DF)
	{
		if (p >= end || *p > ABST_INLINE_MAX_BYTES)
			return NULL;
		entry->inline_len = *p++;
		if (entry->inline_len > 0)
		{
			if (end - p < entry->inline_len)
				return NULL;
			entry->form = ABST_FORM_INLINE;
			entry->page = 0;
			entry->offset = 0;
			entry->inline_bytes = p;
			return p + entry->inline_len;
		}
	}
	entry->form = entry->df <= ABST_BLOCK_SIZE ? ABST_FORM_BLOCK :
		ABST_FORM_DIRECTORY;
	p = abst_varint_get32(p, end, &entry->page);
	if (p == NULL)
		return NULL;
	p = abst_varint_get32(p, end, &offset);
	if (p == NULL || offset >= BLCKSZ)
		return NULL;
	entry->offset = (uint16) offset;
	return p;
}

/* ---- pages ---- */

static char *
level_content(AbstDictLevel *level)
{
	return AbstPageContent((Page) level->image.data);
}

/*
 * The open page of a level, made when first needed.
 */
static AbstDictLevel *
get_level(AbstSegmentWriter *writer, int number)
{
	AbstDictLevel *level;

	if (number >= ABST_DICT_MAX_LEVELS)
		elog(ERROR, "dictionary of a segment is too high");
	level = writer->dict.levels[number];
	if (level == NULL)
	{
		level = MemoryContextAlloc(writer->context, sizeof(AbstDictLevel));
		level->nentries = 0;
		writer->dict.levels[number] = level;
	}
	return level;
}

/*
 * Begin a page.  "first" is its separator.
 */
static void
begin_page(AbstSegmentWriter *writer, AbstDictLevel *level, int number,
		   const char *first, int first_len)
{
	abst_page_init((Page) level->image.data, ABST_PAGE_DATA, writer->id,
				   number == 0 ? ABST_AREA_DICT : ABST_AREA_INNER);
	level->used = sizeof(AbstDictPage);
	level->nentries = 0;
	level->noffsets = 0;
	level->first_len = first_len;
	memcpy(level->first, first, first_len);
}

static bool
has_room(const AbstDictLevel *level, Size bytes, int offsets)
{
	/* one byte may be needed to align the offsets */
	return level->used + bytes + 1 +
		(level->noffsets + offsets) * sizeof(uint16) <= ABST_PAGE_SPACE;
}

/*
 * Write a page and note it in the level above, unless it is the root.
 * Returns its number in its area.
 */
static uint32
end_page(AbstSegmentWriter *writer, AbstDictLevel *level, int number)
{
	Page		page = (Page) level->image.data;
	AbstDictPage *head = (AbstDictPage *) level_content(level);
	Size		bytes = level->noffsets * sizeof(uint16);

	head->nentries = (uint16) level->nentries;
	head->level = (uint16) number;
	if (level->used % sizeof(uint16) != 0)
		level_content(level)[level->used++] = 0;
	memcpy(level_content(level) + level->used, level->offsets, bytes);
	((PageHeader) page)->pd_lower += level->used + bytes;
	writer->dict.pages[number]++;
	return abst_stream_write(writer,
							 number == 0 ? ABST_AREA_DICT : ABST_AREA_INNER,
							 page);
}

/*
 * Note a written page in an inner level.
 */
static void
add_child(AbstSegmentWriter *writer, int number, const char *separator,
		  int len, uint32 child)
{
	AbstDictLevel *level = get_level(writer, number);
	char	   *p;

	if (level->nentries > 0 && !has_room(level, 5 + len, 1))
	{
		uint32		page = end_page(writer, level, number);

		add_child(writer, number + 1, level->first, level->first_len, page);
		level->nentries = 0;
	}
	if (level->nentries == 0)
		begin_page(writer, level, number, separator, len);

	level->offsets[level->noffsets++] = (uint16) level->used;
	p = level_content(level) + level->used;
	memcpy(p, &child, sizeof(child));
	p[4] = (char) len;
	memcpy(p + 5, separator, len);
	level->used += 5 + len;
	level->nentries++;
}

/*
 * Bytes that two lexemes have in common.
 */
static int
shared_prefix(const char *a, int alen, const char *b, int blen)
{
	int			n = Min(alen, blen);
	int			i = 0;

	while (i < n && a[i] == b[i])
		i++;
	return i;
}

void
abst_dict_writer_init(AbstSegmentWriter *writer)
{
	memset(&writer->dict, 0, sizeof(writer->dict));
}

/*
 * Add a term; "payload" is its entry.
 */
void
abst_dict_writer_add(AbstSegmentWriter *writer, const char *lexeme, int len,
					 const uint8 *payload, int nbytes)
{
	AbstDictWriter *dict = &writer->dict;
	AbstDictLevel *leaf = get_level(writer, 0);
	int			common = shared_prefix(dict->last, dict->last_len, lexeme, len);
	bool		restart;
	int			shared;
	char	   *p;

	restart = leaf->nentries % ABST_DICT_RESTART == 0;
	shared = restart ? 0 : common;
	if (leaf->nentries > 0 &&
		!has_room(leaf, 2 + len - shared + nbytes, restart ? 1 : 0))
	{
		uint32		page = end_page(writer, leaf, 0);

		add_child(writer, 1, leaf->first, leaf->first_len, page);
		leaf->nentries = 0;
		restart = true;
		shared = 0;
	}
	if (leaf->nentries == 0)
	{
		/* the lexeme before is smaller, so this one has a byte more */
		bool		very_first = dict->pages[0] == 0;

		begin_page(writer, leaf, 0, lexeme, very_first ? 0 : common + 1);
	}

	if (restart)
		leaf->offsets[leaf->noffsets++] = (uint16) leaf->used;
	p = level_content(leaf) + leaf->used;
	*p++ = (char) shared;
	*p++ = (char) (len - shared);
	memcpy(p, lexeme + shared, len - shared);
	memcpy(p + len - shared, payload, nbytes);
	leaf->used += 2 + len - shared + nbytes;
	leaf->nentries++;

	dict->last_len = len;
	memcpy(dict->last, lexeme, len);
}

/*
 * Write the open pages, leaf first; the only page of its level is the root.
 */
void
abst_dict_writer_finish(AbstSegmentWriter *writer, uint32 *root,
						uint16 *height)
{
	AbstDictWriter *dict = &writer->dict;

	*root = 0;
	*height = 0;
	for (int number = 0; number < ABST_DICT_MAX_LEVELS; number++)
	{
		AbstDictLevel *level = dict->levels[number];
		uint32		page;

		if (level == NULL)
			break;				/* no term at all */
		page = end_page(writer, level, number);
		if (dict->pages[number] == 1)
		{
			*root = page;
			*height = (uint16) number;
			break;
		}
		add_child(writer, number + 1, level->first, level->first_len, page);
	}
}
