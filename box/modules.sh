#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# modules.sh PACKAGES RELEASE FOLDER: makes a kernel's part of the box out of the
# Debian packages in PACKAGES: FOLDER/vmlinuz and FOLDER/modules.tar, which holds
# LTTng's modules for that kernel, and what depmod(8) needs. Nothing is
# installed, root isn't needed. One kernel takes about two minutes of two cores.
set -euo pipefail

packages=$1 release=$2 folder=$3
here=$(cd "$(dirname "$0")" && pwd)
# The kernel's Makefiles take no blanks in a path, so not below the cache.
work=$(mktemp -d /tmp/nftrace-modules.XXXXXX)
trap 'rm -rf "$work"' EXIT

unpack() {
	local package
	# shellcheck disable=SC2231
	for package in "$packages"/$1_*.deb; do
		dpkg-deb --fsys-tarfile "$package" |
			tar -x --keep-directory-symlink -C "$work" "${@:2}"
	done
}

for package in "linux-headers-*" "linux-kbuild-*" lttng-modules-dkms; do
	unpack "$package"
done
headers=$work/usr/src/linux-headers-$release
# Where the package's Makefile finds those it shares with other flavours.
sed -i "s, /usr/, $work/usr/," "$headers/Makefile"

source=$(echo "$work"/usr/src/lttng-modules-*)
if grep -q 'hrtimer_mode mode, bool was_armed' \
	"$work"/usr/src/linux-headers-*-common/include/trace/events/timer.h; then
	patch --quiet --directory="$source" --strip=1 <"$here/hrtimer-start.patch"
fi
# Only what the box records: all probes take much longer, and some need the
# kernel's whole source.
cat >"$source/src/probes/Kbuild" <<'END'
TOP_LTTNG_MODULES_DIR := $(shell dirname $(lastword $(MAKEFILE_LIST)))/../..
include $(TOP_LTTNG_MODULES_DIR)/src/Kbuild.common
ccflags-y += -I$(TOP_LTTNG_MODULES_DIR)/include
obj-m += lttng-probe-sched.o lttng-probe-irq.o lttng-probe-timer.o
obj-m += lttng-probe-signal.o lttng-probe-statedump.o lttng-probe-net.o
obj-m += lttng-probe-block.o
obj-m += lttng-kprobes.o lttng-kretprobes.o lttng-uprobes.o
END
sed -i '/+= tests\//d' "$source/src/Kbuild"

build() {
	make --silent -j"$(nproc)" -C "$headers" M="$source/src" CONFIG_LTTNG=m \
		CONFIG_DEBUG_INFO_BTF_MODULES= CONFIG_MODULE_SIG_ALL= \
		KCFLAGS=-g0 "$@"
}
build modules
build INSTALL_MOD_STRIP=1 INSTALL_MOD_PATH="$work/out" DEPMOD=true modules_install

# NVMe and ext4 are compiled into the cloud kernel: no other module is needed.
unpack "linux-image-$release" --wildcards "./lib/modules/$release/modules.*" \
	"./boot/vmlinuz-$release"
cp "$work"/lib/modules/"$release"/modules.* "$work/out/lib/modules/$release/"
mv "$work/boot/vmlinuz-$release" "$folder/vmlinuz"
tar -C "$work/out" --sort=name --owner=0 --group=0 -cf "$folder/modules.tar" lib
