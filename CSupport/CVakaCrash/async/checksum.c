/* SPDX-License-Identifier: Apache-2.0 */
#include "checksum.h"

#include <string.h>

static uint32_t tables[8][256];

void vaka_async_checksum_prepare(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1u)));
        tables[0][i] = crc;
    }
    for (uint32_t i = 0; i < 256; i++) {
        for (int table = 1; table < 8; table++) {
            uint32_t before = tables[table - 1][i];
            tables[table][i] = (before >> 8) ^ tables[0][before & 0xffu];
        }
    }
}

uint32_t vaka_async_crc32(uint32_t crc, const void *data, size_t bytes) {
    const uint8_t *p = data;
    crc = ~crc;
    for (; bytes >= 8; bytes -= 8, p += 8) {
        uint32_t low, high;
        memcpy(&low, p, 4);
        memcpy(&high, p + 4, 4);
        low ^= crc;
        crc = tables[7][low & 0xffu] ^ tables[6][(low >> 8) & 0xffu] ^ tables[5][(low >> 16) & 0xffu] ^
              tables[4][low >> 24] ^ tables[3][high & 0xffu] ^ tables[2][(high >> 8) & 0xffu] ^
              tables[1][(high >> 16) & 0xffu] ^ tables[0][high >> 24];
    }
    for (; bytes > 0; bytes--, p++)
        crc = (crc >> 8) ^ tables[0][(crc ^ *p) & 0xffu];
    return ~crc;
}
