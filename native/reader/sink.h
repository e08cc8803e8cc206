/* SPDX-License-Identifier: MIT */
/*
 * The babeltrace2 sink component that writes Bunyan lines: what `nftrace read`,
 * `nftrace tail` and the plugin sink.nftrace.bunyan have in common.
 */
#ifndef NFTRACE_NATIVE_READER_SINK_H
#define NFTRACE_NATIVE_READER_SINK_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <babeltrace2/babeltrace.h>

#include "reader/record.h"

struct reader_input;

/* Takes an input's messages in place of struct reader_records. */
struct reader_consumer {
	/* A stream is going to be read. May be NULL. */
	void (*stream)(void *data, const bt_stream *stream);
	/*
	 * All are known. Returns 0, or a negative errno to read none: the graph
	 * ends. May be NULL.
	 */
	int (*begin)(void *data);
	/* The next message by time. Returns 0 or -ENOMEM. */
	int (*message)(void *data, const bt_message *message);
	void *data; /* weak */
};

struct reader_sink {
	struct reader_records records;
	int fd; /* lines go here */
	/*
	 * Called when an input ends before its time, with the name of its
	 * stream and the reason in the current thread's error, which it takes;
	 * the others are read on. NULL: the component fails.
	 */
	void (*failed)(void *data, const char *stream);
	void *data;	 /* weak; for failed */
	bool is_flushed; /* lines are written at once, not by 64 KiB */
	/*
	 * Clocks of one host get one epoch; see reader/clock.h. For inputs of
	 * which each has one trace: what was merged before stays as it is.
	 */
	bool has_common_epoch;
	const struct reader_consumer
		*consumer; /* weak; NULL: records takes them */
	/*
	 * Weak. Where a signal handler leaves a value other than 0, so that a
	 * write that nobody reads is given up, with EINTR; NULL: never.
	 */
	const volatile sig_atomic_t *stop;
	int write_error; /* errno of a write() that failed; ends the graph */
	/* The rest is reader/sink.c's own. */
	struct reader_input *inputs;
	size_t nr_inputs;
	size_t nr_open;
	bool is_begun;
	uint64_t mip; /* message interchange protocol of the graph */
};

/*
 * The component's class, for a graph in this program. NULL, with the current
 * thread's error set, when out of memory. The caller holds a reference.
 */
bt_component_class_sink *reader_sink_class(void);

/*
 * Adds the component, as "sink", to @graph. It has @nr_inputs input ports,
 * whose messages it merges by time. Of @sink, records.options, fd, failed, data,
 * is_flushed, has_common_epoch and consumer are the caller's; the rest is zeroed. @sink must outlive the
 * graph and then be given to reader_sink_free().
 */
bt_graph_add_component_status
reader_sink_add(struct reader_sink *sink, bt_graph *graph,
		const bt_component_class_sink *class, size_t nr_inputs,
		const bt_component_sink **component);

void reader_sink_free(struct reader_sink *sink);

/* Writes the lines that are ready. Returns 0, or -.write_error. */
int reader_sink_flush(struct reader_sink *sink);

/*
 * Methods for the class of a component whose data is a struct reader_sink; see
 * babeltrace2's documentation. After the second one, @sink may be freed.
 */
bt_component_class_sink_graph_is_configured_method_status
reader_sink_graph_is_configured(bt_self_component_sink *self);
void reader_sink_finalize(bt_self_component_sink *self);
bt_component_class_sink_consume_method_status
reader_sink_consume(bt_self_component_sink *self);
bt_component_class_get_supported_mip_versions_method_status
reader_sink_get_supported_mip_versions(bt_self_component_class_sink *self,
				       const bt_value *parameters, void *data,
				       bt_logging_level log_level,
				       bt_integer_range_set_unsigned *versions);

#endif /* NFTRACE_NATIVE_READER_SINK_H */
