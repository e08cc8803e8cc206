// SPDX-License-Identifier: MIT
/* Makes what is whole of a damaged trace readable; see reader/repair.h. */
#include "reader/repair.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"
#include "reader/error.h"
#include "ctf/index.h"
#include "ctf/metadata.h"
#include "ctf/open.h"

/* What CTF 2 metadata begins with. */
#define RECORD_SEPARATOR 0x1e

/* The path of a file below a folder. The caller frees it. NULL when out of memory. */
static char *join(const char *folder, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

char *reader_repairs_original(const struct reader_repairs *repairs,
			      const char *path)
{
	const char *folder = repairs->folder.path;
	size_t length = folder ? strlen(folder) : 0;
	char *rest;
	unsigned long number;

	if (!length || strncmp(path, folder, length) != 0 ||
	    path[length] != '/')
		return strdup(path);
	number = strtoul(path + length + 1, &rest, 10);
	if (number >= repairs->nr_folders)
		return strdup(path);
	return *rest == '/' ? join(repairs->originals[number], rest + 1)
			    : strdup(repairs->originals[number]);
}

/*
 * A new folder among the stand-ins, for that one. The caller frees its path. NULL
 * if that failed.
 */
static char *make_folder(struct reader_repairs *repairs, const char *folder)
{
	char **grown;
	char *path;

	if (!repairs->folder.path &&
	    base_temporary_make(&repairs->folder, "nftrace-"))
		return NULL;
	grown = reallocarray(repairs->originals, repairs->nr_folders + 1,
			     sizeof(*grown));
	if (!grown)
		return NULL;
	repairs->originals = grown;
	grown[repairs->nr_folders] = reader_repairs_original(repairs, folder);
	if (!grown[repairs->nr_folders])
		return NULL;
	if (asprintf(&path, "%s/%zu", repairs->folder.path,
		     repairs->nr_folders++) < 0)
		return NULL;
	if (mkdir(path, S_IRWXU) < 0) {
		base_report("cannot make %s: %s", path, strerror(errno));
		free(path);
		return NULL;
	}
	return path;
}

/* Puts a link to a file of @folder into @copy. Returns 0 or a negative errno. */
static int link_file(const char *folder, const char *copy, const char *name)
{
	char *from = join(folder, name);
	char *to = join(copy, name);
	int ret = -ENOMEM;

	if (from && to)
		ret = symlink(from, to) < 0 ? -errno : 0;
	free(from);
	free(to);
	return ret;
}

static void remove_file(const char *folder, const char *name)
{
	char *path = join(folder, name);

	if (path)
		(void)unlink(path);
	free(path);
}

/*
 * Not with copy_file_range(): the stand-in may be on another file system. Returns 0 or
 * a negative errno, as the following do.
 */
static int copy_bytes(int from, int to, off_t begin, off_t end)
{
	while (begin < end) {
		ssize_t copied =
			sendfile(to, from, &begin, (size_t)(end - begin));

		if (copied < 0)
			return -errno;
		if (!copied) /* the file has become shorter */
			return -EIO;
	}
	return 0;
}

/*
 * Copies what the span has to @at of another file. Holes are left out: a file of
 * a terabyte may take no room at all, which its copy shouldn't, either.
 */
static int copy_span(int from, int to, off_t at, const struct ctf_span *span)
{
	off_t begin = (off_t)span->offset;
	const off_t end = begin + (off_t)span->size;
	int ret;

	while (begin < end) {
		off_t data = lseek(from, begin, SEEK_DATA);
		off_t hole = data < 0 ? -1 : lseek(from, data, SEEK_HOLE);

		if (data >= end || (data < 0 && errno == ENXIO))
			break;
		/* Some file systems don't tell. */
		data = data < 0 ? begin : data;
		hole = hole < 0 || hole > end ? end : hole;
		if (lseek(to, at + data - (off_t)span->offset, SEEK_SET) < 0)
			return -errno;
		ret = copy_bytes(from, to, data, hole);
		if (ret)
			return ret;
		begin = hole;
	}
	return ftruncate(to, at + (off_t)span->size) < 0 ? -errno : 0;
}

static int copy_spans(int from, int to, const struct ctf_span *spans,
		      size_t nr_spans)
{
	off_t at = 0;

	for (size_t i = 0; i < nr_spans; i++) {
		int ret = copy_span(from, to, at, &spans[i]);

		if (ret)
			return ret;
		at += (off_t)spans[i].size;
	}
	return 0;
}

/* Puts a copy of parts of a file of @folder into @copy. */
static int copy_file(const char *folder, const char *copy, const char *name,
		     const struct ctf_span *spans, size_t nr_spans)
{
	char *from = join(folder, name);
	char *to = join(copy, name);
	int input = from ? ctf_open(from) : -ENOMEM;
	int output = to ? open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			       S_IRUSR | S_IWUSR)
			: -1;
	int ret = to ? -errno : -ENOMEM;

	if (input < 0)
		ret = input;
	else if (output >= 0)
		ret = copy_spans(input, output, spans, nr_spans);
	if (input >= 0)
		(void)close(input);
	if (output >= 0 && close(output) < 0 && !ret)
		ret = -errno;
	free(from);
	free(to);
	return ret;
}

