/* SPDX-License-Identifier: Apache-2.0 */
#include "find.h"

/* The address of an entry, by the bucket that holds its number. */
static bool address_of(const struct vaka_symbol_cache *cache, uint32_t entry, uint64_t *address) {
    uint32_t low = 0;
    uint32_t high = cache->bucket_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cache->buckets[middle] <= entry) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) {
        return false;
    }
    uint32_t bucket = low - 1;
    for (uint32_t index = cache->region_count; index > 0; index--) {
        const struct vaka_cache_region *region = &cache->regions[index - 1];
        if (region->first_bucket <= bucket) {
            uint64_t offset = (uint64_t)(bucket - region->first_bucket) * VAKA_CACHE_BUCKET + cache->offsets[entry];
            *address = region->address + (offset < region->size ? offset : region->size);
            return true;
        }
    }
    return false;
}

static uint64_t region_end(const struct vaka_symbol_cache *cache, uint64_t address) {
    for (uint32_t index = 0; index < cache->region_count; index++) {
        if (address - cache->regions[index].address < cache->regions[index].size) {
            return cache->regions[index].address + cache->regions[index].size;
        }
    }
    return address;
}

bool vaka_symbol_cache_stretch(const struct vaka_symbol_cache *cache, uint64_t address, uint64_t *start,
                               uint64_t *end) {
    uint32_t number = vaka_cache_find(cache, address);
    if (number == VAKA_NOTHING || cache->entries[number].node >= cache->node_count) {
        return false;
    }
    struct vaka_cache_entry here = cache->entries[number];
    uint32_t root = vaka_cache_root(cache, here.node);
    if (root == 0 && here.place == 0) {
        return false;
    }
    uint32_t first = number;
    while (first > 0 && vaka_cache_root(cache, cache->entries[first - 1].node) == root &&
           (root != 0 || cache->entries[first - 1].place != 0)) {
        first--;
    }
    uint32_t last = number + 1;
    while (last < cache->entry_count && vaka_cache_root(cache, cache->entries[last].node) == root &&
           (root != 0 || cache->entries[last].place != 0)) {
        last++;
    }
    if (!address_of(cache, first, start)) {
        return false;
    }
    uint64_t limit = region_end(cache, address);
    if (last >= cache->entry_count || !address_of(cache, last, end) || *end > limit || *end <= address) {
        *end = limit;
    }
    return *start <= address && address < *end;
}

static const struct vaka_cache_ambiguous *find_ambiguous(const struct vaka_symbol_cache *cache, uint64_t address) {
    uint32_t bucket;
    uint8_t byte;
    if (!vaka_cache_bucket(cache, address, &bucket, &byte)) {
        return NULL;
    }
    uint64_t place = (uint64_t)bucket * VAKA_CACHE_BUCKET + byte;
    uint32_t low = 0;
    uint32_t high = cache->ambiguous_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cache->ambiguous[middle].start <= place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && place < cache->ambiguous[low - 1].end ? &cache->ambiguous[low - 1] : NULL;
}

size_t vaka_symbol_cache_other_names(const struct vaka_symbol_cache *cache, uint64_t address,
                                     struct vaka_other_name *names, size_t capacity) {
    const struct vaka_cache_ambiguous *found = find_ambiguous(cache, address);
    size_t count = 0;
    for (uint32_t index = 0; found != NULL && index < found->candidate_count && count < capacity; index++) {
        uint64_t at = (uint64_t)found->first_candidate + index;
        if (at >= cache->candidate_count) {
            break;
        }
        const struct vaka_cache_candidate *candidate = &cache->candidates[at];
        struct vaka_cache_text name = vaka_cache_text_at(cache, candidate->name);
        if (name.size > 0) {
            names[count++] = (struct vaka_other_name){name, candidate->kind == VAKA_CANDIDATE_FOLDED};
        }
    }
    return count;
}

bool vaka_symbol_cache_companion(const struct vaka_symbol_cache *cache, size_t index, struct vaka_cache_text *path,
                                 uint64_t *size) {
    if (index >= cache->companion_count) {
        return false;
    }
    *path = vaka_cache_text_at(cache, cache->companions[index].path);
    *size = cache->companions[index].size;
    return true;
}
