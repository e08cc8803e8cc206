// SPDX-License-Identifier: MIT
/* Connections that are forwarded to a port; see live/forward.h. */
#include "live/forward.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define BUFFER_SIZE 65536

/*
 * One direction of a connection. It reads no more while what it has read is not
 * written.
 */
struct flow {
	uv_tcp_t *from; /* weak, as the next */
	uv_tcp_t *to;
	uv_write_t write;
	uv_shutdown_t shutdown;
	bool has_ended;
	char data[BUFFER_SIZE];
};

struct connection {
	struct live_forwards *forwards; /* weak */
	struct connection *next;
	uv_tcp_t outside;
	uv_tcp_t inside;
	unsigned int nr_open; /* of these two */
	uv_connect_t connect;
	struct flow in;
	struct flow out;
};

struct sockaddr_in live_loopback(uint16_t port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
}

static void free_connection(uv_handle_t *handle)
{
	struct connection *connection = handle->data;
	struct connection **at = &connection->forwards->connections;

	if (--connection->nr_open)
		return;
	while (*at != connection)
		at = &(*at)->next;
	*at = connection->next;
	connection->forwards->nr_connections--;
	free(connection);
}

/* Both ends; harmless if they are being closed. */
static void close_connection(struct connection *connection)
{
	uv_handle_t *outside = (uv_handle_t *)&connection->outside;
	uv_handle_t *inside = (uv_handle_t *)&connection->inside;

	if (!uv_is_closing(outside))
		uv_close(outside, free_connection);
	if (!uv_is_closing(inside))
		uv_close(inside, free_connection);
}

static struct flow *flow_from(uv_handle_t *handle)
{
	struct connection *connection = handle->data;

	return handle == (uv_handle_t *)&connection->outside ? &connection->in
							     : &connection->out;
}

static void lend_buffer(uv_handle_t *handle, size_t size, uv_buf_t *buffer)
{
	struct flow *flow = flow_from(handle);

	(void)size;
	*buffer = uv_buf_init(flow->data, sizeof(flow->data));
}

static void pass_on(uv_stream_t *from, ssize_t size, const uv_buf_t *buffer);

static void note_written(uv_write_t *write, int status)
{
	struct flow *flow = write->data;
	struct connection *connection = flow->from->data;

	if (status < 0 ||
	    uv_read_start((uv_stream_t *)flow->from, lend_buffer, pass_on) < 0)
		close_connection(connection);
}

static void note_shutdown(uv_shutdown_t *shutdown, int status)
{
	struct flow *flow = shutdown->data;
	struct connection *connection = flow->from->data;

	flow->has_ended = true;
	if (status < 0 ||
	    (connection->in.has_ended && connection->out.has_ended))
		close_connection(connection);
}

/* One end has written what there will be. */
static void pass_end_on(struct flow *flow)
{
	(void)uv_read_stop((uv_stream_t *)flow->from);
	flow->shutdown.data = flow;
	if (uv_shutdown(&flow->shutdown, (uv_stream_t *)flow->to,
			note_shutdown) < 0)
		close_connection(flow->from->data);
}

/* Writes what was read; what can't be written now keeps more from being read. */
static void write_on(struct flow *flow, uv_buf_t data)
{
	uv_stream_t *to = (uv_stream_t *)flow->to;
	int written = uv_try_write(to, &data, 1);

	if (written == UV_EAGAIN)
		written = 0;
	if (written >= 0 && (size_t)written == data.len)
		return;
	if (written >= 0) {
		data.base += written;
		data.len -= (size_t)written;
		flow->write.data = flow;
		(void)uv_read_stop((uv_stream_t *)flow->from);
		written = uv_write(&flow->write, to, &data, 1, note_written);
	}
	if (written < 0)
		close_connection(flow->from->data);
}

static void pass_on(uv_stream_t *from, ssize_t size, const uv_buf_t *buffer)
{
	struct flow *flow = flow_from((uv_handle_t *)from);

	if (size > 0)
		write_on(flow, uv_buf_init(buffer->base, (unsigned int)size));
	else if (size == UV_EOF)
		pass_end_on(flow);
	else if (size < 0)
		close_connection(from->data);
}

static void note_connected(uv_connect_t *connect, int status)
{
	struct connection *connection = connect->data;

	if (status < 0 ||
	    uv_read_start((uv_stream_t *)&connection->outside, lend_buffer,
			  pass_on) < 0 ||
	    uv_read_start((uv_stream_t *)&connection->inside, lend_buffer,
			  pass_on) < 0)
		close_connection(connection);
}

void live_forward_add(struct live_forwards *forwards, int fd, uint16_t port)
{
	const struct sockaddr_in address = live_loopback(port);
	struct connection *connection = calloc(1, sizeof(*connection));

	if (!connection) {
		(void)close(fd);
		return;
	}
	connection->forwards = forwards;
	connection->next = forwards->connections;
	forwards->connections = connection;
	forwards->nr_connections++;
	connection->in.from = connection->out.to = &connection->outside;
	connection->out.from = connection->in.to = &connection->inside;
	connection->outside.data = connection->inside.data = connection;
	connection->connect.data = connection;
	connection->nr_open = 2;
	(void)uv_tcp_init(forwards->loop, &connection->outside);
	(void)uv_tcp_init(forwards->loop, &connection->inside);
	if (uv_tcp_open(&connection->outside, fd) < 0) {
		(void)close(fd);
		close_connection(connection);
		return;
	}
	(void)uv_tcp_nodelay(&connection->outside, 1);
	(void)uv_tcp_nodelay(&connection->inside, 1);
	if (uv_tcp_connect(&connection->connect, &connection->inside,
			   (const struct sockaddr *)&address,
			   note_connected) < 0)
		close_connection(connection);
}

void live_forward_end(struct live_forwards *forwards)
{
	for (struct connection *connection = forwards->connections; connection;
	     connection = connection->next)
		close_connection(connection);
}
