/* SPDX-License-Identifier: MIT */
/* The babeltrace2 source components that read traces. */
#ifndef NFTRACE_NATIVE_READER_SOURCE_H
#define NFTRACE_NATIVE_READER_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include <babeltrace2/babeltrace.h>

#include "ctf/folders.h"

/* babeltrace2's plugin for the Common Trace Format. Zeroed: not loaded. */
struct reader_ctf {
	const bt_plugin_set *plugins; /* a reference is held */
	const bt_component_class_source *files;
	const bt_component_class_source *live;
};

/*
 * Finds the plugin, where libbabeltrace2 itself comes from, else wherever
 * babeltrace2 looks. Returns 0, or -ENOENT after saying why it isn't there.
 */
int reader_ctf_load(struct reader_ctf *ctf);

void reader_ctf_unload(struct reader_ctf *ctf);

/* A component that is to be: the traces that it reads. */
struct reader_source {
	const bt_component_class_source *class; /* weak */
	bt_value *parameters; /* a reference is held; NULL: left out */
	char **inputs;	      /* owned, and each of them: folders, or one URL */
	size_t nr_inputs;
};

struct reader_sources {
	struct reader_source *sources; /* owned */
	size_t nr_sources;
};

/*
 * Makes a source for each trace: folders that hold parts of one, such as
 * rotated chunks, belong together. Takes the paths out of @folders. Returns 0
 * or -ENOMEM.
 */
int reader_sources_of_folders(struct reader_sources *sources,
			      const struct reader_ctf *ctf,
			      struct ctf_folders *folders);

/* Adds a source for a live session's @url. Returns 0 or -ENOMEM. */
int reader_sources_add_live(struct reader_sources *sources,
			    const struct reader_ctf *ctf, const char *url);

/*
 * Sets source->parameters from its inputs; NULL if there is none left. Returns 0
 * or -ENOMEM.
 */
int reader_source_prepare(struct reader_source *source);

/*
 * Whether a component can be made of @source. If not, the current thread's
 * error says why.
 */
bool reader_source_opens(const struct reader_source *source);

void reader_sources_free(struct reader_sources *sources);

#endif /* NFTRACE_NATIVE_READER_SOURCE_H */
