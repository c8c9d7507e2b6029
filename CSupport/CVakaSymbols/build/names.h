/* SPDX-License-Identifier: Apache-2.0 */
/* Texts by number, each once. */
#ifndef VAKA_BUILD_NAMES_H
#define VAKA_BUILD_NAMES_H

#include "vector.h"
#include "vaka_symbols.h"

struct vaka_name {
    const uint8_t *start;
    uint32_t size;
    uint32_t hash;
};

typedef VAKA_VECTOR(struct vaka_name) vaka_names;

/* Numbers by key, for a power of two of slots; number 0 marks a free one. */
struct vaka_number_table {
    struct vaka_number_slot {
        uint64_t key;
        uint32_t number;
        uint32_t extra;
    } *slots;
    uint32_t mask;
    uint32_t count;
};

/* The slot of a key, new with number 0; NULL when memory is short. Never use 0 as a key. */
struct vaka_number_slot *vaka_number_table_slot(struct vaka_number_table *table, uint64_t key);
/* The slot of a key that is there; NULL for others. */
struct vaka_number_slot *vaka_number_table_find(const struct vaka_number_table *table, uint64_t key);
void vaka_number_table_clear(struct vaka_number_table *table);
void vaka_number_table_release(struct vaka_number_table *table);

static inline uint64_t vaka_mix(uint64_t value) {
    value ^= value >> 32;
    value *= UINT64_C(0xd6e8feb86659fd93);
    value ^= value >> 32;
    value *= UINT64_C(0xd6e8feb86659fd93);
    return value ^ (value >> 32);
}

uint32_t vaka_text_hash(struct vaka_bytes text);

/* The number of a text, by its place in memory: the linker merged equal ones. 0 for none, UINT32_MAX when memory is short. */
uint32_t vaka_names_add(vaka_names *names, struct vaka_number_table *table, struct vaka_bytes text);

#endif
