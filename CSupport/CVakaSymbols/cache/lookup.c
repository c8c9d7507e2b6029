/* SPDX-License-Identifier: Apache-2.0 */
#include "find.h"

static void set_place(const struct vaka_symbol_cache *cache, struct vaka_cache_frame *frame, uint32_t number) {
    if (number == 0 || number >= cache->place_count) {
        return;
    }
    const struct vaka_cache_place *place = &cache->places[number];
    frame->line = place->line;
    frame->column = place->column;
    if (place->file == 0 || place->file >= cache->file_count) {
        return;
    }
    const struct vaka_cache_file *file = &cache->files[place->file];
    frame->folder = vaka_cache_text_at(cache, file->folder);
    frame->file = vaka_cache_text_at(cache, file->name);
    frame->md5 = file->checksum > 0 && file->checksum <= cache->checksum_count
                     ? cache->checksums + (size_t)(file->checksum - 1) * 16
                     : NULL;
}

/* Entries looked at, to each side, for the nearest line. */
#define NEIGHBOURHOOD 64

/* The place that an entry gives a level of its nest; 0 where it is not of that level or has no line. */
static uint32_t place_of_level(const struct vaka_symbol_cache *cache, const struct vaka_cache_entry *entry,
                               uint32_t level) {
    uint32_t place = entry->place;
    uint32_t node = entry->node;
    while (node > level) {
        place = cache->nodes[node].place;
        node = vaka_cache_parent(cache, node);
    }
    if (node != level || place == 0 || place >= cache->place_count || cache->places[place].line == 0) {
        return 0;
    }
    return place;
}

/* Looks to one side, as long as the code belongs to the same function. */
static uint32_t nearest_place(const struct vaka_symbol_cache *cache, uint32_t number, uint32_t level, uint32_t root,
                              int step) {
    for (unsigned seen = 0; seen < NEIGHBOURHOOD; seen++) {
        if (step < 0 ? number == 0 : number + 1 >= cache->entry_count) {
            break;
        }
        number = step < 0 ? number - 1 : number + 1;
        const struct vaka_cache_entry *entry = &cache->entries[number];
        if (!vaka_cache_is_level(cache, entry->node) || entry->node < root ||
            vaka_cache_root(cache, entry->node) != root) {
            break;
        }
        uint32_t place = place_of_level(cache, entry, level);
        if (place != 0) {
            return place;
        }
    }
    return 0;
}

static void set_nearest(const struct vaka_symbol_cache *cache, struct vaka_cache_frame *frame, uint32_t number) {
    uint32_t root = vaka_cache_root(cache, frame->node);
    uint32_t place = nearest_place(cache, number, frame->node, root, -1);
    if (place == 0) {
        place = nearest_place(cache, number, frame->node, root, 1);
    }
    if (place != 0) {
        set_place(cache, frame, place);
        frame->is_nearest = true;
    }
}

size_t vaka_symbol_cache_lookup(const struct vaka_symbol_cache *cache, uint64_t address, bool nearest,
                                struct vaka_cache_frame *frames, size_t capacity) {
    uint32_t number = vaka_cache_find(cache, address);
    if (number == VAKA_NOTHING || capacity == 0) {
        return 0;
    }
    struct vaka_cache_entry entry = cache->entries[number];
    if (entry.node >= cache->node_count || (entry.node == 0 && entry.place == 0)) {
        return 0;
    }
    uint32_t place = entry.place;
    uint32_t node = entry.node;
    size_t count = 0;
    do {
        const struct vaka_cache_node *level = &cache->nodes[node];
        struct vaka_cache_frame *frame = &frames[count++];
        uint32_t parent = node == 0 ? 0 : vaka_cache_parent(cache, node);
        *frame = (struct vaka_cache_frame){.name = vaka_cache_text_at(cache, level->name),
                                           .readable = vaka_cache_text_at(cache, level->readable),
                                           .node = node,
                                           .is_inlined = parent != 0,
                                           .is_symbol = node >= cache->first_symbol_node};
        set_place(cache, frame, place);
        if (nearest && node != 0 && frame->line == 0 && frame->file.size > 0) {
            set_nearest(cache, frame, number);
        }
        place = level->place;
        node = parent;
    } while (node != 0 && count < capacity);
    return count;
}
