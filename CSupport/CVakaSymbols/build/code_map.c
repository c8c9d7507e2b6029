/* SPDX-License-Identifier: Apache-2.0 */
#include "code_map.h"

bool vaka_code_map_init(struct vaka_code_map *map, const struct vaka_region *regions, size_t count) {
    *map = (struct vaka_code_map){0};
    uint64_t place = 0;
    uint64_t end = 0;
    for (size_t index = 0; index < count; index++) {
        struct vaka_region region = regions[index];
        if (region.size == 0 || region.address < end || region.address + region.size < region.address) {
            continue;
        }
        if (place + region.size > VAKA_MOST_CODE) {
            break;
        }
        struct vaka_code_region *slot = vaka_push(&map->regions);
        if (slot == NULL) {
            return false;
        }
        *slot = (struct vaka_code_region){region.address, (uint32_t)place, (uint32_t)region.size};
        place = (place + region.size + VAKA_PLACE_UNIT - 1) / VAKA_PLACE_UNIT * VAKA_PLACE_UNIT;
        end = region.address + region.size;
    }
    map->size = (uint32_t)place;
    return true;
}

void vaka_code_map_deinit(struct vaka_code_map *map) {
    vaka_release(&map->regions);
}

const struct vaka_code_region *vaka_code_map_region(const struct vaka_code_map *map, uint64_t address) {
    if (address <= 1) {
        return NULL;
    }
    uint32_t low = 0;
    uint32_t high = map->regions.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (map->regions.items[middle].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) {
        return NULL;
    }
    const struct vaka_code_region *region = &map->regions.items[low - 1];
    return address - region->address < region->size ? region : NULL;
}

bool vaka_code_map_range(const struct vaka_code_map *map, uint64_t start, uint64_t end, uint32_t *first,
                         uint32_t *last) {
    const struct vaka_code_region *region = vaka_code_map_region(map, start);
    if (region == NULL || end <= start) {
        return false;
    }
    uint64_t from = start - region->address;
    uint64_t size = end - start < region->size - from ? end - start : region->size - from;
    *first = region->place + (uint32_t)from;
    *last = *first + (uint32_t)size;
    return true;
}
