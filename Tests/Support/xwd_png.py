# SPDX-License-Identifier: Apache-2.0
"""Makes a PNG of the frame buffer that Xvfb keeps in a file: xwd_png.py XWD PNG. Prints how many colours are in it."""

import struct
import sys
import zlib

source, target = sys.argv[1:]
data = open(source, "rb").read()
head = struct.unpack(">25I", data[:100])
size, width, height, depth, row, colours = head[0], head[4], head[5], head[11], head[12], head[19]
assert depth == 32, f"{depth} bits a pixel"
pixels = data[size + colours * 12:]
order = "<" if head[7] == 0 else ">"
lines = []
seen = set()
for y in range(height):
    words = struct.unpack(f"{order}{width}I", pixels[y * row:y * row + width * 4])
    seen.update(words)
    lines.append(b"\0" + b"".join(struct.pack(">I", word & 0xFFFFFF)[1:] for word in words))


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


with open(target, "wb") as file:
    file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
               + chunk(b"IDAT", zlib.compress(b"".join(lines))) + chunk(b"IEND", b""))
print(len(seen))
