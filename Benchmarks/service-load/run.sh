#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The service under the load of 64 connections, beside its peer. BENCH_SECONDS=10 is how long each load lasts;
# BENCH_PEER=0 leaves the peer out. BENCH_PROGRAMS=FOLDER has programs that are built already.
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
work=$(mktemp -d -p "$root/build" service-load.XXXXXX)
trap 'rm -rf "$work"' EXIT
. "$root/Benchmarks/service-tools/prepare.sh"
PYTHONPATH="$root/Benchmarks/service-tools" "$here/measure.py" "$programs" "$work/load" "$work/crash" "$venv" "$work"
