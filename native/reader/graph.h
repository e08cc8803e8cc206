/* SPDX-License-Identifier: MIT */
/* A babeltrace2 graph from sources to the sink, and running it. */
#ifndef NFTRACE_NATIVE_READER_GRAPH_H
#define NFTRACE_NATIVE_READER_GRAPH_H

#include <stdbool.h>

#include <babeltrace2/babeltrace.h>

#include "reader/sink.h"
#include "reader/source.h"

/* Zeroed, but for sink's options, is ready for reader_graph_open(). */
struct reader_graph {
	bt_graph *graph; /* a reference is held */
	struct reader_sink sink;
};

enum reader_run {
	READER_RUN_OK,	  /* there is more */
	READER_RUN_AGAIN, /* live: nothing now */
	READER_RUN_END,
	READER_RUN_FAILED, /* printed why, but for sink.write_error */
};

/*
 * Builds the graph of the sources that have parameters. Returns 0; or -EIO, with the
 * current thread's error set, if one can't be opened or memory ran out; it may
 * be called again then.
 */
int reader_graph_open(struct reader_graph *graph,
		      const struct reader_sources *sources);

/* Goes one step: some messages. */
enum reader_run reader_graph_step(struct reader_graph *graph);

/*
 * Makes reader_graph_step() return soon. For signal handlers and other threads
 * as well.
 */
void reader_graph_interrupt(struct reader_graph *graph);

/* Frees what @graph holds; reader_sink_flush() goes before. */
void reader_graph_close(struct reader_graph *graph);

#endif /* NFTRACE_NATIVE_READER_GRAPH_H */
