/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32 (ISO 3309, reflected 0xEDB88320): the one of zlib and PNG. No allocation, no state. */
#ifndef VAKA_CHECKSUM_H
#define VAKA_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* For each value of a nibble; small enough to stay in the first-level cache of a crashing thread. */
static const uint32_t vaka_crc32_nibble[16] = {
    0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
    0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu, 0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu,
};

/* Goes on from `crc` (0 at the start) over `bytes` bytes. Async-signal-safe. */
static inline uint32_t vaka_crc32(uint32_t crc, const void *data, size_t bytes) {
    const uint8_t *p = (const uint8_t *)data;
    crc = ~crc;
    for (size_t i = 0; i < bytes; i++) {
        crc ^= p[i];
        crc = (crc >> 4) ^ vaka_crc32_nibble[crc & 15u];
        crc = (crc >> 4) ^ vaka_crc32_nibble[crc & 15u];
    }
    return ~crc;
}

#endif
