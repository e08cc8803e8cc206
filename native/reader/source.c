// SPDX-License-Identifier: MIT
/* The source components that read traces; see reader/source.h. */
#include "reader/source.h"

#include <errno.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "reader/error.h"

/* From the folder of libbabeltrace2. */
#define PLUGIN_FILE "babeltrace2/plugins/babeltrace-plugin-ctf.so"

static const bt_plugin *find_ctf(const bt_plugin_set *plugins)
{
	for (uint64_t i = 0; i < bt_plugin_set_get_plugin_count(plugins); i++) {
		const bt_plugin *plugin =
			bt_plugin_set_borrow_plugin_by_index_const(plugins, i);

		if (!strcmp(bt_plugin_get_name(plugin), "ctf"))
			return plugin;
	}
	return NULL;
}

/*
 * Loads the one file that is needed; looking for it everywhere loads all the
 * other plugins as well, Python's among them. Returns 0 or -ENOENT.
 */
static int load_beside_library(struct reader_ctf *ctf)
{
	char path[PATH_MAX];
	const char *slash;
	Dl_info library;
	int size;

	if (getenv("BABELTRACE_PLUGIN_PATH") ||
	    !dladdr((void *)bt_plugin_find_all_from_file, &library))
		return -ENOENT;
	slash = strrchr(library.dli_fname, '/');
	if (!slash)
		return -ENOENT;
	size = snprintf(path, sizeof(path), "%.*s" PLUGIN_FILE,
			(int)(slash + 1 - library.dli_fname),
			library.dli_fname);
	if (size < 0 || (size_t)size >= sizeof(path))
		return -ENOENT;
	return bt_plugin_find_all_from_file(path, BT_FALSE, &ctf->plugins) ==
			       BT_PLUGIN_FIND_ALL_FROM_FILE_STATUS_OK
		       ? 0
		       : -ENOENT;
}

int reader_ctf_load(struct reader_ctf *ctf)
{
	const bt_plugin *plugin = NULL;

	if (!load_beside_library(ctf))
		plugin = find_ctf(ctf->plugins);
	if (!plugin) {
		bt_current_thread_clear_error();
		reader_ctf_unload(ctf);
		if (bt_plugin_find_all(BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE,
				       BT_FALSE, &ctf->plugins) ==
		    BT_PLUGIN_FIND_ALL_STATUS_OK)
			plugin = find_ctf(ctf->plugins);
	}
	if (!plugin) {
		reader_error("cannot find babeltrace2's plugin \"ctf\" (Debian "
			     "package libbabeltrace2-0)");
		return -ENOENT;
	}
	ctf->files = bt_plugin_borrow_source_component_class_by_name_const(
		plugin, "fs");
	ctf->live = bt_plugin_borrow_source_component_class_by_name_const(
		plugin, "lttng-live");
	if (!ctf->files || !ctf->live) {
		base_report("babeltrace2's plugin \"ctf\" lacks the component "
			    "class %s",
			    ctf->files ? "lttng-live" : "fs");
		return -ENOENT;
	}
	return 0;
}

void reader_ctf_unload(struct reader_ctf *ctf)
{
	bt_plugin_set_put_ref(ctf->plugins);
	*ctf = (struct reader_ctf){ 0 };
}

/* Adds an empty source. NULL when out of memory. */
static struct reader_source *add_source(struct reader_sources *sources,
					const bt_component_class_source *class)
{
	struct reader_source *grown = reallocarray(sources->sources,
						   sources->nr_sources + 1,
						   sizeof(*sources->sources));

	if (!grown)
		return NULL;
	sources->sources = grown;
	grown += sources->nr_sources++;
	*grown = (struct reader_source){ .class = class };
	return grown;
}

/* Adds an input and takes it over. Returns 0 or -ENOMEM. */
static int add_input(struct reader_source *source, char *input)
{
	char **grown = reallocarray(source->inputs, source->nr_inputs + 1,
				    sizeof(*source->inputs));

	if (!grown) {
		free(input);
		return -ENOMEM;
	}
	source->inputs = grown;
	grown[source->nr_inputs++] = input;
	return 0;
}

/*
 * What babeltrace2 groups a folder with: the same for all that hold parts of
 * one trace. The caller frees it. NULL for a folder to be read by itself.
 */
