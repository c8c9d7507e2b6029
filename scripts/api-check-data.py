#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives a new server a few issues: api-check-data.py CREDENTIALS. Prints its url, key, token and a session's cookie."""
import json
import sys
import time
import urllib.request

ISSUES = 5


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


def call(url, token, body=None):
    request = urllib.request.Request(url, data=body, method="GET" if body is None else "POST")
    request.add_header("Authorization", "Bearer " + token)
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def event(number):
    frame = {
        "instruction_addr": "0x1010", "trust": "context", "function": f"app.f{number}()", "symbol": f"app.f{number}()",
        "module": "app", "in_app": True, "inlined": False, "status": "symbolicated",
    }
    return {
        "schema_version": 1, "event_id": f"{number:032x}", "type": "crash", "timestamp": "2026-01-01T00:00:00.000Z",
        "platform": "linux", "arch": "x86_64", "level": "fatal", "release": f"app@1.{number}", "user": {"id": f"u{number}"},
        "threads": [{"id": 7, "name": "main", "crashed": True, "frames": [frame]}],
    }


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        credentials = json.load(file)
    url, key, token = credentials["url"], credentials["ingest_key"], credentials["admin_token"]
    items = [{"kind": "event", "id": f"{number:032x}", "payload": event(number)} for number in range(1, ISSUES + 1)]
    items += [
        {"kind": "network", "id": f"n{number}", "payload": {
            "schemaVersion": number, "timestamp": "2026-01-01T00:00:00.000Z", "url": f"https://api.example/users/{number}",
            "method": "GET", "requestId": f"r{number}", "metadata": {"phase": "started"}}} for number in range(3)
    ]
    items.append({"kind": "capabilities", "id": "c", "payload": {
        "timestamp": "2026-01-01T00:00:00.000Z", "session": "s",
        "capabilities": [{"id": "network.transport.other", "state": "UNSUPPORTED", "reason": "NO_ADAPTER"}]}})
    call(url + "/api/v1/ingest", key, json.dumps({"schema_version": 1, "items": items}).encode())
    for _ in range(300):
        if len(call(url + "/api/v1/projects/default/issues", token)["issues"]) == ISSUES:
            break
        time.sleep(0.1)
    link = call(url + "/api/v1/login-links", token, b"")["url"]
    try:
        urllib.request.build_opener(NoRedirect).open(link, timeout=30)
    except urllib.error.HTTPError as answer:
        print(url, key, token, answer.headers["Set-Cookie"].split(";")[0])


main()
