/* SPDX-License-Identifier: Apache-2.0 */
/* The stretches of linked addresses that hold code, laid one behind the other: a place in them is 32 bits. */
#ifndef VAKA_BUILD_CODE_MAP_H
#define VAKA_BUILD_CODE_MAP_H

#include "../dwarf/object.h"

/* The most code that one file may have. */
#define VAKA_MOST_CODE UINT64_C(0xf0000000)
/* Regions begin at multiples of it, so that a cache can find a place by its upper bits. */
#define VAKA_PLACE_UNIT 256

struct vaka_code_region {
    uint64_t address;
    uint32_t place;
    uint32_t size;
};

struct vaka_code_map {
    VAKA_VECTOR(struct vaka_code_region) regions;
    uint32_t size;
};

bool vaka_code_map_init(struct vaka_code_map *map, const struct vaka_region *regions, size_t count);
void vaka_code_map_deinit(struct vaka_code_map *map);

/* The region that holds an address; NULL for none. What the linker dropped lies at 0, 1, -1 or -2: in none. */
const struct vaka_code_region *vaka_code_map_region(const struct vaka_code_map *map, uint64_t address);

/* The part of a range that lies in the region where it starts; false where it starts in none. */
bool vaka_code_map_range(const struct vaka_code_map *map, uint64_t start, uint64_t end, uint32_t *first,
                         uint32_t *last);

#endif
