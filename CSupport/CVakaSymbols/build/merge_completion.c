/* SPDX-License-Identifier: Apache-2.0 */
#include "merge.h"

#include <stdio.h>

static bool starts(struct vaka_bytes text, const char *prefix) {
    size_t size = strlen(prefix);
    return text.size >= size && memcmp(text.start, prefix, size) == 0;
}

bool vaka_is_mangled(struct vaka_bytes name) {
    if (name.size < 3) {
        return false;
    }
    switch (name.start[0]) {
    case '_':
        return name.start[1] == 'Z' || (name.start[1] == 'R' && name.start[2] >= 'A' && name.start[2] <= 'Z') ||
               starts(name, "_$s") || starts(name, "_$S") || starts(name, "_T0");
    case '$':
        return name.start[1] == 's' || name.start[1] == 'S' || name.start[1] == 'e';
    default:
        return false;
    }
}

static bool contains(struct vaka_bytes text, const char *part, size_t size) {
    for (size_t at = 0; size > 0 && at + size <= text.size; at++) {
        const uint8_t *found = memchr(text.start + at, part[0], text.size - size - at + 1);
        if (found == NULL) {
            return false;
        }
        if (memcmp(found, part, size) == 0) {
            return true;
        }
        at = (size_t)(found - text.start);
    }
    return false;
}

/* Whether a linkage name can be that of a function whose debug information has only a plain one (gcc and clang at -g1). */
static bool completes(struct vaka_bytes linkage, struct vaka_bytes plain) {
    if (!vaka_is_mangled(linkage)) {
        return false;
    }
    if (starts(plain, "operator") || starts(plain, "~")) {
        return true;
    }
    char part[300];
    size_t size = 0;
    while (size < plain.size && plain.start[size] != '<') {
        size++;
    }
    int length = size > 256 ? -1 : snprintf(part, sizeof part, "%zu%.*s", size, (int)size, (const char *)plain.start);
    return length > 0 && contains(linkage, part, (size_t)length);
}

static uint32_t symbol_in(const vaka_intervals *code, uint32_t place) {
    uint32_t low = 0;
    uint32_t high = code->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (code->items[middle].end <= place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < code->count && code->items[low].start <= place ? code->items[low].id : UINT32_MAX;
}

/* The best symbol's name for a place; empty for none. */
static struct vaka_bytes symbol_at(const struct vaka_symbols *symbols, uint32_t place) {
    uint32_t own = symbol_in(&symbols->list.code, place);
    if (own != UINT32_MAX) {
        return vaka_symbol_name(&symbols->list, own);
    }
    uint32_t packed = symbol_in(&symbols->packed_list.code, place);
    return packed != UINT32_MAX ? vaka_symbol_name(&symbols->packed_list, packed) : (struct vaka_bytes){NULL, 0};
}

static void complete(struct vaka_merge *merge, uint32_t node, uint32_t place) {
    uint8_t bit = (uint8_t)(1u << (node & 7));
    if ((merge->completed.items[node / 8] & bit) != 0) {
        return;
    }
    merge->completed.items[node / 8] |= bit;
    struct vaka_bytes plain = vaka_texts_at(&merge->texts, merge->nodes.items[node].name);
    if (plain.size > 0 && vaka_is_mangled(plain)) {
        return;
    }
    struct vaka_bytes linkage = symbol_at(&merge->debug->symbols, place);
    if (linkage.size > 0 && (plain.size == 0 || completes(linkage, plain))) {
        merge->nodes.items[node].name = vaka_texts_add(&merge->texts, linkage, vaka_text_hash(linkage));
    }
}

/*
 * Of functions that the linker folded it kept one, and left that one's symbol and lines. Where the debug information still
 * has several at this code, the kept one's name is the one that goes with the lines.
 */
static void name_kept(struct vaka_merge *merge, uint32_t number, const struct vaka_piece *piece, uint32_t node,
                      uint32_t *next) {
    const vaka_intervals *functions = &merge->functions;
    while (*next < functions->count && functions->items[*next].start < piece->start) {
        ++*next;
    }
    for (uint32_t at = *next; at < functions->count && functions->items[at].start == piece->start; at++) {
        if (functions->items[at].end != piece->end || functions->items[at].id == number) {
            continue;
        }
        uint32_t unit;
        const struct vaka_piece *other = vaka_merge_piece(merge, functions->items[at].id, &unit);
        uint32_t twin = merge->merged.items[unit].node_base + other->node;
        struct vaka_bytes kept = symbol_at(&merge->debug->symbols, piece->start);
        struct vaka_bytes name = vaka_texts_at(&merge->texts, merge->nodes.items[twin].name);
        if (kept.size > 0 && kept.size == name.size && memcmp(kept.start, name.start, name.size) == 0) {
            struct vaka_cache_node mine = merge->nodes.items[node];
            merge->nodes.items[node].name = merge->nodes.items[twin].name;
            merge->nodes.items[node].readable = merge->nodes.items[twin].readable;
            merge->nodes.items[twin].name = mine.name;
            merge->nodes.items[twin].readable = mine.readable;
            return;
        }
    }
}

/* A level named by a symbol, for code without a function. */
static bool add_symbol_node(struct vaka_merge *merge, const struct vaka_stretch *stretch) {
    const struct vaka_symbols *symbols = &merge->debug->symbols;
    const struct vaka_symbol_list *list = stretch->is_packed ? &symbols->packed_list : &symbols->list;
    struct vaka_bytes name = vaka_symbol_name(list, stretch->symbol);
    struct vaka_cache_node *slot = vaka_push(&merge->nodes);
    if (slot == NULL) {
        return false;
    }
    *slot = (struct vaka_cache_node){.name = vaka_texts_add(&merge->texts, name, vaka_text_hash(name))};
    return true;
}

static bool add_symbol_nodes(struct vaka_merge *merge, enum vaka_source source) {
    for (uint32_t index = 0; index < merge->stretches.count; index++) {
        const struct vaka_stretch *stretch = &merge->stretches.items[index];
        if (stretch->source == source && stretch->symbol != UINT32_MAX && !add_symbol_node(merge, stretch)) {
            return false;
        }
    }
    return true;
}

bool vaka_merge_complete(struct vaka_merge *merge) {
    uint32_t bytes = merge->nodes.count / 8 + 1;
    if (!vaka_reserve(&merge->completed, bytes)) {
        return false;
    }
    memset(merge->completed.items, 0, bytes);
    uint32_t next = 0;
    for (uint32_t index = 0; index < merge->stretches.count; index++) {
        const struct vaka_stretch *stretch = &merge->stretches.items[index];
        if (stretch->source == VAKA_SOURCE_FUNCTION) {
            uint32_t unit;
            const struct vaka_piece *piece = vaka_merge_piece(merge, stretch->piece, &unit);
            uint32_t node = merge->merged.items[unit].node_base + piece->node;
            complete(merge, node, stretch->start);
            name_kept(merge, stretch->piece, piece, node, &next);
        }
    }
    if (!add_symbol_nodes(merge, VAKA_SOURCE_LINES)) {
        return false;
    }
    merge->first_symbol_node = merge->nodes.count;
    return add_symbol_nodes(merge, VAKA_SOURCE_SYMBOL) && !merge->texts.has_failed;
}
