/* SPDX-License-Identifier: Apache-2.0 */
#include "builder.h"

/* Bytes of range lists for each byte of a unit, and for the unit itself: an honest unit's entries share few lists. */
#define LISTS_PER_BYTE 64
#define LISTS_PER_UNIT 4096

struct vaka_unit_builder *vaka_unit_builder_create(const struct vaka_debug *debug) {
    struct vaka_unit_builder *builder = calloc(1, sizeof *builder);
    if (builder != NULL) {
        builder->debug = debug;
    }
    return builder;
}

void vaka_unit_builder_focus(struct vaka_unit_builder *builder, uint32_t start, uint32_t end) {
    builder->focus = (struct vaka_interval){start, end, 0};
}

void vaka_unit_builder_destroy(struct vaka_unit_builder *builder) {
    if (builder == NULL) {
        return;
    }
    vaka_abbreviations_release(&builder->own.table);
    for (unsigned index = 0; index < VAKA_KEPT_TABLES; index++) {
        vaka_abbreviations_release(&builder->kept[index].table);
    }
    vaka_number_table_release(&builder->name_numbers);
    vaka_number_table_release(&builder->origin_numbers);
    vaka_number_table_release(&builder->place_numbers);
    vaka_number_table_release(&builder->qualified_numbers);
    vaka_release(&builder->spans);
    vaka_release(&builder->levels);
    vaka_release(&builder->functions);
    vaka_release(&builder->function_code);
    vaka_release(&builder->function_flat);
    vaka_release(&builder->inlined);
    vaka_release(&builder->rows);
    vaka_release(&builder->sequences);
    vaka_release(&builder->line_code);
    vaka_release(&builder->line_flat);
    vaka_release(&builder->unit_code);
    vaka_release(&builder->unit_flat);
    vaka_release(&builder->clipped);
    vaka_release(&builder->all);
    vaka_release(&builder->bounds);
    vaka_release(&builder->owners);
    vaka_line_header_release(&builder->files.header);
    vaka_line_header_release(&builder->split_files.header);
    vaka_release(&builder->files.numbers);
    vaka_release(&builder->split_files.numbers);
    free(builder);
}

/* The file table that the entries of a split unit count in: its own, where it has one. */
static void read_split_files(struct vaka_unit_builder *builder) {
    const struct vaka_unit *body = &builder->unit->body;
    vaka_clear(&builder->split_files.numbers);
    vaka_clear(&builder->split_files.header.files);
    builder->has_split_files = false;
    if (builder->unit->has_body && body->sections->section[VAKA_SECTION_LINE].size > 0) {
        builder->split_files.folder = body->folder.size > 0 ? body->folder : builder->unit->unit.folder;
        builder->has_split_files =
            vaka_line_header_read(&builder->split_files.header, body, body->sections->section[VAKA_SECTION_LINE],
                                  body->has_stmt_list ? body->stmt_list : 0);
    }
}

/* The unit's code as its own ranges have it. */
static bool read_unit_code(struct vaka_unit_builder *builder) {
    vaka_clear(&builder->unit_code);
    const struct vaka_interval *ranges = &builder->debug->ranges.items[builder->unit->first_range];
    for (uint32_t index = 0; index < builder->unit->range_count; index++) {
        if (!vaka_interval_add(&builder->unit_code, ranges[index].start, ranges[index].end, 0)) {
            return false;
        }
    }
    return vaka_intervals_flatten(&builder->unit_code, &builder->unit_flat);
}

/* Functions' code inside the unit's, and code that has lines only. */
static bool lay_out(struct vaka_unit_builder *builder) {
    if (!vaka_intervals_flatten(&builder->function_code, &builder->all) ||
        !vaka_intervals_clip(&builder->all, &builder->unit_flat, &builder->function_flat) ||
        !vaka_intervals_clip(&builder->line_flat, &builder->unit_flat, &builder->clipped)) {
        return false;
    }
    /* What the lines have and no function. */
    for (uint32_t index = 0; index < builder->clipped.count; index++) {
        builder->clipped.items[index].id = 0;
    }
    return vaka_intervals_overlay(&builder->function_flat, &builder->clipped, UINT32_MAX, &builder->all);
}

