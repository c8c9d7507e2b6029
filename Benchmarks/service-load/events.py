# SPDX-License-Identifier: Apache-2.0
"""A real crash as both services are sent it: as this one's batch, and as an envelope of Sentry's protocol."""
import base64
import gzip
import http.server
import json
import subprocess
import threading


class Catcher(http.server.BaseHTTPRequestHandler):
    """Takes what `vaka submit` sends."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        batch = json.loads(body)
        self.server.items += batch["items"]
        answer = json.dumps({"accepted": len(batch["items"]), "rejected": [], "directives": []}).encode()
        self.send_response(202)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def do_GET(self):
        self.send_error(404)

    def log_message(self, *_):
        pass


def of_crash(program, vaka, folder):
    """The event of the program's crash, as it goes over the wire."""
    subprocess.run([program, folder], stderr=subprocess.DEVNULL)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Catcher)
    server.items = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    subprocess.run([vaka, "submit", folder, "--url", url, "--key", "vk_" + "x" * 43], check=True, stdout=subprocess.DEVNULL)
    server.shutdown()
    return next(item["payload"] for item in server.items if item["kind"] == "event")


def without_memory(event):
    event = {key: value for key, value in event.items() if key != "memory"}
    return event | {"threads": [{k: v for k, v in thread.items() if k != "stack"} for thread in event["threads"]]}


def with_stack(event):
    """The crashed thread's stack in place of its frames: the service has to find them itself."""
    threads = without_memory(event)["threads"]
    for thread, original in zip(threads, event["threads"]):
        if original["crashed"]:
            thread["frames"] = []
            thread["stack"] = original["stack"]
    return without_memory(event) | {"threads": threads}


def stack_of(event):
    return next((base64.b64decode(thread["stack"]["data"]) for thread in event["threads"] if "stack" in thread), None)


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
