#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Agreement over every way of writing debug information: variants.py VAKA FOLDER [NAME…]

Builds small programs in FOLDER and prints "agreement_variant_NAME value percent" lines. Most are compared with
llvm-symbolizer. Where that does not read a variant, the answers must be those for its plain form, which has the same code
and is a variant itself.
"""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from tools import alone_on_path, newest_symbolizer, text_section

ADDRESSES = int(os.environ.get("BENCH_VARIANT_ADDRESSES", "2000"))
SOURCES = pathlib.Path(__file__).parents[2] / "Tests/SymbolicationTests/SamplePrograms.swift"
SUFFIXES = {"cxx": ".cpp", "c": ".c", "swift": ".swift", "rust": ".rs"}

GCC = ["g++", "-O2"]
CLANG = ["clang++", "-O2", "-fuse-ld=lld"]
ARM = ["aarch64-linux-gnu-gcc", "-O2"]
SWIFT = ["swiftc", "-parse-as-library", "-g"]
RUST = ["rustc", "-O", "-g"]


class Variant:
    """A program of one of the sources; `change` makes FILE of the plain one, `like` names the variant it must answer like."""

    def __init__(self, name, language, command, like=None, change=None):
        self.name, self.language, self.command, self.like, self.change = name, language, command, like, change


def compiled(prefix, language, base, flags):
    return [Variant(f"{prefix}_{name}", language, base + list(options)) for name, options in flags.items()]


def changed(name, like, change):
    return Variant(name, None, None, like=like, change=change)


def tool(*command, folder=None):
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def compressed(kind):
    return lambda plain, file: tool("objcopy", f"--compress-debug-sections={kind}", plain, file)


def dwz(plain, file):
    shutil.copy(plain, file)
    tool("dwz", file)


def dwz_common(plain, file):
    shutil.copy(plain, file)
    shutil.copy(plain, f"{file}.other")
    tool("dwz", "-m", f"{file}.common", file, f"{file}.other")


def without_aranges(plain, file):
    tool("objcopy", "--remove-section=.debug_aranges", plain, file)


def package_only(plain, file):
    """The program beside its package, which is read before the `.dwo` files that it was made of."""
    shutil.copy(plain, file)
    tool("llvm-dwp", "-e", plain, "-o", f"{file}.dwp")


def debug_link_only(plain, file):
    """No build id: the companion is found by its name and checksum."""
    tool("objcopy", "--only-keep-debug", "--remove-section=.note.gnu.build-id", plain, f"{file}.debug")
    tool("objcopy", "--strip-all", "--remove-section=.note.gnu.build-id", f"--add-gnu-debuglink={file}.debug", plain, file)


def packed_symbols(plain, file):
    tool("objcopy", "--strip-debug", plain, f"{file}.symbols")
    tool("objcopy", "--only-keep-debug", f"{file}.symbols", f"{file}.packed")
    tool("xz", "-kf", f"{file}.packed")
    tool("objcopy", "--strip-all", f"--add-section=.gnu_debugdata={file}.packed.xz", plain, file)


VARIANTS = [
    *compiled("gcc", "cxx", GCC, {
        "dwarf_3": ["-gdwarf-3", "-gstrict-dwarf"], "dwarf_4": ["-gdwarf-4"], "dwarf_5": ["-gdwarf-5"],
        "64_bit": ["-gdwarf-5", "-gdwarf64"], "zlib": ["-g", "-gz=zlib"], "split_4": ["-gsplit-dwarf", "-gdwarf-4"],
        "split_5": ["-gsplit-dwarf", "-gdwarf-5"], "type_units": ["-g", "-fdebug-types-section"], "g1": ["-g1"],
        "lto": ["-g", "-flto"], "no_pie": ["-g", "-no-pie"],
        "collected": ["-g", "-ffunction-sections", "-Wl,--gc-sections"],
        "hot_cold": ["-g", "-freorder-blocks-and-partition"],
        "dynsym": ["-shared", "-fPIC", "-s"], "symbols": ["-rdynamic"],
    }),
    *compiled("clang", "cxx", CLANG, {
        "dwarf_3": ["-gdwarf-3"], "dwarf_4": ["-gdwarf-4"], "dwarf_5": ["-gdwarf-5"], "64_bit": ["-gdwarf-5", "-gdwarf64"],
        "zlib": ["-g", "-gz=zlib"], "split_4": ["-gsplit-dwarf", "-gdwarf-4"], "split_5": ["-gsplit-dwarf", "-gdwarf-5"],
        "type_units": ["-g", "-fdebug-types-section"], "g1": ["-g1"], "lto": ["-g", "-flto"],
        "image_base": ["-g", "-no-pie", "-Wl,--image-base=0x200000"], "folded": ["-g", "-ffunction-sections", "-Wl,--icf=all"],
        "debug_names": ["-gdwarf-5", "-gpubnames"], "aranges": ["-g", "-gdwarf-aranges"],
        "hot_cold": ["-g", "-mllvm", "-hot-cold-split"], "dynsym": ["-shared", "-fPIC", "-s"],
    }),
    *compiled("aarch64_gcc", "c", ARM, {"dwarf_4": ["-gdwarf-4"], "dwarf_5": ["-gdwarf-5"], "static": ["-g", "-static"]}),
    *compiled("swift", "swift", SWIFT, {
        "o": ["-O"], "onone": ["-Onone"], "osize": ["-Osize"], "dwarf_4": ["-O", "-dwarf-version=4"],
        "dwarf_5": ["-O", "-dwarf-version=5"], "lto": ["-O", "-lto=llvm-full", "-use-ld=lld"],
        "zlib": ["-O", "-use-ld=lld", "-Xlinker", "--compress-debug-sections=zlib"],
    }),
    *compiled("rust", "rust", RUST, {
        "legacy": ["-Csymbol-mangling-version=legacy", "-Zunstable-options"], "v0": ["-Csymbol-mangling-version=v0"],
        "dwarf_4": ["-Clink-arg=-g", "-Zdwarf-version=4"], "dwarf_5": ["-Zdwarf-version=5"],
        "packed": ["-Csplit-debuginfo=packed"], "unpacked": ["-Csplit-debuginfo=unpacked"],
        "zlib": ["-Clink-arg=-Wl,--compress-debug-sections=zlib"],
    }),
    changed("gcc_zstd", "gcc_dwarf_5", compressed("zstd")),
    changed("gcc_dwz", "gcc_dwarf_5", dwz),
    changed("gcc_dwz_m", "gcc_dwarf_5", dwz_common),
    changed("gcc_no_aranges", "gcc_dwarf_5", without_aranges),
    changed("gcc_debug_link", "gcc_dwarf_5", debug_link_only),
    changed("gcc_debugdata", "gcc_symbols", packed_symbols),
    changed("clang_zstd", "clang_dwarf_5", compressed("zstd")),
    changed("clang_dwp_4", "clang_split_4", package_only),
    changed("clang_dwp_5", "clang_split_5", package_only),
    changed("swift_zstd", "swift_o", compressed("zstd")),
    changed("rust_zstd", "rust_v0", compressed("zstd")),
]


def write_sources(folder):
    text = SOURCES.read_text()
    for name, body in re.findall(r'static let (\w+) = """\n(.*?)\n        """', text, re.S):
        if name in SUFFIXES:
            lines = [line[8:] for line in body.split("\n")]
            (folder / f"sample{SUFFIXES[name]}").write_text("\n".join(lines).replace("\\\\", "\\") + "\n")


def build(variant, folder):
    """The program; None where the compiler or what it needs is not here."""
    target = folder / variant.name / "program"
    if target.exists():
        return target
    target.parent.mkdir(exist_ok=True)
    try:
        if variant.change:
            variant.change(str(folder / variant.like / "program"), str(target))
        else:
            command = [*variant.command, "-o", "program", str(folder / f"sample{SUFFIXES[variant.language]}")]
            environment = dict(os.environ, RUSTC_BOOTSTRAP="1")
            subprocess.run(command, cwd=target.parent, check=True, env=environment, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        reason = getattr(error, "stderr", None) or str(error).encode()
        print(f"# {variant.name}: not built: {reason.decode(errors='replace').strip().splitlines()[-1:]}", flush=True)
        return None
    return target


def check(vaka, file, environment):
    command = [vaka, "lookup", "--debug-file", file, "--no-cache", "--check", str(ADDRESSES), "--format", "json"]
    found = subprocess.run(command, capture_output=True, text=True, env=environment)
    for document in map(json.loads, found.stdout.splitlines()):
        if document["peer"] == "llvm-symbolizer":
            return 100 * document["agreement"], {kind["kind"]: kind["count"] for kind in document["kinds"]}
    return None, {}


def answers(vaka, file, addresses):
    command = [vaka, "lookup", "--debug-file", file, "--no-cache", "--no-demangle"]
    text = subprocess.run(command, input=addresses, capture_output=True, text=True, check=True).stdout
    return text.split("\n\n")[:-1]


def likeness(vaka, file, plain):
    start, size = text_section(plain)
    source = random.Random(3)
    addresses = "".join(f"{start + source.randrange(size):#x}\n" for _ in range(ADDRESSES))
    pairs = list(zip(answers(vaka, file, addresses), answers(vaka, plain, addresses), strict=True))
    return 100 * sum(one == other for one, other in pairs) / len(pairs)


def main():
    vaka, folder, *wanted = sys.argv[1:]
    folder = pathlib.Path(folder).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    write_sources(folder)
    with tempfile.TemporaryDirectory() as path:
        environment = alone_on_path(newest_symbolizer(), path)
        for variant in VARIANTS:
            if wanted and variant.name not in wanted:
                continue
            file = build(variant, folder)
            if file is None:
                continue
            if variant.like:
                value, kinds = likeness(vaka, str(file), str(folder / variant.like / "program")), {}
            else:
                value, kinds = check(vaka, str(file), environment)
            if value is None:
                print(f"# {variant.name}: no answers to compare with", flush=True)
                continue
            print(f"agreement_variant_{variant.name} {value:.2f} percent", flush=True)
            for kind, count in kinds.items():
                if kind != "same" and count > 0:
                    print(f"agreement_variant_{variant.name}_{kind} {count} addresses", flush=True)


main()
