/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a file's symbol tables. */
#ifndef VAKA_BUILD_SYMBOLS_H
#define VAKA_BUILD_SYMBOLS_H

#include "code_map.h"
#include "intervals.h"

struct vaka_symbol {
    uint32_t start;
    /* 0 for labels without a size. */
    uint32_t size;
    /* Offset of its name, in the strings of its table. */
    uint32_t name;
    /* How well it names the code: functions over labels, global over weak over local. */
    uint8_t rank;
};

struct vaka_symbol_list {
    struct vaka_bytes strings;
    /* By address; of those at one address the best first. */
    VAKA_VECTOR(struct vaka_symbol) items;
    /* The code that each names, by index in `items`. */
    vaka_intervals code;
};

struct vaka_symbols {
    struct vaka_symbol_table own;
    struct vaka_symbol_table packed;
    bool is_64_bit;
    /* How often a part was read. */
    uint32_t parts;
    /* All was read. */
    bool is_read;
    bool has_failed;
    struct vaka_symbol_list list;
    struct vaka_symbol_list packed_list;
};

/* symbol_table.c: adds what a table has, by its order; with `pages`, what they need alone. */
struct vaka_symbol_pages;
bool vaka_symbol_table_read(struct vaka_symbol_list *list, const struct vaka_symbol_table *table, bool is_64_bit,
                            const struct vaka_code_map *code, struct vaka_symbol_pages *pages);
/* The text at an offset of the strings, and how many bytes they have from there on; NULL where it leads out of them. */
const char *vaka_symbol_text(const struct vaka_symbol_list *list, uint32_t offset, size_t *left);

/* Reads of the tables at least what has to do with some code, NULL for all; false when memory is short. What was read before
 * is gone, unless it was all. */
bool vaka_symbols_read(struct vaka_symbols *symbols, const struct vaka_code_map *code, const vaka_intervals *wanted);
void vaka_symbols_release(struct vaka_symbols *symbols);

/* A symbol's name without its version. */
struct vaka_bytes vaka_symbol_name(const struct vaka_symbol_list *list, uint32_t index);
/* The first symbol at or behind a place. */
uint32_t vaka_symbols_from(const struct vaka_symbol_list *list, uint32_t place);

#endif
