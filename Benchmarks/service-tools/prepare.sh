# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Sourced by what puts the service under load, with $root and the folder $work: builds the programs ($programs), the client
# ($work/load) and a program that crashes ($work/crash), and keeps cores away.
load=$root/Benchmarks/service-load
export VAKA_BENCH=1
if [ -z "${BENCH_PROGRAMS:-}" ]; then
    for product in vaka vaka-server; do
        swift build --package-path "$root" -c release --product $product 1>&2
    done
    programs=$(swift build --package-path "$root" -c release --show-bin-path)
else
    programs=$(realpath "$BENCH_PROGRAMS")
fi
make -s -C "$root/CSupport/CVakaCrash" OUT="$root/build/lib" 1>&2
"${CC:-gcc}" -std=gnu11 -O2 -Wall -Wextra "$load/load.c" -o "$work/load"
"${CC:-gcc}" -std=gnu11 -O1 -g -fno-optimize-sibling-calls -I"$root/CSupport/CVakaCrash/include" \
    -I"$root/CSupport/CVakaRecord/include" "$load/crash.c" "$root/build/lib/libvakacrash.a" -pthread -o "$work/crash"
ulimit -c 0
