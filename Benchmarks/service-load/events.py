# SPDX-License-Identifier: Apache-2.0
"""A real crash as both services are sent it: as this one's batch, and as an envelope of Sentry's protocol."""
import ctypes
import gzip
import http.server
import json
import struct
import subprocess
import threading


WITH_PARTS = "application/vnd.vaka.batch"


class Catcher(http.server.BaseHTTPRequestHandler):
    """Takes what `vaka submit` sends, captured memory beside the text."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        text, *parts = pieces(body) if self.headers["Content-Type"] == WITH_PARTS else [body]
        batch = json.loads(gzip.decompress(text))
        for item in batch["items"]:
            count = item.get("parts", 0)
            item["its parts"], parts = parts[:count], parts[count:]
        self.server.items += batch["items"]
        self.answer(202, {"accepted": len(batch["items"]), "rejected": [], "directives": []})

    def do_GET(self):
        self.answer(200, {"schema_version": 1, "version": "1", "settings": {}, "accepts": [WITH_PARTS]})

    def answer(self, status, document):
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def pieces(body):
    """The text and the parts, as they were sent."""
    assert body[:4] == b"VKB1"
    at = 4
    while at < len(body):
        (size,) = struct.unpack_from("<I", body, at)
        yield body[at + 4 : at + 4 + size]
        at += 4 + size


def of_crash(program, vaka, folder):
    """The event of the program's crash, as it goes over the wire, and its parts."""
    subprocess.run([program, folder], stderr=subprocess.DEVNULL)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Catcher)
    server.items = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    subprocess.run([vaka, "submit", folder, "--url", url, "--key", "vk_" + "x" * 43], check=True, stdout=subprocess.DEVNULL)
    server.shutdown()
    return next((item["payload"], item["its parts"]) for item in server.items if item["kind"] == "event")


def without_memory(event):
    event = {key: value for key, value in event.items() if key != "memory"}
    return event | {"threads": [{k: v for k, v in thread.items() if k != "stack"} for thread in event["threads"]]}


def with_stack(event, parts):
    """The crashed thread's stack in place of its frames, and the one part that has it: the service has to find them itself."""
    threads = without_memory(event)["threads"]
    for thread, original in zip(threads, event["threads"]):
        if original["crashed"]:
            thread["frames"] = []
            thread["stack"] = original["stack"] | {"part": 0}
            part = parts[original["stack"]["part"]]
    return without_memory(event) | {"threads": threads}, [part]


def decompressed(part):
    """What a part holds: one frame of zstd, which tells its size."""
    zstd = ctypes.CDLL("libzstd.so.1")
    zstd.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    output = ctypes.create_string_buffer(zstd.ZSTD_getFrameContentSize(part, ctypes.c_size_t(len(part))))
    room = ctypes.c_size_t(len(output))
    assert zstd.ZSTD_decompress(output, room, part, ctypes.c_size_t(len(part))) == len(output)
    return output.raw


def sentry_frames(frames):
    """Outermost first."""
    return [
        {"instruction_addr": frame["instruction_addr"], "package": frame["module"], "in_app": frame["in_app"]}
        for frame in reversed(frames)
    ]


def as_sentry(event):
    """The same facts in Sentry's event, without its id."""
    reason = event["reason"]
    crashed = next(thread for thread in event["threads"] if thread["crashed"])
    return {
        "timestamp": event["timestamp"], "platform": "native", "level": "fatal", "release": event["release"],
        "environment": event["environment"], "tags": event["tags"], "user": event["user"], "contexts": event["contexts"],
        "breadcrumbs": {"values": event["breadcrumbs"]},
        "exception": {"values": [{
            "type": reason["signal"], "value": f"{reason['code']} at {reason['fault_address']}",
            "mechanism": {"type": "signalhandler", "handled": False}, "thread_id": crashed["id"],
            "stacktrace": {"frames": sentry_frames(crashed["frames"]), "registers": crashed["registers"]},
        }]},
        "threads": {"values": [{
            "id": thread["id"], "name": thread["name"], "crashed": thread["crashed"],
            "stacktrace": {"frames": sentry_frames(thread["frames"]), "registers": thread["registers"]},
        } for thread in event["threads"]]},
        "debug_meta": {"images": [{
            "type": "elf", "code_id": image["build_id"], "debug_id": image["debug_id"], "code_file": image["code_file"],
            "image_addr": image["image_addr"], "image_size": image["image_size"],
        } for image in event["debug_images"]]},
    }
