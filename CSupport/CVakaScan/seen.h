/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of one text that were looked at: what is the same, byte for byte, need not be looked at again. Documents of crashes
   have the same names and words in each frame. A fixed number is remembered. */
#ifndef VAKA_SCAN_SEEN_H
#define VAKA_SCAN_SEEN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SCAN_SEEN = 256, SCAN_SEEN_LONGEST = 64 };

struct scan_seen {
    struct {
        uint32_t start, length;
    } pieces[SCAN_SEEN];
};

/* Where a piece of at least one byte is remembered. At least eight bytes can be read from its start on. */
static inline unsigned scan_seen_place(const uint8_t *piece, size_t length) {
    uint64_t first, last;
    memcpy(&first, piece, sizeof first);
    if (length < sizeof first) {
        first &= (UINT64_C(1) << length * 8) - 1;
        last = first;
    } else {
        memcpy(&last, piece + length - sizeof last, sizeof last);
    }
    return (unsigned)(((first ^ last * UINT64_C(0x9e3779b97f4a7c15) ^ length) * UINT64_C(0xff51afd7ed558ccd)) >> 56);
}

/* Of pieces as long as each other, of which at least eight bytes can be read. */
static inline bool scan_is_same(const uint8_t *one, const uint8_t *other, size_t length) {
    uint64_t first, second;
    memcpy(&first, one, sizeof first);
    memcpy(&second, other, sizeof second);
    if (length < sizeof first)
        return (first ^ second) << (64 - length * 8) == 0;
    for (size_t at = length % sizeof first; first == second && at < length; at += sizeof first) {
        memcpy(&first, one + at, sizeof first);
        memcpy(&second, other + at, sizeof second);
    }
    return first == second;
}

/* Whether a piece like it was remembered; `place` is where it is to be remembered, SCAN_SEEN where it is not. */
static inline bool scan_is_seen(const struct scan_seen *seen, const uint8_t *bytes, size_t count, size_t start,
                                size_t length, unsigned *place) {
    *place = SCAN_SEEN;
    if (length == 0 || length > SCAN_SEEN_LONGEST || start + sizeof(uint64_t) > count)
        return false;
    *place = scan_seen_place(bytes + start, length);
    return seen->pieces[*place].length == length &&
           scan_is_same(bytes + seen->pieces[*place].start, bytes + start, length);
}

static inline void scan_remember(struct scan_seen *seen, size_t start, size_t length, unsigned place) {
    if (place == SCAN_SEEN)
        return;
    seen->pieces[place].start = (uint32_t)start;
    seen->pieces[place].length = (uint32_t)length;
}

#endif
