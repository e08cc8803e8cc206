// SPDX-License-Identifier: MIT
/* Finds traces below folders; see ctf/folders.h. */
#include "ctf/folders.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"
#include "ctf/open.h"

#define FIRST_CAPACITY 16

/* Returns 0 or -ENOMEM. */
static int add(struct ctf_folders *folders, const char *path, size_t size)
{
	char *copy;

	if (folders->nr_paths == folders->capacity) {
		size_t capacity = folders->capacity ? folders->capacity * 2
						    : FIRST_CAPACITY;
		char **grown = reallocarray(folders->paths, capacity,
					    sizeof(*folders->paths));

		if (!grown)
			return -ENOMEM;
		folders->paths = grown;
		folders->capacity = capacity;
	}
	copy = strndup(path, size);
	if (!copy)
		return -ENOMEM;
	folders->paths[folders->nr_paths++] = copy;
	return 0;
}

static bool is_named(const FTSENT *entry, const char *name)
{
	return !strcmp(entry->fts_name, name);
}

/*
 * Takes note of the folder of a file "metadata", or says why that can't be read.
 * Returns 0 or -ENOMEM.
 */
static int add_trace(struct ctf_folders *folders, const FTSENT *entry)
{
	int file = ctf_open(entry->fts_path);

	/* Whether this user may read it shows when it is read. */
	if (file >= 0 || file == -EACCES) {
		if (file >= 0)
			(void)close(file);
		return add(folders, entry->fts_path,
			   entry->fts_pathlen - sizeof("/metadata") + 1);
	}
	ctf_open_report(entry->fts_path, file);
	folders->is_partial = true;
	return 0;
}

/* Takes note of a file. Returns 0 or -ENOMEM. */
static int visit(struct ctf_folders *folders, FTS *fts, FTSENT *entry)
{
	bool is_given = entry->fts_level == 0;

	switch (entry->fts_info) {
	case FTS_D:
		/* LTTng's index of a stream is not a part of the trace. */
		if (!is_given && is_named(entry, "index"))
			(void)fts_set(fts, entry, FTS_SKIP);
		entry->fts_number = (long)folders->nr_paths;
		return 0;
	case FTS_DP:
		/* A recording may be in a folder of that name. */
		if (!is_given && is_named(entry, "metadata") &&
		    entry->fts_number == (long)folders->nr_paths)
			return add_trace(folders, entry);
		return 0;
	case FTS_F:
	case FTS_SL:
	case FTS_DEFAULT:
		if (is_named(entry, "metadata"))
			return add_trace(folders, entry);
		if (is_given && entry->fts_info == FTS_DEFAULT) {
			ctf_open_report(entry->fts_path, -ENXIO);
			folders->is_partial = true;
		}
		return 0;
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		base_report("cannot read %s: %s", entry->fts_path,
			    strerror(entry->fts_errno));
		folders->is_partial = true;
		return 0;
	default:
		return 0;
	}
}

int ctf_folders_find(struct ctf_folders *folders, const char *path)
{
	/* Folders that are given twice have the same path, then. */
	char *roots[] = { realpath(path, NULL), NULL };
	size_t nr_before = folders->nr_paths;
	bool was_partial = folders->is_partial;
	int ret = 0;
	FTSENT *entry;
	FTS *fts;

	if (!roots[0] && errno == ENOENT && folders->may_be_empty)
		return 0;
	if (!roots[0]) {
		base_report("cannot read %s: %s", path, strerror(errno));
		folders->is_partial = true;
		return 0;
	}
	fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	if (!fts) {
		free(roots[0]);
		return -ENOMEM;
	}
	folders->is_partial = false;
	while (!ret && (errno = 0, (entry = fts_read(fts))))
		ret = visit(folders, fts, entry);
	free(roots[0]);
	if (ret) {
		(void)fts_close(fts);
		return ret;
	}
	if (errno) {
		base_report("cannot read all of %s: %s", path, strerror(errno));
		folders->is_partial = true;
	}
	(void)fts_close(fts);
	if (folders->nr_paths == nr_before && !folders->is_partial &&
	    !folders->may_be_empty) {
		base_report(
			"no trace in %s: no file \"metadata\" in it or below; "
			"give the folder that nftrace record or lttng created",
			path);
		folders->is_partial = true;
	}
	folders->is_partial |= was_partial;
	return 0;
}

static int compare(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

void ctf_folders_sort(struct ctf_folders *folders)
{
	size_t nr_kept = 0;

	if (!folders->nr_paths)
		return;
	qsort(folders->paths, folders->nr_paths, sizeof(*folders->paths),
	      compare);
	for (size_t i = 0; i < folders->nr_paths; i++) {
		if (nr_kept &&
		    !strcmp(folders->paths[nr_kept - 1], folders->paths[i]))
			free(folders->paths[i]);
		else
			folders->paths[nr_kept++] = folders->paths[i];
	}
	folders->nr_paths = nr_kept;
}

void ctf_folders_free(struct ctf_folders *folders)
{
	for (size_t i = 0; i < folders->nr_paths; i++)
		free(folders->paths[i]);
	free(folders->paths);
	*folders = (struct ctf_folders){ 0 };
}
