#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every public symbol of the SDK is documented, and its documentation builds without warnings. Builds the module first."""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODULES = ["Vaka", "VakaNetwork"]


def run(*command):
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}\n{result.stdout}{result.stderr}")
    return result.stdout


def extract(module, folder):
    run("swift", "build", "--target", module)
    products = pathlib.Path(run("swift", "build", "--show-bin-path").strip())
    target = json.loads(run("swift", "-print-target-info"))["target"]["unversionedTriple"]
    maps = [f"-I{path.parent}" for path in sorted(ROOT.glob("CSupport/*/**/module.modulemap"))]
    maps += [f"-I{path}" for path in sorted(products.glob("*.build")) if (path / "module.modulemap").exists()]
    includes = [f"-I{path}" for path in sorted(ROOT.glob("CSupport/*/include"))]
    run(
        "swift", "symbolgraph-extract", "-module-name", module, "-target", target, "-I", str(products / "Modules"),
        *maps, *includes, "-minimum-access-level", "public", "-skip-synthesized-members", "-skip-inherited-docs",
        "-output-dir", str(folder),
    )


def undocumented(folder):
    for path in sorted(folder.glob("*.symbols.json")):
        graph = json.loads(path.read_text(encoding="utf-8"))
        # What a protocol asks for is documented there.
        asked = {
            edge["source"] for edge in graph["relationships"]
            if edge.get("sourceOrigin") or edge["kind"] in ("requirementOf", "defaultImplementationOf")
        }
        for symbol in graph["symbols"]:
            precise = symbol["identifier"]["precise"]
            kind = symbol["kind"]["identifier"]
            if kind == "swift.extension" or "::SYNTHESIZED::" in precise:
                continue
            if not symbol.get("docComment") and (precise not in asked or kind.startswith("swift.protocol")):
                line = symbol.get("location", {}).get("position", {}).get("line", -1) + 1
                file = symbol.get("location", {}).get("uri", "?").rsplit("/", 1)[-1]
                yield f"{file}:{line}: {'.'.join(symbol['pathComponents'])} ({kind}) has no documentation"


def check(module):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        extract(module, folder)
        problems = list(undocumented(folder))
        if not problems:
            run(
                "docc", "convert", "--additional-symbol-graph-dir", str(folder), "--fallback-display-name", module,
                "--fallback-bundle-identifier", module, "--warnings-as-errors", "--output-path", str(folder / "archive"),
            )
        return problems


def main():
    problems = [problem for module in MODULES for problem in check(module)]
    if problems:
        print("\n".join(problems))
        return 1
    print("public API: every symbol is documented, and the documentation builds without warnings")
    return 0


sys.exit(main())
