#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The service under load, beside its peer: measure.py PROGRAMS CLIENT CRASH PEER WORK

PROGRAMS holds vaka and vaka-server, CLIENT is the load client, CRASH the program that crashes, PEER the peer's virtual
environment. Prints "name value unit" lines. Both get the same crash, each event with an id of its own, over the same number
of connections: first as in operation, where requests are accepted while others are digested ("busy"). Then the processes
that digest are stopped while requests are accepted, and go on when nothing more is sent: accepting and digesting apart, each
with the machine for itself. But the client shares it with the server: processor times are told, too.
"""
import os
import pathlib
import signal
import subprocess
import sys
import time

import events
import packs
from bugsink import Bugsink
from ours import Vaka
from processes import memory, processor

CONNECTIONS = 64
SECONDS = float(os.environ.get("BENCH_SECONDS", "10"))
MOST_DRAINING = 2 * SECONDS
# Enough for the time, and no more than memory holds.
REQUESTS = {"vaka": {False: 40000, True: 30000}, "bugsink": {False: 1500, True: 1500}}


def line(name, value, unit, digits=1):
    print(f"load_{name} {value:.{digits}f} {unit}", flush=True)


class Load:
    """One load on one server."""

    def __init__(self, client, server, name, pack):
        before, digested = processor(server.roots), server.digested()
        output = subprocess.run(
            [client, str(server.port), str(CONNECTIONS), str(SECONDS), pack], check=True, text=True, stdout=subprocess.PIPE)
        accepted, refused, failed, seconds, p50, p99, spent = map(float, output.stdout.split())
        self.rate, self.p99 = accepted / seconds, p99
        line(f"{name}_accepted", self.rate, "requests/s")
        line(f"{name}_accepted_p50", p50, "ms")
        line(f"{name}_accepted_p99", p99, "ms")
        line(f"{name}_not_accepted", refused + failed, "requests")
        self.processor = (processor(server.roots) - before) / max(1, accepted) * 1000
        line(f"{name}_accepted_processor", self.processor, "ms/request", 3)
        line(f"{name}_client_processor", spent / seconds * 100, "%")
        line(f"{name}_digested_meanwhile", (server.digested() - digested) / seconds, "events/s")


class Run:
    """What is sent while others are digested, and apart from that."""

    def __init__(self, client, server, kind, packs):
        name = f"{server.name}_{kind}"
        self.busy = Load(client, server, f"{name}_busy", packs[0])
        self.wait(server, MOST_DRAINING)
        server.pause(signal.SIGSTOP)
        self.apart = Load(client, server, name, packs[1])
        self.digested, self.digested_processor = self.drain(server, name)

    @staticmethod
    def wait(server, most):
        begun = time.monotonic()
        while server.backlog() > 0 and time.monotonic() < begun + most:
            time.sleep(0.25)

    def drain(self, server, name):
        begun, spent, before = time.monotonic(), processor(server.roots), server.digested()
        line(f"{name}_backlog", server.backlog(), "events", 0)
        server.pause(signal.SIGCONT)
        self.wait(server, MOST_DRAINING)
        seconds, count = time.monotonic() - begun, server.digested() - before
        line(f"{name}_digested", count / seconds, "events/s")
        cost = (processor(server.roots) - spent) / max(1, count) * 1000
        line(f"{name}_digested_processor", cost, "ms/event", 3)
        return count / seconds, cost


def measure(server, client, work, parts):
    with server:
        time.sleep(3)
        idle = memory(server.roots)
        line(f"{server.name}_idle_memory", idle, "MB")
        runs = {}
        for has_stack in (False, True):
            kind = "with_stack" if has_stack else "plain"
            count = int(REQUESTS[server.name][has_stack] * SECONDS)
            written = []
            for number in range(2):
                start = 1 + (2 * has_stack + number) * 10_000_000
                written.append(work / f"pack{number}")
                sent, size = packs.write(
                    written[-1], count, server.address, server.headers, parts[has_stack], start)
            line(f"{server.name}_{kind}_body", sent, "bytes", 0)
            line(f"{server.name}_{kind}_text_decompressed", size, "bytes", 0)
            runs[kind] = Run(client, server, kind, written)
            for pack in written:
                pack.unlink()
        line(f"{server.name}_memory_after", memory(server.roots), "MB")
    return idle, runs


def main():
    programs, client, crash, peer, work = map(pathlib.Path, sys.argv[1:])
    event, memory = events.of_crash(crash, programs / "vaka", work / "storage")
    plain = events.without_memory(event)
    stacked, memory = events.with_stack(event, memory)
    stack = events.decompressed(memory[0])
    line("event_threads", len(plain["threads"]), "threads", 0)
    line("event_frames", sum(len(thread["frames"]) for thread in plain["threads"]), "frames", 0)
    line("event_breadcrumbs", len(plain["breadcrumbs"]), "breadcrumbs", 0)
    line("event_stack", len(stack), "bytes", 0)
    line("event_stack_compressed", len(memory[0]), "bytes", 0)
    sentry = events.as_sentry(plain)
    ours = {False: packs.batch(plain), True: packs.batch(stacked, memory)}
    theirs = {False: packs.envelope(sentry, None), True: packs.envelope(sentry, stack)}
    idle, runs = measure(Vaka(programs, work / "vaka"), client, work, ours)
    if os.environ.get("BENCH_PEER") == "0":
        return
    peer_idle, peer_runs = measure(Bugsink(peer, work / "bugsink", 18321), client, work, theirs)
    for kind, run in runs.items():
        other = peer_runs[kind]
        for name, load, peer in (("busy_", run.busy, other.busy), ("", run.apart, other.apart)):
            line(f"{kind}_{name}accepted_ratio", load.rate / peer.rate, "times")
            line(f"{kind}_{name}accepted_p99_ratio", load.p99 / peer.p99, "times", 3)
            line(f"{kind}_{name}accepted_processor_ratio", peer.processor / load.processor, "times")
        line(f"{kind}_digested_ratio", run.digested / other.digested, "times")
        line(f"{kind}_digested_processor_ratio", other.digested_processor / run.digested_processor, "times")
    line("idle_memory_ratio", idle / peer_idle, "times", 3)


main()
