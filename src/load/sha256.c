/*-------------------------------------------------------------------------
 *
 * sha256.c
 *		SHA-256 (FIPS 180-4), for keys made of a record's content.
 *
 * The core's own needs OpenSSL in client programs; a key must be the same in
 * the server and in the client, on every build.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "load/record.h"

static const uint32 k[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

#define ROTR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))

static void
add_block(AbstSha256 *sha, const uint8 *block)
{
	uint32		w[64];
	uint32		s[8];
	int			i;

	for (i = 0; i < 16; i++)
		w[i] = ((uint32) block[4 * i] << 24) | (block[4 * i + 1] << 16) |
			(block[4 * i + 2] << 8) | block[4 * i + 3];
	for (; i < 64; i++)
	{
		uint32		a = w[i - 15];
		uint32		b = w[i - 2];

		w[i] = w[i - 16] + (ROTR(a, 7) ^ ROTR(a, 18) ^ (a >> 3)) +
			w[i - 7] + (ROTR(b, 17) ^ ROTR(b, 19) ^ (b >> 10));
	}
	memcpy(s, sha->state, sizeof(s));
	for (i = 0; i < 64; i++)
	{
		uint32		t1;
		uint32		t2;

		t1 = s[7] + (ROTR(s[4], 6) ^ ROTR(s[4], 11) ^ ROTR(s[4], 25)) +
			((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
		t2 = (ROTR(s[0], 2) ^ ROTR(s[0], 13) ^ ROTR(s[0], 22)) +
			((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
		memmove(s + 1, s, 7 * sizeof(uint32));
		s[4] += t1;
		s[0] = t1 + t2;
	}
	for (i = 0; i < 8; i++)
		sha->state[i] += s[i];
}

void
abst_sha256_begin(AbstSha256 *sha)
{
	static const uint32 initial[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
	};

	memcpy(sha->state, initial, sizeof(initial));
	sha->nbytes = 0;
}

void
abst_sha256_add(AbstSha256 *sha, const void *data, size_t len)
{
	const uint8 *at = data;

	while (len > 0)
	{
		size_t		used = sha->nbytes % 64;
		size_t		n = Min(64 - used, len);

		memcpy(sha->block + used, at, n);
		sha->nbytes += n;
		if (used + n == 64)
			add_block(sha, sha->block);
		at += n;
		len -= n;
	}
}

void
abst_sha256_end(AbstSha256 *sha, uint8 *digest)
{
	uint64		nbits = sha->nbytes * 8;
	uint8		tail[8];
	int			i;

	for (i = 0; i < 8; i++)
		tail[i] = (uint8) (nbits >> (56 - 8 * i));
	abst_sha256_add(sha, "\x80", 1);
	while (sha->nbytes % 64 != 56)
		abst_sha256_add(sha, "", 1);
	abst_sha256_add(sha, tail, 8);
	for (i = 0; i < 32; i++)
		digest[i] = (uint8) (sha->state[i / 4] >> (24 - 8 * (i % 4)));
}
