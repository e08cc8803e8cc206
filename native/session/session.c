// SPDX-License-Identifier: MIT
/* Sets up and ends recording sessions; see session/session.h. */
#include "session/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/report.h"
#include "base/glob.h"
#include "base/level.h"

/* How long closing a session may take. */
#define DESTROY_MS 30000

#define WAIT_FOREVER (-1)

/* The last one for the kernel alone: its own number of what a record calls vtid. */
static const enum lttng_event_context_type contexts[] = {
	LTTNG_EVENT_CONTEXT_VPID,
	LTTNG_EVENT_CONTEXT_VTID,
	LTTNG_EVENT_CONTEXT_PROCNAME,
	LTTNG_EVENT_CONTEXT_TID,
};

#define NR_CONTEXTS (sizeof(contexts) / sizeof(contexts[0]))

static const char *hint_for(int code)
{
	switch (code) {
	case LTTNG_ERR_NO_SESSIOND:
		return "; the session daemon went away; start it with "
		       "\"lttng-sessiond --daemonize\"";
	case LTTNG_ERR_KERN_NA:
	case LTTNG_ERR_KERN_VERSION:
	case LTTNG_ERR_KERN_LIST_FAIL:
		return "; kernel events need lttng-modules (Debian: apt-get "
		       "install lttng-modules-dkms) and a session daemon of "
		       "root's started since without --no-kernel";
	case LTTNG_ERR_NEED_ROOT_SESSIOND:
	case LTTNG_ERR_EPERM:
		return "; kernel events need root's session daemon: run this "
		       "as root or as a member of the group \"tracing\"";
	case LTTNG_ERR_FILTER_INVAL:
		return "; see \"Filter expression\" in lttng-enable-event(1); "
		       "fields are level, time, name, hostname, pid, msg, "
		       "fields, and contexts begin with $ctx.";
	case LTTNG_ERR_UST_CHAN_FAIL:
		return "; are the buffers larger than the memory at /dev/shm?";
	case LTTNG_ERR_CREATE_DIR_FAIL:
		return "; can the session daemon's user write there?";
	default:
		return "";
	}
}

int session_error(const char *doing, int code)
{
	int positive = code < 0 ? -code : code;

	base_report("%s: %s%s", doing, lttng_strerror(-positive),
		    hint_for(positive));
	return -EIO;
}

void session_stamp(char stamp[static 16])
{
	time_t now = time(NULL);
	struct tm local;

	if (!localtime_r(&now, &local) ||
	    !strftime(stamp, 16, "%Y%m%d-%H%M%S", &local))
		stamp[0] = '\0';
}

static int enable_channel(struct lttng_handle *handle,
			  const struct session_plan *plan)
{
	struct lttng_channel *channel = lttng_channel_create(&handle->domain);
	int ret = -LTTNG_ERR_NOMEM;

	if (!channel)
		return ret;
	memcpy(channel->name, SESSION_CHANNEL, sizeof(SESSION_CHANNEL));
	/*
	 * liblttng-ctl creates it disabled. Daemons up to 2.15 enable the channel
	 * all the same; that of 2.16 obeys, and records nothing.
	 */
	channel->enabled = 1;
	channel->attr.overwrite = plan->overwrite;
	if (plan->overwrite)
		channel->attr.output = LTTNG_EVENT_MMAP;
	if (plan->buffers.size) {
		channel->attr.subbuf_size = plan->buffers.size;
		channel->attr.num_subbuf = plan->buffers.count;
	}
	ret = 0;
	if (plan->blocking && handle->domain.type == LTTNG_DOMAIN_UST)
		ret = lttng_channel_set_blocking_timeout(channel, WAIT_FOREVER);
	if (!ret)
		ret = lttng_enable_channel(handle, channel);
	lttng_channel_destroy(channel);
	return ret;
}

static int add_contexts(struct lttng_handle *handle)
{
	bool is_kernel = handle->domain.type == LTTNG_DOMAIN_KERNEL;

	for (size_t i = 0; i < NR_CONTEXTS - !is_kernel; i++) {
		struct lttng_event_context context = { .ctx = contexts[i] };
		int ret = lttng_add_context(handle, &context, NULL,
					    SESSION_CHANNEL);

		if (ret)
			return ret;
	}
	return 0;
}

