/* SPDX-License-Identifier: Apache-2.0 */
#include "symbol_pages.h"
#include "symbols.h"

#include <elf.h>

struct reading {
    struct vaka_symbol_list *list;
    const struct vaka_code_map *code;
    /* NULL to read all. */
    struct vaka_symbol_pages *pages;
    bool is_64_bit;
};

/* `.L…` labels and arm64's `$x`, `$d` marks. */
static bool is_mark(const struct vaka_symbol_list *list, uint32_t name) {
    size_t left;
    const char *text = vaka_symbol_text(list, name, &left);
    if (left < 4) {
        return true;
    }
    if (text[0] == '.' && text[1] == 'L') {
        return true;
    }
    return text[0] == '$' && (text[1] == 'x' || text[1] == 'd') && (text[2] == 0 || text[2] == '.');
}

/* 0 for what names no code. */
static uint8_t rank_of(const struct reading *reading, unsigned info, uint16_t section, uint32_t name) {
    if (section == SHN_UNDEF || name == 0) {
        return 0;
    }
    uint8_t rank;
    switch (info & 0xf) {
    case STT_FUNC:
    case STT_GNU_IFUNC:
        rank = 9;
        break;
    case STT_NOTYPE:
        if (is_mark(reading->list, name)) {
            return 0;
        }
        rank = 1;
        break;
    default:
        return 0;
    }
    return rank + (info >> 4 == STB_GLOBAL ? 2 : info >> 4 == STB_WEAK ? 1 : 0);
}

/* False for what names no code. */
static bool made_of(const struct reading *reading, const Elf64_Sym *symbol, struct vaka_symbol *made) {
    uint8_t rank = rank_of(reading, symbol->st_info, symbol->st_shndx, symbol->st_name);
    uint32_t start;
    uint32_t end;
    uint64_t size = symbol->st_size == 0 ? 1 : symbol->st_size;
    if (rank == 0 || symbol->st_value + size < size ||
        !vaka_code_map_range(reading->code, symbol->st_value, symbol->st_value + size, &start, &end)) {
        return false;
    }
    *made = (struct vaka_symbol){start, symbol->st_size == 0 ? 0 : end - start, symbol->st_name, rank};
    return true;
}

static bool add(const struct reading *reading, struct vaka_symbol symbol) {
    uint32_t size = symbol.size == 0 ? 1 : symbol.size;
    if (reading->pages != NULL && !vaka_symbol_pages_need(reading->pages, symbol.start, symbol.start + size)) {
        return true;
    }
    struct vaka_symbol *slot = vaka_push(&reading->list->items);
    if (slot == NULL) {
        return false;
    }
    *slot = symbol;
    return true;
}

static bool note(const struct reading *reading, struct vaka_symbol symbol) {
    vaka_symbol_pages_note(reading->pages, symbol.start);
    return true;
}

static Elf64_Sym widened(const Elf32_Sym *symbol) {
    return (Elf64_Sym){.st_name = symbol->st_name,
                       .st_info = symbol->st_info,
                       .st_other = symbol->st_other,
                       .st_shndx = symbol->st_shndx,
                       .st_value = symbol->st_value,
                       .st_size = symbol->st_size};
}

static bool each_symbol(const struct reading *reading, struct vaka_bytes symbols,
                        bool (*visit)(const struct reading *, struct vaka_symbol)) {
    size_t size = reading->is_64_bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    for (size_t at = 0; at + size <= symbols.size; at += size) {
        Elf64_Sym symbol;
        struct vaka_symbol made;
        if (reading->is_64_bit) {
            memcpy(&symbol, symbols.start + at, sizeof symbol);
        } else {
            Elf32_Sym narrow;
            memcpy(&narrow, symbols.start + at, sizeof narrow);
            symbol = widened(&narrow);
        }
        if (made_of(reading, &symbol, &made) && !visit(reading, made)) {
            return false;
        }
    }
    return true;
}

bool vaka_symbol_table_read(struct vaka_symbol_list *list, const struct vaka_symbol_table *table, bool is_64_bit,
                            const struct vaka_code_map *code, struct vaka_symbol_pages *pages) {
    struct reading reading = {list, code, pages, is_64_bit};
    list->strings = table->strings;
    if (pages != NULL) {
        each_symbol(&reading, table->symbols, note);
        vaka_symbol_pages_close(pages);
    }
    return each_symbol(&reading, table->symbols, add);
}
