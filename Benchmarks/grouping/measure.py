# SPDX-License-Identifier: Apache-2.0
"""Groups real crashes with known causes, by Vaka's keys and by two simple ones. See run.sh."""
import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import builds

# Runs of each bug in each build: other addresses, other numbers in messages.
RUNS = 2


@dataclass
class Crash:
    label: tuple
    build: str
    # The keys that find an issue, the group of each simple way, and the functions that decided.
    keys: tuple
    by_message: str
    by_function: str
    decided: tuple


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vaka", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--pairs", action="store_true")
    parser.add_argument("--events", action="store_true", help="take the events of the last call")
    parser.add_argument("--programs", action="append", default=[])
    return parser.parse_args()


def crash(options, path, bug, run, storage):
    """The record that one run left; None where it did not crash, for its compiler made the bug harmless."""
    environment = {**os.environ, "LD_PRELOAD": options.library, "VAKA_STORAGE": storage, "SWIFT_BACKTRACE": "enable=no"}
    subprocess.run([path, str(bug), str(run)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   timeout=60)
    crashes = os.path.join(storage, "crashes")
    names = [name for name in os.listdir(crashes) if name.endswith(".vakacrash")] if os.path.isdir(crashes) else []
    return os.path.join(crashes, names[0]) if names else None


def symbolicate(options, build, path, bug, run):
    """The path of the symbolicated event of one run; None where there was no crash."""
    event = os.path.join(os.path.dirname(path), f"event-{bug}-{run}.json")
    if options.events and os.path.exists(event):
        return event
    with tempfile.TemporaryDirectory(prefix="vaka-labelled-") as storage:
        record = crash(options, path, bug, run, storage)
        if record is None:
            return None
        symbols = ["--symbols", path + ".debug"] if build.separate else []
        subprocess.run([options.vaka, "symbolicate", *symbols, "--format", "json", "--output", event, record], check=True)
    return event


def groupings(options, events):
    """What `vaka group explain` says of each event."""
    output = subprocess.run([options.vaka, "group", "explain", "--format", "json", *events], check=True,
                            capture_output=True, text=True).stdout
    decoder, found, at = json.JSONDecoder(), [], 0
    while at < len(output.rstrip()):
        value, at = decoder.raw_decode(output, at)
        found.append(value)
        at += len(output[at:]) - len(output[at:].lstrip())
    return found


def first_frame(event):
    thread = next((thread for thread in event["threads"] if thread.get("crashed")), None)
    frame = thread["frames"][0] if thread and thread["frames"] else {}
    return frame.get("function") or frame.get("symbol") or frame.get("module") or "?"


def message(event):
    reason = event["reason"]
    return f"{reason.get('signal')} {reason.get('code')} {reason.get('message') or ''}"


def observe(options, build, path, symbolicated):
    """The crashes of one build: of each bug and run whose event there is."""
    for (bug, _, event_path), grouping in zip(symbolicated, groupings(options, [event for _, _, event in symbolicated])):
        with open(event_path, encoding="utf-8") as file:
            event = json.load(file)
        kept = tuple(frame["function"] for frame in grouping["explain"] if frame["kept"])
        yield Crash((build.program, bug), build.name, tuple(key["value"] for key in grouping["keys"]), message(event),
                    first_frame(event), kept)


def issues(crashes):
    """As the service: an event joins the issue of its first known key, and leaves its others there."""
    known, groups = {}, []
    for crash in crashes:
        issue = next((known[key] for key in crash.keys if key in known), len(groups))
        for key in crash.keys:
            known.setdefault(key, issue)
        groups.append(issue)
    return groups


def score(crashes, groups):
    """Over all pairs: of those grouped together, how many belong; of those that belong, how many are together."""
    both = sum(pairs(count) for count in Counter(zip((crash.label for crash in crashes), groups)).values())
    together = sum(pairs(count) for count in Counter(groups).values())
    belong = sum(pairs(count) for count in Counter(crash.label for crash in crashes).values())
    return both / together if together else 1, both / belong if belong else 1


def pairs(count):
    return count * (count - 1) // 2


def tell_pairs(crashes, groups):
    """Each bug that makes several issues, and each issue of several bugs."""
    by_label, by_group = defaultdict(lambda: defaultdict(list)), defaultdict(lambda: defaultdict(list))
    for crash, group in zip(crashes, groups):
        by_label[crash.label][group].append(crash)
        by_group[group][crash.label].append(crash)
    for label, parts in by_label.items():
        if len(parts) > 1:
            print(f"# split: {label[0]} bug {label[1]}")
            for part in parts.values():
                tell(part)
    for parts in by_group.values():
        if len(parts) > 1:
            print("# joined: " + ", ".join(f"{label[0]} bug {label[1]}" for label in parts))
            for part in parts.values():
                tell(part)


def tell(crashes):
    for decided, some in itertools.groupby(sorted(crashes, key=lambda crash: crash.decided), lambda crash: crash.decided):
        names = sorted({crash.build for crash in some})
        print(f"#   {' < '.join(decided) or '(no frame)'}   {' '.join(names)}")


def main():
    options = arguments()
    programs = builds.make_all(options.out, options.programs)
    crashes = []
    for number, (build, path) in enumerate(programs, 1):
        work = [(bug, run) for run in range(1, RUNS + 1) for bug in range(builds.BUGS[build.program])]
        with ThreadPoolExecutor(max_workers=2) as pool:
            events = list(pool.map(lambda one: symbolicate(options, build, path, *one), work))
        crashes += observe(options, build, path, [(*one, event) for one, event in zip(work, events) if event])
        if sys.stderr.isatty():
            print(f"\r{number}/{len(programs)} builds", end="\n" if number == len(programs) else "", file=sys.stderr)
    ways = {
        "vaka": issues(crashes),
        "type_and_message": [crash.by_message for crash in crashes],
        "top_function": [crash.by_function for crash in crashes],
    }
    print(f"grouping_crashes {len(crashes)} crashes")
    print(f"grouping_bugs {len({crash.label for crash in crashes})} bugs")
    print(f"grouping_builds {len(programs)} builds")
    for name, groups in ways.items():
        precision, recall = score(crashes, groups)
        print(f"grouping_precision_{name} {precision:.4f} ratio")
        print(f"grouping_recall_{name} {recall:.4f} ratio")
    if options.pairs:
        tell_pairs(crashes, ways["vaka"])


main()
