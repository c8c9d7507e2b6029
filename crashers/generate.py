#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads crashers.def and matrix.def and writes what is made of them.

    generate.py make  > crashers.mk         build rules
    generate.py json  > crashers.json       what the tests read
    generate.py table > docs/crash-table.md the table in the documentation
    generate.py check                       fails unless every row of the matrix has a program or a test that is there,
                                            and the table in the documentation is the one that would be made
"""
import json
import os
import sys

import table
from definitions import FOLDER, read_cases, read_crashers

COMPILE = {
    "c": "$(CC) $(C_FLAGS) $(C_{BUILD})",
    "cxx": "$(CXX) $(CXX_FLAGS) $(C_{BUILD})",
    "swift": "$(SWIFTC) $(SWIFT_FLAGS) $(SWIFT_{BUILD}) -module-name {module}",
    "clang": "$(CLANG) $(C_FLAGS) $(C_{BUILD})",
    "clang++": "$(CLANGXX) $(CXX_FLAGS) $(C_{BUILD})",
    "rust": "MAKEFLAGS= $(RUSTC) $(RUST_FLAGS) $(RUST_{BUILD}) --crate-name {module}",
}
STATIC = {"cxx": "-static-libstdc++ -static-libgcc", "swift": "-static-stdlib"}
# The same program, its main on a thread of its own.
HARNESS = "$(OUT)/on-worker.o"


def compiler_of(crasher):
    """The command line of a program's compiler, with the flags of its language."""
    language = crasher.get("language")
    if crasher.get("compiler") == "clang":
        language = {"c": "clang", "cxx": "clang++"}[language]
    command = COMPILE[language].replace("{BUILD}", crasher.configuration["builds"].upper())
    return command.format(module=crasher.program.replace("-", "_"))


def trained(link, arguments):
    """A build whose code is laid out by the profile of a run."""
    profile = "$@.profile"
    return [
        f"@rm -rf {profile}",
        link.replace(" -o $@ ", f" -fprofile-generate={profile} -o $@ "),
        f"$@ {arguments} > /dev/null",
        f"$(PROFDATA) merge -o {profile}/merged {profile}",
        link.replace(" -o $@ ", f" -fprofile-use={profile}/merged -o $@ "),
        f"@rm -rf {profile}",
    ]


def packaged(tool, flags, sources, libraries):
    """A build whose debug information is left in a package only."""
    objects = [f"$@.{number}" for number in range(len(sources))]
    return [
        *(" ".join(flags + ["-gsplit-dwarf", f"-c -o {one}.o {source}"]) for one, source in zip(objects, sources)),
        " ".join(flags + ["-o $@"] + [one + ".o" for one in objects] + libraries),
        f"{tool} -e $@ -o $@.dwp",
        "@rm -f " + " ".join(f"{one}.o {one}.dwo" for one in objects),
    ]


def recipe(crasher):
    """The command lines that build a program, and what it needs beside its source."""
    language, linked = crasher.get("language"), crasher.get("handlers") == "linked"
    static = crasher.configuration["standard-library"] == "static"
    if static and language not in STATIC:
        crasher.fail(f"no static standard library of {language}")
    flags = [compiler_of(crasher), crasher.get("flags", ""), STATIC[language] if static else "",
             "$(VAKA_CFLAGS)" if linked else ""]
    needs = crasher.with_sources + (["$(VAKA_LIBRARY)"] if linked else [])
    if language == "swift":
        needs = ["$(OUT)/" + os.path.splitext(os.path.basename(source))[0] + ".o" for source in needs]
    linked_beside = [crasher.get("libraries", "")]
    if crasher.get("compiler") == "clang":
        linked_beside += ["-Wl,--build-id=sha1"]
    libraries = needs + linked_beside
    needs = needs + ["$(OUT)/" + os.path.basename(source).replace(".c", ".so") for source in crasher.plugins]
    link = " ".join(flags + ["-o $@ $<"] + libraries)
    if crasher.get("trained"):
        return trained(link, crasher.get("trained")), needs
    if crasher.get("split-debug"):
        sources = ["$<"] + crasher.with_sources
        return packaged(crasher.get("split-debug"), flags, sources, linked_beside), needs
    if crasher.configuration["threads"] == "main":
        return [link], needs
    if language == "rust":
        crasher.fail("Rust's main belongs to its runtime; let the program make a thread")
    return [
        " ".join(flags + ["-c -o $@.o $<"]),
        "$(OBJCOPY) --redefine-sym main=program_main $@.o",
        " ".join(flags + [f"-o $@ $@.o {HARNESS}"] + libraries + ["-lpthread"]),
        "@rm -f $@.o",
    ], needs + [HARNESS]


