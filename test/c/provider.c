// SPDX-License-Identifier: MIT
/*
 * provider names|sharing|types|torn|fork|fork-preloaded|threads: holds provider/nft.h
 * to its word. What reaches a trace is looked at by test/provider.test.js, which
 * runs this.
 */
#include "../../provider/nft.h"

#include <errno.h>
#include <float.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static const struct nft_field one_field[] = { { "n", NFT_INT32 } };

static struct nft_provider *create(const char *name)
{
	struct nft_provider *provider = NULL;

	CHECK(!nft_provider_create(name, &provider));
	return provider;
}

static int add(struct nft_provider *provider, const char *name,
	       const struct nft_field *fields, size_t nr_fields)
{
	struct nft_event *event = NULL;
	int ret = nft_provider_add_event(provider, name, NFT_INFO, fields,
					 nr_fields, &event);

	CHECK(!ret == !!event);
	return ret;
}

static int add_field(struct nft_provider *provider, const char *name)
{
	const struct nft_field field = { name, NFT_STRING };

	return add(provider, "field", &field, 1);
}

static void test_names(void)
{
	static const char *const bad[] = { "",	  "1a",	  "a-b", "a:b", "a b",
					   "a.b", "\xc3", "a*",	 "a\n" };
	struct nft_provider *provider = create("names");
	struct nft_provider *none = NULL;
	struct nft_field many[NFT_MAX_FIELDS + 1];
	char names[NFT_MAX_FIELDS + 1][16];
	char longest[300];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CHECK(nft_provider_create(bad[i], &none) == -EINVAL && !none);
		CHECK(add(provider, bad[i], NULL, 0) == -EINVAL);
		CHECK(add_field(provider, bad[i]) == -EINVAL);
	}
	CHECK(add_field(provider, "_a") == -EINVAL);
	CHECK(!add_field(provider, "a_1"));

	/* "names:" and 249 bytes are 255. */
	memset(longest, 'x', sizeof(longest));
	longest[249] = '\0';
	CHECK(!add(provider, longest, NULL, 0));
	longest[249] = 'x';
	longest[250] = '\0';
	CHECK(add(provider, longest, NULL, 0) == -EINVAL);
	CHECK(nft_provider_create(longest, &none) == 0);
	nft_provider_destroy(none);
	longest[200] = '\0';
	CHECK(!add_field(provider, longest));
	longest[200] = 'x';
	longest[201] = '\0';
	CHECK(add_field(provider, longest) == -EINVAL);

	const struct nft_field twice[] = { { "a", NFT_INT32 },
					   { "a", NFT_STRING } };
	const struct nft_field text[] = { { "x_length", NFT_INT32 },
					  { "x", NFT_TEXT } };
	const struct nft_field string[] = { { "x", NFT_STRING },
					    { "x_length", NFT_INT32 } };
	const struct nft_field unknown[] = { { "a", NFT_NR_TYPES } };

	CHECK(add(provider, "e", twice, 2) == -EINVAL);
	CHECK(add(provider, "e", text, 2) == -EINVAL);
	CHECK(!add(provider, "e", string, 2));
	CHECK(add(provider, "e", unknown, 1) == -EINVAL);

	for (int i = 0; i <= NFT_MAX_FIELDS; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "f%d", i);
		many[i] = (struct nft_field){ names[i], NFT_DOUBLE };
	}
	CHECK(!add(provider, "many", many, NFT_MAX_FIELDS));
	CHECK(add(provider, "many", many, NFT_MAX_FIELDS + 1) == -EINVAL);
	nft_provider_destroy(provider);
	nft_provider_destroy(NULL);
}

static struct nft_event *add_at(struct nft_provider *provider,
				enum nft_loglevel level)
{
	struct nft_event *event;

	CHECK(!nft_provider_add_event(provider, "event", level, one_field, 1,
				      &event));
	return event;
}

static void fire(struct nft_event *event, int64_t n)
{
	const union nft_value value = { .i = n };

	nft_fire(event, &value);
}

static void test_sharing(void)
{
	struct nft_provider *first = create("sharing");
	struct nft_provider *second = create("sharing");
	struct nft_provider *other = create("sharing");
	struct nft_event *event = add_at(first, NFT_INFO);

	/* A session wants the event; it is recorded while one holds it. */
	CHECK(add_at(second, NFT_INFO) == event);
	fire(event, 1);
	CHECK(!nft_enabled(event));
	CHECK(!nft_provider_enable(first) && !nft_provider_enable(second));
	CHECK(nft_enabled(event) && *nft_event_state(event) == 1);
	fire(event, 2);
	nft_provider_disable(first);
	fire(event, 3);
	nft_provider_destroy(second);
	CHECK(!nft_enabled(event));
	fire(event, 4);
	CHECK(!nft_provider_enable(first) && !nft_provider_enable(first));
	fire(event, 5);

	/* Another log level is another event of the same name. */
	CHECK(add_at(other, NFT_WARNING) != event);
	CHECK(nft_provider_enable(other) == -EEXIST);
	/* It is out of its provider, which can be enabled without it. */
	CHECK(!nft_provider_enable(other));
	fire(event, 6);
	nft_provider_destroy(other);
	nft_provider_destroy(first);
	fire(event, 7);
}

