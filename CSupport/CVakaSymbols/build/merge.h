/* SPDX-License-Identifier: Apache-2.0 */
/* Joins what the units say to the parts of one cache. */
#ifndef VAKA_BUILD_MERGE_H
#define VAKA_BUILD_MERGE_H

#include "../cache/format.h"
#include "texts.h"
#include "unit_code.h"

/* What a stretch of the file's code is named by. */
enum vaka_source { VAKA_SOURCE_FUNCTION, VAKA_SOURCE_LINES, VAKA_SOURCE_SYMBOL };

struct vaka_stretch {
    uint32_t start;
    uint32_t end;
    uint8_t source;
    /* The symbol is of the packed table. */
    bool is_packed;
    /* The piece, of all units' pieces. */
    uint32_t piece;
    /* The symbol, of its list; UINT32_MAX for none. */
    uint32_t symbol;
};

/* What of one unit's numbers became of the file's. */
struct vaka_merged_unit {
    uint32_t first_piece;
    uint32_t node_base;
    uint32_t place_base;
};

struct vaka_merge {
    const struct vaka_debug *debug;
    const struct vaka_build_options *options;
    struct vaka_unit_code *units;
    uint32_t unit_count;

    VAKA_VECTOR(struct vaka_merged_unit) merged;
    VAKA_VECTOR(struct vaka_stretch) stretches;
    vaka_intervals functions;
    vaka_intervals all;
    struct vaka_texts texts;
    /* Functions whose name was completed already, a bit each. */
    VAKA_VECTOR(uint8_t) completed;

    VAKA_VECTOR(uint32_t) buckets;
    VAKA_VECTOR(uint8_t) offsets;
    VAKA_VECTOR(struct vaka_cache_entry) entries;
    VAKA_VECTOR(struct vaka_cache_node) nodes;
    uint32_t first_line_node;
    uint32_t first_symbol_node;
    VAKA_VECTOR(struct vaka_cache_place) places;
    VAKA_VECTOR(struct vaka_cache_file) files;
    struct vaka_number_table file_numbers;
    VAKA_VECTOR(uint8_t) checksums;
    VAKA_VECTOR(struct vaka_cache_ambiguous) ambiguous;
    VAKA_VECTOR(struct vaka_cache_candidate) candidates;
    VAKA_VECTOR(struct vaka_cache_companion) companions;
};

/* units.c: copies nodes, places, files and names. */
bool vaka_merge_units(struct vaka_merge *merge);

/* layout.c: who has which code. */
bool vaka_merge_lay_out(struct vaka_merge *merge);
const struct vaka_piece *vaka_merge_piece(const struct vaka_merge *merge, uint32_t number, uint32_t *unit);

/* completion.c: what the symbol tables add to names. */
bool vaka_merge_complete(struct vaka_merge *merge);
bool vaka_is_mangled(struct vaka_bytes name);

/* ambiguity.c: other names of the same code. */
bool vaka_merge_ambiguity(struct vaka_merge *merge);

/* entries.c */
bool vaka_merge_entries(struct vaka_merge *merge);

/* write.c: one piece of memory with everything. */
bool vaka_merge_write(struct vaka_merge *merge, uint8_t **bytes, size_t *size);

#endif
