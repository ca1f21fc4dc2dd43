/*-------------------------------------------------------------------------
 *
 * source.c
 *		Files and standard input as bytes, decompressed.
 *
 * What a file is compressed with is told by its first bytes, not by its name.
 * Decompression is done by the tools themselves (gzip, zstd, bzip2, xz) in a
 * child that reads the file and writes to a pipe: memory stays flat, and a
 * damaged archive is known by the child's exit code.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"

#define MAGIC_SIZE 6

struct Source
{
	const char *name;
	int			fd;				/* plain bytes come from here */
	int			file;			/* the file itself, for its position */
	const char *tool;			/* NULL: not compressed */
	pid_t		child;			/* the tool, or 0 */
	pid_t		feeder;			/* who hands standard input to it, or 0 */
	int64		size;
	int64		given;			/* bytes handed out */
	char		head[MAGIC_SIZE];	/* of standard input, read for its magic */
	int			nhead;
	bool		failed;
};

static const struct
{
	const char *magic;
	int			len;
	const char *tool;
}			tools[] = {
	{"\037\213", 2, "gzip"},
	{"(\265/\375", 4, "zstd"},
	{"BZh", 3, "bzip2"},
	{"\3757zXZ", 6, "xz"},
};

/* Read "size" bytes unless the end comes first. */
static ssize_t
read_full(int fd, char *buf, size_t size)
{
	size_t		n = 0;

	while (n < size)
	{
		ssize_t		got = read(fd, buf + n, size - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		n += got;
	}
	return (ssize_t) n;
}

static bool
write_full(int fd, const char *buf, size_t size)
{
	while (size > 0)
	{
		ssize_t		put = write(fd, buf, size);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		buf += put;
		size -= put;
	}
	return true;
}

static void
make_pipe(int *ends)
{
	if (pipe(ends) != 0)
		die(EXIT_SERVER, "could not create a pipe: %s", strerror(errno));
}

static pid_t
start_child(void)
{
	pid_t		pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		die(EXIT_SERVER, "could not start a process: %s", strerror(errno));
	return pid;
}

/*
 * Standard input was read for its magic and cannot be wound back: a process
 * hands those bytes and the rest to the tool.
 */
static int
start_feeder(Source *source)
{
	int			ends[2];

	make_pipe(ends);
	source->feeder = start_child();
	if (source->feeder == 0)
	{
		char		buf[65536];
		ssize_t		n = source->nhead;

		close(ends[0]);
		signal(SIGPIPE, SIG_DFL);
		memcpy(buf, source->head, n);
		while (n > 0 && write_full(ends[1], buf, n))
			n = read_full(source->file, buf, sizeof(buf));
		_exit(n == 0 ? 0 : 1);
	}
	close(ends[1]);
	source->nhead = 0;
	return ends[0];
}

/* Put the tool between the file and us. */
static void
start_tool(Source *source)
{
	int			from = source->file;
	int			ends[2];

	if (source->nhead > 0)
		from = start_feeder(source);
	make_pipe(ends);
	source->child = start_child();
	if (source->child == 0)
	{
		dup2(from, STDIN_FILENO);
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		if (ends[1] != STDOUT_FILENO)
			close(ends[1]);
		signal(SIGPIPE, SIG_DFL);
		execlp(source->tool, source->tool, "-dc", (char *) NULL);
		_exit(127);
	}
	close(ends[1]);
	if (from != source->file)
		close(from);
	source->fd = ends[0];
	fcntl(source->fd, F_SETFD, FD_CLOEXEC);
}

Source *
source_open(const char *name)
{
	Source	   *source = palloc0(sizeof(Source));
	bool		is_stdin = strcmp(name, "-") == 0;
	struct stat st;
	int			i;

	source->name = is_stdin ? "standard input" : name;
	source->file = is_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	if (source->file < 0 || fstat(source->file, &st) != 0)
	{
		warn("could not open \"%s\": %s", name, strerror(errno));
		pfree(source);
		return NULL;
	}
	if (S_ISDIR(st.st_mode))
	{
		warn("\"%s\" is a folder", name);
		close(source->file);
		pfree(source);
		return NULL;
	}
	source->size = S_ISREG(st.st_mode) ? st.st_size : -1;
	source->fd = source->file;
	source->nhead = (int) read_full(source->file, source->head, MAGIC_SIZE);
	if (source->nhead < 0)
	{
		warn("could not read \"%s\": %s", name, strerror(errno));
		close(source->file);
		pfree(source);
		return NULL;
	}
	for (i = 0; i < lengthof(tools) && source->tool == NULL; i++)
	{
		if (source->nhead >= tools[i].len &&
			memcmp(source->head, tools[i].magic, tools[i].len) == 0)
			source->tool = tools[i].tool;
	}

	/* a file is wound back; a pipe's bytes are kept */
	if (lseek(source->file, -(off_t) source->nhead, SEEK_CUR) >= 0)
		source->nhead = 0;
	if (source->tool != NULL)
		start_tool(source);
	return source;
}

size_t
source_read(void *arg, char *buf, size_t size)
{
	Source	   *source = arg;
	ssize_t		n;

	if (source->nhead > 0)
	{
		n = Min((size_t) source->nhead, size);
		memcpy(buf, source->head, n);
		memmove(source->head, source->head + n, source->nhead - n);
		source->nhead -= (int) n;
	}
	else
	{
		do
			n = read(source->fd, buf, size);
		while (n < 0 && errno == EINTR);
		if (n < 0)
		{
			warn("could not read \"%s\": %s", source->name, strerror(errno));
			source->failed = true;
			n = 0;
		}
	}
	source->given += n;
	return (size_t) n;
}

int64
source_size(const Source *source)
{
	return source->size;
}

int64
source_done(const Source *source)
{
	off_t		at;

	if (source->tool == NULL)
		return source->given;
	at = lseek(source->file, 0, SEEK_CUR);
	return at < 0 ? -1 : (int64) at;
}

bool
source_close(Source *source, bool to_the_end)
{
	bool		ok = !source->failed;
	int			status = 0;

	if (source->fd != source->file)
		close(source->fd);
	if (source->child > 0)
	{
		/* a tool stopped early by us dies of its broken pipe */
		while (waitpid(source->child, &status, 0) < 0 && errno == EINTR)
			;
		if (to_the_end && status != 0)
		{
			if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
				warn("\"%s\" needs the program %s, which could not be run",
					 source->name, source->tool);
			else
				warn("\"%s\" is damaged: %s could not read it to its end; "
					 "what came before was taken", source->name, source->tool);
			ok = false;
		}
	}
	if (source->feeder > 0)
	{
		if (!to_the_end)
			kill(source->feeder, SIGTERM);
		while (waitpid(source->feeder, &status, 0) < 0 && errno == EINTR)
			;
	}
	if (source->file != STDIN_FILENO)
		close(source->file);
	pfree(source);
	return ok;
}
