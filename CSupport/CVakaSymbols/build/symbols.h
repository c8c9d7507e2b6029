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
    bool is_read;
    bool has_failed;
    struct vaka_symbol_list list;
    struct vaka_symbol_list packed_list;
};

/* Reads the tables where that was not done yet; false when memory is short. */
bool vaka_symbols_read(struct vaka_symbols *symbols, const struct vaka_code_map *code);
void vaka_symbols_release(struct vaka_symbols *symbols);

/* A symbol's name without its version. */
struct vaka_bytes vaka_symbol_name(const struct vaka_symbol_list *list, uint32_t index);
/* The first symbol at or behind a place. */
uint32_t vaka_symbols_from(const struct vaka_symbol_list *list, uint32_t place);

#endif
