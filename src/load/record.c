/*-------------------------------------------------------------------------
 *
 * record.c
 *		The record that every reader fills: values in normal form, the rest
 *		as JSON, and the key that makes a load repeatable.
 *
 * Nothing that a source says is lost: a value without a normal form, and a
 * second value for one field, go to "extra" under the source's own name.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <ctype.h>

#include "load/record.h"

const char *const abst_record_field_names[ABST_REC_NFIELDS] = {
	"key", "title", "abstract", "authors", "year", "venue", "doi", "arxiv",
	"version", "pmid", "url", "keywords", "language", "section", "extra"
};

AbstRecord *
abst_record_make(void)
{
	AbstRecord *record = palloc0(sizeof(AbstRecord));
	int			i;

	for (i = 0; i < ABST_REC_NFIELDS; i++)
		initStringInfo(&record->value[i]);
	initStringInfo(&record->key);
	initStringInfo(&record->reason);
	initStringInfo(&record->raw);
	return record;
}

void
abst_record_free(AbstRecord *record)
{
	int			i;

	for (i = 0; i < ABST_REC_NFIELDS; i++)
		pfree(record->value[i].data);
	pfree(record->key.data);
	pfree(record->reason.data);
	pfree(record->raw.data);
	pfree(record);
}

/* Empty a buffer; one that a huge record has blown up is given back. */
static void
reset_buffer(StringInfo buffer)
{
	if (buffer->maxlen > 1024 * 1024)
	{
		pfree(buffer->data);
		initStringInfo(buffer);
	}
	resetStringInfo(buffer);
}

void
abst_record_reset(AbstRecord *record)
{
	int			i;

	record->kind = ABST_RECORD_GOOD;
	record->line = 0;
	for (i = 0; i < ABST_REC_NFIELDS; i++)
		reset_buffer(&record->value[i]);
	reset_buffer(&record->key);
	reset_buffer(&record->reason);
	reset_buffer(&record->raw);
}

void
abst_record_reject(AbstRecord *record, const char *fmt,...)
{
	record->kind = ABST_RECORD_REJECT;
	resetStringInfo(&record->reason);
	for (;;)
	{
		va_list		args;
		int			needed;

		va_start(args, fmt);
		needed = appendStringInfoVA(&record->reason, fmt, args);
		va_end(args);
		if (needed == 0)
			break;
		enlargeStringInfo(&record->reason, needed);
	}
}

/* Length of the white space at "s": ASCII, U+00A0, U+3000, U+FEFF. */
static int
space_at(const char *s, int len)
{
	const unsigned char *u = (const unsigned char *) s;

	if (len >= 1 && (u[0] == ' ' || (u[0] >= '\t' && u[0] <= '\r')))
		return 1;
	if (len >= 2 && u[0] == 0xC2 && u[1] == 0xA0)
		return 2;
	if (len >= 3 && ((u[0] == 0xE3 && u[1] == 0x80 && u[2] == 0x80) ||
					 (u[0] == 0xEF && u[1] == 0xBB && u[2] == 0xBF)))
		return 3;
	return 0;
}

void
abst_trim(const char **text, int *len)
{
	int			n;

	while ((n = space_at(*text, *len)) > 0)
	{
		*text +=n;
		*len -= n;
	}
	while (*len > 0)
	{
		for (n = 1; n <= 3 && n <= *len; n++)
		{
			if (space_at(*text +*len - n, n) == n)
				break;
		}
		if (n > 3 || n > *len)
			break;
		*len -= n;
	}
}

/* Append text as a JSON string. */
void
abst_append_json(StringInfo out, const char *text, int len)
{
	int			i;

	appendStringInfoChar(out, '"');
	for (i = 0; i < len; i++)
	{
		unsigned char c = (unsigned char) text[i];

		if (c == '"' || c == '\\')
		{
			appendStringInfoChar(out, '\\');
			appendStringInfoChar(out, c);
		}
		else if (c == '\n')
			appendStringInfoString(out, "\\n");
		else if (c == '\t')
			appendStringInfoString(out, "\\t");
		else if (c < ' ')
			appendStringInfo(out, "\\u%04x", c);
		else
			appendStringInfoChar(out, c);
	}
	appendStringInfoChar(out, '"');
}

