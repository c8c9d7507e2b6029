/* SPDX-License-Identifier: Apache-2.0 */
#include "vaka_digest.h"

#include <string.h>

static const uint32_t rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t word, unsigned bits) {
    return word >> bits | word << (32 - bits);
}

static void schedule(uint32_t words[64], const uint8_t *block) {
    for (int i = 0; i < 16; i++) {
        const uint8_t *at = block + 4 * i;
        words[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
    for (int i = 16; i < 64; i++) {
        uint32_t before = words[i - 15], last = words[i - 2];
        uint32_t small = rotate(before, 7) ^ rotate(before, 18) ^ before >> 3;
        uint32_t large = rotate(last, 17) ^ rotate(last, 19) ^ last >> 10;
        words[i] = words[i - 16] + small + words[i - 7] + large;
    }
}

static void compress(uint32_t state[8], const uint8_t *block) {
    uint32_t words[64];
    schedule(words, block);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; i++) {
        uint32_t first =
            h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + rounds[i] + words[i];
        uint32_t second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + first;
        d = c, c = b, b = a, a = first + second;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void vaka_sha256_begin(struct vaka_sha256 *hash) {
    *hash = (struct vaka_sha256){
        .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void vaka_sha256_add(struct vaka_sha256 *hash, const void *data, size_t bytes) {
    const uint8_t *from = data;
    while (bytes > 0) {
        size_t used = hash->bytes % VAKA_SHA256_BLOCK;
        size_t part = VAKA_SHA256_BLOCK - used < bytes ? VAKA_SHA256_BLOCK - used : bytes;
        memcpy(hash->block + used, from, part);
        hash->bytes += part;
        from += part;
        bytes -= part;
        if (used + part == VAKA_SHA256_BLOCK)
            compress(hash->state, hash->block);
    }
}

void vaka_sha256_end(struct vaka_sha256 *hash, uint8_t digest[VAKA_SHA256_BYTES]) {
    static const uint8_t padding[VAKA_SHA256_BLOCK] = {0x80};
    uint64_t bits = hash->bytes * 8;
    size_t used = hash->bytes % VAKA_SHA256_BLOCK;
    vaka_sha256_add(hash, padding, used < 56 ? 56 - used : 120 - used);
    uint8_t length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    vaka_sha256_add(hash, length, sizeof(length));
    for (size_t i = 0; i < VAKA_SHA256_BYTES; i++)
        digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}
