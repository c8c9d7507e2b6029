/* SPDX-License-Identifier: Apache-2.0 */
#include "vector.h"

bool vaka_vector_grow(void **items, uint32_t count, uint32_t *capacity, size_t size, uint32_t more) {
    uint64_t wanted = (uint64_t)count + more;
    if (wanted > UINT32_MAX) {
        return false;
    }
    uint64_t next = *capacity < 16 ? 16 : *capacity + (uint64_t)*capacity / 2;
    if (next < wanted) {
        next = wanted;
    }
    if (next > UINT32_MAX) {
        next = UINT32_MAX;
    }
    void *grown = realloc(*items, (size_t)next * size);
    if (grown == NULL) {
        return false;
    }
    *items = grown;
    *capacity = (uint32_t)next;
    return true;
}

void vaka_vector_trim(void **items, uint32_t count, uint32_t *capacity, size_t size) {
    if (count == *capacity) {
        return;
    }
    if (count == 0) {
        free(*items);
        *items = NULL;
        *capacity = 0;
        return;
    }
    void *smaller = realloc(*items, count * size);
    if (smaller != NULL) {
        *items = smaller;
        *capacity = count;
    }
}
