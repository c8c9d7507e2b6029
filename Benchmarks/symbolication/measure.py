#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures symbolication beside its peers: measure.py VAKA LOOKUPS LIBRARY WORK NAME=FILE…

VAKA is the command, LOOKUPS the program made of lookups.c, LIBRARY the peer's shared library. Prints "name value unit"
lines. Times are processor seconds (user and system) of whole processes, the best of runs in turn: ours, the peer's, ours …
What else the machine does only ever adds to a time.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from tools import alone_on_path, newest_symbolizer, text_section

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
ADDRESSES = int(os.environ.get("BENCH_ADDRESSES", "100000"))
CHECKED = int(os.environ.get("BENCH_CHECKED", "20000"))


class Run:
    """One process to its end: processor and wall seconds, and its memory in KiB."""

    def __init__(self, command, stdin=None):
        start = time.monotonic()
        with open(stdin or os.devnull) as source, open(os.devnull, "w") as sink:
            process = subprocess.Popen(command, stdin=source, stdout=sink, stderr=sink)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.wall = time.monotonic() - start
        self.seconds = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss
        if process.returncode != 0:
            raise SystemExit(f"failed ({process.returncode}): {' '.join(command)}")


def in_turn(ours, theirs, rounds=ROUNDS):
    """Runs of both sides, one after the other; the first of each is not counted."""
    runs = ([], [])
    for index in range(rounds + 1):
        for side, command in enumerate((ours, theirs)):
            run = command()
            if index > 0:
                runs[side].append(run)
    return runs


def best(runs, field):
    return min(getattr(run, field) for run in runs)


def line(name, value, unit, digits=3):
    print(f"{name} {value:.{digits}f} {unit}", flush=True)


def compare(name, peer, runs, unit="s", field="seconds", digits=3):
    ours, theirs = best(runs[0], field), best(runs[1], field)
    line(f"{name}_vaka", ours, unit, digits)
    line(f"{name}_{peer}", theirs, unit, digits)
    line(f"{name}_{peer}_to_vaka", theirs / max(ours, 1e-9), "ratio", 1)


def write_addresses(file, path, count, seed):
    start, size = text_section(file)
    source = random.Random(seed)
    path.write_text("".join(f"{start + source.randrange(size):#x}\n" for _ in range(count)))


class Bench:
    def __init__(self, vaka, lookups, library, work):
        self.vaka, self.lookups, self.library = vaka, lookups, library
        self.work = pathlib.Path(work)
        self.llvm = newest_symbolizer()

    def measure(self, name, file):
        folder = self.work / name
        folder.mkdir(parents=True, exist_ok=True)
        cache = self.build(name, file, folder)
        addresses, few = folder / "addresses", folder / "few"
        write_addresses(file, addresses, ADDRESSES, 1)
        write_addresses(file, few, 5, 2)
        figures = [self.lookups, self.library, "speed", name, cache, file, str(addresses)]
        print(subprocess.run(figures, capture_output=True, text=True, check=True).stdout, end="", flush=True)
        if self.llvm:
            self.processes(name, file, folder, addresses, few)
        self.agreement(name, file)

    def build(self, name, file, folder):
        ours = [self.vaka, "symcache", "build", file, "--output", str(folder)]
        theirs = [self.lookups, self.library, "build", file, str(folder / "peer")]
        runs = in_turn(lambda: Run(ours), lambda: Run(theirs))
        compare(f"cache_build_{name}", "symbolic", runs)
        compare(f"cache_build_wall_{name}", "symbolic", runs, field="wall")
        compare(f"cache_build_memory_{name}", "symbolic", runs, unit="KiB", field="memory", digits=0)
        cache = next(folder.glob("*.vakasym"))
        line(f"cache_size_{name}_vaka", cache.stat().st_size, "bytes", 0)
        line(f"cache_size_{name}_symbolic", (folder / "peer").stat().st_size, "bytes", 0)
        return str(cache)

    def processes(self, name, file, folder, addresses, few):
        cached = [self.vaka, "lookup", "--debug-file", file, "--no-demangle", "--cache", str(folder)]
        uncached = [self.vaka, "lookup", "--debug-file", file, "--no-demangle", "--no-cache"]
        peer = [self.llvm, f"--obj={file}", "--no-demangle", "--inlines"]
        runs = in_turn(lambda: Run(cached, addresses), lambda: Run(peer, addresses))
        compare(f"process_{name}_{ADDRESSES}_addresses", "llvm_symbolizer", runs)
        runs = in_turn(lambda: Run(uncached, few), lambda: Run(peer, few), 2 * ROUNDS + 1)
        compare(f"first_answer_{name}", "llvm_symbolizer", runs, unit="s", digits=4)

    def agreement(self, name, file):
        command = [self.vaka, "lookup", "--debug-file", file, "--no-cache", "--check", str(CHECKED), "--format", "json"]
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            environment = alone_on_path(self.llvm, folder)
            found = subprocess.run(command, capture_output=True, text=True, env=environment)
        for document in map(json.loads, found.stdout.splitlines()):
            peer = document["peer"].replace("-", "_")
            line(f"agreement_{name}_{peer}", 100 * document["agreement"], "percent", 2)
            for kind in document["kinds"]:
                line(f"agreement_{name}_{peer}_{kind['kind']}", kind["count"], "addresses", 0)


def main():
    vaka, lookups, library, work, *files = sys.argv[1:]
    bench = Bench(vaka, lookups, library, work)
    for entry in files:
        name, file = entry.split("=", 1)
        if os.path.exists(file):
            bench.measure(name, file)
        else:
            print(f"# {name}: {file} is not here", flush=True)


main()
