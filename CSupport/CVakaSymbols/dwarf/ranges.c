/* SPDX-License-Identifier: Apache-2.0 */
#include "constants.h"
#include "object.h"

static bool add(vaka_spans *spans, uint64_t start, uint64_t end) {
    if (start >= end) {
        return true;
    }
    struct vaka_span *span = vaka_push(spans);
    if (span == NULL) {
        return false;
    }
    *span = (struct vaka_span){start, end};
    return true;
}

static void spend(uint64_t *budget, uint64_t bytes) {
    *budget -= bytes < *budget ? bytes : *budget;
}

/* `.debug_ranges`, to version 4: pairs that count from the unit's start, or from the last base. */
static bool read_pairs(vaka_spans *spans, struct vaka_cursor *cursor, const struct vaka_unit *unit, uint64_t *budget) {
    uint64_t none = unit->address_size == 8 ? UINT64_MAX : UINT32_MAX;
    uint64_t base = unit->low_pc;
    while (!cursor->failed && *budget > 0) {
        uint64_t start = vaka_take_sized(cursor, unit->address_size);
        uint64_t end = vaka_take_sized(cursor, unit->address_size);
        spend(budget, 2 * (uint64_t)unit->address_size);
        if (start == 0 && end == 0) {
            break;
        }
        if (start == none) {
            base = end;
        } else if (base < none - 1 && !add(spans, (base + start) & none, (base + end) & none)) {
            return false;
        }
    }
    return true;
}

static uint64_t indexed(uint64_t index, const struct vaka_unit *unit) {
    struct vaka_value value = {.form = DW_FORM_addrx, .number = index};
    uint64_t address = 0;
    vaka_value_address(&value, unit, &address);
    return address;
}

/* One entry of `.debug_rnglists`; false at its end. */
static bool read_list_entry(struct vaka_cursor *cursor, const struct vaka_unit *unit, uint64_t *base,
                            struct vaka_span *span) {
    *span = (struct vaka_span){0, 0};
    switch (vaka_take_u8(cursor)) {
    case DW_RLE_base_addressx:
        *base = indexed(vaka_take_uleb(cursor), unit);
        break;
    case DW_RLE_base_address:
        *base = vaka_take_sized(cursor, unit->address_size);
        break;
    case DW_RLE_startx_endx:
        span->start = indexed(vaka_take_uleb(cursor), unit);
        span->end = indexed(vaka_take_uleb(cursor), unit);
        break;
    case DW_RLE_startx_length:
        span->start = indexed(vaka_take_uleb(cursor), unit);
        span->end = span->start + vaka_take_uleb(cursor);
        break;
    case DW_RLE_offset_pair:
        span->start = *base + vaka_take_uleb(cursor);
        span->end = *base + vaka_take_uleb(cursor);
        break;
    case DW_RLE_start_end:
        span->start = vaka_take_sized(cursor, unit->address_size);
        span->end = vaka_take_sized(cursor, unit->address_size);
        break;
    case DW_RLE_start_length:
        span->start = vaka_take_sized(cursor, unit->address_size);
        span->end = span->start + vaka_take_uleb(cursor);
        break;
    default:
        return false;
    }
    return !cursor->failed;
}

static bool read_list(vaka_spans *spans, struct vaka_cursor *cursor, const struct vaka_unit *unit, uint64_t *budget) {
    uint64_t none = unit->address_size == 8 ? UINT64_MAX : UINT32_MAX;
    uint64_t base = unit->low_pc;
    struct vaka_span span;
    while (*budget > 0) {
        const uint8_t *before = cursor->at;
        bool more = read_list_entry(cursor, unit, &base, &span);
        spend(budget, (uint64_t)(cursor->at - before));
        if (!more) {
            break;
        }
        if (base < none - 1 && !add(spans, span.start, span.end)) {
            return false;
        }
    }
    return true;
}

static bool read_lists(vaka_spans *spans, const struct vaka_value *value, const struct vaka_unit *unit,
                       uint64_t *budget) {
    uint64_t offset = value->number;
    if (unit->version < 5) {
        struct vaka_cursor cursor =
            vaka_cursor_at(unit->address_sections->section[VAKA_SECTION_RANGES], offset + unit->ranges_base);
        return read_pairs(spans, &cursor, unit, budget);
    }
    struct vaka_bytes section = unit->sections->section[VAKA_SECTION_RNGLISTS];
    if (value->form == DW_FORM_rnglistx) {
        struct vaka_cursor cursor = vaka_cursor_at(section, unit->rnglists_base);
        vaka_skip(&cursor, offset > UINT32_MAX ? UINT64_MAX : offset * unit->offset_size);
        offset = unit->rnglists_base + vaka_take_sized(&cursor, unit->offset_size);
        if (cursor.failed) {
            return true;
        }
    }
    struct vaka_cursor cursor = vaka_cursor_at(section, offset);
    return read_list(spans, &cursor, unit, budget);
}

bool vaka_ranges_read(vaka_spans *spans, const struct vaka_entry *entry, const struct vaka_unit *unit,
                      uint64_t *budget) {
    if (vaka_has(entry, VAKA_SLOT_RANGES)) {
        return read_lists(spans, &entry->values[VAKA_SLOT_RANGES], unit, budget);
    }
    uint64_t start;
    uint64_t end;
    if (!vaka_has(entry, VAKA_SLOT_LOW_PC) || !vaka_has(entry, VAKA_SLOT_HIGH_PC) ||
        !vaka_value_address(&entry->values[VAKA_SLOT_LOW_PC], unit, &start)) {
        return true;
    }
    const struct vaka_value *high = &entry->values[VAKA_SLOT_HIGH_PC];
    if (vaka_value_is_address(high)) {
        return !vaka_value_address(high, unit, &end) || add(spans, start, end);
    }
    return add(spans, start, start + high->number);
}
