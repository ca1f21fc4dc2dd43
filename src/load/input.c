/*-------------------------------------------------------------------------
 *
 * input.c
 *		Bytes of any origin to clean text: valid UTF-8, LF line ends, no NUL,
 *		no byte order mark.
 *
 * A file without a mark is taken as UTF-8.  If a byte is not UTF-8 and no
 * character beyond ASCII was valid so far, the file is one of Windows-1252
 * (Latin-1): such bytes are read as that.  In a file that has shown valid
 * UTF-8 a bad byte becomes U+FFFD.  Every change is counted.
 *
 * Memory: one chunk of raw bytes, and what a reader has asked to look ahead.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "load/record.h"

const char *const abst_repair_names[ABST_NREPAIRS] = {
	"byte order mark", "UTF-16", "Windows-1252 character",
	"invalid UTF-8 byte", "NUL", "JSON literal or control character",
	"stray quote", "unclosed end of file"
};

#define CHUNK 65536

/* Windows-1252's 0x80..0x9F; the five holes are the C1 characters. */
static const uint16 cp1252[32] = {
	0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
	0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
	0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
	0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178
};

AbstInput *
abst_input_begin(AbstReadBytes read, void *arg, AbstEncoding encoding)
{
	AbstInput  *in = palloc0(sizeof(AbstInput));

	in->read = read;
	in->arg = arg;
	in->encoding = encoding;
	in->raw = palloc(CHUNK);
	in->line = 1;
	initStringInfo(&in->text);
	return in;
}

void
abst_input_end(AbstInput *in)
{
	pfree(in->raw);
	pfree(in->text.data);
	pfree(in);
}

/* Move what is left to the front and fill up the chunk. */
static void
fill(AbstInput *in)
{
	memmove(in->raw, in->raw + in->rawpos, in->rawlen - in->rawpos);
	in->rawlen -= in->rawpos;
	in->rawpos = 0;
	while (!in->eof && in->rawlen < CHUNK)
	{
		size_t		n = in->read(in->arg, (char *) in->raw + in->rawlen,
								 CHUNK - in->rawlen);

		if (n == 0)
			in->eof = true;
		in->rawlen += (int) n;
	}
}

void
abst_append_utf8(StringInfo out, uint32 code)
{
	unsigned char utf8[4];
	int			n = 0;

	if (code < 0x80)
		utf8[n++] = (unsigned char) code;
	else
	{
		if (code < 0x800)
			utf8[n++] = 0xC0 | (code >> 6);
		else
		{
			if (code < 0x10000)
				utf8[n++] = 0xE0 | (code >> 12);
			else
			{
				utf8[n++] = 0xF0 | (code >> 18);
				utf8[n++] = 0x80 | ((code >> 12) & 0x3F);
			}
			utf8[n++] = 0x80 | ((code >> 6) & 0x3F);
		}
		utf8[n++] = 0x80 | (code & 0x3F);
	}
	appendBinaryStringInfo(out, (char *) utf8, n);
}

static void
append_code(AbstInput *in, uint32 code)
{
	if (code == 0)
		in->repairs[ABST_REPAIR_NUL]++;
	else
		abst_append_utf8(&in->text, code);
}

/* Append a line end; CR, LF and CR LF are one each. */
static void
append_break(AbstInput *in, bool cr)
{
	if (cr || !in->last_cr)
		appendStringInfoChar(&in->text, '\n');
	in->last_cr = cr;
}

static void
append_1252(AbstInput *in, unsigned char c)
{
	append_code(in, c < 0xA0 ? cp1252[c - 0x80] : c);
	in->repairs[ABST_REPAIR_LATIN1]++;
}

/* Length that a first byte beyond ASCII announces, 1 for a wrong one. */
static int
announced(unsigned char c)
{
	return c < 0xC2 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 1;
}

/* Length of the valid character beyond ASCII at "s", 0 if there is none. */
static int
valid_char(const unsigned char *s, int avail)
{
	int			len = announced(*s);
	int			i;

	if (len == 1 || len > avail)
		return 0;
	for (i = 1; i < len; i++)
	{
		if ((s[i] & 0xC0) != 0x80)
			return 0;
	}
	/* too long a form, surrogates, beyond U+10FFFF */
	if ((*s == 0xE0 && s[1] < 0xA0) || (*s == 0xED && s[1] > 0x9F) ||
		(*s == 0xF0 && s[1] < 0x90) || (*s == 0xF4 && s[1] > 0x8F))
		return 0;
	return len;
}

/* Does the undecoded chunk hold a valid character beyond ASCII? */
static bool
chunk_has_utf8(AbstInput *in)
{
	int			i;

	for (i = in->rawpos; i < in->rawlen; i++)
	{
		if (in->raw[i] >= 0x80 && valid_char(in->raw + i, in->rawlen - i) > 0)
			return true;
	}
	return false;
}