/* Whether a folder is a trace that opens; if not, the error says why. */
static bool opens(const struct reader_source *source, char *folder)
{
	struct reader_source one = {
		.class = source->class,
		.inputs = &folder,
		.nr_inputs = 1,
	};
	bool is_ok = !reader_source_prepare(&one) && reader_source_opens(&one);

	bt_value_put_ref(one.parameters);
	return is_ok;
}

/* Bytes of a file; 0 if it isn't a regular file. */
static uint64_t file_size(const char *folder, const char *name)
{
	char *path = join(folder, name);
	struct stat info = { 0 };
	bool is_file = path && stat(path, &info) == 0 && S_ISREG(info.st_mode);

	free(path);
	return is_file ? (uint64_t)info.st_size : 0;
}

/*
 * Whether a stream surely has no event. A process that ends before the session
 * daemon is done with it leaves empty packets, which the metadata knows nothing
 * of.
 */
static bool is_empty(const struct ctf_index *index)
{
	return index->nr_packets && index->bytes == index->file_size &&
	       !index->has_events;
}

static void report_stream(const char *folder, const char *name)
{
	char *what;

	if (asprintf(&what, "%s/%s: left out, it cannot be read", folder,
		     name) < 0)
		return;
	reader_error(what);
	free(what);
}

/* Says what of a stream is not in its stand-in. */
static void report_rest(const char *folder, const char *name,
			const struct ctf_index *index)
{
	uint64_t rest = index->file_size - index->whole_bytes;

	if (index->nr_damaged)
		base_report("%s/%s: %" PRIu64 " of %" PRIu64
			    " packets are left out, they are damaged",
			    folder, name, index->nr_damaged, index->nr_packets);
	if (rest)
		base_report("%s/%s: the last %" PRIu64
			    " bytes are left out, they are not a whole packet",
			    folder, name, rest);
}

/* Adds a stream's whole packets to @copy. */
static void add_packets(const struct reader_source *source, const char *folder,
			char *copy, const char *name,
			const struct ctf_index *index)
{
	int ret;

	if (!index->nr_spans) {
		report_stream(folder, name);
		return;
	}
	bt_current_thread_clear_error();
	ret = copy_file(folder, copy, name, index->spans, index->nr_spans);
	if (ret) {
		base_report(
			"%s/%s: left out, %" PRIu64 " bytes of it would not "
			"go into %s: %s",
			folder, name, index->whole_bytes, copy, strerror(-ret));
		remove_file(copy, name);
		return;
	}
	if (opens(source, copy)) {
		report_rest(folder, name, index);
		return;
	}
	remove_file(copy, name);
	report_stream(folder, name);
}

/*
 * Adds to @copy, which has been readable so far, what is readable of a stream
 * of @folder.
 */
static void add_stream(struct reader_repairs *repairs,
		       const struct reader_source *source, const char *folder,
		       char *copy, const char *name)
{
	struct ctf_index index;

	if (!file_size(folder, name))
		return;
	if (link_file(folder, copy, name)) {
		repairs->is_partial = true;
		base_report("%s/%s: left out, no link to it could be made",
			    folder, name);
		return;
	}
	(void)ctf_index_read(&index, folder, name);
	if (index.is_damaged) {
		repairs->is_partial = true;
		base_report(
			"%s/index/%s.idx is %s and was not used", folder, name,
			index.is_irregular ? "not a regular file" : "damaged");
	}
	if (index.nr_damaged || !opens(source, copy)) {
		remove_file(copy, name);
		if (is_empty(&index)) {
			bt_current_thread_clear_error();
		} else {
			repairs->is_partial = true;
			add_packets(source, folder, copy, name, &index);
		}
	}
	ctf_index_free(&index);
}

static void add_streams(struct reader_repairs *repairs,
			const struct reader_source *source, const char *folder,
			char *copy)
{
	struct dirent *entry;
	DIR *directory = opendir(folder);

	if (!directory) {
		repairs->is_partial = true;
		base_report("cannot read %s: %s", folder, strerror(errno));
		return;
	}
	while ((entry = readdir(directory)))
		if (entry->d_name[0] != '.' &&
		    strcmp(entry->d_name, "metadata") != 0)
			add_stream(repairs, source, folder, copy,
				   entry->d_name);
	(void)closedir(directory);
}

