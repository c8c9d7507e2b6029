#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""House rules on the sources: a licence line, a bounded length, nothing left to do."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["Sources", "CSupport", "Tests", "crashers", "Benchmarks", "Fuzz", "Examples"]
KINDS = {".swift", ".c", ".h", ".cpp", ".rs", ".py", ".sh"}
LONGEST = 500
LEFT_OPEN = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def files():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            parts = path.relative_to(ROOT).parts
            if path.suffix in KINDS and path.is_file() and not {".build", "build"} & set(parts):
                yield path


def main():
    problems = []
    for path in files():
        name = path.relative_to(ROOT)
        lines = path.read_text(encoding="utf-8").splitlines()
        if not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:3]):
            problems.append(f"{name}: no SPDX line at its top")
        if len(lines) > LONGEST:
            problems.append(f"{name}: {len(lines)} lines, more than {LONGEST}: split it by what its halves do")
        for number, line in enumerate(lines, 1):
            if LEFT_OPEN.search(line):
                problems.append(f"{name}:{number}: something is left to do: {line.strip()}")
    print("\n".join(problems) if problems else "sources: as they should be")
    return 1 if problems else 0


sys.exit(main())
