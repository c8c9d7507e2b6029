#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The main job, as a user meets it: a Swift program that crashes and sends at its next launch, a C program that crashes
# and is sent by `vaka submit`, their debug images and sources uploaded, and both crashes shown. KEEP=1 leaves the server up.
set -euo pipefail
cd "$(dirname "$0")/.."

vaka=.build/release/vaka
server=.build/release/vaka-server
folder=$(mktemp -d)
server_pid=
cleanup() {
    [[ -n $server_pid ]] && kill "$server_pid" 2>/dev/null && wait "$server_pid" 2>/dev/null || true
    rm -rf "$folder"
}
trap cleanup EXIT
say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
fail() { echo "demo: $*" >&2; tail -20 "$folder"/*.log >&2 || true; exit 1; }
credential() { sed -n "s/.*\"$1\" *: *\"\([^\"]*\)\".*/\1/p" "$folder/data/credentials.json"; }
get() { curl --silent --show-error --fail -H "Authorization: Bearer $token" "$url$1"; }

say "1. The programs"
swift build -c release --package-path crashers/swiftpm --product shop >"$folder/build.log" 2>&1 || fail "the Swift program does not build"
swift_program=crashers/swiftpm/.build/release/shop
mkdir -p build/demo
gcc -std=gnu11 -O2 -g -Wl,--build-id -o build/demo/qsort-abort crashers/c/qsort-abort.c
echo "$swift_program (Swift, -O) and build/demo/qsort-abort (C, -O2)"

say "2. The server"
"$server" --data "$folder/data" --listen 127.0.0.1:0 >"$folder/server.out" 2>"$folder/server.log" &
server_pid=$!
for _ in $(seq 100); do grep -q '^listening on' "$folder/server.out" && break; sleep 0.1; done
url=$(sed -n 's/^listening on //p' "$folder/server.out")
[[ -n $url ]] || fail "the server did not start"
key=$(credential ingest_key)
token=$(credential admin_token)
echo "$url"

say "3. The Swift program crashes, and sends the crash at its next launch"
run_swift() {
    VAKA_ENDPOINT=$url VAKA_KEY=$key VAKA_STORAGE_DIRECTORY=$folder/swift SWIFT_BACKTRACE=enable=no "$swift_program" "$@"
}
status=0
{ run_swift unwrap 2>"$folder/swift.log"; } 2>/dev/null || status=$?
echo "first launch: exit status $status"
[[ $status -gt 128 ]] || fail "the Swift program did not crash"
run_swift send 2>>"$folder/swift.log" || fail "the second launch failed"
echo "second launch: exit status 0"

say "4. The C program crashes under LD_PRELOAD, and vaka submit sends the crash"
status=0
{
    LD_PRELOAD=build/lib/libvakacrash.so VAKA_STORAGE="$folder/c" VAKA_RELEASE=sorter@1.0 build/demo/qsort-abort \
        >"$folder/c.log" 2>&1
} 2>/dev/null || status=$?
echo "exit status $status"
[[ $status -gt 128 ]] || fail "the C program did not crash"
"$vaka" submit "$folder/c" --url "$url" --key "$key"

say "5. Their debug images and sources are uploaded"
"$vaka" upload debug --include-sources "$swift_program" build/demo/qsort-abort --url "$url" --token "$token"

say "6. The symbolicated crashes, from the server"
events() { get "/api/v1/projects/default/issues" | grep -o '"latest_event_id" *: *"[0-9a-f]*"' | cut -d'"' -f4; }
ready() {
    get "/api/v1/projects/default/events/$1" >"$folder/event.json"
    grep -q "\"file\" *: *\"[^\"]*$2\"" "$folder/event.json" && grep -q '"source_context" *: *{' "$folder/event.json"
}
swift_event=
c_event=
for _ in $(seq 150); do
    for event in $(events); do
        ready "$event" main.swift && swift_event=$event
        ready "$event" qsort-abort.c && c_event=$event
    done
    [[ -n $swift_event && -n $c_event ]] && break
    sleep 0.2
done
[[ -n $swift_event ]] || fail "the Swift crash did not become readable"
[[ -n $c_event ]] || fail "the C crash did not become readable"
for event in "$swift_event" "$c_event"; do
    printf '\n%s\n' "────────────────────────────────────────────────────────────────────────"
    get "/api/v1/projects/default/events/$event" | "$vaka" inspect -
    echo "shown at $url/events/$event"
done

login=$(curl --silent --show-error --fail -X POST -H "Authorization: Bearer $token" "$url/api/v1/login-links" |
    sed -n 's/.*"url" *: *"\([^"]*\)".*/\1/p')
say "7. The page"
echo "$login"
if [[ ${KEEP:-} == 1 ]]; then
    echo "the server stays up with process id $server_pid; its data is in $folder"
    disown "$server_pid"
    trap - EXIT
else
    echo "(the server ends with this demo; make demo KEEP=1 leaves it up)"
fi
