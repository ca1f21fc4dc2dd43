/*-------------------------------------------------------------------------
 *
 * codec.c
 *		Numbers to bytes and back: varints and blocks of postings.
 *
 * See codec.h for the layout.  The four lanes are unpacked with the
 * compiler's vector type, which is one register on every machine with 128-bit
 * vectors (SSE2 and NEON are the baseline of theirs) and plain words
 * elsewhere; compilers without that type take the path of one number at a
 * time.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "index/codec.h"
#include "port/pg_bitutils.h"
#include "port/pg_bswap.h"

#if defined(__GNUC__) && !defined(ABST_NO_VECTORS)
#define ABST_VECTORS
#endif

#define EXCEPTION_WIDTH 8		/* bits that an exception adds */

/* Bits needed for a number. */
static inline int
width_of(uint32 value)
{
	return value == 0 ? 0 : pg_leftmost_one_pos32(value) + 1;
}

static inline uint32
low_mask(int width)
{
	return width >= 32 ? PG_UINT32_MAX : (((uint32) 1) << width) - 1;
}

/*
 * A varint of more than one byte.
 */
const uint8 *
abst_varint_get_slow(const uint8 *p, const uint8 *end, uint64 *value)
{
	uint64		result = 0;

	for (int shift = 0; p < end && shift < 64; shift += 7)
	{
		uint8		byte = *p++;

		if (shift == 63 && byte > 1)
			return NULL;
		result |= ((uint64) (byte & 0x7F)) << shift;
		if (byte < 0x80)
		{
			*value = result;
			return p;
		}
	}
	return NULL;
}

/* ---- four lanes ---- */

static void
pack_lanes(uint8 *out, const uint32 *values, int width)
{
	uint32		words[32 * 4];
	uint32		mask = low_mask(width);

	memset(words, 0, sizeof(uint32) * 4 * width);
	for (int i = 0; i < ABST_CODEC_BLOCK; i++)
	{
		int			lane = i % 4;
		int			bit = (i / 4) * width;
		int			word = bit / 32;
		int			shift = bit % 32;
		uint32		value = values[i] & mask;

		words[word * 4 + lane] |= value << shift;
		if (shift + width > 32)
			words[(word + 1) * 4 + lane] |= value >> (32 - shift);
	}
	memcpy(out, words, sizeof(uint32) * 4 * width);
}

void
abst_unpack_plain(const uint8 *in, uint32 *values, int width)
{
	uint32		words[32 * 4];
	uint32		mask = low_mask(width);

	if (width == 0)
	{
		memset(values, 0, sizeof(uint32) * ABST_CODEC_BLOCK);
		return;
	}
	memcpy(words, in, sizeof(uint32) * 4 * width);
	for (int i = 0; i < ABST_CODEC_BLOCK; i++)
	{
		int			lane = i % 4;
		int			bit = (i / 4) * width;
		int			word = bit / 32;
		int			shift = bit % 32;
		uint32		value = words[word * 4 + lane] >> shift;

		if (shift + width > 32)
			value |= words[(word + 1) * 4 + lane] << (32 - shift);
		values[i] = value & mask;
	}
}

#ifdef ABST_VECTORS

#define FOUR_LANES		__attribute__((vector_size(16)))
#define ANYWHERE		__attribute__((aligned(1), may_alias))

typedef FOUR_LANES uint32 v4u;

/* The same without an alignment. */
typedef FOUR_LANES ANYWHERE uint32 v4u_any;

#if defined(__clang__) || __GNUC__ >= 12
#define SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (v4u) {i, j, k, l})
#endif

#if defined(__clang__)
#define FOR_EACH_ROW(row) \
	_Pragma("clang loop unroll(full)") \
	for (int row = 0; row < 32; row++)
#else
#define FOR_EACH_ROW(row) \
	_Pragma("GCC unroll 32") \
	for (int row = 0; row < 32; row++)
#endif

/*
 * With a constant width, all shifts are constants once this is inlined.
 */
static pg_attribute_always_inline void
unpack_rows(const uint8 *in, uint32 *values, const int width)
{
	const v4u_any *words = (const v4u_any *) in;
	v4u_any    *out = (v4u_any *) values;
	const v4u	mask = (v4u) {0} +low_mask(width);

	FOR_EACH_ROW(row)
	{
		const int	word = row * width / 32;
		const int	shift = row * width % 32;
		v4u			value = words[word] >> shift;

		if (shift + width > 32)
			value |= words[word + 1] << (32 - shift);
		if (shift + width != 32)
			value &= mask;
		out[row] = value;
	}
}

