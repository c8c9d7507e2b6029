/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of a cache, each once: a length (LEB128), then the bytes. Offset 0 is the empty text. */
#ifndef VAKA_BUILD_TEXTS_H
#define VAKA_BUILD_TEXTS_H

#include "names.h"

struct vaka_texts {
    VAKA_VECTOR(uint8_t) bytes;
    struct vaka_text_slot {
        uint32_t hash;
        uint32_t offset;
    } *slots;
    uint32_t mask;
    uint32_t count;
    bool has_failed;
};

bool vaka_texts_init(struct vaka_texts *texts);
void vaka_texts_deinit(struct vaka_texts *texts);

/* The offset of a text, new where it was not there; 0 for the empty one. */
uint32_t vaka_texts_add(struct vaka_texts *texts, struct vaka_bytes text, uint32_t hash);
/* The bytes of a text that was added. */
struct vaka_bytes vaka_texts_at(const struct vaka_texts *texts, uint32_t offset);

#endif
