// SPDX-License-Identifier: MIT
/* The record that tells where a thread's time went; see around/summary.h. */
#include "around/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL_SUMMARY "30"
#define NS_PER_US     1000
#define NS_PER_MS     1000000
#define NS_PER_S      1000000000
/* Calls that the message names; the record has all of them. */
#define MAX_NAMED 8

/* A duration with its unit, as people like it: "12.3 ms". */
static void append_duration(struct reader_text *text, int64_t ns)
{
	char digits[48];

	if (ns < NS_PER_US)
		(void)snprintf(digits, sizeof(digits), "%" PRId64 " ns", ns);
	else if (ns < NS_PER_MS)
		(void)snprintf(digits, sizeof(digits), "%.1f \xc2\xb5s",
			       (double)ns / NS_PER_US);
	else if (ns < NS_PER_S)
		(void)snprintf(digits, sizeof(digits), "%.1f ms",
			       (double)ns / NS_PER_MS);
	else
		(void)snprintf(digits, sizeof(digits), "%.1f s",
			       (double)ns / NS_PER_S);
	reader_text_append(text, digits);
}

static int compare(const void *left, const void *right)
{
	const struct reader_syscall *one = left;
	const struct reader_syscall *other = right;

	if (one->ns != other->ns)
		return one->ns < other->ns ? 1 : -1;
	return strcmp(one->name, other->name);
}

static void append_figure(struct reader_text *text, const char *name,
			  int64_t ns)
{
	reader_text_literal(text, ",\"");
	reader_text_append(text, name);
	reader_text_literal(text, "\":");
	reader_text_integer(text, ns);
}

static void append_syscalls(struct reader_text *text,
			    const struct reader_thread *thread)
{
	reader_text_literal(text, ",\"syscalls\":{");
	for (size_t i = 0; i < thread->nr_syscalls; i++) {
		const struct reader_syscall *syscall = &thread->syscalls[i];

		if (i)
			reader_text_literal(text, ",");
		reader_text_string(text, syscall->name, strlen(syscall->name));
		reader_text_literal(text, ":{\"ns\":");
		reader_text_integer(text, syscall->ns);
		reader_text_literal(text, ",\"count\":");
		reader_text_unsigned_integer(text, syscall->count);
		reader_text_literal(text, "}");
	}
	reader_text_literal(text, "}");
}

/* "; epoll_wait 9.7 ms, write 0.1 ms ×3" */
static void append_named(struct reader_text *text,
			 const struct reader_thread *thread)
{
	for (size_t i = 0; i < thread->nr_syscalls && i < MAX_NAMED; i++) {
		const struct reader_syscall *syscall = &thread->syscalls[i];

		reader_text_append(text, i ? ", " : "; ");
		reader_text_append(text, syscall->name);
		reader_text_literal(text, " ");
		append_duration(text, syscall->ns);
		if (syscall->count < 2)
			continue;
		reader_text_literal(text, " \xc3\x97");
		reader_text_unsigned(text, syscall->count);
	}
	if (thread->nr_syscalls > MAX_NAMED)
		reader_text_literal(text, ", \xe2\x80\xa6");
}

static void append_message(struct reader_text *text,
			   const struct reader_thread *thread, int64_t elapsed,
			   bool has_losses)
{
	static const struct {
		const char *verb;
		enum reader_state state;
		bool is_optional;
	} states[] = {
		{ "ran ", READER_STATE_RUNNING, false },
		{ "waited for a CPU ", READER_STATE_WAITING, false },
		{ "blocked ", READER_STATE_BLOCKED, false },
		{ "unknown ", READER_STATE_UNKNOWN, true },
	};
	const char *comma = ": ";

	if (!thread->has_logged && !elapsed) {
		reader_text_literal(text, "no earlier event of this thread");
		return;
	}
	reader_text_append(text, thread->has_logged
					 ? "since the previous record "
					 : "since the thread's first event ");
	append_duration(text, elapsed);
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		int64_t ns = thread->times[states[i].state];

		if (states[i].is_optional && !ns)
			continue;
		reader_text_append(text, comma);
		reader_text_append(text, states[i].verb);
		append_duration(text, ns);
		comma = ", ";
	}
	append_named(text, thread);
	if (has_losses)
		reader_text_literal(text, "; events of that time were lost");
}

void reader_summary_append(struct reader_text *text, struct reader_time *time,
			   struct reader_thread *thread,
			   const struct reader_summary_place *place)
{
	int64_t elapsed = place->ns - thread->begin;

	if (thread->nr_syscalls)
		qsort(thread->syscalls, thread->nr_syscalls,
		      sizeof(*thread->syscalls), compare);
	reader_text_literal(text, "{\"name\":\"nftrace\",\"hostname\":");
	reader_text_string(text, place->hostname, strlen(place->hostname));
	reader_text_literal(text, ",\"pid\":");
	reader_text_integer(text, place->pid);
	reader_text_literal(text, ",\"level\":" LEVEL_SUMMARY
				  ",\"since\":{\"vtid\":");
	reader_text_integer(text, place->vtid);
	if (place->cpu_id >= 0)
		append_figure(text, "cpu_id", place->cpu_id);
	reader_text_append(text, thread->has_logged ? ",\"record\":true"
						    : ",\"record\":false");
	append_figure(text, "ns", elapsed);
	append_figure(text, "running_ns", thread->times[READER_STATE_RUNNING]);
	append_figure(text, "waiting_ns", thread->times[READER_STATE_WAITING]);
	append_figure(text, "blocked_ns", thread->times[READER_STATE_BLOCKED]);
	append_figure(text, "unknown_ns", thread->times[READER_STATE_UNKNOWN]);
	append_syscalls(text, thread);
	if (place->has_losses)
		reader_text_literal(text, ",\"lost\":true");
	reader_text_literal(text, "},\"msg\":\"");
	append_message(text, thread, elapsed, place->has_losses);
	reader_text_literal(text, "\",\"time\":");
	reader_time_append(time, text, reader_time_ms(place->ns));
	reader_text_literal(text, ",\"v\":0}\n");
}
