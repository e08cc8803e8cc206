// SPDX-License-Identifier: MIT
/* Tells the order of members; see pipe/order.h. */
#include "pipe/order.h"

#include <string.h>

/* The order in which a record is read back, with fields between level and msg. */
static const struct {
	enum pipe_flat flat;
	const char *mark;
} places[] = {
	{ PIPE_FLAT_NAME, "\r " }, { PIPE_FLAT_HOSTNAME, "\r\t" },
	{ PIPE_FLAT_PID, "\r\n" }, { PIPE_FLAT_LEVEL, " " },
	{ PIPE_FLAT_MSG, "\n" },   { PIPE_FLAT_TIME, "\t" },
	{ PIPE_FLAT_V, "\r\r" },
};
#define NR_PLACES     (sizeof(places) / sizeof(places[0]))
#define FIRST_OF_TAIL 4

_Static_assert(NR_PLACES == PIPE_NR_FLAT, "each flat member has a place");

static size_t place_of(enum pipe_flat flat)
{
	size_t place = 0;

	while (places[place].flat != flat)
		place++;
	return place;
}

static void add_mark(struct pipe_order *order, enum pipe_flat flat)
{
	order->marks[order->nr_marks].flat = flat;
	order->marks[order->nr_marks++].member = order->nr_members;
}

/* Marks those of the tail that something follows. */
static void mark_tail(struct pipe_order *order)
{
	for (size_t place = FIRST_OF_TAIL; place < NR_PLACES; place++)
		if (order->tail & 1U << place)
			add_mark(order, places[place].flat);
	order->tail = 0;
}

void pipe_order_add(struct pipe_order *order, enum pipe_flat flat)
{
	size_t place;

	if (flat == PIPE_NOT_FLAT) {
		mark_tail(order);
		order->nr_members++;
		return;
	}
	place = place_of(flat);
	if (place >= FIRST_OF_TAIL) {
		if (order->tail >> place)
			mark_tail(order);
		order->tail |= 1U << place;
		return;
	}
	mark_tail(order);
	if (order->nr_members || order->nr_marks || place < order->next_head)
		add_mark(order, flat);
	else
		order->next_head = place + 1;
}

void pipe_order_append(const struct pipe_order *order, struct base_text *fields,
		       size_t member)
{
	for (size_t i = 0; i < order->nr_marks; i++) {
		const char *mark;

		if (order->marks[i].member != member)
			continue;
		mark = places[place_of(order->marks[i].flat)].mark;
		base_text_bytes(fields, mark, strlen(mark));
	}
}

void pipe_order_end(const struct pipe_order *order, struct base_text *fields)
{
	for (size_t place = 0; place < NR_PLACES; place++)
		for (size_t i = 0; i < order->nr_marks; i++)
			if (order->marks[i].flat == places[place].flat)
				base_text_bytes(fields, places[place].mark,
						strlen(places[place].mark));
}
