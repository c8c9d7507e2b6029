/* SPDX-License-Identifier: Apache-2.0 */
#include "vaka_digest.h"

#include <string.h>

static void hash_two(const uint8_t first[VAKA_SHA256_BLOCK], const void *second, size_t bytes,
                     uint8_t digest[VAKA_SHA256_BYTES]) {
    struct vaka_sha256 hash;
    vaka_sha256_begin(&hash);
    vaka_sha256_add(&hash, first, VAKA_SHA256_BLOCK);
    vaka_sha256_add(&hash, second, bytes);
    vaka_sha256_end(&hash, digest);
}

void vaka_hmac_sha256(const void *key, size_t key_bytes, const void *data, size_t bytes,
                      uint8_t digest[VAKA_SHA256_BYTES]) {
    uint8_t block[VAKA_SHA256_BLOCK] = {0};
    uint8_t inner[VAKA_SHA256_BLOCK], outer[VAKA_SHA256_BLOCK];
    if (key_bytes > sizeof(block)) {
        struct vaka_sha256 hash;
        vaka_sha256_begin(&hash);
        vaka_sha256_add(&hash, key, key_bytes);
        vaka_sha256_end(&hash, block);
    } else if (key_bytes > 0) {
        memcpy(block, key, key_bytes);
    }
    for (size_t i = 0; i < sizeof(block); i++) {
        inner[i] = block[i] ^ 0x36;
        outer[i] = block[i] ^ 0x5c;
    }
    uint8_t first[VAKA_SHA256_BYTES];
    hash_two(inner, data, bytes, first);
    hash_two(outer, first, sizeof(first), digest);
}
