/* SPDX-License-Identifier: Apache-2.0 */
#include "format.h"
#include "vaka_symbol_cache.h"

#include <stddef.h>
#include <string.h>
#include <zlib.h>

/* Bytes of one element of each part. */
static const uint32_t element_sizes[VAKA_PART_COUNT] = {
    [VAKA_PART_REGIONS] = sizeof(struct vaka_cache_region),
    [VAKA_PART_BUCKETS] = 4,
    [VAKA_PART_OFFSETS] = 1,
    [VAKA_PART_ENTRIES] = sizeof(struct vaka_cache_entry),
    [VAKA_PART_NODES] = sizeof(struct vaka_cache_node),
    [VAKA_PART_PLACES] = sizeof(struct vaka_cache_place),
    [VAKA_PART_FILES] = sizeof(struct vaka_cache_file),
    [VAKA_PART_CHECKSUMS] = 16,
    [VAKA_PART_AMBIGUOUS] = sizeof(struct vaka_cache_ambiguous),
    [VAKA_PART_CANDIDATES] = sizeof(struct vaka_cache_candidate),
    [VAKA_PART_COMPANIONS] = sizeof(struct vaka_cache_companion),
    [VAKA_PART_TEXTS] = 1,
};

static const char *const part_names[VAKA_PART_COUNT] = {
    [VAKA_PART_REGIONS] = "regions",       [VAKA_PART_BUCKETS] = "buckets",       [VAKA_PART_OFFSETS] = "offsets",
    [VAKA_PART_ENTRIES] = "entries",       [VAKA_PART_NODES] = "nodes",           [VAKA_PART_PLACES] = "places",
    [VAKA_PART_FILES] = "files",           [VAKA_PART_CHECKSUMS] = "checksums",   [VAKA_PART_AMBIGUOUS] = "ambiguous",
    [VAKA_PART_CANDIDATES] = "candidates", [VAKA_PART_COMPANIONS] = "companions", [VAKA_PART_TEXTS] = "texts",
};

const char *vaka_symbol_cache_part_name(unsigned part) {
    return part < VAKA_PART_COUNT ? part_names[part] : "unknown";
}

static enum vaka_cache_status check_header(const struct vaka_cache_header *header, size_t size) {
    if (size < sizeof header->magic || memcmp(header->magic, VAKA_CACHE_MAGIC, sizeof header->magic) != 0) {
        return VAKA_CACHE_OTHER;
    }
    if (size < offsetof(struct vaka_cache_header, file_size)) {
        return VAKA_CACHE_CUT;
    }
    if (header->version > VAKA_CACHE_VERSION) {
        return VAKA_CACHE_NEWER;
    }
    if (header->version == 0 || header->header_size != sizeof *header) {
        return VAKA_CACHE_DAMAGED;
    }
    if (size < sizeof *header) {
        return VAKA_CACHE_CUT;
    }
    struct vaka_cache_header copy = *header;
    copy.checksum = 0;
    if ((uint32_t)crc32_z(0, (const void *)&copy, sizeof copy) != header->checksum) {
        return VAKA_CACHE_DAMAGED;
    }
    return header->file_size > size ? VAKA_CACHE_CUT : VAKA_CACHE_OPEN;
}

static bool check_parts(const struct vaka_cache_header *header) {
    if (header->part_count != VAKA_PART_COUNT) {
        return false;
    }
    for (unsigned index = 0; index < VAKA_PART_COUNT; index++) {
        const struct vaka_cache_part_header *part = &header->parts[index];
        if (part->offset % 8 != 0 || part->offset > header->file_size ||
            part->size > header->file_size - part->offset ||
            part->size != (uint64_t)part->count * element_sizes[index]) {
            return false;
        }
    }
    return header->parts[VAKA_PART_OFFSETS].count == header->parts[VAKA_PART_ENTRIES].count;
}

static const void *at(const struct vaka_symbol_cache *cache, enum vaka_cache_part part, uint32_t *count) {
    *count = cache->header->parts[part].count;
    return cache->bytes + cache->header->parts[part].offset;
}

enum vaka_cache_status vaka_symbol_cache_open(struct vaka_symbol_cache *cache, const uint8_t *bytes, size_t size) {
    *cache = (struct vaka_symbol_cache){0};
    const struct vaka_cache_header *header = (const void *)bytes;
    enum vaka_cache_status status = check_header(header, size);
    if (status != VAKA_CACHE_OPEN) {
        return status;
    }
    if (!check_parts(header)) {
        return VAKA_CACHE_DAMAGED;
    }
    uint32_t count;
    cache->bytes = bytes;
    cache->header = header;
    cache->regions = at(cache, VAKA_PART_REGIONS, &cache->region_count);
    cache->buckets = at(cache, VAKA_PART_BUCKETS, &cache->bucket_count);
    cache->offsets = at(cache, VAKA_PART_OFFSETS, &count);
    cache->entries = at(cache, VAKA_PART_ENTRIES, &cache->entry_count);
    cache->nodes = at(cache, VAKA_PART_NODES, &cache->node_count);
    cache->places = at(cache, VAKA_PART_PLACES, &cache->place_count);
    cache->files = at(cache, VAKA_PART_FILES, &cache->file_count);
    cache->checksums = at(cache, VAKA_PART_CHECKSUMS, &cache->checksum_count);
    cache->ambiguous = at(cache, VAKA_PART_AMBIGUOUS, &cache->ambiguous_count);
    cache->candidates = at(cache, VAKA_PART_CANDIDATES, &cache->candidate_count);
    cache->companions = at(cache, VAKA_PART_COMPANIONS, &cache->companion_count);
    cache->texts = at(cache, VAKA_PART_TEXTS, &cache->text_size);
    cache->first_symbol_node = header->first_symbol_node;
    return VAKA_CACHE_OPEN;
}

int vaka_symbol_cache_verify(const struct vaka_symbol_cache *cache) {
    for (int index = 0; index < VAKA_PART_COUNT; index++) {
        const struct vaka_cache_part_header *part = &cache->header->parts[index];
        uint32_t checksum = part->size == 0 ? 0 : (uint32_t)crc32_z(0, cache->bytes + part->offset, part->size);
        if (checksum != part->checksum) {
            return index;
        }
    }
    return -1;
}

struct vaka_cache_facts vaka_symbol_cache_facts(const struct vaka_symbol_cache *cache) {
    const struct vaka_cache_header *header = cache->header;
    struct vaka_cache_facts facts = {
        .version = header->version,
        .size = header->file_size,
        .first_address = header->first_address,
        .source_size = header->source_size,
        .machine = header->machine,
        .is_64_bit = (header->flags & VAKA_CACHE_IS_64_BIT) != 0,
        .has_debug_info = (header->flags & VAKA_CACHE_HAS_DEBUG_INFO) != 0,
        .has_symbols = (header->flags & VAKA_CACHE_HAS_SYMBOLS) != 0,
        .build_id = header->build_id,
        .build_id_size =
            header->build_id_size < sizeof header->build_id ? header->build_id_size : sizeof header->build_id,
        .text_bytes = cache->text_size,
    };
    for (uint32_t index = 0; index < cache->region_count; index++) {
        facts.code_size += cache->regions[index].size;
    }
    return facts;
}

uint32_t vaka_symbol_cache_function_count(const struct vaka_symbol_cache *cache) {
    uint32_t count = 0;
    for (uint32_t index = 1; index < cache->node_count; index++) {
        count += cache->nodes[index].parent == 0;
    }
    return count;
}
