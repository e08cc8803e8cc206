// SPDX-License-Identifier: MIT
/* Writes the status as JSON; see cli/status_json.h. */
#include "cli/status_json.h"

#include <stdio.h>
#include <string.h>

#include "base/level.h"
#include "base/text.h"
#include "base/utf8_repair.h"

/* JSON that is being written, a member or an element a line. */
struct writer {
	struct base_text text;
	size_t depth;
	bool is_first; /* in its object or array */
	bool has_key;  /* before what comes next */
};

static void indent(struct writer *json)
{
	for (size_t i = 0; i < json->depth; i++)
		base_text_literal(&json->text, "    ");
}

/* What stands between what was written last and a key or a value. */
static void separate(struct writer *json)
{
	if (!json->has_key && !json->is_first)
		base_text_literal(&json->text, ",\n");
	if (!json->has_key)
		indent(json);
	json->is_first = false;
	json->has_key = false;
}

/* Opens an object or an array. */
static void begin(struct writer *json, char bracket)
{
	separate(json);
	base_text_char(&json->text, bracket);
	base_text_literal(&json->text, "\n");
	json->is_first = true;
	json->depth++;
}

static void end(struct writer *json, char bracket)
{
	base_text_literal(&json->text, "\n");
	json->depth--;
	indent(json);
	base_text_char(&json->text, bracket);
	json->is_first = false;
}

static void literal(struct writer *json, const char *value)
{
	separate(json);
	base_text_append(&json->text, value);
}

static void string(struct writer *json, const char *value)
{
	struct base_text repaired = { 0 };

	/* Names and paths may hold any bytes. */
	base_utf8_repair(&repaired,
			 (struct base_slice){ value, strlen(value) });
	separate(json);
	base_text_string(&json->text, repaired.data, repaired.size);
	if (repaired.failed)
		base_text_fail(&json->text);
	base_text_free(&repaired);
}

static void key(struct writer *json, const char *name)
{
	string(json, name);
	base_text_literal(&json->text, ": ");
	json->has_key = true;
}

/* A member that is null if @value is NULL. */
static void string_member(struct writer *json, const char *name,
			  const char *value)
{
	key(json, name);
	if (value)
		string(json, value);
	else
		literal(json, "null");
}

static void boolean_member(struct writer *json, const char *name, bool value)
{
	key(json, name);
	literal(json, value ? "true" : "false");
}

static void pid_member(struct writer *json, pid_t pid)
{
	key(json, "pid");
	if (pid) {
		separate(json);
		base_text_signed(&json->text, pid);
	} else {
		literal(json, "null");
	}
}

static void levels_member(struct writer *json,
			  const bool levels[NFT_BUNYAN_NR_LEVELS])
{
	key(json, "levels");
	begin(json, '[');
	for (size_t i = 0; i < NFT_BUNYAN_NR_LEVELS; i++)
		if (levels[i])
			string(json, base_levels[i].name);
	end(json, ']');
}

static void add_daemon(struct writer *json,
		       const struct session_daemon_status *daemon)
{
	begin(json, '{');
	string_member(json, "owner", daemon->owner);
	string_member(json, "socket", *daemon->socket ? daemon->socket : NULL);
	boolean_member(json, "answers", daemon->answers);
	boolean_member(json, "used", daemon->used);
	pid_member(json, daemon->pid);
	string_member(json, "version", daemon->version);
	string_member(json, "reason", daemon->why_not);
	end(json, '}');
}

static void add_rule(struct writer *json, const struct session_rule *rule)
{
	begin(json, '{');
	string_member(json, "event", rule->event);
	string_member(json, "channel", rule->channel);
	boolean_member(json, "enabled", rule->enabled);
	levels_member(json, rule->levels);
	string_member(json, "filter", rule->filter);
	end(json, '}');
}

static void add_session(struct writer *json,
			const struct session_status *session)
{
	begin(json, '{');
	string_member(json, "name", session->name);
	string_member(json, "path", *session->path ? session->path : NULL);
	boolean_member(json, "active", session->active);
	boolean_member(json, "snapshot", session->snapshot);
	boolean_member(json, "live", session->live);
	key(json, "rules");
	begin(json, '[');
	for (size_t i = 0; i < session->nr_rules; i++)
		add_rule(json, &session->rules[i]);
	end(json, ']');
	end(json, '}');
}

/* Each level, with the sessions that record it now. */
static void add_levels(struct writer *json,
		       const struct session_overview *status)
{
	begin(json, '{');
	for (size_t i = 0; i < NFT_BUNYAN_NR_LEVELS; i++) {
		key(json, base_levels[i].name);
		begin(json, '[');
		for (size_t j = 0; j < status->nr_sessions; j++)
			if (session_has_level(&status->sessions[j], i))
				string(json, status->sessions[j].name);
		end(json, ']');
	}
	end(json, '}');
}

static void add_process(struct writer *json,
			const struct session_process *process)
{
	begin(json, '{');
	pid_member(json, process->pid);
	string_member(json, "name", *process->name ? process->name : NULL);
	levels_member(json, process->levels);
	end(json, '}');
}

static void add_status(struct writer *json,
		       const struct session_overview *status)
{
	begin(json, '{');
	string_member(json, "version", NFTRACE_VERSION);
	string_member(json, "contract", NFT_BUNYAN_CONTRACT_VERSION);
	key(json, "ust");
	begin(json, '{');
	boolean_member(json, "available", !status->no_ust);
	string_member(json, "reason", status->no_ust);
	end(json, '}');
	key(json, "daemons");
	begin(json, '[');
	for (size_t i = 0; i < status->nr_daemons; i++)
		add_daemon(json, &status->daemons[i]);
	end(json, ']');
	key(json, "levels");
	add_levels(json, status);
	key(json, "sessions");
	begin(json, '[');
	for (size_t i = 0; i < status->nr_sessions; i++)
		add_session(json, &status->sessions[i]);
	end(json, ']');
	key(json, "processes");
	begin(json, '[');
	for (size_t i = 0; i < status->nr_processes; i++)
		add_process(json, &status->processes[i]);
	end(json, ']');
	string_member(json, "error",
		      status->error ? lttng_strerror(status->error) : NULL);
	end(json, '}');
}

int cli_status_print_json(const struct session_overview *status)
{
	struct writer json = { .is_first = true };
	int ret = -1;

	add_status(&json, status);
	base_text_literal(&json.text, "\n");
	if (!json.text.failed &&
	    fwrite(json.text.data, 1, json.text.size, stdout) ==
		    json.text.size &&
	    !fflush(stdout))
		ret = 0;
	base_text_free(&json.text);
	return ret;
}
