/*-------------------------------------------------------------------------
 *
 * pending.c
 *		The pending list: documents not yet in a segment.
 *
 * Locks are taken in the order metapage, list page, new page.  An inserter
 * reads the tail's place from the metapage, lets go of it, and locks the
 * tail; the tail is the only page of the list without a successor, so the
 * page itself tells whether it still is the tail.  Only adding a page needs
 * the metapage exclusively.
 *
 * WAL: a record appended is one generic record over one page; a page added,
 * with its record or empty, is one over metapage, old tail and new page.  So
 * after a crash the list is whole, and a page allocated but not linked is an
 * orphan that was never written.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "common/hashfn.h"
#include "index/format.h"
#include "index/metapage.h"
#include "index/pending.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "port/pg_bswap.h"

struct AbstPendingWalk
{
	Relation	index;
	BlockNumber next;			/* page to copy next, Invalid at the end */
	BlockNumber current;		/* page that was copied */
	BlockNumber tail;
	uint32		first_id;
	uint32		last_id;
	uint32		pages_left;		/* guard against a circle */
	const char *at;				/* next record in the copy */
	const char *end;
	PGAlignedBlock copy;
};

/* ---- lexemes as numbers ---- */

/*
 * The first eight bytes of a lexeme as a number, zero bytes where it is
 * shorter: lexemes are in the order of these numbers where they differ.
 * "end" says how far may be read.
 */
static inline uint64
lexeme_key(const char *lexeme, int len, const char *end)
{
	uint64		key = 0;

	if (len == 0)
		return 0;
	if (likely(end - lexeme >= (ptrdiff_t) sizeof(key)))
	{
		memcpy(&key, lexeme, sizeof(key));
		key = pg_ntoh64(key);
		if (len < (int) sizeof(key))
			key &= ~UINT64CONST(0) << (64 - 8 * len);
		return key;
	}
	for (int i = 0; i < (int) sizeof(key); i++)
		key = key << 8 | (i < len ? (uint8) lexeme[i] : 0);
	return key;
}

/* What stands for a lexeme with this key in the marks of a record. */
static inline uint16
lexeme_mark(uint64 key, int len)
{
	return (uint16) murmurhash32((uint32) (key >> 32) * 31 ^ (uint32) key ^
								 (uint32) len << 24);
}

#define MARKS_AT_ONCE	4
#define MARK_ONES		UINT64CONST(0x0001000100010001)
#define MARK_TOPS		UINT64CONST(0x8000800080008000)

/*
 * May the mark be among these?  Four are compared at once: a difference of
 * zero is the lowest one that borrows from its top bit.
 */
static inline bool
has_mark(const char *marks, int n, uint16 mark)
{
	const uint64 wanted = MARK_ONES * mark;
	uint16		one;

	for (; n >= MARKS_AT_ONCE; n -= MARKS_AT_ONCE)
	{
		uint64		four;

		memcpy(&four, marks, sizeof(four));
		four ^= wanted;
		if (((four - MARK_ONES) & ~four & MARK_TOPS) != 0)
			return true;
		marks += sizeof(four);
	}
	for (; n > 0; n--)
	{
		memcpy(&one, marks, sizeof(one));
		if (one == mark)
			return true;
		marks += sizeof(one);
	}
	return false;
}

/* ---- records ---- */

/*
 * Put a document into the form of a record.  Returns its size, 0 when it
 * does not fit a page.
 */