#define UNPACK(width) \
	case width: \
		unpack_rows(in, values, width); \
		break

static void
unpack_lanes(const uint8 *in, uint32 *values, int width)
{
	switch (width)
	{
		case 0:
			memset(values, 0, sizeof(uint32) * ABST_CODEC_BLOCK);
			break;
			UNPACK(1);
			UNPACK(2);
			UNPACK(3);
			UNPACK(4);
			UNPACK(5);
			UNPACK(6);
			UNPACK(7);
			UNPACK(8);
			UNPACK(9);
			UNPACK(10);
			UNPACK(11);
			UNPACK(12);
			UNPACK(13);
			UNPACK(14);
			UNPACK(15);
			UNPACK(16);
			UNPACK(17);
			UNPACK(18);
			UNPACK(19);
			UNPACK(20);
			UNPACK(21);
			UNPACK(22);
			UNPACK(23);
			UNPACK(24);
			UNPACK(25);
			UNPACK(26);
			UNPACK(27);
			UNPACK(28);
			UNPACK(29);
			UNPACK(30);
			UNPACK(31);
		default:
			memcpy(values, in, sizeof(uint32) * ABST_CODEC_BLOCK);
			break;
	}
}

/*
 * Deltas of a full block to docids, in place.
 */
static void
sum_lanes(uint32 *values, uint32 previous)
{
	v4u_any    *rows = (v4u_any *) values;
	const v4u	zero = {0};
	const v4u	steps = {1, 2, 3, 4};
	v4u			carry = (v4u) {0} +previous;

	for (int row = 0; row < 32; row++)
	{
		v4u			sum = rows[row];

		sum += SHUFFLE(sum, zero, 4, 0, 1, 2);
		sum += SHUFFLE(sum, zero, 4, 4, 0, 1);
		sum += steps;
		sum += carry;
		rows[row] = sum;
		carry = SHUFFLE(sum, sum, 3, 3, 3, 3);
	}
}

/*
 * Is any number of a full block above a limit?  All are below 2^31, so what
 * is above gives a difference with the highest bit set.
 */
static bool
any_above(const uint32 *values, uint32 limit)
{
	const v4u_any *rows = (const v4u_any *) values;
	const v4u	limits = (v4u) {0} +limit;
	v4u			seen = {0};

	for (int row = 0; row < 32; row++)
		seen |= limits - rows[row];
	return ((seen[0] | seen[1] | seen[2] | seen[3]) >> 31) != 0;
}

#else							/* !ABST_VECTORS */

#define unpack_lanes(in, values, width) abst_unpack_plain(in, values, width)

#endif							/* ABST_VECTORS */

static void
sum_plain(uint32 *values, int n, uint32 previous)
{
	for (int i = 0; i < n; i++)
	{
		previous += values[i] + 1;
		values[i] = previous;
	}
}

/* ---- one stream of bits ---- */

static void
pack_stream(uint8 *out, const uint32 *values, int n, int width)
{
	uint32		mask = low_mask(width);
	uint64		pool = 0;
	int			filled = 0;

	for (int i = 0; i < n; i++)
	{
		pool |= ((uint64) (values[i] & mask)) << filled;
		filled += width;
		while (filled >= 8)
		{
			*out++ = (uint8) pool;
			pool >>= 8;
			filled -= 8;
		}
	}
	if (filled > 0)
		*out = (uint8) pool;
}

static void
unpack_stream(const uint8 *in, uint32 *values, int n, int width)
{
	uint8		padded[ABST_CODEC_BLOCK * 4 + 8];
	uint32		mask = low_mask(width);
	int			nbytes = abst_packed_bytes(n, width);

	/* the copy lets every number be had by one load of eight bytes */
	memcpy(padded, in, nbytes);
	memset(padded + nbytes, 0, 8);
	for (uint32 i = 0, bit = 0; i < (uint32) n; i++, bit += width)
	{
		uint64		word;

		memcpy(&word, padded + bit / 8, sizeof(word));
#ifdef WORDS_BIGENDIAN
		word = pg_bswap64(word);
#endif
		values[i] = ((uint32) (word >> (bit % 8))) & mask;
	}
}

/* ---- packing of n numbers ---- */

int
abst_packed_bytes(int n, int width)
{
	return (n * width + 7) / 8;
}

void
abst_pack(uint8 *out, const uint32 *values, int n, int width)
{
	if (n == ABST_CODEC_BLOCK)
		pack_lanes(out, values, width);
	else
		pack_stream(out, values, n, width);
}

void
abst_unpack(const uint8 *in, uint32 *values, int n, int width)
{
	if (n == ABST_CODEC_BLOCK)
		unpack_lanes(in, values, width);
	else
		unpack_stream(in, values, n, width);
}

