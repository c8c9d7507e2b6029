/* SPDX-License-Identifier: Apache-2.0 */
/* What the run told about itself, copied out of its memory. */
#include "capture.h"
#include "writer.h"

void vaka_async_write_run(void) {
    vaka_async_section(VAKA_SECTION_RUN, vaka_async_state.run, sizeof(struct vaka_run_header));
}

/* Both buffers: the one that was being written at the crash fails its checksum, and the other is whole. */
void vaka_async_write_context(void) {
    for (uint32_t i = 0; i < 2; i++) {
        const uint8_t *buffer = vaka_async_state.run + VAKA_RUN_HEADER_BYTES + i * VAKA_CONTEXT_BUFFER_BYTES;
        const struct vaka_context_header *header = (const void *)buffer;
        if (header->magic != VAKA_CONTEXT_MAGIC)
            continue;
        uint32_t used = header->used_bytes;
        if (used > VAKA_CONTEXT_BUFFER_BYTES - sizeof(*header))
            continue;
        vaka_async_section(VAKA_SECTION_CONTEXT, buffer, sizeof(*header) + used);
    }
}

void vaka_async_write_breadcrumbs(void) {
    const uint8_t *slots = vaka_async_state.run + VAKA_RUN_HEADER_BYTES + 2u * VAKA_CONTEXT_BUFFER_BYTES;
    uint64_t added = __atomic_load_n(&vaka_async_run_header()->breadcrumb_count, __ATOMIC_ACQUIRE);
    uint64_t used = added < VAKA_BREADCRUMB_SLOTS ? added : VAKA_BREADCRUMB_SLOTS;
    if (used == 0)
        return;
    vaka_async_section(VAKA_SECTION_BREADCRUMBS, slots, (size_t)used * VAKA_BREADCRUMB_SLOT_BYTES);
}

void vaka_async_write_exchanges(void) {
    const uint8_t *slots = vaka_async_state.run + VAKA_EXCHANGES_OFFSET;
    uint32_t used = VAKA_EXCHANGE_SLOTS;
    while (used > 0) {
        const struct vaka_exchange *last = (const void *)(slots + (used - 1) * VAKA_EXCHANGE_SLOT_BYTES);
        if (last->bytes != 0)
            break;
        used--;
    }
    if (used > 0)
        vaka_async_section(VAKA_SECTION_EXCHANGES, slots, (size_t)used * VAKA_EXCHANGE_SLOT_BYTES);
}
