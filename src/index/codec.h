/*-------------------------------------------------------------------------
 *
 * codec.h
 *		Numbers to bytes and back: varints and blocks of postings.
 *
 * Pure functions on memory: no allocation, no page, no error but by return
 * value.  A decoder never reads past the end it is given, whatever the bytes,
 * and never yields a docid or a code out of the limits it is given.
 *
 * A block holds 1 to 128 postings.  Its head of four bytes tells n - 1 (7
 * bits), the widths of docid deltas and codes (6 each), the number of bounds
 * (4) and of exceptions among deltas and codes (4 each; one bit is unused).
 * Then come the bounds, the packed deltas with their exceptions, the packed
 * codes with theirs.  A delta is docid - previous docid - 1; the previous
 * docid of a block's first posting is given from outside, so every block can
 * be decoded alone.
 *
 * Packing: the low "width" bits of each number.  A full block has four lanes:
 * number i lies in lane i % 4, each lane is a stream of 32-bit words, and the
 * words of the lanes alternate, so that four numbers are unpacked at once.  A
 * shorter block is one stream of bits, low bits first.  A number that needs
 * up to 8 bits more is an exception: a byte with its place, a byte with its
 * high bits.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_INDEX_CODEC_H
#define ABST_INDEX_CODEC_H

#include "compat.h"

#define ABST_CODEC_BLOCK		128
#define ABST_CODEC_BOUNDS		8
#define ABST_CODEC_EXCEPTIONS	15

/* No block is larger: head, bounds, deltas, codes. */
#define ABST_CODEC_MAX_BYTES \
	(4 + ABST_CODEC_BOUNDS * 4 + 2 * (ABST_CODEC_BLOCK * 4))

/* "Previous docid" of the first posting of a list. */
#define ABST_CODEC_NO_DOCID		PG_UINT32_MAX

/* The head of a block, taken apart. */
typedef struct AbstBlockHead
{
	int			n;				/* postings */
	int			doc_width;
	int			code_width;
	int			nbounds;
	int			doc_exceptions;
	int			code_exceptions;
	int			nbytes;			/* the whole block */
	uint32		code_limit;		/* no code is above this */
} AbstBlockHead;

/* What goes into a block. */
typedef struct AbstBlockInput
{
	uint32		previous;		/* docid before the block, or NO_DOCID */
	int			n;				/* postings, 1 to 128 */
	const uint32 *docids;		/* increasing, above "previous" */
	const uint32 *codes;
	int			nbounds;
	const void *bounds;			/* four bytes each, copied as they are */
} AbstBlockInput;

/* What a decoder checks its output against. */
typedef struct AbstBlockLimits
{
	uint32		previous;		/* docid before the block, or NO_DOCID */
	uint32		maxdoc;			/* docids are below, at most 2^31 - 1 */
	uint32		ncodes;			/* codes are below */
} AbstBlockLimits;

/* ---- varints: 7 bits a byte, low bits first ---- */

#define ABST_VARINT_MAX 10

static inline uint8 *
abst_varint_put(uint8 *p, uint64 value)
{
	while (value >= 0x80)
	{
		*p++ = (uint8) (value | 0x80);
		value >>= 7;
	}
	*p++ = (uint8) value;
	return p;
}

/* Returns the byte after the number, NULL if it does not end before "end". */
extern const uint8 *abst_varint_get_slow(const uint8 *p, const uint8 *end,
										 uint64 *value);

static inline const uint8 *
abst_varint_get(const uint8 *p, const uint8 *end, uint64 *value)
{
	if (likely(p < end && *p < 0x80))
	{
		*value = *p;
		return p + 1;
	}
	return abst_varint_get_slow(p, end, value);
}

/* The same for a number that must fit 32 bits. */
static inline const uint8 *
abst_varint_get32(const uint8 *p, const uint8 *end, uint32 *value)
{
	uint64		wide;

	p = abst_varint_get(p, end, &wide);
	if (p == NULL || wide > PG_UINT32_MAX)
		return NULL;
	*value = (uint32) wide;
	return p;
}

/* ---- blocks ---- */

/*
 * Encode a block into "out" (ABST_CODEC_MAX_BYTES of room).  Returns the
 * bytes used.
 */
extern int	abst_block_encode(uint8 *out, const AbstBlockInput *input);

/* Take the head apart; false if the block does not end before "end". */
extern bool abst_block_head(const uint8 *p, const uint8 *end,
							AbstBlockHead *head);

/* Where the bounds of a block stand. */
#define abst_block_bounds(p)	((p) + 4)

/*
 * Decode a block whose head is known.  The arrays have room for 128 numbers.
 * False if the bytes cannot be those of a block within the limits.
 */
extern bool abst_block_decode(const uint8 *p, const AbstBlockHead *head,
							  const AbstBlockLimits *limits,
							  uint32 *docids, uint32 *codes);

/* ---- the packing alone, for tests ---- */

extern int	abst_packed_bytes(int n, int width);
extern void abst_pack(uint8 *out, const uint32 *values, int n, int width);
extern void abst_unpack(const uint8 *in, uint32 *values, int n, int width);

/* A full block, one number at a time: what abst_unpack must agree with. */
extern void abst_unpack_plain(const uint8 *in, uint32 *values, int width);

/* ---- postings of a few documents, in a dictionary entry ---- */

/*
 * Each posting is a varint of delta * 2 + (code != 0), then the code if not
 * 0.  Encoding returns the bytes, or 0 when more than "room" are needed;
 * decoding n postings is false unless they fill exactly "nbytes".
 */
extern int	abst_inline_encode(uint8 *out, int room, const uint32 *docids,
							   const uint32 *codes, int n);
extern bool abst_inline_decode(const uint8 *in, int nbytes,
							   const AbstBlockLimits *limits, int n,
							   uint32 *docids, uint32 *codes);

#endif							/* ABST_INDEX_CODEC_H */
