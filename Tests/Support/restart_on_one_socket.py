# SPDX-License-Identifier: Apache-2.0
"""Restarts a server whose listening socket stays, as a service manager does, while clients send to it.

    restart_on_one_socket.py SERVER DATA BATCH

BATCH is the file of a batch with one event, whose event id is 0…01 and is made another's in each request. Each request has a
connection of its own. Prints {"accepted", "failed", "told", "stored"}: how many were answered 202, what else happened, what
each server told the manager, and how many events of the issue there are at the end.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

server, data, batch = sys.argv[1:]
listener = socket.create_server(("127.0.0.1", 0), backlog=512)
address = "http://127.0.0.1:%d" % listener.getsockname()[1]
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind(os.path.join(os.path.dirname(data), "notify"))
manager.settimeout(60)
template = open(batch, encoding="utf-8").read()
accepted, failed, told = [], [], []
is_over = threading.Event()


def hand_over():
    os.dup2(listener.fileno(), 3)
    # Of its own number already, it would be closed.
    os.set_inheritable(3, True)


def start():
    words = ["sh", "-c", 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"', "sh", server, "--data", data, "--no-system"]
    process = subprocess.Popen(
        words, preexec_fn=hand_over, close_fds=False, stdout=subprocess.DEVNULL,
        env=dict(os.environ, NOTIFY_SOCKET=manager.getsockname(), SWIFT_BACKTRACE="enable=no"))
    told.append([manager.recv(256).decode()])
    return process


def stop(process):
    process.send_signal(signal.SIGTERM)
    told[-1].append(manager.recv(256).decode())
    if process.wait(60) != 0:
        failed.append("the server ended with %d" % process.returncode)


def request(path, body=None):
    secret = credentials["ingest_key"] if body else credentials["admin_token"]
    headers = {"Authorization": "Bearer " + secret, "Content-Type": "application/json", "Connection": "close"}
    with urllib.request.urlopen(urllib.request.Request(address + path, body, headers), timeout=60) as answer:
        return answer.status, json.load(answer)


def send(client):
    number = 0
    while not is_over.is_set():
        number += 1
        event = "%032x" % (client * 1_000_000 + number)
        try:
            status, _ = request("/api/v1/ingest", template.replace("%032x" % 1, event).encode())
            (accepted if status == 202 else failed).append(event)
        except OSError as error:
            failed.append(str(error))


def wait_for_more(count):
    enough = len(accepted) + count
    end = time.monotonic() + 60
    while len(accepted) < enough and not failed and time.monotonic() < end:
        time.sleep(0.01)


def stored():
    _, document = request("/api/v1/projects/default/issues")
    return sum(issue["events"] for issue in document["issues"])


process = start()
credentials = json.load(open(os.path.join(data, "credentials.json"), encoding="utf-8"))
clients = [threading.Thread(target=send, args=(number,)) for number in range(1, 5)]
for client in clients:
    client.start()
for _ in range(3):
    wait_for_more(40)
    stop(process)
    process = start()
wait_for_more(40)
is_over.set()
for client in clients:
    client.join()
end = time.monotonic() + 60
while (count := stored()) < len(accepted) and time.monotonic() < end:
    time.sleep(0.1)
stop(process)
print(json.dumps({"accepted": len(accepted), "failed": failed, "told": told, "stored": count}))
