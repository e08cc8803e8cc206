// SPDX-License-Identifier: MIT
/* Reads the order of a record's members; see reader/order.h. */
#include "reader/order.h"

/* The core member that a mark stands for, and the byte after the mark. */
static const char *read_mark(const char *space, enum reader_json_core *core)
{
	*core = READER_JSON_NR_CORE;
	switch (*space++) {
	case ' ':
		*core = READER_JSON_LEVEL;
		return space;
	case '\n':
		*core = READER_JSON_MSG;
		return space;
	case '\t':
		*core = READER_JSON_TIME;
		return space;
	default: /* a carriage return, with another one */
		break;
	}
	switch (*space) {
	case ' ':
		*core = READER_JSON_NAME;
		break;
	case '\t':
		*core = READER_JSON_HOSTNAME;
		break;
	case '\n':
		*core = READER_JSON_PID;
		break;
	case '\r':
		*core = READER_JSON_V;
		break;
	default:
		return space;
	}
	return space + 1;
}

void reader_order_mark(struct reader_order *order, const char *space,
		       size_t offset)
{
	while (reader_order_is_space(*space)) {
		enum reader_json_core core;

		space = read_mark(space, &core);
		if (core == READER_JSON_NR_CORE || order->moved & 1U << core)
			continue;
		order->moved |= 1U << core;
		order->places[order->nr_places].offset = offset;
		order->places[order->nr_places++].core = core;
	}
}

void reader_order_end(struct reader_order *order, const char *space)
{
	unsigned int listed = 0;
	size_t nr_kept = 0;

	while (reader_order_is_space(*space)) {
		enum reader_json_core core;

		space = read_mark(space, &core);
		if (core != READER_JSON_NR_CORE)
			listed |= 1U << core;
	}
	for (size_t i = 0; i < order->nr_places; i++)
		if (listed & 1U << order->places[i].core)
			order->places[nr_kept++] = order->places[i];
	order->nr_places = nr_kept;
	order->moved &= listed;
}
