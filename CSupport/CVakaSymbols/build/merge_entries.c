/* SPDX-License-Identifier: Apache-2.0 */
#include "merge.h"

static bool add_entry(struct vaka_merge *merge, uint32_t start, uint32_t node, uint32_t place) {
    uint32_t count = merge->entries.count;
    if (count > 0) {
        const struct vaka_cache_entry *last = &merge->entries.items[count - 1];
        if (last->node == node && last->place == place) {
            return true;
        }
    }
    if (!vaka_reserve(&merge->entries, 1) || !vaka_reserve(&merge->offsets, 1)) {
        return false;
    }
    uint32_t bucket = start / VAKA_CACHE_BUCKET;
    while (merge->buckets.count <= bucket) {
        uint32_t *slot = vaka_push(&merge->buckets);
        if (slot == NULL) {
            return false;
        }
        *slot = count;
    }
    merge->entries.items[merge->entries.count++] = (struct vaka_cache_entry){node, place};
    merge->offsets.items[merge->offsets.count++] = (uint8_t)(start % VAKA_CACHE_BUCKET);
    return true;
}

/* The entries of a unit that lie in a stretch; `fixed_node` replaces "no function". */
static bool add_piece(struct vaka_merge *merge, const struct vaka_stretch *stretch, uint32_t fixed_node) {
    uint32_t unit;
    const struct vaka_piece *piece = vaka_merge_piece(merge, stretch->piece, &unit);
    struct vaka_merged_unit merged = merge->merged.items[unit];
    const struct vaka_built_entry *entries = &merge->units[unit].entries.items[piece->first_entry];
    uint32_t low = 0;
    uint32_t high = piece->entry_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (entries[middle].start <= stretch->start) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (uint32_t at = low > 0 ? low - 1 : 0; at < piece->entry_count && entries[at].start < stretch->end; at++) {
        uint32_t start = entries[at].start < stretch->start ? stretch->start : entries[at].start;
        uint32_t node = entries[at].node == 0 ? fixed_node : merged.node_base + entries[at].node;
        uint32_t place = entries[at].place == 0 ? 0 : merged.place_base + entries[at].place;
        if (!add_entry(merge, start, node, place)) {
            return false;
        }
    }
    return true;
}

/* Says that nothing is known from `start` on. */
static bool add_gap(struct vaka_merge *merge, uint32_t start) {
    return add_entry(merge, start, 0, 0);
}

/* The beginnings of regions up to a place, where something begins: what was before them does not go on there. */
static bool add_region_starts(struct vaka_merge *merge, uint32_t *region, uint32_t until) {
    const struct vaka_code_map *code = &merge->debug->code;
    for (; *region < code->regions.count && code->regions.items[*region].place <= until; ++*region) {
        uint32_t place = code->regions.items[*region].place;
        if (place < until && !add_gap(merge, place)) {
            return false;
        }
    }
    return true;
}

static bool add_stretch(struct vaka_merge *merge, const struct vaka_stretch *stretch, uint32_t *line_node,
                        uint32_t *symbol_node) {
    switch (stretch->source) {
    case VAKA_SOURCE_FUNCTION:
        return add_piece(merge, stretch, 0);
    case VAKA_SOURCE_LINES:
        return add_piece(merge, stretch, stretch->symbol == UINT32_MAX ? 0 : (*line_node)++);
    default:
        return add_entry(merge, stretch->start, (*symbol_node)++, 0);
    }
}

static bool fill_buckets(struct vaka_merge *merge) {
    uint32_t count = merge->debug->code.size / VAKA_CACHE_BUCKET + 1;
    while (merge->buckets.count < count) {
        uint32_t *slot = vaka_push(&merge->buckets);
        if (slot == NULL) {
            return false;
        }
        *slot = merge->entries.count;
    }
    return true;
}

bool vaka_merge_entries(struct vaka_merge *merge) {
    uint64_t most = 0;
    for (uint32_t unit = 0; unit < merge->unit_count; unit++) {
        most += merge->units[unit].entries.count;
    }
    most += 2 * (uint64_t)merge->stretches.count + 2 * (uint64_t)merge->debug->code.regions.count + 2;
    if (most > UINT32_MAX || !vaka_reserve(&merge->entries, (uint32_t)most) ||
        !vaka_reserve(&merge->offsets, (uint32_t)most)) {
        return false;
    }
    uint32_t line_node = merge->first_line_node;
    uint32_t symbol_node = merge->first_symbol_node;
    uint32_t region = 0;
    uint32_t end = 0;
    for (uint32_t index = 0; index < merge->stretches.count; index++) {
        const struct vaka_stretch *stretch = &merge->stretches.items[index];
        if (end < stretch->start && !add_gap(merge, end)) {
            return false;
        }
        if (!add_region_starts(merge, &region, stretch->start) ||
            !add_stretch(merge, stretch, &line_node, &symbol_node)) {
            return false;
        }
        end = stretch->end;
    }
    return add_gap(merge, end) && add_region_starts(merge, &region, UINT32_MAX) && fill_buckets(merge);
}
