# SPDX-License-Identifier: Apache-2.0
"""Runs a program to its crash under gdb and writes down what gdb sees of the crashed thread.

    VAKA_TRUTH=out.json gdb -batch -nx -x gdb-truth.py --args PROGRAM [ARGUMENT]...

VAKA_TRUTH_PRELOAD names a library to preload into the program.
Frames are the physical ones, innermost first: inlined frames and tail-call frames are left out. Registers, the stack
and the mapped files go along, so that an unwinder can be tried on the very same crash.
"""
import base64
import json
import os

import gdb

MAXIMUM_FRAMES = 200
STACK_BYTES = 65536
MAXIMUM_CONTEXTS = 64
REGISTERS = ("rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip".split()
             if os.uname().machine == "x86_64" else [f"x{number}" for number in range(31)] + ["sp", "pc"])
PHYSICAL = (gdb.NORMAL_FRAME, gdb.SIGTRAMP_FRAME)


def read_mappings(process):
    """Start, end and file of every mapping but the guards of stacks, by address."""
    mappings = []
    with open(f"/proc/{process}/maps", encoding="utf-8") as lines:
        for line in lines:
            fields = line.split(None, 5)
            start, end = (int(part, 16) for part in fields[0].split("-"))
            path = fields[5].strip() if len(fields) == 6 else ""
            if path or fields[1].startswith("r"):
                mappings.append((start, end, path))
    return mappings


def read_images(mappings):
    images = {}
    for start, end, path in mappings:
        if path.startswith("/") or path == "[vdso]":
            low, high = images.get(path, (start, end))
            images[path] = (min(low, start), max(high, end))
    return [{"path": path, "address": low, "size": high - low} for path, (low, high) in images.items()]


def read_frames(images):
    frames = []
    frame = gdb.newest_frame()
    while frame is not None and len(frames) < MAXIMUM_FRAMES:
        if frame.type() in PHYSICAL:
            address = frame.pc()
            image = next((one for one in images if 0 <= address - one["address"] < one["size"]), None)
            frames.append({
                "address": address,
                "module": os.path.basename(image["path"]) if image else None,
                "relative": address - image["address"] if image else address,
                "name": frame.name(),
            })
        frame = frame.older()
    return frames


def read_stack(mappings, pointer):
    """From the stack pointer (or, after an overflow, from the next mapped address) to the bound or the mapping's end."""
    above = [mapping for mapping in mappings if mapping[1] > pointer]
    start = max(pointer, above[0][0])
    size = min(STACK_BYTES, above[0][1] - start)
    memory = gdb.selected_inferior().read_memory(start, size)
    return {"address": start, "data": base64.b64encode(bytes(memory)).decode()}


def read_contexts(register):
    """The Swift async contexts that begin at a register, each with the one before it as its first word."""
    contexts = []
    inferior = gdb.selected_inferior()
    while register and len(contexts) < MAXIMUM_CONTEXTS:
        try:
            data = bytes(inferior.read_memory(register, 16))
        except gdb.MemoryError:
            break
        contexts.append({"address": register, "data": base64.b64encode(data).decode()})
        register = int.from_bytes(data[:8], "little")
    return contexts


def main():
    preload = os.environ.get("VAKA_TRUTH_PRELOAD")
    if preload:
        gdb.execute("set environment LD_PRELOAD=" + preload)
    for command in ("set pagination off", "set confirm off", "set debuginfod enabled off",
                    "set backtrace past-main on", "set environment SWIFT_BACKTRACE=enable=no",
                    "handle SIGUSR1 SIGPIPE nostop noprint pass", "set startup-with-shell off", "run"):
        gdb.execute(command, to_string=True)
    mappings = read_mappings(gdb.selected_inferior().pid)
    images = read_images(mappings)
    mask = (1 << 64) - 1
    registers = {name: int(gdb.parse_and_eval("$" + name).cast(gdb.lookup_type("long"))) & mask for name in REGISTERS}
    pointer = registers["rsp" if "rsp" in registers else "sp"]
    truth = {
        "thread": gdb.selected_thread().ptid[1],
        "registers": registers,
        "stack": read_stack(mappings, pointer),
        "contexts": read_contexts(registers.get("r14", registers.get("x22"))),
        "images": images,
        "frames": read_frames(images),
    }
    path = os.environ["VAKA_TRUTH"]
    with open(path + ".new", "w", encoding="utf-8") as output:
        json.dump(truth, output)
    os.rename(path + ".new", path)
    gdb.execute("kill", to_string=True)


main()
