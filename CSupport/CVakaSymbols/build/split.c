/* SPDX-License-Identifier: Apache-2.0 */
#include "../dwarf/constants.h"
#include "debug.h"

bool vaka_debug_split(const struct vaka_debug *debug, size_t unit, struct vaka_split *split) {
    const struct vaka_code_unit *found = &debug->code_units.items[unit];
    if (!found->is_split) {
        return false;
    }
    *split = (struct vaka_split){found->split_name, found->unit.folder, found->unit.id, found->has_body};
    return true;
}

/* Takes over the sections as a part that lives as long as the debug information. */
static const struct vaka_sections *keep(struct vaka_debug *debug, const struct vaka_sections *sections) {
    struct vaka_sections **slot = vaka_push(&debug->parts);
    if (slot == NULL) {
        return NULL;
    }
    *slot = malloc(sizeof **slot);
    if (*slot == NULL) {
        debug->parts.count--;
        return NULL;
    }
    **slot = *sections;
    return *slot;
}

/* Reads the first entry of a split unit and joins it to the unit it was split from; false where it is another's. */
static bool join(struct vaka_code_unit *unit, struct vaka_unit body, struct vaka_abbreviations *table) {
    body.address_sections = unit->unit.address_sections;
    body.common = unit->unit.common;
    body.addr_base = unit->unit.addr_base;
    body.low_pc = unit->unit.low_pc;
    body.ranges_base = unit->split_ranges_base;
    struct vaka_cursor cursor = vaka_cursor_at(body.sections->section[VAKA_SECTION_INFO], body.first_entry);
    struct vaka_cursor code = cursor;
    struct vaka_entry root;
    if (cursor.failed || !vaka_abbreviations_read_one(table, &body, vaka_take_uleb(&code)) ||
        !vaka_entry_read(&root, &cursor, table, &body) || root.abbreviation == NULL ||
        root.abbreviation->tag != DW_TAG_compile_unit) {
        return false;
    }
    vaka_unit_adopt(&body, &root);
    if (body.id != unit->unit.id) {
        return false;
    }
    unit->body = body;
    unit->has_body = true;
    return true;
}

static bool is_split_unit(const struct vaka_unit *unit) {
    return unit->version != 0 && (unit->version < 5 || unit->type == DW_UT_split_compile);
}

bool vaka_debug_attach(struct vaka_debug *debug, size_t unit, const struct vaka_sections *sections) {
    struct vaka_code_unit *target = &debug->code_units.items[unit];
    if (!target->is_split || target->has_body) {
        return false;
    }
    const struct vaka_sections *kept = keep(debug, sections);
    if (kept == NULL) {
        return false;
    }
    struct vaka_abbreviations table = {0};
    struct vaka_unit body;
    bool joined = false;
    for (uint64_t offset = 0; !joined && vaka_unit_read(&body, kept, offset); offset = body.end) {
        joined = is_split_unit(&body) && join(target, body, &table);
    }
    vaka_abbreviations_release(&table);
    return joined;
}

/* The index of a package: a hash table of unit ids, and for each unit its part of every section. */
struct package_index {
    uint32_t version;
    uint32_t column_count;
    uint32_t unit_count;
    uint32_t slot_count;
    struct vaka_cursor ids;
    struct vaka_cursor rows;
    struct vaka_cursor columns;
    struct vaka_cursor offsets;
    struct vaka_cursor sizes;
};

static struct vaka_cursor cut(struct vaka_cursor *cursor, uint64_t size) {
    struct vaka_cursor part = *cursor;
    vaka_skip(cursor, size);
    part.end = cursor->at;
    return part;
}

