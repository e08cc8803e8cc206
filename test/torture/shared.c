// SPDX-License-Identifier: MIT
/*
 * A test-only addon: map(path) gives the ArrayBuffer of a file's memory, shared
 * with every process that maps it. What a process has written there outlives it,
 * whatever its end, and writing takes no system call.
 */
#include <node_api.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static napi_value fail(napi_env env, const char *message)
{
	(void)napi_throw_error(env, NULL, message);
	return NULL;
}

/* Mappings live as long as the process. */
static void keep(napi_env env, void *data, void *hint)
{
	(void)env;
	(void)data;
	(void)hint;
}

static void *map_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	void *memory = MAP_FAILED;
	struct stat status;

	if (fd < 0)
		return MAP_FAILED;
	if (!fstat(fd, &status) && status.st_size > 0) {
		*size = (size_t)status.st_size;
		memory = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED,
			      fd, 0);
	}
	(void)close(fd);
	return memory;
}

static napi_value map(napi_env env, napi_callback_info info)
{
	size_t nr_arguments = 1, size = 0, length;
	char path[PATH_MAX];
	napi_value argument, buffer;
	void *memory;

	if (napi_get_cb_info(env, info, &nr_arguments, &argument, NULL, NULL) ||
	    napi_get_value_string_utf8(env, argument, path, sizeof(path),
				       &length))
		return fail(env, "map: a path was expected");
	memory = map_file(path, &size);
	if (memory == MAP_FAILED)
		return fail(env, strerror(errno));
	if (napi_create_external_arraybuffer(env, memory, size, keep, NULL,
					     &buffer))
		return fail(env, "map: this Node allows no external memory");
	return buffer;
}

NAPI_MODULE_INIT(/* napi_env env, napi_value exports */)
{
	napi_value function;

	if (napi_create_function(env, "map", NAPI_AUTO_LENGTH, map, NULL,
				 &function) ||
	    napi_set_named_property(env, exports, "map", function))
		return fail(env, "out of memory");
	return exports;
}
