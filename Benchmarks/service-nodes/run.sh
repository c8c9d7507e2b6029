#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One, two and four servers on one PostgreSQL, all on this machine, and what the simulation of Benchmarks/scaling says of
# them from the costs of one. BENCH_SECONDS=10 is how long each load lasts; BENCH_COSTS=FILE keeps the costs of one there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
load=$root/Benchmarks/service-load
mkdir -p "$root/build"

[ -z "${BENCH_COSTS:-}" ] || export BENCH_COSTS=$(realpath -m "$BENCH_COSTS")
export VAKA_BENCH=1
for product in vaka vaka-server; do
    swift build --package-path "$root" -c release --product $product 1>&2
done
programs=$(swift build --package-path "$root" -c release --show-bin-path)
make -s -C "$root/CSupport/CVakaCrash" OUT="$root/build/lib" 1>&2
work=$(mktemp -d)
postgres=
finish() {
    [ -z "$postgres" ] || { kill -INT "$postgres" && wait "$postgres"; } 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
"${CC:-gcc}" -std=gnu11 -O2 -Wall -Wextra "$load/load.c" -o "$work/load"
"${CC:-gcc}" -std=gnu11 -O1 -g -fno-optimize-sibling-calls -I"$root/CSupport/CVakaCrash/include" \
    -I"$root/CSupport/CVakaRecord/include" "$load/crash.c" "$root/build/lib/libvakacrash.a" -pthread -o "$work/crash"
ulimit -c 0

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
