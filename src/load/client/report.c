/*-------------------------------------------------------------------------
 *
 * report.c
 *		What abstracts-load tells its user.
 *
 * Messages, warnings and progress go to standard error, the account to
 * standard output, so that a script can take the last line of it.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <stdarg.h>
#include <time.h>
#include <unistd.h>

#include "client.h"

static bool bar_shown = false;
static bool progress_on = false;
static bool on_terminal = false;
static const char *progress_file;
static int64 progress_total;
static struct timespec begun;
static struct timespec last_shown;
static int64 begun_at;			/* records read when the file began */
static bool begun_known;

static double
seconds_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double) (now.tv_sec - then->tv_sec) +
		(double) (now.tv_nsec - then->tv_nsec) / 1e9;
}

/* Take the bar away before something else is written. */
static void
clear_bar(void)
{
	if (bar_shown)
		fputs("\r\033[K", stderr);
	bar_shown = false;
}

void
say(const char *fmt,...)
{
	va_list		args;

	clear_bar();
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
}

void
warn(const char *fmt,...)
{
	va_list		args;

	clear_bar();
	fputs("abstracts-load: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
}

void
die(int code, const char *fmt,...)
{
	va_list		args;

	clear_bar();
	fputs("abstracts-load: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(code);
}

void
progress_begin(bool quiet, const char *file, int64 total_bytes)
{
	progress_on = !quiet;
	on_terminal = isatty(STDERR_FILENO);
	progress_file = file;
	progress_total = total_bytes;
	begun_known = false;
	clock_gettime(CLOCK_MONOTONIC, &begun);
	last_shown = begun;
}

/*
 * A bar five times a second on a terminal, elsewhere a line every ten
 * seconds.
 */
void
progress_show(const Counts *counts, int64 done)
{
	double		elapsed;
	double		rate;
	int64		records;

	if (!progress_on)
		return;
	if (!begun_known)
	{
		begun_at = counts->read;
		begun_known = true;
	}
	if (seconds_since(&last_shown) < (on_terminal ? 0.2 : 10.0))
		return;
	clock_gettime(CLOCK_MONOTONIC, &last_shown);
	elapsed = seconds_since(&begun);
	records = counts->read - begun_at;
	rate = records / Max(elapsed, 0.001);
	if (!on_terminal)
	{
		say("%s: " INT64_FORMAT " records, %.0f/s", progress_file, records,
			rate);
		return;
	}
	fputs("\r\033[K", stderr);
	if (progress_total > 0 && done >= 0)
	{
		double		share = Min(1.0, (double) done / progress_total);
		int			filled = (int) (share * 24);
		int			left = (int) (elapsed * (1 - share) / Max(share, 0.001));

		fprintf(stderr, "[%.*s%.*s] %3d%%  " INT64_FORMAT
				" records  %.0f/s  %d:%02d left",
				filled, "########################",
				24 - filled, "........................",
				(int) (share * 100), records, rate, left / 60, left % 60);
	}
	else
		fprintf(stderr, INT64_FORMAT " records  %.0f/s", records, rate);
	fflush(stderr);
	bar_shown = true;
}

void
progress_end(void)
{
	clear_bar();
	progress_on = false;
}

/* The last line adds up, whatever happened. */
void
report_account(const Counts *counts, bool quiet, bool dry_run)
{
	int			i;
	bool		any = false;

	clear_bar();
	fflush(stderr);
	if (!quiet)
	{
		printf("headings " INT64_FORMAT "\n", counts->headings);
		printf("repairs");
		for (i = 0; i < ABST_NREPAIRS; i++)
		{
			if (counts->repairs[i] == 0)
				continue;
			printf("%s " INT64_FORMAT " (%s)", any ? "," : "",
				   counts->repairs[i], abst_repair_names[i]);
			any = true;
		}
		printf("%s\n", any ? "" : " 0");
		if (dry_run)
			printf("dry run: nothing was written\n");
	}
	printf("read " INT64_FORMAT " = loaded " INT64_FORMAT " + updated "
		   INT64_FORMAT " + unchanged " INT64_FORMAT " + rejected "
		   INT64_FORMAT "\n",
		   counts->read, counts->loaded, counts->updated, counts->unchanged,
		   counts->rejected);
	fflush(stdout);
}
