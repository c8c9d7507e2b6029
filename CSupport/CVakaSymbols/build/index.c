/* SPDX-License-Identifier: Apache-2.0 */
#include "../dwarf/constants.h"
#include "../dwarf/lines.h"
#include "builder.h"

static int by_value(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one;
    uint64_t b = *(const uint64_t *)other;
    return a < b ? -1 : a > b;
}

typedef VAKA_VECTOR(uint64_t) offsets;

/* The next higher offset; the most that fits where there is none. */
static uint64_t next_offset(const offsets *sorted, uint64_t offset, uint32_t *sharers) {
    uint32_t low = 0;
    uint32_t high = sorted->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sorted->items[middle] <= offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *sharers = 0;
    while (*sharers <= VAKA_MOST_SHARERS && low > *sharers && sorted->items[low - 1 - *sharers] == offset) {
        ++*sharers;
    }
    return low < sorted->count ? sorted->items[low] : UINT64_MAX;
}

static bool add_offset(offsets *list, uint64_t offset) {
    uint64_t *slot = vaka_push(list);
    if (slot == NULL) {
        return false;
    }
    *slot = offset;
    return true;
}

/* `common` is where their references to a common file lead. */
static bool read_units(vaka_units *units, const struct vaka_sections *sections, const struct vaka_sections *common) {
    struct vaka_unit unit;
    for (uint64_t offset = 0; vaka_unit_read(&unit, sections, offset); offset = unit.end) {
        if (unit.version == 0) {
            continue;
        }
        struct vaka_unit *slot = vaka_push(units);
        if (slot == NULL) {
            return false;
        }
        *slot = unit;
        slot->common = common;
    }
    return true;
}

/* Tables of abbreviations do not lie over each other: each ends where the next begins, whatever it says itself. */
static bool bound_abbreviations(vaka_units *units) {
    offsets sorted = {0};
    bool done = true;
    for (uint32_t index = 0; done && index < units->count; index++) {
        done = add_offset(&sorted, units->items[index].abbrev_offset);
    }
    if (done && sorted.count > 0) {
        qsort(sorted.items, sorted.count, sizeof *sorted.items, by_value);
        for (uint32_t index = 0; index < units->count; index++) {
            uint32_t sharers;
            units->items[index].abbrev_end = next_offset(&sorted, units->items[index].abbrev_offset, &sharers);
        }
    }
    vaka_release(&sorted);
    return done;
}

/* Reads a unit's first entry; false where it has none. */
static bool read_root(struct vaka_entry *root, struct vaka_abbreviations *table, const struct vaka_unit *unit) {
    struct vaka_cursor cursor = vaka_cursor_at(unit->sections->section[VAKA_SECTION_INFO], unit->first_entry);
    struct vaka_cursor code = cursor;
    return !cursor.failed && vaka_abbreviations_read_one(table, unit, vaka_take_uleb(&code)) &&
           vaka_entry_read(root, &cursor, table, unit) && root->abbreviation != NULL;
}

static bool add_ranges(struct vaka_debug *debug, const vaka_spans *spans, uint32_t number) {
    for (uint32_t index = 0; index < spans->count; index++) {
        uint32_t start;
        uint32_t end;
        if (vaka_code_map_range(&debug->code, spans->items[index].start, spans->items[index].end, &start, &end) &&
            !vaka_interval_add(&debug->ranges, start, end, number)) {
            return false;
        }
    }
    return true;
}

static bool add_code_unit(struct vaka_debug *debug, const struct vaka_unit *unit, const struct vaka_entry *root,
                          vaka_spans *spans) {
    bool is_split = vaka_has(root, VAKA_SLOT_DWO_NAME);
    bool has_code = vaka_has(root, VAKA_SLOT_LOW_PC) || vaka_has(root, VAKA_SLOT_RANGES);
    /* Without code it stands for a precompiled module. */
    if (is_split && !has_code) {
        return true;
    }
    struct vaka_code_unit made = {.unit = *unit, .is_split = is_split, .line_end = UINT64_MAX};
    if (is_split) {
        made.split_name = vaka_value_text(&root->values[VAKA_SLOT_DWO_NAME], unit);
        /* It is for the entries that were split off. */
        made.split_ranges_base = vaka_has(root, VAKA_SLOT_RANGES_BASE) ? root->values[VAKA_SLOT_RANGES_BASE].number : 0;
    }
    made.has_ranges = vaka_has(root, VAKA_SLOT_RANGES) || vaka_has(root, VAKA_SLOT_HIGH_PC);
    made.first_range = debug->ranges.count;
    uint64_t budget = (unit->end - unit->start) * 64 + (1 << 20);
    vaka_clear(spans);
    if (!vaka_ranges_read(spans, root, unit, &budget) || !add_ranges(debug, spans, debug->code_units.count)) {
        return false;
    }
    made.range_count = debug->ranges.count - made.first_range;
    struct vaka_code_unit *slot = vaka_push(&debug->code_units);
    if (slot == NULL) {
        return false;
    }
    *slot = made;
    return true;
}

