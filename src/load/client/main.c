/*-------------------------------------------------------------------------
 *
 * main.c
 *		abstracts-load: files of abstracts into a table.
 *
 * Reads files of several formats, streaming, and merges their records into a
 * table of a PostgreSQL database.  A second run over the same files changes
 * nothing.  The last line of standard output accounts for every record.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <signal.h>
#include <unistd.h>

#include "client.h"
#include "getopt_long.h"

#ifndef ABST_VERSION
#error "ABST_VERSION is set by client.mk"
#endif

static void
usage(void)
{
	int			i;

	printf("abstracts-load loads files of scientific abstracts into a table.\n\n"
		   "Usage:\n"
		   "  abstracts-load FILE... --into TABLE [OPTION...]\n\n"
		   "A FILE of - is standard input. Files may be compressed (gzip, zstd, bzip2, xz).\n"
		   "TABLE may be schema.table; names are folded to lower case as in SQL unless in\n"
		   "double quotes. Extension, table and index are made when they are missing.\n\n"
		   "Options:\n"
		   "  -i, --into=TABLE         table to load into\n"
		   "  -f, --format=NAME        format of the files, else detected:\n");
	for (i = 0; abst_formats[i] != NULL; i++)
		printf("                           %s, %s: %s\n", abst_formats[i]->name,
			   abst_formats[i]->alias, abst_formats[i]->description);
	printf("  -m, --map=FIELD=NAME     take FIELD from the column or member NAME;\n"
		   "                           no NAME: leave it empty. Fields are\n"
		   "                           ");
	for (i = 0; i < ABST_REC_EXTRA; i++)
		printf("%s%s", i == 0 ? "" : i == 7 ? ",\n                           " : ", ",
			   abst_record_field_names[i]);
	printf("\n"
		   "      --encoding=NAME      auto (default), utf8 or latin1\n"
		   "      --limit=N            read at most N records\n"
		   "      --batch=N            records in a transaction (default 2000)\n"
		   "  -n, --dry-run            read and compare, write nothing\n"
		   "  -q, --quiet              only the account's last line\n"
		   "      --help               show this help\n"
		   "      --version            show the version\n\n"
		   "Connection, as in psql (PG* variables, service and password files work too):\n"
		   "  -h, --host=HOST          server's host or socket folder\n"
		   "  -p, --port=PORT          server's port\n"
		   "  -U, --username=NAME      user\n"
		   "  -d, --dbname=DBNAME      database or connection string\n"
		   "  -w, --no-password        never ask for a password\n"
		   "  -W, --password           ask for a password first\n\n"
		   "Records that cannot be loaded go to the table abstracts_rejects beside TABLE.\n\n"
		   "Exit code: 0 all fine; 1 records were rejected or a file was not read whole;\n"
		   "2 wrong usage; 3 the server cannot be reached or reports an error.\n");
}

static void
usage_error(const char *fmt, const char *arg)
{
	fprintf(stderr, "abstracts-load: ");
	fprintf(stderr, fmt, arg);
	fprintf(stderr, "\nTry \"abstracts-load --help\".\n");
	exit(EXIT_USAGE);
}

static int64
parse_number(const char *option, const char *text, int64 least)
{
	char	   *end;
	long long	value;

	errno = 0;
	value = strtoll(text, &end, 10);
	if (errno != 0 || *end != '\0' || end == text || value < least)
		usage_error(psprintf("%s needs a whole number of at least %d, not \"%%s\"",
							 option, (int) least), text);
	return value;
}

/* Set one option. */
static void
set_option(Options *options, int c, const char *arg)
{
	AbstMapping *mappings;

	switch (c)
	{
		case 'i':
			options->into = arg;
			break;
		case 'f':
			options->format = abst_format_by_name(arg);
			if (options->format == NULL && strcmp(arg, "auto") != 0)
				usage_error("there is no format \"%s\"", arg);
			break;
		case 'm':
			mappings = palloc((options->read.nmappings + 1) * sizeof(AbstMapping));
			if (options->read.nmappings > 0)
				memcpy(mappings, options->read.mappings,
					   options->read.nmappings * sizeof(AbstMapping));
			if (!abst_mapping_parse(arg, &mappings[options->read.nmappings++]))
				usage_error("\"%s\" is no mapping: it needs a field, an equals sign and a name", arg);
			options->read.mappings = mappings;
			break;
		case 'e':
			options->encoding = strcmp(arg, "auto") == 0 ? ABST_ENC_AUTO :
				strcmp(arg, "utf8") == 0 ? ABST_ENC_UTF8 : ABST_ENC_LATIN1;
			if (options->encoding == ABST_ENC_LATIN1 && strcmp(arg, "latin1") != 0)
				usage_error("there is no encoding \"%s\"", arg);
			break;
		case 'l':
			options->limit = parse_number("--limit", arg, 0);
			break;
		case 'b':
			options->batch_records = (int) Min(parse_number("--batch", arg, 1),
											   100000);
			break;
		case 'n':
			options->dry_run = true;
			break;
		case 'q':
			options->quiet = true;
			break;
		case 'h':
			options->host = arg;
			break;
		case 'p':
			options->port = arg;
			break;
		case 'U':
			options->user = arg;
			break;
		case 'd':
			options->dbname = arg;
			break;
		case 'w':
			options->no_password = true;
			break;
		case 'W':
			options->force_password = true;
			break;
		default:
			fprintf(stderr, "Try \"abstracts-load --help\".\n");
			exit(EXIT_USAGE);
	}
}