static int
make_record(char *out, const ItemPointerData *tid, const AbstDoc *doc)
{
	AbstPendingRecord head;
	char	   *p = out + sizeof(head);
	char	   *end = out + ABST_PAGE_SPACE;
	char	   *marks;

	memset(&head, 0, sizeof(head));
	head.tid = abst_disk_tid(tid, doc == NULL);
	if (doc != NULL)
	{
		if (doc->nterms > PG_UINT16_MAX)
			return 0;
		head.lengths = doc->lengths;
		head.norm = doc->norm;
		head.nterms = (uint16) doc->nterms;
	}

	marks = p;
	if (end - p < head.nterms * (ptrdiff_t) sizeof(uint16))
		return 0;
	p += head.nterms * sizeof(uint16);
	for (int i = 0; i < head.nterms; i++)
	{
		const AbstDocTerm *term = &doc->terms[i];
		uint8		mask = 0;
		bool		ones = true;
		uint16		mark;

		if (term->len < 0 || term->len > ABST_MAX_LEXEME)
			elog(ERROR, "lexeme of %d bytes in a document", term->len);
		if (end - p < 2 + term->len + ABST_NFIELDS)
			return 0;
		mark = lexeme_mark(lexeme_key(term->lexeme, term->len,
									  term->lexeme + term->len), term->len);
		memcpy(marks + i * sizeof(mark), &mark, sizeof(mark));
		*p++ = (char) term->len;
		memcpy(p, term->lexeme, term->len);
		p += term->len;
		for (int f = 0; f < ABST_NFIELDS; f++)
		{
			if (term->tf.field[f] != 0)
				mask |= 1 << f;
			if (term->tf.field[f] > 1)
				ones = false;
		}
		*p++ = (char) (mask | (ones ? ABST_PENDING_ONES : 0));
		for (int f = 0; f < ABST_NFIELDS && !ones; f++)
		{
			if (term->tf.field[f] != 0)
				*p++ = (char) term->tf.field[f];
		}
	}

	head.size = (uint16) (p - out);
	memcpy(out, &head, sizeof(head));
	return head.size;
}

/*
 * Cut one record off the content at "at".  False if it cannot be one.
 */
static bool
take_record(const char *at, const char *end, AbstPendingDoc *doc)
{
	AbstPendingRecord head;

	if (end - at < (ptrdiff_t) sizeof(head))
		return false;
	memcpy(&head, at, sizeof(head));
	if (head.size < sizeof(head) + head.nterms * sizeof(uint16) ||
		head.size > end - at)
		return false;
	doc->isnull = abst_memory_tid(head.tid, &doc->tid);
	if (!ItemPointerIsValid(&doc->tid))
		return false;
	doc->lengths = head.lengths;
	doc->norm = head.norm;
	doc->nterms = head.nterms;
	doc->marks = at + sizeof(head);
	doc->terms = doc->marks + head.nterms * sizeof(uint16);
	doc->end = at + head.size;
	return true;
}

/*
 * One term of a record; NULL where the bytes cannot be one.
 */
static const char *
take_term(const char *p, const char *end, AbstDocTerm *term)
{
	uint8		mask;

	if (end - p < 2)
		return NULL;
	term->len = (uint8) *p++;
	if (end - p < term->len + 1)
		return NULL;
	term->lexeme = p;
	p += term->len;
	mask = (uint8) *p++;
	term->tf.all = 0;
	for (int f = 0; f < ABST_NFIELDS; f++)
	{
		if ((mask & (1 << f)) == 0)
			continue;
		if (mask & ABST_PENDING_ONES)
			term->tf.field[f] = 1;
		else if (p < end)
			term->tf.field[f] = (uint8) *p++;
		else
			return NULL;
	}
	return p;
}

static void
pg_attribute_noreturn()
record_corrupted(const AbstPendingDoc *doc)
{
	abst_page_corrupted(doc->index, doc->block,
						"A record of the pending list cannot be read.");
	pg_unreachable();
}

bool
abst_pending_next_term(const AbstPendingDoc *doc, const char **at,
					   AbstDocTerm *term)
{
	const char *p = *at == NULL ? doc->terms : *at;

	if (p == doc->end)
		return false;
	*at = take_term(p, doc->end, term);
	if (*at == NULL)
		record_corrupted(doc);
	return true;
}

