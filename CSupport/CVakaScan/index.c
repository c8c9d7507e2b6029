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

/* Both of the 64 bytes from `bytes` on. Of those of which candidates are told, the one before them can be read, and as many
   behind them as a start takes. */
static uint64_t plain_special(const uint8_t *bytes) {
    uint64_t found = 0;
    for (unsigned i = 0; i < BLOCK; i++)
        found |= (uint64_t)is_special(bytes[i]) << i;
    return found;
}

static uint64_t plain_candidates(const uint8_t *bytes, const struct vaka_scan_rules *rules) {
    uint64_t begins = 0;
    for (unsigned i = 0; i < BLOCK; i++)
        begins |= (uint64_t)(scan_heaps(rules, bytes + i) != 0) << i;
    return begins;
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

AVX2 static void vector_special(uint64_t *special, const uint8_t *bytes, size_t blocks) {
    for (size_t i = 0; i < blocks; i++) {
        uint64_t low = special_half(_mm256_loadu_si256((const __m256i *)(bytes + i * BLOCK)));
        uint64_t high = special_half(_mm256_loadu_si256((const __m256i *)(bytes + i * BLOCK + 32)));
        special[i] = low | high << 32;
    }
}

AVX2 static void vector_candidates(uint64_t *candidates, const uint8_t *bytes, size_t first, size_t end,
                                   const struct vaka_scan_rules *rules) {
    for (size_t i = first; i < end; i++) {
        const uint8_t *block = bytes + i * BLOCK;
        candidates[i] = candidate_half(block, rules) | (uint64_t)candidate_half(block + 32, rules) << 32;
    }
}
#endif

static void fill_special(struct scan_index *index, const uint8_t *bytes, size_t count) {
    size_t whole = count / BLOCK, done = 0;
#if defined(__x86_64__)
    if (index->has_vectors) {
        vector_special(index->special, bytes, whole);
        done = whole;
    }
#endif
    for (; done < whole; done++)
        index->special[done] = plain_special(bytes + done * BLOCK);
    if (done < index->words) {
        uint8_t last[BLOCK] = {0};
        size_t rest = count - done * BLOCK;
        memcpy(last, bytes + done * BLOCK, rest);
        index->special[done] = plain_special(last) & ((UINT64_C(1) << rest) - 1);
    }
}

/* Of a block of which not all that it needs around it can be read: around a text are quotes, or nothing that a rule needs. */
static uint64_t edge_candidates(const uint8_t *bytes, size_t count, size_t block, const struct vaka_scan_rules *rules) {
    uint8_t padded[1 + BLOCK + BEHIND] = {0};
    size_t start = block * BLOCK, rest = count - start;
    padded[0] = block == 0 ? '"' : bytes[start - 1];
    memcpy(padded + 1, bytes + start, rest < BLOCK + BEHIND ? rest : BLOCK + BEHIND);
    return plain_candidates(padded + 1, rules);
}

void scan_index_candidates(struct scan_index *index, const struct vaka_scan_request *request, size_t end) {
    size_t whole = request->count > BEHIND ? (request->count - BEHIND) / BLOCK : 0;
    size_t block = index->next, behind = (end + BLOCK - 1) / BLOCK;
    size_t inner = behind < whole ? behind : whole;
    index->next = behind;
    if (block == 0 && block < behind)
        index->candidates[block++] = edge_candidates(request->bytes, request->count, 0, request->rules);
#if defined(__x86_64__)
    if (index->has_vectors && block < inner) {
        vector_candidates(index->candidates, request->bytes, block, inner, request->rules);
        block = inner;
    }
#endif
    for (; block < inner; block++)
        index->candidates[block] = plain_candidates(request->bytes + block * BLOCK, request->rules);
    for (; block < behind; block++)
        index->candidates[block] = edge_candidates(request->bytes, request->count, block, request->rules);
}

bool scan_index_init(struct scan_index *index, const struct vaka_scan_request *request) {
    index->words = (request->count + BLOCK - 1) / BLOCK;
    index->next = 0;
#if defined(__x86_64__)
    index->has_vectors = !request->is_plain && __builtin_cpu_supports("avx2");
#endif
    index->special = malloc((index->words * 2 + 1) * sizeof *index->special);
    if (!index->special)
        return false;
    index->candidates = index->special + index->words;
    fill_special(index, request->bytes, request->count);
    return true;
}

void scan_index_deinit(struct scan_index *index) {
    free(index->special);
}
