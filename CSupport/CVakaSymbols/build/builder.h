/* SPDX-License-Identifier: Apache-2.0 */
/* The working memory of one thread that reads units. */
#ifndef VAKA_BUILD_BUILDER_H
#define VAKA_BUILD_BUILDER_H

#include "../dwarf/lines.h"
#include "unit_code.h"

#define VAKA_NO_FUNCTION UINT32_MAX
#define VAKA_KEPT_TABLES 64

struct vaka_kept_table {
    const struct vaka_sections *sections;
    uint64_t offset;
    uint32_t shape;
    struct vaka_abbreviations table;
};

/* A stretch that an inlined call has, of function number `function`. */
struct vaka_inlined {
    uint32_t start;
    uint32_t end;
    uint32_t node;
    uint32_t function;
};

/* Where the walk is: below a function, below an inlined call, or below neither. */
struct vaka_level {
    uint32_t function;
    uint32_t node;
};

struct vaka_row {
    uint32_t start;
    uint32_t file;
    uint32_t line;
    uint32_t column;
    uint32_t place;
};

struct vaka_sequence {
    uint32_t first_row;
    uint32_t end_row;
};

/* A line table's files by number, as far as they are used. */
struct vaka_file_numbers {
    struct vaka_line_header header;
    VAKA_VECTOR(uint32_t) numbers;
    struct vaka_bytes folder;
};

struct vaka_unit_builder {
    const struct vaka_debug *debug;
    const struct vaka_code_unit *unit;
    struct vaka_unit_code *code;
    /* The code whose functions are read; all where it is empty. */
    struct vaka_interval focus;
    bool has_failed;
    uint64_t budget;

    struct vaka_kept_table own;
    struct vaka_kept_table kept[VAKA_KEPT_TABLES];
    struct vaka_number_table name_numbers;
    struct vaka_number_table origin_numbers;
    struct vaka_number_table place_numbers;
    /* Names that demanglers may not understand, by their entries. */
    struct vaka_number_table qualified_numbers;

    vaka_spans spans;
    VAKA_VECTOR(struct vaka_level) levels;
    /* The node of each function. */
    VAKA_VECTOR(uint32_t) functions;
    vaka_intervals function_code;
    vaka_intervals function_flat;
    VAKA_VECTOR(struct vaka_inlined) inlined;

    VAKA_VECTOR(struct vaka_row) rows;
    VAKA_VECTOR(struct vaka_sequence) sequences;
    vaka_intervals line_code;
    vaka_intervals line_flat;
    vaka_intervals unit_code;
    vaka_intervals unit_flat;
    vaka_intervals clipped;
    vaka_intervals all;
    struct vaka_file_numbers files;
    struct vaka_file_numbers split_files;
    bool has_split_files;

    VAKA_VECTOR(uint32_t) bounds;
    VAKA_VECTOR(uint32_t) owners;
    uint32_t flat_hint;
};

/* A stretch has to do with the focus. */
static inline bool vaka_builder_wants(const struct vaka_unit_builder *builder, uint32_t start, uint32_t end) {
    return builder->focus.end == 0 || (start < builder->focus.end && builder->focus.start < end);
}

/* abbreviations.c */
/* The table of a unit; NULL where it has none. Valid until the next call for another unit. */
const struct vaka_abbreviations *vaka_builder_own_table(struct vaka_unit_builder *builder,
                                                        const struct vaka_unit *unit);
const struct vaka_abbreviations *vaka_builder_table(struct vaka_unit_builder *builder, const struct vaka_unit *unit);

/* origins.c */
/* The number of the linkage name of a function or an inlined call, or else of its plain one. */
uint32_t vaka_builder_name(struct vaka_unit_builder *builder, const struct vaka_entry *entry,
                           const struct vaka_unit *unit);

/* places.c */
uint32_t vaka_builder_place(struct vaka_unit_builder *builder, struct vaka_file_numbers *files, uint64_t file,
                            uint64_t line, uint64_t column);
/* Of the level around an inlined call. */
uint32_t vaka_builder_call_place(struct vaka_unit_builder *builder, const struct vaka_entry *entry);

/* rows.c */
bool vaka_builder_read_rows(struct vaka_unit_builder *builder);
/* Adds the entries of a stretch that belongs to one level. */
bool vaka_builder_add_entries(struct vaka_unit_builder *builder, uint32_t start, uint32_t end, uint32_t node,
                              uint32_t piece_first);

/* walk.c */
bool vaka_builder_walk(struct vaka_unit_builder *builder);

/* qualified.c */
bool vaka_may_defy_demangling(struct vaka_bytes name);
bool vaka_builder_qualify(struct vaka_unit_builder *builder);

/* paint.c */
bool vaka_builder_paint(struct vaka_unit_builder *builder);

#endif
