/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104), for fingerprints and pseudonyms. No dependency; thread-safe. */
#ifndef VAKA_DIGEST_H
#define VAKA_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define VAKA_SHA256_BYTES 32u
#define VAKA_SHA256_BLOCK 64u

struct vaka_sha256 {
    uint32_t state[8];
    uint64_t bytes;
    uint8_t block[VAKA_SHA256_BLOCK];
};

void vaka_sha256_begin(struct vaka_sha256 *hash);
/* `data` may be NULL where `bytes` is 0. */
void vaka_sha256_add(struct vaka_sha256 *hash, const void *data, size_t bytes);
void vaka_sha256_end(struct vaka_sha256 *hash, uint8_t digest[VAKA_SHA256_BYTES]);

/* Keys of any length. */
void vaka_hmac_sha256(const void *key, size_t key_bytes, const void *data, size_t bytes,
                      uint8_t digest[VAKA_SHA256_BYTES]);

#endif
