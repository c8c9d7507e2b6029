#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the first inputs of the fuzz targets in FOLDER/<target>/: small files of the kinds that each takes."""
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import urllib.parse
import zlib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORDS_PER_RUN = 24
LARGEST_RECORD = 192 << 10

SOURCE = """
static inline __attribute__((always_inline)) int half(int *p) { return *p / 2; }
__attribute__((noinline)) int inner(int *p, int n) { return n > 3 ? half(p) + inner(p, n - 1) : half(p); }
int main(int argc, char **argv) { return inner(&argc, argc) > 3 ? 2 : 3; }
void _start(void) { main(1, 0); for (;;) {} }
"""
CXX_SOURCE = """
namespace shapes { template <typename T> struct Box { T value; __attribute__((noinline)) T area(int n) { return value * n; } }; }
int main(int argc, char **) { shapes::Box<long> box{argc}; return [&](int n) { return box.area(n); }(3) > 2; }
extern "C" void _start() { main(1, nullptr); for (;;) {} }
"""


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def elf(folder, work):
    """Programs without the C library, so that they stay small."""
    (work / "a.c").write_text(SOURCE)
    (work / "a.cpp").write_text(CXX_SOURCE)
    base = ["-nostdlib", "-fno-stack-protector", "-Wl,--build-id", "-Wl,-z,noseparate-code"]
    variants = {
        "gcc": ["gcc", "-g", "-O1", "a.c"],
        "dwarf4": ["gcc", "-gdwarf-4", "-O2", "-static", "a.c"],
        "pie": ["gcc", "-g", "-O2", "-static-pie", "-fPIE", "a.c"],
        "gz": ["gcc", "-g", "-gz", "-O2", "a.c"],
        "split": ["gcc", "-g", "-gsplit-dwarf", "-O2", "a.c"],
        "debugframe": ["gcc", "-g", "-O2", "-fno-asynchronous-unwind-tables", "a.c"],
        "cxx": ["g++", "-g", "-O1", "-fno-exceptions", "a.cpp"],
        "clang": ["clang", "-gdwarf-5", "-O2", "-fuse-ld=lld", "a.c"],
        "clang-gz": ["clang", "-gdwarf-5", "-gz", "-O2", "-fuse-ld=lld", "a.c"],
        "library": ["gcc", "-g", "-shared", "-fPIC", "a.c"],
    }
    os.chdir(work)
    for name, command in variants.items():
        if shutil.which(command[0]) is None:
            continue
        try:
            run(*command, *base, "-o", name)
        except subprocess.CalledProcessError:
            continue
        shutil.copy(name, folder)
    run("gcc", "-g", "-c", "a.c", "-o", str(folder / "object"))
    run("objcopy", "--only-keep-debug", "gcc", str(folder / "companion"))
    run("objcopy", "--strip-all", "--add-gnu-debuglink=" + str(folder / "companion"), "gcc", str(folder / "stripped"))


def symbol_cache(folder, work):
    """Caches of the programs, where the command was built."""
    command = next((path for kind in ["release", "debug"] if (path := ROOT / ".build" / kind / "vaka").exists()), None)
    if command is None:
        return
    programs = work / "programs"
    programs.mkdir()
    elf(programs, work)
    for program in sorted(programs.iterdir()):
        subprocess.run([command, "symcache", "build", program, "--output", folder], check=False, capture_output=True)


def note(kind, payload):
    pad = b"\0" * (-len(payload) % 4)
    return struct.pack("<III", 5, len(payload), kind) + b"CORE\0\0\0\0" + payload + pad


