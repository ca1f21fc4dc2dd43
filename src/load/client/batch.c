/*-------------------------------------------------------------------------
 *
 * batch.c
 *		Records into the table, a batch a transaction.
 *
 * A batch is copied into a temporary table and from there merged into the
 * target by one statement: new keys are inserted, rows that differ are
 * updated, equal ones are left alone.  A value that the record does not have
 * never wipes out one that the row has.
 *
 * The keys of a run are remembered in another temporary table, so that a key
 * that comes twice means the same in every run: the same content again is
 * unchanged; a higher version wins; anything else is rejected, and the first
 * stays.
 *
 * If the server refuses a batch for its data, it is halved until the record
 * at fault stands alone; that one is rejected with the server's words.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "client.h"

#define BATCH_BYTES (8 * 1024 * 1024)
#define RAW_MAX		10000		/* a reject's raw text is cut here */
#define SHOWN_MAX	10			/* rejects told on standard error */
#define RETRIES		10			/* after deadlock or serialization failure */

typedef struct Entry
{
	int			copy_at;		/* its line of COPY */
	int			copy_len;
	int			raw_at;			/* raw text, cut */
	const char *file;
	int64		line;
} Entry;

typedef struct Reject
{
	const char *file;
	int64		line;
	char	   *reason;
	char	   *raw;
} Reject;

struct Batch
{
	Target	   *target;
	Counts	   *counts;
	char	   *merge;			/* the statement */
	int			nentries;
	Entry	   *entries;
	StringInfoData copy;
	StringInfoData raw;			/* each ended by a NUL */
	int			nrejects;
	int			maxrejects;
	Reject	   *rejects;
	int64		shown;
};

/* ---- the statement ---- */

/* The staged value of a column as the target's type. */
static void
append_value(StringInfo sql, const TargetColumn *column)
{
	bool		list = strcmp(column->stage, "text[]") == 0;

	if (strcmp(column->stage, "timestamptz") == 0)
		appendStringInfoString(sql, "pg_catalog.now()");
	else if (column->is_json && strcmp(column->stage, "jsonb") != 0)
		appendStringInfo(sql, "pg_catalog.to_jsonb(s.%s)", column->name);
	else if (list && !column->is_array)
		appendStringInfo(sql, "pg_catalog.array_to_string(s.%s, '; ')",
						 column->name);
	else if (!list && column->is_array)
		appendStringInfo(sql, "CASE WHEN s.%s IS NOT NULL THEN ARRAY[s.%s] END",
						 column->name, column->name);
	else if (list || column->is_json)
		appendStringInfo(sql, "s.%s", column->name);
	else
		appendStringInfo(sql, "s.%s::pg_catalog.text", column->name);
}

static void
append_cast(StringInfo sql, const TargetColumn *column)
{
	appendStringInfoChar(sql, '(');
	append_value(sql, column);
	appendStringInfo(sql, ")::%s", column->type);
}

/*
 * "No value of the record differs from the row's"; "new_values" is whether
 * they stand in excluded or have yet to be made from s.
 */
static void
append_same(StringInfo sql, const Target *target, bool excluded)
{
	bool		any = false;
	int			i;

	for (i = 0; i < ABST_REC_NFIELDS; i++)
	{
		const TargetColumn *column = &target->column[i];
		StringInfoData value;

		if (!column->exists || i == ABST_REC_KEY)
			continue;
		initStringInfo(&value);
		if (excluded)
			appendStringInfo(&value, "excluded.%s", column->name);
		else
			append_cast(&value, column);
		appendStringInfo(sql, "%s(%s IS NULL OR %s%s IS NOT DISTINCT FROM t.%s%s)",
						 any ? " AND " : "", value.data, value.data,
						 column->is_json ? "::pg_catalog.jsonb" : "",
						 column->name,
						 column->is_json ? "::pg_catalog.jsonb" : "");
		any = true;
		pfree(value.data);
	}
}