static int enable_event(struct lttng_handle *handle, const char *name,
			enum lttng_event_type type, const char *filter,
			const enum lttng_loglevel *level)
{
	struct lttng_event *event = lttng_event_create();
	int ret;

	if (!event)
		return -LTTNG_ERR_NOMEM;
	if (strlen(name) >= sizeof(event->name)) {
		lttng_event_destroy(event);
		return -LTTNG_ERR_INVALID_EVENT_NAME;
	}
	memcpy(event->name, name, strlen(name) + 1);
	event->type = type;
	if (level) {
		event->loglevel_type = LTTNG_EVENT_LOGLEVEL_RANGE;
		event->loglevel = *level;
	}
	ret = lttng_enable_event_with_exclusions(handle, event, SESSION_CHANNEL,
						 filter, 0, NULL);
	lttng_event_destroy(event);
	return ret;
}

/* One kind of what the kernel can record. */
struct offer {
	enum lttng_event_type type;
	const char *kind; /* for messages, as is the command */
	const char *command;
	struct lttng_event *events; /* owned */
	int count;
};

/*
 * Whether LTTng's tracepoint @name is what the kernel itself, and so perf(1),
 * calls @wanted: it has timer_hrtimer_start for hrtimer_start, and
 * net_if_receive_skb for netif_receive_skb.
 */
static bool is_renamed(const char *name, const char *wanted)
{
	size_t size = strlen(name), wanted_size = strlen(wanted);

	if (size > wanted_size && name[size - wanted_size - 1] == '_' &&
	    !strcmp(name + size - wanted_size, wanted))
		return true;
	for (;; name++, wanted++) {
		name += strspn(name, "_");
		wanted += strspn(wanted, "_");
		if (*name != *wanted)
			return false;
		if (!*name)
			return true;
	}
}

/*
 * What to ask LTTng for: @wanted, a glob, if it matches anything, or what LTTng
 * calls that tracepoint. NULL: there is no such thing.
 */
static const char *find_offered(const struct offer *offer, const char *wanted)
{
	const char *renamed = NULL;
	int nr_renamed = 0;

	for (int i = 0; i < offer->count; i++) {
		const char *name = offer->events[i].name;

		if (base_filter_glob(wanted, name, strlen(name)))
			return wanted;
		if (is_renamed(name, wanted)) {
			renamed = name;
			nr_renamed++;
		}
	}
	return offer->type == LTTNG_EVENT_TRACEPOINT && nr_renamed == 1
		       ? renamed
		       : NULL;
}

static int enable_kernel_event(struct lttng_handle *handle, const char *wanted,
			       const struct offer *offer)
{
	const char *name = find_offered(offer, wanted);
	char *doing;
	int ret;

	/* LTTng takes any name, and records nothing then. */
	if (!name) {
		base_report(
			"the kernel has no %s \"%s\"; \"%s\" shows those it "
			"has",
			offer->kind, wanted, offer->command);
		return -LTTNG_ERR_INVALID_EVENT_NAME;
	}
	if (name != wanted)
		base_report("LTTng calls the tracepoint %s %s", wanted, name);
	ret = enable_event(handle, name, offer->type, NULL, NULL);
	if (ret &&
	    asprintf(&doing, "cannot record the kernel's %s", name) >= 0) {
		session_error(doing, ret);
		free(doing);
	}
	return ret;
}

/*
 * Each of @list's events, which are separated by commas; NULL: none. Says what
 * went wrong.
 */
static int enable_kernel_events(struct lttng_handle *handle, const char *list,
				const struct offer *offer)
{
	char *copy, *rest;
	const char *name;
	int ret = 0;

	if (!list)
		return 0;
	copy = strdup(list);
	if (!copy) {
		base_report("out of memory");
		return -LTTNG_ERR_NOMEM;
	}
	rest = copy;
	while (!ret && (name = strsep(&rest, ",")))
		ret = enable_kernel_event(handle, name, offer);
	free(copy);
	return ret;
}

