/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow. A growth that fails leaves the array as it was and says false. */
#ifndef VAKA_BUILD_VECTOR_H
#define VAKA_BUILD_VECTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define VAKA_VECTOR(type)                                                                                              \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        uint32_t count;                                                                                                \
        uint32_t capacity;                                                                                             \
    }

/* Room for one more; the address of its slot, or NULL. */
#define vaka_push(vector)                                                                                              \
    (vaka_vector_reserve((void **)&(vector)->items, (vector)->count, &(vector)->capacity, sizeof *(vector)->items, 1)  \
         ? &(vector)->items[(vector)->count++]                                                                         \
         : NULL)

#define vaka_reserve(vector, more)                                                                                     \
    vaka_vector_reserve((void **)&(vector)->items, (vector)->count, &(vector)->capacity, sizeof *(vector)->items, more)

#define vaka_clear(vector) ((vector)->count = 0)

#define vaka_release(vector)                                                                                           \
    (free((vector)->items), (vector)->items = NULL, (vector)->count = 0, (vector)->capacity = 0)

/* Gives back what was reserved and not used. */
#define vaka_trim(vector)                                                                                              \
    vaka_vector_trim((void **)&(vector)->items, (vector)->count, &(vector)->capacity, sizeof *(vector)->items)

bool vaka_vector_grow(void **items, uint32_t count, uint32_t *capacity, size_t size, uint32_t more);
void vaka_vector_trim(void **items, uint32_t count, uint32_t *capacity, size_t size);

static inline bool vaka_vector_reserve(void **items, uint32_t count, uint32_t *capacity, size_t size, uint32_t more) {
    return *capacity - count >= more || vaka_vector_grow(items, count, capacity, size, more);
}

#endif
