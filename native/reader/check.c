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

static bool add_stream(struct streams *streams, const struct ctf_index *index)
{
	struct stream *grown;

	for (size_t i = 0; i < streams->nr_streams; i++) {
		struct stream *known = &streams->streams[i];

		if (!ctf_packet_are_of_one_stream(&known->first, &index->first))
			continue;
		if (known->first_number > index->first_number)
			known->first_number = index->first_number;
		return true;
	}
	grown = reallocarray(streams->streams, streams->nr_streams + 1,
			     sizeof(*streams->streams));
	if (!grown)
		return false;
	streams->streams = grown;
	grown[streams->nr_streams++] = (struct stream){
		.first = index->first,
		.first_number = index->first_number,
	};
	return true;
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
static bool check_stream(struct reader_check *check, struct streams *streams,
			 const struct reader_repairs *repairs,
			 const char *folder, const char *name)
{
	struct ctf_index index;
	bool is_ok = !ctf_index_read(&index, folder, name);

	check->is_damaged |= index.is_damaged || index.nr_damaged;
	if (is_ok && index.nr_packets) {
		is_ok = add_stream(streams, &index);
		check->nr_packets += index.nr_packets;
	}
	if (index.bytes > index.file_size ||
	    (index.error && index.error != -EISDIR)) {
		check->is_partial = true;
		report(repairs, folder, name, &index);
	}
	ctf_index_free(&index);
	return is_ok;
}

static bool check_folder(struct reader_check *check, struct streams *streams,
			 const struct reader_repairs *repairs,
			 const char *folder)
{
	struct dirent *entry;
	DIR *directory = opendir(folder);
	bool is_ok = true;

	if (!directory) /* shows when it is opened */
		return true;
	while (is_ok && (entry = readdir(directory)))
		if (entry->d_name[0] != '.' &&
		    strcmp(entry->d_name, "metadata") != 0)
			is_ok = check_stream(check, streams, repairs, folder,
					     entry->d_name);
	(void)closedir(directory);
	return is_ok;
}

bool reader_check_source(struct reader_check *check,
			 const struct reader_source *source,
			 const struct reader_repairs *repairs)
{
	struct streams streams = { 0 };
	bool is_ok = true;

	for (size_t i = 0; is_ok && i < source->nr_inputs; i++)
		is_ok = check_folder(check, &streams, repairs,
				     source->inputs[i]);
	check->nr_streams += streams.nr_streams;
	for (size_t i = 0; i < streams.nr_streams; i++)
		if (streams.streams[i].first_number > 0)
			check->nr_late++;
	free(streams.streams);
	return is_ok;
}
