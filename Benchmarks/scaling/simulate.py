#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Grows an installation on paper: simulate.py [COSTS [PAGE]]

COSTS (costs.json beside this file when not given) is what Benchmarks/service-nodes measured. For each load it finds the
fewest servers and databases that keep up with a day that has a spike, second by second, and prints them as tables; with
PAGE, it writes them between that page's marks instead.
"""
import json
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
LOADS = (1_000, 10_000, 100_000)
# Assumed, not measured.
SERVER_CORES = 16
DATABASE_CORES = 32
# Of a core; the rest is for what is not counted here.
BUSY = 0.7
DATABASE_BYTES = 400e6
SPIKE, SPIKE_SECONDS = 3, 600
MOST_LAG = 300
# Of the crashes of a second, those that are stored: the others have an issue that got its minute's worth.
STORED = {1_000: 1.0, 10_000: 0.3, 100_000: 0.05}
COUNTED_ONLY_MS = 0.05
KEPT_DAYS = 30


def arrivals(load):
    """Crashes a second over an hour: a third of it before the spike, then the spike, then what follows."""
    for second in range(3600):
        yield load * (SPIKE if 1200 <= second < 1200 + SPIKE_SECONDS else 1)


def keeps_up(cost, load, servers):
    """The longest wait in seconds and the busiest second's share of the accepting, or None where work piles up."""
    budget = servers * SERVER_CORES * BUSY * 1000
    share, waiting, longest, busiest = STORED[load], 0.0, 0.0, 0.0
    # A spike is of issues that have their minute's worth already: what is stored of it is no more than usual.
    usual = load * share
    per_event = cost["digest_server"]
    for crashes in arrivals(load):
        accepting = crashes * (cost["accept_server"] + (COUNTED_ONLY_MS if share < 1 else 0))
        if accepting > budget:
            return None
        busiest = max(busiest, accepting / budget)
        waiting += usual if share < 1 else crashes
        done = min(waiting, (budget - accepting) / per_event)
        waiting -= done
        longest = max(longest, waiting / max(usual, 1))
    return (longest, busiest) if waiting < usual and longest < MOST_LAG else None


def databases(cost, load):
    """How many, by what they have to compute and to write in the spike; which of the two; and both."""
    stored = load * STORED[load] * (SPIKE if STORED[load] == 1 else 1)
    crashes = load * SPIKE
    cores = (crashes * cost["accept_database"] + stored * cost["digest_database"]) / 1000
    written = crashes * cost["accept_written"] + stored * cost["digest_written"]
    by = {
        "processor": cores / (DATABASE_CORES * BUSY),
        "disk": written / DATABASE_BYTES,
    }
    first = max(by, key=by.get)
    return max(1, math.ceil(by[first])), first, cores, written


def row(cost, load):
    servers = next(count for count in range(1, 10_000) if keeps_up(cost, load, count))
    longest, busiest = keeps_up(cost, load, servers)
    count, first, cores, written = databases(cost, load)
    kept = load * STORED[load] * cost["kept"] * 86_400 * KEPT_DAYS
    single = math.ceil(load * STORED[load] * cost["digest_alone"] / 1000)
    return [
        f"{load:,}", f"{STORED[load]:.0%}", f"{servers}", f"{longest:.0f} s", f"{busiest:.0%}", f"{count} ({first})",
        f"{cores:.0f}", f"{written / 1e6:.0f} MB/s", f"{single}", f"{kept / 1e12:.1f} TB",
    ]


def tables(cost):
    heads = [
        "crashes a second", "stored", f"servers of {SERVER_CORES} cores", "longest wait in the spike",
        "accepting takes of them", f"databases of {DATABASE_CORES} cores (what fills first)", "their cores in the spike",
        "their writing in the spike", "projects at least", f"kept in {KEPT_DAYS} days",
    ]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(row(cost, load)) + " |" for load in LOADS]
    names = {
        "accept_server": "accepting, server, ms of processor", "accept_database": "accepting, database, ms of processor",
        "accept_written": "accepting, bytes that the database writes",
        "digest_server": "working on it, server, ms of processor",
        "digest_database": "working on it, database, ms of processor",
        "digest_alone": "working on it, ms from one event of a project to the next",
        "digest_written": "working on it, bytes that the database writes", "kept": "bytes that the database keeps",
    }
    costs = ["| an event costs | |", "|---|---|"]
    costs += [f"| {words} | {cost[name]:,.{0 if cost[name] > 100 else 2}f} |" for name, words in names.items()]
    return "\n".join(costs) + "\n\n" + "\n".join(lines) + "\n"


def main():
    cost = json.loads(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE / "costs.json").read_text())
    text = tables(cost)
    if len(sys.argv) < 3:
        print(text, end="")
        return
    page = pathlib.Path(sys.argv[2])
    parts = page.read_text().split("<!-- simulated -->\n")
    if len(parts) != 3:
        raise SystemExit(f"{page}: two marks <!-- simulated --> are needed")
    page.write_text(f"{parts[0]}<!-- simulated -->\n{text}<!-- simulated -->\n{parts[2]}")


main()
