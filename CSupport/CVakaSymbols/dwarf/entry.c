/* SPDX-License-Identifier: Apache-2.0 */
#include "object.h"

bool vaka_entry_read(struct vaka_entry *entry, struct vaka_cursor *cursor, const struct vaka_abbreviations *table,
                     const struct vaka_unit *unit) {
    const uint8_t *section = unit->sections->section[VAKA_SECTION_INFO].start;
    entry->offset = (uint64_t)(cursor->at - section);
    entry->present = 0;
    entry->abbreviation = NULL;
    if (vaka_cursor_left(cursor) == 0) {
        return false;
    }
    uint64_t code = vaka_take_uleb(cursor);
    if (code == 0) {
        return !cursor->failed;
    }
    const struct vaka_abbreviation *found = vaka_abbreviations_find(table, code);
    if (found == NULL) {
        vaka_cursor_fail(cursor);
        return false;
    }
    const struct vaka_attribute *attribute = &table->attributes.items[found->first];
    for (const struct vaka_attribute *end = attribute + found->count; attribute < end; attribute++) {
        if (attribute->skip > 0) {
            vaka_skip(cursor, attribute->skip);
            continue;
        }
        struct vaka_value value = vaka_form_read(cursor, attribute->form, attribute->constant, unit);
        if (attribute->slot < VAKA_SLOT_COUNT && !vaka_has(entry, attribute->slot)) {
            entry->values[attribute->slot] = value;
            entry->present |= 1u << attribute->slot;
        }
    }
    entry->abbreviation = found;
    return !cursor->failed;
}
