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


def sync_time(folder, size):
    """Milliseconds until so many bytes are written and on the disk, the median of many, into a file that is there as the
    database's journal is."""
    times = []
    piece = b"x" * size
    with open(folder / "sync", "wb", buffering=0) as file:
        for _ in range(16 << 20 >> 16):
            file.write(b"x" * 65536)
        os.fsync(file.fileno())
        file.seek(0)
        for number in range(200):
            if file.tell() + size > 16 << 20:
                file.seek(0)
            begun = time.perf_counter()
            file.write(piece)
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - begun)
    (folder / "sync").unlink()
    return sorted(times)[len(times) // 2] * 1000


def busy():
    """Processor seconds of the whole machine."""
    fields = pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    user, nice, system, _, _, irq, softirq, steal = map(int, fields[:8])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


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
        with self.database(name) as store, contextlib.ExitStack() as stack:
            nodes = []
            for number in range(count):
                node = Node(self.programs, self.work / name / str(number), store, nodes[0] if nodes else None)
                nodes.append(stack.enter_context(node))
            found = self.accept(nodes, name, CONNECTIONS, SECONDS) | self.digest(nodes)
            size = int(self.sql(name, f"SELECT pg_database_size('{name}')"))
            found["kept"] = size / max(1, found["events"])
        return found

    def alone(self):
        """What a request costs that has its commit for itself."""
        name = f"alone_{int(time.time())}"
        with self.database(name) as store, Node(self.programs, self.work / name, store) as node:
            found = self.accept([node], name, 1, max(2.0, SECONDS / 3))
            node.pause(signal.SIGCONT)
            return found

    def sql(self, database, statement):
        command = ["psql", "-q", "-A", "-t", "-h", self.work / "run", "-U", "vaka", "-d", database, "-c", statement]
        return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()

    @contextlib.contextmanager
    def database(self, name):
        self.sql("postgres", f"CREATE DATABASE {name}")
        yield f"postgres:///{name}?host={self.work / 'run'}&user=vaka"
        self.sql("postgres", f"DROP DATABASE {name} WITH (FORCE)")

    def commits(self, name):
        """Of so far; backends tell of theirs once a second."""
        time.sleep(1.5)
        return int(self.sql("postgres", f"SELECT xact_commit FROM pg_stat_database WHERE datname = '{name}'"))

    def accept(self, nodes, name, connections, seconds):
        roots = [node.process.pid for node in nodes]
        packed = []
        for number, node in enumerate(nodes):
            pack = self.work / f"pack{number}"
            headers = {"Authorization": f"Bearer {nodes[0].credentials['ingest_key']}",
                       "Content-Type": "application/json"}
            packs.write(pack, int(REQUESTS_A_SECOND * seconds / len(nodes)), "/api/v1/ingest", headers, self.parts,
                        1 + number * 10_000_000)
            packed.append(pack)
        for node in nodes:
            node.pause(signal.SIGSTOP)
        committed = self.commits(name)
        before = processor(roots), processor([self.postgres]), self.written()
        begun, others = time.monotonic(), busy()
        clients = [
            subprocess.Popen(
                [self.client, str(node.port), str(connections // len(nodes)), str(seconds), pack], text=True,
                stdout=subprocess.PIPE)
            for node, pack in zip(nodes, packed)
        ]
        answers = [list(map(float, client.communicate()[0].split())) for client in clients]
        accepted = sum(answer[0] for answer in answers)
        lasted, others = time.monotonic() - begun, busy() - others
        used = [processor(roots) - before[0], processor([self.postgres]) - before[1], sum(a[6] for a in answers)]
        written = self.written() - before[2]
        committed = self.commits(name) - committed
        for pack in packed:
            pack.unlink()
        return {
            "accepted": sum(answer[0] / answer[3] for answer in answers), "p99": max(answer[5] for answer in answers),
            "not_accepted": sum(answer[1] + answer[2] for answer in answers), "events": accepted,
            "accept_server": used[0] / accepted * 1000, "accept_database": used[1] / accepted * 1000,
            "accept_client": used[2] / accepted * 1000, "accept_written": written / accepted,
            "requests_a_commit": accepted / max(1, committed),
            # What nobody else on the machine took.
            "cores": os.cpu_count() - max(0.0, others - sum(used)) / lasted,
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
    "kept": "bytes/event", "cores": "cores", "requests_a_commit": "requests/commit", "accept_written": "bytes/request", "digest_written": "bytes/event",
}


def main():
    programs, client, crash, work = map(pathlib.Path, sys.argv[1:5])
    event = events.without_memory(events.of_crash(crash, programs / "vaka", work / "storage")[0])
    bench = Bench(programs, client, work, int(sys.argv[5]), packs.batch(event))
    one = None
    alone = bench.alone()
    for count in (1, 2, 4):
        found = bench.run(count)
        for name, value in found.items():
            line(f"{count}_{name}", value, UNITS.get(name, "ms of processor"), 1 if name in UNITS else 3)
        if one is None:
            one = found | costs.parts(found, alone) | {"digest_alone": 1000 / found["digested"]}
            small, large = sync_time(work, 8192), sync_time(work, 1 << 20)
            one |= {"sync": small, "sync_byte": max(0.0, large - small) / ((1 << 20) - 8192)}
            line("sync", small, "ms", 3)
            line("sync_megabyte", large, "ms", 3)
            for name in ("server", "database", "written"):
                unit = "bytes" if name == "written" else "ms of processor"
                line(f"request_{name}", one[f"request_{name}"], unit, 3)
                line(f"commit_{name}", one[f"commit_{name}"], unit, 3)
            if path := os.environ.get("BENCH_COSTS"):
                pathlib.Path(path).write_text(json.dumps(one, indent=2, sort_keys=True) + "\n")
        told = costs.on_one_machine(one, count, found["cores"])
        for name, value in told.items():
            line(f"{count}_{name}_predicted", value, UNITS[name])


main()
