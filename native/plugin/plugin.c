// SPDX-License-Identifier: MIT
/*
 * The babeltrace2 plugin "nftrace": sink.nftrace.bunyan writes Bunyan lines.
 *
 *	babeltrace2 --plugin-path build/plugins TRACE -c sink.nftrace.bunyan
 *
 * Parameters, all optional: all, context, flush (booleans), level (a name or a
 * number), name (a glob), path (of the file to write, instead of stdout).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <babeltrace2/babeltrace.h>

#include "reader/sink.h"

/* A component's data; begins with what reader/sink.c takes for it. */
struct component {
	struct reader_sink sink;
	char *name; /* owned; of the filter */
};

static bool get_bool(const bt_value *parameters, const char *name)
{
	const bt_value *value =
		bt_value_map_borrow_entry_value_const(parameters, name);

	return value && bt_value_is_bool(value) && bt_value_bool_get(value);
}

/* NULL if there is no such string. */
static const char *get_string(const bt_value *parameters, const char *name)
{
	const bt_value *value =
		bt_value_map_borrow_entry_value_const(parameters, name);

	return value && bt_value_is_string(value) ? bt_value_string_get(value)
						  : NULL;
}

/* Returns false if there is a level and it isn't one. */
static bool get_level(const bt_value *parameters, int32_t *level)
{
	const bt_value *value =
		bt_value_map_borrow_entry_value_const(parameters, "level");
	int64_t number;

	if (!value)
		return true;
	if (bt_value_is_string(value))
		return base_filter_level(bt_value_string_get(value), level);
	if (bt_value_is_signed_integer(value))
		number = bt_value_integer_signed_get(value);
	else if (bt_value_is_unsigned_integer(value) &&
		 bt_value_integer_unsigned_get(value) <= INT32_MAX)
		number = (int64_t)bt_value_integer_unsigned_get(value);
	else
		return false;
	*level = (int32_t)number;
	return number >= INT32_MIN && number <= INT32_MAX;
}

/* The name of the first parameter that there isn't; NULL without one. */
static bt_value_map_foreach_entry_const_func_status
find_unknown(const char *name, const bt_value *value, void *data)
{
	static const char *const known[] = { "all",   "context", "flush",
					     "level", "name",	 "path" };
	const char **unknown = data;

	(void)value;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(name, known[i]))
			return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
	*unknown = name;
	return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_INTERRUPT;
}

static bool configure(bt_self_component *self, struct component *component,
		      const bt_value *parameters)
{
	struct reader_record_options *options =
		&component->sink.records.options;
	const char *name = get_string(parameters, "name");
	const char *path = get_string(parameters, "path");
	const char *unknown = NULL;

	(void)bt_value_map_foreach_entry_const(parameters, find_unknown,
					       &unknown);
	if (unknown) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
			self,
			"no parameter \"%s\"; there are all, context, flush, "
			"level, name, path",
			unknown);
		return false;
	}
	options->filter = (struct base_filter)BASE_FILTER_ALL;
	options->all = get_bool(parameters, "all");
	options->context = get_bool(parameters, "context");
	component->sink.is_flushed = get_bool(parameters, "flush");
	if (!get_level(parameters, &options->filter.level)) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
			self, "level: give trace, debug, info, warn, error, "
			      "fatal or a number");
		return false;
	}
	if (name) {
		component->name = strdup(name);
		options->filter.name = component->name;
		if (!component->name)
			return false;
	}
	component->sink.fd = STDOUT_FILENO;
	if (!path)
		return true;
	component->sink.fd =
		open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		     S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH);
	if (component->sink.fd < 0)
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
			self, "cannot open %s: %s", path, strerror(errno));
	return component->sink.fd >= 0;
}

static void free_component(struct component *component)
{
	reader_sink_free(&component->sink);
	if (component->sink.fd > STDERR_FILENO)
		(void)close(component->sink.fd);
	free(component->name);
	free(component);
}

static bt_component_class_initialize_method_status
initialize(bt_self_component_sink *self,
	   bt_self_component_sink_configuration *configuration,
	   const bt_value *parameters, void *data)
{
	bt_self_component *base =
		bt_self_component_sink_as_self_component(self);
	struct component *component = calloc(1, sizeof(*component));
	bt_self_component_add_port_status status;

	(void)configuration;
	(void)data;
	if (!component)
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	if (!configure(base, component, parameters)) {
		free_component(component);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	status = bt_self_component_sink_add_input_port(self, "in", NULL, NULL);
	if (status != BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
		free_component(component);
		return (bt_component_class_initialize_method_status)status;
	}
	bt_self_component_set_data(base, component);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static void finalize(bt_self_component_sink *self)
{
	struct component *component = bt_self_component_get_data(
		bt_self_component_sink_as_self_component(self));

	(void)reader_sink_flush(&component->sink);
	reader_sink_finalize(self);
	free_component(component);
}

BT_PLUGIN_MODULE();
BT_PLUGIN(nftrace);
BT_PLUGIN_DESCRIPTION("Bunyan records through LTTng");
BT_PLUGIN_LICENSE("MIT");
BT_PLUGIN_SINK_COMPONENT_CLASS(bunyan, reader_sink_consume);
BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION(
	bunyan, "Write Bunyan records, one JSON object a line");
BT_PLUGIN_SINK_COMPONENT_CLASS_HELP(
	bunyan, "Parameters, all optional:\n"
		"  all=yes       other programs' and the kernel's events, too\n"
		"  context=yes   add each record's event, exact time, CPU and "
		"contexts\n"
		"  flush=yes     write each line at once\n"
		"  level=LEVEL   only records of LEVEL and above\n"
		"  name=GLOB     only records whose name matches GLOB\n"
		"  path=PATH     write to a file instead of stdout");
BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD(bunyan, initialize);
BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD(bunyan, finalize);
BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD(
	bunyan, reader_sink_graph_is_configured);
BT_PLUGIN_SINK_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(
	bunyan, reader_sink_get_supported_mip_versions);
