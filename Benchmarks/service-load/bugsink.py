# SPDX-License-Identifier: Apache-2.0
"""The peer, as its documentation has it for production on one machine: gunicorn, snappea and SQLite.

Without the proxy that belongs before it, and without its bounds on events a minute.
"""
import os
import pathlib
import sqlite3
import subprocess
import time
import urllib.request

SETTINGS = """
ALLOWED_HOSTS = ["*"]
SECURE_SSL_REDIRECT = False
BUGSINK["BASE_URL"] = "http://localhost:{port}"
BUGSINK["SINGLE_USER"] = True
for bound in (
    "MAX_EVENTS_PER_PROJECT_PER_5_MINUTES", "MAX_EVENTS_PER_PROJECT_PER_HOUR", "MAX_EVENTS_PER_PROJECT_PER_MONTH",
    "MAX_EVENTS_PER_5_MINUTES", "MAX_EVENTS_PER_HOUR", "MAX_EVENTS_PER_MONTH",
):
    BUGSINK[bound] = 1_000_000_000
"""
PROJECT = """
from teams.models import Team
from projects.models import Project
team = Team.objects.create(name="bench")
project = Project.objects.create(name="bench", team=team, retention_max_event_count=1_000_000)
print("project", project.id, project.sentry_key.hex)
"""


class Bugsink:
    name = "bugsink"

    def __init__(self, environment, folder, port):
        self.bin = pathlib.Path(environment) / "bin"
        self.folder = folder
        self.port = port
        self.variables = os.environ | {"PYTHONPATH": str(folder), "DJANGO_SETTINGS_MODULE": "bugsink_conf"}

    def __enter__(self):
        self.folder.mkdir(parents=True)
        settings = self.folder / "bugsink_conf.py"
        self.run("bugsink-create-conf", "--template=singleserver", f"--base-dir={self.folder}", f"--output-file={settings}")
        with open(settings, "a") as file:
            file.write(SETTINGS.format(port=self.port))
        self.run("bugsink-manage", "migrate")
        self.run("bugsink-manage", "migrate", "snappea", "--database=snappea")
        lines = self.run("bugsink-manage", "shell", "-c", PROJECT).splitlines()
        _, self.project, self.key = next(line.split() for line in lines if line.startswith("project "))
        self.servers = [
            self.start("gunicorn", f"--bind=127.0.0.1:{self.port}", "--workers=2", "bugsink.wsgi"),
            self.start("bugsink-runsnappea"),
        ]
        self.wait()
        return self

    def __exit__(self, *_):
        for server in self.servers:
            server.terminate()
        for server in self.servers:
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()

    def run(self, program, *arguments):
        return subprocess.run(
            [self.bin / program, *arguments], env=self.variables, cwd=self.folder, check=True, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout

    def start(self, program, *arguments):
        return subprocess.Popen(
            [self.bin / program, *arguments], env=self.variables, cwd=self.folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

    def wait(self):
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health/ready", timeout=5)
                return
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("bugsink does not answer")

    @property
    def address(self):
        return f"/api/{self.project}/envelope/"

    @property
    def headers(self):
        return {
            "Content-Type": "application/x-sentry-envelope",
            "X-Sentry-Auth": f"Sentry sentry_version=7, sentry_key={self.key}, sentry_client=bench/1.0",
        }

    @property
    def roots(self):
        return [server.pid for server in self.servers]

    def pause(self, signal):
        """Stops what digests, or lets it go on."""
        self.servers[1].send_signal(signal)

    def backlog(self):
        return self.count("snappea.sqlite3", "snappea_task")

    def digested(self):
        return self.count("db.sqlite3", "events_event")

    def count(self, database, table):
        connection = sqlite3.connect(f"file:{self.folder}/{database}?mode=ro", uri=True, timeout=60)
        try:
            return connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        finally:
            connection.close()