def core_file(machine, registers):
    """The kernel's layout, with one thread, one mapped file and one page of stack."""
    stack, image = 0x7FFE0000, 0x400000
    status = struct.pack("<iiih", 11, 1, 0, 11).ljust(32, b"\0") + struct.pack("<I", 42)
    status = status.ljust(112, b"\0") + struct.pack(f"<{len(registers)}Q", *registers) + bytes(8)
    program = bytes(24) + struct.pack("<ii", 42, 1) + bytes(8) + b"program".ljust(16, b"\0") + bytes(80)
    mapped = struct.pack("<QQQQQ", 1, 4096, image, image + 0x1000, 0) + b"/usr/bin/program\0"
    notes = b"".join([
        note(1, status), note(3, program), note(0x53494749, struct.pack("<iiiiQ", 11, 0, 1, 0, 0x10) + bytes(104)),
        note(6, struct.pack("<QQQQ", 33, 0x7FFF0000, 0, 0)), note(0x46494C45, mapped), note(1, status),
    ])
    content = struct.pack("<32Q", *([stack + 16, image + 8] * 16))
    program_file = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 2, machine, 1, image, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    program_file += struct.pack("<IIQQQQQQ", 1, 5, 0, image, image, 0x1000, 0x1000, 0x1000)
    start = 64 + 3 * 56
    places = [start, start + len(notes), start + len(notes) + len(content)]
    header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 4, machine, 1, 0, 64, 0, 0, 64, 56, 3, 0, 0, 0)
    segments = struct.pack("<IIQQQQQQ", 4, 0, places[0], 0, 0, len(notes), 0, 4)
    segments += struct.pack("<IIQQQQQQ", 1, 6, places[1], stack, 0, len(content), len(content), 4096)
    segments += struct.pack("<IIQQQQQQ", 1, 5, places[2], image, 0, len(program_file), 0x1000, 4096)
    return header + segments + notes + content + program_file


def core(folder, _):
    x86 = [0] * 27
    x86[4], x86[16], x86[19] = 0x7FFE0010, 0x400008, 0x7FFE0000
    (folder / "x86_64").write_bytes(core_file(62, x86))
    (folder / "arm64").write_bytes(core_file(183, [0] * 29 + [0x7FFE0010, 0x400010, 0x7FFE0000, 0x400008, 0]))


def document():
    frame = {"instruction_addr": "0x400008", "trust": "cfi", "symbol": "_ZN1a1bEv", "function": "a::b()", "module": "program"}
    swift = {"instruction_addr": "0x400018", "trust": "context", "symbol": "$s4main4workyyF", "function": "work()", "in_app": True}
    return {
        "schema_version": 1, "event_id": "0123456789abcdef0123456789abcdef", "type": "crash", "level": "fatal",
        "timestamp": "2024-01-01T00:00:00.000Z", "platform": "linux", "arch": "x86_64",
        "contexts": {"process": {"name": "program", "pid": 42}}, "tags": {"a": "b"},
        "reason": {"signal": "SIGSEGV", "number": 11, "exception": "EXC_BAD_ACCESS", "fault_address": "0x10"},
        "threads": [{
            "id": 42, "crashed": True, "registers": {"rip": "0x400008", "rsp": "0x7ffe0000"}, "frames": [swift, frame],
            "stack": {"address": "0x7ffe0000", "data": "CABAAAAAAAAAAAAAAAAAAA=="},
        }],
        "errors": [{"type": "Failure", "message": "no 12 of 0x34", "frames": [frame]}],
        "breadcrumbs": [{"timestamp": "2024-01-01T00:00:00.000Z", "message": "m", "category": "c", "level": "info"}],
        "debug_images": [{
            "type": "elf", "build_id": "00112233445566778899aabbccddeeff00112233", "code_file": "/usr/bin/program",
            "image_addr": "0x400000", "image_size": 4096,
        }],
        "fingerprint": ["{{ default }}", "x"], "loss": [{"what": "w", "why": "y"}],
    }


def event(folder, _):
    (folder / "document").write_text(json.dumps(document()))
    for seed in range(4):
        text = bytes((seed * 37 + index * 101 + index * index) & 0xFF for index in range(600))
        (folder / f"made-{seed}").write_bytes(bytes([seed]) + text)


def zstd_frame(content):
    """One raw block (RFC 8878)."""
    block = (len(content) << 3 | 1).to_bytes(3, "little")
    return b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(content)) + block + content


