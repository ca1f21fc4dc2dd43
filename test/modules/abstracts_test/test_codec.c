/*-------------------------------------------------------------------------
 *
 * test_codec.c
 *		Round trips and noise through the codec; rounding of bounds.
 *
 *-------------------------------------------------------------------------
 */
#include "abstracts_test.h"

PG_FUNCTION_INFO_V1(test_codec);
PG_FUNCTION_INFO_V1(test_codec_noise);
PG_FUNCTION_INFO_V1(test_bounds);

/* A number of about so many bits, its extremes often. */
static uint32
random_of_width(Random *random, int width)
{
	uint32		mask = width >= 32 ? PG_UINT32_MAX : (((uint32) 1) << width) - 1;

	switch (random_below(random, 8))
	{
		case 0:
			return 0;
		case 1:
			return mask;
		default:
			return (uint32) random_bits(random) & mask;
	}
}

static int64
check_varints(Random *random)
{
	uint8		bytes[ABST_VARINT_MAX + 1];

	for (int width = 0; width <= 64; width++)
	{
		uint64		value = width == 0 ? 0 : random_bits(random) >> (64 - width);
		uint64		back;
		uint8	   *end = abst_varint_put(bytes, value);

		EXPECT(end - bytes <= ABST_VARINT_MAX);
		EXPECT(abst_varint_get(bytes, end, &back) == end && back == value);
		EXPECT(abst_varint_get(bytes, end - 1, &back) == NULL);
	}
	memset(bytes, 0xFF, sizeof(bytes));
	{
		uint64		back;

		EXPECT(abst_varint_get(bytes, bytes + sizeof(bytes), &back) == NULL);
	}
	return 65;
}

/*
 * Every width, every count, with the buffer ending where the numbers do: a
 * byte too many read is found by running this under valgrind or asan.
 */
static int64
check_packing(Random *random)
{
	uint32		values[ABST_CODEC_BLOCK];
	uint32		back[ABST_CODEC_BLOCK];
	int64		compared = 0;

	for (int width = 0; width <= 32; width++)
	{
		for (int n = 1; n <= ABST_CODEC_BLOCK; n++)
		{
			int			nbytes = abst_packed_bytes(n, width);
			uint8	   *bytes = palloc(nbytes + 1);

			bytes[nbytes] = 0xA5;
			for (int i = 0; i < n; i++)
				values[i] = random_of_width(random, width);
			abst_pack(bytes, values, n, width);
			EXPECT(bytes[nbytes] == 0xA5);
			memset(back, 0x5A, sizeof(back));
			abst_unpack(bytes, back, n, width);
			EXPECT(memcmp(values, back, n * sizeof(uint32)) == 0);
			if (n == ABST_CODEC_BLOCK)
			{
				abst_unpack_plain(bytes, back, width);
				EXPECT(memcmp(values, back, n * sizeof(uint32)) == 0);
			}
			pfree(bytes);
			compared += n;
		}
	}
	return compared;
}

