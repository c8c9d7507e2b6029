/* SPDX-License-Identifier: Apache-2.0 */
#include "capture.h"
#include "reader.h"
#include "vaka_crash.h"
#include "writer.h"

#include <string.h>

#define TEXT_MAX (32u * 1024u)

/* Bytes up to the NUL, at most TEXT_MAX, as far as they are readable. */
static size_t text_length(uint64_t address, bool *is_cut) {
    uint8_t part[64];
    size_t length = 0;
    *is_cut = false;
    while (length < TEXT_MAX) {
        /* Never past the end of a block: the page after it may be missing. */
        uint64_t at = address + length;
        size_t count = sizeof(part) - (size_t)(at % sizeof(part));
        if (at < address || !vaka_async_read(at, part, count))
            return length;
        const uint8_t *end = memchr(part, 0, count);
        if (end != NULL)
            return length + (size_t)(end - part);
        length += count;
    }
    *is_cut = true;
    return TEXT_MAX;
}

static void write_text(uint32_t source, uint64_t address, size_t length, bool is_cut) {
    struct vaka_text text = {.source = source, .flags = is_cut ? VAKA_TEXT_CUT : 0};
    vaka_async_section_begin(VAKA_SECTION_TEXT);
    vaka_async_section_append(&text, sizeof(text));
    vaka_async_section_append_memory(address, length, NULL);
    vaka_async_section_end();
}

static void write_string(uint32_t source, uint64_t address) {
    bool is_cut;
    size_t length = address == 0 ? 0 : text_length(address, &is_cut);
    if (length > 0)
        write_text(source, address, length, is_cut);
}

static void write_swift_text(void) {
    if (vaka_async_state.texts.swift_message == NULL)
        return;
    uint64_t address = 0;
    if (!vaka_async_read((uint64_t)(uintptr_t)vaka_async_state.texts.swift_message, &address, sizeof(address)))
        return;
    write_string(VAKA_TEXT_SWIFT, address);
}

/* glibc keeps struct { unsigned size; char text[]; }, made by mmap. */
static void write_glibc_text(void) {
    if (vaka_async_state.texts.glibc_message == NULL)
        return;
    uint64_t address = 0;
    if (!vaka_async_read((uint64_t)(uintptr_t)vaka_async_state.texts.glibc_message, &address, sizeof(address)))
        return;
    if (address != 0)
        write_string(VAKA_TEXT_GLIBC, address + sizeof(unsigned));
}

static void write_kept(uint32_t source, const struct vaka_message *message) {
    uint32_t length = __atomic_load_n(&message->length, __ATOMIC_ACQUIRE);
    if (length > VAKA_MESSAGE_BYTES)
        length = VAKA_MESSAGE_BYTES;
    if (length > 0)
        write_text(source, (uint64_t)(uintptr_t)message->text, length, message->cut != 0);
}

void vaka_async_write_texts(void) {
    const struct vaka_texts *texts = &vaka_async_state.texts;
    write_swift_text();
    write_kept(VAKA_TEXT_CXX, &texts->cxx);
    write_glibc_text();
    uint32_t current = __atomic_load_n(&texts->host_current, __ATOMIC_ACQUIRE);
    if (current >= 1 && current <= VAKA_MESSAGE_SLOTS)
        write_kept(VAKA_TEXT_HOST, &texts->host[current - 1]);
}

void vaka_crash_set_message(const char *text) {
    struct vaka_texts *texts = &vaka_async_state.texts;
    if (text == NULL) {
        __atomic_store_n(&texts->host_current, 0, __ATOMIC_RELEASE);
        return;
    }
    /* Each call has a slot of its own, so that a call from a signal handler within a call needs no lock. */
    uint32_t slot = __atomic_fetch_add(&texts->host_next, 1, __ATOMIC_RELAXED) % VAKA_MESSAGE_SLOTS;
    struct vaka_message *message = &texts->host[slot];
    __atomic_store_n(&message->length, 0, __ATOMIC_RELEASE);
    uint32_t length = 0;
    while (length < VAKA_MESSAGE_BYTES && text[length] != 0) {
        message->text[length] = text[length];
        length++;
    }
    message->cut = length == VAKA_MESSAGE_BYTES && text[length] != 0;
    __atomic_store_n(&message->length, length, __ATOMIC_RELEASE);
    __atomic_store_n(&texts->host_current, slot + 1, __ATOMIC_RELEASE);
}
