/* SPDX-License-Identifier: Apache-2.0 */
#include "intervals.h"

bool vaka_interval_add(vaka_intervals *list, uint32_t start, uint32_t end, uint32_t id) {
    if (start >= end) {
        return true;
    }
    struct vaka_interval *slot = vaka_push(list);
    if (slot == NULL) {
        return false;
    }
    *slot = (struct vaka_interval){start, end, id};
    return true;
}

/* The preferred of those that start together last. */
static int by_start(const void *one, const void *other) {
    const struct vaka_interval *a = one;
    const struct vaka_interval *b = other;
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    if (a->end != b->end) {
        return a->end > b->end ? -1 : 1;
    }
    return a->id > b->id ? -1 : a->id < b->id;
}

static bool is_flat(const vaka_intervals *list) {
    for (uint32_t index = 1; index < list->count; index++) {
        if (list->items[index - 1].end > list->items[index].start) {
            return false;
        }
    }
    return true;
}

/* Adds to the last stretch where it goes on. */
static bool extend(vaka_intervals *flat, uint32_t start, uint32_t end, uint32_t id) {
    if (flat->count > 0) {
        struct vaka_interval *last = &flat->items[flat->count - 1];
        if (last->end == start && last->id == id) {
            last->end = end > start ? end : start;
            return true;
        }
    }
    return vaka_interval_add(flat, start, end, id);
}

/* Writes what the open ones have up to `limit`, and forgets those that end. */
static bool advance(vaka_intervals *open, vaka_intervals *flat, uint32_t *position, uint32_t limit) {
    while (open->count > 0 && *position < limit) {
        struct vaka_interval top = open->items[open->count - 1];
        uint32_t end = top.end < limit ? top.end : limit;
        if (end > *position) {
            if (!extend(flat, *position, end, top.id)) {
                return false;
            }
            *position = end;
        }
        if (top.end <= *position) {
            open->count--;
        }
    }
    return true;
}

bool vaka_intervals_flatten(vaka_intervals *list, vaka_intervals *flat) {
    bool sorted = true;
    for (uint32_t index = 1; index < list->count && sorted; index++) {
        sorted = by_start(&list->items[index - 1], &list->items[index]) <= 0;
    }
    if (!sorted) {
        qsort(list->items, list->count, sizeof *list->items, by_start);
    }
    vaka_clear(flat);
    if (!vaka_reserve(flat, list->count)) {
        return false;
    }
    if (is_flat(list)) {
        if (list->count > 0) {
            memcpy(flat->items, list->items, list->count * sizeof *list->items);
        }
        flat->count = list->count;
        return true;
    }
    vaka_intervals open = {0};
    uint32_t position = 0;
    bool done = true;
    for (uint32_t index = 0; done && index < list->count; index++) {
        done = advance(&open, flat, &position, list->items[index].start);
        position = list->items[index].start;
        struct vaka_interval *slot = done ? vaka_push(&open) : NULL;
        done = slot != NULL;
        if (done) {
            *slot = list->items[index];
        }
    }
    done = done && advance(&open, flat, &position, UINT32_MAX);
    vaka_release(&open);
    return done;
}

bool vaka_intervals_overlay(const vaka_intervals *upper, const vaka_intervals *lower, uint32_t mark,
                            vaka_intervals *result) {
    vaka_clear(result);
    uint32_t next = 0;
    for (uint32_t index = 0; index < lower->count; index++) {
        struct vaka_interval below = lower->items[index];
        while (below.start < below.end) {
            /* Those above that are over before it begins, or begin where it does. */
            while (next < upper->count && upper->items[next].start <= below.start) {
                struct vaka_interval above = upper->items[next++];
                if (!vaka_interval_add(result, above.start, above.end, above.id)) {
                    return false;
                }
            }
            if (next > 0 && upper->items[next - 1].end > below.start) {
                below.start = upper->items[next - 1].end;
                continue;
            }
            uint32_t end =
                next < upper->count && upper->items[next].start < below.end ? upper->items[next].start : below.end;
            if (!vaka_interval_add(result, below.start, end, below.id + mark)) {
                return false;
            }
            below.start = end;
        }
    }
    for (; next < upper->count; next++) {
        if (!vaka_interval_add(result, upper->items[next].start, upper->items[next].end, upper->items[next].id)) {
            return false;
        }
    }
    return true;
}

bool vaka_intervals_clip(const vaka_intervals *list, const vaka_intervals *bounds, vaka_intervals *result) {
    vaka_clear(result);
    uint32_t next = 0;
    for (uint32_t index = 0; index < list->count; index++) {
        struct vaka_interval item = list->items[index];
        while (next < bounds->count && bounds->items[next].end <= item.start) {
            next++;
        }
        for (uint32_t at = next; at < bounds->count && bounds->items[at].start < item.end; at++) {
            uint32_t start = item.start > bounds->items[at].start ? item.start : bounds->items[at].start;
            uint32_t end = item.end < bounds->items[at].end ? item.end : bounds->items[at].end;
            if (!vaka_interval_add(result, start, end, item.id)) {
                return false;
            }
        }
    }
    return true;
}
