// SPDX-License-Identifier: MIT
/* Finds or starts the session daemon; see session/daemon.h. */
#include "session/daemon.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <lttng/lttng.h>
#include <uv.h>

#include "base/report.h"

#define PATH_ENV "LTTNG_SESSIOND_PATH"
#define PROGRAM	 "lttng-sessiond"

struct ending {
	int64_t status;
	int signal;
};

static void note_end(uv_process_t *process, int64_t status, int signal)
{
	struct ending *ending = process->data;

	ending->status = status;
	ending->signal = signal;
	uv_close((uv_handle_t *)process, NULL);
}

/*
 * Runs @argv until it ends, with our stderr and @output, a descriptor or -1, as
 * its stdout. Returns an error of libuv.
 */
static int run(char **argv, int output, struct ending *ending)
{
	uv_stdio_container_t stdio[3] = {
		{ .flags = UV_IGNORE },
		{ .flags = output < 0 ? UV_IGNORE : UV_INHERIT_FD,
		  .data.fd = output },
		{ .flags = UV_INHERIT_FD, .data.fd = 2 },
	};
	uv_process_options_t options = {
		.file = argv[0],
		.args = argv,
		.exit_cb = note_end,
		.stdio = stdio,
		.stdio_count = 3,
	};
	uv_process_t process = { .data = ending };
	uv_loop_t loop;
	int ret = uv_loop_init(&loop);

	if (ret)
		return ret;
	ret = uv_spawn(&loop, &process, &options);
	if (ret)
		uv_close((uv_handle_t *)&process, NULL);
	(void)uv_run(&loop, UV_RUN_DEFAULT);
	(void)uv_loop_close(&loop);
	return ret;
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
	struct ending ending = { 0 };
	int result = -1;
	int ret;

	if (!program) {
		base_report("out of memory");
		return -1;
	}
	if (lttng_session_daemon_alive() == 1) {
		result = 0;
		goto end;
	}
	ret = run(argv, -1, &ending);
	if (ret == UV_ENOENT)
		base_report(
			"no session daemon answers, and there is no %s to "
			"start; "
			"install it (Debian: apt-get install lttng-tools) or "
			"set " PATH_ENV,
			program);
	else if (ret)
		base_report(
			"no session daemon answers, and %s cannot be started: "
			"%s",
			program, uv_strerror(ret));
	else if (ending.status || ending.signal ||
		 lttng_session_daemon_alive() != 1)
		base_report("no session daemon answers, and %s, just started, "
			    "ended with status %d; see nftrace status",
			    program,
			    ending.signal ? 128 + ending.signal
					  : (int)ending.status);
	else
		result = 0;
end:
	free(program);
	return result;
}

/* What a program prints first; a few bytes, which a pipe holds. */
static int first_words(char **argv, char *words, size_t size)
{
	struct ending ending = { 0 };
	ssize_t count = -1;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	if (!run(argv, ends[1], &ending) && !ending.status && !ending.signal) {
		(void)close(ends[1]);
		ends[1] = -1;
		count = read(ends[0], words, size - 1);
	}
	(void)close(ends[0]);
	if (ends[1] >= 0)
		(void)close(ends[1]);
	if (count < 0)
		return -1;
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
