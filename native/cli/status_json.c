// SPDX-License-Identifier: MIT
/* Writes the status as JSON with yajl; see cli/status_json.h. */
#include "cli/status_json.h"

#include <stdio.h>
#include <string.h>
#include <yajl/yajl_gen.h>

#include "base/utf8_repair.h"
#include "base/text.h"
#include "base/utf8.h"

/*
 * yajl_gen remembers the first error and refuses everything after it, so that
 * the status of the last call tells of all.
 */
static void string(yajl_gen json, const char *text)
{
	struct base_text repaired = { 0 };

	/* Names and paths may hold any bytes. */
	(void)base_text_reserve(&repaired, 1);
	base_utf8_repair(&repaired, (struct base_slice){ text, strlen(text) });
	(void)yajl_gen_string(json, (const unsigned char *)repaired.data,
			      repaired.size);
	base_text_free(&repaired);
}

static void string_or_null(yajl_gen json, const char *text)
{
	if (text)
		string(json, text);
	else
		(void)yajl_gen_null(json);
}

static void string_member(yajl_gen json, const char *key, const char *text)
{
	string(json, key);
	string_or_null(json, text);
}

static void boolean_member(yajl_gen json, const char *key, bool value)
{
	string(json, key);
	(void)yajl_gen_bool(json, value);
}

static void pid_member(yajl_gen json, pid_t pid)
{
	string(json, "pid");
	if (pid)
		(void)yajl_gen_integer(json, pid);
	else
		(void)yajl_gen_null(json);
}

static void levels_member(yajl_gen json, const bool levels[SESSION_NR_LEVELS])
{
	string(json, "levels");
	(void)yajl_gen_array_open(json);
	for (size_t i = 0; i < SESSION_NR_LEVELS; i++)
		if (levels[i])
			string(json, session_level_names[i]);
	(void)yajl_gen_array_close(json);
}

static void add_daemon(yajl_gen json,
		       const struct session_daemon_status *daemon)
{
	(void)yajl_gen_map_open(json);
	string_member(json, "owner", daemon->owner);
	string_member(json, "socket", *daemon->socket ? daemon->socket : NULL);
	boolean_member(json, "answers", daemon->answers);
	boolean_member(json, "used", daemon->used);
	pid_member(json, daemon->pid);
	string_member(json, "version", daemon->version);
	string_member(json, "reason", daemon->why_not);
	(void)yajl_gen_map_close(json);
}

static void add_rule(yajl_gen json, const struct session_rule *rule)
{
	(void)yajl_gen_map_open(json);
	string_member(json, "event", rule->event);
	string_member(json, "channel", rule->channel);
	boolean_member(json, "enabled", rule->enabled);
	levels_member(json, rule->levels);
	string_member(json, "filter", rule->filter);
	(void)yajl_gen_map_close(json);
}

static void add_session(yajl_gen json, const struct session_status *session)
{
	(void)yajl_gen_map_open(json);
	string_member(json, "name", session->name);
	string_member(json, "path", *session->path ? session->path : NULL);
	boolean_member(json, "active", session->active);
	boolean_member(json, "snapshot", session->snapshot);
	boolean_member(json, "live", session->live);
	string(json, "rules");
	(void)yajl_gen_array_open(json);
	for (size_t i = 0; i < session->nr_rules; i++)
		add_rule(json, &session->rules[i]);
	(void)yajl_gen_array_close(json);
	(void)yajl_gen_map_close(json);
}

/* Each level, with the sessions that record it now. */
static void add_levels(yajl_gen json, const struct session_overview *status)
{
	(void)yajl_gen_map_open(json);
	for (size_t i = 0; i < SESSION_NR_LEVELS; i++) {
		string(json, session_level_names[i]);
		(void)yajl_gen_array_open(json);
		for (size_t j = 0; j < status->nr_sessions; j++)
			if (session_has_level(&status->sessions[j], i))
				string(json, status->sessions[j].name);
		(void)yajl_gen_array_close(json);
	}
	(void)yajl_gen_map_close(json);
}

static void add_process(yajl_gen json, const struct session_process *process)
{
	(void)yajl_gen_map_open(json);
	pid_member(json, process->pid);
	string_member(json, "name", *process->name ? process->name : NULL);
	levels_member(json, process->levels);
	(void)yajl_gen_map_close(json);
}

static void add_status(yajl_gen json, const struct session_overview *status)
{
	(void)yajl_gen_map_open(json);
	string_member(json, "version", NFTRACE_VERSION);
	string(json, "ust");
	(void)yajl_gen_map_open(json);
	boolean_member(json, "available", !status->no_ust);
	string_member(json, "reason", status->no_ust);
	(void)yajl_gen_map_close(json);
	string(json, "daemons");
	(void)yajl_gen_array_open(json);
	for (size_t i = 0; i < status->nr_daemons; i++)
		add_daemon(json, &status->daemons[i]);
	(void)yajl_gen_array_close(json);
	string(json, "levels");
	add_levels(json, status);
	string(json, "sessions");
	(void)yajl_gen_array_open(json);
	for (size_t i = 0; i < status->nr_sessions; i++)
		add_session(json, &status->sessions[i]);
	(void)yajl_gen_array_close(json);
	string(json, "processes");
	(void)yajl_gen_array_open(json);
	for (size_t i = 0; i < status->nr_processes; i++)
		add_process(json, &status->processes[i]);
	(void)yajl_gen_array_close(json);
	string_member(json, "error",
		      status->error ? lttng_strerror(status->error) : NULL);
	(void)yajl_gen_map_close(json);
}

/* Writes JSON text, with escapes for the unseen characters in its strings. */
static int print_text(const char *at, size_t size)
{
	const char *end = at + size;
	struct base_text text = { 0 };
	int ret = -1;

	while (at < end) {
		size_t plain = base_utf8_plain(at, end);

		base_text_bytes(&text, at, plain);
		at += plain;
		if (at == end)
			break;
		/* What is left is ASCII and JSON's own, as its line feeds. */
		size = *at == '\n' ? 0 : base_text_unseen(&text, at, end);
		if (!size)
			base_text_bytes(&text, at, 1);
		at += size ? size : 1;
	}
	if (!text.failed &&
	    fwrite(text.data, 1, text.size, stdout) == text.size &&
	    !fflush(stdout))
		ret = 0;
	base_text_free(&text);
	return ret;
}

int cli_status_print_json(const struct session_overview *status)
{
	yajl_gen json = yajl_gen_alloc(NULL);
	const unsigned char *text;
	size_t size;
	int ret = -1;

	if (!json)
		return ret;
	(void)yajl_gen_config(json, yajl_gen_beautify, 1);
	add_status(json, status);
	if (yajl_gen_get_buf(json, &text, &size) == yajl_gen_status_ok)
		ret = print_text((const char *)text, size);
	yajl_gen_free(json);
	return ret;
}
