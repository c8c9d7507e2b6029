/* SPDX-License-Identifier: Apache-2.0 */
#include "builder.h"

/* Steps for each bound of a function's calls: no nesting of calls is that deep. */
#define DEEPEST 256

static int by_value(const void *one, const void *other) {
    uint32_t a = *(const uint32_t *)one;
    uint32_t b = *(const uint32_t *)other;
    return a < b ? -1 : a > b;
}

/* Stable, as nodes are numbered in the order of the walk. */
static int by_function(const void *one, const void *other) {
    const struct vaka_inlined *a = one;
    const struct vaka_inlined *b = other;
    if (a->function != b->function) {
        return a->function < b->function ? -1 : 1;
    }
    if (a->node != b->node) {
        return a->node < b->node ? -1 : 1;
    }
    return a->start < b->start ? -1 : a->start > b->start;
}

/* Calls inside a function that lies inside another come between the latter's. */
static void group_by_function(struct vaka_unit_builder *builder) {
    for (uint32_t index = 1; index < builder->inlined.count; index++) {
        if (builder->inlined.items[index - 1].function > builder->inlined.items[index].function) {
            qsort(builder->inlined.items, builder->inlined.count, sizeof *builder->inlined.items, by_function);
            return;
        }
    }
}

static bool add_bound(struct vaka_unit_builder *builder, uint32_t bound) {
    uint32_t *slot = vaka_push(&builder->bounds);
    if (slot == NULL) {
        return false;
    }
    *slot = bound;
    return true;
}

static void sort_bounds(struct vaka_unit_builder *builder) {
    uint32_t *items = builder->bounds.items;
    uint32_t count = builder->bounds.count;
    if (count <= 32) {
        for (uint32_t index = 1; index < count; index++) {
            uint32_t value = items[index];
            uint32_t at = index;
            for (; at > 0 && items[at - 1] > value; at--) {
                items[at] = items[at - 1];
            }
            items[at] = value;
        }
    } else {
        qsort(items, count, sizeof *items, by_value);
    }
    uint32_t kept = 0;
    for (uint32_t index = 0; index < count; index++) {
        if (kept == 0 || items[kept - 1] != items[index]) {
            items[kept++] = items[index];
        }
    }
    builder->bounds.count = kept;
}

static uint32_t bound_at(const struct vaka_unit_builder *builder, uint32_t value) {
    uint32_t low = 0;
    uint32_t high = builder->bounds.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (builder->bounds.items[middle] < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Gives each stretch between two bounds to the innermost call that has it; later ones lie inside earlier ones. */
static bool find_owners(struct vaka_unit_builder *builder, const struct vaka_inlined *calls, uint32_t count,
                        uint32_t function) {
    uint32_t stretches = builder->bounds.count;
    vaka_clear(&builder->owners);
    if (!vaka_reserve(&builder->owners, stretches)) {
        return false;
    }
    for (uint32_t index = 0; index < stretches; index++) {
        builder->owners.items[index] = function;
    }
    uint64_t budget = (uint64_t)stretches * DEEPEST + 1024;
    for (uint32_t index = 0; index < count && budget > 0; index++) {
        uint32_t from = bound_at(builder, calls[index].start);
        uint32_t to = bound_at(builder, calls[index].end);
        budget -= to - from < budget ? to - from : budget;
        for (uint32_t at = from; at < to; at++) {
            builder->owners.items[at] = calls[index].node;
        }
    }
    return true;
}

static bool add_piece(struct vaka_unit_builder *builder, struct vaka_interval stretch, uint32_t node, uint32_t first) {
    struct vaka_piece *slot = vaka_push(&builder->code->pieces);
    if (slot == NULL) {
        return false;
    }
    *slot = (struct vaka_piece){stretch.start, stretch.end, node, first, builder->code->entries.count - first};
    return true;
}

/* The stretches and the calls of one function. */
struct work {
    const struct vaka_interval *stretches;
    uint32_t stretch_count;
    const struct vaka_inlined *calls;
    uint32_t call_count;
    uint32_t node;
};

static bool collect_bounds(struct vaka_unit_builder *builder, const struct work *work) {
    vaka_clear(&builder->bounds);
    for (uint32_t index = 0; index < work->stretch_count; index++) {
        if (!add_bound(builder, work->stretches[index].start) || !add_bound(builder, work->stretches[index].end)) {
            return false;
        }
    }
    for (uint32_t index = 0; index < work->call_count; index++) {
        if (!add_bound(builder, work->calls[index].start) || !add_bound(builder, work->calls[index].end)) {
            return false;
        }
    }
    sort_bounds(builder);
    return true;
}

/* The entries of one stretch, cut where its calls begin and end. */
static bool paint_stretch(struct vaka_unit_builder *builder, struct vaka_interval stretch, uint32_t node) {
    uint32_t first = builder->code->entries.count;
    for (uint32_t at = bound_at(builder, stretch.start); builder->bounds.items[at] < stretch.end; at++) {
        if (!vaka_builder_add_entries(builder, builder->bounds.items[at], builder->bounds.items[at + 1],
                                      builder->owners.items[at], first)) {
            return false;
        }
    }
    return add_piece(builder, stretch, node, first);
}

static bool paint_function(struct vaka_unit_builder *builder, const struct work *work) {
    bool has_calls = work->call_count > 0;
    if (has_calls &&
        (!collect_bounds(builder, work) || !find_owners(builder, work->calls, work->call_count, work->node))) {
        return false;
    }
    for (uint32_t index = 0; index < work->stretch_count; index++) {
        struct vaka_interval stretch = work->stretches[index];
        uint32_t first = builder->code->entries.count;
        bool done = has_calls ? paint_stretch(builder, stretch, work->node)
                              : vaka_builder_add_entries(builder, stretch.start, stretch.end, work->node, first) &&
                                    add_piece(builder, stretch, work->node, first);
        if (!done) {
            return false;
        }
    }
    return true;
}

static int by_id(const void *one, const void *other) {
    const struct vaka_interval *a = one;
    const struct vaka_interval *b = other;
    if (a->id != b->id) {
        return a->id < b->id ? -1 : 1;
    }
    return a->start < b->start ? -1 : a->start > b->start;
}

static void group_stretches(vaka_intervals *flat) {
    for (uint32_t index = 1; index < flat->count; index++) {
        if (flat->items[index - 1].id > flat->items[index].id) {
            qsort(flat->items, flat->count, sizeof *flat->items, by_id);
            return;
        }
    }
}

bool vaka_builder_paint(struct vaka_unit_builder *builder) {
    vaka_intervals *flat = &builder->function_flat;
    group_by_function(builder);
    group_stretches(flat);
    uint32_t call = 0;
    for (uint32_t stretch = 0; stretch < flat->count;) {
        uint32_t function = flat->items[stretch].id;
        uint32_t end = stretch;
        while (end < flat->count && flat->items[end].id == function) {
            end++;
        }
        while (call < builder->inlined.count && builder->inlined.items[call].function < function) {
            call++;
        }
        uint32_t end_call = call;
        while (end_call < builder->inlined.count && builder->inlined.items[end_call].function == function) {
            end_call++;
        }
        struct work work = {&flat->items[stretch], end - stretch, &builder->inlined.items[call], end_call - call,
                            builder->functions.items[function]};
        if (!paint_function(builder, &work)) {
            return false;
        }
        stretch = end;
        call = end_call;
    }
    return true;
}
