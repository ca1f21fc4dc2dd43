/*-------------------------------------------------------------------------
 *
 * bench-client.c
 *		Time statements as a client sees them, systems taking turns.
 *
 *		bench-client CONNINFO ROUNDS FILE...
 *
 * A line of a file is "system <tab> class <tab> SQL", one statement; "\n" in
 * the SQL stands for a line break.  "PREPARED:SQL with $1 <tab> parameter" is
 * prepared once for each distinct text.  Each system has a connection of its
 * own.  Lines of class "setup" run once, before all others of the system; one
 * with "PROGRAM:COMMAND" makes it a system without a server: the command is
 * started, gets the other lines as they are, and answers each with one that
 * begins with the milliseconds it took.
 *
 * Each round goes through the classes.  Within a class the systems take turns
 * statement by statement, so that whatever else the machine does meets all
 * alike.  Who begins changes, and each system starts at another statement of
 * its own: none finds in the caches what the one before it has just read for
 * the same query.  A first round is not counted.
 *
 * Prints "class <tab> system <tab> n <tab> median <tab> p95 <tab> ratio": times
 * in milliseconds, whole round trips, or what programs say; the ratio is that
 * of the median to the one of the system that the files name first, "-" where
 * that has none.
 *
 *-------------------------------------------------------------------------
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <libpq-fe.h>

#define MAX_CLASSES 100
#define MAX_SYSTEMS 50
#define MAX_PREPARED 1000

typedef struct System
{
	const char *name;
	PGconn	   *connection;		/* or a program */
	FILE	   *to;
	FILE	   *from;
} System;

typedef struct Statement
{
	const char *sql;
	const char *parameter;		/* or NULL */
	char		name[16];		/* of the prepared statement */
} Statement;

/* The statements of one class and system, and their times. */
typedef struct Group
{
	Statement  *statements;
	int			nstatements;
	double	   *times;
	int			n;
	double		median;
} Group;

static const char *conninfo;
static System systems[MAX_SYSTEMS];
static int	nsystems;
static const char *classes[MAX_CLASSES];
static int	nclasses;
static Group groups[MAX_CLASSES][MAX_SYSTEMS];
static struct
{
	PGconn	   *connection;
	const char *sql;
}			prepared[MAX_PREPARED];
static int	nprepared;

static void
die(const char *message, const char *what)
{
	fprintf(stderr, "%s: %s\n", message, what);
	exit(1);
}

static void
check(PGconn *connection, PGresult *result, const char *sql)
{
	ExecStatusType status = PQresultStatus(result);

	if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
		die(PQerrorMessage(connection), sql);
	PQclear(result);
}

/* ---- what is asked ---- */

static int
system_of(const char *name)
{
	for (int s = 0; s < nsystems; s++)
		if (strcmp(systems[s].name, name) == 0)
			return s;
	if (nsystems == MAX_SYSTEMS)
		die("too many systems", name);
	systems[nsystems].name = name;
	return nsystems++;
}

static PGconn *
connection_of(System *system)
{
	if (system->connection == NULL)
		system->connection = PQconnectdb(conninfo);
	if (PQstatus(system->connection) != CONNECTION_OK)
		die(PQerrorMessage(system->connection), system->name);
	return system->connection;
}

