#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads crashers.def and writes what is made of it.

    generate.py make  > crashers.mk         build rules
    generate.py json  > crashers.json       what the tests read
    generate.py table > docs/crash-table.md the table in the documentation
"""
import json
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
SUFFIX = {"c": ".c", "cxx": ".cpp", "swift": ".swift", "rust": ".rs"}
LANGUAGE = {"c": "C", "cxx": "C++", "swift": "Swift", "rust": "Rust"}
RECIPE = {
    "c": "$(CC) $(C_FLAGS) {flags} -o $@ $< {libraries}",
    "cxx": "$(CXX) $(CXX_FLAGS) {flags} -o $@ $< {libraries}",
    "swift": "$(SWIFTC) $(SWIFT_FLAGS) {flags} -module-name {module} -o $@ $< {libraries}",
    "rust": "MAKEFLAGS= $(RUSTC) $(RUST_FLAGS) {flags} --crate-name {module} -o $@ $< {libraries}",
}
ONCE = {
    "kind", "language", "source", "flags", "libraries", "handlers", "arguments", "signal", "code", "exception",
    "fault", "access", "recognised", "message", "source-of-message", "records", "truth", "depth", "note",
}
MANY = {"physical", "async", "frame"}


def fail(number, text):
    sys.exit(f"crashers.def:{number}: {text}")


def read_definitions():
    crashers = []
    with open(os.path.join(FOLDER, "crashers.def"), encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            key, _, value = line.partition(" ")
            value = value.strip()
            if key == "crasher":
                crashers.append({"name": value, "line": number, "frame": [], "physical": [], "async": []})
            elif not crashers:
                fail(number, "the file must begin with `crasher NAME`")
            elif key in MANY:
                crashers[-1][key].append((number, value))
            elif key not in ONCE:
                fail(number, f"unknown key `{key}`")
            elif key in crashers[-1]:
                fail(number, f"`{key}` is given twice")
            else:
                crashers[-1][key] = value
    return [complete(crasher) for crasher in crashers]


def complete(crasher):
    """Checks the required keys, fills in the defaults and finds the frames' lines."""
    for key in ("kind", "language", "signal"):
        if key not in crasher:
            fail(crasher["line"], f"{crasher['name']} has no `{key}`")
    language = crasher["language"]
    if language not in SUFFIX:
        fail(crasher["line"], f"unknown language `{language}`")
    crasher["source"] = f"{language}/" + crasher.get("source", crasher["name"] + SUFFIX[language])
    crasher["frames"] = [application_frame(crasher, *entry) for entry in crasher["frame"]]
    for key in ("physical", "async"):
        crasher[key] = [value for _, value in crasher[key]]
    if (crasher.get("truth", "gdb") == "declared") != bool(crasher["physical"]):
        fail(crasher["line"], f"{crasher['name']}: `physical` lines go with `truth declared`, and only with it")
    return crasher


def application_frame(crasher, number, value):
    parts = [part.strip() for part in value.split("|", 2)]
    if len(parts) < 2:
        fail(number, "a frame is FUNCTION | FILE | TEXT")
    frame = {"function": parts[0], "file": parts[1], "line": None}
    if len(parts) == 3:
        path = os.path.join(FOLDER, crasher["source"])
        with open(path, encoding="utf-8") as source:
            found = [at for at, text in enumerate(source, 1) if parts[2] in text]
        if len(found) != 1:
            fail(number, f"{len(found)} lines of {crasher['source']} hold `{parts[2]}`; one should")
        frame["line"] = found[0]
    return frame


def write_make(crashers):
    print("# Generated from crashers.def by generate.py.\n")
    print("CRASHERS := " + " ".join(crasher["name"] for crasher in crashers) + "\n")
    for crasher in crashers:
        linked = crasher.get("handlers") == "linked"
        recipe = RECIPE[crasher["language"]].format(
            flags=crasher.get("flags", "") + (" $(VAKA_CFLAGS)" if linked else ""),
            libraries=("$(VAKA_LIBRARY) " if linked else "") + crasher.get("libraries", ""),
            module=crasher["name"].replace("-", "_"))
        needs = " $(VAKA_LIBRARY)" if linked else ""
        print(f"$(OUT)/{crasher['name']}: {crasher['source']}{needs} | $(OUT)\n\t{' '.join(recipe.split())}\n")


def write_json(crashers):
    entries = [{
        "name": crasher["name"],
        "kind": crasher["kind"],
        "language": crasher["language"],
        "source": crasher["source"],
        "linked": crasher.get("handlers") == "linked",
        "arguments": crasher.get("arguments", "").split(),
        "signal": crasher["signal"],
        "code": crasher.get("code"),
        "exception": crasher.get("exception"),
        "fault": crasher.get("fault"),
        "access": crasher.get("access"),
        "recognised": crasher.get("recognised"),
        "message": crasher.get("message"),
        "message_source": crasher.get("source-of-message"),
        "records": int(crasher.get("records", "1")),
        "depth": int(crasher["depth"]) if "depth" in crasher else None,
        "physical": crasher["physical"] or None,
        "async": crasher["async"],
        "frames": crasher["frames"],
    } for crasher in crashers]
    json.dump(entries, sys.stdout, indent=1)
    print()


def write_table(crashers):
    print("# Crashes\n")
    print("Generated from `crashers/crashers.def` by `make -C crashers table`; each row is a program that the tests")
    print("crash. *Truth* says what its physical frames are compared with: gdb's, or the declared ones.\n")
    print("| program | language | what goes wrong | signal | reason | message | records | truth |")
    print("|---|---|---|---|---|---|---|---|")
    for crasher in crashers:
        signal = crasher["signal"] + (" / " + crasher["code"] if "code" in crasher else "")
        message = crasher.get("message", "")
        if message:
            message = f"\u201c{message}\u201d ({crasher['source-of-message']})"
        kind = crasher["kind"] + (f" ({crasher['note']})" if "note" in crasher else "")
        cells = [f"`{crasher['name']}`", LANGUAGE[crasher["language"]], kind, signal, crasher.get("exception", ""),
                 message, crasher.get("records", "1"), crasher.get("truth", "gdb")]
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    writers = {"make": write_make, "json": write_json, "table": write_table}
    if len(sys.argv) != 2 or sys.argv[1] not in writers:
        sys.exit(__doc__)
    writers[sys.argv[1]](read_definitions())
