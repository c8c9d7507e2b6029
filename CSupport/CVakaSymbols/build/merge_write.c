/* SPDX-License-Identifier: Apache-2.0 */
#include "merge.h"

#include <zlib.h>

struct part {
    const void *bytes;
    uint64_t size;
    uint32_t count;
};

static struct part part(const void *bytes, uint32_t count, size_t size) {
    return (struct part){bytes, (uint64_t)count * size, count};
}

static bool add_companions(struct vaka_merge *merge) {
    for (size_t index = 0; index < merge->options->companion_count; index++) {
        const struct vaka_companion *companion = &merge->options->companions[index];
        struct vaka_cache_companion *slot = vaka_push(&merge->companions);
        if (slot == NULL) {
            return false;
        }
        uint32_t path = vaka_texts_add(&merge->texts, companion->path, vaka_text_hash(companion->path));
        *slot = (struct vaka_cache_companion){companion->size, path, 0};
    }
    return !merge->texts.has_failed;
}

static void collect(const struct vaka_merge *merge, const struct vaka_cache_region *regions,
                    struct part parts[VAKA_PART_COUNT]) {
    parts[VAKA_PART_REGIONS] = part(regions, merge->debug->code.regions.count, sizeof *regions);
    parts[VAKA_PART_BUCKETS] = part(merge->buckets.items, merge->buckets.count, 4);
    parts[VAKA_PART_OFFSETS] = part(merge->offsets.items, merge->offsets.count, 1);
    parts[VAKA_PART_ENTRIES] = part(merge->entries.items, merge->entries.count, sizeof *merge->entries.items);
    parts[VAKA_PART_NODES] = part(merge->nodes.items, merge->nodes.count, sizeof *merge->nodes.items);
    parts[VAKA_PART_PLACES] = part(merge->places.items, merge->places.count, sizeof *merge->places.items);
    parts[VAKA_PART_FILES] = part(merge->files.items, merge->files.count, sizeof *merge->files.items);
    parts[VAKA_PART_CHECKSUMS] = part(merge->checksums.items, merge->checksums.count / 16, 16);
    parts[VAKA_PART_AMBIGUOUS] = part(merge->ambiguous.items, merge->ambiguous.count, sizeof *merge->ambiguous.items);
    parts[VAKA_PART_CANDIDATES] =
        part(merge->candidates.items, merge->candidates.count, sizeof *merge->candidates.items);
    parts[VAKA_PART_COMPANIONS] =
        part(merge->companions.items, merge->companions.count, sizeof *merge->companions.items);
    parts[VAKA_PART_TEXTS] = part(merge->texts.bytes.items, merge->texts.bytes.count, 1);
}

static void fill_header(const struct vaka_merge *merge, struct vaka_cache_header *header) {
    const struct vaka_cache_identity *identity = &merge->options->identity;
    memcpy(header->magic, VAKA_CACHE_MAGIC, sizeof header->magic);
    header->version = VAKA_CACHE_VERSION;
    header->header_size = sizeof *header;
    header->flags = (identity->has_debug_info ? VAKA_CACHE_HAS_DEBUG_INFO : 0) |
                    (identity->has_symbols ? VAKA_CACHE_HAS_SYMBOLS : 0) |
                    (identity->is_64_bit ? VAKA_CACHE_IS_64_BIT : 0);
    header->first_address = identity->first_address;
    header->source_size = identity->file_size;
    header->machine = identity->machine;
    uint32_t size = identity->build_id_size;
    header->build_id_size = (uint8_t)(size < sizeof header->build_id ? size : sizeof header->build_id);
    header->part_count = VAKA_PART_COUNT;
    header->first_symbol_node = merge->first_symbol_node;
    memcpy(header->build_id, identity->build_id, header->build_id_size);
}

static struct vaka_cache_region *regions_of(const struct vaka_code_map *code) {
    struct vaka_cache_region *regions = calloc(code->regions.count + 1, sizeof *regions);
    for (uint32_t index = 0; regions != NULL && index < code->regions.count; index++) {
        const struct vaka_code_region *region = &code->regions.items[index];
        regions[index] = (struct vaka_cache_region){region->address, region->size, region->place / VAKA_CACHE_BUCKET};
    }
    return regions;
}

static uint64_t aligned(uint64_t size) {
    return (size + 7) / 8 * 8;
}

bool vaka_merge_write(struct vaka_merge *merge, uint8_t **bytes, size_t *size) {
    struct vaka_cache_region *regions = regions_of(&merge->debug->code);
    if (regions == NULL || !add_companions(merge)) {
        free(regions);
        return false;
    }
    struct part parts[VAKA_PART_COUNT];
    collect(merge, regions, parts);
    struct vaka_cache_header header = {0};
    fill_header(merge, &header);
    header.file_size = aligned(sizeof header);
    for (unsigned index = 0; index < VAKA_PART_COUNT; index++) {
        struct vaka_cache_part_header *made = &header.parts[index];
        *made = (struct vaka_cache_part_header){header.file_size, parts[index].size, 0, parts[index].count};
        if (parts[index].size > 0) {
            made->checksum = (uint32_t)crc32_z(0, parts[index].bytes, parts[index].size);
        }
        header.file_size += aligned(parts[index].size);
    }
    header.checksum = (uint32_t)crc32_z(0, (const void *)&header, sizeof header);
    *size = header.file_size;
    *bytes = malloc(header.file_size);
    if (*bytes != NULL) {
        memcpy(*bytes, &header, sizeof header);
        for (unsigned index = 0; index < VAKA_PART_COUNT; index++) {
            uint8_t *target = *bytes + header.parts[index].offset;
            if (parts[index].size > 0) {
                memcpy(target, parts[index].bytes, parts[index].size);
            }
            memset(target + parts[index].size, 0, aligned(parts[index].size) - parts[index].size);
        }
    }
    free(regions);
    return *bytes != NULL;
}
