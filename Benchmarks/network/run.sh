#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What it costs a program to have its exchanges recorded: one `name value unit` line each.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT

swift build -c release --package-path "$here/exchange" --scratch-path "$root/build/benchmark-network" 1>&2

python3 -u - > "$work/port" << 'END' &
import http.server


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "4096")
        self.end_headers()
        self.wfile.write(b"x" * 4096)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port)
server.serve_forever()
END
server=$!
while [ ! -s "$work/port" ]; do sleep 0.05; done

"$root/build/benchmark-network/release/measure" "$work/storage" "$(cat "$work/port")"
