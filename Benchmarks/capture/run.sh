#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds the capture core and measures it: run.sh [COUNT]. One `name value unit` line each.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ulimit -c 0

make -s -C "$root/CSupport/CVakaCrash" OUT="$work/lib" 1>&2
"${CC:-gcc}" -std=gnu11 -O2 -Wall -Wextra -I"$root/CSupport/CVakaCrash/include" -I"$root/CSupport/CVakaRecord/include" \
    "$here/capture.c" "$work/lib/libvakacrash.a" -pthread -o "$work/capture"
"$work/capture" "$work/storage" "${1:-200}"