static bool is_ctf2(const char *folder)
{
	char *path = join(folder, "metadata");
	FILE *file = path ? ctf_open_stream(path) : NULL;
	bool is_ok = file && fgetc(file) == RECORD_SEPARATOR;

	if (file)
		(void)fclose(file);
	free(path);
	return is_ok;
}

static void report_metadata(const char *folder)
{
	char *what;

	if (is_ctf2(folder)) {
		bt_current_thread_clear_error();
		base_report(
			"%s: left out, it is in CTF 2, which takes "
			"libbabeltrace2 2.1 (this is %u.%u); or record with "
			"lttng create --trace-format=ctf-1.8",
			folder, bt_version_get_major(), bt_version_get_minor());
		return;
	}
	if (asprintf(&what, "%s: left out, its metadata cannot be read",
		     folder) < 0)
		return;
	reader_error(what);
	free(what);
}

/*
 * Makes the stand-in for a folder in *@copy, which the caller frees; NULL if
 * nothing of it is readable. Returns 0 or a negative errno.
 */
static int repair_folder(struct reader_repairs *repairs,
			 const struct reader_source *source, const char *folder,
			 char **copy)
{
	*copy = make_folder(repairs, folder);
	if (!*copy)
		return -EIO;
	if (link_file(folder, *copy, "metadata") || !opens(source, *copy)) {
		repairs->is_partial = true;
		report_metadata(folder);
		free(*copy);
		*copy = NULL;
		return 0;
	}
	add_streams(repairs, source, folder, *copy);
	return 0;
}

/* Whether babeltrace2 would open a folder and yet read what isn't there. */
static bool is_damaged(const char *folder)
{
	struct dirent *entry;
	DIR *directory = opendir(folder);
	bool is_damaged = false;

	while (directory && !is_damaged && (entry = readdir(directory))) {
		struct ctf_index index;

		(void)ctf_index_read(&index, folder, entry->d_name);
		is_damaged = index.is_damaged || index.nr_damaged;
		ctf_index_free(&index);
	}
	if (directory)
		(void)closedir(directory);
	return is_damaged;
}

int reader_repair(struct reader_repairs *repairs, struct reader_source *source)
{
	size_t nr_kept = 0;
	int ret = 0;

	bt_current_thread_clear_error();
	for (size_t i = 0; i < source->nr_inputs; i++) {
		char *copy = NULL;

		if (!ret && !is_damaged(source->inputs[i]) &&
		    opens(source, source->inputs[i])) {
			source->inputs[nr_kept++] = source->inputs[i];
			continue;
		}
		bt_current_thread_clear_error();
		if (!ret)
			ret = repair_folder(repairs, source, source->inputs[i],
					    &copy);
		free(source->inputs[i]);
		if (copy)
			source->inputs[nr_kept++] = copy;
	}
	source->nr_inputs = nr_kept;
	if (reader_source_prepare(source))
		return -ENOMEM;
	return ret;
}

/* Links to all of a folder but its metadata. Returns 0 or a negative errno. */
static int link_streams(const char *folder, const char *copy)
{
	struct dirent *entry;
	DIR *directory = opendir(folder);
	int ret = 0;

	if (!directory)
		return -errno;
	while (!ret && (entry = readdir(directory)))
		if (entry->d_name[0] != '.' &&
		    strcmp(entry->d_name, "metadata") != 0)
			ret = link_file(folder, copy, entry->d_name);
	(void)closedir(directory);
	return ret;
}

int reader_repair_metadata(struct reader_repairs *repairs, char **folder)
{
	char *path = join(*folder, "metadata");
	uint64_t size;
	uint64_t whole;
	char *copy;

	if (!path)
		return -ENOMEM;
	whole = ctf_metadata_whole(path, &size);
	free(path);
	if (whole && whole == size)
		return 0;
	if (!whole) {
		base_report("%s: left out, its metadata cannot be read",
			    *folder);
		return -EIO;
	}
	base_report("%s: the last %" PRIu64 " bytes of its metadata are left "
		    "out, they are not a whole packet; so may be events that "
		    "these describe",
		    *folder, size - whole);
	copy = make_folder(repairs, *folder);
	if (!copy)
		return -EIO;
	if (copy_file(*folder, copy, "metadata",
		      &(struct ctf_span){ .size = whole }, 1) ||
	    link_streams(*folder, copy)) {
		base_report(
			"%s: left out, a copy of it could not be made in %s",
			*folder, copy);
		free(copy);
		return -EIO;
	}
	free(*folder);
	*folder = copy;
	return 0;
}

void reader_repairs_remove(struct reader_repairs *repairs)
{
	base_temporary_remove(&repairs->folder);
	for (size_t i = 0; i < repairs->nr_folders; i++)
		free(repairs->originals[i]);
	free(repairs->originals);
	*repairs = (struct reader_repairs){ 0 };
}
