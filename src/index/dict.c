/*-------------------------------------------------------------------------
 *
 * dict.c
 *		Reading the dictionary: look-up of a term, walk over terms.
 *
 * A static B-tree.  On an inner page the child of the last separator <= the
 * lexeme is taken (the first separator of a page counts as smaller than
 * everything).  On a leaf the last restart <= the lexeme is found by binary
 * search, then the entries after it are compared one by one, of which front
 * coding shows most to be smaller without a look at their bytes.
 *
 * A look-up locks one page at a time and keeps no pin; a walk copies a leaf.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "index/segment_impl.h"
#include "miscadmin.h"

struct AbstDictCursor
{
	AbstSegment *segment;
	AbstRead	status;			/* of the descent */
	uint32		leaf;			/* the leaf in the copy */
	int			left;			/* entries not yet read of it */
	const uint8 *at;
	const uint8 *end;
	int			start_len;		/* terms below are skipped; -1: no longer */
	char		start[ABST_MAX_LEXEME];
	int			len;			/* last lexeme read */
	char		lexeme[ABST_MAX_LEXEME];
	PGAlignedBlock copy;
};

/* A dictionary page taken apart. */
typedef struct DictView
{
	AbstSegment *segment;
	BlockNumber block;
	const uint8 *content;
	const uint8 *end;			/* of the entries */
	const uint16 *offsets;
	int			noffsets;
	int			nentries;
} DictView;

static void
pg_attribute_noreturn()
dict_corrupted(const DictView *view)
{
	abst_page_corrupted(view->segment->index, view->block,
						"The dictionary page cannot be read.");
}

/*
 * Take a page apart; the offsets must lie within the entries.
 */
static void
dict_view(AbstSegment *segment, BlockNumber block, Page page, int level,
		  DictView *view)
{
	const AbstDictPage *head = (const AbstDictPage *) AbstPageContent(page);
	Size		size = AbstPageContentSize(page);
	Size		tail;

	view->segment = segment;
	view->block = block;
	view->content = (const uint8 *) head;
	if (size < sizeof(AbstDictPage) || head->level != level ||
		head->nentries == 0 || size % sizeof(uint16) != 0)
		dict_corrupted(view);
	view->nentries = head->nentries;
	view->noffsets = level > 0 ? head->nentries :
		(head->nentries + ABST_DICT_RESTART - 1) / ABST_DICT_RESTART;
	tail = view->noffsets * sizeof(uint16);
	if (size < sizeof(AbstDictPage) + tail)
		dict_corrupted(view);
	view->end = view->content + size - tail;
	view->offsets = (const uint16 *) view->end;
}

/*
 * Start of the entry at an offset.
 */
static inline const uint8 *
dict_at(const DictView *view, int i)
{
	const uint8 *p = view->content + view->offsets[i];

	if (view->offsets[i] < sizeof(AbstDictPage) || p >= view->end)
		dict_corrupted(view);
	return p;
}

/* ---- inner pages ---- */

/*
 * Child of an inner page under which the lexeme belongs.
 */
static uint32
find_child(const DictView *view, const char *lexeme, int len)
{
	int			low = 0;
	int			high = view->nentries;
	uint32		child;

	/* the entry at "low" is not above the lexeme, that at "high" is */
	while (high - low > 1)
	{
		int			middle = (low + high) / 2;
		const uint8 *p = dict_at(view, middle);

		if (view->end - p < 5 || view->end - p < 5 + p[4])
			dict_corrupted(view);
		if (abst_lexeme_cmp((const char *) p + 5, p[4], lexeme, len) <= 0)
			low = middle;
		else
			high = middle;
	}
	if (view->end - dict_at(view, low) < 5)
		dict_corrupted(view);
	memcpy(&child, dict_at(view, low), sizeof(child));
	return child;
}

/*
 * Number of the leaf to which the lexeme belongs.
 */
static AbstRead
find_leaf(AbstSegment *segment, const char *lexeme, int len, uint32 *leaf)
{
	uint32		page = segment->header->dict_root;

	for (int level = segment->header->dict_height; level > 0; level--)
	{
		Buffer		buffer;
		DictView	view;
		AbstRead	read;

		read = abst_segment_page(segment, ABST_AREA_INNER, page,
								 BUFFER_LOCK_SHARE, &buffer);
		if (read != ABST_READ_OK)
			return read;
		dict_view(segment, BufferGetBlockNumber(buffer), BufferGetPage(buffer),
				  level, &view);
		page = find_child(&view, lexeme, len);
		UnlockReleaseBuffer(buffer);
	}
	*leaf = page;
	return ABST_READ_OK;
}

/* ---- leaves ---- */

/*
 * The last restart whose lexeme is <= the one sought, or the first.
 */
