# SPDX-License-Identifier: MIT
# Builds the C parts. Node is not needed: the addon is compiled against the
# npm package node-api-headers and serves every Node that has Node-API 8.
#
#	make			the addon; the command nftrace and the babeltrace2
#				plugin, if their libraries are there
#	make prebuild		the addon as the npm package has it, for x64 and arm64
#				where their compilers are; prebuild-all: or fail
#	make test-programs	the C programs that the tests and benches run
#	make unit-tests		the C unit tests, which need cmocka; check-units: runs them
#	make DEBUG=1		the same without optimisation, under build/debug
#	make SANITIZE=1		the same with ASan and UBSan, under build/sanitize
#	make SANITIZE=thread	the same with TSan, under build/thread
#	make install		the command with what belongs to it, and the C library,
#				below DESTDIR and PREFIX (/usr/local)
#	make deb		the same as Debian packages, in build/deb
#	make lint		checks the C code's form and looks for bugs

CC ?= cc
# An error in a checkout, which has a lock file; not in an installed package, which
# meets compilers that are yet to be.
WERROR = $(if $(wildcard package-lock.json),-Werror)

CLANG_FORMAT ?= clang-format
CLANG_TIDY ?= clang-tidy
NODE_API_HEADERS ?= $(lastword node_modules/node-api-headers/include \
	$(wildcard build/headers/node_modules/node-api-headers/include))