static void
read_options(int argc, char **argv, Options *options)
{
	static const struct option longs[] = {
		{"into", required_argument, NULL, 'i'},
		{"format", required_argument, NULL, 'f'},
		{"map", required_argument, NULL, 'm'},
		{"encoding", required_argument, NULL, 'e'},
		{"limit", required_argument, NULL, 'l'},
		{"batch", required_argument, NULL, 'b'},
		{"dry-run", no_argument, NULL, 'n'},
		{"quiet", no_argument, NULL, 'q'},
		{"help", no_argument, NULL, '?'},
		{"version", no_argument, NULL, 'V'},
		{"host", required_argument, NULL, 'h'},
		{"port", required_argument, NULL, 'p'},
		{"username", required_argument, NULL, 'U'},
		{"dbname", required_argument, NULL, 'd'},
		{"no-password", no_argument, NULL, 'w'},
		{"password", no_argument, NULL, 'W'},
		{NULL, 0, NULL, 0}
	};
	int			c;
	int			i;

	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
	{
		if (strcmp(argv[i], "--help") == 0)
		{
			usage();
			exit(EXIT_ALL_FINE);
		}
		if (strcmp(argv[i], "--version") == 0 || strcmp(argv[i], "-V") == 0)
		{
			puts("abstracts-load (abstracts) " ABST_VERSION);
			exit(EXIT_ALL_FINE);
		}
	}
	memset(options, 0, sizeof(*options));
	options->limit = -1;
	options->batch_records = 2000;
	while ((c = getopt_long(argc, argv, "i:f:m:nqh:p:U:d:wW", longs, NULL)) != -1)
		set_option(options, c, optarg);
	if (optind == argc)
		usage_error("%s", "no file given");
	if (options->into == NULL && !options->dry_run)
		usage_error("%s", "no table given (--into TABLE)");
}

/*
 * Load one file.  False if it could not be read whole.  The file's name lives
 * as long as the program, so the batch may point to it.
 */
static bool
load_file(const char *file, const Options *options, Batch *batch,
		  Counts *counts)
{
	Source	   *source = source_open(file);
	AbstRecord *record;
	AbstInput  *in;
	AbstReader *reader;
	const char *error;
	bool		to_the_end = false;
	bool		ok = true;
	int			i;

	if (source == NULL)
		return false;
	in = abst_input_begin(source_read, source, options->encoding);
	reader = abst_reader_begin(in, options->format, &options->read, &error);
	progress_begin(options->quiet, file, source_size(source));
	if (reader == NULL)
	{
		warn("cannot read \"%s\": %s", file, error);
		ok = false;
	}
	else
	{
		record = abst_record_make();
		while (options->limit < 0 || counts->read < options->limit)
		{
			if (!abst_reader_next(reader, record))
			{
				to_the_end = true;
				break;
			}
			batch_add(batch, file, record);
			progress_show(counts, source_done(source));
		}
		abst_record_free(record);
		abst_reader_end(reader);
	}
	batch_flush(batch);
	progress_end();
	for (i = 0; i < ABST_NREPAIRS; i++)
		counts->repairs[i] += in->repairs[i];
	abst_input_end(in);
	return source_close(source, to_the_end) && ok;
}

int
main(int argc, char **argv)
{
	Options		options;
	Counts		counts;
	Target	   *target = NULL;
	Batch	   *batch;
	bool		whole = true;
	int			i;

	signal(SIGPIPE, SIG_IGN);
	read_options(argc, argv, &options);

	/* a name that was mistyped should not show after an hour's load */
	for (i = optind; i < argc; i++)
	{
		if (strcmp(argv[i], "-") != 0 && access(argv[i], R_OK) != 0)
			die(EXIT_USAGE, "could not open \"%s\": %s", argv[i],
				strerror(errno));
	}

	memset(&counts, 0, sizeof(counts));
	if (options.into != NULL)
		target = target_open(connect_server(&options), &options);
	batch = batch_begin(target, &counts);
	for (i = optind; i < argc; i++)
		whole &= load_file(argv[i], &options, batch, &counts);
	if (target != NULL)
	{
		if (!options.dry_run)
			target_index(target);
		PQfinish(target->conn);
	}
	report_account(&counts, options.quiet, options.dry_run);
	return counts.rejected > 0 || !whole ? EXIT_REJECTS : EXIT_ALL_FINE;
}
