# SPDX-License-Identifier: Apache-2.0
"""The service under load."""
import json
import os
import re

from processes import tree
from server import Server


class Vaka(Server):
    name = "vaka"
    address = "/api/v1/ingest"

    def __init__(self, programs, folder):
        folder.mkdir(parents=True)
        super().__init__(programs, folder, "--workers", "2")

    @property
    def headers(self):
        return {"Authorization": f"Bearer {self.credentials['ingest_key']}", "Content-Type": "application/json"}

    def pause(self, signal):
        """Stops the workers, or lets them go on."""
        for pid in tree(self.process.pid)[1:]:
            os.kill(pid, signal)

    def backlog(self):
        self.connection.close()
        return json.loads(self.ask("GET", "/readyz", {})[1])["spool"]["items"]

    def digested(self):
        self.connection.close()
        text = self.ask("GET", "/metrics", {})[1].decode()
        return int(re.search(r"^vaka_events_stored_total (\d+)", text, re.M).group(1))
