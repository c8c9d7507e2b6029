#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The service under load, beside its peer: measure.py PROGRAMS CLIENT CRASH PEER WORK

PROGRAMS holds vaka and vaka-server, CLIENT is the load client, CRASH the program that crashes, PEER the peer's virtual
environment. Prints "name value unit" lines. Both get the same crash, each event with an id of its own, over the same number
of connections. The processes that digest are stopped meanwhile; then nothing more is sent and they go on: accepting and
digesting are measured apart, each with the machine for itself. But the client shares it with the server: processor times
are told, too.
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
REQUESTS = {"vaka": {False: 20000, True: 12000}, "bugsink": {False: 1500, True: 1500}}


def line(name, value, unit, digits=1):
    print(f"load_{name} {value:.{digits}f} {unit}", flush=True)


class Run:
    """One load on one server."""

    def __init__(self, client, server, kind, pack):
        server.pause(signal.SIGSTOP)
        before = processor(server.roots)
        output = subprocess.run(
            [client, str(server.port), str(CONNECTIONS), str(SECONDS), pack], check=True, text=True, stdout=subprocess.PIPE)
        accepted, refused, failed, seconds, p50, p99, spent = map(float, output.stdout.split())
        self.rate, self.p99 = accepted / seconds, p99
        name = f"{server.name}_{kind}"
        line(f"{name}_accepted", self.rate, "requests/s")
        line(f"{name}_accepted_p50", p50, "ms")
        line(f"{name}_accepted_p99", p99, "ms")
        line(f"{name}_not_accepted", refused + failed, "requests")
        self.accepted_processor = (processor(server.roots) - before) / max(1, accepted) * 1000
        line(f"{name}_accepted_processor", self.accepted_processor, "ms/request", 3)
        line(f"{name}_client_processor", spent / seconds * 100, "%")
        self.digested, self.digested_processor = self.drain(server, name)

    def drain(self, server, name):
        begun, spent, before = time.monotonic(), processor(server.roots), server.digested()
        line(f"{name}_backlog", server.backlog(), "events", 0)
        server.pause(signal.SIGCONT)
        while server.backlog() > 0 and time.monotonic() < begun + MOST_DRAINING:
            time.sleep(0.25)
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
            start = 1 + has_stack * 10_000_000
            pack = work / "pack"
            sent, size = packs.write(pack, count, server.address, server.headers, parts[has_stack], start)
            line(f"{server.name}_{kind}_body", sent, "bytes", 0)
            line(f"{server.name}_{kind}_body_decompressed", size, "bytes", 0)
            runs[kind] = Run(client, server, kind, pack)
            pack.unlink()
        line(f"{server.name}_memory_after", memory(server.roots), "MB")
    return idle, runs


def main():
    programs, client, crash, peer, work = map(pathlib.Path, sys.argv[1:])
    event = events.of_crash(crash, programs / "vaka", work / "storage")
    plain, stacked = events.without_memory(event), events.with_stack(event)
    line("event_threads", len(plain["threads"]), "threads", 0)
    line("event_frames", sum(len(thread["frames"]) for thread in plain["threads"]), "frames", 0)
    line("event_breadcrumbs", len(plain["breadcrumbs"]), "breadcrumbs", 0)
    line("event_stack", len(events.stack_of(stacked)), "bytes", 0)
    sentry = events.as_sentry(plain)
    ours = {False: packs.batch(plain), True: packs.batch(stacked)}
    theirs = {False: packs.envelope(sentry, None), True: packs.envelope(sentry, events.stack_of(stacked))}
    idle, runs = measure(Vaka(programs, work / "vaka"), client, work, ours)
    if os.environ.get("BENCH_PEER") == "0":
        return
    peer_idle, peer_runs = measure(Bugsink(peer, work / "bugsink", 18321), client, work, theirs)
    for kind, run in runs.items():
        other = peer_runs[kind]
        line(f"{kind}_accepted_ratio", run.rate / other.rate, "times")
        line(f"{kind}_accepted_p99_ratio", run.p99 / other.p99, "times", 3)
        line(f"{kind}_accepted_processor_ratio", other.accepted_processor / run.accepted_processor, "times")
        line(f"{kind}_digested_ratio", run.digested / other.digested, "times")
        line(f"{kind}_digested_processor_ratio", other.digested_processor / run.digested_processor, "times")
    line("idle_memory_ratio", idle / peer_idle, "times", 3)


main()
