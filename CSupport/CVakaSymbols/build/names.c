/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

static bool grow(struct vaka_number_table *table) {
    uint32_t size = table->slots == NULL ? 256 : (table->mask + 1) * 2;
    if (size == 0) {
        return false;
    }
    struct vaka_number_slot *slots = calloc(size, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    for (uint32_t index = 0; table->slots != NULL && index <= table->mask; index++) {
        if (table->slots[index].key == 0) {
            continue;
        }
        uint32_t at = (uint32_t)vaka_mix(table->slots[index].key) & (size - 1);
        while (slots[at].key != 0) {
            at = (at + 1) & (size - 1);
        }
        slots[at] = table->slots[index];
    }
    free(table->slots);
    table->slots = slots;
    table->mask = size - 1;
    return true;
}

struct vaka_number_slot *vaka_number_table_slot(struct vaka_number_table *table, uint64_t key) {
    if ((table->slots == NULL || table->count >= (table->mask + 1) / 8 * 5) && !grow(table)) {
        return NULL;
    }
    uint32_t at = (uint32_t)vaka_mix(key) & table->mask;
    while (table->slots[at].key != key) {
        if (table->slots[at].key == 0) {
            table->slots[at].key = key;
            table->count++;
            break;
        }
        at = (at + 1) & table->mask;
    }
    return &table->slots[at];
}

struct vaka_number_slot *vaka_number_table_find(const struct vaka_number_table *table, uint64_t key) {
    if (table->slots == NULL) {
        return NULL;
    }
    uint32_t at = (uint32_t)vaka_mix(key) & table->mask;
    while (table->slots[at].key != key) {
        if (table->slots[at].key == 0) {
            return NULL;
        }
        at = (at + 1) & table->mask;
    }
    return &table->slots[at];
}

void vaka_number_table_clear(struct vaka_number_table *table) {
    /* A table that a large unit left behind is not worth wiping for a small one. */
    if (table->slots != NULL && table->mask > 4096 && table->count < table->mask / 16) {
        vaka_number_table_release(table);
    }
    if (table->slots != NULL) {
        memset(table->slots, 0, ((size_t)table->mask + 1) * sizeof *table->slots);
    }
    table->count = 0;
}

void vaka_number_table_release(struct vaka_number_table *table) {
    free(table->slots);
    *table = (struct vaka_number_table){0};
}

uint32_t vaka_text_hash(struct vaka_bytes text) {
    uint64_t hash = text.size * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = 0;
    for (; at + 8 <= text.size; at += 8) {
        uint64_t word;
        memcpy(&word, text.start + at, 8);
        hash = (hash ^ word) * UINT64_C(0xd6e8feb86659fd93);
        hash ^= hash >> 32;
    }
    if (at < text.size) {
        uint64_t word = 0;
        memcpy(&word, text.start + at, text.size - at);
        hash = (hash ^ word) * UINT64_C(0xd6e8feb86659fd93);
    }
    return (uint32_t)vaka_mix(hash);
}

uint32_t vaka_names_add(vaka_names *names, struct vaka_number_table *table, struct vaka_bytes text) {
    if (text.start == NULL || text.size == 0) {
        return 0;
    }
    struct vaka_number_slot *slot = vaka_number_table_slot(table, (uint64_t)(uintptr_t)text.start);
    if (slot == NULL) {
        return UINT32_MAX;
    }
    if (slot->number == 0) {
        if (names->count == 0) {
            struct vaka_name *none = vaka_push(names);
            if (none == NULL) {
                return UINT32_MAX;
            }
            *none = (struct vaka_name){NULL, 0, 0};
        }
        struct vaka_name *name = vaka_push(names);
        if (name == NULL) {
            return UINT32_MAX;
        }
        *name = (struct vaka_name){text.start, (uint32_t)text.size, vaka_text_hash(text)};
        slot->number = names->count - 1;
    }
    return slot->number;
}
