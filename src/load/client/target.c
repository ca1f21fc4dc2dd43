/*-------------------------------------------------------------------------
 *
 * target.c
 *		The table records go to: found or made, and looked at.
 *
 * No name and no value from a user or a file gets into SQL text but through
 * libpq's quoting or as a parameter.  What is missing is made: extension,
 * table, table of rejects, and, after the load, the index.  An existing table
 * is taken as it is; columns it does not have are not filled.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <ctype.h>

#include "client.h"
#include "common/string.h"

#define INDEX_METHOD "abstracts"
#define EXTENSION_NAME "abstracts"
#define REJECTS_NAME "abstracts_rejects"

/* ---- running SQL ---- */

static void
die_sql(PGconn *conn, const char *what)
{
	char	   *message = pstrdup(PQerrorMessage(conn));
	int			len = (int) strlen(message);

	while (len > 0 && message[len - 1] == '\n')
		message[--len] = '\0';
	die(EXIT_SERVER, "%s%s%s", what ? what : "", what ? ": " : "", message);
}

PGresult *
run(PGconn *conn, const char *sql)
{
	PGresult   *result = PQexec(conn, sql);
	ExecStatusType status = PQresultStatus(result);

	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		die_sql(conn, NULL);
	return result;
}

void
run_command(PGconn *conn, const char *sql)
{
	PQclear(run(conn, sql));
}

PGresult *
run_params(PGconn *conn, const char *sql, int n, const char *const *values)
{
	PGresult   *result = PQexecParams(conn, sql, n, NULL, values, NULL, NULL, 0);
	ExecStatusType status = PQresultStatus(result);

	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		die_sql(conn, NULL);
	return result;
}

/* One value of one row, palloc'd; NULL if there is no row or it is NULL. */
static char *
query_value(PGconn *conn, const char *sql, int n, const char *const *values)
{
	PGresult   *result = run_params(conn, sql, n, values);
	char	   *value = NULL;

	if (PQntuples(result) > 0 && !PQgetisnull(result, 0, 0))
		value = pstrdup(PQgetvalue(result, 0, 0));
	PQclear(result);
	return value;
}

char *
quoted(PGconn *conn, const char *name)
{
	char	   *escaped = PQescapeIdentifier(conn, name, strlen(name));
	char	   *result;

	if (escaped == NULL)
		die_sql(conn, "could not quote a name");
	result = pstrdup(escaped);
	PQfreemem(escaped);
	return result;
}

/* ---- connection ---- */

static void
show_notice(void *arg, const char *message)
{
	warn("%.*s", (int) strcspn(message, "\n"), message);
}

PGconn *
connect_server(const Options *options)
{
	const char *keywords[] = {"host", "port", "user", "password", "dbname",
	"client_encoding", "fallback_application_name", NULL};
	char	   *password = NULL;
	PGconn	   *conn;

	if (options->force_password)
		password = simple_prompt("Password: ", false);
	for (;;)
	{
		const char *values[] = {options->host, options->port, options->user,
		password, options->dbname, "UTF8", "abstracts-load", NULL};

		conn = PQconnectdbParams(keywords, values, true);
		if (conn == NULL)
			die(EXIT_SERVER, "out of memory");
		if (PQstatus(conn) == CONNECTION_OK)
			break;
		if (password == NULL && !options->no_password &&
			PQconnectionNeedsPassword(conn))
		{
			PQfinish(conn);
			password = simple_prompt("Password: ", false);
			continue;
		}
		die_sql(conn, NULL);
	}
	free(password);
	PQsetNoticeProcessor(conn, show_notice, NULL);
	run_command(conn, "SET client_min_messages = warning");
	run_command(conn, "SET standard_conforming_strings = on");

	/* compiling the same statement anew for each batch would cost seconds */
	run_command(conn, "SET jit = off");
	return conn;
}

/* ---- names ---- */

/*
 * One part of a table's name: in double quotes as in SQL; else, if it is a
 * plain identifier, in lower case as SQL has it; else as it stands.  Returns
 * where the part ends.
 */
