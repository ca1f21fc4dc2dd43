/*-------------------------------------------------------------------------
 *
 * segment_parts.c
 *		A segment whose postings several processes write.
 *
 * Blocks of postings can be written in any order: what refers to them is in
 * the directory and in the dictionary, and these are the smaller part by far.
 * So each process writes pages of postings for the ranges of terms it takes,
 * numbered by a counter that all share, and what belongs into directory and
 * dictionary to a file, which the writer of the segment reads range by range.
 *
 * A file of a range holds, for each term: its directory entries and foot, if
 * it has several blocks, then its dictionary entry.  Each begins with a byte
 * that tells what it is.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "index/segment_impl.h"
#include "miscadmin.h"

#define RECORD_BLOCK	'b'
#define RECORD_FOOT		'f'
#define RECORD_TERM		't'

struct AbstPart
{
	BufFile    *file;			/* of the range; the caller's */
	BufFile    *pages;			/* list of pages; the caller's */
	pg_atomic_uint32 *npages;	/* of all parts */
};

/* A dictionary entry in the file; lexeme and inline postings follow. */
typedef struct PartTerm
{
	uint64		cf;
	uint32		df;
	uint32		page;
	uint16		offset;
	uint8		form;
	uint8		lexeme_len;
	uint8		inline_len;
} PartTerm;

/* Where a page went. */
typedef struct PartPage
{
	uint32		number;
	BlockNumber block;
} PartPage;

/* ---- writing a part ---- */

AbstSegmentWriter *
abst_segment_part_begin(Relation index, const AbstPartPlan *plan)
{
	AbstSegmentWriter *writer;

	writer = abst_segment_writer_begin(index, plan->id, plan->weights, true);
	writer->part = MemoryContextAllocZero(writer->context, sizeof(AbstPart));
	writer->part->pages = plan->pages;
	writer->part->npages = plan->npages;
	writer->maxdoc = plan->maxdoc;
	abst_writer_know_codes(writer, plan->codes, plan->ncodes);
	abst_writer_use_bounds(writer, plan->bounds);
	return writer;
}

void
abst_segment_part_range(AbstSegmentWriter *part, BufFile *file)
{
	part->part->file = file;

	/* Ranges come in any order: the last term says nothing of the next. */
	part->nterms = 0;
}

void
abst_segment_part_end_range(AbstSegmentWriter *part)
{
	abst_writer_flush_term(part);
	part->part->file = NULL;
}

void
abst_segment_part_finish(AbstSegmentWriter *part)
{
	abst_stream_end(part, ABST_AREA_POSTINGS);
	MemoryContextDelete(part->context);
}

uint32
abst_part_page_number(AbstSegmentWriter *writer)
{
	return pg_atomic_fetch_add_u32(writer->part->npages, 1);
}

void
abst_part_page_written(AbstSegmentWriter *writer, uint32 number,
					   BlockNumber block)
{
	PartPage	page = {.number = number,.block = block};

	BufFileWrite(writer->part->pages, &page, sizeof(page));
}

static void
put_record(AbstSegmentWriter *writer, char kind, const void *bytes, Size size)
{
	BufFileWrite(writer->part->file, &kind, 1);
	BufFileWrite(writer->part->file, unconstify(void *, bytes), size);
}

void
abst_part_put_block(AbstSegmentWriter *writer, const AbstDirEntry *entry)
{
	put_record(writer, RECORD_BLOCK, entry, sizeof(*entry));
	writer->nblocks++;
}

void
abst_part_put_foot(AbstSegmentWriter *writer, const AbstDirFoot *foot)
{
	put_record(writer, RECORD_FOOT, foot, sizeof(*foot));
}

void
abst_part_put_term(AbstSegmentWriter *writer, const AbstDictEntry *entry)
{
	PartTerm	term;

	memset(&term, 0, sizeof(term));
	term.df = entry->df;
	term.cf = entry->cf;
	term.form = (uint8) entry->form;
	term.page = entry->page;
	term.offset = entry->offset;
	term.lexeme_len = (uint8) writer->lexeme_len;
	term.inline_len = (uint8) entry->inline_len;
	put_record(writer, RECORD_TERM, &term, sizeof(term));
	BufFileWrite(writer->part->file, writer->lexeme, term.lexeme_len);
	BufFileWrite(writer->part->file,
				 unconstify(uint8 *, entry->inline_bytes), term.inline_len);
	writer->nterms++;
}

/* ---- putting the parts together ---- */

static void
get_bytes(BufFile *file, void *bytes, Size size)
{
	if (BufFileRead(file, bytes, size) != size)
		elog(ERROR, "unexpected end of a part of a segment");
}

/* A dictionary entry from the file goes to the writer. */
static void
add_term(AbstSegmentWriter *writer, BufFile *file)
{
	PartTerm	term;
	AbstDictEntry entry;
	char		lexeme[ABST_MAX_LEXEME];
	uint8		inlined[ABST_INLINE_MAX_BYTES];

	get_bytes(file, &term, sizeof(term));
	if (term.inline_len > sizeof(inlined))
		elog(ERROR, "impossible term in a part of a segment");
	get_bytes(file, lexeme, term.lexeme_len);
	get_bytes(file, inlined, term.inline_len);
	if (writer->nterms > 0 &&
		abst_lexeme_cmp(writer->lexeme, writer->lexeme_len, lexeme,
						term.lexeme_len) >= 0)
		elog(ERROR, "parts of a segment are out of order");

	memset(&entry, 0, sizeof(entry));
	entry.df = term.df;
	entry.cf = term.cf;
	entry.form = (AbstTermForm) term.form;
	entry.page = term.page;
	entry.offset = term.offset;
	entry.inline_len = term.inline_len;
	entry.inline_bytes = inlined;
	writer->lexeme_len = term.lexeme_len;
	memcpy(writer->lexeme, lexeme, term.lexeme_len);
	abst_writer_put_term(writer, &entry);
	writer->nblocks = 0;
}

void
abst_segment_writer_add_range(AbstSegmentWriter *writer, BufFile *file)
{
	char		kind;

	while (BufFileRead(file, &kind, 1) == 1)
	{
		AbstDirEntry block;
		AbstDirFoot foot;

		CHECK_FOR_INTERRUPTS();
		switch (kind)
		{
			case RECORD_BLOCK:
				get_bytes(file, &block, sizeof(block));
				abst_writer_put_block(writer, &block);
				break;
			case RECORD_FOOT:
				get_bytes(file, &foot, sizeof(foot));
				abst_writer_put_foot(writer, &foot);
				break;
			case RECORD_TERM:
				add_term(writer, file);
				break;
			default:
				elog(ERROR, "part of a segment has a record of kind %d", kind);
		}
	}
}

void
abst_segment_writer_add_pages(AbstSegmentWriter *writer, BufFile *pages,
							  uint32 npages)
{
	AbstStream *stream = &writer->streams[ABST_AREA_POSTINGS];
	PartPage	page;

	abst_stream_room(writer, ABST_AREA_POSTINGS, npages);
	while (BufFileRead(pages, &page, sizeof(page)) == sizeof(page))
	{
		CHECK_FOR_INTERRUPTS();
		if (page.number >= npages)
			elog(ERROR, "part of a segment has page %u of %u", page.number,
				 npages);
		stream->blocks[page.number] = page.block;
		stream->npages++;
	}
}
