/* SPDX-License-Identifier: Apache-2.0 */
/* What the processor may have: 32 bytes at a time. */
#ifndef VAKA_SCAN_VECTORS_H
#define VAKA_SCAN_VECTORS_H

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#define AVX2 __attribute__((target("avx2")))

/* Of each byte: the bits that both the table of its lower half and that of its higher half have. */
AVX2 static inline __m256i scan_classes(__m256i bytes, const uint8_t low[16], const uint8_t high[16]) {
    const __m256i half = _mm256_set1_epi8(0x0f);
    __m256i lows = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)low));
    __m256i highs = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)high));
    __m256i upper = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half);
    return _mm256_and_si256(_mm256_shuffle_epi8(lows, _mm256_and_si256(bytes, half)),
                            _mm256_shuffle_epi8(highs, upper));
}
#endif

#endif
