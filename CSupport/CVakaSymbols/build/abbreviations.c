/* SPDX-License-Identifier: Apache-2.0 */
#include "builder.h"

/* The same bytes mean other sizes for other units. */
static uint32_t shape_of(const struct vaka_unit *unit) {
    return (uint32_t)unit->version << 16 | (uint32_t)unit->offset_size << 8 | unit->address_size;
}

static const struct vaka_abbreviations *load(struct vaka_kept_table *kept, const struct vaka_unit *unit) {
    uint32_t shape = shape_of(unit);
    if (kept->sections == unit->sections && kept->offset == unit->abbrev_offset && kept->shape == shape) {
        return &kept->table;
    }
    kept->sections = NULL;
    if (!vaka_abbreviations_read(&kept->table, unit)) {
        return NULL;
    }
    kept->sections = unit->sections;
    kept->offset = unit->abbrev_offset;
    kept->shape = shape;
    return &kept->table;
}

const struct vaka_abbreviations *vaka_builder_own_table(struct vaka_unit_builder *builder,
                                                        const struct vaka_unit *unit) {
    return load(&builder->own, unit);
}

const struct vaka_abbreviations *vaka_builder_table(struct vaka_unit_builder *builder, const struct vaka_unit *unit) {
    const struct vaka_kept_table *own = &builder->own;
    if (own->sections == unit->sections && own->offset == unit->abbrev_offset && own->shape == shape_of(unit)) {
        return &own->table;
    }
    uint64_t hash = vaka_mix(unit->abbrev_offset ^ (uint64_t)(uintptr_t)unit->sections);
    return load(&builder->kept[hash % VAKA_KEPT_TABLES], unit);
}
