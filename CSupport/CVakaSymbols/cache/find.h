/* SPDX-License-Identifier: Apache-2.0 */
/* From addresses to entries, with every index of the file checked. */
#ifndef VAKA_CACHE_FIND_H
#define VAKA_CACHE_FIND_H

#include "format.h"
#include "vaka_symbol_cache.h"

#define VAKA_NOTHING UINT32_MAX

static inline struct vaka_cache_text vaka_cache_text_at(const struct vaka_symbol_cache *cache, uint32_t offset) {
    struct vaka_cache_text none = {NULL, 0};
    if (offset == 0 || offset >= cache->text_size) {
        return none;
    }
    const uint8_t *at = cache->texts + offset;
    const uint8_t *end = cache->texts + cache->text_size;
    size_t size = *at++;
    if (size > 0x7f) {
        size &= 0x7f;
        for (unsigned shift = 7; at < end && shift < 28; shift += 7) {
            uint8_t byte = *at++;
            size |= (size_t)(byte & 0x7f) << shift;
            if (byte < 0x80) {
                break;
            }
        }
    }
    return size > (size_t)(end - at) ? none : (struct vaka_cache_text){(const char *)at, size};
}

/* The bucket of an address and its byte in there; false for none. */
static inline bool vaka_cache_bucket(const struct vaka_symbol_cache *cache, uint64_t address, uint32_t *bucket,
                                     uint8_t *byte) {
    uint32_t low = 0;
    uint32_t high = cache->region_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cache->regions[middle].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) {
        return false;
    }
    const struct vaka_cache_region *region = &cache->regions[low - 1];
    uint64_t offset = address - region->address;
    uint64_t found = region->first_bucket + offset / VAKA_CACHE_BUCKET;
    if (offset >= region->size || found >= cache->bucket_count) {
        return false;
    }
    *bucket = (uint32_t)found;
    *byte = (uint8_t)(offset % VAKA_CACHE_BUCKET);
    return true;
}

/* The number of the entry that holds for an address. */
static inline uint32_t vaka_cache_find(const struct vaka_symbol_cache *cache, uint64_t address) {
    uint32_t bucket;
    uint8_t byte;
    if (!vaka_cache_bucket(cache, address, &bucket, &byte)) {
        return VAKA_NOTHING;
    }
    uint32_t first = cache->buckets[bucket];
    uint32_t end = bucket + 1 < cache->bucket_count ? cache->buckets[bucket + 1] : cache->entry_count;
    if (first > end || end > cache->entry_count || end - first > VAKA_CACHE_BUCKET) {
        return VAKA_NOTHING;
    }
    /* Counting has no branch to mispredict, and is done many bytes at once. */
    const uint8_t *offsets = cache->offsets + first;
    uint32_t before = 0;
    for (uint32_t index = 0; index < end - first; index++) {
        before += offsets[index] <= byte;
    }
    return first + before > 0 ? first + before - 1 : VAKA_NOTHING;
}

static inline bool vaka_cache_is_level(const struct vaka_symbol_cache *cache, uint32_t node) {
    return node != 0 && node < cache->node_count;
}

/* The level around one; 0 for a function, and where a damaged cache would lead on and on. */
static inline uint32_t vaka_cache_parent(const struct vaka_symbol_cache *cache, uint32_t node) {
    uint32_t parent = cache->nodes[node].parent;
    return parent < node ? parent : 0;
}

/* The function that a level lies in; 0 for none. */
static inline uint32_t vaka_cache_root(const struct vaka_symbol_cache *cache, uint32_t node) {
    if (!vaka_cache_is_level(cache, node)) {
        return 0;
    }
    for (uint32_t parent = vaka_cache_parent(cache, node); parent != 0; parent = vaka_cache_parent(cache, node)) {
        node = parent;
    }
    return node;
}

#endif
