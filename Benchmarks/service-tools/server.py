# SPDX-License-Identifier: Apache-2.0
"""A vaka-server over a folder, and one connection to it."""
import http.client
import json
import subprocess

from processes import memory


class Server:
    def __init__(self, programs, folder, *options):
        self.folder = folder
        command = [programs / "vaka-server", "--data", folder, "--listen", "127.0.0.1:0", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def __enter__(self):
        line = self.process.stdout.readline()
        self.port = int(line.rsplit(":", 1)[1])
        self.credentials = json.loads((self.folder / "credentials.json").read_text())
        self.token = {"Authorization": f"Bearer {self.credentials['admin_token']}"}
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port)
        self.cookie = self.log_in()
        return self

    def __exit__(self, *_):
        self.connection.close()
        self.process.terminate()
        if self.process.wait(60) != 0:
            raise SystemExit("the server did not end well")

    def log_in(self):
        link = json.loads(self.ask("POST", "/api/v1/login-links", self.token)[1])["url"]
        headers, _ = self.ask("GET", "/" + link.split("/", 3)[3], {}, status=303)
        return {"Cookie": headers["Set-Cookie"].split(";")[0]}

    def ask(self, method, path, headers, status=None):
        self.connection.request(method, path, headers=headers)
        response = self.connection.getresponse()
        body = response.read()
        if response.status != status and not (status is None and response.status in (200, 201)):
            raise SystemExit(f"{method} {path}: {response.status} {body[:300]}")
        return response.headers, body

    def get(self, path):
        """A page where the path begins with a slash, else a document of the project's API."""
        if path.startswith("/"):
            return self.ask("GET", path, self.cookie)[1]
        return json.loads(self.ask("GET", f"/api/v1/projects/default/{path}", self.token)[1])

    @property
    def roots(self):
        return [self.process.pid]

    def memory(self):
        """The proportional memory of all processes, in MB."""
        return memory(self.roots)
