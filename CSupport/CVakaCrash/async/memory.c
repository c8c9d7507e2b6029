/* SPDX-License-Identifier: Apache-2.0 */
#include "capture.h"
#include "pointers.h"
#include "reader.h"
#include "writer.h"

/* Below the stack pointer a leaf function of x86_64 may keep values (System V ABI, 3.2.2). */
#define RED_ZONE 128u
#define CODE_BYTES 128u
#define PAGE 4096u

void vaka_async_write_region(uint16_t kind, uint64_t address, size_t bytes, int tid) {
    bool is_filtered = kind == VAKA_SECTION_STACK && vaka_async_state.crash.keeps_pointers_only;
    struct vaka_memory memory = {
        .address = address, .bytes = bytes, .tid = tid, .flags = is_filtered ? VAKA_MEMORY_POINTERS_ONLY : 0};
    vaka_async_section_begin(kind);
    vaka_async_section_append(&memory, sizeof(memory));
    vaka_async_section_append_memory(address, bytes, is_filtered ? vaka_async_leave_out_texts : NULL);
    vaka_async_section_end();
}

bool vaka_async_write_stack_slice(size_t wanted) {
    const struct vaka_crash *crash = &vaka_async_state.crash;
    uint64_t start = crash->sp > RED_ZONE ? (crash->sp - RED_ZONE) & ~(uint64_t)15 : crash->sp;
    vaka_async_pointers_use_frames();
    for (uint32_t page = 0; wanted > 0 && page < VAKA_STACK_SEARCH_PAGES; page++) {
        size_t bytes = vaka_async_readable(start, wanted);
        if (bytes > 0) {
            vaka_async_write_region(VAKA_SECTION_STACK, start, bytes, crash->tid);
            return true;
        }
        if (__builtin_add_overflow(start & ~(uint64_t)(PAGE - 1), PAGE, &start))
            break;
    }
    return false;
}

void vaka_async_write_stack(void) {
    size_t wanted = (size_t)vaka_async_state.stack_bytes;
    if (vaka_async_state.crash.keeps_pointers_only)
        vaka_async_find_contexts();
    if (wanted > 0 && !vaka_async_write_stack_slice(wanted))
        vaka_async_add_loss(VAKA_LOSS_STACK_UNREADABLE, 0, vaka_async_state.crash.sp);
}

/* The code around the instruction pointer, as far as it is readable. Beside pointers only what is in an image's file. */
void vaka_async_write_memory(void) {
    uint64_t pc = vaka_async_state.crash.pc;
    uint64_t start = pc > CODE_BYTES ? pc - CODE_BYTES : 0;
    uint64_t end = pc + CODE_BYTES;
    uint64_t page = pc & ~(uint64_t)(PAGE - 1);
    if (vaka_async_readable(pc, 1) == 0 ||
        (vaka_async_state.crash.keeps_pointers_only && !vaka_async_clip_to_code(pc, &start, &end)))
        return;
    if (start < page && vaka_async_readable(start, 1) == 0)
        start = page;
    size_t bytes = vaka_async_readable(start, (size_t)(end - start));
    if (bytes > 0)
        vaka_async_write_region(VAKA_SECTION_MEMORY, start, bytes, 0);
}
