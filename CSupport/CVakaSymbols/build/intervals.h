/* SPDX-License-Identifier: Apache-2.0 */
/* Stretches of code that may lie over each other, and the same laid flat. */
#ifndef VAKA_BUILD_INTERVALS_H
#define VAKA_BUILD_INTERVALS_H

#include "vector.h"

struct vaka_interval {
    uint32_t start;
    uint32_t end;
    uint32_t id;
};

typedef VAKA_VECTOR(struct vaka_interval) vaka_intervals;

bool vaka_interval_add(vaka_intervals *list, uint32_t start, uint32_t end, uint32_t id);

/* Where intervals lie over each other, the one that starts last has the code; of those that start together the one that ends
 * first; of equal ones the lowest id. Sorts `list`; `flat` gets the stretches in order. */
bool vaka_intervals_flatten(vaka_intervals *list, vaka_intervals *flat);

/* The parts of the sorted `upper` and, where it has none, of the sorted `lower`; ids of the latter get `mark` added. */
bool vaka_intervals_overlay(const vaka_intervals *upper, const vaka_intervals *lower, uint32_t mark,
                            vaka_intervals *result);

/* The parts of the sorted `list` that lie in the sorted `bounds`. */
bool vaka_intervals_clip(const vaka_intervals *list, const vaka_intervals *bounds, vaka_intervals *result);

#endif
