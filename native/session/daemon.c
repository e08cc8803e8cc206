// SPDX-License-Identifier: MIT
/* Finds or starts the session daemon; see session/daemon.h. */
#include "session/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <lttng/lttng.h>
#include <uv.h>

#include "base/report.h"
#include "base/spawn.h"

#define PATH_ENV "LTTNG_SESSIOND_PATH"
#define PROGRAM	 "lttng-sessiond"

/*
 * Runs @argv until it ends, with our stderr and @output, a descriptor or
 * BASE_SPAWN_NULL, as its stdout. Returns what base_spawn_wait() does.
 */
static int run(char **argv, int output)
{
	const struct base_spawn how = {
		.stdio = { BASE_SPAWN_NULL, output, STDERR_FILENO },
	};
	pid_t pid = base_spawn(argv, &how);

	return pid < 0 ? pid : base_spawn_wait(pid);
}

static char *find_program(void)
{
	const char *path = getenv(PATH_ENV);

	return strdup(path && *path ? path : PROGRAM);
}

int session_daemon_ensure(void)
{
	char *program = find_program();
	/* Its first process ends once the daemon answers. */
	char *argv[] = { program, "--daemonize", NULL };
	int result = -EIO;
	int ret;

	if (!program) {
		base_report("out of memory");
		return -ENOMEM;
	}
	if (lttng_session_daemon_alive() == 1) {
		result = 0;
		goto end;
	}
	ret = run(argv, BASE_SPAWN_NULL);
	if (ret == -ENOENT)
		base_report(
			"no session daemon answers, and there is no %s to "
			"start; "
			"install it (Debian: apt-get install lttng-tools) or "
			"set " PATH_ENV,
			program);
	else if (ret < 0)
		base_report(
			"no session daemon answers, and %s cannot be started: "
			"%s",
			program, uv_strerror(ret));
	else if (ret || lttng_session_daemon_alive() != 1)
		base_report("no session daemon answers, and %s, just started, "
			    "ended with status %d; see nftrace status",
			    program, ret);
	else
		result = 0;
end:
	free(program);
	return result;
}

/*
 * What a program prints first; a few bytes, which a pipe holds. Returns 0 or a
 * negative errno.
 */
static int first_words(char **argv, char *words, size_t size)
{
	ssize_t count = -1;
	int ret;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	ret = run(argv, ends[1]);
	if (!ret) {
		(void)close(ends[1]);
		ends[1] = -1;
		count = read(ends[0], words, size - 1);
	}
	(void)close(ends[0]);
	if (ends[1] >= 0)
		(void)close(ends[1]);
	if (count < 0)
		return ret < 0 ? ret : -EIO;
	words[count] = '\0';
	return 0;
}

char *session_daemon_version(pid_t pid)
{
	char path[32], words[128];
	char *program = find_program();
	char *argv[] = { path, "--version", NULL };
	char *version = NULL;

	(void)snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	if (!pid || access(path, X_OK))
		argv[0] = program;
	if (argv[0] && !first_words(argv, words, sizeof(words))) {
		words[strcspn(words, " \n")] = '\0';
		version = strdup(words);
	}
	free(program);
	return version;
}
