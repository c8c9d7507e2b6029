#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The service under the load of 64 connections, beside its peer. BENCH_SECONDS=10 is how long each load lasts;
# BENCH_PEER=0 leaves the peer out.
#
# An accepted request of ours is on the disk when it is answered. The peer answers when the event is in a file, which it
# leaves to the system to write, and its task in an SQLite database.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
venv=$root/build/bench/bugsink
mkdir -p "$root/build/bench"
if [ "${BENCH_PEER:-1}" = 1 ]; then
    [ -x "$venv/bin/python" ] || python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
fi

export VAKA_BENCH=1
for product in vaka vaka-server; do
    swift build --package-path "$root" -c release --product $product 1>&2
done
programs=$(swift build --package-path "$root" -c release --show-bin-path)
make -s -C "$root/CSupport/CVakaCrash" OUT="$root/build/lib" 1>&2
work=$(mktemp -d -p "$root/build" service-load.XXXXXX)
trap 'rm -rf "$work"' EXIT
"${CC:-gcc}" -std=gnu11 -O2 -Wall -Wextra "$here/load.c" -o "$work/load"
"${CC:-gcc}" -std=gnu11 -O1 -g -fno-optimize-sibling-calls -I"$root/CSupport/CVakaCrash/include" \
    -I"$root/CSupport/CVakaRecord/include" "$here/crash.c" "$root/build/lib/libvakacrash.a" -pthread -o "$work/crash"
ulimit -c 0
PYTHONPATH="$root/Benchmarks/service-tools" "$here/measure.py" "$programs" "$work/load" "$work/crash" "$venv" "$work"
