#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tree.sh list: the files of this working tree that the box has, with a NUL after
# each. tree.sh image FILE: an ext4 image of them.
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin LC_ALL=C

cd "$(dirname "$0")/.."

list() {
	# Deleted files are listed, too.
	git ls-files -z --cached --others --exclude-standard |
		while IFS= read -r -d '' file; do
			[ ! -e "$file" ] && [ ! -L "$file" ] || printf '%s\0' "$file"
		done
	find build/nftrace build/Release build/plugins -type f -print0
}

image() {
	local file=$1 root size
	root=$(mktemp -d)
	# shellcheck disable=SC2064
	trap "rm -rf '$root'" EXIT
	list | tar -c --null -T - | tar -x -C "$root"
	size=$(($(du -sm "$root" | cut -f 1) * 2 + 1024))
	mke2fs -q -t ext4 -O '^has_journal,^metadata_csum,^64bit' -m 0 \
		-E lazy_itable_init=1,nodiscard,root_owner=0:0 -d "$root" "$file" "${size}M"
}

"$@"
