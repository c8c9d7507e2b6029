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

# A whole process that crashes, from its start to its end: without anybody, with Vaka, with the Swift runtime's backtracer.
command -v swiftc > /dev/null || exit 0
swiftc -O "$here/crash.swift" -o "$work/crash"

# The shortest of five runs, in microseconds.
shortest() {
    best=
    for _ in 1 2 3 4 5; do
        start=$(date +%s%N)
        env "$@" > /dev/null 2>&1 || true
        spent=$((($(date +%s%N) - start) / 1000))
        [ -n "$best" ] && [ "$best" -le "$spent" ] || best=$spent
    done
    echo "$best"
}

for threads in 1 50; do
    plain=$(shortest SWIFT_BACKTRACE=enable=no "$work/crash" $threads)
    ours=$(shortest SWIFT_BACKTRACE=enable=no LD_PRELOAD="$work/lib/libvakacrash.so" VAKA_STORAGE="$work/swift" \
        "$work/crash" $threads)
    theirs=$(shortest SWIFT_BACKTRACE=enable=yes,color=no,interactive=no "$work/crash" $threads)
    echo "capture_process_alone_$threads $plain us"
    echo "capture_process_vaka_$threads $ours us"
    echo "capture_process_swift_backtracer_$threads $theirs us"
    # What each adds to the process, the backtracer's part divided by ours.
    awk -v n="$threads" -v plain="$plain" -v ours="$ours" -v theirs="$theirs" 'BEGIN {
        if (ours > plain) printf "capture_added_swift_backtracer_to_vaka_%s %.1f ratio\n", n, (theirs - plain) / (ours - plain)
    }'
done