def batch(folder, _):
    items = [
        {"kind": "event", "id": "a", "payload": document()},
        {"kind": "session", "id": "b", "payload": {"id": "s", "status": "ok", "started": "2024-01-01T00:00:00.000Z"}},
        {"kind": "later", "id": "c", "payload": [1, 2.5e3, None, "\u00e9\n"]},
    ]
    body = json.dumps({"schema_version": 1, "sent_at": "2024-01-01T00:00:00.000Z", "items": items}).encode()
    small = b'{"items":[{"kind":"x","id":"y","payload":null}]}'
    for name, content in [("small", small), ("batch", body)]:
        (folder / name).write_bytes(content)
        (folder / (name + ".gz")).write_bytes(gzip.compress(content, mtime=0) + b"\x40")
        (folder / (name + ".zst")).write_bytes(zstd_frame(content) + b"\x07")
    own = {"address": "0x1000", "part": 0}
    events = [{"kind": "event", "id": "a", "parts": 1, "payload": document() | {"memory": [own, own | {"part": 1}]}}]
    text = gzip.compress(json.dumps({"items": events}).encode(), mtime=0)
    memory = gzip.compress(bytes(range(64)) * 8, mtime=0)
    (folder / "parts").write_bytes(b"VKB1" + b"".join(struct.pack("<I", len(piece)) + piece for piece in (text, memory)))
    (folder / "part").write_bytes(memory)
    (folder / "form").write_text(urllib.parse.urlencode({"token": "a b&c", "next": "/x?y=\u00e9"}))
    (folder / "repeated.zst").write_bytes(b"\x28\xb5\x2f\xfd\x80" + struct.pack("<I", 1 << 16) + (1 << 19 | 3).to_bytes(3, "little") + b" \xff")


def documents(folder, _):
    """Payloads, and texts with secrets of each kind."""
    secrets = {
        "threads": [{"frames": [{"function": "f(password: x)", "file": "/home/a/x.c"}], "stack": {"data": "cGFzc3dvcmQ9eA=="}}],
        "user": {"email": "a@b.example", "id": 7}, "tags": {"api_key": "x", "a": "Bearer 0123456789abcdef0"},
        "texts": ["4111 1111 1111 1111", "https://u:pw@h/", "AKIAIOSFODNN7EXAMPLE", "eyJhbGciOi.eyJzdWIiOi.x", "token=abc"],
        "data": "cGFzc3dvcmQ9eA==",
    }
    items = {"items": [{"kind": "event", "id": "a", "payload": secrets}, 1, {}, [], None]}
    for name, value in [("event", document()), ("secrets", secrets), ("items", items)]:
        (folder / name).write_text(json.dumps(value))
    (folder / "escapes").write_text(r'{"p\u0061ssword":"\ud83d\ude00","a":"\"p\u0061ssword=x\n\/","b":[-1.5e3,true,null,{}]}')


def journal(folder, _):
    def text(value):
        return struct.pack("<I", 0xFFFFFFFF) if value is None else struct.pack("<I", len(value)) + value

    item = text(b"event") + text(b"a") + text(None) + text(b"payload")
    bodies = [struct.pack("<qq", 1, 2) + text(b"install") + struct.pack("<q", 3) + item * 2,
              struct.pack("<qq", 1, 2) + text(None) + struct.pack("<q", 0) + item]
    frames = [struct.pack("<4sII", b"Vakf", len(body), zlib.crc32(struct.pack("<QQQ", 1, 7, len(body)) + body)) + body
              for body in bodies]
    for number, content in enumerate([*bodies, *frames, b"".join(frames), frames[0] + b"Vakf" * 5 + frames[1]]):
        (folder / f"journal-{number}").write_bytes(content)


