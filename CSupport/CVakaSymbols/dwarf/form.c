/* SPDX-License-Identifier: Apache-2.0 */
#include "constants.h"
#include "object.h"

int vaka_form_size(uint16_t form, const struct vaka_unit *unit) {
    switch (form) {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const:
        return 0;
    case DW_FORM_data1:
    case DW_FORM_flag:
    case DW_FORM_ref1:
    case DW_FORM_strx1:
    case DW_FORM_addrx1:
        return 1;
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2:
        return 2;
    case DW_FORM_strx3:
    case DW_FORM_addrx3:
        return 3;
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_ref_sup4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4:
        return 4;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sig8:
    case DW_FORM_ref_sup8:
        return 8;
    case DW_FORM_data16:
        return 16;
    case DW_FORM_addr:
        return unit->address_size;
    case DW_FORM_ref_addr:
        return unit->version < 3 ? unit->address_size : unit->offset_size;
    case DW_FORM_strp:
    case DW_FORM_sec_offset:
    case DW_FORM_line_strp:
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
        return unit->offset_size;
    default:
        return -1;
    }
}

static void read_block(struct vaka_cursor *cursor, struct vaka_value *value, uint64_t size) {
    value->number = 0;
    vaka_skip(cursor, size);
}

struct vaka_value vaka_form_read(struct vaka_cursor *cursor, uint16_t form, int64_t constant,
                                 const struct vaka_unit *unit) {
    struct vaka_value value = {.form = form};
    switch (form) {
    case DW_FORM_implicit_const:
        value.number = (uint64_t)constant;
        break;
    case DW_FORM_flag_present:
        value.number = 1;
        break;
    case DW_FORM_sdata:
        value.number = (uint64_t)vaka_take_sleb(cursor);
        break;
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_loclistx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index:
        value.number = vaka_take_uleb(cursor);
        break;
    case DW_FORM_string: {
        struct vaka_bytes text = vaka_take_text(cursor);
        value.number = (uint64_t)(uintptr_t)text.start;
        value.size = (uint32_t)text.size;
        break;
    }
    case DW_FORM_block:
    case DW_FORM_exprloc:
        read_block(cursor, &value, vaka_take_uleb(cursor));
        break;
    case DW_FORM_block1:
        read_block(cursor, &value, vaka_take_u8(cursor));
        break;
    case DW_FORM_block2:
        read_block(cursor, &value, vaka_take_u16(cursor));
        break;
    case DW_FORM_block4:
        read_block(cursor, &value, vaka_take_u32(cursor));
        break;
    case DW_FORM_data16:
        read_block(cursor, &value, 16);
        break;
    case DW_FORM_indirect: {
        uint64_t real = vaka_take_uleb(cursor);
        if (real == DW_FORM_indirect || real == DW_FORM_implicit_const || real > 0xffff) {
            vaka_cursor_fail(cursor);
            return value;
        }
        return vaka_form_read(cursor, (uint16_t)real, 0, unit);
    }
    default: {
        int size = vaka_form_size(form, unit);
        if (size <= 0) {
            vaka_cursor_fail(cursor);
        } else {
            value.number = vaka_take_sized(cursor, (unsigned)size);
        }
        break;
    }
    }
    return value;
}

bool vaka_value_is_address(const struct vaka_value *value) {
    switch (value->form) {
    case DW_FORM_addr:
    case DW_FORM_addrx:
    case DW_FORM_addrx1:
    case DW_FORM_addrx2:
    case DW_FORM_addrx3:
    case DW_FORM_addrx4:
    case DW_FORM_GNU_addr_index:
        return true;
    default:
        return false;
    }
}

bool vaka_value_address(const struct vaka_value *value, const struct vaka_unit *unit, uint64_t *address) {
    if (value->form == DW_FORM_addr) {
        *address = value->number;
        return true;
    }
    if (!vaka_value_is_address(value) || value->number > UINT32_MAX) {
        return false;
    }
    struct vaka_cursor cursor = vaka_cursor_at(unit->address_sections->section[VAKA_SECTION_ADDR], unit->addr_base);
    vaka_skip(&cursor, value->number * unit->address_size);
    *address = vaka_take_sized(&cursor, unit->address_size);
    return !cursor.failed;
}

static struct vaka_bytes text_at(struct vaka_bytes section, uint64_t offset) {
    struct vaka_cursor cursor = vaka_cursor_at(section, offset);
    return vaka_take_text(&cursor);
}

static struct vaka_bytes indexed_text(const struct vaka_unit *unit, uint64_t index) {
    if (index > UINT32_MAX) {
        return (struct vaka_bytes){NULL, 0};
    }
    struct vaka_cursor cursor =
        vaka_cursor_at(unit->sections->section[VAKA_SECTION_STR_OFFSETS], unit->str_offsets_base);
    vaka_skip(&cursor, index * unit->offset_size);
    uint64_t offset = vaka_take_sized(&cursor, unit->offset_size);
    return cursor.failed ? (struct vaka_bytes){NULL, 0} : text_at(unit->sections->section[VAKA_SECTION_STR], offset);
}

struct vaka_bytes vaka_value_text(const struct vaka_value *value, const struct vaka_unit *unit) {
    switch (value->form) {
    case DW_FORM_string:
        return (struct vaka_bytes){(const uint8_t *)(uintptr_t)value->number, value->size};
    case DW_FORM_strp:
        return text_at(unit->sections->section[VAKA_SECTION_STR], value->number);
    case DW_FORM_line_strp:
        return text_at(unit->sections->section[VAKA_SECTION_LINE_STR], value->number);
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_strp_alt:
        return unit->common == NULL ? (struct vaka_bytes){NULL, 0}
                                    : text_at(unit->common->section[VAKA_SECTION_STR], value->number);
    case DW_FORM_strx:
    case DW_FORM_strx1:
    case DW_FORM_strx2:
    case DW_FORM_strx3:
    case DW_FORM_strx4:
    case DW_FORM_GNU_str_index:
        return indexed_text(unit, value->number);
    default:
        return (struct vaka_bytes){NULL, 0};
    }
}
