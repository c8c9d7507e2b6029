/* SPDX-License-Identifier: Apache-2.0 */
#include "capture.h"
#include "reader.h"
#include "writer.h"

/* Below the stack pointer a leaf function of x86_64 may keep values (System V ABI, 3.2.2). */
#define RED_ZONE 128u
#define CODE_BYTES 128u
#define PAGE 4096u
/* How far above a stack pointer in no memory (an overflow) the stack is looked for. */
#define SEARCH_PAGES 64u

static void write_region(uint16_t kind, uint64_t address, size_t bytes, int tid) {
    struct vaka_memory memory = {.address = address, .bytes = bytes, .tid = tid};
    vaka_async_section_begin(kind);
    vaka_async_section_append(&memory, sizeof(memory));
    vaka_async_section_append_memory(address, bytes);
    vaka_async_section_end();
}

void vaka_async_write_stack(void) {
    const struct vaka_crash *crash = &vaka_async_state.crash;
    uint64_t start = crash->sp > RED_ZONE ? (crash->sp - RED_ZONE) & ~(uint64_t)15 : crash->sp;
    size_t wanted = (size_t)vaka_async_state.stack_bytes;
    if (wanted == 0)
        return;
    for (uint32_t page = 0; page < SEARCH_PAGES; page++) {
        size_t bytes = vaka_async_readable(start, wanted);
        if (bytes > 0) {
            write_region(VAKA_SECTION_STACK, start, bytes, crash->tid);
            return;
        }
        if (__builtin_add_overflow(start & ~(uint64_t)(PAGE - 1), PAGE, &start))
            break;
    }
    vaka_async_add_loss(VAKA_LOSS_STACK_UNREADABLE, 0, crash->sp);
}

/* The code around the instruction pointer, as far as it is readable. */
void vaka_async_write_memory(void) {
    uint64_t pc = vaka_async_state.crash.pc;
    uint64_t start = pc > CODE_BYTES ? pc - CODE_BYTES : 0;
    uint64_t page = pc & ~(uint64_t)(PAGE - 1);
    if (vaka_async_readable(pc, 1) == 0)
        return;
    if (start < page && vaka_async_readable(start, 1) == 0)
        start = page;
    size_t bytes = vaka_async_readable(start, (size_t)(pc - start) + CODE_BYTES);
    if (bytes > 0)
        write_region(VAKA_SECTION_MEMORY, start, bytes, 0);
}
