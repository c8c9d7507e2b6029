/* SPDX-License-Identifier: Apache-2.0 */
/* The bits of a text: by the processor's vectors where it has those, 32 bytes at a time, else byte by byte. Both are alike
   for the special bytes; candidates are more or fewer, never one that begins a rule missing. */
#include "scan.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64, BEHIND = SCAN_FILTER - 2 };

static inline bool is_special(uint8_t byte) {
    return byte < 0x20 || byte == '"' || byte == '\\';
}

/* Of the 64 bytes from `bytes` on; the one before them can be read, and as many behind them as a start takes. */
static void plain_block(const uint8_t *bytes, const struct vaka_scan_rules *rules, uint64_t *special,
                        uint64_t *candidates) {
    uint64_t found = 0, begins = 0;
    for (unsigned i = 0; i < BLOCK; i++)
        found |= (uint64_t)is_special(bytes[i]) << i;
    *special = found;
    for (unsigned i = 0; rules && i < BLOCK; i++) {
        begins |= (uint64_t)(scan_heaps(rules, bytes + i) != 0) << i;
    }
    if (rules)
        *candidates = begins;
}

static void plain_blocks(struct scan_index *index, const uint8_t *bytes, size_t first, size_t end,
                         const struct vaka_scan_rules *rules) {
    for (size_t i = first; i < end; i++)
        plain_block(bytes + i * BLOCK, rules, &index->special[i], rules ? &index->candidates[i] : NULL);
}

#if defined(__x86_64__)
AVX2 static inline uint32_t special_half(__m256i bytes) {
    __m256i control = _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, _mm256_set1_epi8(0x1f)), _mm256_set1_epi8(0x1f));
    __m256i quotes = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"'));
    __m256i slashes = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\'));
    return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(control, _mm256_or_si256(quotes, slashes)));
}

AVX2 static inline uint32_t candidate_half(const uint8_t *bytes, const struct vaka_scan_rules *rules) {
    __m256i heaps = _mm256_setzero_si256();
    for (unsigned set = 0; set < SCAN_SETS; set++) {
        __m256i own = _mm256_set1_epi8(-1);
        for (unsigned i = 0; i < SCAN_FILTER; i++) {
            __m256i at = _mm256_loadu_si256((const __m256i *)(bytes + i - 1));
            own = _mm256_and_si256(own, scan_classes(at, rules->low[set][i], rules->high[set][i]));
        }
        heaps = _mm256_or_si256(heaps, own);
    }
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(heaps, _mm256_setzero_si256()));
}

AVX2 static void vector_blocks(struct scan_index *index, const uint8_t *bytes, size_t first, size_t end,
                               const struct vaka_scan_rules *rules) {
    for (size_t i = first; i < end; i++) {
        const uint8_t *block = bytes + i * BLOCK;
        uint64_t low = special_half(_mm256_loadu_si256((const __m256i *)block));
        uint64_t high = special_half(_mm256_loadu_si256((const __m256i *)(block + 32)));
        index->special[i] = low | high << 32;
        if (rules)
            index->candidates[i] = candidate_half(block, rules) | (uint64_t)candidate_half(block + 32, rules) << 32;
    }
}
#endif

/* A block of which not all that it needs around it can be read: around a text are quotes, or nothing that a rule needs. */
static void edge_block(struct scan_index *index, const uint8_t *bytes, size_t count, size_t block,
                       const struct vaka_scan_rules *rules) {
    uint8_t padded[1 + BLOCK + BEHIND] = {0};
    size_t start = block * BLOCK, rest = count - start;
    padded[0] = block == 0 ? '"' : bytes[start - 1];
    memcpy(padded + 1, bytes + start, rest < BLOCK + BEHIND ? rest : BLOCK + BEHIND);
    plain_block(padded + 1, rules, &index->special[block], rules ? &index->candidates[block] : NULL);
    if (rest < BLOCK)
        index->special[block] &= (UINT64_C(1) << rest) - 1;
}

static void fill(struct scan_index *index, const uint8_t *bytes, size_t count, const struct vaka_scan_rules *rules,
                 bool is_plain) {
    size_t whole = count > BEHIND ? (count - BEHIND) / BLOCK : 0;
    if (index->words > 0)
        edge_block(index, bytes, count, 0, rules);
#if defined(__x86_64__)
    if (!is_plain && __builtin_cpu_supports("avx2"))
        vector_blocks(index, bytes, 1, whole, rules);
    else
#endif
        plain_blocks(index, bytes, 1, whole, rules);
    (void)is_plain;
    for (size_t block = whole > 1 ? whole : 1; block < index->words; block++)
        edge_block(index, bytes, count, block, rules);
}

bool scan_index_init(struct scan_index *index, const uint8_t *bytes, size_t count, const struct vaka_scan_rules *rules,
                     bool is_plain) {
    index->words = (count + BLOCK - 1) / BLOCK;
    index->special = malloc((index->words * 2 + 1) * sizeof *index->special);
    index->candidates = rules && index->special ? index->special + index->words : NULL;
    if (!index->special)
        return false;
    fill(index, bytes, count, rules, is_plain);
    return true;
}

void scan_index_deinit(struct scan_index *index) {
    free(index->special);
}
