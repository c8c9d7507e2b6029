/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"
#include "scan.h"

static bool is_of_base64(uint8_t byte) {
    uint8_t is_letter = (uint8_t)((byte | 0x20) - 'a') < 26, is_digit = (uint8_t)(byte - '0') < 10;
    return is_letter | is_digit | (byte == '+') | (byte == '/');
}

#if defined(__x86_64__)
/* Bits: + and /, digits, letters with a higher half of 4 or 6, those with 5 or 7. */
static const uint8_t low[16] = {10, 14, 14, 14, 14, 14, 14, 14, 14, 14, 12, 5, 4, 4, 4, 5};
static const uint8_t high[16] = {0, 0, 1, 2, 4, 8, 4, 8};

/* How many bytes from the start on are looked at; SIZE_MAX where one is another. */
AVX2 static size_t vectors(const uint8_t *bytes, size_t count) {
    size_t position = 0;
    for (; position + 32 <= count; position += 32) {
        __m256i classes = scan_classes(_mm256_loadu_si256((const __m256i *)(bytes + position)), low, high);
        if (_mm256_movemask_epi8(_mm256_cmpeq_epi8(classes, _mm256_setzero_si256())) != 0)
            return SIZE_MAX;
    }
    return position;
}
#endif

bool vaka_scan_is_base64(const uint8_t *bytes, size_t count) {
    size_t padding = 0, position = 0;
    if (count % 4 != 0)
        return false;
    while (padding < 2 && padding < count && bytes[count - 1 - padding] == '=')
        padding++;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        position = vectors(bytes, count - padding);
    if (position == SIZE_MAX)
        return false;
#endif
    while (position < count - padding && is_of_base64(bytes[position]))
        position++;
    return position == count - padding;
}
