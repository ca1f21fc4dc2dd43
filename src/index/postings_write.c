/*-------------------------------------------------------------------------
 *
 * postings_write.c
 *		Writing postings: blocks, the block directory, dictionary payloads.
 *
 * Postings wait until a block is full and another one follows, or the term
 * ends.  So a term whose postings fit one block needs no directory, and one
 * of very few documents no block.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "common/hashfn.h"
#include "index/segment_impl.h"
#include "miscadmin.h"

StaticAssertDecl(ABST_BLOCK_SIZE == ABST_CODEC_BLOCK,
				 "a block is what the codec packs");
StaticAssertDecl(ABST_CODEC_MAX_BYTES <= ABST_PAGE_SPACE,
				 "a block fits a page");

/*
 * Code of a frequency vector.
 */
static uint32
code_of(AbstSegmentWriter *writer, AbstTf tf)
{
	uint32		at = murmurhash32(tf.all) & writer->slot_mask;

	if (tf.all != 0)
	{
		while (writer->slots[at].tf != 0)
		{
			if (writer->slots[at].tf == tf.all)
				return writer->slots[at].code;
			at = (at + 1) & writer->slot_mask;
		}
	}
	elog(ERROR, "posting with frequencies that have no code");
	return 0;
}

static inline uint16
doc_bound(AbstSegmentWriter *writer, uint32 docid)
{
	return writer->bound_chunks[docid / ABST_WRITER_CHUNK][docid % ABST_WRITER_CHUNK];
}

/*
 * Write the waiting postings as a block.  "front" receives its bounds.
 */
static void
write_block(AbstSegmentWriter *writer, AbstFront *front, uint32 *page,
			uint16 *offset, uint16 *nbytes)
{
	uint8		bytes[ABST_CODEC_MAX_BYTES];
	AbstBlockInput input;
	AbstBound	point;
	int			used;

	CHECK_FOR_INTERRUPTS();
	abst_front_init(front);
	for (int i = 0; i < writer->n; i++)
	{
		point.wtf = writer->code_bounds[writer->post_codes[i]];
		point.wlen = doc_bound(writer, writer->docids[i]);
		abst_front_add(front, point);
	}
	abst_front_thin(front, ABST_MAX_IMPACTS);

	input.previous = writer->block_previous;
	input.n = writer->n;
	input.docids = writer->docids;
	input.codes = writer->post_codes;
	input.nbounds = front->n;
	input.bounds = front->points;
	used = abst_block_encode(bytes, &input);
	memcpy(abst_stream_reserve(writer, ABST_AREA_POSTINGS, used, page, offset),
		   bytes, used);
	*nbytes = (uint16) used;
	writer->block_previous = writer->docids[writer->n - 1];
	writer->n = 0;
}

void
abst_writer_put_block(AbstSegmentWriter *writer, const AbstDirEntry *entry)
{
	uint32		page;
	uint16		offset;

	memcpy(abst_stream_reserve(writer, ABST_AREA_DIRECTORY, sizeof(*entry),
							   &page, &offset),
		   entry, sizeof(*entry));
	if (writer->nblocks++ == 0)
	{
		writer->run_page = page;
		writer->run_slot = offset / sizeof(AbstDirEntry);
	}
}

/*
 * Write a block of a term that has several, and its directory entry.
 */
static void
write_directory_block(AbstSegmentWriter *writer)
{
	AbstFront	front;
	AbstDirEntry entry;

	write_block(writer, &front, &entry.page, &entry.offset, &entry.nbytes);
	entry.last_docid = writer->block_previous;
	entry.max_wtf = front.points[front.n - 1].wtf;
	entry.min_wlen = front.points[0].wlen;
	if (writer->part != NULL)
		abst_part_put_block(writer, &entry);
	else
		abst_writer_put_block(writer, &entry);
	for (int i = 0; i < front.n; i++)
		abst_front_add(&writer->list_front, front.points[i]);
}

void
abst_writer_put_foot(AbstSegmentWriter *writer, const AbstDirFoot *foot)
{
	uint32		page;
	uint16		offset;

	memcpy(abst_stream_reserve(writer, ABST_AREA_DIRECTORY, sizeof(*foot),
							   &page, &offset),
		   foot, sizeof(*foot));
}

/*
 * Close a term's directory run with the figures of the whole list.
 */
