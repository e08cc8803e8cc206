#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tree.sh FILE: makes an ext4 image of this working tree, of what git doesn't ignore
# and what was built.
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin LC_ALL=C

image=$(realpath "$1")
cd "$(dirname "$0")/.."
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

list() {
	# Deleted files are listed, too.
	git ls-files -z --cached --others --exclude-standard |
		while IFS= read -r -d '' file; do
			[ ! -e "$file" ] && [ ! -L "$file" ] || printf '%s\0' "$file"
		done
	find build/nftrace build/Release build/plugins -type f -print0
}

list | tar -c --null -T - | tar -x -C "$root"
size=$(($(du -sm "$root" | cut -f 1) * 2 + 1024))
mke2fs -q -t ext4 -O '^has_journal,^metadata_csum,^64bit' -m 0 \
	-E lazy_itable_init=1,nodiscard,root_owner=0:0 -d "$root" "$image" "${size}M"

