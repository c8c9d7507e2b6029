/* SPDX-License-Identifier: Apache-2.0 */
#include "builder.h"

/* The unit's number of a file, new where it was not used yet; 0 for none. */
static uint32_t file_number(struct vaka_unit_builder *builder, struct vaka_file_numbers *files, uint64_t number) {
    const struct vaka_line_file *file = vaka_line_file(&files->header, number);
    if (file == NULL) {
        return 0;
    }
    while (files->numbers.count <= number) {
        uint32_t *slot = vaka_push(&files->numbers);
        if (slot == NULL) {
            builder->has_failed = true;
            return 0;
        }
        *slot = 0;
    }
    if (files->numbers.items[number] == 0) {
        if (builder->code->files.count == 0 && vaka_push(&builder->code->files) != NULL) {
            builder->code->files.items[0] = (struct vaka_built_file){0};
        }
        struct vaka_built_file *slot = vaka_push(&builder->code->files);
        if (slot == NULL) {
            builder->has_failed = true;
            return 0;
        }
        bool is_relative;
        struct vaka_bytes folder = vaka_line_folder(&files->header, file, &is_relative);
        struct vaka_bytes none = {NULL, 0};
        *slot = (struct vaka_built_file){is_relative ? files->folder : none, folder, file->name, file->md5};
        files->numbers.items[number] = builder->code->files.count - 1;
    }
    return files->numbers.items[number];
}

uint32_t vaka_builder_place(struct vaka_unit_builder *builder, struct vaka_file_numbers *files, uint64_t file,
                            uint64_t line, uint64_t column) {
    struct vaka_built_place place = {file_number(builder, files, file), line > UINT32_MAX ? 0 : (uint32_t)line,
                                     column > UINT16_MAX ? 0 : (uint32_t)column};
    if (place.file == 0 && place.line == 0 && place.column == 0) {
        return 0;
    }
    uint64_t key = ((uint64_t)place.file << 48 ^ (uint64_t)place.line << 16 ^ place.column) + 1;
    if (place.file > 0x7fff) {
        key = vaka_mix(key ^ vaka_mix(place.file));
    }
    /* Far files make keys that may meet; then the place is written twice, no more. */
    struct vaka_number_slot *slot = vaka_number_table_slot(&builder->place_numbers, key == 0 ? 1 : key);
    if (slot == NULL) {
        builder->has_failed = true;
        return 0;
    }
    if (slot->number != 0) {
        const struct vaka_built_place *known = &builder->code->places.items[slot->number];
        if (known->file == place.file && known->line == place.line && known->column == place.column) {
            return slot->number;
        }
    }
    if (builder->code->places.count == 0 && vaka_push(&builder->code->places) != NULL) {
        builder->code->places.items[0] = (struct vaka_built_place){0};
    }
    struct vaka_built_place *made = vaka_push(&builder->code->places);
    if (made == NULL) {
        builder->has_failed = true;
        return 0;
    }
    *made = place;
    slot->number = builder->code->places.count - 1;
    return slot->number;
}

static uint64_t number_of(const struct vaka_entry *entry, enum vaka_slot slot) {
    return vaka_has(entry, slot) ? entry->values[slot].number : 0;
}

uint32_t vaka_builder_call_place(struct vaka_unit_builder *builder, const struct vaka_entry *entry) {
    struct vaka_file_numbers *files = builder->has_split_files ? &builder->split_files : &builder->files;
    /* 0 is a file of its own from version 5 on, but not where no file is named. */
    uint64_t file = vaka_has(entry, VAKA_SLOT_CALL_FILE) ? entry->values[VAKA_SLOT_CALL_FILE].number : UINT64_MAX;
    return vaka_builder_place(builder, files, file, number_of(entry, VAKA_SLOT_CALL_LINE),
                              number_of(entry, VAKA_SLOT_CALL_COLUMN));
}
