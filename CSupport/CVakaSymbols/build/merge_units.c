/* SPDX-License-Identifier: Apache-2.0 */
#include "merge.h"

/* A file's folder as one text: the compilation's folder and the one below it. */
static uint32_t folder_text(struct vaka_merge *merge, const struct vaka_built_file *file) {
    struct vaka_bytes none = {NULL, 0};
    struct vaka_bytes base = file->base;
    struct vaka_bytes folder = file->folder;
    if (file->name.size > 0 && file->name.start[0] == '/') {
        return 0;
    }
    if (folder.size > 0 && folder.start[0] == '/') {
        base = none;
    }
    if (base.size == 0 || folder.size == 0) {
        struct vaka_bytes text = base.size == 0 ? folder : base;
        return text.size == 0 ? 0 : vaka_texts_add(&merge->texts, text, vaka_text_hash(text));
    }
    uint8_t *joined = malloc(base.size + folder.size + 1);
    if (joined == NULL) {
        merge->texts.has_failed = true;
        return 0;
    }
    size_t size = base.size;
    memcpy(joined, base.start, base.size);
    if (joined[size - 1] != '/') {
        joined[size++] = '/';
    }
    memcpy(joined + size, folder.start, folder.size);
    struct vaka_bytes text = {joined, size + folder.size};
    uint32_t offset = vaka_texts_add(&merge->texts, text, vaka_text_hash(text));
    free(joined);
    return offset;
}

static bool add_checksum(struct vaka_merge *merge, struct vaka_cache_file *file, const uint8_t *md5) {
    if (md5 == NULL || file->checksum != 0) {
        return true;
    }
    if (!vaka_reserve(&merge->checksums, 16)) {
        return false;
    }
    memcpy(merge->checksums.items + merge->checksums.count, md5, 16);
    merge->checksums.count += 16;
    file->checksum = merge->checksums.count / 16;
    return true;
}

/* The cache's number of a file; 0 when memory is short. */
static uint32_t file_number(struct vaka_merge *merge, const struct vaka_built_file *file) {
    struct vaka_cache_file made = {folder_text(merge, file),
                                   vaka_texts_add(&merge->texts, file->name, vaka_text_hash(file->name)), 0};
    uint64_t key = ((uint64_t)made.folder << 32 | made.name) + 1;
    struct vaka_number_slot *slot = vaka_number_table_slot(&merge->file_numbers, key);
    if (slot == NULL) {
        return 0;
    }
    if (slot->number == 0) {
        struct vaka_cache_file *added = vaka_push(&merge->files);
        if (added == NULL) {
            return 0;
        }
        *added = made;
        slot->number = merge->files.count - 1;
    }
    return add_checksum(merge, &merge->files.items[slot->number], file->md5) ? slot->number : 0;
}

static bool copy_places(struct vaka_merge *merge, const struct vaka_unit_code *unit) {
    uint32_t *files = calloc(unit->files.count + 1, sizeof *files);
    bool done = files != NULL && vaka_reserve(&merge->places, unit->places.count);
    for (uint32_t index = 1; done && index < unit->files.count; index++) {
        files[index] = file_number(merge, &unit->files.items[index]);
        done = files[index] != 0;
    }
    for (uint32_t index = 1; done && index < unit->places.count; index++) {
        const struct vaka_built_place *place = &unit->places.items[index];
        merge->places.items[merge->places.count++] =
            (struct vaka_cache_place){files[place->file], place->line, (uint16_t)place->column, 0};
    }
    free(files);
    return done;
}

/* The readable names of a unit by the numbers of its names, where its linkage names defy demanglers; NULL where none do. */
static uint32_t *readable_names(struct vaka_merge *merge, const struct vaka_unit_code *unit) {
    if (merge->options->can_demangle == NULL || unit->readables.count == 0) {
        return NULL;
    }
    uint32_t *result = calloc(unit->names.count + 1, sizeof *result);
    for (uint32_t index = 0; result != NULL && index < unit->readables.count; index++) {
        struct vaka_built_readable readable = unit->readables.items[index];
        const struct vaka_name *name = &unit->names.items[readable.name];
        if (!merge->options->can_demangle((const char *)name->start, name->size)) {
            struct vaka_bytes text = {unit->characters.items + readable.first, readable.size};
            result[readable.name] = vaka_texts_add(&merge->texts, text, vaka_text_hash(text));
        }
    }
    return result;
}

static bool copy_nodes(struct vaka_merge *merge, const struct vaka_unit_code *unit, struct vaka_merged_unit merged) {
    uint32_t *names = calloc(unit->names.count + 1, sizeof *names);
    uint32_t *readables = readable_names(merge, unit);
    bool done = names != NULL && vaka_reserve(&merge->nodes, unit->nodes.count);
    for (uint32_t index = 1; done && index < unit->nodes.count; index++) {
        const struct vaka_built_node *node = &unit->nodes.items[index];
        if (node->name != 0 && names[node->name] == 0) {
            const struct vaka_name *name = &unit->names.items[node->name];
            names[node->name] = vaka_texts_add(&merge->texts, (struct vaka_bytes){name->start, name->size}, name->hash);
        }
        merge->nodes.items[merge->nodes.count++] = (struct vaka_cache_node){
            .parent = node->parent == 0 ? 0 : merged.node_base + node->parent,
            .name = names[node->name],
            .place = node->place == 0 ? 0 : merged.place_base + node->place,
            .readable = readables == NULL ? 0 : readables[node->name],
        };
    }
    free(names);
    free(readables);
    return done;
}

static bool begin(struct vaka_merge *merge) {
    if (!vaka_texts_init(&merge->texts) || vaka_push(&merge->nodes) == NULL || vaka_push(&merge->places) == NULL ||
        vaka_push(&merge->files) == NULL) {
        return false;
    }
    merge->nodes.items[0] = (struct vaka_cache_node){0};
    merge->places.items[0] = (struct vaka_cache_place){0};
    merge->files.items[0] = (struct vaka_cache_file){0};
    return true;
}

bool vaka_merge_units(struct vaka_merge *merge) {
    if (!begin(merge)) {
        return false;
    }
    uint32_t piece = 0;
    for (uint32_t index = 0; index < merge->unit_count; index++) {
        struct vaka_unit_code *unit = &merge->units[index];
        struct vaka_merged_unit *slot = vaka_push(&merge->merged);
        if (slot == NULL) {
            return false;
        }
        *slot = (struct vaka_merged_unit){piece, merge->nodes.count - 1, merge->places.count - 1};
        if (!copy_places(merge, unit) || !copy_nodes(merge, unit, *slot)) {
            return false;
        }
        piece += unit->pieces.count;
        vaka_release(&unit->nodes);
        vaka_release(&unit->places);
        vaka_release(&unit->files);
        vaka_release(&unit->names);
        vaka_release(&unit->readables);
        vaka_release(&unit->characters);
    }
    merge->first_line_node = merge->nodes.count;
    return !merge->texts.has_failed;
}