static int64
check_block(Random *random, int n, int doc_width, int code_width)
{
	uint32		docids[ABST_CODEC_BLOCK];
	uint32		codes[ABST_CODEC_BLOCK];
	uint32		docids_back[ABST_CODEC_BLOCK];
	uint32		codes_back[ABST_CODEC_BLOCK];
	uint32		bounds[ABST_CODEC_BOUNDS];
	uint8		bytes[ABST_CODEC_MAX_BYTES];
	int			nbounds = random_below(random, ABST_CODEC_BOUNDS + 1);
	int			outliers = random_below(random, 4) * random_below(random, 8);
	uint32		previous;
	uint64		next;
	uint32		ncodes = 1;
	AbstBlockHead head;
	AbstBlockLimits limits;
	int			nbytes;

	previous = random_below(random, 2) == 0 ? ABST_CODEC_NO_DOCID :
		random_below(random, 1000);
	next = (uint32) (previous + 1);
	for (int i = 0; i < n; i++)
	{
		uint32		delta = random_of_width(random, doc_width);

		codes[i] = random_of_width(random, code_width);
		if ((int) random_below(random, n) < outliers)
		{
			delta = random_of_width(random, Min(doc_width + 7, 31));
			codes[i] = random_of_width(random, Min(code_width + 9, 31));
		}
		next += delta;
		if (next >= ABST_MAX_DOCS - ABST_CODEC_BLOCK)
			next -= delta;
		docids[i] = (uint32) next++;
		ncodes = Max(ncodes, codes[i] + 1);
	}
	for (int i = 0; i < nbounds; i++)
		bounds[i] = (uint32) random_bits(random);

	limits.previous = previous;
	limits.maxdoc = docids[n - 1] + 1;
	limits.ncodes = ncodes;
	nbytes = abst_block_encode(bytes, previous, docids, codes, n, bounds, nbounds);
	EXPECT(nbytes <= ABST_CODEC_MAX_BYTES);
	EXPECT(abst_block_head(bytes, bytes + nbytes, &head));
	EXPECT(head.n == n && head.nbounds == nbounds && head.nbytes == nbytes);
	EXPECT(!abst_block_head(bytes, bytes + nbytes - 1, &head));
	EXPECT(memcmp(abst_block_bounds(bytes), bounds, nbounds * 4) == 0);
	EXPECT(abst_block_decode(bytes, &head, &limits, docids_back, codes_back));
	EXPECT(memcmp(docids, docids_back, n * sizeof(uint32)) == 0);
	EXPECT(memcmp(codes, codes_back, n * sizeof(uint32)) == 0);

	/* limits are limits */
	limits.maxdoc--;
	EXPECT(!abst_block_decode(bytes, &head, &limits, docids_back, codes_back));
	limits.maxdoc++;
	limits.ncodes--;
	EXPECT(!abst_block_decode(bytes, &head, &limits, docids_back, codes_back));

	/* the same as an inline list */
	if (n <= ABST_INLINE_MAX_DF && previous == ABST_CODEC_NO_DOCID)
	{
		uint8		small[ABST_INLINE_MAX_BYTES];

		limits.ncodes++;
		nbytes = abst_inline_encode(small, sizeof(small), docids, codes, n);
		if (nbytes > 0)
		{
			EXPECT(abst_inline_decode(small, nbytes, &limits, n, docids_back, codes_back));
			EXPECT(memcmp(docids, docids_back, n * sizeof(uint32)) == 0);
			EXPECT(memcmp(codes, codes_back, n * sizeof(uint32)) == 0);
			EXPECT(!abst_inline_decode(small, nbytes - 1, &limits, n, docids_back, codes_back));
			limits.ncodes--;
			EXPECT(!abst_inline_decode(small, nbytes, &limits, n, docids_back, codes_back));
		}
	}
	return n;
}

Datum
test_codec(PG_FUNCTION_ARGS)
{
	Random		random;
	int			rounds = PG_GETARG_INT32(1);
	int64		compared = 0;

	random_seed(&random, PG_GETARG_INT32(0));
	for (int round = 0; round < rounds; round++)
	{
		CHECK_FOR_INTERRUPTS();
		compared += check_varints(&random);
		compared += check_packing(&random);
		for (int n = 1; n <= ABST_CODEC_BLOCK; n++)
		{
			for (int width = 0; width <= 31; width++)
				compared += check_block(&random, n, width,
										random_below(&random, 32));
		}
	}
	PG_RETURN_INT64(compared);
}

/*
 * Random bytes: whatever a decoder accepts must be within the limits.
 */
Datum
test_codec_noise(PG_FUNCTION_ARGS)
{
	Random		random;
	int			rounds = PG_GETARG_INT32(1);
	int64		refused = 0;

	random_seed(&random, PG_GETARG_INT32(0));
	for (int round = 0; round < rounds; round++)
	{
		uint8		bytes[ABST_CODEC_MAX_BYTES];
		uint32		docids[ABST_CODEC_BLOCK];
		uint32		codes[ABST_CODEC_BLOCK];
		int			nbytes = random_below(&random, sizeof(bytes) + 1);
		AbstBlockHead head;
		AbstBlockLimits limits;

		for (int i = 0; i < nbytes; i++)
			bytes[i] = (uint8) random_bits(&random);
		if (nbytes >= 4 && random_below(&random, 4) != 0)
		{
			/* widths that exist, so that more gets past the head */
			uint32		bits = random_below(&random, 128) |
				random_below(&random, 33) << 7 | random_below(&random, 9) << 13 |
				random_below(&random, 9) << 19 | random_below(&random, 2) << 23;

			memcpy(bytes, &bits, sizeof(bits));
		}
		limits.previous = random_below(&random, 2) == 0 ? ABST_CODEC_NO_DOCID : 100;
		limits.maxdoc = 200 + ((uint32) random_bits(&random) >> random_below(&random, 32)) / 4;
		limits.ncodes = 1 + random_below(&random, 300);
		if (!abst_block_head(bytes, bytes + nbytes, &head) ||
			!abst_block_decode(bytes, &head, &limits, docids, codes))
		{
			refused++;
			continue;
		}
		for (int i = 0; i < head.n; i++)
		{
			EXPECT(docids[i] < limits.maxdoc && codes[i] < limits.ncodes);
			if (i > 0)
				EXPECT(docids[i] > docids[i - 1]);
			else if (limits.previous != ABST_CODEC_NO_DOCID)
				EXPECT(docids[i] > limits.previous);
		}
	}
	PG_RETURN_INT64(refused);
}