void
abst_pending_verify(const AbstPendingDoc *doc)
{
	const char *at = NULL;
	AbstDocTerm term;
	int			n = 0;

	for (; abst_pending_next_term(doc, &at, &term); n++)
	{
		uint64		key = lexeme_key(term.lexeme, term.len, doc->end);

		if (!has_mark(doc->marks, doc->nterms, lexeme_mark(key, term.len)))
			record_corrupted(doc);
	}
	if (n != doc->nterms)
		record_corrupted(doc);
}

/*
 * Pass by the terms of a record that are smaller than the one with this key,
 * without taking them apart.  Returns where the first other one is.
 */
static const char *
pass_by(const AbstPendingDoc *doc, const char *p, uint64 key)
{
	const char *end = doc->end;

	while (p < end)
	{
		int			len = (uint8) *p;
		uint8		mask;

		if (unlikely(end - p < len + 2))
			record_corrupted(doc);
		if (lexeme_key(p + 1, len, end) >= key)
			break;
		mask = (uint8) p[len + 1];
		p += len + 2;
		if ((mask & ABST_PENDING_ONES) == 0)
			p += pg_number_of_ones[mask & ABST_PENDING_FIELDS];
	}
	if (unlikely(p > end))
		record_corrupted(doc);
	return p;
}

/*
 * Most records have none of the terms, as their marks tell.  Both sides are
 * sorted, so one pass merges them; what is behind the last term wanted is not
 * looked at.
 */
bool
abst_pending_probe(const AbstPendingDoc *doc, const AbstDocTerm *terms,
				   int nterms, AbstTf *tf)
{
	const char *p = doc->terms;
	bool		found = false;

	for (int i = 0; i < nterms; i++)
	{
		const char *lexeme = terms[i].lexeme;
		int			len = terms[i].len;
		AbstDocTerm term;
		uint64		key = lexeme_key(lexeme, len, lexeme + len);
		int			cmp = -1;

		tf[i].all = 0;
		if (!has_mark(doc->marks, doc->nterms, lexeme_mark(key, len)))
			continue;
		p = pass_by(doc, p, key);
		while (p < doc->end && cmp < 0)
		{
			const char *next = take_term(p, doc->end, &term);

			if (next == NULL)
				record_corrupted(doc);
			cmp = abst_lexeme_cmp(term.lexeme, term.len, lexeme, len);
			if (cmp <= 0)
				p = next;
		}
		if (cmp == 0)
		{
			tf[i] = term.tf;
			found = true;
		}
	}
	return found;
}

/* ---- appending ---- */

/*
 * Room left on a list page.
 */
static Size
page_room(Page page)
{
	return ((PageHeader) page)->pd_special - ((PageHeader) page)->pd_lower;
}

static void
put_record(Page page, const char *record, Size size)
{
	memcpy((char *) page + ((PageHeader) page)->pd_lower, record, size);
	((PageHeader) page)->pd_lower += size;
}

/*
 * Lock what the metapage called the tail.  InvalidBuffer when it is no longer.
 */
static Buffer
lock_tail(Relation index, BlockNumber tail, uint32 id)
{
	Buffer		buffer;

	buffer = abst_page_read(index, tail, BUFFER_LOCK_EXCLUSIVE,
							ABST_PAGE_PENDING, id);
	if (BufferIsValid(buffer) &&
		BlockNumberIsValid(AbstPageGetOpaque(BufferGetPage(buffer))->next))
	{
		UnlockReleaseBuffer(buffer);
		return InvalidBuffer;
	}
	return buffer;
}

/*
 * Append to the tail if the record fits there (WAL: one page).
 */
static bool
append_to(Relation index, Buffer buffer, const char *record, Size size)
{
	GenericXLogState *state;

	if (page_room(BufferGetPage(buffer)) < size)
		return false;
	state = GenericXLogStart(index);
	put_record(GenericXLogRegisterBuffer(state, buffer, 0), record, size);
	GenericXLogFinish(state);
	return true;
}

/*
 * Link a new tail behind the old one, with a record or empty (WAL: three
 * pages).  Metapage and old tail are locked exclusively by the caller, who
 * releases them.  Returns the new block.
 */