/* Decode the chunk but for a character that may go on in the next. */
static void
decode_bytes(AbstInput *in)
{
	while (in->rawpos < in->rawlen)
	{
		const unsigned char *s = in->raw + in->rawpos;
		int			avail = in->rawlen - in->rawpos;
		int			n = 0;

		/* a run of plain bytes at once */
		while (n < avail && s[n] < 0x80 && s[n] >= ' ')
			n++;
		if (n > 0)
		{
			appendBinaryStringInfo(&in->text, (const char *) s, n);
			in->last_cr = false;
		}
		else if (*s == '\n' || *s == '\r')
		{
			append_break(in, *s == '\r');
			n = 1;
		}
		else if (*s < 0x80)
		{
			append_code(in, *s);
			in->last_cr = false;
			n = 1;
		}
		else
		{
			in->last_cr = false;
			if (in->encoding == ABST_ENC_LATIN1)
			{
				append_1252(in, *s);
				n = 1;
			}
			else if ((n = valid_char(s, avail)) > 0)
			{
				appendBinaryStringInfo(&in->text, (const char *) s, n);
				in->multibyte = true;
			}
			else if (!in->eof && announced(*s) > avail)
				return;
			else
			{
				n = 1;
				if (!in->multibyte && chunk_has_utf8(in))
					in->multibyte = true;
				if (in->multibyte || in->encoding == ABST_ENC_UTF8)
				{
					append_code(in, 0xFFFD);
					in->repairs[ABST_REPAIR_UTF8]++;
				}
				else
					append_1252(in, *s);
			}
		}
		in->rawpos += n;
	}
}

static void
decode_utf16(AbstInput *in)
{
	bool		big = in->encoding == ABST_ENC_UTF16BE;

	while (in->rawlen - in->rawpos >= 2)
	{
		const unsigned char *s = in->raw + in->rawpos;
		uint32		code = big ? (s[0] << 8) | s[1] : (s[1] << 8) | s[0];
		int			n = 2;

		if (code >= 0xD800 && code < 0xDC00)
		{
			uint32		low = 0;

			if (in->rawlen - in->rawpos < 4 && !in->eof)
				return;
			if (in->rawlen - in->rawpos >= 4)
				low = big ? (s[2] << 8) | s[3] : (s[3] << 8) | s[2];
			if (low >= 0xDC00 && low < 0xE000)
			{
				code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
				n = 4;
			}
		}
		if (code == '\n' || code == '\r')
			append_break(in, code == '\r');
		else
		{
			in->last_cr = false;
			if (code >= 0xD800 && code < 0xE000)
			{
				code = 0xFFFD;
				in->repairs[ABST_REPAIR_UTF8]++;
			}
			append_code(in, code);
		}
		in->rawpos += n;
	}
	if (in->eof && in->rawpos < in->rawlen)
	{
		in->rawpos = in->rawlen;	/* half a unit */
		in->repairs[ABST_REPAIR_UTF8]++;
	}
}

/* Look for a byte order mark, or for UTF-16 without one. */
static void
start(AbstInput *in)
{
	const unsigned char *s = in->raw;
	int			i;
	int			zero[2] = {0, 0};

	in->started = true;
	memcpy(in->magic, s, Min(in->rawlen, (int) sizeof(in->magic)));
	if (in->rawlen >= 3 && memcmp(s, "\xEF\xBB\xBF", 3) == 0)
	{
		in->rawpos = 3;
		in->repairs[ABST_REPAIR_BOM]++;
		return;
	}
	if (in->encoding != ABST_ENC_AUTO || in->rawlen < 4)
		return;
	if ((s[0] == 0xFF && s[1] == 0xFE) || (s[0] == 0xFE && s[1] == 0xFF))
	{
		in->encoding = s[0] == 0xFF ? ABST_ENC_UTF16LE : ABST_ENC_UTF16BE;
		in->rawpos = 2;
		in->repairs[ABST_REPAIR_BOM]++;
		in->repairs[ABST_REPAIR_UTF16]++;
		return;
	}

	/* mostly ASCII in 16 bits: every second byte is zero */
	for (i = 0; i < in->rawlen && i < 1024; i++)
		zero[i & 1] += s[i] == 0;
	if (Max(zero[0], zero[1]) * 5 > i * 2 && Min(zero[0], zero[1]) * 20 < i)
	{
		in->encoding = zero[1] > zero[0] ? ABST_ENC_UTF16LE : ABST_ENC_UTF16BE;
		in->repairs[ABST_REPAIR_UTF16]++;
	}
}

int
abst_input_need(AbstInput *in, int n)
{
	while (in->text.len - in->pos < n)
	{
		CHECK_FOR_INTERRUPTS();
		if (in->eof && in->rawpos == in->rawlen)
			break;

		/* consumed text goes once it is worth the move */
		if (in->pos >= CHUNK || in->pos == in->text.len)
		{
			in->text.len -= in->pos;
			memmove(in->text.data, in->text.data + in->pos, in->text.len);
			in->text.data[in->text.len] = '\0';
			in->pos = 0;
		}
		fill(in);
		if (!in->started)
			start(in);
		if (in->encoding == ABST_ENC_UTF16LE ||
			in->encoding == ABST_ENC_UTF16BE)
			decode_utf16(in);
		else
			decode_bytes(in);
	}
	return in->text.len - in->pos;
}

void
abst_input_skip(AbstInput *in, int n)
{
	const char *at = abst_input_at(in);
	const char *end = at + n;

	while ((at = memchr(at, '\n', end - at)) != NULL)
	{
		in->line++;
		at++;
	}
	in->pos += n;
}

bool
abst_input_line(AbstInput *in, StringInfo line, bool *overlong)
{
	bool		any = false;

	resetStringInfo(line);
	*overlong = false;
	for (;;)
	{
		int			avail = abst_input_need(in, 1);
		const char *at = abst_input_at(in);
		const char *end;
		int			n;
		int			room = ABST_RECORD_MAX - line->len;

		if (avail == 0)
			return any;
		any = true;
		end = memchr(at, '\n', avail);
		n = end ? (int) (end - at) : avail;
		appendBinaryStringInfo(line, at, Min(n, room));
		if (n > room)
			*overlong = true;
		abst_input_skip(in, end ? n + 1 : n);
		if (end)
			return true;
	}
}
