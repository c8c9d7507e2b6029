#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Crashes every bug of crashers/labelled in every build, groups the reports, and prints precision and recall beside those of
# two simple ways: run.sh [--pairs] [--programs NAME]… (--pairs tells of each wrong pair of bugs and builds).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cd "$root"
swift build -c release --product vaka 1>&2
exec python3 "$here/measure.py" --vaka "$root/.build/release/vaka" --library "$root/build/lib/libvakacrash.so" \
    --out "$root/build/labelled" "$@"
