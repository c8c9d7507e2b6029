# SPDX-License-Identifier: Apache-2.0
"""An S3-compatible store on loopback, by moto, that checks signatures and misbehaves as a test asks.

    s3_server.py FOLDER [PORT]

Prints `listening on PORT`. It has the bucket `vaka-test`, for the key `AKIA…` and the secret in FOLDER/key (a line each), which
the first start writes. What it stores is in FOLDER/objects after SIGTERM, and there again after the next start. While
FOLDER/mode.json is there, it answers as that says: {"status", "code"}: with that error; {"delay"}: so many seconds later;
{"only": METHOD}: the method that this is about. Each request is a line "METHOD PATH?QUERY" of FOLDER/requests.
"""

import base64
import json
import os
import signal
import sys
import threading
import time

folder = sys.argv[1]
port = int(sys.argv[2]) if len(sys.argv) > 2 else 0
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "0"
os.environ["AWS_CONFIG_FILE"] = os.environ["AWS_SHARED_CREDENTIALS_FILE"] = os.devnull

from moto.iam.models import iam_backends
from moto.s3.models import s3_backends
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

ACCOUNT = "123456789012"
BUCKET = "vaka-test"
lock = threading.Lock()
objects = os.path.join(folder, "objects")
store = s3_backends[ACCOUNT]["aws"]


def make_user():
    users = iam_backends[ACCOUNT]["aws"]
    users.create_user("us-east-1", "vaka")
    rights = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
    users.put_user_policy("vaka", "all", json.dumps(rights))
    key = users.create_access_key("vaka")
    place = os.path.join(folder, "key")
    if os.path.exists(place):
        with open(place, encoding="utf-8") as file:
            key.access_key_id, key.secret_access_key = file.read().split()
    with open(place, "w", encoding="utf-8") as file:
        file.write(f"{key.access_key_id}\n{key.secret_access_key}\n")


def load():
    store.create_bucket(BUCKET, "us-east-1")
    os.makedirs(objects, exist_ok=True)
    for name in os.listdir(objects):
        with open(os.path.join(objects, name), "rb") as file:
            store.put_object(BUCKET, base64.urlsafe_b64decode(name).decode(), file.read())


def save(*_):
    for name in os.listdir(objects):
        os.unlink(os.path.join(objects, name))
    for key, value in store.buckets[BUCKET].keys.items():
        with open(os.path.join(objects, base64.urlsafe_b64encode(key.encode()).decode()), "wb") as file:
            file.write(value.value)
    os._exit(0)


def mode(environment):
    try:
        with open(os.path.join(folder, "mode.json"), encoding="utf-8") as file:
            said = json.load(file)
    except FileNotFoundError:
        return {}
    return said if said.get("only") in (None, environment["REQUEST_METHOD"]) else {}


class Store:
    def __init__(self, inner):
        self.inner = inner

    def __call__(self, environment, start):
        with lock, open(os.path.join(folder, "requests"), "a", encoding="utf-8") as file:
            query = environment.get("QUERY_STRING")
            path = environment["PATH_INFO"] + ("?" + query if query else "")
            file.write(f"{environment['REQUEST_METHOD']} {path}\n")
        said = mode(environment)
        time.sleep(said.get("delay", 0))
        if "status" not in said:
            return self.inner(environment, start)
        environment["wsgi.input"].read(int(environment.get("CONTENT_LENGTH") or 0))
        body = f"<?xml version=\"1.0\"?><Error><Code>{said.get('code', 'InternalError')}</Code></Error>".encode()
        start(f"{said['status']} As asked", [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))])
        return [body if environment["REQUEST_METHOD"] != "HEAD" else b""]


def end_with(parent):
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


class Quiet(WSGIRequestHandler):
    def log_request(self, *_):
        pass


make_user()
load()
signal.signal(signal.SIGTERM, save)
threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
server = make_server("127.0.0.1", port, Store(DomainDispatcherApplication(create_backend_app)), True, 1, Quiet)
print(f"listening on {server.server_port}", flush=True)
server.serve_forever()
