# SPDX-License-Identifier: Apache-2.0
"""A crash of many threads, as large as the service is asked to show: 200 threads of 50 frames, 200 breadcrumbs."""
import json
import time

THREADS, FRAMES = 200, 50
EVENT = f"{0xbe:032x}"


def frame(number):
    name = f"Shop.Cart{number % 977}.update(item{number * 31 % 4096}: Item, count: Int) throws -> Receipt"
    return {
        "instruction_addr": hex(0x1000 + number * 7919 % 4000), "trust": "cfi", "symbol": name, "function": name,
        "file": f"/home/build/shop/Sources/Shop/Cart{number % 977}.swift", "line": number * 13 % 1500 + 1, "module": "shop",
        "build_id": "abcd", "relative_addr": hex(number * 7919 % 4000), "in_app": number % 3 != 0, "status": "symbolicated",
    }


def batch():
    frames = [frame(number) for number in range(THREADS * FRAMES)]
    threads = [
        {"id": 1000 + index, "name": f"worker-{index}", "crashed": index == 3, "registers": {"rip": "0x1010", "rsp": "0x7fff0000"},
         "frames": frames[index * FRAMES:(index + 1) * FRAMES]} for index in range(THREADS)
    ]
    crumbs = [
        {"timestamp": f"2026-01-01T00:{number // 60:02}:{number % 60:02}.000Z", "category": "ui", "message": f"step {number}"}
        for number in range(200)
    ]
    event = {
        "schema_version": 1, "event_id": EVENT, "type": "crash", "timestamp": "2026-01-01T01:00:00.000Z", "platform": "linux",
        "arch": "x86_64", "level": "fatal", "release": "shop@1.0", "reason": {"signal": "SIGSEGV", "number": 11}, "threads": threads,
        "breadcrumbs": crumbs,
        "debug_images": [
            {"type": "elf", "build_id": "abcd", "code_file": "/opt/shop", "image_addr": "0x1000", "image_size": 4096}],
    }
    return {
        "schema_version": 1, "install_id": "bench", "sequence": 1, "sent_at": "2026-01-01T01:00:00.000Z",
        "items": [{"kind": "event", "id": EVENT, "payload": event}],
    }


def send(server):
    """Returns when its page can be asked for."""
    headers = {"Authorization": f"Bearer {server.credentials['ingest_key']}", "Content-Type": "application/json"}
    server.connection.request("POST", "/api/v1/ingest", json.dumps(batch()), headers)
    answer = server.connection.getresponse()
    if answer.status != 202:
        raise SystemExit(f"the large event: {answer.status} {answer.read()[:300]}")
    answer.read()
    while True:
        server.connection.request("GET", f"/api/v1/projects/default/events/{EVENT}", headers=server.token)
        answer = server.connection.getresponse()
        answer.read()
        if answer.status == 200:
            return
        time.sleep(0.1)
