/* SPDX-License-Identifier: Apache-2.0 */
#include "texts.h"

#include "../dwarf/cursor.h"

static bool grow(struct vaka_texts *texts) {
    uint32_t size = texts->slots == NULL ? 4096 : (texts->mask + 1) * 2;
    struct vaka_text_slot *slots = size == 0 ? NULL : calloc(size, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    for (uint32_t index = 0; texts->slots != NULL && index <= texts->mask; index++) {
        if (texts->slots[index].offset == 0) {
            continue;
        }
        uint32_t at = texts->slots[index].hash & (size - 1);
        while (slots[at].offset != 0) {
            at = (at + 1) & (size - 1);
        }
        slots[at] = texts->slots[index];
    }
    free(texts->slots);
    texts->slots = slots;
    texts->mask = size - 1;
    return true;
}

bool vaka_texts_init(struct vaka_texts *texts) {
    *texts = (struct vaka_texts){0};
    uint8_t *empty = vaka_push(&texts->bytes);
    if (empty == NULL || !grow(texts)) {
        return false;
    }
    *empty = 0;
    return true;
}

void vaka_texts_deinit(struct vaka_texts *texts) {
    vaka_release(&texts->bytes);
    free(texts->slots);
}

struct vaka_bytes vaka_texts_at(const struct vaka_texts *texts, uint32_t offset) {
    struct vaka_cursor cursor = vaka_cursor_at((struct vaka_bytes){texts->bytes.items, texts->bytes.count}, offset);
    size_t size = (size_t)vaka_take_uleb(&cursor);
    return (struct vaka_bytes){cursor.at, size};
}

static uint32_t append(struct vaka_texts *texts, struct vaka_bytes text) {
    uint32_t offset = texts->bytes.count;
    if (!vaka_reserve(&texts->bytes, (uint32_t)text.size + 5)) {
        texts->has_failed = true;
        return 0;
    }
    size_t left = text.size;
    do {
        texts->bytes.items[texts->bytes.count++] = (uint8_t)((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
        left >>= 7;
    } while (left > 0);
    memcpy(texts->bytes.items + texts->bytes.count, text.start, text.size);
    texts->bytes.count += (uint32_t)text.size;
    return offset;
}

uint32_t vaka_texts_add(struct vaka_texts *texts, struct vaka_bytes text, uint32_t hash) {
    if (text.size == 0 || text.size > VAKA_LONGEST_TEXT * 4) {
        return 0;
    }
    if (texts->count >= (texts->mask + 1) / 2 && !grow(texts)) {
        texts->has_failed = true;
        return 0;
    }
    uint32_t at = hash & texts->mask;
    while (texts->slots[at].offset != 0) {
        if (texts->slots[at].hash == hash) {
            struct vaka_bytes known = vaka_texts_at(texts, texts->slots[at].offset);
            if (known.size == text.size && memcmp(known.start, text.start, text.size) == 0) {
                return texts->slots[at].offset;
            }
        }
        at = (at + 1) & texts->mask;
    }
    uint32_t offset = append(texts, text);
    if (offset != 0) {
        texts->slots[at] = (struct vaka_text_slot){hash, offset};
        texts->count++;
    }
    return offset;
}
