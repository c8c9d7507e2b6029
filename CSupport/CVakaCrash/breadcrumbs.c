/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

#include "async/checksum.h"

#include <string.h>
#include <time.h>

#define TEXT_BYTES (VAKA_BREADCRUMB_SLOT_BYTES - sizeof(struct vaka_breadcrumb))

/* As much of the text as fits, never half a UTF-8 character. */
static uint16_t fitting(const char *text, size_t room, uint32_t *flags) {
    size_t length = text == NULL ? 0 : strnlen(text, room + 1);
    if (length <= room)
        return (uint16_t)length;
    *flags |= VAKA_BREADCRUMB_CUT;
    length = room;
    while (length > 0 && ((unsigned char)text[length] & 0xc0u) == 0x80u)
        length--;
    return (uint16_t)length;
}

static void fill(uint8_t *slot, uint64_t sequence, vaka_crash_level level, const char *const texts[3]) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    struct vaka_breadcrumb head = {
        .sequence = sequence,
        .timestamp_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec,
        .level = (uint16_t)level,
    };
    head.category_bytes = fitting(texts[0], TEXT_BYTES, &head.flags);
    head.message_bytes = fitting(texts[1], TEXT_BYTES - head.category_bytes, &head.flags);
    size_t room = TEXT_BYTES - head.category_bytes - head.message_bytes;
    size_t data = texts[2] == NULL ? 0 : strnlen(texts[2], room + 1);
    /* Half a JSON object is none. */
    if (data > room)
        head.flags |= VAKA_BREADCRUMB_CUT;
    head.data_bytes = data > room ? 0 : (uint16_t)data;

    struct vaka_breadcrumb *to = (void *)slot;
    __atomic_store_n(&to->sequence, 0, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    uint8_t *bytes = slot + sizeof(head);
    if (head.category_bytes > 0)
        memcpy(bytes, texts[0], head.category_bytes);
    if (head.message_bytes > 0)
        memcpy(bytes + head.category_bytes, texts[1], head.message_bytes);
    if (head.data_bytes > 0)
        memcpy(bytes + head.category_bytes + head.message_bytes, texts[2], head.data_bytes);
    head.crc = vaka_async_crc32(0, &head, sizeof(head));
    size_t used = (size_t)head.category_bytes + head.message_bytes + head.data_bytes;
    head.crc = vaka_async_crc32(head.crc, bytes, used);
    memcpy(slot + sizeof(head.sequence), (const uint8_t *)&head + sizeof(head.sequence),
           sizeof(head) - sizeof(head.sequence));
    __atomic_store_n(&to->sequence, sequence, __ATOMIC_RELEASE);
}

void vaka_crash_add_breadcrumb(vaka_crash_level level, const char *category, const char *message, const char *data) {
    if (!vaka_async_is_installed())
        return;
    struct vaka_run_header *run = vaka_async_run_header();
    uint64_t sequence = __atomic_add_fetch(&run->breadcrumb_count, 1, __ATOMIC_ACQ_REL);
    uint8_t *slots = vaka_async_state.run + VAKA_RUN_HEADER_BYTES + 2u * VAKA_CONTEXT_BUFFER_BYTES;
    uint8_t *slot = slots + (sequence - 1) % VAKA_BREADCRUMB_SLOTS * VAKA_BREADCRUMB_SLOT_BYTES;
    fill(slot, sequence, level, (const char *const[3]){category, message, data});
    vaka_figures_note();
}
