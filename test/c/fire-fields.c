// SPDX-License-Identifier: MIT
/*
 * Records events as a foreign writer might: fire-fields COUNT FIELDS [MSG [NAME]]
 * takes the text of `fields` as it is. It waits until a session wants them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../provider/nft_bunyan.h"

#define WAIT_NS	  (10L * 1000 * 1000)
#define MAX_WAITS 500
#define LEVEL	  30
#define MS_PER_S  1000
#define NS_PER_MS 1000000

static struct nft_string string(const char *text)
{
	return (struct nft_string){ text, strlen(text) };
}

static int64_t now_ms(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * MS_PER_S + now.tv_nsec / NS_PER_MS;
}

int main(int argc, char **argv)
{
	const struct timespec wait = { .tv_nsec = WAIT_NS };
	const struct nft_bunyan *bunyan;
	struct nft_bunyan_record record = { .level = LEVEL };
	struct nft_event *event;
	long count;

	if (argc < 3 || nft_bunyan_open(&bunyan) < 0) {
		(void)fputs("usage: fire-fields COUNT FIELDS [MSG [NAME]]\n",
			    stderr);
		return 2;
	}
	count = strtol(argv[1], NULL, 10);
	record.name = string(argc > 4 ? argv[4] : "foreign");
	record.hostname = string("host");
	record.pid = getpid();
	record.msg = string(argc > 3 ? argv[3] : "message");
	record.fields = string(argv[2]);
	event = bunyan->events[nft_bunyan_level(LEVEL)];
	for (int i = 0; !nft_enabled(event); i++) {
		if (i == MAX_WAITS) {
			(void)fputs("fire-fields: no session wants them\n",
				    stderr);
			return 1;
		}
		(void)nanosleep(&wait, NULL);
	}
	for (long i = 0; i < count; i++) {
		record.time = now_ms();
		nft_bunyan_fire(bunyan, &record);
	}
	return 0;
}
