/* SPDX-License-Identifier: Apache-2.0 */
/* From an address to its entry: by the sorted table of .eh_frame_hdr or, where there is none, through .eh_frame. */
#include "cfi.h"
#include "cursor.h"

#define HEADER_VERSION 1

struct table {
    uint64_t header;
    uint64_t frames; /* .eh_frame */
    uint64_t entries; /* the first one */
    uint64_t count;
    uint8_t encoding;
};

static uint32_t budget;

void vaka_async_cfi_set_budget(uint32_t steps) {
    budget = steps;
}

bool vaka_async_cfi_spend(void) {
    if (budget == 0)
        return false;
    budget--;
    return true;
}

/* False where the header makes no sense. A table that cannot be searched has no entries. */
static bool read_header(const struct vaka_cfi_source *source, struct table *table) {
    struct vaka_cursor cursor = {source->header, source->header + source->header_bytes, false};
    if (source->header == 0 || cursor.end < cursor.at)
        return false;
    uint64_t version = vaka_async_cursor_number(&cursor, 1);
    uint8_t frames_encoding = (uint8_t)vaka_async_cursor_number(&cursor, 1);
    uint8_t count_encoding = (uint8_t)vaka_async_cursor_number(&cursor, 1);
    *table = (struct table){.header = source->header};
    table->encoding = (uint8_t)vaka_async_cursor_number(&cursor, 1);
    if (version != HEADER_VERSION || frames_encoding == VAKA_ENCODING_OMIT)
        return false;
    table->frames = vaka_async_cursor_pointer(&cursor, frames_encoding, table->header);
    if (cursor.failed)
        return false;
    if (count_encoding == VAKA_ENCODING_OMIT || table->encoding == VAKA_ENCODING_OMIT)
        return true;
    table->count = vaka_async_cursor_pointer(&cursor, count_encoding, table->header);
    table->entries = cursor.at;
    uint64_t entry_bytes = 2 * vaka_async_encoded_bytes(table->encoding);
    if (cursor.failed || entry_bytes == 0 || table->count > (cursor.end - cursor.at) / entry_bytes)
        table->count = 0;
    return true;
}

static bool read_entry(const struct table *table, uint64_t index, uint64_t *start, uint64_t *place) {
    uint64_t bytes = 2 * vaka_async_encoded_bytes(table->encoding);
    uint64_t at = table->entries + index * bytes;
    struct vaka_cursor cursor = {at, at + bytes, false};
    *start = vaka_async_cursor_pointer(&cursor, table->encoding, table->header);
    *place = vaka_async_cursor_pointer(&cursor, table->encoding, table->header);
    return !cursor.failed;
}

/* The last entry that starts at the address or before it. */
static enum vaka_cfi_result search(const struct table *table, uint64_t address, uint64_t *place) {
    uint64_t low = 0;
    uint64_t high = table->count;
    uint64_t start, at;
    *place = 0;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (!read_entry(table, middle, &start, &at))
            return VAKA_CFI_INVALID;
        if (start <= address) {
            *place = at;
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return *place == 0 ? VAKA_CFI_NONE : VAKA_CFI_FOUND;
}

static bool covers(const struct vaka_cfi_entry *entry, uint64_t address) {
    return address - entry->start < entry->end - entry->start;
}

static enum vaka_cfi_result go_through(uint64_t at, uint64_t limit, uint64_t address, struct vaka_cfi_entry *entry) {
    while (at < limit && vaka_async_cfi_spend()) {
        uint64_t next;
        enum vaka_cfi_result result = vaka_async_cfi_parse(at, entry, &next);
        if (result == VAKA_CFI_FOUND && covers(entry, address))
            return result;
        if (next <= at)
            return result == VAKA_CFI_END ? VAKA_CFI_NONE : VAKA_CFI_INVALID;
        at = next;
    }
    return VAKA_CFI_INVALID;
}

enum vaka_cfi_result vaka_async_cfi_find(const struct vaka_cfi_source *source, uint64_t address,
                                         struct vaka_cfi_entry *entry) {
    struct table table;
    if (source->header == 0 && source->frames != 0)
        return go_through(source->frames, source->limit, address, entry);
    if (source->header == 0)
        return VAKA_CFI_NONE;
    if (!read_header(source, &table))
        return VAKA_CFI_INVALID;
    if (table.count == 0)
        return go_through(table.frames, source->limit, address, entry);
    uint64_t place, next;
    enum vaka_cfi_result result = search(&table, address, &place);
    if (result != VAKA_CFI_FOUND)
        return result;
    result = vaka_async_cfi_parse(place, entry, &next);
    if (result != VAKA_CFI_FOUND)
        return VAKA_CFI_INVALID;
    return covers(entry, address) ? VAKA_CFI_FOUND : VAKA_CFI_NONE;
}
