/* SPDX-License-Identifier: Apache-2.0 */
/* What one unit says of its code, by numbers of its own that the merge makes the file's. */
#ifndef VAKA_BUILD_UNIT_CODE_H
#define VAKA_BUILD_UNIT_CODE_H

#include "debug.h"
#include "names.h"

/* A stretch of one function's code, or of code that only has lines (`node` 0). */
struct vaka_piece {
    uint32_t start;
    uint32_t end;
    uint32_t node;
    uint32_t first_entry;
    uint32_t entry_count;
};

/* From `start` on, the code belongs to a level and a place. */
struct vaka_built_entry {
    uint32_t start;
    uint32_t node;
    uint32_t place;
};

/* A level: a function (`parent` 0) or an inlined call. */
struct vaka_built_node {
    uint32_t parent;
    uint32_t name;
    /* Where it was called. */
    uint32_t place;
};

struct vaka_built_place {
    uint32_t file;
    uint32_t line;
    uint32_t column;
};

struct vaka_built_file {
    /* Empty where the folder below is whole. */
    struct vaka_bytes base;
    struct vaka_bytes folder;
    struct vaka_bytes name;
    const uint8_t *md5;
};

/* A name for people, of `characters`, beside a linkage name. */
struct vaka_built_readable {
    uint32_t name;
    uint32_t first;
    uint32_t size;
};

/* Number 0 of nodes, places, files and names is "none". */
struct vaka_unit_code {
    VAKA_VECTOR(struct vaka_piece) pieces;
    VAKA_VECTOR(struct vaka_built_entry) entries;
    VAKA_VECTOR(struct vaka_built_node) nodes;
    VAKA_VECTOR(struct vaka_built_place) places;
    VAKA_VECTOR(struct vaka_built_file) files;
    vaka_names names;
    VAKA_VECTOR(struct vaka_built_readable) readables;
    VAKA_VECTOR(uint8_t) characters;
};

struct vaka_unit_builder;

struct vaka_unit_builder *vaka_unit_builder_create(const struct vaka_debug *debug);
/* From now on, reads of units the functions alone that have to do with a stretch of code. */
void vaka_unit_builder_focus(struct vaka_unit_builder *builder, uint32_t start, uint32_t end);
void vaka_unit_builder_destroy(struct vaka_unit_builder *builder);

/* Reads a unit; false when memory is short. */
bool vaka_unit_code_read(struct vaka_unit_builder *builder, uint32_t unit, struct vaka_unit_code *code);
void vaka_unit_code_release(struct vaka_unit_code *code);
/* What it takes in memory. */
uint64_t vaka_unit_code_size(const struct vaka_unit_code *code);

#endif
