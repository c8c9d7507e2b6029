#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# How the service answers people when it holds BENCH_EVENTS events (1000000) of BENCH_ISSUES issues (5000).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
export VAKA_BENCH=1
for product in vaka-server store-fill; do
    swift build --package-path "$root" -c release --product $product 1>&2
done
programs=$(swift build --package-path "$root" -c release --show-bin-path)
mkdir -p "$root/build"
folder=$(mktemp -d -p "$root/build" service-store.XXXXXX)
trap 'rm -rf "$folder"' EXIT
PYTHONPATH="$root/Benchmarks/service-tools" "$here/measure.py" "$programs" "$folder" "${BENCH_EVENTS:-1000000}" "${BENCH_ISSUES:-5000}"
