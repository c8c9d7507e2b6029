/* SPDX-License-Identifier: Apache-2.0 */
#include "scan.h"

static uint32_t unit(const uint8_t *digits) {
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint8_t digit = digits[i];
        value = value << 4 | (digit <= '9' ? digit - '0' : (digit | 0x20u) - 'a' + 10u);
    }
    return value;
}

static uint8_t meaning(uint8_t escape) {
    switch (escape) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return escape;
    }
}

/* In UTF-8; half a pair of surrogates is written as such, and is like no name. */
static unsigned encode(uint32_t scalar, uint8_t result[4]) {
    if (scalar < 0x80) {
        result[0] = (uint8_t)scalar;
        return 1;
    }
    unsigned count = scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4;
    for (unsigned i = count - 1; i > 0; i--, scalar >>= 6)
        result[i] = (uint8_t)(0x80 | (scalar & 0x3f));
    result[0] = (uint8_t)(0xf00u >> count | scalar);
    return count;
}

/* Of `\uXXXX`, or of two that are one. Moves behind it. */
static uint32_t scalar(const uint8_t *text, size_t length, size_t *position) {
    uint32_t first = unit(text + *position + 2);
    *position += 6;
    if (first < 0xd800 || first > 0xdbff || *position + 6 > length || text[*position] != '\\' ||
        text[*position + 1] != 'u')
        return first;
    uint32_t second = unit(text + *position + 2);
    if (second < 0xdc00 || second > 0xdfff)
        return first;
    *position += 6;
    return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
}

size_t scan_unescape(const uint8_t *text, size_t length, uint8_t *result, size_t room) {
    size_t position = 0, made = 0;
    while (position < length) {
        uint8_t bytes[4] = {text[position]};
        unsigned count = 1;
        if (bytes[0] != '\\') {
            position++;
        } else if (text[position + 1] == 'u') {
            count = encode(scalar(text, length, &position), bytes);
        } else {
            bytes[0] = meaning(text[position + 1]);
            position += 2;
        }
        if (made + count > room)
            return room + 1;
        for (unsigned i = 0; i < count; i++)
            result[made++] = bytes[i];
    }
    return made;
}
