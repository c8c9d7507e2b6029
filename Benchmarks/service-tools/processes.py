# SPDX-License-Identifier: Apache-2.0
"""What trees of processes use, from /proc."""
import contextlib
import os
import pathlib
import re


def tree(root):
    """The process and all below it."""
    try:
        threads = pathlib.Path(f"/proc/{root}/task").iterdir()
        children = {child for thread in threads for child in (thread / "children").read_text().split()}
    except OSError:
        return []
    return [root] + [pid for child in sorted(children) for pid in tree(int(child))]


def memory(roots):
    """The proportional memory of all of them, in MB."""
    found = (
        re.search(r"^Pss:\s+(\d+)", pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)
        for root in roots for pid in tree(root)
    )
    return sum(int(match.group(1)) for match in found if match) / 1e3


def processor(roots):
    """The processor seconds that they have used, those that ended since aside."""
    ticks = 0
    for pid in [pid for root in roots for pid in tree(root)]:
        with contextlib.suppress(OSError):
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
