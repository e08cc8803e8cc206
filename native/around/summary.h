/* SPDX-License-Identifier: MIT */
/* The record that tells where a thread's time went. */
#ifndef NFTRACE_NATIVE_AROUND_SUMMARY_H
#define NFTRACE_NATIVE_AROUND_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "around/thread.h"
#include "base/time.h"

/* Where a record was made. */
struct around_summary_place {
	const char *hostname;
	int64_t pid;
	int64_t vtid;
	int64_t cpu_id;	 /* -1: not known */
	int64_t ns;	 /* since the epoch */
	bool has_losses; /* events are missing since the account began */
};

/*
 * Appends a Bunyan record, as a line, for @thread's account, which is up to
 * date; its calls get sorted by their time.
 */
void around_summary_append(struct base_text *text, struct base_time *time,
			   struct around_thread *thread,
			   const struct around_summary_place *place);

#endif /* NFTRACE_NATIVE_AROUND_SUMMARY_H */
