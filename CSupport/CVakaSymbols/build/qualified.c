/* SPDX-License-Identifier: Apache-2.0 */
#include "builder.h"

/* Names with the namespaces and types around them, for linkage names that a demangler older than the compiler may not
 * understand. */

#define DEEPEST 64
#define LONGEST 4096

/* Forms that C++20 and later brought: constraints, and parameters of templates of templates. Names that have these letters
 * for another reason are looked at in vain, no more. */
bool vaka_may_defy_demangling(struct vaka_bytes name) {
    if (name.size < 4 || name.start[0] != '_' || name.start[1] != 'Z') {
        return false;
    }
    for (size_t at = 2; at + 1 < name.size; at++) {
        uint8_t next = name.start[at + 1];
        if (name.start[at] == 'Q' ||
            (name.start[at] == 'T' && (next == 'k' || next == 'n' || next == 't' || next == 'p'))) {
            return true;
        }
    }
    return false;
}

struct scope {
    struct vaka_bytes name;
    bool is_named;
};

struct scopes {
    struct scope items[DEEPEST];
    unsigned depth;
};

static struct scope scope_of(const struct vaka_entry *entry, const struct vaka_unit *unit) {
    struct scope scope = {{NULL, 0}, entry->abbreviation->kind == VAKA_KIND_SCOPE};
    if (scope.is_named) {
        static const char nameless[] = "(anonymous namespace)";
        struct vaka_bytes none = {(const uint8_t *)nameless, sizeof nameless - 1};
        scope.name = vaka_has(entry, VAKA_SLOT_NAME) ? vaka_value_text(&entry->values[VAKA_SLOT_NAME], unit) : none;
    }
    return scope;
}

static bool append(struct vaka_unit_code *code, struct vaka_bytes text) {
    if (!vaka_reserve(&code->characters, (uint32_t)text.size)) {
        return false;
    }
    if (text.size > 0) {
        memcpy(code->characters.items + code->characters.count, text.start, text.size);
    }
    code->characters.count += (uint32_t)text.size;
    return true;
}

static bool write_name(struct vaka_unit_builder *builder, const struct scopes *scopes, const struct vaka_entry *entry,
                       const struct vaka_unit *unit, uint32_t number) {
    struct vaka_unit_code *code = builder->code;
    struct vaka_bytes name = vaka_has(entry, VAKA_SLOT_NAME) ? vaka_value_text(&entry->values[VAKA_SLOT_NAME], unit)
                                                             : (struct vaka_bytes){NULL, 0};
    struct vaka_bytes joint = {(const uint8_t *)"::", 2};
    uint32_t first = code->characters.count;
    if (name.size == 0) {
        return true;
    }
    for (unsigned index = 0; index < scopes->depth; index++) {
        if (scopes->items[index].is_named && (!append(code, scopes->items[index].name) || !append(code, joint))) {
            return false;
        }
    }
    if (!append(code, name)) {
        return false;
    }
    uint32_t size = code->characters.count - first;
    if (size > LONGEST) {
        code->characters.count = first;
        return true;
    }
    struct vaka_built_readable *slot = vaka_push(&code->readables);
    if (slot == NULL) {
        return false;
    }
    *slot = (struct vaka_built_readable){number, first, size};
    return true;
}

bool vaka_builder_qualify(struct vaka_unit_builder *builder) {
    if (builder->qualified_numbers.count == 0) {
        return true;
    }
    const struct vaka_unit *unit = builder->unit->is_split ? &builder->unit->body : &builder->unit->unit;
    const struct vaka_abbreviations *table = vaka_builder_own_table(builder, unit);
    struct vaka_cursor cursor = vaka_cursor_at(unit->sections->section[VAKA_SECTION_INFO], unit->first_entry);
    if (table == NULL || cursor.failed) {
        return true;
    }
    cursor.end = unit->sections->section[VAKA_SECTION_INFO].start + unit->end;
    struct scopes scopes = {.depth = 0};
    struct vaka_entry entry;
    while (vaka_entry_read(&entry, &cursor, table, unit)) {
        if (entry.abbreviation == NULL) {
            scopes.depth -= scopes.depth > 0;
            continue;
        }
        if (entry.abbreviation->kind == VAKA_KIND_FUNCTION) {
            struct vaka_number_slot *slot = vaka_number_table_find(&builder->qualified_numbers, entry.offset + 1);
            /* One declaration may have two linkage names: those of a constructor. */
            if (slot != NULL && (!write_name(builder, &scopes, &entry, unit, slot->number) ||
                                 (slot->extra != 0 && !write_name(builder, &scopes, &entry, unit, slot->extra)))) {
                return false;
            }
        }
        if (entry.abbreviation->has_children) {
            if (scopes.depth == DEEPEST) {
                break;
            }
            scopes.items[scopes.depth++] = scope_of(&entry, unit);
        }
    }
    return true;
}
