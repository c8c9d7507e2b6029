/* SPDX-License-Identifier: Apache-2.0 */
#include "symbol_pages.h"

#include <stdlib.h>

#define PAGE_BITS 12

#define WANTED 1
#define HAS_START 2
/* Holds the symbol before a wanted page. */
#define IS_BEFORE 4

bool vaka_symbol_pages_init(struct vaka_symbol_pages *pages, uint32_t size, const vaka_intervals *wanted) {
    pages->count = (size >> PAGE_BITS) + 1;
    pages->flags = calloc(pages->count, sizeof *pages->flags);
    pages->before = calloc((size_t)pages->count + 1, sizeof *pages->before);
    if (pages->flags == NULL || pages->before == NULL) {
        return false;
    }
    for (uint32_t index = 0; index < wanted->count; index++) {
        struct vaka_interval item = wanted->items[index];
        for (uint32_t page = item.start >> PAGE_BITS; page <= (item.end - 1) >> PAGE_BITS && page < pages->count;
             page++) {
            pages->flags[page] |= WANTED;
        }
    }
    return true;
}

void vaka_symbol_pages_deinit(struct vaka_symbol_pages *pages) {
    free(pages->flags);
    free(pages->before);
}

void vaka_symbol_pages_note(struct vaka_symbol_pages *pages, uint32_t start) {
    pages->flags[start >> PAGE_BITS] |= HAS_START;
}

void vaka_symbol_pages_close(struct vaka_symbol_pages *pages) {
    uint8_t *last = NULL;
    for (uint32_t page = 0; page < pages->count; page++) {
        if ((pages->flags[page] & WANTED) != 0 && last != NULL) {
            *last |= IS_BEFORE;
        }
        if ((pages->flags[page] & HAS_START) != 0) {
            last = &pages->flags[page];
        }
    }
    for (uint32_t page = 0; page < pages->count; page++) {
        pages->before[page + 1] = pages->before[page] + ((pages->flags[page] & (WANTED | IS_BEFORE)) != 0);
    }
}

bool vaka_symbol_pages_need(const struct vaka_symbol_pages *pages, uint32_t start, uint32_t end) {
    return pages->before[((end - 1) >> PAGE_BITS) + 1] > pages->before[start >> PAGE_BITS];
}

bool vaka_symbol_pages_stretches(const struct vaka_symbol_pages *pages, vaka_intervals *stretches) {
    for (uint32_t page = 0; page < pages->count;) {
        uint32_t end = page;
        while (end < pages->count && (pages->flags[end] & WANTED) != 0) {
            end++;
        }
        if (end > page && !vaka_interval_add(stretches, page << PAGE_BITS, end << PAGE_BITS, 0)) {
            return false;
        }
        page = end + 1;
    }
    return true;
}
