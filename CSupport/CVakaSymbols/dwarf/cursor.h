/* SPDX-License-Identifier: Apache-2.0 */
/* Reads little-endian values from bytes of unknown honesty. Reading past the end gives zeros and sets `failed`. */
#ifndef VAKA_DWARF_CURSOR_H
#define VAKA_DWARF_CURSOR_H

#include "vaka_symbols.h"

#include <string.h>

struct vaka_cursor {
    const uint8_t *at;
    const uint8_t *end;
    bool failed;
};

/* Offsets beyond the bytes give a cursor that has failed. */
static inline struct vaka_cursor vaka_cursor_at(struct vaka_bytes bytes, uint64_t offset) {
    struct vaka_cursor cursor = {bytes.start, bytes.start, true};
    if (bytes.start != NULL && offset <= bytes.size) {
        cursor = (struct vaka_cursor){bytes.start + offset, bytes.start + bytes.size, false};
    }
    return cursor;
}

static inline size_t vaka_cursor_left(const struct vaka_cursor *cursor) {
    return (size_t)(cursor->end - cursor->at);
}

static inline void vaka_cursor_fail(struct vaka_cursor *cursor) {
    cursor->failed = true;
    cursor->at = cursor->end;
}

static inline void vaka_skip(struct vaka_cursor *cursor, uint64_t count) {
    if (count > vaka_cursor_left(cursor)) {
        vaka_cursor_fail(cursor);
    } else {
        cursor->at += count;
    }
}

#define VAKA_TAKE(name, type)                                                                                          \
    static inline type name(struct vaka_cursor *cursor) {                                                              \
        type value = 0;                                                                                                \
        if (vaka_cursor_left(cursor) < sizeof value) {                                                                 \
            vaka_cursor_fail(cursor);                                                                                  \
            return 0;                                                                                                  \
        }                                                                                                              \
        memcpy(&value, cursor->at, sizeof value);                                                                      \
        cursor->at += sizeof value;                                                                                    \
        return value;                                                                                                  \
    }

VAKA_TAKE(vaka_take_u8, uint8_t)
VAKA_TAKE(vaka_take_u16, uint16_t)
VAKA_TAKE(vaka_take_u32, uint32_t)
VAKA_TAKE(vaka_take_u64, uint64_t)

/* A value of 1 to 8 bytes. */
static inline uint64_t vaka_take_sized(struct vaka_cursor *cursor, unsigned size) {
    uint64_t value = 0;
    if (size == 0 || size > 8 || size > vaka_cursor_left(cursor)) {
        vaka_cursor_fail(cursor);
        return 0;
    }
    memcpy(&value, cursor->at, size);
    cursor->at += size;
    return value;
}

static inline uint64_t vaka_take_uleb(struct vaka_cursor *cursor) {
    uint64_t value = 0;
    for (unsigned shift = 0; cursor->at < cursor->end; shift += 7) {
        uint8_t byte = *cursor->at++;
        if (shift < 64) {
            value |= (uint64_t)(byte & 0x7f) << shift;
        }
        if ((byte & 0x80) == 0) {
            return value;
        }
    }
    vaka_cursor_fail(cursor);
    return 0;
}

static inline int64_t vaka_take_sleb(struct vaka_cursor *cursor) {
    uint64_t value = 0;
    for (unsigned shift = 0; cursor->at < cursor->end;) {
        uint8_t byte = *cursor->at++;
        if (shift < 64) {
            value |= (uint64_t)(byte & 0x7f) << shift;
        }
        shift += 7;
        if ((byte & 0x80) == 0) {
            if ((byte & 0x40) != 0 && shift < 64) {
                value |= UINT64_MAX << shift;
            }
            return (int64_t)value;
        }
    }
    vaka_cursor_fail(cursor);
    return 0;
}

/* A text that ends with NUL; longer ones than any linker's are a failure. */
static inline struct vaka_bytes vaka_take_text(struct vaka_cursor *cursor) {
    size_t left = vaka_cursor_left(cursor);
    size_t most = left < VAKA_LONGEST_TEXT ? left : VAKA_LONGEST_TEXT;
    const uint8_t *end = most == 0 ? NULL : memchr(cursor->at, 0, most);
    if (end == NULL) {
        vaka_cursor_fail(cursor);
        return (struct vaka_bytes){NULL, 0};
    }
    struct vaka_bytes text = {cursor->at, (size_t)(end - cursor->at)};
    cursor->at = end + 1;
    return text;
}

#endif
