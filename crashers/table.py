# SPDX-License-Identifier: Apache-2.0
"""The table of crashes in the documentation, and the check that it is whole."""
import os
import re

from definitions import CHOICES, FOLDER, read_matrix

ROOT = os.path.dirname(FOLDER)
PAGE = "docs/crash-table.md"
HEAD = """# Crashes

Generated from `crashers/matrix.def` and `crashers/crashers.def` by `make -C crashers table`. Each line is a program
that the tests crash, in each of the configurations named, or a test that makes its crashes itself.

*Ends* is how the program ends, which is how it would end without Vaka; *records* how many crash records it leaves.
*Truth* says what the crashed thread's physical frames are compared with: those that gdb finds, or declared ones where
gdb is no truth. Functions, files and lines of the program's own frames are declared for every program.
"""
COLUMNS = ("row", "what goes wrong", "program or test", "configurations", "ends", "reason", "records", "truth")


def reason(case):
    parts = [part for part in (case.get("code"), case.get("exception")) if part]
    if case.get("message"):
        parts.append(f"“{case.get('message')}” ({case.get('source-of-message')})")
    return ", ".join(parts)


def configurations(case):
    """`release, debug × main, worker`: only what more than one value is declared of, or not the default one."""
    kinds = [case.choices(key) for key in CHOICES]
    return " × ".join(", ".join(kind) for kind, key in zip(kinds, CHOICES) if key == "builds" or
                      kind != [CHOICES[key][0]])


def line(case):
    kind = case.get("kind") + (f" ({case.get('note')})" if case.get("note") else "")
    numbers = ", ".join(str(number) for number in sorted(case.rows))
    if case.get("cannot-run"):
        return [numbers, kind, f"*cannot run in the tests: {case.get('cannot-run')}*"] + [""] * 5
    ends = f"exit {case.get('exit-status')}" if case.get("exit-status") else case.get("signal", "")
    if not case.is_crasher:
        tests = ", ".join(f"`{test.split('/', 1)[1].replace('/', '.')}`" for test in case.lines("tested-by"))
        return [numbers, kind, tests, "", ends, reason(case), case.get("records", ""), "test"]
    return [numbers, kind, f"`{case.name}`", configurations(case), ends, reason(case), case.get("records", "1"),
            case.get("truth", "gdb") if case.get("records", "1") != "0" else ""]


def rendered(cases):
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in line(case)) + " |" for case in cases]
    return "\n".join(lines) + "\n"


def made(cases):
    rows, _, soak = read_matrix()
    crashers = [made for case in cases if case.is_crasher for made in case.configurations()]
    tests = {test for case in cases for test in case.lines("tested-by")}
    covered = {number for case in cases if not case.get("cannot-run") for number in case.rows}
    absent = sorted(set(rows) - covered)
    page = HEAD + f"\n{len(rows)} rows, {len(covered)} of them run; " \
        f"{len({crasher.program for crasher in crashers})} programs, {len(crashers)} crashes of theirs " \
        f"(a program has one for each way and configuration), and {len(tests)} tests beside them.\n"
    if soak:
        page += f"\n`make soak` crashed {soak[0]:,} times in a row, in {soak[1]} kinds, two programs at once, with both " \
            f"processors busy: {soak[2]:,} records, each whole, none twice, and each program ended as it would alone.\n"
    if absent:
        page += "\nNot run:\n\n" + "".join(f"* **{number}** {rows[number].title}\n" for number in absent)
    for group in dict.fromkeys(row.group for row in rows.values()):
        inside = {row.number for row in rows.values() if row.group == group}
        chosen = [case for case in cases if inside & set(case.rows)]
        page += f"\n## {group}\n\n"
        page += "\n".join(f"* **{number}** {rows[number].title}" for number in sorted(inside)) + "\n\n"
        page += rendered(sorted(chosen, key=lambda case: min(inside & set(case.rows))))
    beyond = [case for case in cases if not case.rows]
    return page + "\n## Beyond the matrix\n\n" + rendered(beyond) if beyond else page


def tests_of(suite):
    """The names of a suite's functions; None when there is no such suite."""
    module, name = suite
    folder, found, is_there = os.path.join(ROOT, "Tests", module), set(), False
    for file in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if not file.endswith(".swift"):
            continue
        with open(os.path.join(folder, file), encoding="utf-8") as source:
            text = source.read()
        if re.search(rf"\b(struct|class|actor|enum|extension) {name}\b", text):
            is_there = True
            found |= set(re.findall(r"\bfunc (\w+)", text))
    return found if is_there else None


def problems(cases):
    rows, still_open, soak = read_matrix()
    covered = {number for case in cases for number in case.rows}
    if sorted(rows) != list(range(1, 109)):
        yield "matrix.def: the rows are not 1 to 108"
    if soak and soak[0] != soak[2]:
        yield "matrix.def: the soak lost or doubled records"
    for number in sorted(set(rows) - covered - still_open):
        yield f"row {number}, {rows[number].title}: no program and no test"
    for number in sorted(still_open & covered):
        yield f"matrix.def: row {number} is no longer open"
    for case in cases:
        for number in sorted(set(case.rows) - set(rows)):
            yield f"{case.place}: {case.name}: there is no row {number}"
        for test in case.lines("tested-by"):
            module, suite, function = (test.split("/") + ["", ""])[:3]
            if function not in (tests_of((module, suite)) or ()):
                yield f"{case.place}: {case.name}: there is no test {test}"
    with open(os.path.join(ROOT, PAGE), encoding="utf-8") as page:
        if page.read() != made(cases):
            yield f"{PAGE} is not what would be made now: `make -C crashers table`"


def check(cases):
    """The exit status; what is wrong goes to standard error."""
    found = list(problems(cases))
    return "\n".join(found) if found else 0
