/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a rule may begin in a text, and whether a name stands for a secret. */
#include "scan.h"

enum { WORDS = VAKA_SCAN_STARTS / 64, LONGEST_NAME = 256 };

static bool is_separator(uint8_t byte) {
    return byte == '_' || byte == '-' || byte == '.' || byte == ' ';
}

static uint8_t folded(uint8_t byte) {
    return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte;
}

/* Whether one of `wanted` may begin at the place. `before` is the byte there, negative where the text begins. */
static bool begins(const struct vaka_scan_rules *rules, const uint8_t *bytes, size_t count, size_t position, int before,
                   const uint64_t wanted[WORDS], uint16_t heaps) {
    /* Behind a text's quotes there is always a byte before; near the end of all there is no hurry. */
    if (position + SCAN_FILTER < count && (scan_heaps(rules, bytes + position) & heaps) == 0)
        return false;
    uint64_t left[WORDS];
    uint64_t any = 0;
    for (unsigned word = 0; word < WORDS; word++)
        left[word] = wanted[word] & (before < 0 ? ~UINT64_C(0) : ~rules->not_behind[before][word]);
    for (unsigned place = 0; place < VAKA_SCAN_START; place++) {
        uint8_t byte = position + place < count ? bytes[position + place] : 0;
        any = 0;
        for (unsigned word = 0; word < WORDS; word++)
            any |= left[word] &= rules->starts[place][byte][word];
        if (any == 0)
            return false;
    }
    return true;
}

bool scan_may_match(const struct vaka_scan_request *request, const struct scan_index *index, size_t start, size_t end) {
    const struct vaka_scan_rules *rules = request->rules;
    for (size_t at = start; (at = scan_next(index->candidates, at, end)) < end; at++)
        if (begins(rules, request->bytes, request->count, at, at > start ? request->bytes[at - 1] : -1, rules->texts,
                   rules->text_heaps))
            return true;
    return false;
}

static bool fits(const struct scan_name *part, const uint8_t *name, size_t length, size_t start) {
    size_t position = start;
    for (size_t i = 0; part->is_whole && i < start; i++)
        if (!is_separator(name[i]))
            return false;
    for (size_t i = 0; i < part->length; i++) {
        while (position < length && is_separator(name[position]))
            position++;
        if (position >= length || folded(name[position]) != part->bytes[i])
            return false;
        position++;
    }
    for (; (part->is_whole || part->is_end) && position < length; position++)
        if (!is_separator(name[position]))
            return false;
    return true;
}

static bool fits_any(const struct vaka_scan_rules *rules, const uint8_t *name, size_t length, size_t start) {
    for (size_t i = 0; i < rules->part_count; i++)
        if (rules->parts[i].bytes[0] == folded(name[start]) && fits(&rules->parts[i], name, length, start))
            return true;
    return false;
}

bool scan_is_secret_name(const struct vaka_scan_request *request, const struct scan_index *index, size_t start,
                         size_t end) {
    const struct vaka_scan_rules *rules = request->rules;
    if (end - start > LONGEST_NAME)
        return false;
    for (size_t at = start; (at = scan_next(index->candidates, at, end)) < end; at++)
        if (begins(rules, request->bytes, request->count, at, -1, rules->names, rules->name_heaps) &&
            fits_any(rules, request->bytes + start, end - start, at - start))
            return true;
    return false;
}

bool scan_is_secret_word(const struct vaka_scan_rules *rules, const uint8_t *word, size_t length) {
    for (size_t at = 0; length <= LONGEST_NAME && at < length; at++)
        if (fits_any(rules, word, length, at))
            return true;
    return false;
}
