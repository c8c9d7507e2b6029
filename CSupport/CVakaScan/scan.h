/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VAKA_SCAN_INTERNAL_H
#define VAKA_SCAN_INTERNAL_H

#include "vaka_scan.h"

/* The places by which those of a text are sorted out: the byte before a start and its first four. */
#define SCAN_FILTER 5u
/* Starts are in sixteen heaps: a bit for each in two bytes. */
#define SCAN_SETS 2u

struct scan_name {
    uint8_t *bytes;
    size_t length;
    bool is_whole, is_end;
};

struct vaka_scan_rules {
    /* By place and byte: which starts may have it there. */
    uint64_t starts[VAKA_SCAN_START][256][VAKA_SCAN_STARTS / 64];
    /* By the byte before: which starts do not stand there. */
    uint64_t not_behind[256][VAKA_SCAN_STARTS / 64];
    uint64_t texts[VAKA_SCAN_STARTS / 64], names[VAKA_SCAN_STARTS / 64];
    /* The byte before and the first places again, for heaps of starts: exact, and by halves of the byte. */
    uint16_t heaps[SCAN_FILTER][256];
    /* The heaps that have starts of each kind. */
    uint16_t text_heaps, name_heaps;
    uint8_t low[SCAN_SETS][SCAN_FILTER][16], high[SCAN_SETS][SCAN_FILTER][16];
    struct scan_name *parts;
    size_t part_count;
};

/* A bit for each byte of a text. */
struct scan_index {
    /* Quotes, backslashes and control characters. */
    uint64_t *special;
    /* Where a rule may begin: 64 at a time, where they are asked for. */
    uint64_t *candidates;
    size_t words;
    /* The word behind the last candidates that were asked for. */
    size_t next;
    bool has_vectors;
};

/* False for want of memory. */
bool scan_index_init(struct scan_index *index, const struct vaka_scan_request *request);
void scan_index_deinit(struct scan_index *index);
/* Tells the candidates before `end` that are not known yet. */
void scan_index_candidates(struct scan_index *index, const struct vaka_scan_request *request, size_t end);

/* Of the part of a text that stands between quotes. */
bool scan_may_match(const struct vaka_scan_request *request, const struct scan_index *index, size_t start, size_t end);
bool scan_is_secret_name(const struct vaka_scan_request *request, const struct scan_index *index, size_t start,
                         size_t end);
/* The same of a name with escapes, which are resolved here. */
bool scan_is_secret_word(const struct vaka_scan_rules *rules, const uint8_t *word, size_t length);

/* What a checked text between quotes says, its escapes resolved; its length, or `room` + 1 where it is longer than that. */
size_t scan_unescape(const uint8_t *text, size_t length, uint8_t *result, size_t room);

/* The heaps with a start that may be here. The byte before can be read, and those that a start takes. */
static inline uint16_t scan_heaps(const struct vaka_scan_rules *rules, const uint8_t *bytes) {
    uint16_t heaps = rules->heaps[0][bytes[-1]];
    for (unsigned place = 1; place < SCAN_FILTER; place++)
        heaps &= rules->heaps[place][bytes[place - 1]];
    return heaps;
}

/* The first bit from `position` on, or `count`. */
static inline size_t scan_next(const uint64_t *bits, size_t position, size_t count) {
    if (position >= count)
        return count;
    size_t word = position >> 6;
    uint64_t rest = bits[word] & ~UINT64_C(0) << (position & 63);
    size_t words = (count + 63) >> 6;
    while (rest == 0) {
        if (++word == words)
            return count;
        rest = bits[word];
    }
    return word << 6 | (size_t)__builtin_ctzll(rest);
}

/* Whether one of the bits from `start` on and before `end` is set. */
static inline bool scan_any(const uint64_t *bits, size_t start, size_t end) {
    if (start >= end || start >> 6 != (end - 1) >> 6)
        return scan_next(bits, start, end) < end;
    return (bits[start >> 6] >> (start & 63) & (~UINT64_C(0) >> (64 - (end - start)))) != 0;
}

#endif
