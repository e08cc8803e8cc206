/* SPDX-License-Identifier: MIT */
/* Opens recorded traces for reading, damaged ones as far as they go. */
#ifndef NFTRACE_NATIVE_READER_FILES_H
#define NFTRACE_NATIVE_READER_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/check.h"
#include "reader/graph.h"
#include "reader/repair.h"
#include "reader/source.h"

/*
 * Zeroed, but for graph.sink's options and may_be_empty, is ready for
 * reader_files_open().
 */
struct reader_files {
	struct reader_graph graph;
	struct reader_check check;
	bool may_be_empty; /* no trace, nor a folder, is fine */
	bool is_partial;   /* not all can be read; it has been printed what */
	/* The rest is reader/files.c's own. */
	struct reader_ctf ctf;
	struct reader_sources sources;
	struct reader_repairs repairs;
};

/*
 * Opens the traces below @paths. Returns 0; or a negative errno when there is nothing
 * that could be read, after saying why: with is_partial, or may_be_empty and nothing
 * was there. reader_files_close() follows in any case.
 */
int reader_files_open(struct reader_files *files, const char *const *paths);

void reader_files_close(struct reader_files *files);

#endif /* NFTRACE_NATIVE_READER_FILES_H */
