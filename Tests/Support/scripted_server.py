# SPDX-License-Identifier: Apache-2.0
"""An HTTP server on loopback that behaves as a test asks.

    scripted_server.py FOLDER [PORT [CERTIFICATE]]

Prints `listening on PORT`; speaks TLS with a certificate, a PEM file with its key. Each request is written to FOLDER/requests/NNNNNN.json, whole, before it is answered:
{"method", "path", "headers", "encoding", "bytes", "body", "status"} (body: the JSON document, unpacked and without its parts; else null; sha256 of
the raw bytes; status: what is answered, unless the answer is another server's). The answer is the first file of FOLDER/answers, which is taken away, else FOLDER/default.json, else
202 {"accepted": n}. A GET of /api/v1/sdk-settings is answered with FOLDER/settings.json, else with the default's status, and written to FOLDER/asked instead. An answer: {"status", "headers", "body", "delay", "cut", "items_limit", "bytes_limit",
"file", "declared", "endless", "forward"}: file names one to send as the body, declared is the length that is told instead of its own,
endless sends zeros for as long as anybody reads. forward hands the request on to the server of that address, whose answer
is passed back, unless the others say something else: so an answer is lost after the work was done. cut closes the connection without a word, delay sleeps that many seconds first, a limit answers 413 to what exceeds it and
is passed over otherwise.

While FOLDER/slow.json, a number, is there, that many bytes of a body are read, and then no more. FOLDER/uploads/NNNNNN.json tells of
each such request: {"declared", "received", "ended"}; it is written when that much was read, and again at the end, with all that came.
"""

import gzip
import hashlib
import json
import os
import socket
import ssl
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

folder = sys.argv[1]
lock = threading.Lock()
count = 0


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def next_answer():
    answers = os.path.join(folder, "answers")
    for name in sorted(os.listdir(answers)):
        if name.endswith(".json"):
            path = os.path.join(answers, name)
            answer = read(path)
            os.unlink(path)
            return answer
    default = os.path.join(folder, "default.json")
    return read(default) if os.path.exists(default) else {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        if self.path.endswith("/api/v1/sdk-settings"):
            self.settings()
        else:
            self.answer(b"")

    def settings(self):
        path = os.path.join(folder, "settings.json")
        settings = read(path) if os.path.exists(path) else {"schema_version": 1, "settings": {}}
        data = settings.encode() if isinstance(settings, str) else json.dumps(settings).encode()
        default = os.path.join(folder, "default.json")
        status = read(default).get("status", 200) if os.path.exists(default) and not os.path.exists(path) else 200
        with lock:
            number = len(os.listdir(os.path.join(folder, "asked"))) + 1
            self.note(os.path.join(folder, "asked", f"{number:06}.json"), b"", None, status)
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            body = self.chunks()
        else:
            size = int(self.headers.get("Content-Length", "0"))
            slow = os.path.join(folder, "slow.json")
            body = self.slowly(size, slow) if os.path.exists(slow) else self.rfile.read(size)
        if body is not None:
            self.answer(body)

    def slowly(self, size, slow):
        """The body; None where it did not come whole."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with lock:
            name = os.path.join(folder, "uploads", f"{len(os.listdir(os.path.join(folder, 'uploads'))) + 1:06}.json")
            self.tell(name, size, 0, False)
        body = self.rfile.read(min(read(slow), size))
        self.tell(name, size, len(body), False)
        while os.path.exists(slow):
            time.sleep(0.005)
        try:
            while len(body) < size and (more := self.rfile.read1(min(65536, size - len(body)))):
                body += more
        except OSError:
            pass
        self.tell(name, size, len(body), True)
        self.close_connection = len(body) < size
        return body if len(body) == size else None

    @staticmethod
    def tell(name, declared, received, ended):
        with open(name + ".new", "w", encoding="utf-8") as file:
            json.dump({"declared": declared, "received": received, "ended": ended}, file)
        os.rename(name + ".new", name)

    def chunks(self):
        body = b""
        while True:
            size = int(self.rfile.readline().split(b";")[0], 16)
            body += self.rfile.read(size)
            self.rfile.readline()
            if size == 0:
                return body

    def record(self, raw):
        global count
        encoding = self.headers.get("Content-Encoding")
        document = None
        try:
            if self.headers.get("Content-Type") == "application/vnd.vaka.batch":
                size = int.from_bytes(raw[4:8], "little")
                document = json.loads(gzip.decompress(raw[8 : 8 + size]))
            else:
                document = json.loads(gzip.decompress(raw) if encoding == "gzip" else raw)
        except (ValueError, OSError, EOFError):
            pass
        with lock:
            count += 1
            name = os.path.join(folder, "requests", f"{count:06}.json")
            answer = next_answer()
        items = document.get("items", []) if isinstance(document, dict) else []
        unpacked = len(json.dumps(document)) if document is not None else len(raw)
        if len(items) > answer.get("items_limit", 1 << 60) or unpacked > answer.get("bytes_limit", 1 << 60):
            answer = {"status": 413, "body": {"error": {"code": "too_large", "message": "send less"}}}
        self.note(name, raw, document, answer.get("status", 202))
        return items, answer

    def note(self, name, raw, document, status):
        entry = {
            "method": self.command,
            "path": self.path,
            "headers": {key.lower(): value for key, value in self.headers.items()},
            "encoding": self.headers.get("Content-Encoding"),
            "bytes": len(raw),
            "sha256": hashlib.sha256(raw).hexdigest(),
            "body": document,
            "status": status,
        }
        with open(name + ".new", "w", encoding="utf-8") as file:
            json.dump(entry, file)
        os.rename(name + ".new", name)

    def forward(self, url, raw):
        names = ("authorization", "content-type", "content-encoding", "if-none-match")
        headers = {key: value for key, value in self.headers.items() if key.lower() in names}
        request = urllib.request.Request(url + self.path, raw or None, headers, method=self.command)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as reply:
            return reply.code, reply.read().decode()

    def answer(self, raw):
        items, answer = self.record(raw)
        forwarded = None
        if "forward" in answer:
            forwarded = self.forward(answer["forward"], raw)
        if "delay" in answer:
            time.sleep(answer["delay"])
        if answer.get("cut"):
            self.close_connection = True
            self.connection.close()
            return
        if forwarded is not None:
            answer = {"status": forwarded[0], "body": forwarded[1]} | answer
        status = answer.get("status", 202)
        reply = answer.get("body", {"accepted": len(items), "rejected": [], "directives": []})
        data = reply.encode() if isinstance(reply, str) else json.dumps(reply).encode()
        if "file" in answer:
            with open(answer["file"], "rb") as file:
                data = file.read()
        try:
            self.send_response(status)
            for key, value in answer.get("headers", {}).items():
                self.send_header(key, value)
            self.send_header("Content-Type", "application/json")
            if answer.get("endless"):
                self.close_connection = True
                self.end_headers()
                while True:
                    self.wfile.write(bytes(65536))
            self.send_header("Content-Length", str(answer.get("declared", len(data))))
            self.end_headers()
            self.wfile.write(data)
            if "declared" in answer:
                self.close_connection = True
        except OSError:
            self.close_connection = True


for name in ("requests", "answers", "asked", "uploads"):
    os.makedirs(os.path.join(folder, name), exist_ok=True)
ThreadingHTTPServer.daemon_threads = True
server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0), Handler)
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3])
    # The handshake is made by the request's own thread.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(f"listening on {server.server_address[1]}", flush=True)
server.serve_forever()
