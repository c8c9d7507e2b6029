/* SPDX-License-Identifier: Apache-2.0 */
/* The debug information of one file: its units, its symbols, and where its code is. */
#ifndef VAKA_BUILD_DEBUG_H
#define VAKA_BUILD_DEBUG_H

#include "code_map.h"
#include "intervals.h"
#include "symbols.h"

/* Units that claim the same line program; more are a forgery that costs time. */
#define VAKA_MOST_SHARERS 16

/* A unit whose code is looked up. */
struct vaka_code_unit {
    /* Its lines and addresses; where it is whole, its functions too. */
    struct vaka_unit unit;
    /* Its functions, where they were split off and found. */
    struct vaka_unit body;
    bool is_split;
    bool has_body;
    bool has_ranges;
    struct vaka_bytes split_name;
    uint64_t split_ranges_base;
    uint64_t line_end;
    uint32_t first_range;
    uint32_t range_count;
};

typedef VAKA_VECTOR(struct vaka_unit) vaka_units;

struct vaka_debug {
    struct vaka_sections sections;
    struct vaka_sections common;
    bool is_64_bit;
    struct vaka_code_map code;
    /* All units by offset, those without code too: others refer to their entries. */
    vaka_units units;
    vaka_units common_units;
    VAKA_VECTOR(struct vaka_code_unit) code_units;
    /* The units' code, by unit; `by_address` sorted once many addresses are asked for. */
    vaka_intervals ranges;
    vaka_intervals by_address;
    VAKA_VECTOR(uint32_t) highest_end;
    unsigned questions;
    struct vaka_symbols symbols;
    /* Sections of `.dwo` files and of parts of a package, which units point to. */
    VAKA_VECTOR(struct vaka_sections *) parts;
};

/* index.c */
bool vaka_debug_index(struct vaka_debug *debug);
/* The unit of the same section that holds an offset; NULL for none. */
const struct vaka_unit *vaka_units_find(const vaka_units *units, uint64_t offset);

#endif
