#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What the SDK costs a program: one `name value unit` line each.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

swift build -c release --package-path "$here/footprint" --scratch-path "$root/build/benchmark-sdk" 1>&2
products="$root/build/benchmark-sdk/release"

# The start has lines of its own below.
"$products/measure" "$work/storage" all | grep -v '^sdk_start\|^sdk_memory'
"$products/measure" "$work/idle" idle

# The start of the process, with and without the SDK, and the start alone: the best of 20.
python3 - "$products" "$work" << 'END'
import os, subprocess, sys, time

products, work = sys.argv[1:]


def best(*command):
    times = []
    for _ in range(20):
        begin = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - begin)
    return min(times) * 1000


def stripped(name):
    copy = os.path.join(work, name)
    subprocess.run(["strip", "-o", copy, os.path.join(products, name)], check=True)
    return os.path.getsize(copy) / 1024


def told(*command):
    """What the program says, the least of each line."""
    least = {}
    for _ in range(20):
        for line in subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
            name, value, unit = line.split()
            least[name, unit] = min(float(value), least.get((name, unit), float("inf")))
    return least


for (name, unit), value in told(products + "/measure", work + "/s", "start").items():
    print(f"{name} {value:.2f} {unit}")
bare = best(products + "/bare")
print(f"sdk_process_bare {bare:.2f} ms")
print(f"sdk_process_linked {best(products + '/measure', work + '/s', 'nothing'):.2f} ms")
print(f"sdk_process_started {best(products + '/measure', work + '/s', 'start'):.2f} ms")
print(f"sdk_binary_added {stripped('measure') - stripped('bare'):.0f} KiB")
END
