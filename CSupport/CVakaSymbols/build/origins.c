/* SPDX-License-Identifier: Apache-2.0 */
#include "../dwarf/constants.h"
#include "builder.h"

/* More links than any compiler makes. */
#define LONGEST_CHAIN 16

struct pair {
    uint32_t linkage;
    uint32_t plain;
};

static struct pair names_of(struct vaka_unit_builder *builder, const struct vaka_entry *entry,
                            const struct vaka_unit *unit, unsigned depth);

static uint32_t text_number(struct vaka_unit_builder *builder, const struct vaka_entry *entry, enum vaka_slot slot,
                            const struct vaka_unit *unit) {
    if (!vaka_has(entry, slot)) {
        return 0;
    }
    uint32_t number =
        vaka_names_add(&builder->code->names, &builder->name_numbers, vaka_value_text(&entry->values[slot], unit));
    if (number == UINT32_MAX) {
        builder->has_failed = true;
        return 0;
    }
    return number;
}

/* The unit that holds what a value refers to; NULL for none. `offset` is in its section. */
static const struct vaka_unit *target_of(const struct vaka_unit_builder *builder, const struct vaka_value *value,
                                         const struct vaka_unit *unit, uint64_t *offset) {
    const struct vaka_debug *debug = builder->debug;
    *offset = value->number;
    switch (value->form) {
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
    case DW_FORM_ref_udata:
        *offset = unit->start + value->number;
        return *offset >= unit->first_entry && *offset < unit->end ? unit : NULL;
    case DW_FORM_ref_addr:
        if (*offset >= unit->first_entry && *offset < unit->end) {
            return unit;
        }
        if (unit->sections == &debug->sections) {
            return vaka_units_find(&debug->units, *offset);
        }
        return unit->sections == &debug->common ? vaka_units_find(&debug->common_units, *offset) : NULL;
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_ref_sup4:
    case DW_FORM_ref_sup8:
        return vaka_units_find(&debug->common_units, *offset);
    default:
        return NULL;
    }
}

static bool read_at(struct vaka_unit_builder *builder, struct vaka_entry *entry, const struct vaka_unit *unit,
                    uint64_t offset) {
    const struct vaka_abbreviations *table = vaka_builder_table(builder, unit);
    struct vaka_bytes info = unit->sections->section[VAKA_SECTION_INFO];
    info.size = info.size < unit->end ? info.size : (size_t)unit->end;
    struct vaka_cursor cursor = vaka_cursor_at(info, offset);
    return table != NULL && vaka_entry_read(entry, &cursor, table, unit) && entry->abbreviation != NULL &&
           entry->abbreviation->kind == VAKA_KIND_FUNCTION;
}

static enum vaka_slot link_of(const struct vaka_entry *entry) {
    return vaka_has(entry, VAKA_SLOT_ORIGIN) ? VAKA_SLOT_ORIGIN : VAKA_SLOT_SPECIFICATION;
}

/* Notes where a function is declared whose name may have to be written out: only there are its scopes. */
static void note_declaration(struct vaka_unit_builder *builder, const struct vaka_entry *entry,
                             const struct vaka_unit *unit, uint32_t number) {
    const struct vaka_unit *own = builder->unit->is_split ? &builder->unit->body : &builder->unit->unit;
    const struct vaka_name *name = &builder->code->names.items[number];
    if (!vaka_may_defy_demangling((struct vaka_bytes){name->start, name->size})) {
        return;
    }
    struct vaka_entry declaration = *entry;
    for (unsigned links = 0; links < LONGEST_CHAIN && vaka_has(&declaration, link_of(&declaration)); links++) {
        uint64_t offset;
        struct vaka_value link = declaration.values[link_of(&declaration)];
        if (target_of(builder, &link, unit, &offset) != unit || !read_at(builder, &declaration, unit, offset)) {
            return;
        }
    }
    if (unit->sections != own->sections || unit->start != own->start) {
        return;
    }
    struct vaka_number_slot *slot = vaka_number_table_slot(&builder->qualified_numbers, declaration.offset + 1);
    if (slot == NULL) {
        builder->has_failed = true;
    } else if (slot->number == 0) {
        slot->number = number;
    } else if (slot->number != number) {
        slot->extra = number;
    }
}

static struct pair resolve(struct vaka_unit_builder *builder, const struct vaka_value *value,
                           const struct vaka_unit *unit, unsigned depth) {
    struct pair none = {0, 0};
    uint64_t offset;
    const struct vaka_unit *target = target_of(builder, value, unit, &offset);
    if (target == NULL) {
        return none;
    }
    uint64_t key = offset * 2 + (target->sections == &builder->debug->common ? 2 : 1);
    struct vaka_number_slot *known = vaka_number_table_slot(&builder->origin_numbers, key);
    if (known == NULL) {
        builder->has_failed = true;
        return none;
    }
    if (known->number != 0) {
        return (struct pair){known->number - 1, known->extra};
    }
    struct vaka_entry entry;
    struct pair names = none;
    if (read_at(builder, &entry, target, offset)) {
        names = names_of(builder, &entry, target, depth + 1);
    }
    known = vaka_number_table_slot(&builder->origin_numbers, key);
    if (known != NULL) {
        known->number = names.linkage + 1;
        known->extra = names.plain;
    }
    return names;
}

static struct pair names_of(struct vaka_unit_builder *builder, const struct vaka_entry *entry,
                            const struct vaka_unit *unit, unsigned depth) {
    struct pair names = {text_number(builder, entry, VAKA_SLOT_LINKAGE_NAME, unit), 0};
    if (names.linkage != 0) {
        note_declaration(builder, entry, unit, names.linkage);
        return names;
    }
    names.plain = text_number(builder, entry, VAKA_SLOT_NAME, unit);
    enum vaka_slot link = link_of(entry);
    if (vaka_has(entry, link) && depth < LONGEST_CHAIN) {
        struct pair origin = resolve(builder, &entry->values[link], unit, depth);
        names.linkage = origin.linkage;
        names.plain = names.plain != 0 ? names.plain : origin.plain;
    }
    return names;
}

uint32_t vaka_builder_name(struct vaka_unit_builder *builder, const struct vaka_entry *entry,
                           const struct vaka_unit *unit) {
    struct pair names = names_of(builder, entry, unit, 0);
    return names.linkage != 0 ? names.linkage : names.plain;
}
