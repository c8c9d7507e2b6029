/* SPDX-License-Identifier: Apache-2.0 */
#include "builder.h"

/* Deeper nesting than any compiler writes; what is deeper is left out. */
#define DEEPEST 4096

static uint32_t add_node(struct vaka_unit_builder *builder, uint32_t parent, uint32_t name, uint32_t place) {
    struct vaka_built_node *slot = vaka_push(&builder->code->nodes);
    if (slot == NULL) {
        builder->has_failed = true;
        return 0;
    }
    *slot = (struct vaka_built_node){parent, name, place};
    return builder->code->nodes.count - 1;
}

static void read_spans(struct vaka_unit_builder *builder, const struct vaka_entry *entry,
                       const struct vaka_unit *unit) {
    vaka_clear(&builder->spans);
    if (!vaka_ranges_read(&builder->spans, entry, unit, &builder->budget)) {
        builder->has_failed = true;
    }
}

/* The spans hold code that is asked for. */
static bool is_wanted(const struct vaka_unit_builder *builder) {
    for (uint32_t index = 0; index < builder->spans.count; index++) {
        struct vaka_span span = builder->spans.items[index];
        uint32_t start;
        uint32_t end;
        if (vaka_code_map_range(&builder->debug->code, span.start, span.end, &start, &end) &&
            vaka_builder_wants(builder, start, end)) {
            return true;
        }
    }
    return false;
}

/* Notes a function that has code; what is below it belongs to it. */
static struct vaka_level begin_function(struct vaka_unit_builder *builder, const struct vaka_entry *entry,
                                        const struct vaka_unit *unit) {
    struct vaka_level level = {VAKA_NO_FUNCTION, 0};
    read_spans(builder, entry, unit);
    if (!is_wanted(builder)) {
        return level;
    }
    for (uint32_t index = 0; index < builder->spans.count; index++) {
        uint32_t start;
        uint32_t end;
        struct vaka_span span = builder->spans.items[index];
        if (!vaka_code_map_range(&builder->debug->code, span.start, span.end, &start, &end)) {
            continue;
        }
        if (level.function == VAKA_NO_FUNCTION) {
            level.node = add_node(builder, 0, vaka_builder_name(builder, entry, unit), 0);
            level.function = builder->functions.count;
            uint32_t *slot = vaka_push(&builder->functions);
            if (slot == NULL) {
                builder->has_failed = true;
                return level;
            }
            *slot = level.node;
        }
        builder->has_failed |= !vaka_interval_add(&builder->function_code, start, end, level.function);
    }
    return level;
}

static struct vaka_level begin_inlined(struct vaka_unit_builder *builder, const struct vaka_entry *entry,
                                       const struct vaka_unit *unit, struct vaka_level around) {
    if (around.function == VAKA_NO_FUNCTION) {
        return around;
    }
    struct vaka_level level = {around.function, 0};
    level.node = add_node(builder, around.node, vaka_builder_name(builder, entry, unit),
                          vaka_builder_call_place(builder, entry));
    read_spans(builder, entry, unit);
    for (uint32_t index = 0; index < builder->spans.count; index++) {
        struct vaka_span span = builder->spans.items[index];
        struct vaka_inlined made = {.node = level.node, .function = level.function};
        if (!vaka_code_map_range(&builder->debug->code, span.start, span.end, &made.start, &made.end)) {
            continue;
        }
        struct vaka_inlined *slot = vaka_push(&builder->inlined);
        if (slot == NULL) {
            builder->has_failed = true;
            return level;
        }
        *slot = made;
    }
    return level;
}

static struct vaka_level begin(struct vaka_unit_builder *builder, const struct vaka_entry *entry,
                               const struct vaka_unit *unit, struct vaka_level around) {
    switch (entry->abbreviation->kind) {
    case VAKA_KIND_FUNCTION:
        return begin_function(builder, entry, unit);
    case VAKA_KIND_INLINED:
        return begin_inlined(builder, entry, unit, around);
    case VAKA_KIND_BLOCK:
        return around;
    default:
        return (struct vaka_level){VAKA_NO_FUNCTION, 0};
    }
}

bool vaka_builder_walk(struct vaka_unit_builder *builder) {
    const struct vaka_unit *unit = builder->unit->is_split ? &builder->unit->body : &builder->unit->unit;
    vaka_clear(&builder->levels);
    vaka_clear(&builder->functions);
    vaka_clear(&builder->function_code);
    vaka_clear(&builder->inlined);
    add_node(builder, 0, 0, 0);
    const struct vaka_abbreviations *table = vaka_builder_own_table(builder, unit);
    if ((builder->unit->is_split && !builder->unit->has_body) || table == NULL) {
        return !builder->has_failed;
    }
    struct vaka_cursor cursor = vaka_cursor_at(unit->sections->section[VAKA_SECTION_INFO], unit->first_entry);
    if (cursor.failed) {
        return true;
    }
    cursor.end = unit->sections->section[VAKA_SECTION_INFO].start + unit->end;
    struct vaka_level level = {VAKA_NO_FUNCTION, 0};
    struct vaka_entry entry;
    while (!builder->has_failed && vaka_entry_read(&entry, &cursor, table, unit)) {
        if (entry.abbreviation == NULL) {
            if (builder->levels.count == 0) {
                continue;
            }
            level = builder->levels.items[--builder->levels.count];
            continue;
        }
        struct vaka_level below = begin(builder, &entry, unit, level);
        if (!entry.abbreviation->has_children) {
            continue;
        }
        struct vaka_level *slot = builder->levels.count < DEEPEST ? vaka_push(&builder->levels) : NULL;
        if (slot == NULL) {
            break;
        }
        *slot = level;
        level = below;
    }
    return !builder->has_failed;
}
