#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a frame of a screen recording costs, and whether the budget is kept under a host that changes all the time.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
export VAKA_BENCH=1
swift build --package-path "$root" -c release --product recording-bench 1>&2
"$(swift build --package-path "$root" -c release --show-bin-path)/recording-bench"
