/* SPDX-License-Identifier: Apache-2.0 */
#include "builder.h"

/* More than any unit has. */
#define MOST_ROWS (1u << 26)

struct collection {
    struct vaka_unit_builder *builder;
    /* Of the sequence that is read. */
    const struct vaka_code_region *region;
    uint64_t start_address;
    uint64_t last_address;
    uint32_t first_row;
    bool has_rows;
    bool is_sorted;
};

/* `place` breaks ties: the order that the program wrote them in. */
static int by_start(const void *one, const void *other) {
    const struct vaka_row *a = one;
    const struct vaka_row *b = other;
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Keeps the last of the rows at one address. */
static void sort_rows(struct vaka_row *rows, uint32_t count, uint32_t *kept) {
    for (uint32_t index = 0; index < count; index++) {
        rows[index].place = index;
    }
    qsort(rows, count, sizeof *rows, by_start);
    uint32_t out = 0;
    for (uint32_t index = 0; index < count; index++) {
        if (out > 0 && rows[out - 1].start == rows[index].start) {
            out--;
        }
        rows[out++] = rows[index];
    }
    for (uint32_t index = 0; index < out; index++) {
        rows[index].place = UINT32_MAX;
    }
    *kept = out;
}

static bool end_sequence(struct collection *now, uint64_t end_address) {
    struct vaka_unit_builder *builder = now->builder;
    uint32_t first = now->first_row;
    uint32_t count = builder->rows.count - first;
    bool is_live = now->has_rows && now->region != NULL && now->start_address < end_address && count > 0;
    builder->rows.count = first;
    if (!is_live) {
        return true;
    }
    if (!now->is_sorted) {
        sort_rows(&builder->rows.items[first], count, &count);
    }
    builder->rows.count = first + count;
    uint32_t start;
    uint32_t end;
    if (!vaka_code_map_range(&builder->debug->code, now->start_address, end_address, &start, &end)) {
        return true;
    }
    struct vaka_sequence *slot = vaka_push(&builder->sequences);
    if (slot == NULL) {
        return false;
    }
    *slot = (struct vaka_sequence){first, builder->rows.count};
    return vaka_interval_add(&builder->line_code, start, end, builder->sequences.count - 1);
}

static void begin_sequence(struct collection *now, uint64_t address) {
    now->region = vaka_code_map_region(&now->builder->debug->code, address);
    now->start_address = address;
    now->last_address = address;
    now->first_row = now->builder->rows.count;
    now->has_rows = true;
    now->is_sorted = true;
}

static bool take_row(void *context, const struct vaka_line_row *row) {
    struct collection *now = context;
    struct vaka_unit_builder *builder = now->builder;
    if (row->is_end) {
        bool done = end_sequence(now, row->address);
        now->has_rows = false;
        now->first_row = builder->rows.count;
        return done;
    }
    if (!now->has_rows) {
        begin_sequence(now, row->address);
    }
    uint64_t offset = now->region == NULL ? UINT64_MAX : row->address - now->region->address;
    if (now->region == NULL || offset >= now->region->size || builder->rows.count >= MOST_ROWS) {
        return true;
    }
    struct vaka_row made = {now->region->place + (uint32_t)offset, row->file, row->line, row->column, UINT32_MAX};
    if (row->address == now->last_address && builder->rows.count > now->first_row) {
        builder->rows.items[builder->rows.count - 1] = made;
        return true;
    }
    now->is_sorted = now->is_sorted && row->address >= now->last_address;
    now->last_address = row->address;
    struct vaka_row *slot = vaka_push(&builder->rows);
    if (slot == NULL) {
        return false;
    }
    *slot = made;
    return true;
}

bool vaka_builder_read_rows(struct vaka_unit_builder *builder) {
    const struct vaka_unit *unit = &builder->unit->unit;
    vaka_clear(&builder->rows);
    vaka_clear(&builder->sequences);
    vaka_clear(&builder->line_code);
    vaka_clear(&builder->line_flat);
    builder->flat_hint = 0;
    struct vaka_bytes section = unit->sections->section[VAKA_SECTION_LINE];
    section.size = section.size < builder->unit->line_end ? section.size : (size_t)builder->unit->line_end;
    if (!unit->has_stmt_list || !vaka_line_header_read(&builder->files.header, unit, section, unit->stmt_list)) {
        vaka_clear(&builder->files.header.files);
        return true;
    }
    struct collection now = {.builder = builder};
    return vaka_line_program_run(&builder->files.header, take_row, &now) &&
           vaka_intervals_flatten(&builder->line_code, &builder->line_flat);
}

/* The stretch of `line_flat` that holds a place, or the first behind it. */
static uint32_t flat_from(struct vaka_unit_builder *builder, uint32_t place) {
    const vaka_intervals *flat = &builder->line_flat;
    uint32_t hint = builder->flat_hint;
    if (hint < flat->count && flat->items[hint].start <= place && place < flat->items[hint].end) {
        return hint;
    }
    uint32_t low = 0;
    uint32_t high = flat->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (flat->items[middle].end <= place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    builder->flat_hint = low;
    return low;
}

static uint32_t row_at(const struct vaka_unit_builder *builder, struct vaka_sequence sequence, uint32_t place) {
    uint32_t low = sequence.first_row;
    uint32_t high = sequence.end_row;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (builder->rows.items[middle].start <= place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > sequence.first_row ? low - 1 : sequence.first_row;
}

static bool add_entry(struct vaka_unit_builder *builder, uint32_t start, uint32_t node, uint32_t place,
                      uint32_t piece_first) {
    if (builder->code->entries.count > piece_first) {
        const struct vaka_built_entry *last = &builder->code->entries.items[builder->code->entries.count - 1];
        if (last->node == node && last->place == place) {
            return true;
        }
    }
    struct vaka_built_entry *slot = vaka_push(&builder->code->entries);
    if (slot == NULL) {
        return false;
    }
    *slot = (struct vaka_built_entry){start, node, place};
    return true;
}

static uint32_t place_of(struct vaka_unit_builder *builder, struct vaka_row *row) {
    if (row->place == UINT32_MAX) {
        row->place = vaka_builder_place(builder, &builder->files, row->file, row->line, row->column);
    }
    return row->place;
}

bool vaka_builder_add_entries(struct vaka_unit_builder *builder, uint32_t start, uint32_t end, uint32_t node,
                              uint32_t piece_first) {
    const vaka_intervals *flat = &builder->line_flat;
    for (uint32_t index = flat_from(builder, start); start < end; index++) {
        if (index >= flat->count || flat->items[index].start >= end) {
            return add_entry(builder, start, node, 0, piece_first);
        }
        struct vaka_interval stretch = flat->items[index];
        if (stretch.start > start) {
            if (!add_entry(builder, start, node, 0, piece_first)) {
                return false;
            }
            start = stretch.start;
        }
        uint32_t limit = stretch.end < end ? stretch.end : end;
        struct vaka_sequence sequence = builder->sequences.items[stretch.id];
        for (uint32_t row = row_at(builder, sequence, start); start < limit; row++) {
            if (!add_entry(builder, start, node, place_of(builder, &builder->rows.items[row]), piece_first)) {
                return false;
            }
            start = row + 1 < sequence.end_row && builder->rows.items[row + 1].start < limit
                        ? builder->rows.items[row + 1].start
                        : limit;
        }
    }
    return true;
}