def write_make(crashers):
    print("# Generated from crashers.def by generate.py.\n")
    rules = {}
    for crasher in crashers:
        lines, needs = recipe(crasher)
        rule = f"$(OUT)/{crasher.program}: {' '.join([crasher.source] + needs)} | $(OUT)\n"
        rule += "".join(f"\t{' '.join(line.split())}\n" for line in lines)
        if rules.setdefault(crasher.program, rule) != rule:
            crasher.fail(f"the program {crasher.program} is built in another way elsewhere")
    print("CRASHERS := " + " ".join(rules) + "\n")
    print("\n".join(rules.values()))


def levels(crasher):
    return [level(crasher, *entry) for entry in crasher.many.get("level", [])]


def level(crasher, place, value):
    """A frame, with what stands in brackets behind its function."""
    name, bar, rest = value.partition(" | ")
    name, _, marks = name.strip().removesuffix("]").partition(" [")
    frame = application_frame(crasher, place, name + bar + rest)
    marks = [mark.strip() for mark in marks.split(";") if mark]
    return frame | {"inlined": "inlined" in marks, "notes": [mark for mark in marks if mark != "inlined"]}


def application_frame(crasher, place, value):
    parts = [part.strip() for part in value.split("|", 2)]
    if len(parts) < 2:
        sys.exit(f"{place}: a frame is FUNCTION | FILE | TEXT")
    frame = {"function": parts[0], "file": parts[1], "line": None}
    if len(parts) == 3:
        sources = [crasher.source] + crasher.with_sources + crasher.plugins
        source = next((one for one in sources if one.endswith("/" + parts[1])), None)
        if source is None:
            sys.exit(f"{place}: {parts[1]} is no source of {crasher.program}")
        with open(os.path.join(FOLDER, source), encoding="utf-8") as lines:
            found = [at for at, text in enumerate(lines, 1) if parts[2] in text]
        if len(found) != 1:
            sys.exit(f"{place}: {len(found)} lines of {source} hold `{parts[2]}`; one should")
        frame["line"] = found[0]
    return frame


def beside(crasher, place, value):
    name, _, frame = value.partition("|")
    return {"name": name.strip(), "frame": application_frame(crasher, place, frame)}


def write_json(crashers):
    entries = [{
        "name": crasher.name,
        "rows": crasher.rows,
        "program": crasher.program,
        "kind": crasher.get("kind"),
        "language": crasher.get("language"),
        "configuration": list(crasher.configuration.values()),
        "linked": crasher.get("handlers") == "linked",
        "arguments": crasher.get("arguments", "").split(),
        "environment": dict(line.split("=", 1) for line in crasher.lines("environment")),
        "wrapper": crasher.get("wrapper", "").split(),
        "signal": crasher.get("signal"),
        "exit_status": int(crasher.get("exit-status")) if crasher.get("exit-status") else None,
        "code": crasher.get("code"),
        "exception": crasher.get("exception"),
        "fault": crasher.get("fault"),
        "access": crasher.get("access"),
        "sender": crasher.get("sender"),
        "recognised": crasher.get("recognised"),
        "message": crasher.get("message"),
        "message_source": crasher.get("source-of-message"),
        "records": int(crasher.get("records", "1")),
        "depth": int(crasher.get("depth")) if crasher.get("depth") else None,
        "physical": crasher.lines("physical") or None,
        "async": crasher.lines("async"),
        "loss": crasher.lines("loss"),
        "beside": [beside(crasher, *entry) for entry in crasher.many.get("beside", [])],
        "frames": [application_frame(crasher, *entry) for entry in crasher.many.get("frame", [])] + levels(crasher),
        "levels": levels(crasher),
    } for crasher in crashers]
    json.dump(entries, sys.stdout, indent=1)
    print()


def main():
    command = sys.argv[1] if len(sys.argv) == 2 else None
    if command == "make":
        write_make(read_crashers())
    elif command == "json":
        write_json(read_crashers())
    elif command == "table":
        sys.stdout.write(table.made(read_cases()))
    elif command == "check":
        sys.exit(table.check(read_cases()))
    else:
        sys.exit(__doc__)


main()