/* ---- bounds ---- */

static void
check_front(Random *random)
{
	AbstFront	front;
	AbstBound	points[500];
	int			n = 1 + random_below(random, lengthof(points));
	int			spread = 1 + random_below(random, 3000);
	int			room;

	abst_front_init(&front);
	for (int i = 0; i < n; i++)
	{
		points[i].wtf = 1000 + random_below(random, spread);
		/* mostly longer where more frequent, so that sets grow large */
		points[i].wlen = random_below(random, 2) == 0 ? points[i].wtf :
			random_below(random, 65536);
		abst_front_add(&front, points[i]);
	}
	room = 1 + random_below(random, ABST_FRONT_ROOM);
	for (int pass = 0; pass < 2; pass++)
	{
		EXPECT(front.n >= 1 && front.n <= ABST_FRONT_ROOM);
		for (int i = 1; i < front.n; i++)
			EXPECT(front.points[i].wtf > front.points[i - 1].wtf &&
				   front.points[i].wlen > front.points[i - 1].wlen);
		for (int i = 0; i < n; i++)
		{
			bool		bounded = false;

			for (int j = 0; j < front.n; j++)
				bounded |= front.points[j].wtf >= points[i].wtf &&
					front.points[j].wlen <= points[i].wlen;
			EXPECT(bounded);
		}
		abst_front_thin(&front, room);
		EXPECT(front.n <= room);
	}
}

Datum
test_bounds(PG_FUNCTION_ARGS)
{
	Random		random;
	int			rounds = PG_GETARG_INT32(1);
	const float8 thirds[ABST_NFIELDS] = {1.0 / 3, 0.1, 7.77, 1e6};
	const float8 bad[ABST_NFIELDS] = {1, -1, 1, 1};
	AbstWeighting weighting;
	uint16		before = 0;

	random_seed(&random, PG_GETARG_INT32(0));
	for (int i = 0; i <= 2048; i++)
	{
		EXPECT(abst_bound_value(abst_bound_up(i)) == i);
		EXPECT(abst_bound_value(abst_bound_down(i)) == i);
		EXPECT(i == 0 || abst_bound_up(i) > before);
		before = abst_bound_up(i);
	}
	EXPECT(abst_bound_up(1e-300) == 1 && abst_bound_down(1e-300) == 0);
	EXPECT(abst_bound_up(1e300) == PG_UINT16_MAX);
	EXPECT(!abst_weighting_init(&weighting, bad));
	EXPECT(abst_weighting_init(&weighting, thirds) && !weighting.exact);

	for (int round = 0; round < rounds; round++)
	{
		double		value = (double) random_bits(&random) /
			(double) (UINT64CONST(1) << random_below(&random, 60) << 3);
		AbstTf		tf;
		AbstLengths lengths;
		double		sum = 0;
		double		reverse = 0;
		float4		up;

		value = Min(value, 5e11);
		up = abst_bound_value(abst_bound_up(value));
		EXPECT(up >= value && (value < 1e-7 || up <= value * (1 + 1.0 / 1024)));
		up = abst_bound_value(abst_bound_down(value));
		EXPECT(up <= value && (value < 1e-7 || up >= value * (1 - 1.0 / 1024)));

		/* whatever the order of adding */
		for (int f = 0; f < ABST_NFIELDS; f++)
		{
			tf.field[f] = (uint8) random_below(&random, 256);
			lengths.field[f] = (uint16) random_below(&random, 65536);
		}
		for (int f = 0; f < ABST_NFIELDS; f++)
			sum += thirds[f] * tf.field[f];
		for (int f = ABST_NFIELDS - 1; f >= 0; f--)
			reverse += thirds[f] * tf.field[f];
		EXPECT(abst_bound_value(abst_bound_of_tf(&weighting, tf)) >= Max(sum, reverse));
		sum = reverse = 0;
		for (int f = 0; f < ABST_NFIELDS; f++)
			sum += thirds[f] * lengths.field[f];
		for (int f = ABST_NFIELDS - 1; f >= 0; f--)
			reverse += thirds[f] * lengths.field[f];
		EXPECT(abst_bound_value(abst_bound_of_lengths(&weighting, lengths)) <= Min(sum, reverse));

		if (round % 100 == 0)
		{
			CHECK_FOR_INTERRUPTS();
			check_front(&random);
		}
	}
	PG_RETURN_INT64(rounds);
}
