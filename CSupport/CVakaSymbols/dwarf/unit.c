/* SPDX-License-Identifier: Apache-2.0 */
#include "constants.h"
#include "object.h"

static bool read_header(struct vaka_unit *unit, struct vaka_cursor *cursor) {
    unit->version = vaka_take_u16(cursor);
    if (unit->version < 2 || unit->version > 5) {
        return false;
    }
    unit->type = DW_UT_compile;
    if (unit->version >= 5) {
        unit->type = vaka_take_u8(cursor);
        unit->address_size = vaka_take_u8(cursor);
        unit->abbrev_offset = vaka_take_sized(cursor, unit->offset_size);
        if (unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile) {
            unit->id = vaka_take_u64(cursor);
        }
        if (unit->type == DW_UT_type || unit->type == DW_UT_split_type) {
            vaka_skip(cursor, 8 + unit->offset_size);
        }
    } else {
        unit->abbrev_offset = vaka_take_sized(cursor, unit->offset_size);
        unit->address_size = vaka_take_u8(cursor);
    }
    return !cursor->failed && (unit->address_size == 4 || unit->address_size == 8);
}

bool vaka_unit_read(struct vaka_unit *unit, const struct vaka_sections *sections, uint64_t offset) {
    struct vaka_bytes info = sections->section[VAKA_SECTION_INFO];
    struct vaka_cursor cursor = vaka_cursor_at(info, offset);
    *unit = (struct vaka_unit){.sections = sections, .address_sections = sections, .start = offset, .offset_size = 4};
    uint64_t length = vaka_take_u32(&cursor);
    if (length == 0xffffffff) {
        unit->offset_size = 8;
        length = vaka_take_u64(&cursor);
    }
    if (cursor.failed || length == 0 || length > vaka_cursor_left(&cursor)) {
        return false;
    }
    cursor.end = cursor.at + length;
    unit->end = (uint64_t)(cursor.end - info.start);
    unit->abbrev_end = UINT64_MAX;
    if (!read_header(unit, &cursor)) {
        /* What the header says cannot be used; the next unit may. */
        unit->version = 0;
        return true;
    }
    unit->first_entry = (uint64_t)(cursor.at - info.start);
    /* Split units without a base count from behind the header of their section. */
    if (unit->version >= 5) {
        unit->str_offsets_base = unit->offset_size == 8 ? 16 : 8;
        unit->addr_base = unit->offset_size == 8 ? 16 : 8;
        unit->rnglists_base = unit->offset_size == 8 ? 20 : 12;
    }
    return true;
}

static void take(uint64_t *target, const struct vaka_entry *root, enum vaka_slot slot) {
    if (vaka_has(root, slot)) {
        *target = root->values[slot].number;
    }
}

void vaka_unit_adopt(struct vaka_unit *unit, const struct vaka_entry *root) {
    take(&unit->str_offsets_base, root, VAKA_SLOT_STR_OFFSETS_BASE);
    take(&unit->addr_base, root, VAKA_SLOT_ADDR_BASE);
    take(&unit->rnglists_base, root, VAKA_SLOT_RNGLISTS_BASE);
    take(&unit->stmt_list, root, VAKA_SLOT_STMT_LIST);
    unit->has_stmt_list = vaka_has(root, VAKA_SLOT_STMT_LIST);
    if (unit->version < 5) {
        take(&unit->id, root, VAKA_SLOT_DWO_ID);
    }
    if (vaka_has(root, VAKA_SLOT_LOW_PC)) {
        vaka_value_address(&root->values[VAKA_SLOT_LOW_PC], unit, &unit->low_pc);
    }
    if (vaka_has(root, VAKA_SLOT_COMP_DIR)) {
        unit->folder = vaka_value_text(&root->values[VAKA_SLOT_COMP_DIR], unit);
    }
}