static BlockNumber
add_page(Relation index, Buffer metabuffer, Buffer tailbuffer, uint32 id,
		 const char *record, Size size)
{
	GenericXLogState *state;
	Buffer		newbuffer = abst_page_new(index, true);
	BlockNumber block = BufferGetBlockNumber(newbuffer);
	AbstMetaPageData *meta;
	Page		page;

	state = GenericXLogStart(index);

	page = GenericXLogRegisterBuffer(state, metabuffer, 0);
	meta = (AbstMetaPageData *) AbstPageContent(page);
	meta->pending_tail = block;
	meta->pending_pages++;
	if (meta->pending_last_id != id)
	{
		meta->pending_last_id = id;
		meta->next_id = id + 1;
	}

	page = GenericXLogRegisterBuffer(state, tailbuffer, 0);
	AbstPageGetOpaque(page)->next = block;

	page = GenericXLogRegisterBuffer(state, newbuffer,
									 GENERIC_XLOG_FULL_IMAGE);
	abst_page_init(page, ABST_PAGE_PENDING, id, 0);
	if (size > 0)
		put_record(page, record, size);

	GenericXLogFinish(state);
	UnlockReleaseBuffer(newbuffer);
	return block;
}

/*
 * Lock metapage and tail exclusively.  While the metapage is held no other
 * page can become the tail.
 */
static void
lock_list(Relation index, Buffer *metabuffer, Buffer *tailbuffer,
		  AbstMetaPageData **meta)
{
	*metabuffer = abst_metapage_lock(index, BUFFER_LOCK_EXCLUSIVE);
	*meta = (AbstMetaPageData *) AbstPageContent(BufferGetPage(*metabuffer));
	*tailbuffer = lock_tail(index, (*meta)->pending_tail,
							(*meta)->pending_last_id);
	if (!BufferIsValid(*tailbuffer))
	{
		BlockNumber tail = (*meta)->pending_tail;

		UnlockReleaseBuffer(*metabuffer);
		abst_page_corrupted(index, tail,
							"The page is not the tail of the pending list.");
	}
}

bool
abst_pending_append(Relation index, ItemPointer tid, const AbstDoc *doc,
					uint32 *npages)
{
	char	   *record = palloc(ABST_PAGE_SPACE);
	Size		size = make_record(record, tid, doc);
	Buffer		metabuffer;
	Buffer		tailbuffer;
	AbstMetaPageData *meta;
	BlockNumber tail;
	uint32		id;
	bool		done;

	*npages = 0;
	if (size == 0)
	{
		pfree(record);
		return false;
	}

	/* most often the tail has room, and the metapage is only looked at */
	metabuffer = abst_metapage_lock(index, BUFFER_LOCK_SHARE);
	meta = (AbstMetaPageData *) AbstPageContent(BufferGetPage(metabuffer));
	tail = meta->pending_tail;
	id = meta->pending_last_id;
	UnlockReleaseBuffer(metabuffer);

	tailbuffer = lock_tail(index, tail, id);
	done = BufferIsValid(tailbuffer) &&
		append_to(index, tailbuffer, record, size);
	if (BufferIsValid(tailbuffer))
		UnlockReleaseBuffer(tailbuffer);

	/* it is full, or someone has put another page behind it */
	if (!done)
	{
		lock_list(index, &metabuffer, &tailbuffer, &meta);
		if (!append_to(index, tailbuffer, record, size))
		{
			*npages = meta->pending_pages + 1;
			add_page(index, metabuffer, tailbuffer, meta->pending_last_id,
					 record, size);
		}
		UnlockReleaseBuffer(tailbuffer);
		UnlockReleaseBuffer(metabuffer);
	}
	pfree(record);
	return true;
}

