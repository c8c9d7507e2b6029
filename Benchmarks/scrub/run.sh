#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What it costs to take secrets out of an event of 25 kB.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
export VAKA_BENCH=1
swift build --package-path "$root" -c release --product scrub-bench 1>&2
"$(swift build --package-path "$root" -c release --show-bin-path)/scrub-bench"