def network(folder, _):
    record = {
        "eventType": "network_request", "schemaVersion": 1, "timestamp": "2024-01-01T00:00:00.000Z", "url": "https://u:p@h:8443/a/17?q#f",
        "method": "POST", "requestId": "r", "connectionId": "c", "direction": "SEND", "protocolName": "https", "sequenceNumber": 1,
        "metadata": {"phase": "failed", "duration_ms": "1.5", "fault_id": "x"}, "requestHeaders": {"Authorization": "<redacted>"},
        "requestBodySize": 7, "statusCode": 503, "responseHeaders": {"Set-Cookie": "a=b"}, "responseBodySize": 0, "durationMs": 12.5,
        "error": "timed out", "host": "h", "path": "/a/17", "requestBody": "\U0001f600", "responseBody": "", "contentType": "text/plain",
    }
    legacy = {"timestamp": "2024-01-01T00:00:00Z", "url": "//h", "method": "GET", "protocol": "h2"}
    descriptor = {"id": "network.transport.urlsession", "state": "DISABLED", "reason": "HOST_OPT_IN", "faultEnforcement": "NONE"}
    report = {"timestamp": "2024-01-01T00:00:00Z", "session": "s", "capabilities": [descriptor, {"id": "a", "state": "LATER"}]}
    for name, value in [("record", record), ("legacy", legacy), ("history", [record, legacy, 1]), ("capability", descriptor),
                        ("report", report), ("later", {**record, "schemaVersion": 2}), ("none", {**legacy, "schemaVersion": None})]:
        (folder / name).write_text(json.dumps(value))


def demangle(folder, _):
    """The names that the tests know."""
    names = set()
    for path in (ROOT / "Tests").rglob("*.swift"):
        names |= set(re.findall(r"\"((?:_Z|_R|\$s|_\$s|_T0)[^\"\\ ]+)\"", path.read_text()))
    for index, name in enumerate(sorted(names)):
        (folder / f"name-{index}").write_text(name)
        (folder / f"rest-{index}").write_text(re.sub(r"^(_ZN?|_R|_?\$s|_T0)", "", name))
    for index, name in enumerate(["<A as B>::c::{{closure}}", "a::b<c, d(*)(int)>::operator()(x) const [clone .cold]",
                                  "closure #1 in A.b(_:) [inlined]", "f.isra.0.cold@@V_1.2"]):
        (folder / f"readable-{index}").write_text(name)


def crash_record(folder, work):
    """Real crashes' records, where `make crashers` has been run."""
    library, programs = ROOT / "build/lib/libvakacrash.so", ROOT / "build/crashers"
    if not (library.exists() and programs.is_dir()):
        return
    count = 0
    for program in sorted(path for path in programs.iterdir() if path.is_file() and os.access(path, os.X_OK)):
        storage = work / program.name
        environment = dict(
            os.environ, LD_PRELOAD=str(library), VAKA_STORAGE=str(storage), SWIFT_BACKTRACE="enable=no")
        try:
            subprocess.run([program], env=environment, timeout=20, capture_output=True, check=False, cwd=work)
        except (subprocess.TimeoutExpired, OSError):
            continue
        for record in storage.rglob("*"):
            if record.is_file() and 0 < record.stat().st_size <= LARGEST_RECORD and count < RECORDS_PER_RUN:
                # The last byte asks for right checksums.
                (folder / f"{program.name}-{record.suffix[1:]}").write_bytes(record.read_bytes() + b"\1")
                count += 1


def observation(folder, _):
    """A text, and a byte that says as what it is read."""
    bounds = {"x": 1, "y": 2.5, "width": 3, "height": 4}
    element = {"id": "e1", "role": "input", "inputType": "password", "label": "a", "value": "b", "bounds": bounds,
               "enabled": True, "visible": True, "focused": True, "redacted": False}
    page = {"kind": "snapshot", "documentId": "d", "mainFrame": True, "url": "https://u:p@shop.example:443/a?q#f",
            "viewport": bounds, "elements": [element, element], "truncated": False}
    state = {"schemaVersion": 1, "available": True, "supportedActions": ["tap", "scroll"]}
    view = {"webViewId": "v", "url": "https://shop.example/", "allowedOrigins": [], "contentProcessAvailable": True}
    health = {"program": {"name": "p", "pid": 1}, "observationBridge": state,
              "webViewBridge": {"schemaVersion": 1, "webViews": [view]}}
    shot = {"schemaVersion": 1, "captureIdentity": "41", "timestamp": "2026-01-01T00:00:00.000Z", "coordinateSpace": "screen",
            "bounds": bounds, "elements": [{**element, "actions": ["tap"], "children": [element]}]}
    point = {"x": 1, "y": -2}
    base = {"observationIdentity": "41", "elementId": "e"}
    actions = [{"tap": base}, {"longPress": {**base, "durationMs": 5}}, {"insertText": {**base, "text": "t"}},
               {"scroll": {**base, "delta": point}},
               {"swipe": {"observationIdentity": "41", "start": point, "end": point, "durationMs": 5}}]
    web = [{"setValue": {"snapshotId": "s", "elementId": "e", "text": "t"}},
           {"scroll": {"snapshotId": "s", "elementId": "e", "delta": point}}]
    head = "POST /observation/action HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\n"
    reply = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
    inputs = [(0, head)] + [(1, json.dumps(one)) for one in actions] + [(2, json.dumps(one)) for one in web]
    inputs += [(3, json.dumps(shot)), (4, json.dumps(page)), (5, reply), (6, json.dumps(health))]
    inputs += [(7, "https://u:p@Shop.Example:8443/a/b?q#f"), (7, "http://[::1]:80/"), (7, "file:///x")]
    for number, (kind, text) in enumerate(inputs):
        (folder / f"observation-{number}").write_bytes(text.encode() + bytes([kind]))


