/* SPDX-License-Identifier: MIT */
/* What is known about an event class and about a trace, found out once. */
#ifndef NFTRACE_NATIVE_READER_CLASS_H
#define NFTRACE_NATIVE_READER_CLASS_H

#include <stdbool.h>

#include <babeltrace2/babeltrace.h>
#include <nft_contract.h>

/* The payload's fields, as READER_HOSTNAME; see nft_contract.h. */
#define READER_MEMBER(UPPER, ...) READER_##UPPER,
enum reader_member {
	NFT_BUNYAN_FIELDS(READER_MEMBER, READER_MEMBER, READER_MEMBER)
	READER_NR_MEMBERS,
};

struct reader_class {
	const bt_event_class *event_class; /* a reference is held */
	const char *name;		   /* weak; of the event */
	bool is_of_provider; /* its name begins as those of Bunyan's */
	bool is_bunyan;	     /* and its payload is that of Bunyan's */
	uint64_t members[READER_NR_MEMBERS]; /* of a Bunyan event: indices */
};

struct reader_trace {
	const bt_trace *trace; /* a reference is held */
	const char *hostname;  /* weak; these three may be empty */
	const char *domain;    /* weak; "kernel", "ust" */
	const char *name;      /* weak */
	int64_t vpid;	       /* of a trace of one process; else 0 */
};

/* Each returns NULL when out of memory; the caller frees with the other. */
struct reader_class *reader_class_create(const bt_event_class *event_class);
void reader_class_free(void *reader_class);

struct reader_trace *reader_trace_create(const bt_trace *trace);
void reader_trace_free(void *reader_trace);

#endif /* NFTRACE_NATIVE_READER_CLASS_H */
