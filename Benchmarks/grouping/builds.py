# SPDX-License-Identifier: Apache-2.0
"""The programs of crashers/labelled, and how each is built."""
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD_ID = "-Wl,--build-id=sha1"


@dataclass(frozen=True)
class Build:
    program: str
    name: str
    command: tuple
    # The debug information is taken out and given to the reader as a file of its own.
    separate: bool = False

    @property
    def file(self):
        return f"{self.program}-{self.name}"


def native(program, compilers, standard):
    source = f"crashers/labelled/{program}"
    for compiler, levels in compilers.items():
        for level in levels:
            words = (compiler, "-g", "-w", standard, *level.split(), BUILD_ID, source, "-o")
            yield Build(program, f"{compiler}{level.replace(' ', '')}", words)
    first = next(iter(compilers))
    base = (first, "-g", "-w", standard, "-O2", BUILD_ID)
    yield Build(program, f"{first}-O2-rebuilt", (*base, "-DPADDING", source, "-o"))
    yield Build(program, f"{first}-O2-stripped", (*base, "-DPADDING=2", source, "-o"), separate=True)


def swift():
    words = ("swiftc", "-parse-as-library", "-g", "-Xlinker", "--build-id=sha1")
    source = "crashers/labelled/orders.swift"
    for level in ("-Onone", "-O", "-Osize", "-O -whole-module-optimization"):
        yield Build("orders.swift", f"swift{level.replace(' ', '')}", (*words, *level.split(), source, "-o"))
    yield Build("orders.swift", "swift-O-rebuilt", (*words, "-O", "-D", "PADDING", source, "-o"))
    yield Build("orders.swift", "swift-O-stripped", (*words, "-O", source, "-o"), separate=True)


def rust():
    words = ("rustc", "--edition", "2021", "-g", "-C", "panic=abort", "-C", "link-arg=" + BUILD_ID)
    source = "crashers/labelled/tables.rs"
    for level in ("0", "1", "2", "3", "s"):
        yield Build("tables.rs", f"rust-O{level}", (*words, "-C", f"opt-level={level}", source, "-o"))
    lto = ("-C", "opt-level=3", "-C", "lto=fat", "-C", "codegen-units=1")
    yield Build("tables.rs", "rust-O3-lto", (*words, *lto, source, "-o"))
    yield Build("tables.rs", "rust-O2-stripped", (*words, "-C", "opt-level=2", source, "-o"), separate=True)


LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os", "-O2 -flto")
CLANG_LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
BUILDS = [
    *native("records.c", {"gcc": LEVELS, "clang": CLANG_LEVELS}, "-std=gnu11"),
    *native("shapes.cpp", {"g++": LEVELS, "clang++": CLANG_LEVELS}, "-std=c++17"),
    *swift(),
    *rust(),
]
# How many bugs each program has.
BUGS = {"records.c": 12, "shapes.cpp": 11, "orders.swift": 12, "tables.rs": 11}


def make(build, folder):
    """Builds one program, in a folder of its own and under the name that it has in every build; None where its compiler is
    not here."""
    if shutil.which(build.command[0]) is None:
        return None
    home = os.path.join(folder, build.file)
    path = os.path.join(home, build.program.split(".")[0])
    source = os.path.join(ROOT, "crashers/labelled", build.program)
    if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(source):
        os.makedirs(home, exist_ok=True)
        subprocess.run([*build.command, path + ".new"], cwd=ROOT, check=True)
        if build.separate:
            subprocess.run(["objcopy", "--only-keep-debug", path + ".new", path + ".debug"], check=True)
            subprocess.run(["objcopy", "--strip-all", path + ".new"], check=True)
        os.rename(path + ".new", path)
    return path


def make_all(folder, programs):
    os.makedirs(folder, exist_ok=True)
    chosen = [build for build in BUILDS if not programs or build.program in programs]
    with ThreadPoolExecutor(max_workers=2) as pool:
        made = list(pool.map(lambda build: (build, make(build, folder)), chosen))
    for build, path in made:
        if path is None:
            print(f"# {build.command[0]} is not here: {build.file} is left out")
    return [(build, path) for build, path in made if path is not None]
