#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One address for several servers, each request to the next of them: taking_turns.py PORT...

Prints `listening on PORT`. As a balancer that knows nothing of what it passes on; connections are closed after each request.
"""

import http.client
import http.server
import itertools
import sys

PIECE = 1 << 20
turns = itertools.cycle([int(port) for port in sys.argv[1:]])


class Handler(http.server.BaseHTTPRequestHandler):
    def pass_on(self):
        connection = http.client.HTTPConnection("127.0.0.1", next(turns), timeout=60)
        connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            if name.lower() not in ("connection", "expect"):
                connection.putheader(name, value)
        connection.endheaders()
        left = int(self.headers.get("Content-Length", 0))
        while left and (piece := self.rfile.read(min(PIECE, left))):
            connection.send(piece)
            left -= len(piece)
        answer = connection.getresponse()
        body = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("connection", "content-length", "transfer-encoding"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = pass_on

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"listening on {server.server_address[1]}", flush=True)
server.serve_forever()