/* Start the program of a system; it ends at the end of its input, as we do. */
static void
start_program(System *system, const char *command)
{
	int			to[2];
	int			from[2];
	pid_t		pid;

	if (pipe(to) != 0 || pipe(from) != 0 || (pid = fork()) < 0)
		die("cannot start", command);
	if (pid == 0)
	{
		dup2(to[0], STDIN_FILENO);
		dup2(from[1], STDOUT_FILENO);
		close(to[0]);
		close(to[1]);
		close(from[0]);
		close(from[1]);
		execl("/bin/sh", "sh", "-c", command, (char *) NULL);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	/* not for the programs that start later */
	fcntl(to[1], F_SETFD, FD_CLOEXEC);
	fcntl(from[0], F_SETFD, FD_CLOEXEC);
	system->to = fdopen(to[1], "w");
	system->from = fdopen(from[0], "r");
}

static int
class_of(const char *name)
{
	for (int c = 0; c < nclasses; c++)
		if (strcmp(classes[c], name) == 0)
			return c;
	if (nclasses == MAX_CLASSES)
		die("too many classes", name);
	classes[nclasses] = name;
	return nclasses++;
}

/* Prepare the statement, unless its text was prepared before. */
static void
prepare(PGconn *connection, Statement *statement)
{
	int			i;

	for (i = 0; i < nprepared; i++)
		if (prepared[i].connection == connection &&
			strcmp(prepared[i].sql, statement->sql) == 0)
			break;
	if (i == MAX_PREPARED)
		die("too many prepared statements", statement->sql);
	snprintf(statement->name, sizeof(statement->name), "s%d", i);
	if (i < nprepared)
		return;
	prepared[i].connection = connection;
	prepared[i].sql = statement->sql;
	nprepared++;
	check(connection,
		  PQprepare(connection, statement->name, statement->sql, 1, NULL),
		  statement->sql);
}

/* Cut a field off the text; NULL if there is none left. */
static char *
field(char **text)
{
	char	   *start = *text;
	char	   *tab = start ? strchr(start, '\t') : NULL;

	if (tab)
		*tab = '\0';
	*text = tab ? tab + 1 : NULL;
	return start;
}

static void
break_lines(char *sql)
{
	for (char *at; (at = strstr(sql, "\\n")) != NULL; sql = at + 1)
	{
		*at = '\n';
		memmove(at + 1, at + 2, strlen(at + 2) + 1);
	}
}

static void
add_statement(Group *group, System *system, const char *sql,
			  const char *parameter)
{
	static const char prefix[] = "PREPARED:";
	Statement  *statement;

	/* room doubles whenever the number is a power of two */
	if ((group->nstatements & (group->nstatements - 1)) == 0)
		group->statements = realloc(group->statements, sizeof(Statement) *
									(2 * group->nstatements + 1));
	statement = &group->statements[group->nstatements++];
	statement->sql = sql;
	statement->parameter = NULL;
	if (strncmp(sql, prefix, sizeof(prefix) - 1) != 0)
		return;
	if (parameter == NULL)
		die("no parameter", sql);
	statement->sql = sql + sizeof(prefix) - 1;
	statement->parameter = parameter;
	prepare(connection_of(system), statement);
}

static void
set_up(System *system, const char *sql)
{
	static const char prefix[] = "PROGRAM:";

	if (strncmp(sql, prefix, sizeof(prefix) - 1) == 0)
		start_program(system, sql + sizeof(prefix) - 1);
	else
		check(connection_of(system), PQexec(connection_of(system), sql), sql);
}

static void
read_line(char *text)
{
	char	   *system = field(&text);
	char	   *class = field(&text);
	char	   *sql = field(&text);
	char	   *parameter = field(&text);
	int			s;

	if (sql == NULL)
		die("no SQL in line", system);
	break_lines(sql);
	s = system_of(system);
	if (strcmp(class, "setup") == 0)
		set_up(&systems[s], sql);
	else
		add_statement(&groups[class_of(class)][s], &systems[s], sql,
					  parameter);
}

static void
read_file(const char *path)
{
	FILE	   *file = fopen(path, "r");
	char	   *line = NULL;
	size_t		room = 0;
	ssize_t		length;

	if (file == NULL)
	{
		perror(path);
		exit(1);
	}
	while ((length = getline(&line, &room, file)) > 0)
	{
		if (line[length - 1] == '\n')
			line[length - 1] = '\0';
		if (*line)
			read_line(strdup(line));
	}
	free(line);
	fclose(file);
}

/* ---- asking ---- */

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static double
run_program(System *system, const char *line)
{
	static char *answer;
	static size_t room;

	fprintf(system->to, "%s\n", line);
	fflush(system->to);
	if (getline(&answer, &room, system->from) <= 0)
		die("no answer", system->name);
	return strtod(answer, NULL);
}

static double
run(System *system, const Statement *statement)
{
	PGconn	   *connection;
	double		start;
	PGresult   *result;

	if (system->to)
		return run_program(system, statement->sql);
	connection = connection_of(system);
	start = now();
	if (statement->parameter)
		result = PQexecPrepared(connection, statement->name, 1,
								&statement->parameter, NULL, NULL, 0);
	else
		result = PQexec(connection, statement->sql);
	start = now() - start;
	check(connection, result, statement->sql);
	return start;
}

/* One statement of each system. */
static void
run_turn(Group *class, int round, int turn)
{
	for (int i = 0; i < nsystems; i++)
	{
		int			s = (i + turn + round + 1) % nsystems;
		Group	   *group = &class[s];
		double		time;

		if (turn >= group->nstatements)
			continue;
		time = run(&systems[s],
				   &group->statements[(turn + s * group->nstatements /
									   nsystems) % group->nstatements]);
		if (round >= 0)
			group->times[group->n++] = time;
	}
}

static int
most_statements(const Group *class)
{
	int			most = 0;

	for (int s = 0; s < nsystems; s++)
		if (class[s].nstatements > most)
			most = class[s].nstatements;
	return most;
}

static void
run_rounds(int rounds)
{
	for (int c = 0; c < nclasses; c++)
		for (int s = 0; s < nsystems; s++)
			groups[c][s].times = malloc(sizeof(double) *
										(rounds * groups[c][s].nstatements + 1));
	for (int round = -1; round < rounds; round++)
		for (int c = 0; c < nclasses; c++)
			for (int turn = 0; turn < most_statements(groups[c]); turn++)
				run_turn(groups[c], round, turn);
}

/* ---- what came out ---- */

static int
cmp_double(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return x < y ? -1 : x > y;
}

static void
print_class(int c)
{
	Group	   *first = &groups[c][0];

	for (int s = 0; s < nsystems; s++)
	{
		Group	   *group = &groups[c][s];

		if (group->n == 0)
			continue;
		qsort(group->times, group->n, sizeof(double), cmp_double);
		group->median = (group->times[(group->n - 1) / 2] +
						 group->times[group->n / 2]) / 2;
		printf("%s\t%s\t%d\t%.4f\t%.4f\t", classes[c], systems[s].name,
			   group->n, group->median,
			   group->times[(group->n * 95 + 99) / 100 - 1]);
		if (first->n > 0)
			printf("%.3f\n", group->median / first->median);
		else
			printf("-\n");
	}
}

int
main(int argc, char **argv)
{
	int			rounds;

	if (argc < 4)
	{
		fprintf(stderr, "usage: %s CONNINFO ROUNDS FILE...\n", argv[0]);
		return 2;
	}
	/* a program that died gives no answer */
	signal(SIGPIPE, SIG_IGN);
	conninfo = argv[1];
	rounds = atoi(argv[2]);
	for (int i = 3; i < argc; i++)
		read_file(argv[i]);
	run_rounds(rounds > 0 ? rounds : 1);
	for (int c = 0; c < nclasses; c++)
		print_class(c);
	return 0;
}
