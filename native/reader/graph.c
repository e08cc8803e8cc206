// SPDX-License-Identifier: MIT
/* A babeltrace2 graph from sources to the sink; see reader/graph.h. */
#include "reader/graph.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "reader/error.h"

/* The newest message interchange protocol that all components speak. */
static int find_protocol(const struct reader_sources *sources,
			 const bt_component_class_sink *sink, uint64_t *version)
{
	bt_component_descriptor_set *components =
		bt_component_descriptor_set_create();
	bool is_ok =
		components &&
		bt_component_descriptor_set_add_descriptor(
			components,
			bt_component_class_sink_as_component_class_const(sink),
			NULL) ==
			BT_COMPONENT_DESCRIPTOR_SET_ADD_DESCRIPTOR_STATUS_OK;

	for (size_t i = 0; is_ok && i < sources->nr_sources; i++) {
		const struct reader_source *source = &sources->sources[i];

		if (!source->parameters)
			continue;
		is_ok = bt_component_descriptor_set_add_descriptor(
				components,
				bt_component_class_source_as_component_class_const(
					source->class),
				source->parameters) ==
			BT_COMPONENT_DESCRIPTOR_SET_ADD_DESCRIPTOR_STATUS_OK;
	}
	is_ok = is_ok &&
		bt_get_greatest_operative_mip_version(
			components, BT_LOGGING_LEVEL_NONE, version) ==
			BT_GET_GREATEST_OPERATIVE_MIP_VERSION_STATUS_OK;
	bt_component_descriptor_set_put_ref(components);
	return is_ok ? 0 : -EIO;
}

/*
 * Adds the components. Returns how many ports they have, or -EIO.
 */
static ssize_t add_sources(bt_graph *graph,
			   const struct reader_sources *sources,
			   const bt_component_source **components)
{
	size_t nr_ports = 0;

	for (size_t i = 0; i < sources->nr_sources; i++) {
		const struct reader_source *source = &sources->sources[i];
		char name[32];

		if (!source->parameters)
			continue;
		(void)snprintf(name, sizeof(name), "source%zu", i);
		if (bt_graph_add_source_component(
			    graph, source->class, name, source->parameters,
			    BT_LOGGING_LEVEL_NONE,
			    &components[i]) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
			return -EIO;
		nr_ports += bt_component_source_get_output_port_count(
			components[i]);
	}
	return (ssize_t)nr_ports;
}

static int connect_source(bt_graph *graph, const bt_component_source *source,
			  const bt_component_sink *sink, uint64_t *input)
{
	uint64_t nr_ports = bt_component_source_get_output_port_count(source);

	for (uint64_t i = 0; i < nr_ports; i++) {
		const bt_port_output *output =
			bt_component_source_borrow_output_port_by_index_const(
				source, i);

		if (bt_graph_connect_ports(
			    graph, output,
			    bt_component_sink_borrow_input_port_by_index_const(
				    sink, (*input)++),
			    NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
			return -EIO;
	}
	return 0;
}

/*
 * Fills an empty graph. @components has room for each source's. Returns 0 or -EIO.
 */
static int fill(struct reader_graph *graph,
		const struct reader_sources *sources,
		const bt_component_class_sink *class,
		const bt_component_source **components)
{
	const bt_component_sink *sink;
	uint64_t input = 0;
	ssize_t nr_ports = add_sources(graph->graph, sources, components);

	if (nr_ports < 0 ||
	    reader_sink_add(&graph->sink, graph->graph, class, (size_t)nr_ports,
			    &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		return -EIO;
	for (size_t i = 0; i < sources->nr_sources; i++)
		if (components[i] &&
		    connect_source(graph->graph, components[i], sink, &input))
			return -EIO;
	return 0;
}

int reader_graph_open(struct reader_graph *graph,
		      const struct reader_sources *sources)
{
	bt_component_class_sink *class = reader_sink_class();
	const bt_component_source **components = calloc(
		sources->nr_sources + 1, sizeof(const bt_component_source *));
	uint64_t version;
	int ret = -EIO;

	if (class && components && !find_protocol(sources, class, &version)) {
		graph->graph = bt_graph_create(version);
		if (graph->graph)
			ret = fill(graph, sources, class, components);
	}
	free(components);
	bt_component_class_sink_put_ref(class);
	if (ret) {
		bt_graph_put_ref(graph->graph);
		graph->graph = NULL;
	}
	return ret;
}

enum reader_run reader_graph_step(struct reader_graph *graph)
{
	switch (bt_graph_run_once(graph->graph)) {
	case BT_GRAPH_RUN_ONCE_STATUS_OK:
		return READER_RUN_OK;
	case BT_GRAPH_RUN_ONCE_STATUS_AGAIN:
		return READER_RUN_AGAIN;
	case BT_GRAPH_RUN_ONCE_STATUS_END:
		return READER_RUN_END;
	default:
		if (graph->sink.write_error)
			bt_current_thread_clear_error();
		else
			reader_error("cannot read on");
		return READER_RUN_FAILED;
	}
}

void reader_graph_interrupt(struct reader_graph *graph)
{
	bt_interrupter_set(bt_graph_borrow_default_interrupter(graph->graph));
}

void reader_graph_close(struct reader_graph *graph)
{
	bt_graph_put_ref(graph->graph);
	graph->graph = NULL;
	reader_sink_free(&graph->sink);
}
