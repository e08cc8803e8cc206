// SPDX-License-Identifier: MIT
/* Collects what can be traced; see session/collect.h. */
#include "session/collect.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/level.h"
#include "session/daemons.h"

static char *copy_string(const char *string)
{
	size_t size = strlen(string) + 1;

	return memcpy(base_reallocate(NULL, size), string, size);
}

/* One more element at the end of an array, all zeros. */
static void *append(void *array, size_t *count, size_t size)
{
	char *grown = base_reallocate(array, (*count + 1) * size);

	memset(grown + *count * size, 0, size);
	(*count)++;
	return grown;
}

static bool lets_through(const struct lttng_event *event,
			 const struct base_level *level)
{
	switch (event->loglevel_type) {
	case LTTNG_EVENT_LOGLEVEL_RANGE:
		return (int)level->loglevel <= event->loglevel;
	case LTTNG_EVENT_LOGLEVEL_SINGLE:
		return (int)level->loglevel == event->loglevel;
	default:
		return true;
	}
}

static bool is_excluded(struct lttng_event *event, const char *name)
{
	int count = lttng_event_get_exclusion_name_count(event);

	for (int i = 0; i < count; i++) {
		const char *pattern;

		if (!lttng_event_get_exclusion_name(event, (size_t)i,
						    &pattern) &&
		    !fnmatch(pattern, name, 0))
			return true;
	}
	return false;
}

/* Adds an event rule to a session's, if it lets some bunyan:* event through. */
static void add_rule(struct session_status *session,
		     const struct lttng_channel *channel,
		     struct lttng_event *event)
{
	struct session_rule rule = { .enabled = event->enabled != 0 &&
						channel->enabled };
	const char *filter = NULL;
	bool any = false;

	for (size_t i = 0; i < NFT_BUNYAN_NR_LEVELS; i++) {
		const struct base_level *level = &base_levels[i];

		rule.levels[i] = !fnmatch(event->name, level->event, 0) &&
				 lets_through(event, level) &&
				 !is_excluded(event, level->event);
		any = any || rule.levels[i];
	}
	if (!any)
		return;
	rule.event = copy_string(event->name);
	rule.channel = copy_string(channel->name);
	if (event->filter &&
	    !lttng_event_get_filter_expression(event, &filter) && filter)
		rule.filter = copy_string(filter);
	session->rules =
		append(session->rules, &session->nr_rules, sizeof(rule));
	session->rules[session->nr_rules - 1] = rule;
}

static void add_rules(struct session_status *session)
{
	struct lttng_domain domain = { .type = LTTNG_DOMAIN_UST };
	struct lttng_handle *handle =
		lttng_create_handle(session->name, &domain);
	struct lttng_channel *channels = NULL;
	int nr_channels = handle ? lttng_list_channels(handle, &channels) : 0;

	for (int i = 0; i < nr_channels; i++) {
		struct lttng_event *events = NULL;
		int nr_events =
			lttng_list_events(handle, channels[i].name, &events);

		for (int j = 0; j < nr_events; j++)
			add_rule(session, &channels[i], &events[j]);
		free(events);
	}
	free(channels);
	lttng_destroy_handle(handle);
}

static void collect_sessions(struct session_overview *status)
{
	struct lttng_session *sessions = NULL;
	int count = lttng_list_sessions(&sessions);

	if (count < 0)
		status->error = count;
	for (int i = 0; i < count; i++) {
		struct session_status *session;

		status->sessions = append(status->sessions,
					  &status->nr_sessions,
					  sizeof(*session));
		session = &status->sessions[i];
		memcpy(session->name, sessions[i].name, sizeof(session->name));
		memcpy(session->path, sessions[i].path, sizeof(session->path));
		session->active = sessions[i].enabled;
		session->snapshot = sessions[i].snapshot_mode;
		session->live = sessions[i].live_timer_interval;
		add_rules(session);
	}
	free(sessions);
}

static void read_name(struct session_process *process)
{
	char path[32];
	size_t size;
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%d/comm", (int)process->pid);
	file = fopen(path, "re");
	if (!file)
		return;
	size = fread(process->name, 1, sizeof(process->name), file);
	(void)fclose(file);
	/* There may be line feeds in it; the kernel adds one at its end. */
	process->name[size ? size - 1 : 0] = '\0';
}

static struct session_process *find_process(struct session_overview *status,
					    pid_t pid)
{
	struct session_process *process;

	for (size_t i = 0; i < status->nr_processes; i++)
		if (status->processes[i].pid == pid)
			return &status->processes[i];
	status->processes = append(status->processes, &status->nr_processes,
				   sizeof(*process));
	process = &status->processes[status->nr_processes - 1];
	process->pid = pid;
	read_name(process);
	return process;
}

static void collect_processes(struct session_overview *status)
{
	struct lttng_domain domain = { .type = LTTNG_DOMAIN_UST };
	struct lttng_handle *handle = lttng_create_handle("", &domain);
	struct lttng_event *events = NULL;
	int count = handle ? lttng_list_tracepoints(handle, &events)
			   : -LTTNG_ERR_NOMEM;

	if (count < 0)
		status->error = count;
	for (int i = 0; i < count; i++) {
		const char *name = events[i].name;

		for (size_t j = 0; j < NFT_BUNYAN_NR_LEVELS; j++)
			if (!strcmp(name, base_levels[j].event))
				find_process(status, events[i].pid)->levels[j] =
					true;
	}
	free(events);
	lttng_destroy_handle(handle);
}

void session_status_collect(struct session_overview *status)
{
	*status = (struct session_overview){ .no_ust = nft_unavailable() };
	status->nr_daemons = session_status_find_daemons(status->daemons);
	if (lttng_session_daemon_alive() != 1)
		return;
	collect_sessions(status);
	collect_processes(status);
}

bool session_has_level(const struct session_status *session, size_t level)
{
	for (size_t i = 0; session->active && i < session->nr_rules; i++)
		if (session->rules[i].enabled &&
		    session->rules[i].levels[level])
			return true;
	return false;
}

void session_status_free(struct session_overview *status)
{
	for (size_t i = 0; i < status->nr_daemons; i++) {
		free(status->daemons[i].why_not);
		free(status->daemons[i].version);
	}
	for (size_t i = 0; i < status->nr_sessions; i++) {
		struct session_status *session = &status->sessions[i];

		for (size_t j = 0; j < session->nr_rules; j++) {
			free(session->rules[j].event);
			free(session->rules[j].channel);
			free(session->rules[j].filter);
		}
		free(session->rules);
	}
	free(status->sessions);
	free(status->processes);
}
