# SPDX-License-Identifier: Apache-2.0
"""Reads matrix.def and crashers.def; crashers.def tells what may stand in them."""
import copy
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
SUFFIX = {"c": ".c", "cxx": ".cpp", "swift": ".swift", "rust": ".rs"}
# What a configuration is made of: for each key of crashers.def its values, the default one first.
CHOICES = {
    "builds": ("release", "debug"),
    "threads": ("main", "worker"),
    "standard-library": ("dynamic", "static"),
}
# Keys of a program that one of a few values goes with.
OPTIONS = {"compiler": ("gcc", "clang"), "split-debug": ("dwp",)}
CASE = {"kind", "signal", "code", "exception", "message", "source-of-message", "records", "exit-status", "note",
        "cannot-run"}
CRASHER = CASE - {"cannot-run"} | {
    "language", "source", "with", "plugins", "flags", "libraries", "program", "handlers", "arguments", "wrapper", "fault", "access",
    "recognised", "sender", "truth", "depth", "compiler", "trained", "split-debug",
} | set(CHOICES)
MANY_OF_CASE = {"tested-by"}
MANY_OF_CRASHER = {"physical", "async", "frame", "level", "beside", "loss", "environment"}


class Row:
    """A row of the matrix."""

    def __init__(self, number, title, group):
        self.number, self.title, self.group = number, title, group


class Case:
    """A `crasher` or a `case` of the definitions, with its values by key."""

    def __init__(self, name, is_crasher, place):
        self.name, self.is_crasher, self.place = name, is_crasher, place
        self.rows, self.once, self.many, self.only = [], {}, {}, {}

    def fail(self, text):
        sys.exit(f"{self.place}: {self.name}: {text}")

    def get(self, key, default=None):
        return self.once.get(key, default)

    def lines(self, key):
        return [value for _, value in self.many.get(key, [])]

    def choices(self, key):
        chosen = self.get(key, CHOICES[key][0]).split()
        for value in chosen:
            if value not in CHOICES[key]:
                self.fail(f"`{key}` is one or more of {', '.join(CHOICES[key])}")
        return chosen

    def configurations(self):
        """One case for each combination of build, thread and standard library, with what is said of only these."""
        for build in self.choices("builds"):
            for thread in self.choices("threads"):
                for library in self.choices("standard-library"):
                    yield self.configured({"builds": build, "threads": thread, "standard-library": library})

    def configured(self, values):
        made = copy.deepcopy(self)
        made.configuration = values
        for value in values.values():
            made.once.update(self.only.get(value, ({}, {}))[0])
            made.many.update(self.only.get(value, ({}, {}))[1])
        made.once = {key: value for key, value in made.once.items() if value != "none"}
        ending = "".join("-" + value for key, value in values.items() if value != CHOICES[key][0])
        base = self.get("program", self.name)
        made.name, made.program = self.name + ending, base + ending
        language = self.get("language")
        made.source = f"{language}/" + self.get("source", base + SUFFIX[language])
        folder = "c" if language == "swift" else language
        made.with_sources = [f"{folder}/{name}" for name in self.get("with", "").split()]
        made.plugins = [f"{folder}/{name}" for name in self.get("plugins", "").split()]
        return made


def lines_of(name):
    """Place, key and value of each line of a file, and of those that it includes."""
    with open(os.path.join(FOLDER, name), encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            key, _, value = line.partition(" ")
            if key == "include":
                yield from lines_of(value.strip())
            else:
                yield f"{name}:{number}", key, value.strip()


def read_matrix():
    """The rows by number, the numbers of the open ones, and the figures of the soak."""
    rows, still_open, group, soak = {}, set(), None, None
    for place, key, value in lines_of("matrix.def"):
        if key == "group":
            group = value
        elif key == "row":
            number, _, title = value.partition(" ")
            rows[int(number)] = Row(int(number), title.strip(), group)
        elif key == "soak":
            soak = [int(number) for number in value.split()]
        elif key == "open":
            still_open |= {int(number) for number in value.split()}
        else:
            sys.exit(f"{place}: unknown key `{key}`")
    return rows, still_open, soak


def read_cases():
    cases = []
    for place, key, value in lines_of("crashers.def"):
        if key in ("crasher", "case"):
            cases.append(Case(value, key == "crasher", place))
        elif not cases:
            sys.exit(f"{place}: a file begins with `crasher NAME` or `case NAME`")
        else:
            add(cases[-1], place, key, value)
    names = [case.name for case in cases]
    for case in cases:
        if names.count(case.name) > 1:
            case.fail("the name is given twice")
        check(case)
    return cases


def add(case, place, key, value):
    only, _, rest = key.rpartition(".")
    once, many = (case.once, case.many) if not only else case.only.setdefault(only, ({}, {}))
    if only and only not in sum(CHOICES.values(), ()):
        sys.exit(f"{place}: `{only}` is no part of a configuration")
    if key == "row":
        case.rows += [int(number) for number in value.split()]
    elif rest in (MANY_OF_CRASHER if case.is_crasher else MANY_OF_CASE):
        many.setdefault(rest, []).append((place, value))
    elif rest not in (CRASHER if case.is_crasher else CASE):
        sys.exit(f"{place}: unknown key `{key}`")
    elif rest in once:
        sys.exit(f"{place}: `{key}` is given twice")
    else:
        once[rest] = value


def check(case):
    if not case.get("kind"):
        case.fail("no `kind`")
    if case.is_crasher:
        if case.get("language") not in SUFFIX:
            case.fail(f"`language` is one of {', '.join(SUFFIX)}")
        if not case.get("signal") and not case.get("exit-status"):
            case.fail("no `signal` and no `exit-status`")
        if bool(case.many.get("level")) and bool(case.many.get("frame")):
            case.fail("either `level` or `frame` lines")
        for key, values in OPTIONS.items():
            if case.get(key) and case.get(key) not in values:
                case.fail(f"`{key}` is one of {', '.join(values)}")
        if (case.get("truth", "gdb") == "declared") != bool(case.many.get("physical")):
            case.fail("`physical` lines go with `truth declared`, and only with it")
    elif bool(case.many.get("tested-by")) == bool(case.get("cannot-run")):
        case.fail("either `tested-by` or `cannot-run`")


def read_crashers():
    """Every configuration of every program."""
    return [made for case in read_cases() if case.is_crasher for made in case.configurations()]
