#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compiles async/*.c and compares what the objects need from elsewhere with async/allowed-symbols.txt. What the code
# in signal context may reach is that list, the other objects of async/, and raw system calls.
#
#     check-signal-safety.sh              the check
#     check-signal-safety.sh --self-test  shows that it fails when an unsafe call is added
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cc=${CC:-gcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Compiles the .c files of a folder of sources into a folder of objects.
compile() {
    (cd "$2" && printf '%s\0' "$1"/*.c | xargs -0 -n 8 -P "$(nproc)" \
        "$cc" -std=gnu11 -O2 -fPIC -fvisibility=hidden -D_GNU_SOURCE -I"$here" -I"$here/include" \
        -I"$here/async" -I"$here/../CVakaRecord/include" -c)
}

# Names each file of a folder of objects that needs a symbol which is neither allowed nor defined there.
check() {
    sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$here/async/allowed-symbols.txt" | while read -r symbol reason; do
        [ -n "$reason" ] || { echo "allowed-symbols.txt: no reason for $symbol" >&2; exit 1; }
        echo "$symbol"
    done > "$work/allowed"
    nm --defined-only --format=posix "$1"/*.o | awk '$2 ~ /^[A-Z]$/ {print $1}' >> "$work/allowed"
    bad=0
    for object in "$1"/*.o; do
        for symbol in $(nm -u --format=posix "$object" | awk '{print $1}'); do
            grep -qxF "$symbol" "$work/allowed" && continue
            echo "async/$(basename "$object" .o).c calls $symbol, which is not in async/allowed-symbols.txt" >&2
            bad=1
        done
    done
    return $bad
}

mkdir "$work/objects"
compile "$here/async" "$work/objects"

if [ "${1:-}" = --self-test ]; then
    for call in 'void *malloc(unsigned long); void *vaka_async_x(void); void *vaka_async_x(void) { return malloc(1); }' \
        'int printf(const char *, ...); void vaka_async_x(void); void vaka_async_x(void) { printf("%d", 1); }' \
        'int *__errno_location(void); int vaka_async_x(void); int vaka_async_x(void) { return *__errno_location(); }'
    do
        mkdir -p "$work/unsafe"
        printf '%s\n' "$call" > "$work/unsafe/unsafe.c"
        compile "$work/unsafe" "$work/objects"
        if check "$work/objects" 2> "$work/said"; then
            echo "self-test failed: this passes the check: $call" >&2
            exit 1
        fi
        grep -q 'async/unsafe.c calls' "$work/said" || { cat "$work/said" >&2; exit 1; }
        cat "$work/said"
        rm "$work/objects/unsafe.o"
    done
    echo "self-test passed: unsafe calls are found"
    exit 0
fi

check "$work/objects"
echo "signal safety: $(ls "$work/objects" | wc -l) objects call nothing that is not allowed"