static bool read_index(struct package_index *index, struct vaka_bytes section) {
    struct vaka_cursor cursor = vaka_cursor_at(section, 0);
    /* The GNU form counts 2 in four bytes; version 5 has two bytes and padding. */
    index->version = vaka_take_u32(&cursor);
    index->column_count = vaka_take_u32(&cursor);
    index->unit_count = vaka_take_u32(&cursor);
    index->slot_count = vaka_take_u32(&cursor);
    if (cursor.failed || (index->version != 2 && (index->version & 0xffff) != 5) || index->column_count > 16) {
        return false;
    }
    uint64_t cells = (uint64_t)index->unit_count * index->column_count * 4;
    index->ids = cut(&cursor, (uint64_t)index->slot_count * 8);
    index->rows = cut(&cursor, (uint64_t)index->slot_count * 4);
    index->columns = cut(&cursor, (uint64_t)index->column_count * 4);
    index->offsets = cut(&cursor, cells);
    index->sizes = cut(&cursor, cells);
    return !cursor.failed;
}

/* The section that a column of the index is of; the two versions count differently. */
static enum vaka_section section_of(uint32_t column, uint32_t version) {
    switch (column) {
    case 1:
        return VAKA_SECTION_INFO;
    case 3:
        return VAKA_SECTION_ABBREV;
    case 4:
        return VAKA_SECTION_LINE;
    case 6:
        return VAKA_SECTION_STR_OFFSETS;
    case 8:
        return version == 2 ? VAKA_SECTION_COUNT : VAKA_SECTION_RNGLISTS;
    default:
        return VAKA_SECTION_COUNT;
    }
}

static uint32_t cell(struct vaka_cursor cursor, uint64_t index) {
    vaka_skip(&cursor, index * 4);
    return vaka_take_u32(&cursor);
}

static struct vaka_sections part_of(const struct package_index *index, uint32_t row,
                                    const struct vaka_sections *sections) {
    struct vaka_sections part = *sections;
    for (uint32_t column = 0; column < index->column_count; column++) {
        enum vaka_section section = section_of(cell(index->columns, column), index->version);
        if (section == VAKA_SECTION_COUNT) {
            continue;
        }
        uint64_t at = (uint64_t)(row - 1) * index->column_count + column;
        uint64_t offset = cell(index->offsets, at);
        uint64_t size = cell(index->sizes, at);
        struct vaka_bytes whole = sections->section[section];
        bool fits = whole.start != NULL && offset <= whole.size && size <= whole.size - offset;
        part.section[section] =
            fits ? (struct vaka_bytes){whole.start + offset, (size_t)size} : (struct vaka_bytes){NULL, 0};
    }
    return part;
}

/* The row of a unit's parts; 0 for none. */
static uint32_t row_of(const struct package_index *index, uint64_t id) {
    uint32_t mask = index->slot_count - 1;
    if (index->slot_count == 0 || (index->slot_count & mask) != 0) {
        return 0;
    }
    uint32_t slot = (uint32_t)id & mask;
    uint32_t step = ((uint32_t)(id >> 32) & mask) | 1;
    for (uint32_t tries = 0; tries < index->slot_count; tries++) {
        uint32_t row = cell(index->rows, slot);
        if (row == 0) {
            return 0;
        }
        struct vaka_cursor ids = index->ids;
        vaka_skip(&ids, (uint64_t)slot * 8);
        if (vaka_take_u64(&ids) == id) {
            return row <= index->unit_count ? row : 0;
        }
        slot = (slot + step) & mask;
    }
    return 0;
}

size_t vaka_debug_attach_package(struct vaka_debug *debug, const struct vaka_sections *sections) {
    struct package_index index;
    if (!read_index(&index, sections->section[VAKA_SECTION_CU_INDEX])) {
        return 0;
    }
    size_t attached = 0;
    for (uint32_t unit = 0; unit < debug->code_units.count; unit++) {
        const struct vaka_code_unit *target = &debug->code_units.items[unit];
        uint32_t row = target->is_split && !target->has_body ? row_of(&index, target->unit.id) : 0;
        if (row != 0) {
            struct vaka_sections part = part_of(&index, row, sections);
            attached += vaka_debug_attach(debug, unit, &part);
        }
    }
    return attached;
}
