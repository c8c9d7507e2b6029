/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols.h"
#include "symbol_pages.h"

/* So often a few symbols are read for a part of the code; then all of them are. */
#define MOST_PARTS 8

const char *vaka_symbol_text(const struct vaka_symbol_list *list, uint32_t offset, size_t *left) {
    if (offset >= list->strings.size) {
        *left = 0;
        return NULL;
    }
    *left = list->strings.size - offset;
    return (const char *)list->strings.start + offset;
}

/* By address, in four passes of a byte each: tables have hundreds of thousands. Stable. */
static bool sort_by_address(struct vaka_symbol_list *list) {
    uint32_t count = list->items.count;
    struct vaka_symbol *spare = malloc((count > 0 ? count : 1) * sizeof *spare);
    if (spare == NULL) {
        return false;
    }
    struct vaka_symbol *from = list->items.items;
    struct vaka_symbol *to = spare;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        uint32_t starts[257] = {0};
        for (uint32_t index = 0; index < count; index++) {
            starts[(from[index].start >> shift & 0xff) + 1]++;
        }
        for (unsigned byte = 0; byte < 256; byte++) {
            starts[byte + 1] += starts[byte];
        }
        for (uint32_t index = 0; index < count; index++) {
            to[starts[from[index].start >> shift & 0xff]++] = from[index];
        }
        struct vaka_symbol *swapped = from;
        from = to;
        to = swapped;
    }
    free(spare);
    return true;
}

static int by_worth(const void *one, const void *other) {
    const struct vaka_symbol *a = one;
    const struct vaka_symbol *b = other;
    if ((a->size > 0) != (b->size > 0)) {
        return a->size > 0 ? -1 : 1;
    }
    if (a->rank != b->rank) {
        return a->rank > b->rank ? -1 : 1;
    }
    return a->name < b->name ? -1 : a->name > b->name;
}

static void sort_equals(struct vaka_symbol_list *list) {
    for (uint32_t first = 0; first < list->items.count;) {
        uint32_t end = first + 1;
        while (end < list->items.count && list->items.items[end].start == list->items.items[first].start) {
            end++;
        }
        if (end - first > 1) {
            qsort(&list->items.items[first], end - first, sizeof *list->items.items, by_worth);
        }
        first = end;
    }
}

/* A label without a size reaches to the next symbol, or to the end of its region. */
static uint32_t label_end(const struct vaka_symbol_list *list, uint32_t next, uint32_t start,
                          const struct vaka_code_map *code) {
    uint32_t end = code->size;
    for (uint32_t index = 0; index < code->regions.count; index++) {
        const struct vaka_code_region *region = &code->regions.items[index];
        if (start - region->place < region->size) {
            end = region->place + region->size;
        }
    }
    return next < list->items.count && list->items.items[next].start < end ? list->items.items[next].start : end;
}

/* Functions with a size have their code; labels what those leave. */
static bool lay_flat(struct vaka_symbol_list *list, const struct vaka_code_map *code) {
    vaka_intervals sized = {0};
    vaka_intervals labels = {0};
    vaka_intervals flat = {0};
    bool done = true;
    for (uint32_t first = 0; done && first < list->items.count;) {
        struct vaka_symbol best = list->items.items[first];
        uint32_t next = first + 1;
        while (next < list->items.count && list->items.items[next].start == best.start) {
            next++;
        }
        if (best.size > 0) {
            done = vaka_interval_add(&sized, best.start, best.start + best.size, first);
        } else {
            done = vaka_interval_add(&labels, best.start, label_end(list, next, best.start, code), first);
        }
        first = next;
    }
    done = done && vaka_intervals_flatten(&sized, &flat) && vaka_intervals_overlay(&flat, &labels, 0, &list->code);
    vaka_release(&sized);
    vaka_release(&labels);
    vaka_release(&flat);
    return done;
}

/* What was read for a part of the code says nothing of the rest. */
static bool clip(struct vaka_symbol_list *list, const struct vaka_symbol_pages *pages) {
    vaka_intervals bounds = {0};
    vaka_intervals clipped = {0};
    bool done = vaka_symbol_pages_stretches(pages, &bounds) && vaka_intervals_clip(&list->code, &bounds, &clipped);
    vaka_release(&bounds);
    vaka_release(&list->code);
    list->code = clipped;
    return done;
}

static bool read_list(struct vaka_symbol_list *list, const struct vaka_symbol_table *table, bool is_64_bit,
                      const struct vaka_code_map *code, const vaka_intervals *wanted) {
    struct vaka_symbol_pages pages = {0};
    bool done = (wanted == NULL || vaka_symbol_pages_init(&pages, code->size, wanted)) &&
                vaka_symbol_table_read(list, table, is_64_bit, code, wanted != NULL ? &pages : NULL) &&
                sort_by_address(list);
    if (done) {
        sort_equals(list);
        done = lay_flat(list, code) && (wanted == NULL || clip(list, &pages));
    }
    vaka_symbol_pages_deinit(&pages);
    return done;
}

bool vaka_symbols_read(struct vaka_symbols *symbols, const struct vaka_code_map *code, const vaka_intervals *wanted) {
    if (symbols->is_read) {
        return !symbols->has_failed;
    }
    wanted = symbols->parts++ < MOST_PARTS ? wanted : NULL;
    vaka_symbols_release(symbols);
    symbols->is_read = wanted == NULL;
    symbols->has_failed = !read_list(&symbols->list, &symbols->own, symbols->is_64_bit, code, wanted) ||
                          !read_list(&symbols->packed_list, &symbols->packed, symbols->is_64_bit, code, wanted);
    return !symbols->has_failed;
}

void vaka_symbols_release(struct vaka_symbols *symbols) {
    vaka_release(&symbols->list.items);
    vaka_release(&symbols->list.code);
    vaka_release(&symbols->packed_list.items);
    vaka_release(&symbols->packed_list.code);
}

struct vaka_bytes vaka_symbol_name(const struct vaka_symbol_list *list, uint32_t index) {
    size_t left;
    const char *text = vaka_symbol_text(list, list->items.items[index].name, &left);
    if (left == 0) {
        return (struct vaka_bytes){NULL, 0};
    }
    size_t most = left < VAKA_LONGEST_TEXT ? left : VAKA_LONGEST_TEXT;
    const char *end = memchr(text, 0, most);
    size_t size = end == NULL ? 0 : (size_t)(end - text);
    const char *version = size > 1 ? memchr(text + 1, '@', size - 1) : NULL;
    return (struct vaka_bytes){(const uint8_t *)text, version == NULL ? size : (size_t)(version - text)};
}

uint32_t vaka_symbols_from(const struct vaka_symbol_list *list, uint32_t place) {
    uint32_t low = 0;
    uint32_t high = list->items.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list->items.items[middle].start < place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
