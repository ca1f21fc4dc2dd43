/*-------------------------------------------------------------------------
 *
 * format.c
 *		The table of file formats, and detection by content.
 *
 * A new format is one more file with its AbstFormat, and one more line in
 * abst_formats.  Detection takes the surest reader; the plain list, which
 * can read any text, comes last.  Formats known but not read are named in
 * the error rather than loaded as prose.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <ctype.h>

#include "load/record.h"

const AbstFormat *const abst_formats[] = {
	&abst_format_json,
	&abst_format_csv,
	&abst_format_list,
	NULL
};

/* How formats that no reader takes begin. */
static const struct
{
	const char *magic;
	int			len;
	const char *error;
}			foreign[] = {
	{"PK\003\004", 4, "this is a zip archive or an office document; unpack it or export it as CSV"},
	{"%PDF", 4, "this is a PDF file, not a list of records"},
	{"\320\317\021\340", 4, "this is an old office document; export it as CSV"},
	{"\037\213", 2, "the content is compressed with gzip"},
	{"(\265/\375", 4, "the content is compressed with zstd"},
	{"BZh", 3, "the content is compressed with bzip2"},
	{"\3757zXZ", 5, "the content is compressed with xz"},
};

const AbstFormat *
abst_format_by_name(const char *name)
{
	int			i;

	for (i = 0; abst_formats[i] != NULL; i++)
	{
		const AbstFormat *format = abst_formats[i];

		if (pg_strcasecmp(name, format->name) == 0 ||
			(format->alias && pg_strcasecmp(name, format->alias) == 0))
			return format;
	}
	return NULL;
}

/* Does a line of the head begin like a tag of RIS or MEDLINE? */
static const char *
tagged_format(const char *head, int len)
{
	const char *end = head + len;
	const char *line = head;
	int			lines = 0;

	while (line < end && lines++ < 20)
	{
		const char *next = memchr(line, '\n', end - line);

		if (end - line > 6 && strncmp(line, "TY  - ", 6) == 0)
			return "this looks like RIS, which is not read yet";
		if (end - line > 6 && strncmp(line, "PMID- ", 6) == 0)
			return "this looks like MEDLINE, which is not read yet";
		if (end - line > 4 && strncmp(line, "%0 ", 3) == 0)
			return "this looks like EndNote, which is not read yet";
		if (*line == '@')
		{
			const char *at = line + 1;

			while (at < end && isalpha((unsigned char) *at))
				at++;
			if (at > line + 1 && at < end && (*at == '{' || *at == '('))
				return "this looks like BibTeX, which is not read yet";
		}
		if (next == NULL)
			break;
		line = next + 1;
	}
	return NULL;
}

/* Why no reader should try this content, or NULL. */
static const char *
foreign_format(AbstInput *in, const char *head, int len)
{
	int			i;

	for (i = 0; i < lengthof(foreign); i++)
	{
		/* NULs are gone from the text, so look at the raw bytes */
		if (memcmp(in->magic, foreign[i].magic, foreign[i].len) == 0)
			return foreign[i].error;
	}
	while (len > 0 && isspace((unsigned char) *head))
	{
		head++;
		len--;
	}
	if (len > 5 && (strncmp(head, "<?xml", 5) == 0 ||
					strncmp(head, "<!DOC", 5) == 0 ||
					pg_strncasecmp(head, "<html", 5) == 0))
		return "this looks like XML or HTML, which is not read yet";
	return tagged_format(head, len);
}

AbstReader *
abst_reader_begin(AbstInput *in, const AbstFormat *format,
				  const AbstReadOptions *options, const char **error)
{
	AbstReader *reader;
	const char *head;
	void	   *state;
	int			len;
	int			i;

	len = abst_input_need(in, ABST_HEAD_SIZE);
	head = abst_input_at(in);
	if (format == NULL)
	{
		bool		whole = in->eof && in->rawpos == in->rawlen;
		int			best = 0;

		*error = foreign_format(in, head, len);
		if (*error != NULL)
			return NULL;
		for (i = 0; abst_formats[i] != NULL; i++)
		{
			int			score = abst_formats[i]->detect(head, len, whole, options);

			if (score > best)
			{
				best = score;
				format = abst_formats[i];
			}
		}
		if (format == NULL)
			format = &abst_format_list;
	}
	*error = NULL;
	state = format->begin(in, options, error);
	if (state == NULL)
		return NULL;
	reader = palloc(sizeof(AbstReader));
	reader->format = format;
	reader->in = in;
	reader->state = state;
	return reader;
}

bool
abst_reader_next(AbstReader *reader, AbstRecord *record)
{
	CHECK_FOR_INTERRUPTS();
	abst_record_reset(record);
	if (!reader->format->next(reader->state, record))
		return false;
	if (record->kind == ABST_RECORD_GOOD)
		abst_record_finish(record);
	return true;
}

void
abst_reader_end(AbstReader *reader)
{
	reader->format->end(reader->state);
	pfree(reader);
}