static char *group_of(const struct reader_ctf *ctf, const char *folder)
{
	const bt_component_class *class =
		bt_component_class_source_as_component_class_const(ctf->files);
	bt_value *parameters = bt_value_map_create();
	const bt_value *result = NULL;
	bt_query_executor *query = NULL;
	char *group = NULL;

	if (parameters &&
	    bt_value_map_insert_string_entry(parameters, "type", "directory") ==
		    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	    bt_value_map_insert_string_entry(parameters, "input", folder) ==
		    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK)
		query = bt_query_executor_create(
			class, "babeltrace.support-info", parameters);
	if (query &&
	    bt_query_executor_query(query, &result) ==
		    BT_QUERY_EXECUTOR_QUERY_STATUS_OK &&
	    bt_value_is_map(result)) {
		const bt_value *entry =
			bt_value_map_borrow_entry_value_const(result, "group");

		if (entry && bt_value_is_string(entry))
			group = strdup(bt_value_string_get(entry));
	}
	/* Why it has none shows when it is opened. */
	bt_current_thread_clear_error();
	bt_value_put_ref(result);
	bt_query_executor_put_ref(query);
	bt_value_put_ref(parameters);
	return group;
}

/* Adds a folder to the source of its group, and takes it over. Returns 0 or -ENOMEM. */
static int add_folder(struct reader_sources *sources,
		      const struct reader_ctf *ctf, char **groups, char *folder,
		      char *group)
{
	struct reader_source *source;

	for (size_t i = 0; group && i < sources->nr_sources; i++) {
		if (groups[i] && !strcmp(groups[i], group)) {
			free(group);
			return add_input(&sources->sources[i], folder);
		}
	}
	groups[sources->nr_sources] = group;
	source = add_source(sources, ctf->files);
	if (!source) {
		free(folder);
		return -ENOMEM;
	}
	return add_input(source, folder);
}

int reader_sources_of_folders(struct reader_sources *sources,
			      const struct reader_ctf *ctf,
			      struct ctf_folders *folders)
{
	char **groups = calloc(folders->nr_paths + 1, sizeof(*groups));
	int ret = groups ? 0 : -ENOMEM;

	for (size_t i = 0; !ret && i < folders->nr_paths; i++) {
		char *folder = folders->paths[i];
		char *group = folders->nr_paths > 1 ? group_of(ctf, folder)
						    : NULL;

		folders->paths[i] = NULL;
		ret = add_folder(sources, ctf, groups, folder, group);
	}
	for (size_t i = 0; groups && i <= folders->nr_paths; i++)
		free(groups[i]);
	free(groups);
	for (size_t i = 0; !ret && i < sources->nr_sources; i++)
		ret = reader_source_prepare(&sources->sources[i]);
	return ret;
}

int reader_sources_add_live(struct reader_sources *sources,
			    const struct reader_ctf *ctf, const char *url)
{
	struct reader_source *source = add_source(sources, ctf->live);
	char *input = strdup(url);

	if (!source || !input) {
		free(input);
		return -ENOMEM;
	}
	if (add_input(source, input) || reader_source_prepare(source))
		return -ENOMEM;
	/* Waits for the session, and for the next one of its name. */
	return bt_value_map_insert_string_entry(
		       source->parameters, "session-not-found-action",
		       "continue") == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK
		       ? 0
		       : -ENOMEM;
}

int reader_source_prepare(struct reader_source *source)
{
	bt_value *inputs;

	bt_value_put_ref(source->parameters);
	source->parameters = NULL;
	if (!source->nr_inputs)
		return 0;
	source->parameters = bt_value_map_create();
	if (!source->parameters ||
	    bt_value_map_insert_empty_array_entry(source->parameters, "inputs",
						  &inputs) !=
		    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK)
		return -ENOMEM;
	for (size_t i = 0; i < source->nr_inputs; i++)
		if (bt_value_array_append_string_element(inputs,
							 source->inputs[i]) !=
		    BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK)
			return -ENOMEM;
	return 0;
}

bool reader_source_opens(const struct reader_source *source)
{
	/* What opens with one protocol opens with the others. */
	bt_graph *graph = bt_graph_create(bt_get_maximal_mip_version());
	const bt_component_source *component;
	bool is_ok;

	if (!graph)
		return false;
	is_ok = bt_graph_add_source_component(
			graph, source->class, "source", source->parameters,
			BT_LOGGING_LEVEL_NONE,
			&component) == BT_GRAPH_ADD_COMPONENT_STATUS_OK;
	bt_graph_put_ref(graph);
	return is_ok;
}

static void free_source(struct reader_source *source)
{
	for (size_t i = 0; i < source->nr_inputs; i++)
		free(source->inputs[i]);
	free(source->inputs);
	bt_value_put_ref(source->parameters);
}

void reader_sources_free(struct reader_sources *sources)
{
	for (size_t i = 0; i < sources->nr_sources; i++)
		free_source(&sources->sources[i]);
	free(sources->sources);
	*sources = (struct reader_sources){ 0 };
}
