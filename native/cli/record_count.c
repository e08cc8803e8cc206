// SPDX-License-Identifier: MIT
/* Counts a trace's events with libbabeltrace2; see record_count.h. */
#include "record_count.h"

#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <babeltrace2/babeltrace.h>

#define EVENTS_BETWEEN_QUESTIONS 10000
#define PREFIX			 "bunyan:"
#define MAX_OPEN_FOLDERS	 16

/* What the sinks of one graph, one for each data stream, share. */
struct sink {
	struct cli_record_count *count; /* weak */
	const bt_event_class *last;	/* weak; the class last looked at */
	bool last_is_record;
	uint64_t until_question;
	bool interrupted;
};

static void count_event(struct sink *sink, const bt_message *message)
{
	const bt_event_class *class = bt_event_borrow_class_const(
		bt_message_event_borrow_event_const(message));

	if (class != sink->last) {
		const char *name = bt_event_class_get_name(class);

		sink->last = class;
		sink->last_is_record =
			name && !strncmp(name, PREFIX, sizeof(PREFIX) - 1);
	}
	if (sink->last_is_record)
		sink->count->records++;
	else
		sink->count->others++;
}

static bt_graph_simple_sink_component_consume_func_status
consume(bt_message_iterator *iterator, void *data)
{
	struct sink *sink = data;
	bt_message_array_const messages;
	uint64_t nr_messages;

	switch (bt_message_iterator_next(iterator, &messages, &nr_messages)) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		break;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_AGAIN;
	default:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR;
	}
	for (uint64_t i = 0; i < nr_messages; i++) {
		if (bt_message_get_type(messages[i]) == BT_MESSAGE_TYPE_EVENT)
			count_event(sink, messages[i]);
		bt_message_put_ref(messages[i]);
	}
	sink->until_question += nr_messages;
	if (sink->until_question < EVENTS_BETWEEN_QUESTIONS)
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
	sink->until_question = 0;
	if (!sink->count->interrupted ||
	    !sink->count->interrupted(sink->count->data))
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
	sink->interrupted = true;
	return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR;
}

/* Adds a source that reads the trace in @folder. NULL: it can't. */
static const bt_component_source *
add_source(bt_graph *graph, const bt_plugin *ctf, const char *folder)
{
	const bt_component_class_source *class =
		bt_plugin_borrow_source_component_class_by_name_const(ctf,
								      "fs");
	bt_value *parameters = bt_value_map_create();
	bt_value *inputs = NULL;
	const bt_component_source *source = NULL;

	if (class && parameters &&
	    bt_value_map_insert_empty_array_entry(parameters, "inputs",
						  &inputs) ==
		    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	    bt_value_array_append_string_element(inputs, folder) ==
		    BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK &&
	    bt_graph_add_source_component(graph, class, "trace", parameters,
					  BT_LOGGING_LEVEL_NONE, &source) !=
		    BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		source = NULL;
	bt_value_put_ref(parameters);
	return source;
}

/* One sink for each of the source's ports: nothing needs to be merged. */
static int add_sinks(bt_graph *graph, const bt_component_source *source,
		     struct sink *sink)
{
	uint64_t nr_ports = bt_component_source_get_output_port_count(source);

	for (uint64_t i = 0; i < nr_ports; i++) {
		const bt_component_sink *component;
		char name[32];

		(void)snprintf(name, sizeof(name), "count-%" PRIu64, i);
		if (bt_graph_add_simple_sink_component(
			    graph, name, NULL, consume, NULL, sink,
			    &component) != BT_GRAPH_ADD_COMPONENT_STATUS_OK ||
		    bt_graph_connect_ports(
			    graph,
			    bt_component_source_borrow_output_port_by_index_const(
				    source, i),
			    bt_component_sink_borrow_input_port_by_index_const(
				    component, 0),
			    NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
			return -EIO;
	}
	return 0;
}

/* Takes the cause that libbabeltrace2 has left for an error. */
static void note_error(struct cli_record_count *count)
{
	const bt_error *error = bt_current_thread_take_error();

	if (!error)
		return;
	if (bt_error_get_cause_count(error))
		(void)snprintf(
			count->error, sizeof(count->error), "%s",
			bt_error_cause_get_message(
				bt_error_borrow_cause_by_index(error, 0)));
	bt_error_release(error);
}

static int count_folder(const bt_plugin *ctf, const char *folder,
			struct cli_record_count *count)
{
	struct sink sink = { .count = count };
	bt_graph *graph = bt_graph_create(0);
	const bt_component_source *source;
	int ret = -EIO;

	if (!graph)
		return ret;
	source = add_source(graph, ctf, folder);
	if (source)
		ret = add_sinks(graph, source, &sink);
	if (!ret && bt_component_source_get_output_port_count(source) &&
	    bt_graph_run(graph) != BT_GRAPH_RUN_STATUS_OK)
		ret = sink.interrupted ? -EINTR : -EIO;
	bt_graph_put_ref(graph);
	if (ret)
		note_error(count);
	return ret;
}

/* nftw() has no room for an argument. */
static struct {
	const bt_plugin *ctf; /* weak */
	struct cli_record_count *count;
	int result;
} walk;

static int visit(const char *path, const struct stat *status, int type,
		 struct FTW *place)
{
	char *folder;
	int ret;

	(void)status;
	if (type != FTW_F || strcmp(path + place->base, "metadata") != 0)
		return 0;
	folder = strndup(path, (size_t)place->base);
	if (!folder)
		return -ENOMEM;
	ret = count_folder(walk.ctf, folder, walk.count);
	free(folder);
	if (ret == -EIO)
		walk.result = ret; /* and on to the next trace */
	return ret == -EIO ? 0 : ret;
}

int cli_record_count(const char *path, struct cli_record_count *count)
{
	const bt_plugin *ctf = NULL;
	int ret;

	if (bt_plugin_find("ctf", BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE,
			   &ctf) != BT_PLUGIN_FIND_STATUS_OK) {
		note_error(count);
		return -EIO;
	}
	walk.ctf = ctf;
	walk.count = count;
	walk.result = 0;
	ret = nftw(path, visit, MAX_OPEN_FOLDERS, FTW_PHYS);
	bt_plugin_put_ref(ctf);
	if (ret == -1 && errno == ENOENT)
		return 0;
	if (ret)
		return ret == -1 ? -EIO : ret;
	return walk.result;
}
