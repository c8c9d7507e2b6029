/* SPDX-License-Identifier: Apache-2.0 */
/* Which symbols a part of a file's code needs, by pages of it: a large symbol table is sorted only where it is asked for. */
#ifndef VAKA_BUILD_SYMBOL_PAGES_H
#define VAKA_BUILD_SYMBOL_PAGES_H

#include "intervals.h"

struct vaka_symbol_pages {
    /* What is known of a page. */
    uint8_t *flags;
    /* Needed pages before each, once all starts were noted. */
    uint32_t *before;
    uint32_t count;
};

/* The pages that `wanted` touches, of `size` bytes of code; false when memory is short. */
bool vaka_symbol_pages_init(struct vaka_symbol_pages *pages, uint32_t size, const vaka_intervals *wanted);
void vaka_symbol_pages_deinit(struct vaka_symbol_pages *pages);

/* To be told where each symbol starts, and then that there are no more: a label reaches to the next symbol, on whichever
 * page that is. */
void vaka_symbol_pages_note(struct vaka_symbol_pages *pages, uint32_t start);
void vaka_symbol_pages_close(struct vaka_symbol_pages *pages);

/* Whether a symbol has to do with the wanted pages. */
bool vaka_symbol_pages_need(const struct vaka_symbol_pages *pages, uint32_t start, uint32_t end);

/* The wanted pages as stretches of code. */
bool vaka_symbol_pages_stretches(const struct vaka_symbol_pages *pages, vaka_intervals *stretches);

#endif
