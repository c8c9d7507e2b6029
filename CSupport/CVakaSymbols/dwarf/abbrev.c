/* SPDX-License-Identifier: Apache-2.0 */
#include "constants.h"
#include "object.h"

/* More than any compiler writes; entries of very many attributes must not cost time. */
#define MOST_ATTRIBUTES 256

static uint8_t kind_of(uint64_t tag) {
    switch (tag) {
    case DW_TAG_subprogram:
        return VAKA_KIND_FUNCTION;
    case DW_TAG_inlined_subroutine:
        return VAKA_KIND_INLINED;
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_with_stmt:
        return VAKA_KIND_BLOCK;
    case DW_TAG_compile_unit:
    case DW_TAG_partial_unit:
    case DW_TAG_skeleton_unit:
        return VAKA_KIND_ROOT;
    case DW_TAG_namespace:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_module:
        return VAKA_KIND_SCOPE;
    default:
        return VAKA_KIND_OTHER;
    }
}

static uint8_t code_slot_of(uint64_t attribute) {
    switch (attribute) {
    case DW_AT_low_pc:
        return VAKA_SLOT_LOW_PC;
    case DW_AT_high_pc:
        return VAKA_SLOT_HIGH_PC;
    case DW_AT_ranges:
        return VAKA_SLOT_RANGES;
    case DW_AT_name:
        return VAKA_SLOT_NAME;
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name:
        return VAKA_SLOT_LINKAGE_NAME;
    case DW_AT_abstract_origin:
        return VAKA_SLOT_ORIGIN;
    case DW_AT_specification:
        return VAKA_SLOT_SPECIFICATION;
    case DW_AT_call_file:
        return VAKA_SLOT_CALL_FILE;
    case DW_AT_call_line:
        return VAKA_SLOT_CALL_LINE;
    case DW_AT_call_column:
        return VAKA_SLOT_CALL_COLUMN;
    default:
        return VAKA_SLOT_NONE;
    }
}

static uint8_t root_slot_of(uint64_t attribute) {
    switch (attribute) {
    case DW_AT_stmt_list:
        return VAKA_SLOT_STMT_LIST;
    case DW_AT_comp_dir:
        return VAKA_SLOT_COMP_DIR;
    case DW_AT_str_offsets_base:
        return VAKA_SLOT_STR_OFFSETS_BASE;
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base:
        return VAKA_SLOT_ADDR_BASE;
    case DW_AT_rnglists_base:
        return VAKA_SLOT_RNGLISTS_BASE;
    case DW_AT_GNU_ranges_base:
        return VAKA_SLOT_RANGES_BASE;
    case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name:
        return VAKA_SLOT_DWO_NAME;
    case DW_AT_GNU_dwo_id:
        return VAKA_SLOT_DWO_ID;
    default:
        return code_slot_of(attribute);
    }
}

static uint8_t slot_of(uint64_t attribute, uint8_t kind) {
    switch (kind) {
    case VAKA_KIND_ROOT:
        return root_slot_of(attribute);
    case VAKA_KIND_FUNCTION:
    case VAKA_KIND_INLINED:
        return code_slot_of(attribute);
    case VAKA_KIND_SCOPE:
        return attribute == DW_AT_name ? VAKA_SLOT_NAME : VAKA_SLOT_NONE;
    default:
        return VAKA_SLOT_NONE;
    }
}

/* Adds an attribute, or lengthens the skip before it. */
static bool add(struct vaka_abbreviations *table, struct vaka_abbreviation *entry, struct vaka_attribute attribute,
                const struct vaka_unit *unit) {
    if (attribute.slot == VAKA_SLOT_NONE) {
        int size = vaka_form_size(attribute.form, unit);
        if (size == 0) {
            return true;
        }
        struct vaka_attribute *last = entry->count > 0 ? &table->attributes.items[table->attributes.count - 1] : NULL;
        if (size > 0 && last != NULL && last->skip > 0 && last->skip + size < 256) {
            last->skip = (uint8_t)(last->skip + size);
            return true;
        }
        attribute.skip = size > 0 ? (uint8_t)size : 0;
    }
    struct vaka_attribute *slot = vaka_push(&table->attributes);
    if (slot == NULL) {
        return false;
    }
    *slot = attribute;
    entry->count++;
    return true;
}

