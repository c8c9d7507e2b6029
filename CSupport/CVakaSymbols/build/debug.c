/* SPDX-License-Identifier: Apache-2.0 */
#include "builder.h"

/* So many questions are answered by looking through all ranges; then they are sorted. */
#define QUESTIONS_UNSORTED 16

struct vaka_debug *vaka_debug_create(const struct vaka_debug_input *input) {
    struct vaka_debug *debug = calloc(1, sizeof *debug);
    if (debug == NULL) {
        return NULL;
    }
    debug->sections = input->sections;
    debug->common = input->common;
    debug->is_64_bit = input->is_64_bit;
    debug->symbols.own = input->symbols;
    debug->symbols.packed = input->packed_symbols;
    debug->symbols.is_64_bit = input->is_64_bit;
    if (!vaka_code_map_init(&debug->code, input->regions, input->region_count) || !vaka_debug_index(debug)) {
        vaka_debug_destroy(debug);
        return NULL;
    }
    return debug;
}

void vaka_debug_destroy(struct vaka_debug *debug) {
    if (debug == NULL) {
        return;
    }
    for (uint32_t index = 0; index < debug->parts.count; index++) {
        free(debug->parts.items[index]);
    }
    vaka_release(&debug->parts);
    vaka_code_map_deinit(&debug->code);
    vaka_release(&debug->units);
    vaka_release(&debug->common_units);
    vaka_release(&debug->code_units);
    vaka_release(&debug->ranges);
    vaka_release(&debug->by_address);
    vaka_release(&debug->highest_end);
    vaka_symbols_release(&debug->symbols);
    free(debug);
}

size_t vaka_debug_unit_count(const struct vaka_debug *debug) {
    return debug->code_units.count;
}

static int by_start(const void *one, const void *other) {
    const struct vaka_interval *a = one;
    const struct vaka_interval *b = other;
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    return a->id < b->id ? -1 : a->id > b->id;
}

static bool sort_ranges(struct vaka_debug *debug) {
    uint32_t count = debug->ranges.count;
    if (debug->by_address.count > 0 || count == 0) {
        return count > 0;
    }
    if (!vaka_reserve(&debug->by_address, count) || !vaka_reserve(&debug->highest_end, count)) {
        return false;
    }
    memcpy(debug->by_address.items, debug->ranges.items, count * sizeof *debug->ranges.items);
    qsort(debug->by_address.items, count, sizeof *debug->by_address.items, by_start);
    uint32_t highest = 0;
    for (uint32_t index = 0; index < count; index++) {
        uint32_t end = debug->by_address.items[index].end;
        highest = end > highest ? end : highest;
        debug->highest_end.items[index] = highest;
    }
    debug->by_address.count = count;
    debug->highest_end.count = count;
    return true;
}

static bool add_once(uint32_t *units, size_t *count, size_t capacity, uint32_t unit) {
    for (size_t index = 0; index < *count; index++) {
        if (units[index] == unit) {
            return true;
        }
    }
    if (*count == capacity) {
        return false;
    }
    units[(*count)++] = unit;
    return true;
}

static size_t search_all(const struct vaka_debug *debug, uint32_t start, uint32_t end, uint32_t *units,
                         size_t capacity) {
    size_t count = 0;
    for (uint32_t index = 0; index < debug->ranges.count; index++) {
        const struct vaka_interval *range = &debug->ranges.items[index];
        if (range->start < end && start < range->end && !add_once(units, &count, capacity, range->id)) {
            break;
        }
    }
    return count;
}

static size_t search_sorted(const struct vaka_debug *debug, uint32_t start, uint32_t end, uint32_t *units,
                            size_t capacity) {
    uint32_t low = 0;
    uint32_t high = debug->by_address.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (debug->by_address.items[middle].start < end) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    size_t count = 0;
    while (low > 0 && debug->highest_end.items[low - 1] > start) {
        low--;
        if (debug->by_address.items[low].end > start &&
            !add_once(units, &count, capacity, debug->by_address.items[low].id)) {
            break;
        }
    }
    return count;
}

static int by_number(const void *one, const void *other) {
    uint32_t a = *(const uint32_t *)one;
    uint32_t b = *(const uint32_t *)other;
    return a < b ? -1 : a > b;
}

static size_t units_between(struct vaka_debug *debug, uint32_t start, uint32_t end, uint32_t *units, size_t capacity) {
    bool sorted = ++debug->questions > QUESTIONS_UNSORTED && sort_ranges(debug);
    size_t count =
        sorted ? search_sorted(debug, start, end, units, capacity) : search_all(debug, start, end, units, capacity);
    qsort(units, count, sizeof *units, by_number);
    return count;
}

size_t vaka_debug_units_between(struct vaka_debug *debug, uint64_t start, uint64_t end, uint32_t *units,
                                size_t capacity) {
    uint32_t first;
    uint32_t last;
    if (!vaka_code_map_range(&debug->code, start, end, &first, &last)) {
        return 0;
    }
    return units_between(debug, first, last, units, capacity);
}
