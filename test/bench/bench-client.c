/*-------------------------------------------------------------------------
 *
 * bench-client.c
 *		Time statements as a client sees them, systems taking turns.
 *
 *		bench-client ROUNDS < STATEMENTS
 *
 * A line is "system <tab> class <tab> SQL [<tab> parameter]"; with a parameter
 * the SQL has $1 and is prepared, once for each distinct text.  Lines of class
 * "setup" run once, when the system's connection is made; connections come
 * from the environment as in psql.  Each round runs all statements, line by
 * line, so that whatever else the machine does meets all systems alike; a
 * first round is not counted.  Prints "class <tab> system <tab> n <tab> median
 * <tab> p95" in milliseconds, whole round trips.
 *
 *-------------------------------------------------------------------------
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libpq-fe.h>

#define MAX_STATEMENTS 100000
#define MAX_GROUPS 1000
#define MAX_SYSTEMS 50
#define MAX_PREPARED 1000

typedef struct Group
{
	const char *system;
	const char *class;
	double	   *times;
	int			n;
} Group;

typedef struct Statement
{
	PGconn	   *connection;
	Group	   *group;
	const char *sql;
	const char *parameter;		/* or NULL */
	char		name[16];		/* of the prepared statement */
} Statement;

static struct
{
	const char *name;
	PGconn	   *connection;
}			systems[MAX_SYSTEMS];
static int	nsystems;
static Group groups[MAX_GROUPS];
static int	ngroups;
static Statement statements[MAX_STATEMENTS];
static int	nstatements;
static struct
{
	PGconn	   *connection;
	const char *sql;
}			prepared[MAX_PREPARED];
static int	nprepared;

static void
fail(PGconn *connection, const char *sql)
{
	fprintf(stderr, "%s%s\n", PQerrorMessage(connection), sql);
	exit(1);
}

static void
check(PGconn *connection, PGresult *result, const char *sql)
{
	ExecStatusType status = PQresultStatus(result);

	if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
		fail(connection, sql);
	PQclear(result);
}

static PGconn *
connection_of(const char *name)
{
	PGconn	   *connection;

	for (int i = 0; i < nsystems; i++)
		if (strcmp(systems[i].name, name) == 0)
			return systems[i].connection;
	connection = PQconnectdb("");
	if (PQstatus(connection) != CONNECTION_OK || nsystems == MAX_SYSTEMS)
		fail(connection, name);
	systems[nsystems].name = name;
	systems[nsystems++].connection = connection;
	return connection;
}

static Group *
group_of(const char *system, const char *class)
{
	for (int i = 0; i < ngroups; i++)
		if (strcmp(groups[i].system, system) == 0 &&
			strcmp(groups[i].class, class) == 0)
			return &groups[i];
	if (ngroups == MAX_GROUPS)
	{
		fprintf(stderr, "too many classes\n");
		exit(1);
	}
	groups[ngroups].system = system;
	groups[ngroups].class = class;
	return &groups[ngroups++];
}

/* Prepare the statement, unless its text was prepared before. */
static void
prepare(Statement *statement)
{
	int			i;

	for (i = 0; i < nprepared; i++)
		if (prepared[i].connection == statement->connection &&
			strcmp(prepared[i].sql, statement->sql) == 0)
			break;
	if (i == MAX_PREPARED)
		fail(statement->connection, "too many prepared statements");
	snprintf(statement->name, sizeof(statement->name), "s%d", i);
	if (i < nprepared)
		return;
	prepared[i].connection = statement->connection;
	prepared[i].sql = statement->sql;
	nprepared++;
	check(statement->connection,
		  PQprepare(statement->connection, statement->name, statement->sql, 1,
					NULL),
		  statement->sql);
}

static void
read_statements(void)
{
	char	   *line = NULL;
	size_t		room = 0;

	while (getline(&line, &room, stdin) > 0)
	{
		char	   *text = strdup(line);
		char	   *system = strtok(text, "\t\n");
		char	   *class = strtok(NULL, "\t\n");
		char	   *sql = strtok(NULL, "\t\n");
		Statement  *statement = &statements[nstatements];

		if (sql == NULL || nstatements == MAX_STATEMENTS)
			continue;
		statement->connection = connection_of(system);
		statement->sql = sql;
		statement->parameter = strtok(NULL, "\t\n");
		if (strcmp(class, "setup") == 0)
		{
			check(statement->connection,
				  PQexec(statement->connection, sql), sql);
			continue;
		}
		statement->group = group_of(system, class);
		if (statement->parameter)
			prepare(statement);
		nstatements++;
	}
	free(line);
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static double
run(const Statement *statement)
{
	double		start = now();
	PGresult   *result;

	if (statement->parameter)
		result = PQexecPrepared(statement->connection, statement->name, 1,
								&statement->parameter, NULL, NULL, 0);
	else
		result = PQexec(statement->connection, statement->sql);
	start = now() - start;
	check(statement->connection, result, statement->sql);
	return start;
}

static int
cmp_double(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return x < y ? -1 : x > y;
}

int
main(int argc, char **argv)
{
	int			rounds = argc > 1 ? atoi(argv[1]) : 3;

	read_statements();
	for (int g = 0; g < ngroups; g++)
		groups[g].times = malloc(sizeof(double) * rounds * (nstatements + 1));
	for (int r = -1; r < rounds; r++)
		for (int s = 0; s < nstatements; s++)
		{
			double		time = run(&statements[s]);
			Group	   *group = statements[s].group;

			if (r >= 0)
				group->times[group->n++] = time;
		}
	for (int g = 0; g < ngroups; g++)
	{
		Group	   *group = &groups[g];

		if (group->n == 0)
			continue;
		qsort(group->times, group->n, sizeof(double), cmp_double);
		printf("%s\t%s\t%d\t%.3f\t%.3f\n", group->class, group->system,
			   group->n, group->times[group->n / 2],
			   group->times[group->n * 95 / 100]);
	}
	return 0;
}
