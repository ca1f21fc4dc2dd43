/*-------------------------------------------------------------------------
 *
 * client.h
 *		The parts of the client program abstracts-load.
 *
 * main.c reads options and walks the files; source.c opens and decompresses
 * them; target.c connects and makes or inspects the table; batch.c moves
 * records in; report.c counts and talks.  Records are read by the readers of
 * src/load.  Nothing here is safe after an error that ends the program:
 * die() closes the connection, and the server rolls the open batch back.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_LOAD_CLIENT_H
#define ABST_LOAD_CLIENT_H

#include "libpq-fe.h"
#include "load/record.h"

/* Exit codes, part of the interface. */
#define EXIT_ALL_FINE	0
#define EXIT_REJECTS	1		/* a record rejected, a file not read whole */
#define EXIT_USAGE		2
#define EXIT_SERVER		3		/* connection or SQL error */

typedef struct Options
{
	const char *into;
	const char *host;
	const char *port;
	const char *user;
	const char *dbname;
	bool		force_password;
	bool		no_password;
	const AbstFormat *format;	/* NULL: detect */
	AbstEncoding encoding;
	AbstReadOptions read;
	int64		limit;			/* -1: none */
	int			batch_records;
	bool		dry_run;
	bool		quiet;
} Options;

/* ---- report.c ---- */

typedef struct Counts
{
	int64		read;
	int64		loaded;
	int64		updated;
	int64		unchanged;
	int64		rejected;
	int64		headings;
	int64		repairs[ABST_NREPAIRS];
} Counts;

extern void say(const char *fmt,...) pg_attribute_printf(1, 2);
extern void warn(const char *fmt,...) pg_attribute_printf(1, 2);
extern void die(int code, const char *fmt,...) pg_attribute_printf(2, 3)
			pg_attribute_noreturn();
extern void progress_begin(bool quiet, const char *file, int64 total_bytes);

/* "done" bytes of the file as it lies on disk, -1 if not known. */
extern void progress_show(const Counts *counts, int64 done);
extern void progress_end(void);
extern void report_account(const Counts *counts, bool quiet, bool dry_run);

/* ---- source.c ---- */

typedef struct Source Source;

/* NULL with a warning if it cannot be opened. */
extern Source *source_open(const char *name);
extern size_t source_read(void *source, char *buf, size_t size);
extern int64 source_size(const Source *source); /* on disk, -1 unknown */
extern int64 source_done(const Source *source);

/* False, after a warning, if the file was not sound to its end. */
extern bool source_close(Source *source, bool to_the_end);

/* ---- target.c ---- */

/* A column of the table that the loader fills, or has a value for. */
typedef struct TargetColumn
{
	const char *name;
	const char *stage;			/* type in the staging table */
	bool		exists;
	char	   *type;			/* the table's, without modifier */
	bool		is_array;
	bool		is_json;		/* json has no equality */
} TargetColumn;

/* Columns: the fields of a record in order, then these. */
#define COL_SOURCE_FILE	ABST_REC_NFIELDS
#define COL_SOURCE_LINE	(ABST_REC_NFIELDS + 1)
#define COL_LOADED_AT	(ABST_REC_NFIELDS + 2)
#define NCOLUMNS		(ABST_REC_NFIELDS + 3)

typedef struct Target
{
	PGconn	   *conn;
	const Options *options;
	bool		exists;			/* false only in a dry run */
	char	   *table;			/* qualified and quoted */
	char	   *rejects;
	char	   *label;			/* for messages: as \d shows it */
	bool		have_rejects;	/* the table of rejects is there */
	TargetColumn column[NCOLUMNS];
} Target;

extern PGconn * connect_server(const Options *options);
/* Find the table, or make extension and table; staging tables too. */
extern Target *target_open(PGconn * conn, const Options *options);

/* Make the index if there is none. */
extern void target_index(Target *target);
extern void target_make_rejects(Target *target);

/* Run a command that must succeed. */
extern PGresult * run(PGconn * conn, const char *sql);
extern void run_command(PGconn * conn, const char *sql);
extern PGresult * run_params(PGconn * conn, const char *sql, int n,
							 const char *const *values);
extern char *quoted(PGconn * conn, const char *name);

/* ---- batch.c ---- */

typedef struct Batch Batch;

extern Batch *batch_begin(Target *target, Counts *counts);

/* Takes copies; flushes when full. */
extern void batch_add(Batch *batch, const char *file,
					  const AbstRecord *record);
extern void batch_flush(Batch *batch);

#endif							/* ABST_LOAD_CLIENT_H */
