/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The images at the crash: those collected at install, less those unloaded since, plus those loaded since. The dynamic
 * linker's list is read by safe reads, without its lock: another thread may hold that for ever, or be changing the list.
 */
#include "capture.h"
#include "cfi.h"
#include "reader.h"
#include "writer.h"

#include <link.h>
#include <string.h>

#define NAMESPACES_MAX 16
#define LINK_MAP_MAX 8192

/* The public beginning of the dynamic linker's struct link_map. */
struct link_entry {
    uint64_t load_bias;
    uint64_t name;
    uint64_t dynamic;
    uint64_t next;
    uint64_t previous;
};

/* struct r_debug; next only where version >= 2 (r_debug_extended). */
struct linker_debug {
    uint32_t version;
    uint32_t padding0;
    uint64_t first;
    uint64_t breakpoint;
    uint32_t state;
    uint32_t padding1;
    uint64_t loader_base;
    uint64_t next;
};

/* The same place and the same build id: still the image that was there at install. */
static bool is_same(const struct vaka_known_image *image, const struct link_entry *entry) {
    if (image->dynamic_address != entry->dynamic || image->head.load_bias != entry->load_bias)
        return false;
    uint8_t id[VAKA_BUILD_ID_MAX];
    size_t bytes = image->head.build_id_bytes;
    if (bytes == 0)
        return true;
    return vaka_async_read(image->build_id_address, id, bytes) && memcmp(id, image->head.build_id, bytes) == 0;
}

/* The list's order is the table's, as far as nothing was unloaded: the search goes on where the last one ended. */
static struct vaka_known_image *known(const struct link_entry *entry, uint32_t *next) {
    struct vaka_image_table *table = &vaka_async_state.images;
    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t index = (*next + i) % table->count;
        if (!is_same(&table->images[index], entry))
            continue;
        *next = index + 1;
        return &table->images[index];
    }
    return NULL;
}

static void read_path(uint64_t address, struct vaka_known_image *image) {
    struct vaka_image_table *table = &vaka_async_state.images;
    image->path_offset = table->paths_used;
    uint32_t length = 0;
    char *to = table->paths + table->paths_used;
    uint32_t room = VAKA_IMAGE_PATHS_BYTES - table->paths_used;
    if (room > VAKA_PATH_BYTES)
        room = VAKA_PATH_BYTES;
    while (address != 0 && length < room && vaka_async_read(address + length, to + length, 1) && to[length] != 0) {
        length++;
    }
    image->head.path_bytes = (uint16_t)length;
    table->paths_used += length;
}

static void add_late(const struct link_entry *entry) {
    struct vaka_image_table *table = &vaka_async_state.images;
    if (table->count == table->capacity) {
        table->left_out++;
        return;
    }
    struct vaka_known_image *image = &table->images[table->count];
    if (!vaka_async_read_image(entry->load_bias, entry->dynamic, image)) {
        vaka_async_add_loss(VAKA_LOSS_LINK_MAP, 0, entry->load_bias);
        return;
    }
    image->head.flags = VAKA_IMAGE_LATE;
    image->in_link_map = true;
    read_path(entry->name, image);
    table->count++;
}

/* False where the list cannot be followed to its end: then nothing may be taken for unloaded. */
static bool read_list(uint64_t first, uint32_t *entries) {
    uint64_t at = first;
    uint32_t next = 0;
    while (at != 0) {
        struct link_entry entry;
        if (++*entries > LINK_MAP_MAX || !vaka_async_read(at, &entry, sizeof(entry))) {
            vaka_async_add_loss(VAKA_LOSS_LINK_MAP, 0, at);
            return false;
        }
        struct vaka_known_image *image = known(&entry, &next);
        if (image != NULL) {
            image->in_link_map = true;
        } else if (entry.dynamic != 0) {
            add_late(&entry);
        }
        at = entry.next;
    }
    return true;
}

static bool read_lists(void) {
    uint64_t at = vaka_async_state.images.debug_address;
    uint32_t entries = 0;
    for (int i = 0; at != 0 && i < NAMESPACES_MAX; i++) {
        struct linker_debug debug = {0};
        if (!vaka_async_read(at, &debug, offsetof(struct linker_debug, next)) || debug.version == 0) {
            vaka_async_add_loss(VAKA_LOSS_LINK_MAP, 0, at);
            return false;
        }
        if (!read_list(debug.first, &entries))
            return false;
        if (debug.version < 2)
            break;
        if (!vaka_async_read(at + offsetof(struct linker_debug, next), &at, sizeof(at)))
            break;
    }
    return entries > 0;
}

/* The program and the vDSO cannot be unloaded; not every linker lists them. */
static bool is_gone(const struct vaka_known_image *image) {
    return !image->in_link_map && (image->head.flags & (VAKA_IMAGE_EXECUTABLE | VAKA_IMAGE_VDSO)) == 0 &&
           image->dynamic_address != 0;
}

/* Their paths go too, so that a program that takes snapshots may load and unload for ever. */
static void drop_gone(void) {
    struct vaka_image_table *table = &vaka_async_state.images;
    uint32_t kept = 0, paths = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        struct vaka_known_image *image = &table->images[i];
        if (is_gone(image))
            continue;
        memmove(table->paths + paths, table->paths + image->path_offset, image->head.path_bytes);
        image->path_offset = paths;
        paths += image->head.path_bytes;
        if (kept != i)
            table->images[kept] = *image;
        kept++;
    }
    table->count = kept;
    table->paths_used = paths;
}

void vaka_async_update_images(void) {
    struct vaka_image_table *table = &vaka_async_state.images;
    if (vaka_async_state.crash.has_updated_images)
        return;
    vaka_async_state.crash.has_updated_images = true;
    for (uint32_t i = 0; i < table->count; i++)
        table->images[i].in_link_map = false;
    uint32_t left_out = table->left_out;
    if (table->debug_address != 0)
        table->left_out = 0;
    if (table->debug_address != 0 && read_lists())
        drop_gone();
    else
        table->left_out = left_out;
    vaka_async_cfi_begin();
}

const struct vaka_known_image *vaka_async_image_at(uint64_t address) {
    const struct vaka_image_table *table = &vaka_async_state.images;
    for (uint32_t i = 0; i < table->count; i++) {
        const struct vaka_image *image = &table->images[i].head;
        if (address - image->image_address < image->image_bytes)
            return &table->images[i];
    }
    return NULL;
}

bool vaka_async_is_code(uint64_t address) {
    const struct vaka_known_image *image = vaka_async_image_at(address);
    return image != NULL && address >= image->code_start && address < image->code_end;
}

void vaka_async_write_images(void) {
    struct vaka_image_table *table = &vaka_async_state.images;
    vaka_async_update_images();
    if (table->left_out > 0)
        vaka_async_add_loss(VAKA_LOSS_IMAGES_LIMIT, 0, table->left_out);
    struct vaka_images head = {.count = table->count};
    vaka_async_section_begin(VAKA_SECTION_IMAGES);
    vaka_async_section_append(&head, sizeof(head));
    for (uint32_t i = 0; i < table->count; i++) {
        const struct vaka_known_image *image = &table->images[i];
        vaka_async_section_append(&image->head, sizeof(image->head));
        vaka_async_section_append(table->paths + image->path_offset, image->head.path_bytes);
        vaka_async_section_pad();
    }
    vaka_async_section_end();
}