bool
abst_pending_seal(Relation index, AbstDirectory *sealed, BlockNumber *next,
				  uint32 *next_id)
{
	Buffer		metabuffer;
	Buffer		tailbuffer;
	AbstMetaPageData *meta;
	bool		any;

	lock_list(index, &metabuffer, &tailbuffer, &meta);
	any = meta->pending_head != meta->pending_tail ||
		AbstPageContentSize(BufferGetPage(tailbuffer)) > 0;
	if (any)
	{
		abst_metapage_copy(meta, sealed);
		*next_id = meta->next_id;
		if (*next_id == PG_UINT32_MAX)
		{
			UnlockReleaseBuffer(tailbuffer);
			UnlockReleaseBuffer(metabuffer);
			abst_meta_out_of_ids(index);
		}
		*next = add_page(index, metabuffer, tailbuffer, *next_id, NULL, 0);
	}
	UnlockReleaseBuffer(tailbuffer);
	UnlockReleaseBuffer(metabuffer);
	return any;
}

/* ---- walking ---- */

AbstPendingWalk *
abst_pending_begin(Relation index, const AbstDirectory *directory)
{
	AbstPendingWalk *walk = palloc(sizeof(AbstPendingWalk));

	walk->index = index;
	walk->next = directory->pending_head;
	walk->current = InvalidBlockNumber;
	walk->tail = directory->pending_tail;
	walk->first_id = directory->pending_first_id;
	walk->last_id = directory->pending_last_id;
	walk->pages_left = directory->pending_pages;
	walk->at = NULL;
	walk->end = NULL;
	return walk;
}

/*
 * Pages of a list belong to one of several batches, so the owner is checked
 * here: read whoever's page it is, then compare.
 */
static AbstRead
copy_page(AbstPendingWalk *walk)
{
	AbstPageOpaque opaque;
	Page		page = (Page) walk->copy.data;

	CHECK_FOR_INTERRUPTS();

	walk->current = walk->next;
	if (!abst_page_copy(walk->index, walk->current, page))
		return ABST_READ_STALE;
	opaque = AbstPageGetOpaque(page);
	if (opaque->kind != ABST_PAGE_PENDING || opaque->owner < walk->first_id ||
		opaque->owner > walk->last_id)
		return ABST_READ_STALE;

	if (walk->pages_left == 0)
		abst_page_corrupted(walk->index, walk->current,
							"The pending list is longer than the metapage says.");
	walk->pages_left--;
	if (walk->current == walk->tail)
		walk->next = InvalidBlockNumber;
	else if (BlockNumberIsValid(opaque->next))
		walk->next = opaque->next;
	else
		abst_page_corrupted(walk->index, walk->current,
							"The pending list ends before its tail.");

	walk->at = AbstPageContent(page);
	walk->end = walk->at + AbstPageContentSize(page);
	return ABST_READ_OK;
}

AbstRead
abst_pending_next(AbstPendingWalk *walk, AbstPendingDoc *doc)
{
	while (walk->at == walk->end)
	{
		AbstRead	read;

		if (!BlockNumberIsValid(walk->next))
			return ABST_READ_END;
		read = copy_page(walk);
		if (read != ABST_READ_OK)
			return read;
	}
	doc->index = walk->index;
	doc->block = walk->current;
	if (!take_record(walk->at, walk->end, doc))
		abst_page_corrupted(walk->index, walk->current,
							"A record of the pending list cannot be read.");
	walk->at = doc->end;
	return ABST_READ_OK;
}

void
abst_pending_end(AbstPendingWalk *walk)
{
	pfree(walk);
}

AbstRead
abst_pending_blocks(Relation index, const AbstDirectory *directory,
					void (*callback) (BlockNumber block, void *arg), void *arg)
{
	AbstPendingWalk *walk = abst_pending_begin(index, directory);
	AbstRead	read = ABST_READ_OK;

	while (BlockNumberIsValid(walk->next))
	{
		read = copy_page(walk);
		if (read != ABST_READ_OK)
			break;
		callback(walk->current, arg);
	}
	abst_pending_end(walk);
	return read;
}
