#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every benchmark, each in a folder of Benchmarks/; each prints lines of "name value unit".
set -euo pipefail
cd "$(dirname "$0")/.."
for run in Benchmarks/*/run.sh; do
    echo "# $(basename "$(dirname "$run")")"
    "$run"
done
