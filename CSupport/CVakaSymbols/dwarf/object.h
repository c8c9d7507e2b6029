/* SPDX-License-Identifier: Apache-2.0 */
/* Units of debug information and their entries. */
#ifndef VAKA_DWARF_OBJECT_H
#define VAKA_DWARF_OBJECT_H

#include "cursor.h"
#include "../build/vector.h"

/* What is read of an entry; the place of its value in `vaka_entry`. */
enum vaka_slot {
    VAKA_SLOT_LOW_PC,
    VAKA_SLOT_HIGH_PC,
    VAKA_SLOT_RANGES,
    VAKA_SLOT_NAME,
    VAKA_SLOT_LINKAGE_NAME,
    VAKA_SLOT_ORIGIN,
    VAKA_SLOT_SPECIFICATION,
    VAKA_SLOT_CALL_FILE,
    VAKA_SLOT_CALL_LINE,
    VAKA_SLOT_CALL_COLUMN,
    VAKA_SLOT_STMT_LIST,
    VAKA_SLOT_COMP_DIR,
    VAKA_SLOT_STR_OFFSETS_BASE,
    VAKA_SLOT_ADDR_BASE,
    VAKA_SLOT_RNGLISTS_BASE,
    VAKA_SLOT_RANGES_BASE,
    VAKA_SLOT_DWO_NAME,
    VAKA_SLOT_DWO_ID,
    VAKA_SLOT_COUNT,
    VAKA_SLOT_NONE = 0xff
};

enum vaka_kind {
    VAKA_KIND_OTHER,
    VAKA_KIND_ROOT,
    VAKA_KIND_FUNCTION,
    VAKA_KIND_INLINED,
    VAKA_KIND_BLOCK,
    VAKA_KIND_SCOPE
};

/* One attribute of an abbreviation, or `skip` bytes that hold nothing of interest. */
struct vaka_attribute {
    uint16_t form;
    uint8_t slot;
    uint8_t skip;
    int64_t constant;
};

struct vaka_abbreviation {
    uint64_t code;
    uint32_t first;
    uint16_t count;
    uint16_t tag;
    uint8_t kind;
    bool has_children;
};

struct vaka_abbreviations {
    uint64_t offset;
    VAKA_VECTOR(struct vaka_abbreviation) list;
    VAKA_VECTOR(struct vaka_attribute) attributes;
    /* Codes run from 1 without gaps. */
    bool is_dense;
};

/* A unit of `.debug_info`, in the file itself or split off. */
struct vaka_unit {
    const struct vaka_sections *sections;
    /* Where its addresses are: of a split unit, the file that it was split from. */
    const struct vaka_sections *address_sections;
    const struct vaka_sections *common;
    uint64_t start;
    uint64_t end;
    uint64_t first_entry;
    uint64_t abbrev_offset;
    uint64_t abbrev_end;
    uint64_t id;
    uint64_t low_pc;
    uint64_t str_offsets_base;
    uint64_t addr_base;
    uint64_t rnglists_base;
    uint64_t ranges_base;
    uint64_t stmt_list;
    struct vaka_bytes folder;
    uint16_t version;
    uint8_t type;
    uint8_t offset_size;
    uint8_t address_size;
    bool has_stmt_list;
    bool is_split;
};

struct vaka_value {
    uint16_t form;
    /* A number, an offset, an index, or the address of a text in place. */
    uint64_t number;
    /* Of a text in place. */
    uint32_t size;
};

struct vaka_entry {
    uint64_t offset;
    const struct vaka_abbreviation *abbreviation;
    uint32_t present;
    struct vaka_value values[VAKA_SLOT_COUNT];
};

static inline bool vaka_has(const struct vaka_entry *entry, enum vaka_slot slot) {
    return (entry->present & (1u << slot)) != 0;
}

/* abbrev.c */
bool vaka_abbreviations_read(struct vaka_abbreviations *table, const struct vaka_unit *unit);
/* Reads the first entry of one code alone. */
bool vaka_abbreviations_read_one(struct vaka_abbreviations *table, const struct vaka_unit *unit, uint64_t code);
void vaka_abbreviations_release(struct vaka_abbreviations *table);
const struct vaka_abbreviation *vaka_abbreviations_find(const struct vaka_abbreviations *table, uint64_t code);

/* form.c */
/* Bytes of a form that always has as many; 0 for none and -1 for those that vary. */
int vaka_form_size(uint16_t form, const struct vaka_unit *unit);
struct vaka_value vaka_form_read(struct vaka_cursor *cursor, uint16_t form, int64_t constant,
                                 const struct vaka_unit *unit);
bool vaka_value_is_address(const struct vaka_value *value);
bool vaka_value_address(const struct vaka_value *value, const struct vaka_unit *unit, uint64_t *address);
struct vaka_bytes vaka_value_text(const struct vaka_value *value, const struct vaka_unit *unit);

/* entry.c */
/* Reads the entry at a cursor; false at the end of siblings and of the unit. `entry->abbreviation` is NULL at the former. */
bool vaka_entry_read(struct vaka_entry *entry, struct vaka_cursor *cursor, const struct vaka_abbreviations *table,
                     const struct vaka_unit *unit);

/* unit.c */
/* Reads a unit's header; false at the end of the section and where the rest of it cannot be read. */
bool vaka_unit_read(struct vaka_unit *unit, const struct vaka_sections *sections, uint64_t offset);
/* Takes from a unit's first entry what the others need. */
void vaka_unit_adopt(struct vaka_unit *unit, const struct vaka_entry *root);

/* ranges.c */
struct vaka_span {
    uint64_t start;
    uint64_t end;
};
typedef VAKA_VECTOR(struct vaka_span) vaka_spans;
/* Adds the ranges of an entry as written, for at most `budget` bytes of lists, which it lessens. */
bool vaka_ranges_read(vaka_spans *spans, const struct vaka_entry *entry, const struct vaka_unit *unit,
                      uint64_t *budget);

#endif
