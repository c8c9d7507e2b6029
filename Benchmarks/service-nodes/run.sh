#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One, two and four servers on one PostgreSQL, all on this machine, and what the simulation of Benchmarks/scaling says of
# them from the costs of one. BENCH_SECONDS=10 is how long each load lasts; BENCH_COSTS=FILE keeps the costs of one there.
# BENCH_PROGRAMS=FOLDER has programs that are built already.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
[ -z "${BENCH_COSTS:-}" ] || export BENCH_COSTS=$(realpath -m "$BENCH_COSTS")
mkdir -p "$root/build"
work=$(mktemp -d)
postgres=
finish() {
    [ -z "$postgres" ] || { kill -INT "$postgres" && wait "$postgres"; } 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
. "$root/Benchmarks/service-tools/prepare.sh"

# As durable as the server's own store: what is committed is on the disk.
PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)"
as=()
mkdir "$work/data" "$work/run"
if [ "$(id -u)" = 0 ]; then
    chmod 711 "$work"
    chown nobody "$work/data" "$work/run"
    as=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
fi
cd "$work"
"${as[@]}" initdb -D data -A trust -U vaka -E UTF8 --locale=C >/dev/null
"${as[@]}" postgres -D data -k "$work/run" -c listen_addresses= -c max_connections=300 -c shared_buffers=256MB \
    -c max_wal_size=2GB >log 2>&1 &
postgres=$!
until "${as[@]}" pg_isready -q -h "$work/run" -U vaka -d postgres; do
    kill -0 "$postgres" || { cat log >&2; exit 1; }
    sleep 0.1
done
PYTHONPATH="$root/Benchmarks/service-tools:$load:$root/Benchmarks/scaling" \
    "$here/nodes.py" "$programs" "$work/load" "$work/crash" "$work" "$postgres"
