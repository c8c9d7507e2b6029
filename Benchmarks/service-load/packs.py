# SPDX-License-Identifier: Apache-2.0
"""Writes requests as they go over the wire, each with an event of its own id, for the load client.

Bodies are gzip as the SDKs send them. What differs from event to event stands at the body's beginning and is deflated for
each; the rest follows it as it was deflated once.
"""
import json
import struct
import zlib

GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


class Tail:
    """The common end of all bodies."""

    def __init__(self, data):
        deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
        self.data = data
        self.deflated = deflate.compress(data) + deflate.flush()

    def body(self, head):
        return self.gzip(head)

    def gzip(self, head):
        deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
        first = deflate.compress(head) + deflate.flush(zlib.Z_FULL_FLUSH)
        check = zlib.crc32(self.data, zlib.crc32(head))
        return GZIP_HEAD + first + self.deflated + struct.pack("<II", check, len(head) + len(self.data))


class TailWithParts(Tail):
    """The text is the first part of the body, captured memory follows it."""

    def __init__(self, data, parts):
        super().__init__(data)
        self.parts = b"".join(sized(part) for part in parts)

    def body(self, head):
        return b"VKB1" + sized(self.gzip(head)) + self.parts


def sized(data):
    return struct.pack("<I", len(data)) + data


def compact(value):
    return json.dumps(value, separators=(",", ":")).encode()


def event_id(number):
    return f"{number * 0x9E3779B97F4A7C15 % (1 << 128):032x}"


def batch(event, parts=()):
    """Heads and the tail of batches of one event each, which the parts are of."""
    members = compact({key: value for key, value in event.items() if key != "event_id"})

    def head(number):
        identity = event_id(number)
        start = {"schema_version": 1, "sdk": {"name": "vaka-c", "version": "1.0"}, "install_id": f"i{number % 997}",
                 "sequence": number // 997 + 1, "sent_at": event["timestamp"]}
        own = f'"parts":{len(parts)},' if parts else ""
        return compact(start)[:-1] + (
            f',"items":[{{"kind":"event","id":"{identity}",{own}"payload":{{"event_id":"{identity}",'.encode())

    end = members[1:] + b"}]}"
    return head, TailWithParts(end, parts) if parts else Tail(end)


def envelope(event, stack):
    """The same for Sentry's protocol; memory goes beside the event, as an attachment."""
    members = compact(event)[1:]
    attachment = b"" if stack is None else b"\n" + compact(
        {"type": "attachment", "length": len(stack), "filename": "stack"}) + b"\n" + stack

    def head(number):
        identity = event_id(number)
        opening = f'{{"event_id":"{identity}",'.encode()
        item = compact({"type": "event", "length": len(opening) + len(members)})
        return compact({"event_id": identity}) + b"\n" + item + b"\n" + opening

    return head, Tail(members + attachment)


def write(path, count, address, headers, parts, start):
    """A pack of `count` requests, numbered from `start`; the size of a body, as sent and decompressed."""
    head, tail = parts
    if isinstance(tail, TailWithParts):
        headers = headers | {"Content-Type": "application/vnd.vaka.batch"}
    else:
        headers = headers | {"Content-Encoding": "gzip"}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    with open(path, "wb") as file:
        for number in range(start, start + count):
            first = head(number)
            body = tail.body(first)
            request = (
                f"POST {address} HTTP/1.1\r\nHost: localhost\r\n{lines}"
                f"Content-Length: {len(body)}\r\n\r\n").encode() + body
            file.write(struct.pack("=I", len(request)) + request)
    return len(body), len(first) + len(tail.data)
