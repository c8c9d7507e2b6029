# SPDX-License-Identifier: Apache-2.0
"""The peers and the files, for measure.py and variants.py."""
import os
import pathlib
import shutil
import subprocess


def newest_symbolizer():
    """The Swift toolchain's, else Debian's newest."""
    compiler = shutil.which("swiftc")
    places = [pathlib.Path(compiler).parent / "llvm-symbolizer"] if compiler else []
    if compiler:
        places.append(pathlib.Path(compiler).resolve().parent / "llvm-symbolizer")
    names = [f"llvm-symbolizer-{version}" for version in range(25, 13, -1)] + ["llvm-symbolizer"]
    places += [pathlib.Path(found) for name in names if (found := shutil.which(name))]
    return next((str(place) for place in places if place.exists()), None)


def alone_on_path(symbolizer, folder):
    """An environment where nothing but one symbolizer, if any, is found: the command's check takes what PATH has."""
    if symbolizer:
        os.symlink(symbolizer, os.path.join(folder, "llvm-symbolizer"))
    return dict(os.environ, PATH=str(folder))


def text_section(file):
    """Address and size of a file's code."""
    output = subprocess.run(["readelf", "-WS", file], capture_output=True, text=True, check=True).stdout
    for row in output.splitlines():
        parts = row.replace("[ ", "[").split()
        if len(parts) > 5 and parts[1] == ".text":
            return int(parts[3], 16), int(parts[5], 16)
    raise SystemExit(f"{file} has no .text")