/* ---- exceptions ---- */

/*
 * The width with which n numbers take the least room, and the exceptions that
 * it makes.
 */
static int
choose_width(const uint32 *values, int n, int *exceptions)
{
	int			count[33] = {0};
	int			widest = 0;
	int			best;
	int			best_bytes;
	int			above = 0;

	for (int i = 0; i < n; i++)
	{
		int			width = width_of(values[i]);

		count[width]++;
		widest = Max(widest, width);
	}

	best = widest;
	best_bytes = abst_packed_bytes(n, widest);
	*exceptions = 0;
	for (int width = widest - 1; width >= Max(0, widest - 8); width--)
	{
		int			bytes;

		above += count[width + 1];
		if (above > ABST_CODEC_EXCEPTIONS)
			break;
		bytes = abst_packed_bytes(n, width) + 2 * above;
		if (bytes < best_bytes)
		{
			best = width;
			best_bytes = bytes;
			*exceptions = above;
		}
	}
	return best;
}

/*
 * Pack numbers, then their exceptions.  Returns the byte after them.
 */
static uint8 *
put_numbers(uint8 *out, const uint32 *values, int n, int width)
{
	abst_pack(out, values, n, width);
	out += abst_packed_bytes(n, width);
	if (width < 32)
	{
		for (int i = 0; i < n; i++)
		{
			if (values[i] >> width != 0)
			{
				*out++ = (uint8) i;
				*out++ = (uint8) (values[i] >> width);
			}
		}
	}
	return out;
}

/*
 * The reverse, for "exceptions" exceptions.  False if one is out of place.
 */
static inline bool
get_numbers(const uint8 *in, uint32 *values, int n, int width, int exceptions)
{
	abst_unpack(in, values, n, width);
	in += abst_packed_bytes(n, width);
	for (int i = 0; i < exceptions; i++, in += 2)
	{
		if (in[0] >= n)
			return false;
		values[in[0]] |= ((uint32) in[1]) << width;
	}
	return true;
}

/* ---- blocks ---- */

int
abst_block_encode(uint8 *out, const AbstBlockInput *input)
{
	int			n = input->n;
	uint32		previous = input->previous;
	uint32		deltas[ABST_CODEC_BLOCK];
	int			doc_exceptions;
	int			code_exceptions;
	int			doc_width;
	int			code_width;
	uint32		head;
	uint8	   *p = out;

	Assert(n > 0 && n <= ABST_CODEC_BLOCK);
	Assert(input->nbounds >= 0 && input->nbounds <= ABST_CODEC_BOUNDS);

	for (int i = 0; i < n; i++)
	{
		deltas[i] = input->docids[i] - previous - 1;
		previous = input->docids[i];
	}
	doc_width = choose_width(deltas, n, &doc_exceptions);
	code_width = choose_width(input->codes, n, &code_exceptions);

	head = (uint32) (n - 1) | (uint32) doc_width << 7 |
		(uint32) code_width << 13 | (uint32) input->nbounds << 19 |
		(uint32) doc_exceptions << 23 | (uint32) code_exceptions << 27;
	memcpy(p, &head, sizeof(head));
	p += sizeof(head);
	memcpy(p, input->bounds, input->nbounds * 4);
	p += input->nbounds * 4;
	p = put_numbers(p, deltas, n, doc_width);
	p = put_numbers(p, input->codes, n, code_width);
	return (int) (p - out);
}

/*
 * What codes may be at most, from their width and exceptions.
 */
static inline uint32
code_limit(const uint8 *p, const AbstBlockHead *head)
{
	uint32		limit = low_mask(head->code_width);

	p += head->nbytes - 2 * head->code_exceptions;
	for (int i = 0; i < head->code_exceptions; i++, p += 2)
		limit |= ((uint32) p[1]) << head->code_width;
	return limit;
}

bool
abst_block_head(const uint8 *p, const uint8 *end, AbstBlockHead *head)
{
	uint32		bits;

	if (end - p < (ptrdiff_t) sizeof(bits))
		return false;
	memcpy(&bits, p, sizeof(bits));
	head->n = (int) (bits & 0x7F) + 1;
	head->doc_width = (bits >> 7) & 0x3F;
	head->code_width = (bits >> 13) & 0x3F;
	head->nbounds = (bits >> 19) & 0x0F;
	head->doc_exceptions = (bits >> 23) & 0x0F;
	head->code_exceptions = (bits >> 27) & 0x0F;
	if (bits >> 31 != 0 || head->doc_width > 32 || head->code_width > 32 ||
		head->nbounds > ABST_CODEC_BOUNDS ||
		(head->doc_exceptions > 0 && head->doc_width > 31) ||
		(head->code_exceptions > 0 && head->code_width > 31))
		return false;
	head->nbytes = 4 + head->nbounds * 4 +
		abst_packed_bytes(head->n, head->doc_width) +
		2 * head->doc_exceptions +
		abst_packed_bytes(head->n, head->code_width) +
		2 * head->code_exceptions;
	if (head->nbytes > end - p)
		return false;
	head->code_limit = code_limit(p, head);
	return true;
}

