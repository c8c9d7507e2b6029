#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Symbolication beside symbolic and llvm-symbolizer, on real files. BENCH_LARGE=1 adds Debian's ceph-osd-dbg.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/bench
mkdir -p "$build"

[ -x "$build/venv/bin/python" ] || python3 -m venv "$build/venv"
"$build/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
library=$("$build/venv/bin/python" -c 'import symbolic, glob, os; print(glob.glob(os.path.dirname(symbolic.__file__) + "/_lowlevel*.so")[0])')

# As `make install` builds it.
swift build --package-path "$root" -c release --static-swift-stdlib --scratch-path "$root/.build/static" --product vaka 1>&2
vaka=$root/.build/static/release/vaka
symbols=$root/CSupport/CVakaSymbols
"${CC:-gcc}" -std=gnu11 -O2 -D_Nonnull= -D_Nullable= -I"$symbols/include" \
    "$here/lookups.c" "$symbols"/cache/*.c -lz -ldl -o "$build/lookups"
"$here/programs.py" "$build/programs"

swiftc=$(command -v swiftc || true)
toolchain=$([ -z "$swiftc" ] || dirname "$(readlink -f "$swiftc")")
id=$(readelf -n /lib/"$(uname -m)"-linux-gnu/libc.so.6 | sed -n 's/.*Build ID: //p')
files=(
    "swift_package=$toolchain/swift-package"
    "cxx=$build/programs/cxx"
    "rust=$build/programs/rust"
    "libc=/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
)
if [ "${BENCH_LARGE:-0}" = 1 ]; then
    if [ ! -d "$build/ceph" ]; then
        (cd "$build" && apt-get download ceph-osd-dbg 1>&2 && dpkg-deb -x ceph-osd-dbg_*.deb ceph && rm ceph-osd-dbg_*.deb)
    fi
    files+=("ceph_osd=$(find "$build/ceph" -name '*.debug' -printf '%s %p\n' | sort -n | tail -1 | cut -d' ' -f2)")
fi
"$here/measure.py" "$vaka" "$build/lookups" "$library" "$build/figures" "${files[@]}"
"$here/variants.py" "$vaka" "$build/variants"
