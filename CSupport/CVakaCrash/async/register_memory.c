/* SPDX-License-Identifier: Apache-2.0 */
/* What the registers point to, where the program asked for it; and the vDSO, which is in no file. */
#include "capture.h"
#include "reader.h"
#include "writer.h"

#define PAGE 4096u
#define REGION_BYTES 256u
#define BEFORE_BYTES 64u
#define VDSO_BYTES_MAX (64u * 1024u)
/* On both architectures the general registers come first; x86_64's stack pointer is among them. */
#define GENERAL_REGISTERS (VAKA_REGISTERS == VAKA_REGISTERS_X86_64 ? 16u : 31u)

static uint64_t starts[VAKA_REGISTERS];
static uint32_t count;

static bool is_kept(uint64_t address) {
    const struct vaka_crash *crash = &vaka_async_state.crash;
    if (address >= crash->sp && address - crash->sp < vaka_async_state.stack_bytes)
        return true;
    for (uint32_t i = 0; i < count; i++) {
        if (address >= starts[i] && address - starts[i] < REGION_BYTES - BEFORE_BYTES)
            return true;
    }
    return false;
}

static void write_around(uint64_t address) {
    uint64_t page = address & ~(uint64_t)(PAGE - 1);
    uint64_t start = address > BEFORE_BYTES ? (address - BEFORE_BYTES) & ~(uint64_t)15 : 0;
    if (is_kept(address) || vaka_async_readable(address, 1) == 0)
        return;
    if (start < page && vaka_async_readable(start, 1) == 0)
        start = page;
    size_t bytes = vaka_async_readable(start, REGION_BYTES);
    starts[count++] = start;
    vaka_async_write_region(VAKA_SECTION_MEMORY, start, bytes, 0);
}

void vaka_async_write_register_memory(void) {
    const struct vaka_crash *crash = &vaka_async_state.crash;
    count = 0;
    if (!vaka_async_state.keeps_register_memory || crash->keeps_pointers_only)
        return;
    for (uint32_t i = 0; i < GENERAL_REGISTERS; i++)
        write_around(crash->registers[i]);
}

void vaka_async_write_vdso(void) {
    const struct vaka_image_table *table = &vaka_async_state.images;
    for (uint32_t i = 0; i < table->count; i++) {
        const struct vaka_image *image = &table->images[i].head;
        if ((image->flags & VAKA_IMAGE_VDSO) == 0 || image->image_bytes > VDSO_BYTES_MAX)
            continue;
        size_t bytes = vaka_async_readable(image->image_address, (size_t)image->image_bytes);
        if (bytes > 0)
            vaka_async_write_region(VAKA_SECTION_MEMORY, image->image_address, bytes, 0);
        return;
    }
}