static int enable_kernel(const char *session, const struct session_plan *plan)
{
	struct lttng_domain domain = {
		.type = LTTNG_DOMAIN_KERNEL,
		.buf_type = LTTNG_BUFFER_GLOBAL,
	};
	struct lttng_handle *handle = lttng_create_handle(session, &domain);
	struct offer tracepoints = {
		.type = LTTNG_EVENT_TRACEPOINT,
		.kind = "tracepoint",
		.command = "lttng list --kernel",
	};
	struct offer syscalls = {
		.type = LTTNG_EVENT_SYSCALL,
		.kind = "system call",
		.command = "lttng list --kernel --syscall",
	};
	int ret = handle ? 0 : -LTTNG_ERR_NOMEM;

	/*
	 * Asked for a channel without a kernel tracer, the daemon hangs up,
	 * which says nothing; asked for what there is, it says it.
	 */
	if (!ret) {
		tracepoints.count =
			lttng_list_tracepoints(handle, &tracepoints.events);
		ret = tracepoints.count < 0 ? tracepoints.count : 0;
	}
	if (!ret && plan->syscalls) {
		syscalls.count = lttng_list_syscalls(&syscalls.events);
		ret = syscalls.count < 0 ? syscalls.count : 0;
	}
	if (!ret)
		ret = enable_channel(handle, plan);
	if (ret)
		session_error("cannot record kernel events", ret);
	if (!ret)
		ret = enable_kernel_events(handle, plan->kernel, &tracepoints);
	if (!ret)
		ret = enable_kernel_events(handle, plan->syscalls, &syscalls);
	if (!ret) {
		ret = add_contexts(handle);
		if (ret)
			session_error("cannot add contexts to the kernel's "
				      "events",
				      ret);
	}
	free(tracepoints.events);
	free(syscalls.events);
	lttng_destroy_handle(handle);
	return ret ? -EIO : 0;
}

static int enable_records(const char *session, const struct session_plan *plan)
{
	struct lttng_domain domain = {
		.type = LTTNG_DOMAIN_UST,
		.buf_type = LTTNG_BUFFER_PER_UID,
	};
	struct lttng_handle *handle = lttng_create_handle(session, &domain);
	const char *doing = "cannot set up the buffers";
	int ret = handle ? enable_channel(handle, plan) : -LTTNG_ERR_NOMEM;

	if (!ret) {
		doing = "cannot add contexts";
		ret = add_contexts(handle);
	}
	if (!ret) {
		doing = "cannot enable the events " BASE_LEVEL_EVENT_PATTERN;
		ret = enable_event(handle, BASE_LEVEL_EVENT_PATTERN,
				   LTTNG_EVENT_TRACEPOINT, plan->filter,
				   &plan->level);
	}
	if (!ret && plan->all) {
		doing = "cannot enable all events";
		ret = enable_event(handle, "*", LTTNG_EVENT_TRACEPOINT, NULL,
				   NULL);
	}
	lttng_destroy_handle(handle);
	if (!ret)
		return 0;
	return session_error(doing, ret);
}

int session_create(struct lttng_session_descriptor *descriptor,
		   const char *doing)
{
	enum lttng_error_code ret =
		descriptor ? lttng_create_session_ext(descriptor)
			   : LTTNG_ERR_INVALID;

	lttng_session_descriptor_destroy(descriptor);
	if (ret == LTTNG_OK)
		return 0;
	return session_error(doing, (int)ret);
}

int session_enable(const char *session, const struct session_plan *plan)
{
	if ((plan->kernel || plan->syscalls) && enable_kernel(session, plan))
		return -EIO;
	return enable_records(session, plan);
}

/* Calls the session daemon; *@info is filled in if there is such a session. */
static bool find(const char *session, struct lttng_session *info)
{
	struct lttng_session *sessions = NULL;
	int count = lttng_list_sessions(&sessions);
	bool found = false;

	for (int i = 0; i < count && !found; i++) {
		if (strcmp(sessions[i].name, session) != 0)
			continue;
		found = true;
		*info = sessions[i];
	}
	free(sessions);
	return found;
}

