#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A real crash under 64 frames, symbolicated again and again with warm symbol caches. One `name value unit` line each.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make -s -C "$root/CSupport/CVakaCrash" OUT="$root/build/lib" 1>&2
"${CXX:-g++}" -std=c++17 -O2 -g "$here/deep.cpp" -o "$work/deep"
VAKA_STORAGE="$work/storage" LD_PRELOAD="$root/build/lib/libvakacrash.so" "$work/deep" || true
export VAKA_BENCH=1
swift build --package-path "$root" -c release --product stack-bench 1>&2
"$(swift build --package-path "$root" -c release --show-bin-path)/stack-bench" "$work"/storage/crashes/*.vakacrash "$work/caches"
