// SPDX-License-Identifier: MIT
/* Starts processes; see base/spawn.h. */
#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Moves a descriptor out of the way of stdin, stdout and stderr. */
static int lift(int fd)
{
	return fd < 0 || fd > STDERR_FILENO
		       ? fd
		       : fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/* Sets one of the three. Returns 0 or -1 with errno. */
static int set_stdio(int fd, int source, int null)
{
	int flags;

	if (source != fd)
		return dup2(source == BASE_SPAWN_NULL ? null : source, fd) < 0
			       ? -1
			       : 0;
	/* Programs expect it to block, whatever another process has made of it. */
	flags = fcntl(fd, F_GETFL);
	if (flags >= 0 && (flags & O_NONBLOCK))
		(void)fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
	return 0;
}

static void reset_signals(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, &action, NULL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Becomes the program. Returns, with errno, if that fails. */
static void become(char *const argv[], const struct base_spawn *how,
		   pid_t parent)
{
	int null = lift(open("/dev/null", O_RDWR | O_CLOEXEC));

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (set_stdio(fd, how->stdio[fd], null))
			return;
	if (how->has_session)
		(void)setsid();
	reset_signals();
	if (how->ends_with_us) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* It may have ended before that. */
		errno = ESRCH;
		if (getppid() != parent)
			return;
	}
	(void)execvp(argv[0], argv);
}

pid_t base_spawn(char *const argv[], const struct base_spawn *how)
{
	pid_t parent = getpid();
	sigset_t all, old;
	int error = 0;
	ssize_t size;
	int ends[2];
	pid_t pid;

	/* Closed without a word by a process that becomes another program. */
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	/* None of our handlers is to run in the other process. */
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &old);
	pid = fork();
	if (!pid) {
		int answer = lift(ends[1]);

		become(argv, how, parent);
		error = errno;
		(void)!write(answer, &error, sizeof(error));
		_exit(EXIT_FAILURE);
	}
	if (pid < 0)
		error = errno;
	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	(void)close(ends[1]);
	do
		size = read(ends[0], &error, sizeof(error));
	while (size < 0 && errno == EINTR);
	(void)close(ends[0]);
	if (!error)
		return pid;
	if (pid > 0)
		(void)base_spawn_wait(pid);
	return -error;
}

int base_spawn_status(int status)
{
	return WIFSIGNALED(status) ? BASE_SPAWN_SIGNAL + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

int base_spawn_wait(pid_t pid)
{
	int status;
	pid_t ended;

	do
		ended = waitpid(pid, &status, 0);
	while (ended < 0 && errno == EINTR);
	return ended < 0 ? -errno : base_spawn_status(status);
}

pid_t base_spawn_function(int (*run)(void *data), void *data)
{
	pid_t pid = fork();

	if (!pid) {
		(void)setsid();
		_exit(run(data));
	}
	return pid < 0 ? -errno : pid;
}

void base_spawn_leave_terminal(bool is_silent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0)
		return;
	(void)dup2(null, STDIN_FILENO);
	(void)dup2(null, STDOUT_FILENO);
	if (is_silent)
		(void)dup2(null, STDERR_FILENO);
	if (null > STDERR_FILENO)
		(void)close(null);
}
