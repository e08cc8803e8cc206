// SPDX-License-Identifier: MIT
/* The record that tells where a thread's time went; see around/summary.h. */
#include "around/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/line.h"

#define NS_PER_US 1000
#define NS_PER_MS 1000000
#define NS_PER_S  1000000000
/* Calls that the message names; the record has all of them. */
#define MAX_NAMED 8

/* A duration with its unit, as people like it: "12.3 ms". */
static void append_duration(struct base_text *text, int64_t ns)
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
	base_text_append(text, digits);
}

static int compare(const void *left, const void *right)
{
	const struct around_syscall *one = left;
	const struct around_syscall *other = right;

	if (one->ns != other->ns)
		return one->ns < other->ns ? 1 : -1;
	return strcmp(one->name, other->name);
}

static void append_figure(struct base_text *text, const char *name, int64_t ns)
{
	base_text_literal(text, ",\"");
	base_text_append(text, name);
	base_text_literal(text, "\":");
	base_text_integer(text, ns);
}

static void append_syscalls(struct base_text *text,
			    const struct around_thread *thread)
{
	base_text_literal(text, ",\"syscalls\":{");
	for (size_t i = 0; i < thread->nr_syscalls; i++) {
		const struct around_syscall *syscall = &thread->syscalls[i];

		if (i)
			base_text_literal(text, ",");
		base_text_string(text, syscall->name, strlen(syscall->name));
		base_text_literal(text, ":{\"ns\":");
		base_text_integer(text, syscall->ns);
		base_text_literal(text, ",\"count\":");
		base_text_unsigned_integer(text, syscall->count);
		base_text_literal(text, "}");
	}
	base_text_literal(text, "}");
}

/* "; epoll_wait 9.7 ms, write 0.1 ms ×3" */
static void append_named(struct base_text *text,
			 const struct around_thread *thread)
{
	for (size_t i = 0; i < thread->nr_syscalls && i < MAX_NAMED; i++) {
		const struct around_syscall *syscall = &thread->syscalls[i];

		base_text_append(text, i ? ", " : "; ");
		base_text_append(text, syscall->name);
		base_text_literal(text, " ");
		append_duration(text, syscall->ns);
		if (syscall->count < 2)
			continue;
		base_text_literal(text, " \xc3\x97");
		base_text_unsigned(text, syscall->count);
	}
	if (thread->nr_syscalls > MAX_NAMED)
		base_text_literal(text, ", \xe2\x80\xa6");
}

static void append_message(struct base_text *text,
			   const struct around_thread *thread, int64_t elapsed,
			   bool has_losses)
{
	static const struct {
		const char *verb;
		enum around_state state;
		bool is_optional;
	} states[] = {
		{ "ran ", AROUND_STATE_RUNNING, false },
		{ "waited for a CPU ", AROUND_STATE_WAITING, false },
		{ "blocked ", AROUND_STATE_BLOCKED, false },
		{ "unknown ", AROUND_STATE_UNKNOWN, true },
	};
	const char *comma = ": ";

	if (!thread->has_logged && !elapsed) {
		base_text_literal(text, "no earlier event of this thread");
		return;
	}
	base_text_append(text, thread->has_logged
				       ? "since the previous record "
				       : "since the thread's first event ");
	append_duration(text, elapsed);
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		int64_t ns = thread->times[states[i].state];

		if (states[i].is_optional && !ns)
			continue;
		base_text_append(text, comma);
		base_text_append(text, states[i].verb);
		append_duration(text, ns);
		comma = ", ";
	}
	append_named(text, thread);
	if (has_losses)
		base_text_literal(text, "; events of that time were lost");
}

void around_summary_append(struct base_text *text, struct base_time *time,
			   struct around_thread *thread,
			   const struct around_summary_place *place)
{
	int64_t elapsed = place->ns - thread->begin;

	if (thread->nr_syscalls)
		qsort(thread->syscalls, thread->nr_syscalls,
		      sizeof(*thread->syscalls), compare);
	base_line_begin(text, "nftrace", sizeof("nftrace") - 1, place->hostname,
			place->pid, NFT_BUNYAN_NUMBER_INFO);
	base_text_literal(text, ",\"since\":{\"vtid\":");
	base_text_integer(text, place->vtid);
	if (place->cpu_id >= 0)
		append_figure(text, "cpu_id", place->cpu_id);
	base_text_append(text, thread->has_logged ? ",\"record\":true"
						  : ",\"record\":false");
	append_figure(text, "ns", elapsed);
	append_figure(text, "running_ns", thread->times[AROUND_STATE_RUNNING]);
	append_figure(text, "waiting_ns", thread->times[AROUND_STATE_WAITING]);
	append_figure(text, "blocked_ns", thread->times[AROUND_STATE_BLOCKED]);
	append_figure(text, "unknown_ns", thread->times[AROUND_STATE_UNKNOWN]);
	append_syscalls(text, thread);
	if (place->has_losses)
		base_text_literal(text, ",\"lost\":true");
	base_line_key(text, "},", msg);
	base_text_literal(text, "\"");
	append_message(text, thread, elapsed, place->has_losses);
	base_text_literal(text, "\"");
	base_line_end(text, time, base_time_ms(place->ns));
}
