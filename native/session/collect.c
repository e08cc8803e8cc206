// SPDX-License-Identifier: MIT
/* Collects what can be traced; see session/collect.h. */
#include "session/collect.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/level.h"
#include "session/daemons.h"

/*
 * Puts one more element, all zeros, at the end of the array that @array points to.
 * Returns it; NULL when out of memory.
 */
static void *append(void *array, size_t *count, size_t size)
{
	char *grown;
	void *old;

	memcpy(&old, array, sizeof(old));
	grown = reallocarray(old, *count + 1, size);
	if (!grown)
		return NULL;
	memcpy(array, &grown, sizeof(grown));
	return memset(grown + (*count)++ * size, 0, size);
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

/*
 * Adds an event rule to a session's, if it lets some bunyan:* event through.
 * Returns 0 or -ENOMEM.
 */
static int add_rule(struct session_status *session,
		    const struct lttng_channel *channel,
		    struct lttng_event *event)
{
	struct session_rule rule = { .enabled = event->enabled != 0 &&
						channel->enabled };
	struct session_rule *added;
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
		return 0;
	added = append(&session->rules, &session->nr_rules, sizeof(rule));
	if (!added)
		return -ENOMEM;
	if (event->filter && lttng_event_get_filter_expression(event, &filter))
		filter = NULL;
	rule.event = strdup(event->name);
	rule.channel = strdup(channel->name);
	rule.filter = filter ? strdup(filter) : NULL;
	*added = rule;
	return rule.event && rule.channel && !filter == !rule.filter ? 0
								     : -ENOMEM;
}

/* Returns 0 or -ENOMEM. */
static int add_rules(struct session_status *session)
{
	struct lttng_domain domain = { .type = LTTNG_DOMAIN_UST };
	struct lttng_handle *handle =
		lttng_create_handle(session->name, &domain);
	struct lttng_channel *channels = NULL;
	int nr_channels = handle ? lttng_list_channels(handle, &channels) : 0;
	int ret = 0;

	for (int i = 0; i < nr_channels; i++) {
		struct lttng_event *events = NULL;
		int nr_events =
			lttng_list_events(handle, channels[i].name, &events);

		for (int j = 0; j < nr_events && !ret; j++)
			ret = add_rule(session, &channels[i], &events[j]);
		free(events);
	}
	free(channels);
	lttng_destroy_handle(handle);
	return ret;
}

/* Returns 0 or -ENOMEM. */
static int collect_sessions(struct session_overview *status)
{
	struct lttng_session *sessions = NULL;
	int count = lttng_list_sessions(&sessions);
	int ret = 0;

	if (count < 0)
		status->error = count;
	for (int i = 0; i < count && !ret; i++) {
		struct session_status *session = append(&status->sessions,
							&status->nr_sessions,
							sizeof(*session));

		if (!session) {
			ret = -ENOMEM;
			break;
		}
		memcpy(session->name, sessions[i].name, sizeof(session->name));
		memcpy(session->path, sessions[i].path, sizeof(session->path));
		session->active = sessions[i].enabled;
		session->snapshot = sessions[i].snapshot_mode;
		session->live = sessions[i].live_timer_interval;
		ret = add_rules(session);
	}
	free(sessions);
	return ret;
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

/* Finds or adds a process. Returns NULL when out of memory. */
static struct session_process *find_process(struct session_overview *status,
					    pid_t pid)
{
	struct session_process *process;

	for (size_t i = 0; i < status->nr_processes; i++)
		if (status->processes[i].pid == pid)
			return &status->processes[i];
	process = append(&status->processes, &status->nr_processes,
			 sizeof(*process));
	if (!process)
		return NULL;
	process->pid = pid;
	read_name(process);
	return process;
}

/* Returns 0 or -ENOMEM. */
static int collect_processes(struct session_overview *status)
{
	struct lttng_domain domain = { .type = LTTNG_DOMAIN_UST };
	struct lttng_handle *handle = lttng_create_handle("", &domain);
	struct lttng_event *events = NULL;
	int count = handle ? lttng_list_tracepoints(handle, &events)
			   : -LTTNG_ERR_NOMEM;
	int ret = 0;

	if (count < 0)
		status->error = count;
	for (int i = 0; i < count && !ret; i++) {
		const char *name = events[i].name;
		struct session_process *process;

		for (size_t j = 0; j < NFT_BUNYAN_NR_LEVELS; j++) {
			if (strcmp(name, base_levels[j].event) != 0)
				continue;
			process = find_process(status, events[i].pid);
			if (process)
				process->levels[j] = true;
			else
				ret = -ENOMEM;
		}
	}
	free(events);
	lttng_destroy_handle(handle);
	return ret;
}

int session_status_collect(struct session_overview *status)
{
	int ret;

	*status = (struct session_overview){ .no_ust = nft_unavailable() };
	status->nr_daemons = session_status_find_daemons(status->daemons);
	for (size_t i = 0; i < status->nr_daemons; i++)
		if (!status->daemons[i].answers && !status->daemons[i].why_not)
			return -ENOMEM;
	if (lttng_session_daemon_alive() != 1)
		return 0;
	ret = collect_sessions(status);
	return ret ? ret : collect_processes(status);
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