void
abst_record_put_extra(AbstRecord *record, const char *name,
					  const char *json, int len)
{
	StringInfo	extra = &record->value[ABST_REC_EXTRA];

	appendStringInfoString(extra, extra->len == 0 ? "{" : ", ");
	abst_append_json(extra, name, (int) strlen(name));
	appendStringInfoString(extra, ": ");
	appendBinaryStringInfo(extra, json, len);
}

void
abst_record_put_extra_text(AbstRecord *record, const char *name,
						   const char *text, int len)
{
	StringInfoData json;

	abst_trim(&text, &len);
	if (len == 0)
		return;
	initStringInfo(&json);
	abst_append_json(&json, text, len);
	abst_record_put_extra(record, name, json.data, json.len);
	pfree(json.data);
}

void
abst_record_put_item(AbstRecord *record, AbstRecordField field,
					 const char *text, int len)
{
	StringInfo	list = &record->value[field];
	int			i;

	abst_trim(&text, &len);
	if (len == 0)
		return;
	for (i = 0; i < len; i++)
		appendStringInfoChar(list, text[i] == '\n' ? ' ' : text[i]);
	appendStringInfoChar(list, '\0');
}

/* One line: a break, with the white space around it, becomes a blank. */
static void
append_line(StringInfo out, const char *text, int len)
{
	int			i;

	for (i = 0; i < len; i++)
	{
		if (text[i] != '\n')
		{
			appendStringInfoChar(out, text[i]);
			continue;
		}
		while (out->len > 0 && (out->data[out->len - 1] == ' ' ||
								out->data[out->len - 1] == '\t'))
			out->data[--out->len] = '\0';
		while (i + 1 < len && isspace((unsigned char) text[i + 1]))
			i++;
		appendStringInfoChar(out, ' ');
	}
}

void
abst_record_put(AbstRecord *record, AbstRecordField field, const char *name,
				const char *text, int len)
{
	StringInfo	value = &record->value[field];
	bool		done = true;

	abst_trim(&text, &len);
	if (len == 0)
		return;
	if (value->len > 0)
	{
		abst_record_put_extra_text(record, name, text, len);
		return;
	}
	switch (field)
	{
		case ABST_REC_AUTHORS:
			abst_split_authors(record, text, len);
			break;
		case ABST_REC_KEYWORDS:
			abst_split_keywords(record, text, len);
			break;
		case ABST_REC_YEAR:
			done = abst_normal_year(value, text, len);
			break;
		case ABST_REC_DOI:
			done = abst_normal_doi(value, text, len);
			break;
		case ABST_REC_ARXIV:
			done = abst_normal_arxiv(value,
									 &record->value[ABST_REC_VERSION],
									 text, len);
			break;
		case ABST_REC_VERSION:
		case ABST_REC_PMID:
			done = abst_normal_digits(value, text, len);
			break;
		case ABST_REC_ABSTRACT:
			appendBinaryStringInfo(value, text, len);
			break;
		case ABST_REC_EXTRA:
			done = false;
			break;
		default:
			append_line(value, text, len);
			break;
	}
	if (!done)
		abst_record_put_extra_text(record, name, text, len);
}

/*
 * Add text to a hash so that spelling does not matter: ASCII letters in lower
 * case, runs of white space as one blank.
 */
static void
hash_text(AbstSha256 *sha, const StringInfoData *text)
{
	int			i = 0;
	bool		gap = false;

	while (i < text->len)
	{
		int			n = space_at(text->data + i, text->len - i);

		if (n > 0)
		{
			gap = true;
			i += n;
			continue;
		}
		if (gap)
			abst_sha256_add(sha, " ", 1);
		gap = false;
		{
			char		c = text->data[i];

			if (c >= 'A' && c <= 'Z')
				c += 'a' - 'A';
			abst_sha256_add(sha, &c, 1);
		}
		i++;
	}
	abst_sha256_add(sha, "", 1);
}

static void
append_hash(StringInfo out, AbstSha256 *sha)
{
	uint8		digest[32];
	int			i;

	abst_sha256_end(sha, digest);
	appendStringInfoString(out, "sha256:");
	for (i = 0; i < 16; i++)
		appendStringInfo(out, "%02x", digest[i]);
}

/*
 * The stable key.  arXiv registers a DOI for each paper; both name the same,
 * so the arXiv id goes first there.
 */
