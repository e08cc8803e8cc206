/* SPDX-License-Identifier: MIT */
/* From a trace's messages to Bunyan lines. */
#ifndef NFTRACE_NATIVE_READER_RECORD_H
#define NFTRACE_NATIVE_READER_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include <babeltrace2/babeltrace.h>

#include "reader/class.h"
#include "reader/clock.h"
#include "reader/field.h"
#include "base/glob.h"
#include "reader/json.h"
#include "reader/loss.h"
#include "base/map.h"
#include "base/text.h"
#include "base/time.h"

struct reader_record_options {
	struct base_filter filter; /* level and name: for Bunyan's records */
	bool all;		   /* other events become records too */
	bool context; /* Bunyan's records tell their event and contexts */
};

/* What has been read. */
struct reader_counts {
	uint64_t records; /* written, of events */
	uint64_t others;  /* events that aren't Bunyan's and aren't wanted */
	uint64_t
		unknown; /* of these: of the provider, but of another contract */
	uint64_t lost_events; /* as far as their number is known */
	uint64_t gaps;	      /* that these make; each is a record of its own */
	uint64_t lost_packets;
	uint64_t packets; /* that were begun */
};

/* Who logged, and the beginning of the lines of those records. */
struct reader_identity {
	struct base_text text;	  /* {"name":…,"hostname":…,"pid":… */
	struct base_text strings; /* name and hostname, with their NULs */
	size_t hostname_offset;	  /* in strings */
	int64_t pid;
};

/* Zeroed, but for options, is ready. Not for use by several threads at once. */
struct reader_records {
	struct reader_record_options options;
	struct reader_counts counts;
	struct base_text text;	     /* lines; the caller takes them out */
	struct reader_clocks clocks; /* the caller adds and settles them */
	/* The rest is reader/record.c's own. */
	struct reader_losses losses;
	struct reader_json json;
	struct base_text members;
	struct base_time time;
	struct reader_identity last_identity;
	struct base_map classes;	 /* of struct reader_class */
	struct base_map traces;		 /* of struct reader_trace */
	struct reader_class *last_class; /* weak */
	struct reader_trace *last_trace; /* weak */
};

/*
 * Appends the line for @message to records->text, if it makes one. Returns 0
 * or -ENOMEM.
 */
int reader_records_message(struct reader_records *records,
			   const bt_message *message);

/*
 * Whether @message is a record of Bunyan's that @filter, in place of that of the
 * options, wants.
 */
bool reader_records_wants(struct reader_records *records,
			  const bt_message *message,
			  const struct base_filter *filter);

/* Frees what @records holds. */
void reader_records_free(struct reader_records *records);

#endif /* NFTRACE_NATIVE_READER_RECORD_H */