static const char *
parse_part(const char *at, StringInfo part)
{
	bool		plain = true;
	int			i;

	if (*at == '"')
	{
		for (at++; *at != '\0'; at++)
		{
			if (*at == '"' && at[1] != '"')
				break;
			if (*at == '"')
				at++;
			appendStringInfoChar(part, *at);
		}
		if (*at != '"' || (at[1] != '\0' && at[1] != '.'))
			die(EXIT_USAGE, "the table's name has an unmatched double quote");
		return at + 1;
	}
	for (; *at != '\0' && *at != '.'; at++)
	{
		unsigned char c = (unsigned char) *at;

		plain &= isalnum(c) || c == '_' || c == '$' || c >= 0x80;
		appendStringInfoChar(part, c);
	}
	for (i = 0; plain && i < part->len; i++)
		part->data[i] = pg_ascii_tolower((unsigned char) part->data[i]);
	return at;
}

static void
parse_name(const char *into, char **schema, char **table)
{
	StringInfoData first;
	StringInfoData second;
	const char *at;

	initStringInfo(&first);
	initStringInfo(&second);
	at = parse_part(into, &first);
	if (*at == '.')
	{
		at = parse_part(at + 1, &second);
		if (*at != '\0')
			die(EXIT_USAGE, "\"%s\" is no table name: give a table, or schema.table", into);
		*schema = first.data;
		*table = second.data;
	}
	else
	{
		*schema = NULL;
		*table = first.data;
	}
	if (**table == '\0' || (*schema && **schema == '\0'))
		die(EXIT_USAGE, "\"%s\" is no table name", into);
}

/* ---- making what is missing ---- */

/* Qualified and quoted name of abstract_vector; the extension made if needed. */
static char *
vector_function(PGconn *conn)
{
	static const char *const find =
		"SELECT pg_catalog.format('%I.%I', n.nspname, p.proname)"
		" FROM pg_catalog.pg_proc p"
		" JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace"
		" LEFT JOIN pg_catalog.pg_extension e"
		"  ON e.extnamespace = n.oid AND e.extname = '" EXTENSION_NAME "'"
		" WHERE p.proname = 'abstract_vector'"
		" AND p.proargtypes = '25 25'::pg_catalog.oidvector"
		" AND (e.oid IS NOT NULL OR pg_catalog.pg_function_is_visible(p.oid))"
		" ORDER BY e.oid IS NULL LIMIT 1";
	char	   *name = query_value(conn, find, 0, NULL);
	PGresult   *result;

	if (name != NULL)
		return name;
	result = PQexec(conn, "CREATE EXTENSION IF NOT EXISTS " EXTENSION_NAME);
	if (PQresultStatus(result) != PGRES_COMMAND_OK)
	{
		warn("the extension %s is not in this database and could not be created; "
			 "a superuser can do so with CREATE EXTENSION %s",
			 EXTENSION_NAME, EXTENSION_NAME);
		die_sql(conn, NULL);
	}
	PQclear(result);
	name = query_value(conn, find, 0, NULL);
	if (name == NULL)
		die(EXIT_SERVER, "the extension %s has no function abstract_vector(text, text)",
			EXTENSION_NAME);
	return name;
}

static void
make_table(PGconn *conn, const char *name)
{
	char	   *vector = vector_function(conn);
	char	   *sql;

	sql = psprintf("CREATE TABLE IF NOT EXISTS %s ("
				   "id bigserial PRIMARY KEY,"
				   " key text NOT NULL UNIQUE,"
				   " title text,"
				   " abstract text,"
				   " authors text[],"
				   " year integer,"
				   " venue text,"
				   " doi text,"
				   " arxiv text,"
				   " version integer,"
				   " pmid text,"
				   " url text,"
				   " keywords text[],"
				   " language text,"
				   " section text,"
				   " extra jsonb,"
				   " source_file text,"
				   " source_line bigint,"
				   " loaded_at timestamptz NOT NULL DEFAULT now(),"
				   " doc tsvector GENERATED ALWAYS AS (%s(title, abstract)) STORED)",
				   name, vector);
	run_command(conn, sql);
	pfree(sql);
	pfree(vector);
}