static bool read_attributes(struct vaka_abbreviations *table, struct vaka_abbreviation *entry,
                            struct vaka_cursor *cursor, const struct vaka_unit *unit) {
    for (unsigned seen = 0; seen <= MOST_ATTRIBUTES; seen++) {
        uint64_t name = vaka_take_uleb(cursor);
        uint64_t form = vaka_take_uleb(cursor);
        int64_t constant = form == DW_FORM_implicit_const ? vaka_take_sleb(cursor) : 0;
        if (cursor->failed) {
            return false;
        }
        if (name == 0 && form == 0) {
            return true;
        }
        struct vaka_attribute attribute = {
            .form = form > 0xffff ? 0xffff : (uint16_t)form, .slot = slot_of(name, entry->kind), .constant = constant};
        if (!add(table, entry, attribute, unit)) {
            return false;
        }
    }
    return false;
}

static bool read_entry(struct vaka_abbreviations *table, struct vaka_cursor *cursor, const struct vaka_unit *unit,
                       uint64_t code) {
    struct vaka_abbreviation entry = {.code = code, .first = table->attributes.count};
    uint64_t tag = vaka_take_uleb(cursor);
    entry.tag = tag > 0xffff ? 0xffff : (uint16_t)tag;
    entry.kind = kind_of(tag);
    entry.has_children = vaka_take_u8(cursor) != 0;
    struct vaka_abbreviation *slot = read_attributes(table, &entry, cursor, unit) ? vaka_push(&table->list) : NULL;
    if (slot == NULL) {
        return false;
    }
    *slot = entry;
    table->is_dense = table->is_dense && code == table->list.count;
    return true;
}

static void skip_entry(struct vaka_cursor *cursor) {
    vaka_take_uleb(cursor);
    vaka_take_u8(cursor);
    for (unsigned seen = 0; seen <= MOST_ATTRIBUTES; seen++) {
        uint64_t name = vaka_take_uleb(cursor);
        uint64_t form = vaka_take_uleb(cursor);
        if (form == DW_FORM_implicit_const) {
            vaka_take_sleb(cursor);
        }
        if (cursor->failed || (name == 0 && form == 0)) {
            return;
        }
    }
    vaka_cursor_fail(cursor);
}

static struct vaka_cursor begin(struct vaka_abbreviations *table, const struct vaka_unit *unit) {
    struct vaka_bytes bytes = unit->sections->section[VAKA_SECTION_ABBREV];
    bytes.size = bytes.size < unit->abbrev_end ? bytes.size : (size_t)unit->abbrev_end;
    table->offset = unit->abbrev_offset;
    vaka_clear(&table->list);
    vaka_clear(&table->attributes);
    table->is_dense = true;
    return vaka_cursor_at(bytes, unit->abbrev_offset);
}

static int by_code(const void *one, const void *other) {
    uint64_t a = ((const struct vaka_abbreviation *)one)->code;
    uint64_t b = ((const struct vaka_abbreviation *)other)->code;
    return a < b ? -1 : a > b;
}

bool vaka_abbreviations_read(struct vaka_abbreviations *table, const struct vaka_unit *unit) {
    struct vaka_cursor cursor = begin(table, unit);
    uint64_t code = vaka_take_uleb(&cursor);
    while (!cursor.failed && code != 0 && read_entry(table, &cursor, unit, code)) {
        code = vaka_take_uleb(&cursor);
    }
    if (!table->is_dense) {
        qsort(table->list.items, table->list.count, sizeof *table->list.items, by_code);
    }
    return table->list.count > 0;
}

bool vaka_abbreviations_read_one(struct vaka_abbreviations *table, const struct vaka_unit *unit, uint64_t wanted) {
    struct vaka_cursor cursor = begin(table, unit);
    uint64_t code = vaka_take_uleb(&cursor);
    while (!cursor.failed && code != 0 && code != wanted) {
        skip_entry(&cursor);
        code = vaka_take_uleb(&cursor);
    }
    return !cursor.failed && code != 0 && read_entry(table, &cursor, unit, code);
}

void vaka_abbreviations_release(struct vaka_abbreviations *table) {
    vaka_release(&table->list);
    vaka_release(&table->attributes);
}

const struct vaka_abbreviation *vaka_abbreviations_find(const struct vaka_abbreviations *table, uint64_t code) {
    if (table->is_dense) {
        return code - 1 < table->list.count ? &table->list.items[code - 1] : NULL;
    }
    uint32_t low = 0;
    uint32_t high = table->list.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (table->list.items[middle].code < code) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < table->list.count && table->list.items[low].code == code ? &table->list.items[low] : NULL;
}
