// SPDX-License-Identifier: MIT
/*
 * tracepoint SIZE COUNT: fires COUNT bunyan:info events whose msg has
 * SIZE bytes, through this library or through LTTng's macros (the program is
 * built once for each), and prints the thread's CPU time for one, in ns.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../provider/nft_bunyan.h"

#ifdef TWIN
#include "../test/c/records.h"
#define FIRE(bunyan, record) ((void)(bunyan), fire_twin(record))
#else
#define FIRE(bunyan, record) nft_bunyan_fire(bunyan, record)
#endif

static double cpu_ns(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)) {
		perror("clock_gettime");
		exit(1);
	}
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static size_t number(const char *text)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || end == text || *end) {
		(void)fprintf(stderr, "not a number: %s\n", text);
		exit(2);
	}
	return value;
}

int main(int argc, char **argv)
{
	const struct nft_bunyan *bunyan = NULL;
	struct nft_bunyan_record record = {
		.level = 30,
		.name = { "shop", 4 },
		.hostname = { "localhost", 9 },
		.pid = (int32_t)getpid(),
		.fields = { "{}", 2 },
	};
	size_t count;
	double start;
	char *msg;

	if (argc != 3) {
		(void)fprintf(stderr, "usage: %s SIZE COUNT\n", argv[0]);
		return 2;
	}
	record.msg.size = number(argv[1]);
	count = number(argv[2]);
#ifndef TWIN
	if (nft_bunyan_open(&bunyan)) {
		(void)fprintf(stderr, "%s\n", nft_unavailable());
		return 1;
	}
#endif
	msg = malloc(record.msg.size + 1);
	if (!msg) {
		perror("malloc");
		return 1;
	}
	memset(msg, 'x', record.msg.size);
	msg[record.msg.size] = '\0';
	record.msg.data = msg;
	for (size_t i = 0; i < count / 10; i++)
		FIRE(bunyan, &record);
	start = cpu_ns();
	for (size_t i = 0; i < count; i++) {
		record.time = (int64_t)i;
		FIRE(bunyan, &record);
	}
	(void)printf("%.1f\n", (cpu_ns() - start) / (double)count);
	free(msg);
	return 0;
}
