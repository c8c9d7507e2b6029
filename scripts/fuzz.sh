#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: fuzz.sh [SECONDS [TARGET…]]
# Runs fuzz targets (libFuzzer) for the given seconds each, from their corpus, made-up seeds and the fixtures of past
# findings. A finding is left as build/fuzz/<target>/found-…; the others still run, and the end is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || targets=($(cd Fuzz && echo *Fuzz))
export SWIFT_BACKTRACE=enable=no

found=()
for target in "${targets[@]}"; do
    mkdir -p build/fuzz
    log=build/fuzz/$target.log
    echo "== $target, $seconds s"
    VAKA_FUZZ=1 swift build --scratch-path .build/fuzz --product "$target" >"$log" 2>&1 || { cat "$log"; exit 1; }
    folder=build/fuzz/$target
    mkdir -p "$folder/corpus"
    scripts/fuzz-seeds.py "$target" "$folder/seeds"
    inputs=("$folder/corpus" "$folder/seeds")
    [ ! -d "Fuzz/fixtures/$target" ] || inputs+=("Fuzz/fixtures/$target")
    if .build/fuzz/debug/"$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$folder/found-" "${inputs[@]}" >"$log" 2>&1; then
        grep -E "number_of_executed_units|peak_rss_mb" "$log"
    else
        found+=("$target")
        tail -30 "$log"
    fi
done
[ ${#found[@]} -eq 0 ] || { echo "found something: ${found[*]}; build/fuzz/<target>/found-* has the inputs" >&2; exit 1; }