/*
 * Docids must increase and stay below the limit.  Where the deltas are so
 * narrow that their sum cannot wrap, the last one tells.
 */
static inline bool
docids_hold(const uint32 *docids, const AbstBlockHead *head,
			const AbstBlockLimits *limits)
{
	int			width = head->doc_width +
	(head->doc_exceptions > 0 ? EXCEPTION_WIDTH : 0);
	uint32		previous = limits->previous;

	if (docids[head->n - 1] >= limits->maxdoc)
		return false;
	if (width <= 23)
		return true;
	for (int i = 0; i < head->n; i++)
	{
		if (docids[i] >= limits->maxdoc ||
			(previous != ABST_CODEC_NO_DOCID && docids[i] <= previous))
			return false;
		previous = docids[i];
	}
	return true;
}

/*
 * Codes must stay below the limit, which is sure if what they may be at most
 * does.
 */
static inline bool
codes_hold(const uint32 *codes, const AbstBlockHead *head,
		   const AbstBlockLimits *limits)
{
	uint32		bad = 0;

	if (head->code_limit < limits->ncodes)
		return true;
#ifdef ABST_VECTORS
	if (head->n == ABST_CODEC_BLOCK && head->code_limit <= PG_INT32_MAX &&
		limits->ncodes <= PG_INT32_MAX)
		return !any_above(codes, limits->ncodes - 1);
#endif
	for (int i = 0; i < head->n; i++)
		bad |= (codes[i] >= limits->ncodes);
	return bad == 0;
}

bool
abst_block_decode(const uint8 *p, const AbstBlockHead *head,
				  const AbstBlockLimits *limits, uint32 *docids, uint32 *codes)
{
	p += 4 + head->nbounds * 4;
	if (!get_numbers(p, docids, head->n, head->doc_width,
					 head->doc_exceptions))
		return false;
#ifdef ABST_VECTORS
	if (head->n == ABST_CODEC_BLOCK)
		sum_lanes(docids, limits->previous);
	else
#endif
		sum_plain(docids, head->n, limits->previous);

	p += abst_packed_bytes(head->n, head->doc_width) +
		2 * head->doc_exceptions;
	if (!get_numbers(p, codes, head->n, head->code_width,
					 head->code_exceptions))
		return false;
	return docids_hold(docids, head, limits) &&
		codes_hold(codes, head, limits);
}

/* ---- a few postings in a dictionary entry ---- */

int
abst_inline_encode(uint8 *out, int room, const uint32 *docids,
				   const uint32 *codes, int n)
{
	uint8		buffer[2 * ABST_VARINT_MAX];
	uint32		previous = ABST_CODEC_NO_DOCID;
	int			used = 0;

	for (int i = 0; i < n; i++)
	{
		uint8	   *p = buffer;
		uint32		delta = docids[i] - previous - 1;

		p = abst_varint_put(p, ((uint64) delta) * 2 + (codes[i] != 0));
		if (codes[i] != 0)
			p = abst_varint_put(p, codes[i]);
		if (used + (p - buffer) > room)
			return 0;
		memcpy(out + used, buffer, p - buffer);
		used += p - buffer;
		previous = docids[i];
	}
	return used;
}

bool
abst_inline_decode(const uint8 *in, int nbytes, const AbstBlockLimits *limits,
				   int n, uint32 *docids, uint32 *codes)
{
	const uint8 *end = in + nbytes;
	uint64		next = 0;		/* the smallest docid that may follow */

	for (int i = 0; i < n; i++)
	{
		uint64		value;

		in = abst_varint_get(in, end, &value);
		if (in == NULL || value / 2 >= limits->maxdoc)
			return false;
		next += value / 2;
		if (next >= limits->maxdoc)
			return false;
		docids[i] = (uint32) next++;
		codes[i] = 0;
		if (value % 2 == 1)
		{
			in = abst_varint_get32(in, end, &codes[i]);
			if (in == NULL)
				return false;
		}
		if (codes[i] >= limits->ncodes)
			return false;
	}
	return in == end;
}