static void
write_foot(AbstSegmentWriter *writer)
{
	AbstDirFoot foot;

	abst_front_thin(&writer->list_front, ABST_MAX_IMPACTS);
	memset(&foot, 0, sizeof(foot));
	foot.nblocks = writer->nblocks;
	foot.df = writer->df;
	foot.last_docid = writer->last_docid;
	foot.nbounds = (uint8) writer->list_front.n;
	memcpy(foot.bounds, writer->list_front.points,
		   writer->list_front.n * sizeof(AbstBound));
	if (writer->part != NULL)
		abst_part_put_foot(writer, &foot);
	else
		abst_writer_put_foot(writer, &foot);
}

void
abst_segment_writer_coded(AbstSegmentWriter *writer, uint32 docid, uint32 code)
{
	if (unlikely(!writer->in_term || docid >= writer->maxdoc ||
				 code >= writer->ncodes ||
				 (writer->df > 0 && docid <= writer->last_docid)))
		elog(ERROR, "posting of document %u is out of order", docid);

	if (writer->n == ABST_BLOCK_SIZE)
		write_directory_block(writer);
	writer->docids[writer->n] = docid;
	writer->post_codes[writer->n] = code;
	writer->n++;
	writer->last_docid = docid;
	writer->df++;
	writer->cf += writer->code_sums[code];
}

void
abst_segment_writer_posting(AbstSegmentWriter *writer, uint32 docid, AbstTf tf)
{
	abst_segment_writer_coded(writer, docid, code_of(writer, tf));
}

void
abst_segment_writer_term(AbstSegmentWriter *writer, const char *lexeme,
						 int len)
{
	if (!writer->has_codes)
		elog(ERROR, "term before the code table");
	if (len < 0 || len > ABST_MAX_LEXEME)
		elog(ERROR, "lexeme of %d bytes", len);
	abst_writer_flush_term(writer);
	if (writer->nterms > 0 &&
		abst_lexeme_cmp(writer->lexeme, writer->lexeme_len, lexeme, len) >= 0)
		elog(ERROR, "term \"%.*s\" is out of order", len, lexeme);

	writer->in_term = true;
	memcpy(writer->lexeme, lexeme, len);
	writer->lexeme_len = len;
	writer->df = 0;
	writer->cf = 0;
	writer->n = 0;
	writer->nblocks = 0;
	writer->block_previous = ABST_CODEC_NO_DOCID;
	abst_front_init(&writer->list_front);
}

void
abst_writer_put_term(AbstSegmentWriter *writer, AbstDictEntry *entry)
{
	uint8		payload[ABST_DICT_ENTRY_MAX];
	int			nbytes;

	if (entry->form == ABST_FORM_DIRECTORY)
	{
		entry->page = writer->run_page;
		entry->offset = writer->run_slot;
	}
	nbytes = abst_dict_entry_put(payload, entry);
	abst_dict_writer_add(writer, writer->lexeme, writer->lexeme_len, payload,
						 nbytes);
	writer->nterms++;
	writer->npostings += entry->df;
}

/*
 * End the current term, if there is one: last block, foot, dictionary entry.
 * A term without a posting leaves no trace.
 */
void
abst_writer_flush_term(AbstSegmentWriter *writer)
{
	AbstDictEntry entry;
	uint8		inlined[ABST_INLINE_MAX_BYTES];

	if (!writer->in_term)
		return;
	writer->in_term = false;
	if (writer->df == 0)
		return;

	memset(&entry, 0, sizeof(entry));
	entry.df = writer->df;
	entry.cf = writer->cf;
	if (writer->df <= ABST_INLINE_MAX_DF)
	{
		entry.inline_len = abst_inline_encode(inlined, sizeof(inlined),
											  writer->docids,
											  writer->post_codes, writer->n);
		entry.inline_bytes = inlined;
	}

	if (entry.inline_len > 0)
		entry.form = ABST_FORM_INLINE;
	else if (writer->nblocks == 0)
	{
		AbstFront	front;
		uint16		unused;

		entry.form = ABST_FORM_BLOCK;
		write_block(writer, &front, &entry.page, &entry.offset, &unused);
	}
	else
	{
		entry.form = ABST_FORM_DIRECTORY;
		write_directory_block(writer);
		write_foot(writer);
	}
	if (writer->part != NULL)
		abst_part_put_term(writer, &entry);
	else
		abst_writer_put_term(writer, &entry);
}
