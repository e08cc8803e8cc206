// SPDX-License-Identifier: MIT
/* Finds liblttng-ust and the process-wide state; see process.h. */
#include "process.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "event.h"
#include "nft.h"

#define LIBRARY	     "liblttng-ust.so.1"
#define FORK_LIBRARY "liblttng-ust-fork.so.1"
#define TIMEOUT_ENV  "LTTNG_UST_REGISTER_TIMEOUT"
/*
 * How long loading may wait for a session daemon that does not answer, in ms;
 * LTTng's own default of 3000 would hold up the start of the service.
 */
#define TIMEOUT_MS "500"

#define STRINGIFY_(x) #x
#define STRINGIFY(x)  STRINGIFY_(x)

extern struct nft__process NFT__PROCESS_SYMBOL;
__attribute__((
	visibility("default"))) struct nft__process NFT__PROCESS_SYMBOL = {
	.loaded = PTHREAD_ONCE_INIT,
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

static pthread_once_t found_once = PTHREAD_ONCE_INIT;
static struct nft__process *found; /* guarded by found_once */

/*
 * Copies find each other through the global symbol scope: each promotes itself
 * into it (and can no longer be unloaded: LTTng keeps pointers into it), then
 * takes the first symbol there is.
 */
static void find_process(void)
{
	Dl_info self;
	void *first;

	if (dladdr(&NFT__PROCESS_SYMBOL, &self) && self.dli_fname)
		(void)dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD |
						     RTLD_GLOBAL |
						     RTLD_NODELETE);
	first = dlsym(RTLD_DEFAULT, STRINGIFY(NFT__PROCESS_SYMBOL));
	found = first ? first : &NFT__PROCESS_SYMBOL;
}

/*
 * LTTng-UST's listener threads don't exist in a child of fork(), while its
 * buffers are the parent's: turn every event off there. Async-signal-safe.
 */
static void after_fork_in_child(void)
{
	struct nft__event *event;

	found->forked = true;
	event = __atomic_load_n(&found->events, __ATOMIC_ACQUIRE);
	for (; event; event = event->next)
		__atomic_store_n(&event->tracepoint.state, 0, __ATOMIC_RELAXED);
}

static void *open_library(void)
{
	/*
	 * LTTng-UST reads the variable once, when it is loaded. Programs that
	 * this process starts are not to inherit our choice.
	 */
	bool ours = !getenv(TIMEOUT_ENV) && !setenv(TIMEOUT_ENV, TIMEOUT_MS, 0);
	/*
	 * RTLD_GLOBAL as lttng/tracepoint.h does it; RTLD_NODELETE because the
	 * library starts threads.
	 */
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);

	if (ours)
		(void)unsetenv(TIMEOUT_ENV);
	return library;
}

static void load(void)
{
	void *library = open_library();
	struct nft__ust *ust = &found->ust;
	const struct {
		const char *name;
		void **function;
	} symbols[] = {
		{ "lttng_ust_probe_register", (void **)&ust->probe_register },
		{ "lttng_ust_tracepoint_module_register",
		  (void **)&ust->module_register },
		{ "lttng_ust_tracepoint_module_unregister",
		  (void **)&ust->module_unregister },
		{ "lttng_ust_tp_rcu_read_lock", (void **)&ust->rcu_read_lock },
		{ "lttng_ust_tp_rcu_read_unlock",
		  (void **)&ust->rcu_read_unlock },
	};

	if (!library) {
		const char *why = dlerror();

		(void)snprintf(found->unavailable, sizeof(found->unavailable),
			       "%s", why ? why : LIBRARY ": cannot be loaded");
		return;
	}
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		*symbols[i].function = dlsym(library, symbols[i].name);
		if (*symbols[i].function)
			continue;
		(void)snprintf(found->unavailable, sizeof(found->unavailable),
			       LIBRARY " has no function %s", symbols[i].name);
		return;
	}
	/* Preloaded, this one keeps tracing alive in the child by itself. */
	if (!dlopen(FORK_LIBRARY, RTLD_LAZY | RTLD_NOLOAD) &&
	    pthread_atfork(NULL, NULL, after_fork_in_child))
		(void)snprintf(found->unavailable, sizeof(found->unavailable),
			       "pthread_atfork() failed: out of memory");
}

struct nft__process *nft__process(void)
{
	(void)pthread_once(&found_once, find_process);
	(void)pthread_once(&found->loaded, load);
	return found;
}

const char *nft_unavailable(void)
{
	const struct nft__process *process = nft__process();

	return process->unavailable[0] ? process->unavailable : NULL;
}
