// SPDX-License-Identifier: MIT
/* Opens recorded traces; see reader/files.h. */
#include "reader/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "reader/error.h"
#include "ctf/folders.h"

/* An input that ended before its time: the rest of a stream is unreadable. */
static void note_failed(void *data, const char *stream)
{
	struct reader_files *files = data;
	char *original = reader_repairs_original(&files->repairs, stream);
	char *what;

	files->is_partial = true;
	if (asprintf(&what, "%s: the rest is left out, it cannot be read",
		     original ? original : stream) >= 0) {
		reader_error(what);
		free(what);
	}
	free(original);
}

/* Replaces what doesn't open or is damaged. Returns 0 or a negative errno. */
static int repair(struct reader_files *files)
{
	bt_current_thread_clear_error();
	for (size_t i = 0; i < files->sources.nr_sources; i++) {
		struct reader_source *source = &files->sources.sources[i];

		int ret = 0;

		if (files->check.is_damaged || !reader_source_opens(source))
			ret = reader_repair(&files->repairs, source);
		if (ret) {
			files->is_partial = true;
			return ret;
		}
	}
	files->is_partial |= files->repairs.is_partial;
	return 0;
}

static bool has_sources(const struct reader_files *files)
{
	for (size_t i = 0; i < files->sources.nr_sources; i++)
		if (files->sources.sources[i].parameters)
			return true;
	return false;
}

/* Leaves out folders that can't be read for their metadata. */
static void check_metadata(struct reader_files *files,
			   struct ctf_folders *folders)
{
	size_t nr_kept = 0;

	for (size_t i = 0; i < folders->nr_paths; i++) {
		const char *path = folders->paths[i];

		if (reader_repair_metadata(&files->repairs,
					   &folders->paths[i])) {
			free(folders->paths[i]);
			files->is_partial = true;
			continue;
		}
		files->is_partial |= folders->paths[i] != path;
		folders->paths[nr_kept++] = folders->paths[i];
	}
	folders->nr_paths = nr_kept;
}

/* Returns 0 or -ENOMEM. */
static int find_sources(struct reader_files *files, const char *const *paths)
{
	struct ctf_folders folders = {
		.may_be_empty = files->may_be_empty,
	};
	int ret = 0;

	for (; !ret && *paths; paths++)
		ret = ctf_folders_find(&folders, *paths);
	ctf_folders_sort(&folders);
	files->is_partial = folders.is_partial;
	check_metadata(files, &folders);
	if (!ret)
		ret = reader_sources_of_folders(&files->sources, &files->ctf,
						&folders);
	ctf_folders_free(&folders);
	for (size_t i = 0; !ret && i < files->sources.nr_sources; i++)
		ret = reader_check_source(&files->check,
					  &files->sources.sources[i],
					  &files->repairs);
	files->is_partial |= files->check.is_partial || ret;
	if (ret)
		reader_error("out of memory");
	return ret;
}

int reader_files_open(struct reader_files *files, const char *const *paths)
{
	int ret;

	files->graph.sink.failed = note_failed;
	files->graph.sink.data = files;
	files->graph.sink.has_common_epoch = true;
	ret = reader_ctf_load(&files->ctf);
	if (ret) {
		files->is_partial = true;
		return ret;
	}
	ret = find_sources(files, paths);
	if (ret)
		return ret;
	if (!has_sources(files))
		return -ENODATA;
	/* From version 2.1 on babeltrace2 takes damaged packets for others. */
	if (!files->check.is_damaged &&
	    !reader_graph_open(&files->graph, &files->sources))
		return 0;
	ret = repair(files);
	if (ret)
		return ret;
	if (!has_sources(files))
		return -ENODATA;
	ret = reader_graph_open(&files->graph, &files->sources);
	if (!ret)
		return 0;
	files->is_partial = true;
	reader_error("cannot read these traces together");
	return ret;
}

void reader_files_close(struct reader_files *files)
{
	reader_graph_close(&files->graph);
	reader_sources_free(&files->sources);
	reader_ctf_unload(&files->ctf);
	reader_repairs_remove(&files->repairs);
}