/* Judge every staged record: new, changed, same or clash. */
static void
append_judgement(StringInfo sql, const Target *target)
{
	bool		version = target->exists &&
	target->column[ABST_REC_VERSION].exists;

	appendStringInfoString(sql,
						   "WITH ranked AS ("
						   "SELECT n, digest, version,"
						   " pg_catalog.row_number() OVER w AS rank,"
						   " pg_catalog.first_value(digest) OVER w AS top_digest,"
						   " pg_catalog.first_value(version) OVER w AS top_version"
						   " FROM pg_temp.abst_stage"
						   " WINDOW w AS (PARTITION BY key ORDER BY version DESC NULLS LAST, n)),"
						   " judged AS MATERIALIZED ("
						   "SELECT s.n, CASE"
						   " WHEN r.rank > 1 THEN CASE"
						   "  WHEN r.digest = r.top_digest OR r.version < r.top_version THEN 'same'"
						   "  ELSE 'clash' END"
						   " WHEN seen.key IS NOT NULL AND (s.version > seen.version) IS NOT TRUE THEN CASE"
						   "  WHEN seen.digest = s.digest OR s.version < seen.version THEN 'same'"
						   "  ELSE 'clash' END"
						   " WHEN old.found IS NULL THEN 'new'"
						   " WHEN old.same OR s.version < old.version THEN 'same'"
						   " ELSE 'changed' END AS verdict"
						   " FROM pg_temp.abst_stage s JOIN ranked r ON r.n = s.n"
						   " LEFT JOIN LATERAL (SELECT * FROM pg_temp.abst_seen"
						   "  WHERE key = s.key LIMIT 1) seen ON true"
						   " LEFT JOIN LATERAL (");
	if (target->exists)
	{
		appendStringInfoString(sql, "SELECT true AS found, ");
		append_same(sql, target, false);
		appendStringInfo(sql, " AS same, %s AS version FROM %s t WHERE t.key = ",
						 version ? "t.version::pg_catalog.text::pg_catalog.int4" :
						 "NULL::pg_catalog.int4", target->table);
		append_cast(sql, &target->column[ABST_REC_KEY]);
		appendStringInfoString(sql, " LIMIT 1");
	}
	else
		appendStringInfoString(sql, "SELECT true AS found, true AS same,"
							   " 0 AS version WHERE false");
	appendStringInfoString(sql, ") old ON true)");
}

/* The merging statement: counts of new and changed rows, clashing records. */
static char *
make_statement(const Target *target)
{
	StringInfoData sql;
	int			i;
	bool		first = true;

	initStringInfo(&sql);
	append_judgement(&sql, target);
	appendStringInfoString(&sql,
						   ", mark AS ("
						   "INSERT INTO pg_temp.abst_seen AS k"
						   " SELECT DISTINCT ON (key) key, digest, version"
						   " FROM pg_temp.abst_stage"
						   " ORDER BY key, version DESC NULLS LAST, n"
						   " ON CONFLICT (key) DO UPDATE"
						   " SET digest = excluded.digest, version = excluded.version"
						   " WHERE excluded.version > k.version)");
	if (target->options->dry_run)
	{
		appendStringInfoString(&sql,
							   " SELECT pg_catalog.count(*) FILTER (WHERE verdict = 'new'),"
							   " pg_catalog.count(*) FILTER (WHERE verdict = 'changed'),"
							   " pg_catalog.string_agg(n::text, ',' ORDER BY n)"
							   " FILTER (WHERE verdict = 'clash') FROM judged");
		return sql.data;
	}

	appendStringInfo(&sql, ", written AS (INSERT INTO %s AS t (", target->table);
	for (i = 0; i < NCOLUMNS; i++)
	{
		if (!target->column[i].exists)
			continue;
		appendStringInfo(&sql, "%s%s", first ? "" : ", ", target->column[i].name);
		first = false;
	}
	appendStringInfoString(&sql, ") SELECT ");
	first = true;
	for (i = 0; i < NCOLUMNS; i++)
	{
		if (!target->column[i].exists)
			continue;
		appendStringInfoString(&sql, first ? "" : ", ");
		append_cast(&sql, &target->column[i]);
		first = false;
	}
	appendStringInfoString(&sql,
						   " FROM pg_temp.abst_stage s JOIN judged j ON j.n = s.n"
						   " WHERE j.verdict IN ('new', 'changed') ORDER BY s.n"
						   " ON CONFLICT (key) DO UPDATE SET ");
	first = true;
	for (i = 0; i < NCOLUMNS; i++)
	{
		const char *name = target->column[i].name;

		if (!target->column[i].exists || i == ABST_REC_KEY)
			continue;
		appendStringInfo(&sql, "%s%s = COALESCE(excluded.%s, t.%s)",
						 first ? "" : ", ", name, name, name);
		first = false;
	}
	appendStringInfoString(&sql, " WHERE NOT (");
	append_same(&sql, target, true);
	appendStringInfoString(&sql,
						   ") RETURNING t.xmax = 0 AS inserted)"
						   " SELECT (SELECT pg_catalog.count(*) FROM written WHERE inserted),"
						   " (SELECT pg_catalog.count(*) FROM written WHERE NOT inserted),"
						   " (SELECT pg_catalog.string_agg(n::text, ',' ORDER BY n)"
						   " FROM judged WHERE verdict = 'clash')");
	return sql.data;
}