static void
make_key(AbstRecord *record)
{
	StringInfo	doi = &record->value[ABST_REC_DOI];
	StringInfo	arxiv = &record->value[ABST_REC_ARXIV];
	AbstSha256	sha;

	if (doi->len > 0 && strncmp(doi->data, "10.48550/arxiv.", 15) != 0)
		appendStringInfo(&record->key, "doi:%s", doi->data);
	else if (arxiv->len > 0)
		appendStringInfo(&record->key, "arxiv:%s", arxiv->data);
	else if (doi->len > 0)
		appendStringInfo(&record->key, "doi:%s", doi->data);
	else if (record->value[ABST_REC_PMID].len > 0)
		appendStringInfo(&record->key, "pmid:%s",
						 record->value[ABST_REC_PMID].data);
	else if (record->value[ABST_REC_KEY].len > 0)
		appendStringInfoString(&record->key,
							   record->value[ABST_REC_KEY].data);
	else
	{
		abst_sha256_begin(&sha);
		hash_text(&sha, &record->value[ABST_REC_TITLE]);
		hash_text(&sha, &record->value[ABST_REC_ABSTRACT]);
		append_hash(&record->key, &sha);
	}
	if (record->key.len > ABST_KEY_MAX)
	{
		abst_sha256_begin(&sha);
		abst_sha256_add(&sha, record->key.data, record->key.len);
		resetStringInfo(&record->key);
		append_hash(&record->key, &sha);
	}
}

void
abst_record_finish(AbstRecord *record)
{
	StringInfo	value = record->value;

	/* sources that are arXiv's own call the arXiv id just "id" */
	if (value[ABST_REC_ARXIV].len == 0 && value[ABST_REC_KEY].len > 0)
		abst_normal_arxiv(&value[ABST_REC_ARXIV], &value[ABST_REC_VERSION],
						  value[ABST_REC_KEY].data, value[ABST_REC_KEY].len);
	if (value[ABST_REC_ARXIV].len == 0 && value[ABST_REC_URL].len > 0 &&
		strstr(value[ABST_REC_URL].data, "arxiv.org/") != NULL)
		abst_normal_arxiv(&value[ABST_REC_ARXIV], &value[ABST_REC_VERSION],
						  value[ABST_REC_URL].data, value[ABST_REC_URL].len);
	if (value[ABST_REC_ARXIV].len == 0 &&
		strncmp(value[ABST_REC_DOI].data, "10.48550/arxiv.", 15) == 0)
		abst_normal_arxiv(&value[ABST_REC_ARXIV], &value[ABST_REC_VERSION],
						  value[ABST_REC_DOI].data + 15,
						  value[ABST_REC_DOI].len - 15);
	if (value[ABST_REC_DOI].len == 0 && value[ABST_REC_URL].len > 0 &&
		strstr(value[ABST_REC_URL].data, "doi.org/") != NULL)
		abst_normal_doi(&value[ABST_REC_DOI], value[ABST_REC_URL].data,
						value[ABST_REC_URL].len);

	if (value[ABST_REC_TITLE].len == 0 && value[ABST_REC_ABSTRACT].len == 0)
	{
		abst_record_reject(record, "neither title nor abstract");
		return;
	}
	make_key(record);

	/* the source's own id stays, also where another makes the key */
	if (value[ABST_REC_KEY].len > 0 &&
		strcmp(record->key.data, value[ABST_REC_KEY].data) != 0 &&
		strcmp(value[ABST_REC_ARXIV].data, value[ABST_REC_KEY].data) != 0)
		abst_record_put_extra_text(record, "id", value[ABST_REC_KEY].data,
								   value[ABST_REC_KEY].len);
	if (value[ABST_REC_EXTRA].len > 0)
		appendStringInfoChar(&value[ABST_REC_EXTRA], '}');
}

int64
abst_record_digest(const AbstRecord *record)
{
	AbstSha256	sha;
	uint8		digest[32];
	uint64		result = 0;
	int			i;

	abst_sha256_begin(&sha);
	for (i = 0; i < ABST_REC_NFIELDS; i++)
	{
		/* the length keeps neighbours apart */
		abst_sha256_add(&sha, &record->value[i].len, sizeof(int));
		abst_sha256_add(&sha, record->value[i].data, record->value[i].len);
	}
	abst_sha256_end(&sha, digest);
	for (i = 0; i < 8; i++)
		result = (result << 8) | digest[i];
	return (int64) result;
}