static void test_types(void)
{
	const struct nft_field fields[] = {
		{ "i32", NFT_INT32 },	{ "text", NFT_TEXT },
		{ "i64", NFT_INT64 },	{ "string", NFT_STRING },
		{ "yes", NFT_BOOL },	{ "u64", NFT_UINT64 },
		{ "real", NFT_DOUBLE }, { "no", NFT_BOOL },
		{ "null", NFT_STRING }, { "nothing", NFT_TEXT },
		{ "nul", NFT_STRING },
	};
	static char large[5000];
	union nft_value values[] = {
		{ .i = INT32_MIN },
		{ .s = { "text", 4 } },
		{ .i = INT64_MIN },
		{ .s = { "string", 6 } },
		{ .u = 7 },
		{ .u = 1ULL << 52 },
		{ .d = DBL_MAX },
		{ .u = 0 },
		{ .s = { NULL, 9 } },
		{ .s = { NULL, 9 } },
		{ .s = { "cut\0here", 8 } },
	};
	struct nft_provider *provider = create("types");
	struct nft_event *event, *empty;

	CHECK(!nft_provider_add_event(provider, "all", NFT_DEBUG, fields,
				      sizeof(fields) / sizeof(fields[0]),
				      &event));
	CHECK(!nft_provider_add_event(provider, "empty", NFT_EMERG, NULL, 0,
				      &empty));
	CHECK(!nft_provider_enable(provider));
	nft_fire(event, values);
	/* Sizes around that of the buffer on the stack, 512 bytes. */
	memset(large, 'y', sizeof(large) - 1);
	for (size_t size = 380; size < 520; size++) {
		values[1].s = (struct nft_string){ large, size };
		nft_fire(event, values);
	}
	values[1].s = (struct nft_string){ large, 1 };
	for (size_t size = 380; size < 520; size++) {
		values[3].s =
			(struct nft_string){ large + sizeof(large) - 1 - size,
					     size };
		nft_fire(event, values);
	}
	values[1].s = values[3].s = (struct nft_string){ large, 4999 };
	nft_fire(event, values);
	nft_fire(empty, NULL);
	nft_provider_destroy(provider);
}

/* Records "whole", then dies of SIGSEGV while it gathers another event's payload. */
static void test_torn(void)
{
	const struct nft_field field = { "text", NFT_TEXT };
	struct nft_provider *provider = create("torn");
	struct nft_event *event = NULL;
	union nft_value value = { .s = { "whole", 5 } };

	CHECK(!nft_provider_add_event(provider, "event", NFT_INFO, &field, 1,
				      &event));
	CHECK(!nft_provider_enable(provider));
	nft_fire(event, &value);
	value.s.data =
		mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(value.s.data != MAP_FAILED);
	nft_fire(event, &value);
	CHECK(!"reached");
}

static void test_fork(bool recorded_in_child)
{
	struct nft_provider *provider = create("forked");
	struct nft_event *event = add_at(provider, NFT_INFO);
	int status;
	pid_t child;

	CHECK(!nft_provider_enable(provider));
	fire(event, 1);
	child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		struct nft_provider *late = create("late");

		CHECK(nft_enabled(event) == recorded_in_child);
		(void)add_at(late, NFT_INFO);
		CHECK(nft_provider_enable(late) ==
		      (recorded_in_child ? 0 : -ECHILD));
		fire(event, 2);
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	fire(event, 3);
	nft_provider_destroy(provider);
}

#define NR_THREADS 4
#define NR_ROUNDS  2000

static void *use_provider(void *unused)
{
	for (int i = 0; i < NR_ROUNDS; i++) {
		struct nft_provider *provider = create("threads");
		struct nft_event *event = add_at(provider, NFT_INFO);

		CHECK(!nft_provider_enable(provider));
		fire(event, i);
		nft_provider_disable(provider);
		fire(event, i);
		nft_provider_destroy(provider);
	}
	return unused;
}

static void test_threads(void)
{
	pthread_t threads[NR_THREADS];

	for (int i = 0; i < NR_THREADS; i++)
		CHECK(!pthread_create(&threads[i], NULL, use_provider, NULL));
	for (int i = 0; i < NR_THREADS; i++)
		CHECK(!pthread_join(threads[i], NULL));
}

int main(int argc, char **argv)
{
	const char *test = argc == 2 ? argv[1] : "";

	CHECK(!nft_unavailable());
	if (!strcmp(test, "names"))
		test_names();
	else if (!strcmp(test, "sharing"))
		test_sharing();
	else if (!strcmp(test, "types"))
		test_types();
	else if (!strcmp(test, "torn"))
		test_torn();
	else if (!strcmp(test, "fork"))
		test_fork(false);
	else if (!strcmp(test, "fork-preloaded"))
		test_fork(true);
	else if (!strcmp(test, "threads"))
		test_threads();
	else
		CHECK(!"a test of this name");
	return 0;
}