/* ---- collecting ---- */

Batch	   *
batch_begin(Target *target, Counts *counts)
{
	Batch	   *batch = palloc0(sizeof(Batch));

	batch->target = target;
	batch->counts = counts;
	initStringInfo(&batch->copy);
	initStringInfo(&batch->raw);
	batch->maxrejects = 64;
	batch->rejects = palloc(batch->maxrejects * sizeof(Reject));
	if (target != NULL)
	{
		batch->entries = palloc(target->options->batch_records * sizeof(Entry));
		batch->merge = make_statement(target);
	}
	return batch;
}

static void
append_copy(StringInfo out, const char *text, int len)
{
	int			i;

	for (i = 0; i < len; i++)
	{
		char		c = text[i];

		if (c == '\\' || c == '\n' || c == '\t' || c == '\r')
		{
			appendStringInfoChar(out, '\\');
			c = c == '\n' ? 'n' : c == '\t' ? 't' : c == '\r' ? 'r' : c;
		}
		appendStringInfoChar(out, c);
	}
}

/* A list as an array literal inside a line of COPY. */
static void
append_copy_list(StringInfo out, const StringInfoData *list)
{
	const char *item = list->data;
	const char *end = item + list->len;
	StringInfoData array;

	initStringInfo(&array);
	appendStringInfoChar(&array, '{');
	while (item < end)
	{
		appendStringInfoString(&array, array.len > 1 ? ",\"" : "\"");
		for (; *item != '\0'; item++)
		{
			if (*item == '"' || *item == '\\')
				appendStringInfoChar(&array, '\\');
			appendStringInfoChar(&array, *item);
		}
		appendStringInfoChar(&array, '"');
		item++;
	}
	appendStringInfoChar(&array, '}');
	append_copy(out, array.data, array.len);
	pfree(array.data);
}

/* Append raw text, cut with a mark where it is long. */
static void
append_raw(StringInfo out, const StringInfoData *raw)
{
	int			len = raw->len;

	if (len > 0 && raw->data[len - 1] == '\n')
		len--;
	if (len > RAW_MAX)
	{
		for (len = RAW_MAX; len > 0 &&
			 ((unsigned char) raw->data[len] & 0xC0) == 0x80;)
			len--;
		appendBinaryStringInfo(out, raw->data, len);
		appendStringInfo(out, " [cut: %d bytes in all]", raw->len);
	}
	else
		appendBinaryStringInfo(out, raw->data, len);
}

static void
add_reject(Batch *batch, const char *file, int64 line, const char *reason,
		   const char *raw)
{
	Reject	   *reject;
	bool		quiet = batch->target && batch->target->options->quiet;

	batch->counts->rejected++;
	if (!quiet && batch->shown++ < SHOWN_MAX)
		say("%s:" INT64_FORMAT ": rejected: %s", file, line, reason);
	else if (!quiet && batch->shown == SHOWN_MAX + 1)
		say("more rejects are not shown");
	if (batch->target == NULL || batch->target->options->dry_run)
		return;
	if (batch->nrejects == batch->maxrejects)
	{
		batch->maxrejects *= 2;
		batch->rejects = repalloc(batch->rejects,
								  batch->maxrejects * sizeof(Reject));
	}
	reject = &batch->rejects[batch->nrejects++];
	reject->file = file;
	reject->line = line;
	reject->reason = pstrdup(reason);
	reject->raw = pstrdup(raw);
}

