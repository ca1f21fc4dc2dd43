/*-------------------------------------------------------------------------
 *
 * bench-sqlite.c
 *		Ask FTS5, the full-text search of SQLite; peer.h says how to call it.
 *
 * The table keeps no texts, only what searching needs; rank is FTS5's bm25
 * with k1 = 1.2 and b = 0.75, which it has built in.  Its idf is that of
 * Robertson and Sparck Jones, never below 1e-6.
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "peer.h"

static sqlite3 *database;
static sqlite3_stmt *insert;
static sqlite3_stmt *query;

static void
check(int status)
{
	if (status != SQLITE_OK && status != SQLITE_DONE && status != SQLITE_ROW)
		peer_die("SQLite", sqlite3_errmsg(database));
}

static void
execute(const char *sql)
{
	check(sqlite3_exec(database, sql, NULL, NULL, NULL));
}

static sqlite3_stmt *
prepare(const char *sql)
{
	sqlite3_stmt *statement;

	check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL));
	return statement;
}

static const char *
version(void)
{
	static char text[64];

	snprintf(text, sizeof(text), "SQLite %s FTS5", sqlite3_libversion());
	return text;
}

static void
open_file(const char *folder)
{
	char		path[4096];

	snprintf(path, sizeof(path), "%s/docs.sqlite", folder);
	check(sqlite3_open(path, &database));
	execute("PRAGMA journal_mode = off; PRAGMA synchronous = off;"
			"PRAGMA cache_size = -524288");
}

static void
create(const char *folder)
{
	open_file(folder);
	execute("CREATE VIRTUAL TABLE docs USING"
			" fts5(body, content='', tokenize='ascii');"
			"BEGIN");
	insert = prepare("INSERT INTO docs (rowid, body) VALUES (?, ?)");
}

static void
add(uint32_t number, char *words)
{
	check(sqlite3_bind_int64(insert, 1, (sqlite3_int64) number + 1));
	check(sqlite3_bind_text(insert, 2, words, -1, SQLITE_STATIC));
	check(sqlite3_step(insert));
	check(sqlite3_reset(insert));
}

static void
finish(void)
{
	check(sqlite3_finalize(insert));
	execute("INSERT INTO docs (docs) VALUES ('optimize'); COMMIT");
	check(sqlite3_close(database));
}

static void
open_index(const char *folder)
{
	open_file(folder);
	query = prepare("SELECT rowid FROM docs WHERE docs MATCH ?"
					" ORDER BY rank LIMIT ?");
}

/* "a b" to "a OR b", in memory that the next call uses again. */
static const char *
any_of(const char *words)
{
	static char *text;
	char	   *out;

	text = realloc(text, 4 * strlen(words) + 1);
	for (out = text; *words; words++)
	{
		if (*words == ' ')
			out += sprintf(out, " OR ");
		else
			*out++ = *words;
	}
	*out = '\0';
	return text;
}

static int
search(const char *words, int k, uint32_t *numbers)
{
	int			n = 0;
	int			status;

	check(sqlite3_bind_text(query, 1, any_of(words), -1, SQLITE_STATIC));
	check(sqlite3_bind_int(query, 2, k));
	while ((status = sqlite3_step(query)) == SQLITE_ROW)
		numbers[n++] = (uint32_t) (sqlite3_column_int64(query, 0) - 1);
	check(status);
	check(sqlite3_reset(query));
	return n;
}

int
main(int argc, char **argv)
{
	static const Peer sqlite = {version, create, add, finish, open_index,
	search};

	return peer_main(&sqlite, argc, argv);
}