def source_bundle(folder, _):
    text = b"int a;\n"
    digests = {name: hashlib.new(name, text).hexdigest() for name in ("sha256", "md5")}
    file = {"path": "/src/a.c", "compilation_folder": "/src", "size": len(text), "verified": True, **digests}
    manifest = json.dumps({
        "build_id": "00112233445566778899aabbccddeeff00112233", "format": "vaka-source-bundle", "version": 1, "files": [file],
        "missing": {"count": 2, "files": [{"path": "/usr/include/stdio.h", "why": "outside"}]},
    })
    for method, name in [(zipfile.ZIP_DEFLATED, "deflated"), (zipfile.ZIP_STORED, "stored")]:
        bundle = io.BytesIO()
        with zipfile.ZipFile(bundle, "w", method) as archive:
            archive.writestr("files/" + digests["sha256"], text)
            archive.writestr("manifest.json", manifest)
        (folder / name).write_bytes(bundle.getvalue() + b"\0")
    (folder / "manifest").write_bytes(manifest.encode() + b"\1")


def recording(folder, _):
    box = ["button", 1, 2, 30, 10, 0, "Order"]
    frames = [
        {"at": 0, "width": 80, "height": 60, "new_screen": True, "changes": [{"index": 0, "removed": 0, "drawings": [box] * 3}]},
        {"at": 10, "width": 80, "height": 60, "truncated": True, "changes": [
            {"index": 1, "removed": 1, "drawings": [["keyboard", 0, 0, 80, 30, 1]]}, {"index": 0, "removed": 1, "drawings": []}]},
    ]
    part = {
        "schema_version": 1, "recording_id": "0123456789abcdef" * 2, "part": 0, "event_id": None, "session_id": "s", "user_id": "u",
        "release": "a@1", "environment": "test", "started": "2026-01-31T12:00:00.000Z", "duration_ms": 1000, "privacy": "mask_inputs",
        "quality": "medium", "frames": frames, "taps": [{"at": 5, "x": 3, "y": 4}], "withheld_taps": 2,
    }
    (folder / "part").write_text(json.dumps(part))
    head = json.dumps({**part, "frames": [], "taps": []})
    lines = ["H" + head, *["F" + json.dumps(frame) for frame in frames], 'T{"at":5,"x":3,"y":4}', "W2", "E900", ""]
    (folder / "lines").write_text("\n".join(lines))
    (folder / "file").write_bytes(b"".join(gzip.compress((line + "\n").encode()) for line in lines))


def main():
    makers = {
        "ElfFuzz": elf, "CoreFileFuzz": core, "EventFuzz": event, "BatchFuzz": batch, "DemangleFuzz": demangle,
        "DocumentFuzz": documents, "JournalFuzz": journal, "NetworkFuzz": network, "ObservationFuzz": observation,
        "RecordingFuzz": recording,
        "CrashRecordFuzz": crash_record, "SourceBundleFuzz": source_bundle, "SymbolCacheFuzz": symbol_cache,
    }
    target, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        makers[target](folder, pathlib.Path(work))


main()
