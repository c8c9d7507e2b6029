/* SPDX-License-Identifier: Apache-2.0 */
#include "merge.h"

const struct vaka_piece *vaka_merge_piece(const struct vaka_merge *merge, uint32_t number, uint32_t *unit) {
    uint32_t low = 0;
    uint32_t high = merge->merged.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (merge->merged.items[middle].first_piece <= number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *unit = low - 1;
    return &merge->units[low - 1].pieces.items[number - merge->merged.items[low - 1].first_piece];
}

/* All units' pieces: functions, and what only has lines. */
static bool collect(struct vaka_merge *merge, vaka_intervals *lines) {
    uint32_t number = 0;
    for (uint32_t unit = 0; unit < merge->unit_count; unit++) {
        for (uint32_t index = 0; index < merge->units[unit].pieces.count; index++, number++) {
            const struct vaka_piece *piece = &merge->units[unit].pieces.items[index];
            vaka_intervals *list = piece->node != 0 ? &merge->functions : lines;
            if (!vaka_interval_add(list, piece->start, piece->end, number)) {
                return false;
            }
        }
    }
    return true;
}

/* Both symbol tables' code, that of the packed one with ids behind the other's. */
static bool symbol_code(struct vaka_merge *merge, vaka_intervals *result) {
    const struct vaka_symbols *symbols = &merge->debug->symbols;
    return vaka_intervals_overlay(&symbols->list.code, &symbols->packed_list.code, symbols->list.items.count, result);
}

/* Leaves of the symbols' code what the options ask for. */
static bool choose_symbols(const struct vaka_merge *merge, const vaka_intervals *code, vaka_intervals *chosen) {
    const struct vaka_build_options *options = merge->options;
    uint32_t start = 0;
    uint32_t end = UINT32_MAX;
    if (options->symbols == VAKA_SYMBOLS_NONE) {
        return true;
    }
    if (options->symbols == VAKA_SYMBOLS_BETWEEN &&
        !vaka_code_map_range(&merge->debug->code, options->start_address, options->end_address, &start, &end)) {
        return true;
    }
    for (uint32_t index = 0; index < code->count; index++) {
        struct vaka_interval item = code->items[index];
        if (item.start < end && start < item.end && !vaka_interval_add(chosen, item.start, item.end, item.id)) {
            return false;
        }
    }
    return true;
}

static bool add_stretch(struct vaka_merge *merge, struct vaka_stretch stretch) {
    struct vaka_stretch *slot = vaka_push(&merge->stretches);
    if (slot == NULL) {
        return false;
    }
    *slot = stretch;
    return true;
}

static struct vaka_stretch of_symbol(const struct vaka_merge *merge, struct vaka_interval item) {
    uint32_t own = merge->debug->symbols.list.items.count;
    bool is_packed = item.id >= own;
    return (struct vaka_stretch){.start = item.start,
                                 .end = item.end,
                                 .source = VAKA_SOURCE_SYMBOL,
                                 .is_packed = is_packed,
                                 .symbol = is_packed ? item.id - own : item.id};
}

/* Code that only has lines is cut where its symbols are. */
static bool add_lines(struct vaka_merge *merge, struct vaka_interval item, const vaka_intervals *code, uint32_t *next) {
    while (*next < code->count && code->items[*next].end <= item.start) {
        ++*next;
    }
    struct vaka_stretch made = {.source = VAKA_SOURCE_LINES, .piece = item.id, .symbol = UINT32_MAX};
    for (uint32_t at = *next; item.start < item.end; at++) {
        bool has_symbol = at < code->count && code->items[at].start < item.end;
        uint32_t start = has_symbol && code->items[at].start > item.start ? code->items[at].start : item.start;
        uint32_t end = has_symbol && code->items[at].end < item.end ? code->items[at].end : item.end;
        made.symbol = UINT32_MAX;
        made.start = item.start;
        made.end = has_symbol ? start : item.end;
        if (made.start < made.end && !add_stretch(merge, made)) {
            return false;
        }
        if (!has_symbol) {
            break;
        }
        struct vaka_stretch named = of_symbol(merge, code->items[at]);
        made.symbol = named.symbol;
        made.is_packed = named.is_packed;
        made.start = start;
        made.end = end;
        if (!add_stretch(merge, made)) {
            return false;
        }
        item.start = end;
    }
    return true;
}

static bool join(struct vaka_merge *merge, const vaka_intervals *functions, const vaka_intervals *lines,
                 const vaka_intervals *chosen, const vaka_intervals *code) {
    vaka_intervals described = {0};
    vaka_intervals everything = {0};
    uint32_t next = 0;
    /* Line-only pieces keep their numbers; symbols' come behind all of them. */
    uint32_t mark = merge->merged.count == 0 ? 0
                                             : merge->merged.items[merge->merged.count - 1].first_piece +
                                                   merge->units[merge->unit_count - 1].pieces.count;
    bool done = vaka_intervals_overlay(functions, lines, 0, &described) &&
                vaka_intervals_overlay(&described, chosen, mark, &everything);
    for (uint32_t index = 0; done && index < everything.count; index++) {
        struct vaka_interval item = everything.items[index];
        uint32_t unit;
        if (item.id >= mark) {
            item.id -= mark;
            done = add_stretch(merge, of_symbol(merge, item));
        } else if (vaka_merge_piece(merge, item.id, &unit)->node == 0) {
            done = add_lines(merge, item, code, &next);
        } else {
            done = add_stretch(merge, (struct vaka_stretch){.start = item.start,
                                                            .end = item.end,
                                                            .source = VAKA_SOURCE_FUNCTION,
                                                            .piece = item.id,
                                                            .symbol = UINT32_MAX});
        }
    }
    vaka_release(&described);
    vaka_release(&everything);
    return done;
}

bool vaka_merge_lay_out(struct vaka_merge *merge) {
    vaka_intervals lines = {0};
    vaka_intervals flat_functions = {0};
    vaka_intervals flat_lines = {0};
    vaka_intervals code = {0};
    vaka_intervals chosen = {0};
    bool done = collect(merge, &lines) && vaka_intervals_flatten(&merge->functions, &flat_functions) &&
                vaka_intervals_flatten(&lines, &flat_lines) && symbol_code(merge, &code) &&
                choose_symbols(merge, &code, &chosen) && join(merge, &flat_functions, &flat_lines, &chosen, &code);
    vaka_release(&lines);
    vaka_release(&flat_functions);
    vaka_release(&flat_lines);
    vaka_release(&code);
    vaka_release(&chosen);
    return done;
}
