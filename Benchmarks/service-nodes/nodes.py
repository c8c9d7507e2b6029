#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Servers beside each other on one PostgreSQL: nodes.py PROGRAMS CLIENT CRASH WORK POSTGRES

POSTGRES is the process of the database, whose socket is in WORK/run. Prints "name value unit" lines. Digesting is stopped
while requests are accepted and goes on alone afterwards, as under Benchmarks/service-load.
"""
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import costs
import events
import packs
from processes import processor, tree
from server import Server

CONNECTIONS = 64
SECONDS = float(os.environ.get("BENCH_SECONDS", "10"))
MOST_DRAINING = 6 * SECONDS
REQUESTS_A_SECOND = 9000


def line(name, value, unit, digits=1):
    print(f"nodes_{name} {value:.{digits}f} {unit}", flush=True)


def sync_time(folder):
    """Milliseconds until a small write is on the disk, the median of many."""
    times = []
    with open(folder / "sync", "wb") as file:
        for _ in range(300):
            file.write(b"x" * 8192)
            file.flush()
            begun = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - begun)
    (folder / "sync").unlink()
    return sorted(times)[len(times) // 2] * 1000


class Node(Server):
    """The first server of a database makes the project; the others are given its credentials."""

    def __init__(self, programs, folder, store, first=None):
        folder.mkdir(parents=True)
        self.first = first
        super().__init__(programs, folder, "--store", store, "--workers", "2")

    def __enter__(self):
        if self.first:
            (self.folder / "credentials.json").write_text(json.dumps(self.first.credentials))
        return super().__enter__()

    def pause(self, signal):
        for pid in tree(self.process.pid)[1:]:
            os.kill(pid, signal)

    def digested(self):
        self.connection.close()
        text = self.ask("GET", "/metrics", {})[1].decode()
        return int(re.search(r"^vaka_events_stored_total (\d+)", text, re.M).group(1))

    def backlog(self):
        self.connection.close()
        return json.loads(self.ask("GET", "/readyz", {})[1])["spool"]["items"]


class Bench:
    def __init__(self, programs, client, work, postgres, parts):
        self.programs, self.client, self.work, self.postgres, self.parts = programs, client, work, postgres, parts

    def written(self):
        """Bytes that the database's processes have given to the disk; those of ended ones are lost to it."""
        total = 0
        for pid in tree(self.postgres):
            with contextlib.suppress(OSError):
                text = pathlib.Path(f"/proc/{pid}/io").read_text()
                total += int(re.search(r"^write_bytes: (\d+)", text, re.M).group(1))
        return total

    def run(self, count):
        """What `count` servers do, and what each event cost."""
        name = f"n{count}_{int(time.time())}"
        socket = self.work / "run"
        sql = ["psql", "-q", "-A", "-t", "-h", socket, "-U", "vaka"]
        subprocess.run([*sql, "-d", "postgres", "-c", f"CREATE DATABASE {name}"], check=True)
        store = f"postgres:///{name}?host={socket}&user=vaka"
        with contextlib.ExitStack() as stack:
            nodes = []
            for number in range(count):
                node = Node(self.programs, self.work / name / str(number), store, nodes[0] if nodes else None)
                nodes.append(stack.enter_context(node))
            found = self.accept(nodes) | self.digest(nodes)
            size = subprocess.run([*sql, "-d", name, "-c", f"SELECT pg_database_size('{name}')"], check=True, text=True,
                                  stdout=subprocess.PIPE)
            found["kept"] = int(size.stdout) / max(1, found["events"])
        subprocess.run([*sql, "-d", "postgres", "-c", f"DROP DATABASE {name}"], check=True)
        return found

    def accept(self, nodes):
        roots = [node.process.pid for node in nodes]
        packed = []
        for number, node in enumerate(nodes):
            pack = self.work / f"pack{number}"
            headers = {"Authorization": f"Bearer {nodes[0].credentials['ingest_key']}",
                       "Content-Type": "application/json"}
            packs.write(pack, int(REQUESTS_A_SECOND * SECONDS / len(nodes)), "/api/v1/ingest", headers, self.parts,
                        1 + number * 10_000_000)
            packed.append(pack)
        for node in nodes:
            node.pause(signal.SIGSTOP)
        before = processor(roots), processor([self.postgres]), self.written()
        clients = [
            subprocess.Popen(
                [self.client, str(node.port), str(CONNECTIONS // len(nodes)), str(SECONDS), pack], text=True,
                stdout=subprocess.PIPE)
            for node, pack in zip(nodes, packed)
        ]
        answers = [list(map(float, client.communicate()[0].split())) for client in clients]
        accepted = sum(answer[0] for answer in answers)
        for pack in packed:
            pack.unlink()
        return {
            "accepted": sum(answer[0] / answer[3] for answer in answers), "p99": max(answer[5] for answer in answers),
            "not_accepted": sum(answer[1] + answer[2] for answer in answers), "events": accepted,
            "accept_server": (processor(roots) - before[0]) / accepted * 1000,
            "accept_database": (processor([self.postgres]) - before[1]) / accepted * 1000,
            "accept_client": sum(answer[6] for answer in answers) / accepted * 1000,
            "accept_written": (self.written() - before[2]) / accepted,
        }

    def digest(self, nodes):
        roots = [node.process.pid for node in nodes]
        begun, before = time.monotonic(), (processor(roots), processor([self.postgres]), self.written())
        done = sum(node.digested() for node in nodes)
        for node in nodes:
            node.pause(signal.SIGCONT)
        while nodes[0].backlog() > 0 and time.monotonic() < begun + MOST_DRAINING:
            time.sleep(0.25)
        seconds, count = time.monotonic() - begun, max(1, sum(node.digested() for node in nodes) - done)
        return {
            "digested": count / seconds,
            "digest_server": (processor(roots) - before[0]) / count * 1000,
            "digest_database": (processor([self.postgres]) - before[1]) / count * 1000,
            "digest_written": (self.written() - before[2]) / count,
        }


UNITS = {
    "accepted": "requests/s", "digested": "events/s", "p99": "ms", "not_accepted": "requests", "events": "events",
    "kept": "bytes/event", "accept_written": "bytes/request", "digest_written": "bytes/event",
}


def main():
    programs, client, crash, work = map(pathlib.Path, sys.argv[1:5])
    event = events.without_memory(events.of_crash(crash, programs / "vaka", work / "storage"))
    bench = Bench(programs, client, work, int(sys.argv[5]), packs.batch(event))
    one = None
    for count in (1, 2, 4):
        found = bench.run(count)
        for name, value in found.items():
            line(f"{count}_{name}", value, UNITS.get(name, "ms of processor"), 1 if name in UNITS else 3)
        if one is None:
            one = found | {"sync": sync_time(work), "digest_alone": 1000 / found["digested"]}
            line("sync", one["sync"], "ms", 3)
            if path := os.environ.get("BENCH_COSTS"):
                pathlib.Path(path).write_text(json.dumps(one, indent=2, sort_keys=True) + "\n")
        told = costs.on_one_machine(one, count, os.cpu_count())
        for name, value in told.items():
            line(f"{count}_{name}_predicted", value, UNITS[name])


main()