void
target_make_rejects(Target *target)
{
	char	   *sql;

	if (target->have_rejects)
		return;
	target->have_rejects = true;
	if (query_value(target->conn, "SELECT pg_catalog.to_regclass($1)", 1,
					(const char *const *) &target->rejects) != NULL)
		return;
	sql = psprintf("CREATE TABLE IF NOT EXISTS %s ("
				   "id bigserial PRIMARY KEY,"
				   " target text NOT NULL,"
				   " file text NOT NULL,"
				   " line bigint NOT NULL,"
				   " reason text NOT NULL,"
				   " raw text,"
				   " loaded_at timestamptz NOT NULL DEFAULT now())",
				   target->rejects);
	run_command(target->conn, sql);
	pfree(sql);
	sql = psprintf("CREATE INDEX ON %s (file, line)", target->rejects);
	run_command(target->conn, sql);
	pfree(sql);
}

void
target_index(Target *target)
{
	const char *values[] = {target->table};
	char	   *column;
	char	   *sql;

	/* the column, if there is one to index, nothing does, and we may */
	column = query_value(target->conn,
						 "SELECT pg_catalog.quote_ident(a.attname)"
						 " FROM pg_catalog.pg_attribute a"
						 " JOIN pg_catalog.pg_class c ON c.oid = a.attrelid"
						 " WHERE c.oid = $1::pg_catalog.regclass"
						 " AND a.attname = 'doc' AND a.atttypid = 3614"
						 " AND NOT a.attisdropped"
						 " AND pg_catalog.pg_has_role(c.relowner, 'USAGE')"
						 " AND EXISTS (SELECT FROM pg_catalog.pg_am"
						 "  WHERE amname = '" INDEX_METHOD "')"
						 " AND NOT EXISTS (SELECT FROM pg_catalog.pg_index i"
						 "  JOIN pg_catalog.pg_class ic ON ic.oid = i.indexrelid"
						 "  JOIN pg_catalog.pg_am m ON m.oid = ic.relam"
						 "  WHERE i.indrelid = c.oid AND m.amname = '" INDEX_METHOD "')",
						 1, values);
	if (column == NULL)
		return;
	if (!target->options->quiet)
		say("building the index on %s (%s)", target->label, column);
	sql = psprintf("CREATE INDEX ON %s USING " INDEX_METHOD " (%s)",
				   target->table, column);
	run_command(target->conn, sql);
	pfree(sql);
	pfree(column);
}

/* ---- looking at the table ---- */

static void
read_columns(Target *target)
{
	static const char *const types[NCOLUMNS] = {
		"text", "text", "text", "text[]", "integer", "text", "text", "text",
		"integer", "text", "text", "text[]", "text", "text", "jsonb",
		"text", "bigint", "timestamptz"
	};
	const char *values[] = {target->table};
	PGresult   *result = NULL;
	int			i;
	int			row;

	if (target->exists)
		result = run_params(target->conn,
							"SELECT a.attname,"
							" pg_catalog.format_type(a.atttypid, -1),"
							" t.typcategory = 'A',"
							" a.atttypid IN (114, 3802)"
							" FROM pg_catalog.pg_attribute a"
							" JOIN pg_catalog.pg_type t ON t.oid = a.atttypid"
							" WHERE a.attrelid = $1::pg_catalog.regclass"
							" AND a.attnum > 0 AND NOT a.attisdropped"
							" AND a.attgenerated = '' AND a.attidentity <> 'a'",
							1, values);
	for (i = 0; i < NCOLUMNS; i++)
	{
		TargetColumn *column = &target->column[i];

		column->name = i < ABST_REC_NFIELDS ? abst_record_field_names[i] :
			i == COL_SOURCE_FILE ? "source_file" :
			i == COL_SOURCE_LINE ? "source_line" : "loaded_at";
		column->stage = types[i];
		for (row = 0; result != NULL && row < PQntuples(result); row++)
		{
			if (strcmp(PQgetvalue(result, row, 0), column->name) != 0)
				continue;
			column->exists = true;
			column->type = pstrdup(PQgetvalue(result, row, 1));
			column->is_array = *PQgetvalue(result, row, 2) == 't';
			column->is_json = *PQgetvalue(result, row, 3) == 't';
		}
	}
	PQclear(result);
}