static void
add_good(Batch *batch, const char *file, const AbstRecord *record)
{
	Entry	   *entry = &batch->entries[batch->nentries++];
	StringInfo	copy = &batch->copy;
	int			i;

	entry->copy_at = copy->len;
	entry->raw_at = batch->raw.len;
	entry->file = file;
	entry->line = record->line;
	append_raw(&batch->raw, &record->raw);
	appendStringInfoChar(&batch->raw, '\0');

	appendStringInfo(copy, "%d\t" INT64_FORMAT, batch->nentries - 1,
					 abst_record_digest(record));
	for (i = 0; i < ABST_REC_NFIELDS; i++)
	{
		const StringInfoData *value = i == ABST_REC_KEY ? &record->key :
		&record->value[i];

		appendStringInfoChar(copy, '\t');
		if (value->len == 0)
			appendStringInfoString(copy, "\\N");
		else if (abst_field_is_list((AbstRecordField) i))
			append_copy_list(copy, value);
		else
			append_copy(copy, value->data, value->len);
	}
	appendStringInfoChar(copy, '\t');
	append_copy(copy, file, (int) strlen(file));
	appendStringInfo(copy, "\t" INT64_FORMAT "\n", record->line);
	entry->copy_len = copy->len - entry->copy_at;
}

void
batch_add(Batch *batch, const char *file, const AbstRecord *record)
{
	if (record->kind == ABST_RECORD_HEADING)
	{
		batch->counts->headings++;
		return;
	}
	batch->counts->read++;
	if (record->kind == ABST_RECORD_REJECT)
	{
		StringInfoData raw;

		initStringInfo(&raw);
		append_raw(&raw, &record->raw);
		add_reject(batch, file, record->line, record->reason.data, raw.data);
		pfree(raw.data);
	}
	else if (batch->target == NULL)
		batch->counts->loaded++;
	else
		add_good(batch, file, record);
	if (batch->target != NULL &&
		(batch->nentries == batch->target->options->batch_records ||
		 batch->nrejects >= batch->target->options->batch_records ||
		 batch->copy.len + batch->raw.len >= BATCH_BYTES))
		batch_flush(batch);
}

/* ---- moving ---- */

typedef enum Outcome
{
	OUTCOME_OK,
	OUTCOME_DATA,				/* the server refuses a value */
	OUTCOME_AGAIN				/* another transaction was in the way */
} Outcome;

/* What to do about an error; ends the program if nothing can be done. */
static Outcome
judge_error(PGconn * conn, PGresult * result, StringInfo message)
{
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *primary = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	Outcome		outcome;

	if (state != NULL && PQstatus(conn) == CONNECTION_OK)
	{
		resetStringInfo(message);
		appendStringInfoString(message, primary ? primary : state);
		if (strncmp(state, "40", 2) == 0)
			outcome = OUTCOME_AGAIN;
		else if (strncmp(state, "22", 2) == 0 || strncmp(state, "23", 2) == 0 ||
				 strncmp(state, "54", 2) == 0 || strncmp(state, "P0", 2) == 0 ||
				 strncmp(state, "44", 2) == 0)
			outcome = OUTCOME_DATA;
		else
			die(EXIT_SERVER, "%s", PQresultErrorMessage(result));
		PQclear(result);
		run_command(conn, "ROLLBACK");
		return outcome;
	}
	die(EXIT_SERVER, "%s", PQerrorMessage(conn));
}

/* COPY the entries [from, to) into the staging table. */
static PGresult *
copy_entries(Batch *batch, int from, int to)
{
	PGconn	   *conn = batch->target->conn;
	const Entry *first = &batch->entries[from];
	const Entry *last = &batch->entries[to - 1];
	PGresult   *result = PQexec(conn, "COPY pg_temp.abst_stage FROM STDIN");
	PGresult   *extra;

	if (PQresultStatus(result) != PGRES_COPY_IN)
		return result;
	PQclear(result);
	if (PQputCopyData(conn, batch->copy.data + first->copy_at,
					  last->copy_at + last->copy_len - first->copy_at) != 1 ||
		PQputCopyEnd(conn, NULL) != 1)
		die(EXIT_SERVER, "%s", PQerrorMessage(conn));
	result = PQgetResult(conn);
	while ((extra = PQgetResult(conn)) != NULL)
		PQclear(extra);
	return result;
}

