// SPDX-License-Identifier: MIT
/* What traces tell before they are read; see reader/check.h. */
#include "reader/check.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "ctf/index.h"
#include "ctf/open.h"

/* The first packet of a stream, whose files may be in several folders. */
struct stream {
	struct ctf_packet first;
	uint64_t first_number;
};

struct streams {
	struct stream *streams; /* owned */
	size_t nr_streams;
};

/* This and the following return 0 or -ENOMEM. */

static int add_stream(struct streams *streams, const struct ctf_index *index)
{
	struct stream *grown;

	for (size_t i = 0; i < streams->nr_streams; i++) {
		struct stream *known = &streams->streams[i];

		if (!ctf_packet_are_of_one_stream(&known->first, &index->first))
			continue;
		if (known->first_number > index->first_number)
			known->first_number = index->first_number;
		return 0;
	}
	grown = reallocarray(streams->streams, streams->nr_streams + 1,
			     sizeof(*streams->streams));
	if (!grown)
		return -ENOMEM;
	streams->streams = grown;
	grown[streams->nr_streams++] = (struct stream){
		.first = index->first,
		.first_number = index->first_number,
	};
	return 0;
}

/*
 * Says what of a stream babeltrace2 would pass over in silence: that it isn't a
 * file, and what it lacks. Out of memory, it says nothing.
 */
static void report(const struct reader_repairs *repairs, const char *folder,
		   const char *name, const struct ctf_index *index)
{
	char *path = NULL;
	char *original = NULL;

	if (asprintf(&path, "%s/%s", folder, name) >= 0)
		original = reader_repairs_original(repairs, path);
	if (original && index->error)
		ctf_open_report(original, index->error);
	else if (original)
		base_report("%s: the last %" PRIu64 " bytes are missing",
			    original, index->bytes - index->file_size);
	free(original);
	free(path);
}

/* Looks at one file of a folder; most are streams. */
static int check_stream(struct reader_check *check, struct streams *streams,
			const struct reader_repairs *repairs,
			const char *folder, const char *name)
{
	struct ctf_index index;
	int ret = ctf_index_read(&index, folder, name);

	check->is_damaged |= index.is_damaged || index.nr_damaged;
	if (!ret && index.nr_packets) {
		ret = add_stream(streams, &index);
		check->nr_packets += index.nr_packets;
	}
	if (index.bytes > index.file_size ||
	    (index.error && index.error != -EISDIR)) {
		check->is_partial = true;
		report(repairs, folder, name, &index);
	}
	ctf_index_free(&index);
	return ret;
}

static int check_folder(struct reader_check *check, struct streams *streams,
			const struct reader_repairs *repairs,
			const char *folder)
{
	struct dirent *entry;
	DIR *directory = opendir(folder);
	int ret = 0;

	if (!directory) /* shows when it is opened */
		return 0;
	while (!ret && (entry = readdir(directory)))
		if (entry->d_name[0] != '.' &&
		    strcmp(entry->d_name, "metadata") != 0)
			ret = check_stream(check, streams, repairs, folder,
					   entry->d_name);
	(void)closedir(directory);
	return ret;
}

int reader_check_source(struct reader_check *check,
			const struct reader_source *source,
			const struct reader_repairs *repairs)
{
	struct streams streams = { 0 };
	int ret = 0;

	for (size_t i = 0; !ret && i < source->nr_inputs; i++)
		ret = check_folder(check, &streams, repairs, source->inputs[i]);
	check->nr_streams += streams.nr_streams;
	for (size_t i = 0; i < streams.nr_streams; i++)
		if (streams.streams[i].first_number > 0)
			check->nr_late++;
	free(streams.streams);
	return ret;
}