/* The least a table must have; errors say how to get it. */
static void
check_table(Target *target)
{
	const char *values[] = {target->table};
	char	   *unique;

	if (!target->column[ABST_REC_KEY].exists)
		die(EXIT_SERVER, "table %s has no column \"key\", by which a record is known again\n"
			"hint: ALTER TABLE %s ADD COLUMN key text UNIQUE",
			target->label, target->label);
	if (!target->column[ABST_REC_TITLE].exists &&
		!target->column[ABST_REC_ABSTRACT].exists)
		die(EXIT_SERVER, "table %s has neither a column \"title\" nor \"abstract\"",
			target->label);
	unique = query_value(target->conn,
						 "SELECT 1 FROM pg_catalog.pg_index i"
						 " JOIN pg_catalog.pg_attribute a"
						 "  ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]"
						 " WHERE i.indrelid = $1::pg_catalog.regclass"
						 " AND a.attname = 'key' AND i.indisunique"
						 " AND i.indimmediate AND i.indisvalid"
						 " AND i.indnkeyatts = 1 AND i.indpred IS NULL LIMIT 1",
						 1, values);
	if (unique == NULL)
		die(EXIT_SERVER, "column \"key\" of table %s has no unique index\n"
			"hint: CREATE UNIQUE INDEX ON %s (key)",
			target->label, target->label);
}

static void
make_staging(Target *target)
{
	StringInfoData sql;
	int			i;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "CREATE TEMPORARY TABLE abst_stage ("
						   "n bigint, digest bigint");
	for (i = 0; i <= COL_SOURCE_LINE; i++)
		appendStringInfo(&sql, ", %s %s", target->column[i].name,
						 target->column[i].stage);
	appendStringInfoString(&sql, ") ON COMMIT DELETE ROWS");
	run_command(target->conn, sql.data);
	pfree(sql.data);
	run_command(target->conn, "CREATE TEMPORARY TABLE abst_seen ("
				"key text PRIMARY KEY, digest bigint, version integer)");
}

/* Fill in the names of a table that is there; false if it is not. */
static bool
find_table(Target *target, const char *name)
{
	PGresult   *result;
	const char *kind;

	result = run_params(target->conn,
						"SELECT pg_catalog.format('%I.%I', n.nspname, c.relname),"
						" pg_catalog.format('%I." REJECTS_NAME "', n.nspname),"
						" c.oid::pg_catalog.regclass, c.relkind"
						" FROM pg_catalog.pg_class c"
						" JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
						" WHERE c.oid = pg_catalog.to_regclass($1)", 1, &name);
	if (PQntuples(result) == 0)
	{
		PQclear(result);
		return false;
	}
	kind = PQgetvalue(result, 0, 3);
	if (*kind != 'r' && *kind != 'p')
		die(EXIT_SERVER, "%s is not a table", PQgetvalue(result, 0, 2));
	target->table = pstrdup(PQgetvalue(result, 0, 0));
	target->rejects = pstrdup(PQgetvalue(result, 0, 1));
	target->label = pstrdup(PQgetvalue(result, 0, 2));
	PQclear(result);
	return true;
}

Target *
target_open(PGconn *conn, const Options *options)
{
	Target	   *target = palloc0(sizeof(Target));
	char	   *schema;
	char	   *table;
	char	   *name;

	target->conn = conn;
	target->options = options;
	parse_name(options->into, &schema, &table);
	name = schema ? psprintf("%s.%s", quoted(conn, schema), quoted(conn, table)) :
		quoted(conn, table);
	target->exists = find_table(target, name);
	if (!target->exists && !options->dry_run)
	{
		make_table(conn, name);
		target->exists = find_table(target, name);
		if (!target->exists)
			die(EXIT_SERVER, "table %s was made but is not found; is its schema in search_path?",
				name);
	}
	if (!target->exists)
	{
		target->table = target->label = name;
		target->rejects = pstrdup("");
	}
	read_columns(target);
	if (target->exists)
		check_table(target);
	make_staging(target);
	return target;
}
