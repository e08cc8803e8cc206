// SPDX-License-Identifier: MIT
/* Tests of base/spawn.h. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/spawn.h"

static const struct base_spawn silent = {
	.stdio = { BASE_SPAWN_NULL, BASE_SPAWN_NULL, STDERR_FILENO },
};

/* Runs a script of the shell. Returns what base_spawn_wait() does. */
static int run_script(const char *script, const struct base_spawn *how)
{
	char *argv[] = { "sh", "-c", (char *)script, NULL };
	pid_t pid = base_spawn(argv, how);

	return pid < 0 ? pid : base_spawn_wait(pid);
}

static void statuses_are_a_shells(void **state)
{
	char *missing[] = { "/nowhere/nothing", NULL };
	char *folder[] = { "/", NULL };

	(void)state;
	assert_int_equal(run_script("exit 0", &silent), 0);
	assert_int_equal(run_script("exit 7", &silent), 7);
	assert_int_equal(run_script("kill -TERM $$", &silent),
			 BASE_SPAWN_SIGNAL + SIGTERM);
	assert_int_equal(base_spawn(missing, &silent), -ENOENT);
	assert_int_equal(base_spawn(folder, &silent), -EACCES);
	/* Those that became no program are waited for. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(base_spawn_wait(getpid()), -ECHILD);
}

/* What a script prints through a pipe. */
static void check_output(const char *script, struct base_spawn how,
			 const char *expected)
{
	char text[256];
	ssize_t size;
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	how.stdio[1] = ends[1];
	check_number(script, run_script(script, &how), 0);
	(void)close(ends[1]);
	size = read(ends[0], text, sizeof(text));
	(void)close(ends[0]);
	assert_true(size >= 0);
	check_string(script, text, (size_t)size, expected);
}

static void programs_get_what_they_are_given(void **state)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct base_spawn how = silent;
	struct sigaction before;
	sigset_t usr1, old;

	(void)state;
	check_output("readlink /proc/self/fd/0", silent, "/dev/null\n");
	/* Neither what we ignore nor what we block is the program's. */
	(void)sigemptyset(&usr1);
	(void)sigaddset(&usr1, SIGUSR1);
	assert_int_equal(sigprocmask(SIG_BLOCK, &usr1, &old), 0);
	assert_int_equal(sigaction(SIGPIPE, &ignore, &before), 0);
	/* But for two that are the C library's own; make(1) ignores them. */
	check_output("grep -cE '^Sig(Blk|Ign):\t0{7}[01][08]0{7}$' "
		     "/proc/self/status",
		     silent, "2\n");
	assert_int_equal(sigaction(SIGPIPE, &before, NULL), 0);
	assert_int_equal(sigprocmask(SIG_SETMASK, &old, NULL), 0);
	/* A session of its own, if it is to have one. */
	check_output("test $(cut -d' ' -f6 /proc/$$/stat) = $$ || echo no",
		     silent, "no\n");
	how.has_session = true;
	check_output("test $(cut -d' ' -f6 /proc/$$/stat) = $$ && echo yes",
		     how, "yes\n");
}

static void our_mask_and_stdin_stay(void **state)
{
	const struct base_spawn how = {
		.stdio = { STDIN_FILENO, BASE_SPAWN_NULL, STDERR_FILENO },
	};
	int saved = dup(STDIN_FILENO);
	sigset_t before, after;
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &before), 0);
	/* Blocks until there is a line, as programs expect. */
	assert_int_equal(write(ends[1], "line\n", 5), 5);
	assert_int_equal(run_script("read line; test \"$line\" = line", &how),
			 0);
	assert_false(fcntl(STDIN_FILENO, F_GETFL) & O_NONBLOCK);
	assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &after), 0);
	for (int i = 1; i < NSIG; i++)
		assert_int_equal(sigismember(&before, i),
				 sigismember(&after, i));
	assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
	(void)close(saved);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

/* Starts a program that would not end, tells which, and ends. */
static int start_and_end(void *data)
{
	char *argv[] = { "sleep", "20", NULL };
	struct base_spawn how = silent;
	pid_t pid;

	how.ends_with_us = true;
	pid = base_spawn(argv, &how);
	return write(*(int *)data, &pid, sizeof(pid)) == sizeof(pid) ? 3 : 4;
}

static void programs_end_with_us(void **state)
{
	int ends[2];
	pid_t pid, inner;

	(void)state;
	/* Who is left without a parent comes to us. */
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid = base_spawn_function(start_and_end, &ends[1]);
	assert_true(pid > 0);
	assert_int_equal(base_spawn_wait(pid), 3);
	assert_int_equal(read(ends[0], &inner, sizeof(inner)), sizeof(inner));
	assert_true(inner > 0);
	assert_int_equal(base_spawn_wait(inner), BASE_SPAWN_SIGNAL + SIGKILL);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

/* Tells by its exit status which of the three are not /dev/null. */
static int leave(void *data)
{
	int zero = open("/dev/zero", O_RDWR | O_CLOEXEC);
	char name[64];
	int status = 0;

	for (int fd = 0; fd < 3; fd++)
		(void)dup2(zero, fd);
	base_spawn_leave_terminal(*(bool *)data);
	for (int fd = 0; fd < 3; fd++) {
		char path[32];
		ssize_t size;

		(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		size = readlink(path, name, sizeof(name));
		if (size != 9 || memcmp(name, "/dev/null", 9) != 0)
			status |= 1 << fd;
	}
	return getsid(0) == getpid() ? status : 8;
}

static void functions_run_beside_us(void **state)
{
	bool is_silent = false;
	pid_t pid = base_spawn_function(leave, &is_silent);

	(void)state;
	assert_true(pid > 0);
	assert_int_equal(base_spawn_wait(pid), 4);
	is_silent = true;
	pid = base_spawn_function(leave, &is_silent);
	assert_true(pid > 0);
	assert_int_equal(base_spawn_wait(pid), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statuses_are_a_shells),
		cmocka_unit_test(programs_get_what_they_are_given),
		cmocka_unit_test(our_mask_and_stdin_stay),
		cmocka_unit_test(programs_end_with_us),
		cmocka_unit_test(functions_run_beside_us),
	};

	return cmocka_run_group_tests_name("base-spawn", tests, NULL, NULL);
}
