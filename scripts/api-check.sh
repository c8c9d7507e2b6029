#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Holds a real vaka-server to its own /openapi.json with schemathesis: api-check.sh [CASES of an operation].
set -euo pipefail
cd "$(dirname "$0")/.."
cases=${1:-50}
server=${SERVER:-.build/debug/vaka-server}
work=$(mktemp -d)
trap 'kill "$pid" 2>/dev/null || true; wait "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT
"$server" --data "$work/data" --listen 127.0.0.1:0 --no-system >"$work/out" 2>"$work/log" &
pid=$!
for _ in $(seq 100); do
    grep -q "listening on" "$work/out" && break
    sleep 0.1
done
read -r url key token cookie < <(scripts/api-check-data.py "$work/data/credentials.json")

run() {
    build/venv/bin/schemathesis --config-file scripts/schemathesis.toml run "$url/openapi.json" --max-examples "$cases" \
        --phases examples,coverage,fuzzing --max-redirects 0 "$@" || {
        tail -n 20 "$work/log" >&2
        exit 1
    }
}
run -H "Authorization: Bearer $key" --include-path-regex '^/api/v1/(ingest|sdk-settings)$'
run -H "Authorization: Bearer $token" --exclude-path-regex '^/api/v1/(ingest|sdk-settings)$' --exclude-tag page
# Pages send whoever has no session to the login, and forms want a proof.
run -H "Cookie: $cookie" --include-tag page --exclude-path /logout \
    --checks not_a_server_error,content_type_conformance,status_code_conformance
build/venv/bin/python3 scripts/check-metrics.py "$url"