/* One transaction with the entries [from, to). */
static Outcome
try_range(Batch *batch, int from, int to, StringInfo message)
{
	PGconn	   *conn = batch->target->conn;
	Counts	   *counts = batch->counts;
	PGresult   *result;
	PGresult   *commit;
	int64		loaded;
	int64		updated;
	int64		clashes = 0;
	const char *at;

	run_command(conn, "BEGIN");
	result = copy_entries(batch, from, to);
	if (PQresultStatus(result) != PGRES_COMMAND_OK)
		return judge_error(conn, result, message);
	PQclear(result);
	result = PQexec(conn, batch->merge);
	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		return judge_error(conn, result, message);
	commit = PQexec(conn, "COMMIT");
	if (PQresultStatus(commit) != PGRES_COMMAND_OK)
	{
		PQclear(result);
		return judge_error(conn, commit, message);
	}
	PQclear(commit);

	loaded = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
	updated = strtoll(PQgetvalue(result, 0, 1), NULL, 10);
	for (at = PQgetvalue(result, 0, 2); at != NULL && *at != '\0';)
	{
		const Entry *entry = &batch->entries[strtol(at, NULL, 10)];

		add_reject(batch, entry->file, entry->line,
				   "the key of an earlier record of this run, but other content",
				   batch->raw.data + entry->raw_at);
		clashes++;
		at = strchr(at, ',');
		at = at ? at + 1 : NULL;
	}
	PQclear(result);
	counts->loaded += loaded;
	counts->updated += updated;
	counts->unchanged += (to - from) - loaded - updated - clashes;
	return OUTCOME_OK;
}

static void
load_range(Batch *batch, int from, int to)
{
	StringInfoData message;
	int			tries = 0;
	Outcome		outcome;

	if (from == to)
		return;
	initStringInfo(&message);
	while ((outcome = try_range(batch, from, to, &message)) == OUTCOME_AGAIN)
	{
		if (++tries > RETRIES)
			die(EXIT_SERVER, "%s", message.data);
	}
	if (outcome == OUTCOME_DATA && to - from == 1)
	{
		const Entry *entry = &batch->entries[from];

		add_reject(batch, entry->file, entry->line, message.data,
				   batch->raw.data + entry->raw_at);
	}
	else if (outcome == OUTCOME_DATA)
	{
		int			middle = from + (to - from) / 2;

		load_range(batch, from, middle);
		load_range(batch, middle, to);
	}
	pfree(message.data);
}

/*
 * Write down one reject unless an earlier run did.  In a database whose
 * encoding lacks a character, the text is written with question marks.
 */
static void
write_reject(Batch *batch, const char *sql, const Reject *reject)
{
	PGconn	   *conn = batch->target->conn;
	char		line[32];
	const char *values[5];
	int			tries;

	snprintf(line, sizeof(line), INT64_FORMAT, reject->line);
	values[0] = batch->target->label;
	values[1] = reject->file;
	values[2] = line;
	values[3] = reject->reason;
	values[4] = reject->raw;
	for (tries = 0;; tries++)
	{
		PGresult   *result = PQexecParams(conn, sql, 5, NULL, values, NULL,
										  NULL, 0);
		char	   *c;

		if (PQresultStatus(result) == PGRES_COMMAND_OK)
		{
			PQclear(result);
			return;
		}
		if (tries > 0)
			die(EXIT_SERVER, "%s", PQerrorMessage(conn));
		PQclear(result);
		run_command(conn, "ROLLBACK TO SAVEPOINT reject");
		for (c = reject->reason; *c != '\0'; c++)
			*c = (unsigned char) *c < 0x80 ? *c : '?';
		for (c = reject->raw; *c != '\0'; c++)
			*c = (unsigned char) *c < 0x80 ? *c : '?';
	}
}

static void
write_rejects(Batch *batch)
{
	Target	   *target = batch->target;
	char	   *sql;
	int			i;

	if (batch->nrejects == 0)
		return;
	target_make_rejects(target);
	sql = psprintf("INSERT INTO %s (target, file, line, reason, raw)"
				   " SELECT $1::text, $2::text, $3::bigint, $4::text, $5::text"
				   " WHERE NOT EXISTS (SELECT FROM %s WHERE file = $2::text"
				   " AND line = $3::bigint AND target = $1::text"
				   " AND reason = $4::text AND raw = $5::text)",
				   target->rejects, target->rejects);
	run_command(target->conn, "BEGIN");
	for (i = 0; i < batch->nrejects; i++)
	{
		Reject	   *reject = &batch->rejects[i];

		run_command(target->conn, "SAVEPOINT reject");
		write_reject(batch, sql, reject);
		run_command(target->conn, "RELEASE SAVEPOINT reject");
		pfree(reject->reason);
		pfree(reject->raw);
	}
	run_command(target->conn, "COMMIT");
	batch->nrejects = 0;
	pfree(sql);
}

void
batch_flush(Batch *batch)
{
	if (batch->target == NULL)
		return;
	load_range(batch, 0, batch->nentries);
	write_rejects(batch);
	batch->nentries = 0;
	resetStringInfo(&batch->copy);
	resetStringInfo(&batch->raw);
}