int session_path(const char *session, char path[static PATH_MAX])
{
	struct lttng_session info;

	if (!find(session, &info))
		return -ENOENT;
	memcpy(path, info.path, PATH_MAX);
	return 0;
}

bool session_exists(const char *session)
{
	struct lttng_session info;

	return find(session, &info);
}

/* Whether a session has our one channel, which overwrites, for userspace alone. */
static bool has_recorder_channel(const char *session)
{
	struct lttng_domain domain = { .type = LTTNG_DOMAIN_UST };
	struct lttng_domain *domains = NULL;
	int nr_domains = lttng_list_domains(session, &domains);
	struct lttng_handle *handle = lttng_create_handle(session, &domain);
	struct lttng_channel *channels = NULL;
	int nr_channels = handle ? lttng_list_channels(handle, &channels) : 0;
	bool has = nr_domains == 1 && domains[0].type == LTTNG_DOMAIN_UST &&
		   nr_channels == 1 && channels[0].attr.overwrite == 1 &&
		   !strcmp(channels[0].name, SESSION_CHANNEL);

	free(domains);
	free(channels);
	lttng_destroy_handle(handle);
	return has;
}

bool session_is_recorder(const char *session)
{
	struct lttng_session info;

	return find(session, &info) && info.snapshot_mode &&
	       has_recorder_channel(session);
}

static int add_losses(const char *session, struct lttng_domain *domain,
		      struct session_losses *losses)
{
	struct lttng_handle *handle = lttng_create_handle(session, domain);
	struct lttng_channel *channels = NULL;
	int count = handle ? lttng_list_channels(handle, &channels)
			   : -LTTNG_ERR_NOMEM;
	int ret = count < 0 ? count : 0;

	for (int i = 0; i < count && !ret; i++) {
		uint64_t events, packets;

		ret = lttng_channel_get_discarded_event_count(&channels[i],
							      &events);
		if (!ret)
			ret = lttng_channel_get_lost_packet_count(&channels[i],
								  &packets);
		if (ret)
			break;
		losses->packets += packets;
		/* Seen of buffers in which a process was killed at work. */
		if (events > INT64_MAX)
			losses->is_unsure = true;
		else if (domain->type == LTTNG_DOMAIN_KERNEL)
			losses->kernel_events += events;
		else
			losses->events += events;
	}
	free(channels);
	lttng_destroy_handle(handle);
	return ret;
}

int session_losses(const char *session, struct session_losses *losses)
{
	struct lttng_domain *domains = NULL;
	int count = lttng_list_domains(session, &domains);
	int ret = count < 0 ? count : 0;

	*losses = (struct session_losses){ 0 };
	for (int i = 0; i < count && !ret; i++)
		ret = add_losses(session, &domains[i], losses);
	free(domains);
	if (!ret)
		return 0;
	return session_error("cannot learn how many records were lost", ret);
}

int session_destroy(const char *session)
{
	struct lttng_destruction_handle *handle = NULL;
	enum lttng_destruction_handle_status status;
	enum lttng_error_code result = LTTNG_OK;
	enum lttng_error_code ret = lttng_destroy_session_ext(session, &handle);

	if (ret == LTTNG_OK) {
		status = lttng_destruction_handle_wait_for_completion(
			handle, DESTROY_MS);
		if (status == LTTNG_DESTRUCTION_HANDLE_STATUS_TIMEOUT) {
			lttng_destruction_handle_destroy(handle);
			base_report(
				"session %s is not closed after %d s: perhaps "
				"a process was killed while it recorded an "
				"event, for which LTTng now waits. What is in "
				"the trace can be read; the session daemon "
				"has to be started anew to get rid of it",
				session, DESTROY_MS / 1000);
			return -ETIMEDOUT;
		}
		if (status != LTTNG_DESTRUCTION_HANDLE_STATUS_COMPLETED ||
		    lttng_destruction_handle_get_result(handle, &result) !=
			    LTTNG_DESTRUCTION_HANDLE_STATUS_OK)
			ret = LTTNG_ERR_UNK;
		else
			ret = result;
	}
	lttng_destruction_handle_destroy(handle);
	if (ret == LTTNG_OK)
		return 0;
	return session_error("cannot close the session", (int)ret);
}