static bool add_lines_only(struct vaka_unit_builder *builder) {
    for (uint32_t index = 0; index < builder->all.count; index++) {
        struct vaka_interval stretch = builder->all.items[index];
        if (stretch.id != UINT32_MAX || !vaka_builder_wants(builder, stretch.start, stretch.end)) {
            continue;
        }
        uint32_t first = builder->code->entries.count;
        if (!vaka_builder_add_entries(builder, stretch.start, stretch.end, 0, first)) {
            return false;
        }
        struct vaka_piece *slot = vaka_push(&builder->code->pieces);
        if (slot == NULL) {
            return false;
        }
        *slot = (struct vaka_piece){stretch.start, stretch.end, 0, first, builder->code->entries.count - first};
    }
    return true;
}

/* Functions of the very same code, which a linker folded: without entries, for their names. */
static bool add_folded(struct vaka_unit_builder *builder) {
    const vaka_intervals *code = &builder->function_code;
    for (uint32_t index = 1; index < code->count; index++) {
        struct vaka_interval one = code->items[index - 1];
        struct vaka_interval other = code->items[index];
        if (one.start != other.start || one.end != other.end || one.id == other.id) {
            continue;
        }
        struct vaka_piece *slot = vaka_push(&builder->code->pieces);
        if (slot == NULL) {
            return false;
        }
        *slot = (struct vaka_piece){one.start, one.end, builder->functions.items[one.id], 0, 0};
    }
    return true;
}

bool vaka_unit_code_read(struct vaka_unit_builder *builder, uint32_t unit, struct vaka_unit_code *code) {
    builder->unit = &builder->debug->code_units.items[unit];
    builder->code = code;
    builder->has_failed = false;
    uint64_t size = builder->unit->unit.end - builder->unit->unit.start;
    if (builder->unit->has_body) {
        size += builder->unit->body.end - builder->unit->body.start;
    }
    builder->budget = size * LISTS_PER_BYTE + LISTS_PER_UNIT;
    vaka_number_table_clear(&builder->name_numbers);
    vaka_number_table_clear(&builder->origin_numbers);
    vaka_number_table_clear(&builder->place_numbers);
    vaka_number_table_clear(&builder->qualified_numbers);
    vaka_clear(&builder->files.numbers);
    builder->files.folder = builder->unit->unit.folder;
    read_split_files(builder);
    if (!vaka_builder_read_rows(builder) || !vaka_builder_walk(builder) || !read_unit_code(builder) ||
        !lay_out(builder) || !vaka_builder_paint(builder) || !add_lines_only(builder) || !add_folded(builder) ||
        !vaka_builder_qualify(builder) || builder->has_failed) {
        return false;
    }
    vaka_trim(&code->pieces);
    vaka_trim(&code->entries);
    vaka_trim(&code->nodes);
    vaka_trim(&code->places);
    vaka_trim(&code->files);
    vaka_trim(&code->names);
    return true;
}

void vaka_unit_code_release(struct vaka_unit_code *code) {
    vaka_release(&code->pieces);
    vaka_release(&code->entries);
    vaka_release(&code->nodes);
    vaka_release(&code->places);
    vaka_release(&code->files);
    vaka_release(&code->names);
    vaka_release(&code->readables);
    vaka_release(&code->characters);
}

uint64_t vaka_unit_code_size(const struct vaka_unit_code *code) {
    return sizeof *code + (uint64_t)code->pieces.capacity * sizeof *code->pieces.items +
           (uint64_t)code->entries.capacity * sizeof *code->entries.items +
           (uint64_t)code->nodes.capacity * sizeof *code->nodes.items +
           (uint64_t)code->places.capacity * sizeof *code->places.items +
           (uint64_t)code->files.capacity * sizeof *code->files.items +
           (uint64_t)code->names.capacity * sizeof *code->names.items;
}