WARNINGS = -Wall -Wextra $(WERROR) -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla
DEFINES = -D_GNU_SOURCE -DNAPI_VERSION=8
CPPFLAGS_ALL = $(DEFINES) -isystem $(NODE_API_HEADERS) $(CPPFLAGS)
CFLAGS_ALL = -std=c11 -O2 -g -fPIC -fvisibility=hidden $(WARNINGS) $(CFLAGS)
# dlclose() of a registered provider would crash the process at the next lttng
# command, and Node does dlclose() an addon whose last environment ended.
ADDON_LDFLAGS = -shared -Wl,-z,nodelete -Wl,-z,now -Wl,-z,relro $(LDFLAGS)
ADDON_SOURCES = $(wildcard native/addon/*.c provider/*.c)

ifeq ($(SANITIZE),thread)
BUILD = build/thread/build
CFLAGS_ALL += -fsanitize=thread -fno-omit-frame-pointer -O1
else ifdef SANITIZE
BUILD = build/sanitize/build
CFLAGS_ALL += -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer -O1
else ifdef DEBUG
BUILD = build/debug/build
CFLAGS_ALL += -O0 -g3
else
BUILD = build
endif

# The sources of a folder, compiled.
objects = $(patsubst %.c,$(BUILD)/%.o,$(wildcard $(1)/*.c))

ADDON_FILE = $(BUILD)/Release/nftrace.node

# The folders of native/ that are libraries, each an archive. One uses those behind
# it alone; scripts/includes.js sees to that.
LIBRARIES = live session pipe around reader expression ctf base
ARCHIVES = $(LIBRARIES:%=$(BUILD)/native/%.a) $(BUILD)/provider.a

C_SOURCES = $(filter-out test/c/twin.c,$(wildcard provider/*.c native/*/*.c \
	test/c/*.c test/fuzz/*.c test/torture/*.c test/unit/*.c bench/*.c))
C_FILES = $(C_SOURCES) $(wildcard provider/*.h native/*/*.h test/c/*.h \
	test/unit/*.h bench/*.h)

# The command and the plugin. What their libraries are called for pkg-config
# and, if they are missing, for apt.
CLI_LIBRARIES = babeltrace2 lttng-ctl libuv yajl popt
CLI_PACKAGES = libbabeltrace2-dev liblttng-ctl-dev libuv1-dev libyajl-dev \
	libpopt-dev pkg-config
HAVE_CLI := $(shell pkg-config --exists $(CLI_LIBRARIES) && echo yes)
CLI_VERSION := $(shell sed -n 's/^  "version": "\(.*\)",$$/\1/p' package.json)
CLI_FILE = $(BUILD)/nftrace
PLUGIN_FILE = $(BUILD)/plugins/babeltrace-plugin-nftrace.so
ifeq ($(HAVE_CLI),yes)
CLI_TARGETS = $(CLI_FILE) $(PLUGIN_FILE)
CLI_CPPFLAGS := -DNFTRACE_VERSION='"$(CLI_VERSION)"' -Inative -Iprovider \
	$(shell pkg-config --cflags $(CLI_LIBRARIES))
CLI_LIBS := $(shell pkg-config --libs $(CLI_LIBRARIES)) -lm -ldl -lpthread
PLUGIN_LIBS := $(shell pkg-config --libs babeltrace2) -lm
# A source that is missing above is an error, but for sanitizers: a program that
# loads the plugin has their library.
ifndef SANITIZE
PLUGIN_LIBS += -Wl,-z,defs
endif
else
CLI_TARGETS = no-cli
endif

.PHONY: all archives prebuild prebuild-all test-programs fuzz-programs \
	fuzz-archives unit-tests check-units install install-command install-library \
	deb lint clean no-cli addon-sources addon-cflags addon-ldflags

all: $(ADDON_FILE) $(CLI_TARGETS)

no-cli:
	@echo 'The command nftrace is not built; it needs these Debian packages:' \
		'$(CLI_PACKAGES)' >&2

.SECONDARY:
.SECONDEXPANSION:

$(BUILD)/%.a: $$(call objects,$$*)
	@rm -f $@
	$(AR) rcs $@ $^

archives: $(ARCHIVES) $(BUILD)/native/addon.a

$(CLI_FILE): $(call objects,native/cli) $(ARCHIVES)
	$(CC) $(CFLAGS_ALL) -pie $(LDFLAGS) -o $@ $^ $(CLI_LIBS)

$(PLUGIN_FILE): $(call objects,native/plugin) $(ARCHIVES)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -shared $(LDFLAGS) -o $@ $^ $(PLUGIN_LIBS)

$(foreach folder,cli plugin $(LIBRARIES), \
	$(eval $(BUILD)/native/$(folder)/%.o: CPPFLAGS_ALL += $(CLI_CPPFLAGS)))
# babeltrace2 finds a plugin by symbols that its macros define.
$(BUILD)/native/plugin/plugin.o: CFLAGS_ALL += -fvisibility=default

# What node-gyp-build looks for in the npm package: the addon for each
# architecture that there is a compiler for, by the name that Node has for it.
# LTTng's headers are the same for all of them; they are linked to from a folder
# of their own, which keeps this machine's C library out.
TRIPLET_x64 = x86_64-linux-gnu
TRIPLET_arm64 = aarch64-linux-gnu
PREBUILDS = $(patsubst %,prebuilds/linux-%/node.napi.glibc.node,x64 arm64)
HAVE_CC = $(shell command -v $(TRIPLET_$(1))-gcc)
ARCH = $(patsubst linux-%,%,$(notdir $(@D)))
PREBUILD_HEADERS = build/prebuild/include

CAN_PREBUILD = $(foreach arch,x64 arm64,$(if $(call HAVE_CC,$(arch)), \
	$(filter %-$(arch)/node.napi.glibc.node,$(PREBUILDS))))

prebuild: $(CAN_PREBUILD)
	@rm -f $(filter-out $^,$(PREBUILDS))

prebuild-all: $(PREBUILDS)

$(PREBUILDS): $(PREBUILD_HEADERS) Makefile \
		$(wildcard provider/*.[ch] native/addon/*.[ch])
	+$(MAKE) CC=$(TRIPLET_$(ARCH))-gcc BUILD=build/prebuild/$(ARCH) \
		CPPFLAGS='-isystem $< $(CPPFLAGS)' \
		build/prebuild/$(ARCH)/Release/nftrace.node
	install -D build/prebuild/$(ARCH)/Release/nftrace.node $@
	$(TRIPLET_$(ARCH))-strip --strip-unneeded $@

$(PREBUILD_HEADERS):
	mkdir -p $@
	for header in lttng/ust-version.h urcu/compiler.h; do \
		file=$$(echo "#include <$$header>" | $(CC) -H -E -xc - 2>&1 >/dev/null | \
			sed -n "s|^\. \(/.*/$$header\)$$|\1|p") && \
		ln -s "$$(dirname "$$file")" $@ || exit 1; \
	done