static bool read_roots(struct vaka_debug *debug, vaka_units *units, bool have_code) {
    struct vaka_abbreviations table = {0};
    vaka_spans spans = {0};
    bool done = true;
    for (uint32_t index = 0; done && index < units->count; index++) {
        struct vaka_unit *unit = &units->items[index];
        struct vaka_entry root;
        if (!read_root(&root, &table, unit)) {
            continue;
        }
        vaka_unit_adopt(unit, &root);
        bool is_code = root.abbreviation->tag == DW_TAG_compile_unit || root.abbreviation->tag == DW_TAG_skeleton_unit;
        if (have_code && is_code && (unit->type == DW_UT_compile || unit->type == DW_UT_skeleton)) {
            done = add_code_unit(debug, unit, &root, &spans);
        }
    }
    vaka_release(&spans);
    vaka_abbreviations_release(&table);
    return done;
}

/* Line programs do not lie over each other either. */
static bool bound_lines(struct vaka_debug *debug) {
    offsets sorted = {0};
    bool done = true;
    for (uint32_t index = 0; done && index < debug->code_units.count; index++) {
        struct vaka_unit *unit = &debug->code_units.items[index].unit;
        done = !unit->has_stmt_list || add_offset(&sorted, unit->stmt_list);
    }
    if (done && sorted.count > 0) {
        qsort(sorted.items, sorted.count, sizeof *sorted.items, by_value);
        for (uint32_t index = 0; index < debug->code_units.count; index++) {
            struct vaka_code_unit *unit = &debug->code_units.items[index];
            uint32_t sharers;
            unit->line_end = next_offset(&sorted, unit->unit.stmt_list, &sharers);
            unit->unit.has_stmt_list = unit->unit.has_stmt_list && sharers <= VAKA_MOST_SHARERS;
        }
    }
    vaka_release(&sorted);
    return done;
}

/* Where the producer wrote no ranges, a unit has the code of its lines. */
static bool add_line_ranges(struct vaka_debug *debug) {
    struct vaka_unit_builder *builder = NULL;
    bool done = true;
    for (uint32_t index = 0; done && index < debug->code_units.count; index++) {
        struct vaka_code_unit *unit = &debug->code_units.items[index];
        if (unit->has_ranges || !unit->unit.has_stmt_list) {
            continue;
        }
        builder = builder != NULL ? builder : vaka_unit_builder_create(debug);
        if (builder == NULL) {
            return false;
        }
        builder->unit = unit;
        done = vaka_builder_read_rows(builder);
        unit->first_range = debug->ranges.count;
        for (uint32_t at = 0; done && at < builder->line_flat.count; at++) {
            struct vaka_interval range = builder->line_flat.items[at];
            done = vaka_interval_add(&debug->ranges, range.start, range.end, index);
        }
        unit->range_count = debug->ranges.count - unit->first_range;
    }
    vaka_unit_builder_destroy(builder);
    return done;
}

bool vaka_debug_index(struct vaka_debug *debug) {
    return read_units(&debug->units, &debug->sections, &debug->common) && bound_abbreviations(&debug->units) &&
           read_units(&debug->common_units, &debug->common, &debug->common) &&
           bound_abbreviations(&debug->common_units) && read_roots(debug, &debug->units, true) &&
           read_roots(debug, &debug->common_units, false) && bound_lines(debug) && add_line_ranges(debug);
}

const struct vaka_unit *vaka_units_find(const vaka_units *units, uint64_t offset) {
    uint32_t low = 0;
    uint32_t high = units->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (units->items[middle].start <= offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) {
        return NULL;
    }
    const struct vaka_unit *unit = &units->items[low - 1];
    return offset >= unit->first_entry && offset < unit->end ? unit : NULL;
}
