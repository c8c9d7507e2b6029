#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Links in the documentation lead somewhere; generated pages are as they would be generated now."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
CODE = re.compile(r"```.*?```", re.S)


def pages():
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines()]


def main():
    problems = []
    for page in pages():
        for target in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
            if "://" not in target and not target.startswith("mailto:") and not (page.parent / target).exists():
                problems.append(f"{page.relative_to(ROOT)}: the link to {target} leads nowhere")
    # The table of crashes is generated.
    table = subprocess.run(["python3", "crashers/generate.py", "check"], cwd=ROOT, capture_output=True, text=True)
    problems += table.stderr.splitlines() if table.returncode else []
    print("\n".join(problems) if problems else f"documentation: {len(pages())} pages, every link leads somewhere")
    return 1 if problems else 0


sys.exit(main())