$(ADDON_FILE): $(ADDON_SOURCES:%.c=$(BUILD)/%.o)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) $(ADDON_LDFLAGS) -o $@ $^

# For binding.gyp, which takes Node's headers in place of node-api-headers.
addon-sources:
	@echo $(ADDON_SOURCES)

addon-cflags:
	@echo $(DEFINES) $(CFLAGS_ALL)

addon-ldflags:
	@echo $(ADDON_LDFLAGS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

-include $(wildcard $(BUILD)/*/*.d $(BUILD)/*/*/*.d)

# Programs made twice, over this library and over LTTng's macros.
PAIRS = test/c/emit bench/tracepoint
OURS = $(PAIRS:%=$(BUILD)/%)
TWINS = $(PAIRS:%=$(BUILD)/%-twin)
PROGRAMS = $(BUILD)/test/c/provider $(BUILD)/test/c/fire-fields $(OURS)

# One over the command's libraries.
FORWARD = $(BUILD)/test/c/forward

# Memory that torture's processes share, for their JavaScript.
SHARED_FILE = $(BUILD)/test/torture/shared.node

test-programs: $(PROGRAMS) $(TWINS) $(SHARED_FILE) $(if $(HAVE_CLI),$(FORWARD))

$(FORWARD).o: CPPFLAGS_ALL += $(CLI_CPPFLAGS)
$(FORWARD): $(FORWARD).o $(ARCHIVES)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(CLI_LIBS)

$(SHARED_FILE): $(BUILD)/test/torture/shared.o
	$(CC) $(CFLAGS_ALL) -shared $(LDFLAGS) -o $@ $^

$(PROGRAMS): %: %.o $(BUILD)/provider.a
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ -lpthread -ldl

$(TWINS:=.o): $(BUILD)/%-twin.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -DTWIN -MMD -MP -c -o $@ $<

$(TWINS): %: %.o $(BUILD)/test/c/twin.o
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ -llttng-ust -ldl

# LTTng's macros declare and define functions as they please.
$(BUILD)/test/c/twin.o: WARNINGS = -Wall
$(BUILD)/test/c/twin.o: CPPFLAGS += -Itest/c

# The unit tests: for FOLDER of native/, test/unit/FOLDER.c or FOLDER-UNIT.c, each a
# program of its own.
UNIT_TESTS = $(patsubst %.c,$(BUILD)/%,$(wildcard test/unit/*.c))

unit-tests: $(UNIT_TESTS)

check-units: unit-tests
	@status=0; for program in $(UNIT_TESTS); do $$program || status=1; done; \
		exit $$status

$(BUILD)/test/unit/%.o: CPPFLAGS_ALL += $(CLI_CPPFLAGS)
# Those that let allocations fail.
$(BUILD)/test/unit/%-memory: LDFLAGS += -Wl,--wrap=malloc,--wrap=realloc,--wrap=reallocarray
$(UNIT_TESTS): %: %.o $(ARCHIVES)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(CLI_LIBS) -lcmocka

# libFuzzer's programs; run one as build/fuzz/splice -max_total_time=60 CORPUS
# test/fuzz/splice-corpus, CORPUS being a folder for what it finds.
FUZZ_CC ?= clang
FUZZ_FLAGS = -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all
FUZZERS = $(patsubst test/fuzz/%.c,build/fuzz/%,$(wildcard test/fuzz/*.c))
FUZZ_BUILD = build/fuzz/build

fuzz-programs: $(FUZZERS)

# The archives with the fuzzers' flags, and small limits so that short inputs go
# beyond them.
fuzz-archives:
	+$(MAKE) CC=$(FUZZ_CC) BUILD=$(FUZZ_BUILD) WARNINGS='-Wall -Wextra -Werror' archives \
		CFLAGS='$(FUZZ_FLAGS) -fsanitize=fuzzer-no-link,address,undefined' \
		CPPFLAGS='-DPIPE_LINE_WHOLE=512 -DPIPE_LINE_MAX=8192 -DPIPE_LINE_STRING_MAX=256'

$(FUZZERS): build/fuzz/%: test/fuzz/%.c fuzz-archives
	$(FUZZ_CC) $(CPPFLAGS_ALL) $(CLI_CPPFLAGS) -std=c11 -g $(WARNINGS) $(FUZZ_FLAGS) \
		-fsanitize=fuzzer,address,undefined -o $@ $< \
		$(FUZZ_BUILD)/native/addon.a \
		$(ARCHIVES:$(BUILD)/%=$(FUZZ_BUILD)/%) $(CLI_LIBS)

# babeltrace2 looks for plugins beside its library alone, so PLUGINDIR isn't below
# PREFIX. zsh looks in ZSHDIR if PREFIX is /usr/local.
PREFIX = /usr/local
LIBDIR = $(PREFIX)/lib
INCLUDEDIR = $(PREFIX)/include/nftrace
PLUGINDIR = $(shell pkg-config --variable=libdir babeltrace2)/babeltrace2/plugins
BASHDIR = $(PREFIX)/share/bash-completion/completions
FISHDIR = $(PREFIX)/share/fish/vendor_completions.d
ZSHDIR = $(PREFIX)/share/zsh/site-functions
INSTALL = install -D --mode=644

install: install-command install-library

install-command: $(CLI_TARGETS)
	install -D $(CLI_FILE) $(DESTDIR)$(PREFIX)/bin/nftrace
	$(INSTALL) $(PLUGIN_FILE) $(DESTDIR)$(PLUGINDIR)/$(notdir $(PLUGIN_FILE))
	$(INSTALL) man/nftrace.1 $(DESTDIR)$(PREFIX)/share/man/man1/nftrace.1
	$(INSTALL) completion/nftrace.bash $(DESTDIR)$(BASHDIR)/nftrace
	$(INSTALL) completion/nftrace.fish $(DESTDIR)$(FISHDIR)/nftrace.fish
	$(INSTALL) completion/nftrace.zsh $(DESTDIR)$(ZSHDIR)/_nftrace

install-library: $(BUILD)/provider.a
	$(INSTALL) $< $(DESTDIR)$(LIBDIR)/libnft.a
	$(INSTALL) -t $(DESTDIR)$(INCLUDEDIR) provider/nft.h \
		provider/nft_bunyan.h provider/nft_contract.h
	sed 's|@LIBDIR@|$(LIBDIR)|; s|@INCLUDEDIR@|$(INCLUDEDIR)|; s|@VERSION@|$(CLI_VERSION)|' \
		packaging/libnft.pc.in >$(BUILD)/libnft.pc
	$(INSTALL) $(BUILD)/libnft.pc $(DESTDIR)$(LIBDIR)/pkgconfig/libnft.pc

deb:
	@+MAKE='$(MAKE)' sh packaging/deb $(CLI_VERSION)

lint:
	@node scripts/includes.js
	@$(CLANG_FORMAT) --dry-run --Werror $(C_FILES)
	@printf '%s\n' $(C_SOURCES) | xargs -P "$$(nproc)" -I FILE \
		$(CLANG_TIDY) --quiet --warnings-as-errors='*' FILE -- \
		$(CPPFLAGS_ALL) $(CLI_CPPFLAGS) -std=c11

clean:
	rm -rf build prebuilds
