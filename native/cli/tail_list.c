// SPDX-License-Identifier: MIT
/* The live sessions that a relay daemon has; see cli/tail_list.h. */
#include "cli/tail_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "reader/error.h"

/* Asks a relay daemon. NULL with the current thread's error set. */
static const bt_value *query_sessions(const struct reader_ctf *ctf,
				      const char *url)
{
	const bt_component_class *class =
		bt_component_class_source_as_component_class_const(ctf->live);
	bt_value *parameters = bt_value_map_create();
	const bt_value *sessions = NULL;
	bt_query_executor *query = NULL;

	if (parameters &&
	    bt_value_map_insert_string_entry(parameters, "url", url) ==
		    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK)
		query = bt_query_executor_create(class, "sessions", parameters);
	if (query && bt_query_executor_query(query, &sessions) !=
			     BT_QUERY_EXECUTOR_QUERY_STATUS_OK)
		sessions = NULL;
	bt_query_executor_put_ref(query);
	bt_value_put_ref(parameters);
	return sessions;
}

/* A text of a map; "" if there isn't one. */
static const char *get_text(const bt_value *map, const char *name)
{
	const bt_value *value =
		bt_value_map_borrow_entry_value_const(map, name);

	return value && bt_value_is_string(value) ? bt_value_string_get(value)
						  : "";
}

static bool has_live_timer(const bt_value *map)
{
	const bt_value *value =
		bt_value_map_borrow_entry_value_const(map, "timer-us");

	return value &&
	       (!bt_value_is_unsigned_integer(value) ||
		bt_value_integer_unsigned_get(value) > 0) &&
	       (!bt_value_is_signed_integer(value) ||
		bt_value_integer_signed_get(value) > 0);
}

/* Whether a session is wanted: it is live, and called so. */
static bool is_wanted(const bt_value *map, const char *session)
{
	return has_live_timer(map) &&
	       (!session || !strcmp(get_text(map, "session-name"), session));
}

/* Returns whether @url is new. *@is_ok becomes false when out of memory. */
static bool is_new(struct cli_tail_list *list, const char *url, bool *is_ok)
{
	char **grown;

	for (size_t i = 0; i < list->nr_known; i++)
		if (!strcmp(list->known[i], url))
			return false;
	grown = reallocarray(list->known, list->nr_known + 1, sizeof(*grown));
	if (grown) {
		list->known = grown;
		grown[list->nr_known] = strdup(url);
	}
	*is_ok = grown && grown[list->nr_known];
	list->nr_known += *is_ok;
	return *is_ok;
}

/* Adds those that are wanted and weren't known. */
static bool add_sessions(struct cli_tail_list *list,
			 struct reader_sources *sources,
			 const struct reader_ctf *ctf, const bt_value *sessions)
{
	bool is_ok = true;

	for (uint64_t i = 0; is_ok && i < bt_value_array_get_length(sessions);
	     i++) {
		const bt_value *map =
			bt_value_array_borrow_element_by_index_const(sessions,
								     i);
		const char *url = get_text(map, "url");

		if (!is_wanted(map, list->session) ||
		    !is_new(list, url, &is_ok))
			continue;
		is_ok = !reader_sources_add_live(sources, ctf, url);
		cli_error("following %s of %s", get_text(map, "session-name"),
			  get_text(map, "target-hostname"));
	}
	return is_ok;
}

static void report_none(const bt_value *sessions, const char *url,
			const char *session)
{
	uint64_t nr_live = 0;

	for (uint64_t i = 0; i < bt_value_array_get_length(sessions); i++)
		nr_live +=
			is_wanted(bt_value_array_borrow_element_by_index_const(
					  sessions, i),
				  NULL);
	if (session && nr_live)
		cli_error("no live session \"%s\" at %s; it has these:",
			  session, url);
	else
		cli_error("no live session at %s; make one with lttng create "
			  "NAME --live=100000 --set-url=net://HOST",
			  url);
	for (uint64_t i = 0; i < bt_value_array_get_length(sessions); i++) {
		const bt_value *map =
			bt_value_array_borrow_element_by_index_const(sessions,
								     i);

		if (is_wanted(map, NULL))
			cli_error("  %s of %s", get_text(map, "session-name"),
				  get_text(map, "target-hostname"));
	}
}

/* Whether list->url is of a session, not of a relay daemon. */
static bool names_session(const struct cli_tail_list *list)
{
	return strstr(list->url, "/host/") != NULL;
}

bool cli_tail_list_open(struct cli_tail_list *list,
			struct reader_sources *sources,
			const struct reader_ctf *ctf)
{
	const bt_value *sessions;
	char *what;
	bool is_ok;

	if (names_session(list)) {
		is_ok = !reader_sources_add_live(sources, ctf, list->url);
		if (!is_ok)
			reader_error("out of memory");
		return is_ok;
	}
	sessions = query_sessions(ctf, list->url);
	if (!sessions) {
		if (asprintf(&what,
			     "cannot ask the relay daemon at %s (is "
			     "lttng-relayd running there, with a --live-port "
			     "that can be reached?)",
			     list->url) >= 0) {
			reader_error(what);
			free(what);
		}
		return false;
	}
	is_ok = add_sessions(list, sources, ctf, sessions);
	if (!is_ok)
		reader_error("out of memory");
	if (is_ok && !sources->nr_sources) {
		report_none(sessions, list->url, list->session);
		is_ok = false;
	}
	bt_value_put_ref(sessions);
	return is_ok;
}

bool cli_tail_list_more(struct cli_tail_list *list,
			struct reader_sources *sources,
			const struct reader_ctf *ctf)
{
	const bt_value *sessions;
	bool is_ok;

	if (names_session(list))
		return true;
	sessions = query_sessions(ctf, list->url);
	if (!sessions) {
		bt_current_thread_clear_error();
		return true;
	}
	is_ok = add_sessions(list, sources, ctf, sessions);
	bt_value_put_ref(sessions);
	return is_ok;
}

void cli_tail_list_free(struct cli_tail_list *list)
{
	for (size_t i = 0; i < list->nr_known; i++)
		free(list->known[i]);
	free(list->known);
	list->known = NULL;
	list->nr_known = 0;
}
