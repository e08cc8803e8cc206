#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# root.sh list: the Debian packages of this machine that the box is made of, one
# a line with its version; sums of Node and the npm packages.
# root.sh image MODULES FILE: the box's root file system as an ext4 image, with
# these and the kernel modules in the archive MODULES. Nothing is mounted, and root
# isn't needed.
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
node=$(node -p process.execPath)

wanted='lttng-tools liblttng-ust1 babeltrace2 libbabeltrace2-0 liblttng-ctl0
	libuv1 libyajl2 libpopt0 bash dash coreutils util-linux mount kmod tar grep
	sed mawk procps iproute2 hostname libc-bin findutils less ncurses-base
	ncurses-bin time'
# What the above need only to be installed or for what the box doesn't do.
unwanted='perl-base|perl|libperl.*|python3.*|libpython3.*|dpkg|debconf|adduser|
	passwd|login|libpam.*|install-info|debianutils|tzdata|media-types|
	linux-libc-dev|libc6-dev|.*-dev|gcc.*|cpp.*|binutils.*'

# Virtual packages are unknown to dpkg-query, which then fails.
installed() {
	# shellcheck disable=SC2016
	xargs dpkg-query -W -f '${db:Status-Abbrev} ${binary:Package} ${Version}\n' 2>/dev/null ||
		true
}

packages() {
	# shellcheck disable=SC2086
	apt-cache depends --recurse --installed --no-recommends --no-suggests \
		--no-conflicts --no-breaks --no-replaces --no-enhances $wanted |
		grep -E '^[a-z0-9]' | sed 's/:any$//' | sort -u |
		grep -vxE "$(echo "$unwanted" | tr -d '\n\t ')" |
		installed | sed -n 's/^ii *//p'
}

# What programs need, but documentation, headers and translations.
files() {
	packages | cut -d ' ' -f 1 | xargs dpkg -L | sort -u |
		grep -vE '^/usr/(share|include|games)/|/\.$|^$|^/etc/(cron|init\.d|pam\.d|apt)|^/usr/lib/(python3|x86_64-linux-gnu/(gconv|perl))'
	dpkg -L ncurses-base | grep -E '^/(usr/share|lib)/terminfo/'
	find /usr/share/xml/lttng
	ldd "$node" | sed -n 's,^[^/]*\(/[^ ]*\) (0x.*,\1,p'
}

image() {
	local modules=$1 file=$2 root size path
	root=$(mktemp -d)
	# shellcheck disable=SC2064
	trap "rm -rf '$root'" EXIT
	mkdir -p "$root"/{usr/{bin,sbin,lib,lib64},etc,proc,sys,dev,run,tmp,root,nftrace,var/{tmp,lib,log}}
	for path in bin sbin lib lib64; do ln -s "usr/$path" "$root/$path"; done
	ln -s ../run "$root/var/run"
	files | while read -r path; do
		# Folders of packages are links here, as /lib: only what is in them.
		if [ -f "$path" ] || { [ -L "$path" ] && [ ! -d "$path" ]; }; then
			[ ! -r "$path" ] || echo "${path#/}"
		fi
	done | sort -u | tar -C / -c --no-recursion -T - |
		tar -x --keep-directory-symlink -C "$root"
	cp "$node" "$root/usr/bin/node"
	# Beside the working tree's mount point, where Node looks for them, too.
	mkdir "$root/node_modules"
	cp -r "$here/../node_modules/." "$root/node_modules"
	ln -s /nftrace/bin/nftrace "$root/usr/bin/nftrace"
	ln -sf dash "$root/usr/bin/sh"
	ln -sf mawk "$root/usr/bin/awk"
	cp -L /etc/os-release "$root/etc/os-release"
	cp -rL /etc/ld.so.conf /etc/ld.so.conf.d "$root/etc/"
	echo box >"$root/etc/hostname"
	echo '127.0.0.1 localhost box' >"$root/etc/hosts"
	echo 'root:x:0:0:root:/root:/bin/bash' >"$root/etc/passwd"
	printf '%s\n' 'root:x:0:' 'tracing:x:900:' >"$root/etc/group"
	tar -x --keep-directory-symlink -C "$root" -f "$modules"
	depmod -b "$root" "$(basename "$root"/lib/modules/*)"
	ldconfig -r "$root"
	install -m 755 "$here/guest/init" "$root/init"
	size=$(($(du -sm --apparent-size "$root" | cut -f 1) * 115 / 100 + 1024))
	mke2fs -q -t ext4 -O '^has_journal,^metadata_csum,^64bit' -m 0 \
		-E lazy_itable_init=1,nodiscard,root_owner=0:0 -d "$root" "$file" "${size}M"
}

case ${1:-} in
list)
	# It says which of them is not installed.
	# shellcheck disable=SC2086
	dpkg-query -W $wanted >/dev/null
	packages
	sha256sum "$node" /etc/os-release "$here/../node_modules/.package-lock.json" |
		cut -d ' ' -f 1
	;;
image) image "$2" "$3" ;;
esac
