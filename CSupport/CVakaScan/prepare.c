/* SPDX-License-Identifier: Apache-2.0 */
/* Rules made ready. */
#include "scan.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = VAKA_SCAN_STARTS / 64 };

struct vaka_scan_rules *vaka_scan_rules_create(void) {
    return calloc(1, sizeof(struct vaka_scan_rules));
}

void vaka_scan_rules_free(struct vaka_scan_rules *rules) {
    for (size_t i = 0; rules && i < rules->part_count; i++)
        free(rules->parts[i].bytes);
    if (rules)
        free(rules->parts);
    free(rules);
}

void vaka_scan_rules_begin(struct vaka_scan_rules *rules, uint32_t start, bool is_name) {
    (is_name ? rules->names : rules->texts)[start / 64] |= UINT64_C(1) << start % 64;
}

void vaka_scan_rules_allow(struct vaka_scan_rules *rules, uint32_t start, uint32_t place, uint8_t byte) {
    rules->starts[place][byte][start / 64] |= UINT64_C(1) << start % 64;
}

void vaka_scan_rules_forbid(struct vaka_scan_rules *rules, uint32_t start, uint8_t byte) {
    rules->not_behind[byte][start / 64] |= UINT64_C(1) << start % 64;
}

bool vaka_scan_rules_add(struct vaka_scan_rules *rules, const uint8_t *name, size_t length, bool is_whole,
                         bool is_end) {
    struct scan_name *parts = realloc(rules->parts, (rules->part_count + 1) * sizeof *parts);
    if (!parts)
        return false;
    rules->parts = parts;
    uint8_t *bytes = malloc(length);
    if (!bytes)
        return false;
    memcpy(bytes, name, length);
    parts[rules->part_count++] = (struct scan_name){bytes, length, is_whole, is_end};
    return true;
}

/* A heap for each bit: neighbours, which have their first byte in common. */
static uint16_t heaps_of(const uint64_t starts[WORDS]) {
    uint16_t heaps = 0;
    for (unsigned i = 0; i < VAKA_SCAN_STARTS; i++)
        if (starts[i / 64] >> i % 64 & 1)
            heaps |= (uint16_t)(1u << i * 8 * SCAN_SETS / VAKA_SCAN_STARTS);
    return heaps;
}

/* The starts that may stand behind a byte. A quote is where a text begins, and forbids nothing. */
static void behind(const struct vaka_scan_rules *rules, unsigned byte, uint64_t starts[WORDS]) {
    for (unsigned word = 0; word < WORDS; word++) {
        uint64_t all = rules->texts[word] | rules->names[word];
        starts[word] = byte == '"' ? all : all & ~(rules->not_behind[byte][word] & ~rules->names[word]);
    }
}

void vaka_scan_rules_finish(struct vaka_scan_rules *rules) {
    rules->text_heaps = heaps_of(rules->texts);
    rules->name_heaps = heaps_of(rules->names);
    for (unsigned place = 0; place < SCAN_FILTER; place++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            uint64_t starts[WORDS];
            behind(rules, byte, starts);
            uint16_t heaps = heaps_of(place == 0 ? starts : rules->starts[place - 1][byte]);
            rules->heaps[place][byte] = heaps;
            for (unsigned set = 0; set < SCAN_SETS; set++) {
                rules->low[set][place][byte & 15] |= (uint8_t)(heaps >> set * 8);
                rules->high[set][place][byte >> 4] |= (uint8_t)(heaps >> set * 8);
            }
        }
    }
}
