#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds the capture core and measures what snapshots and watches cost a living program: run.sh [COUNT]. One `name value
# unit` line each. A watch is looked at for WATCH_SECONDS=20.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make -s -C "$root/CSupport/CVakaCrash" OUT="$work/lib" 1>&2
"${CC:-gcc}" -std=gnu11 -O2 -Wall -Wextra -I"$root/CSupport/CVakaCrash/include" -I"$root/CSupport/CVakaRecord/include" \
    "$here/snapshots.c" "$work/lib/libvakacrash.a" -pthread -o "$work/snapshots"
"$work/snapshots" "$work/storage" "${1:-20}" "${WATCH_SECONDS:-20}"