static int
find_restart(const DictView *view, const char *lexeme, int len)
{
	int			low = 0;
	int			high = view->noffsets;

	while (high - low > 1)
	{
		int			middle = (low + high) / 2;
		const uint8 *p = dict_at(view, middle);

		if (view->end - p < 2 || p[0] != 0 || view->end - p < 2 + p[1])
			dict_corrupted(view);
		if (abst_lexeme_cmp((const char *) p + 2, p[1], lexeme, len) <= 0)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/*
 * Bytes that two lexemes have in common from "from" on.
 */
static inline int
common_prefix(const uint8 *a, int alen, const uint8 *b, int blen)
{
	int			n = Min(alen, blen);
	int			i = 0;

	while (i < n && a[i] == b[i])
		i++;
	return i;
}

/*
 * Find the lexeme among the entries from a restart on.
 *
 * "matched" is how much of the lexeme sought the entry before had, which was
 * smaller.  An entry that shares more with that one is smaller too; one that
 * shares less is larger; only one that shares just as much needs a look.
 */
static bool
scan_leaf(const DictView *view, const char *lexeme, int len,
		  AbstDictEntry *entry)
{
	int			restart = find_restart(view, lexeme, len);
	int			count = Min(view->nentries - restart * ABST_DICT_RESTART,
							ABST_DICT_RESTART);
	const uint8 *p = dict_at(view, restart);
	const uint8 *key = (const uint8 *) lexeme;
	int			matched = 0;
	int			previous_len = 0;

	for (int i = 0; i < count; i++)
	{
		int			shared;
		int			suffix;
		const uint8 *bytes;

		if (view->end - p < 2)
			dict_corrupted(view);
		shared = p[0];
		suffix = p[1];
		bytes = p + 2;
		if (shared > previous_len || shared + suffix > ABST_MAX_LEXEME ||
			view->end - bytes < suffix)
			dict_corrupted(view);
		p = abst_dict_entry_get(bytes + suffix, view->end, entry);
		if (p == NULL)
			dict_corrupted(view);
		previous_len = shared + suffix;

		if (shared > matched)
			continue;
		if (shared < matched)
			return false;
		matched += common_prefix(bytes, suffix, key + shared, len - shared);
		if (matched == previous_len)
		{
			if (matched == len)
				return true;	/* the same */
			continue;			/* a prefix of it: smaller */
		}
		if (matched == len || bytes[matched - shared] > key[matched])
			return false;
	}
	return false;
}

/*
 * What others may know of a term.
 */
static void
fill_info(const AbstDictEntry *entry, AbstTermInfo *info)
{
	info->df = entry->df;
	info->cf = entry->cf;
	info->form = (uint8) entry->form;
	info->inline_len = (uint8) entry->inline_len;
	info->page = entry->page;
	info->offset = entry->offset;
	if (entry->inline_len > 0)
		memcpy(info->inline_bytes, entry->inline_bytes, entry->inline_len);
}

AbstRead
abst_dict_find(AbstSegment *segment, const char *lexeme, int len,
			   AbstTermInfo *info)
{
	Buffer		buffer;
	DictView	view;
	AbstDictEntry entry;
	AbstRead	read;
	uint32		leaf;

	if (segment->header->nterms == 0 || len > ABST_MAX_LEXEME)
		return ABST_READ_END;
	read = find_leaf(segment, lexeme, len, &leaf);
	if (read == ABST_READ_OK)
		read = abst_segment_page(segment, ABST_AREA_DICT, leaf,
								 BUFFER_LOCK_SHARE, &buffer);
	if (read != ABST_READ_OK)
		return read;
	dict_view(segment, BufferGetBlockNumber(buffer), BufferGetPage(buffer), 0,
			  &view);
	if (scan_leaf(&view, lexeme, len, &entry))
		fill_info(&entry, info);
	else
		read = ABST_READ_END;
	UnlockReleaseBuffer(buffer);
	return read;
}

/* ---- walking ---- */

/*
 * Copy a leaf into the cursor.
 */
static AbstRead
load_leaf(AbstDictCursor *cursor, uint32 leaf)
{
	AbstSegment *segment = cursor->segment;
	Page		page = (Page) cursor->copy.data;
	Buffer		buffer;
	DictView	view;
	AbstRead	read;
	BlockNumber block;

	CHECK_FOR_INTERRUPTS();
	read = abst_segment_page(segment, ABST_AREA_DICT, leaf, BUFFER_LOCK_SHARE,
							 &buffer);
	if (read != ABST_READ_OK)
		return read;
	block = BufferGetBlockNumber(buffer);
	memcpy(page, BufferGetPage(buffer), BLCKSZ);
	UnlockReleaseBuffer(buffer);

	dict_view(segment, block, page, 0, &view);
	cursor->leaf = leaf;
	cursor->left = view.nentries;
	cursor->at = view.content + sizeof(AbstDictPage);
	cursor->end = view.end;
	cursor->len = 0;
	return ABST_READ_OK;
}

AbstDictCursor *
abst_dict_begin(AbstSegment *segment, const char *lexeme, int len)
{
	AbstDictCursor *cursor = palloc(sizeof(AbstDictCursor));
	uint32		leaf;

	/* nothing is longer than the largest lexeme, so its prefix will do */
	len = Min(len, ABST_MAX_LEXEME);
	cursor->segment = segment;
	cursor->left = 0;
	cursor->start_len = len;
	memcpy(cursor->start, lexeme, len);

	if (segment->header->nterms == 0)
		cursor->status = ABST_READ_END;
	else
	{
		cursor->status = find_leaf(segment, lexeme, len, &leaf);
		if (cursor->status == ABST_READ_OK)
			cursor->status = load_leaf(cursor, leaf);
	}
	return cursor;
}

/*
 * Read the next entry of the copy.
 */
static bool
next_entry(AbstDictCursor *cursor, AbstDictEntry *entry)
{
	const uint8 *p = cursor->at;
	int			shared;
	int			suffix;

	if (cursor->end - p < 2)
		return false;
	shared = p[0];
	suffix = p[1];
	p += 2;
	if (shared > cursor->len || shared + suffix > ABST_MAX_LEXEME ||
		cursor->end - p < suffix)
		return false;
	memcpy(cursor->lexeme + shared, p, suffix);
	cursor->len = shared + suffix;
	cursor->at = abst_dict_entry_get(p + suffix, cursor->end, entry);
	cursor->left--;
	return cursor->at != NULL;
}

AbstRead
abst_dict_next(AbstDictCursor *cursor, const char **lexeme, int *len,
			   AbstTermInfo *info)
{
	AbstDictEntry entry;

	if (cursor->status != ABST_READ_OK)
		return cursor->status;
	for (;;)
	{
		if (cursor->left == 0)
		{
			uint32		next = cursor->leaf + 1;

			if (next >= cursor->segment->header->area_pages[ABST_AREA_DICT])
				return cursor->status = ABST_READ_END;
			cursor->status = load_leaf(cursor, next);
			if (cursor->status != ABST_READ_OK)
				return cursor->status;
		}
		if (!next_entry(cursor, &entry))
			abst_segment_corrupted(cursor->segment, "A dictionary entry cannot be read.");
		if (cursor->start_len < 0 ||
			abst_lexeme_cmp(cursor->lexeme, cursor->len,
							cursor->start, cursor->start_len) >= 0)
			break;
	}
	cursor->start_len = -1;
	*lexeme = cursor->lexeme;
	*len = cursor->len;
	fill_info(&entry, info);
	return ABST_READ_OK;
}

void
abst_dict_end(AbstDictCursor *cursor)
{
	pfree(cursor);
}

/* ---- checking the tree ---- */

/*
 * Every page of INNER, in the order they were written.  The children of the
 * pages of one level are, in order, all pages of the level below; the page
 * written last is the root.
 */
void
abst_dict_check(AbstSegment *segment)
{
	uint32		ninner = segment->header->area_pages[ABST_AREA_INNER];
	uint32		nleaves = segment->header->area_pages[ABST_AREA_DICT];
	uint16	   *levels = palloc_extended(Max(ninner, 1) * sizeof(uint16),
										 MCXT_ALLOC_HUGE);
	uint32		next[ABST_DICT_MAX_LEVELS + 1] = {0};	/* child expected */

	for (uint32 page = 0; page < ninner; page++)
	{
		Buffer		buffer;
		DictView	view;
		const AbstDictPage *head;
		int			level;
		Size		size;

		CHECK_FOR_INTERRUPTS();
		if (abst_segment_page(segment, ABST_AREA_INNER, page,
							  BUFFER_LOCK_SHARE, &buffer) != ABST_READ_OK)
			abst_segment_corrupted(segment, "A page of the dictionary belongs to something else.");
		head = (const AbstDictPage *) abst_buffer_content(buffer, &size);
		level = size < sizeof(AbstDictPage) ? 0 : head->level;
		dict_view(segment, BufferGetBlockNumber(buffer), BufferGetPage(buffer),
				  level, &view);
		if (level < 1 || level > segment->header->dict_height)
			dict_corrupted(&view);
		levels[page] = (uint16) level;
		for (int i = 0; i < view.nentries; i++)
		{
			const uint8 *p = dict_at(&view, i);
			uint32		child;

			if (view.end - p < 5 || view.end - p < 5 + p[4])
				dict_corrupted(&view);
			memcpy(&child, p, sizeof(child));
			while (level > 1 && next[level] < page &&
				   levels[next[level]] != level - 1)
				next[level]++;
			if (child != next[level] ||
				child >= (level > 1 ? page : nleaves))
				dict_corrupted(&view);
			next[level]++;
			if (i > 0)
			{
				const uint8 *q = dict_at(&view, i - 1);

				if (abst_lexeme_cmp((const char *) q + 5, q[4],
									(const char *) p + 5, p[4]) >= 0)
					dict_corrupted(&view);
			}
		}
		UnlockReleaseBuffer(buffer);
	}

	if (segment->header->dict_height == 0 ? ninner > 0 || nleaves > 1 :
		segment->header->dict_root != ninner - 1 ||
		levels[ninner - 1] != segment->header->dict_height ||
		next[1] != nleaves)
		abst_segment_corrupted(segment, "The dictionary is no tree over its leaves.");
	pfree(levels);
}
