#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: [JOBS=N] fuzz.sh [SECONDS [TARGET…]]
# Runs fuzz targets (libFuzzer) for the given seconds each, as many at once as there are processors (or JOBS), from their
# corpus, made-up seeds and the fixtures of past findings. A finding is left as build/fuzz/<target>/found-…; the others
# still run, and the end is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || targets=($(cd Fuzz && echo *Fuzz))
export SWIFT_BACKTRACE=enable=no

mkdir -p build/fuzz
for target in "${targets[@]}"; do
    log=build/fuzz/$target.log
    VAKA_FUZZ=1 swift build --scratch-path .build/fuzz --product "$target" >"$log" 2>&1 || { cat "$log"; exit 1; }
done

run() {
    local folder=build/fuzz/$1 log=build/fuzz/$1.log
    mkdir -p "$folder/corpus"
    scripts/fuzz-seeds.py "$1" "$folder/seeds"
    local inputs=("$folder/corpus" "$folder/seeds")
    [ ! -d "Fuzz/fixtures/$1" ] || inputs+=("Fuzz/fixtures/$1")
    if .build/fuzz/debug/"$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$folder/found-" "${inputs[@]}" >"$log" 2>&1; then
        echo "$1, $seconds s: $(sed -n 's/^stat::number_of_executed_units: */runs /p' "$log")," \
            "$(sed -n 's/^stat::peak_rss_mb: */at most /p' "$log") MiB"
    else
        { echo "$1 found something: $folder/found-* has the input"; tail -30 "$log"; } >&2
        return 1
    fi
}
export -f run
export seconds
printf '%s\n' "${targets[@]}" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -euo pipefail -c 'run {}'
