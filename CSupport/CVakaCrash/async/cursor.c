/* SPDX-License-Identifier: Apache-2.0 */
#include "cursor.h"
#include "reader.h"

/* No number of ours has more; longer ones are padded with zeros, which only a damaged file has this many of. */
#define LEB_BYTES_MAX 16

enum form {
    FORM_ADDRESS = 0x0,
    FORM_ULEB = 0x1,
    FORM_U2 = 0x2,
    FORM_U4 = 0x3,
    FORM_U8 = 0x4,
    FORM_SLEB = 0x9,
    FORM_S2 = 0xa,
    FORM_S4 = 0xb,
    FORM_S8 = 0xc,
};

enum base {
    BASE_NONE = 0x00,
    BASE_PLACE = 0x10,
    BASE_DATA = 0x30,
};

uint64_t vaka_async_cursor_number(struct vaka_cursor *cursor, size_t bytes) {
    uint64_t value = 0;
    if (cursor->failed || cursor->at > cursor->end || cursor->end - cursor->at < bytes ||
        !vaka_async_read(cursor->at, &value, bytes)) {
        cursor->failed = true;
        return 0;
    }
    cursor->at += bytes;
    return value;
}

int64_t vaka_async_cursor_signed(struct vaka_cursor *cursor, size_t bytes) {
    uint64_t value = vaka_async_cursor_number(cursor, bytes);
    unsigned int shift = 64 - 8 * (unsigned int)bytes;
    return (int64_t)(value << shift) >> shift;
}

static uint64_t leb(struct vaka_cursor *cursor, bool is_signed) {
    uint64_t value = 0;
    unsigned int shift = 0;
    for (int i = 0; i < LEB_BYTES_MAX; i++) {
        uint64_t byte = vaka_async_cursor_number(cursor, 1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        shift += 7;
        if ((byte & 0x80) != 0)
            continue;
        if (is_signed && shift < 64 && (byte & 0x40) != 0)
            value |= ~(uint64_t)0 << shift;
        return value;
    }
    cursor->failed = true;
    return 0;
}

uint64_t vaka_async_cursor_uleb(struct vaka_cursor *cursor) {
    return leb(cursor, false);
}

int64_t vaka_async_cursor_sleb(struct vaka_cursor *cursor) {
    return (int64_t)leb(cursor, true);
}

void vaka_async_cursor_skip(struct vaka_cursor *cursor, uint64_t bytes) {
    if (cursor->failed || cursor->at > cursor->end || cursor->end - cursor->at < bytes) {
        cursor->failed = true;
        return;
    }
    cursor->at += bytes;
}

size_t vaka_async_encoded_bytes(uint8_t encoding) {
    switch (encoding & VAKA_ENCODING_FORM) {
    case FORM_U2:
    case FORM_S2:
        return 2;
    case FORM_U4:
    case FORM_S4:
        return 4;
    case FORM_ADDRESS:
    case FORM_U8:
    case FORM_S8:
        return 8;
    default:
        return 0;
    }
}

static uint64_t encoded_number(struct vaka_cursor *cursor, uint8_t encoding) {
    switch (encoding & VAKA_ENCODING_FORM) {
    case FORM_ULEB:
        return vaka_async_cursor_uleb(cursor);
    case FORM_SLEB:
        return (uint64_t)vaka_async_cursor_sleb(cursor);
    case FORM_S2:
        return (uint64_t)vaka_async_cursor_signed(cursor, 2);
    case FORM_S4:
        return (uint64_t)vaka_async_cursor_signed(cursor, 4);
    case FORM_U2:
    case FORM_U4:
    case FORM_U8:
    case FORM_S8:
    case FORM_ADDRESS:
        return vaka_async_cursor_number(cursor, vaka_async_encoded_bytes(encoding));
    default:
        cursor->failed = true;
        return 0;
    }
}

uint64_t vaka_async_cursor_pointer(struct vaka_cursor *cursor, uint8_t encoding, uint64_t data) {
    if ((encoding & VAKA_ENCODING_BASE) == VAKA_ENCODING_ALIGNED) {
        vaka_async_cursor_skip(cursor, -cursor->at & 7);
        return vaka_async_cursor_number(cursor, sizeof(uint64_t));
    }
    uint64_t place = cursor->at;
    uint64_t number = encoded_number(cursor, encoding);
    switch (encoding & VAKA_ENCODING_BASE) {
    case BASE_NONE:
        return number;
    case BASE_PLACE:
        return number + place;
    case BASE_DATA:
        return number + data;
    default:
        cursor->failed = true;
        return 0;
    }
}
