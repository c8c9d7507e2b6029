#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fills a store and measures the service's answers over it: measure.py PROGRAMS FOLDER EVENTS ISSUES

Prints "name value unit" lines: the median and the 95th percentile of each kind of request, one after the other from one
client over one connection. Every request of a kind asks for something else, so that no answer is remembered.
"""
import pathlib
import random
import subprocess
import sys
import time

import large_event
from server import Server

ROUNDS = 200
WORDS = {
    "frequent": ["get", "parse", "request", "production", "host", "web", "http", "buffer", "cannot", "entries"],
    "rare": [f"/{noun}s/{number}" for noun in ("invoice", "token", "page") for number in range(10, 99_999, 1777)],
}


def line(name, value, unit):
    print(f"{name} {value:.3f} {unit}", flush=True)


def figures(name, times):
    times = sorted(time * 1000 for time in times)
    line(f"{name}_p50", times[len(times) // 2], "ms")
    line(f"{name}_p95", times[len(times) * 95 // 100], "ms")


def measure(server, name, paths):
    times = []
    for path in paths:
        start = time.monotonic()
        server.get(path)
        times.append(time.monotonic() - start)
    figures(name, times)


def chosen(make, rounds=ROUNDS):
    return [make(index) for index in range(rounds)]


def cursors(server, query, pages):
    """The cursors of a list's pages after the first."""
    found, cursor = [], None
    for _ in range(pages):
        cursor = server.get(f"{query}&cursor={cursor}" if cursor else query)["next_cursor"]
        if cursor is None:
            break
        found.append(cursor)
    return found


def lists(server):
    filters = ["release=app%401.7", "environment=staging", "type=error", "status=open&release=app%401.39", "level=fatal"]
    sorts = ["last_seen", "first_seen", "events", "users"]
    measure(server, "issue_list_first_page", chosen(lambda index: f"issues?sort={sorts[index % 4]}"))
    measure(server, "issue_list_filtered", chosen(lambda index: f"issues?{filters[index % 5]}&sort={sorts[index % 4]}"))
    later = cursors(server, "issues?limit=50", 80)
    measure(server, "issue_list_later_page", chosen(lambda index: f"issues?cursor={later[index % len(later)]}"))
    measure(server, "issue_list_html", chosen(lambda index: f"/?sort={sorts[index % 4]}"))


def issues(server, count):
    # As people look at them: the hot ones most of all, and any of the others.
    numbers = [1 + index if index < 40 else random.randint(1, count) for index in range(ROUNDS)]
    measure(server, "issue_api", [f"issues/{number}" for number in numbers])
    measure(server, "issue_html", [f"/issues/{number}" for number in numbers])
    measure(server, "issue_events_first_page", [f"issues/{number}/events" for number in numbers])
    later = cursors(server, "issues/1/events?limit=200", 100)
    measure(server, "issue_events_later_page", chosen(lambda index: f"issues/1/events?cursor={later[index % len(later)]}"))
    measure(server, "issue_counts", [f"issues/{number}/counts" for number in numbers])
    events = [server.get(f"issues/{number}")["latest_event_id"] for number in numbers]
    measure(server, "event_api", [f"events/{event}" for event in events])
    measure(server, "event_html", [f"/events/{event}" for event in events])


def large(server):
    """The page of a crash with 10,000 frames, as browsers ask for it."""
    large_event.send(server)
    server.cookie["Accept-Encoding"] = "gzip"
    paths = [f"/events/{large_event.EVENT}", f"/events/{large_event.EVENT}?thread=1199"] * 25
    measure(server, "large_event_html", paths)
    line("large_event_html_size", len(server.get(paths[0])) / 1e3, "kB")
    del server.cookie["Accept-Encoding"]


def searches(server):
    for kind, words in WORDS.items():
        measure(server, f"search_{kind}", chosen(lambda index: f"issues?query={words[index % len(words)]}"))
    fields = ["title:parse", "function:net", "file:http", "message:cannot", "tag:web-17", "breadcrumb:invoices"]
    measure(server, "search_field", chosen(lambda index: f"issues?query={fields[index % 6]}"))
    measure(server, "search_two_words", chosen(lambda index: f"issues?query=get%20{fields[index % 6]}"))
    measure(server, "search_html", chosen(lambda index: f"/?query={WORDS['frequent'][index % 10]}&sort=events"))


def main():
    programs, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    events, count = int(sys.argv[3]), int(sys.argv[4])
    random.seed(5)
    with Server(programs, folder, "--no-system"):
        pass
    start = time.monotonic()
    subprocess.run([programs / "store-fill", folder / "vaka.db", str(events), str(count)], check=True)
    line("store_events", events, "events")
    line("store_fill", time.monotonic() - start, "s")
    line("store_size", sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6, "MB")
    start = time.monotonic()
    with Server(programs, folder, "--no-system") as server:
        line("server_start", time.monotonic() - start, "s")
        lists(server)
        issues(server, count)
        searches(server)
        large(server)
        line("server_memory", server.memory(), "MB")


main()
