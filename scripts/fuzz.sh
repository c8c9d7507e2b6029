#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs each fuzz target (libFuzzer) for the given seconds, from its corpus and the fixtures of past findings.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}

for folder in Fuzz/*Fuzz; do
    target=$(basename "$folder")
    VAKA_FUZZ=1 swift build --scratch-path .build/fuzz --product "$target"
    corpus=build/fuzz/$target
    fixtures=Fuzz/fixtures/$target
    mkdir -p "$corpus" "$fixtures"
    echo "== $target, $seconds s"
    .build/fuzz/debug/"$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$corpus/found-" "$corpus" "$fixtures" 2>&1 | tail -8
done
