/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame-pointer walk: where a frame pointer is kept, [fp] is the caller's and [fp + 8] the return address, on both
 * architectures. Frames must lie above one another within one stack; what breaks that rule is no frame.
 */
#include "capture.h"
#include "reader.h"
#include "writer.h"

/* No frame is larger, and a frame pointer farther away points to another mapping. */
#define FRAME_BYTES_MAX (16u * 1024u * 1024u)
#define NULL_PAGE 4096u

/* arm64 signs return addresses in the bits above an address's (pointer authentication). */
static uint64_t return_address(uint64_t word) {
#if defined(__aarch64__)
    return word & 0x0000ffffffffffffu;
#else
    return word;
#endif
}

static bool add_frame(uint64_t pc, uint64_t sp, uint32_t trust) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    if (crash->frame_count == VAKA_FRAMES_MAX) {
        crash->frames_flags |= VAKA_FRAMES_TRUNCATED;
        return false;
    }
    crash->frames[crash->frame_count++] =
        (struct vaka_frame){.instruction_address = pc, .stack_pointer = sp, .trust = trust};
    return true;
}

static bool is_in_image(uint64_t address) {
    const struct vaka_image_table *table = &vaka_async_state.images;
    for (uint32_t i = 0; i < table->count; i++) {
        if (address - table->images[i].head.image_address < table->images[i].head.image_bytes)
            return true;
    }
    return false;
}

/*
 * A return address lies in an image. Only what generated code calls, which lies in none, may have been called from such
 * code: elsewhere a word that points to the heap or the stack would pass for a frame.
 */
static bool is_code(uint64_t address) {
    const struct vaka_crash *crash = &vaka_async_state.crash;
    uint64_t callee = crash->frames[crash->frame_count - 1].instruction_address;
    uint8_t byte;
    if (address < NULL_PAGE)
        return false;
    if (is_in_image(address - 1))
        return true;
    return !is_in_image(callee) && vaka_async_read(callee, &byte, 1) && vaka_async_read(address - 1, &byte, 1);
}

/* After a call of a bad address the caller is where the call left it: on the stack's top, or in the link register. */
static void add_caller_of_bad_call(void) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    uint8_t byte;
    if (vaka_async_read(crash->pc, &byte, 1))
        return;
    uint64_t caller = crash->lr;
    uint64_t sp = crash->sp;
#if defined(__x86_64__)
    if (!vaka_async_read(crash->sp, &caller, sizeof(caller)))
        return;
    sp += sizeof(caller);
#endif
    caller = return_address(caller);
    if (is_code(caller))
        add_frame(caller, sp, VAKA_TRUST_STACK_TOP);
}

static void walk(void) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    uint64_t fp = crash->fp;
    uint64_t below = crash->sp;
    bool is_first = true;
    while (fp % sizeof(uint64_t) == 0 && fp >= below && fp - below < FRAME_BYTES_MAX) {
        uint64_t pair[2];
        if (!vaka_async_read(fp, pair, sizeof(pair)))
            return;
        pair[1] = return_address(pair[1]);
        if (!is_code(pair[1])) {
            if (!is_first && pair[1] == 0)
                crash->frames_flags |= VAKA_FRAMES_COMPLETE;
            return;
        }
        if (!add_frame(pair[1], fp + sizeof(pair), VAKA_TRUST_FRAME_POINTER))
            return;
        is_first = false;
        below = fp + sizeof(pair);
        fp = pair[0];
        if (fp == 0)
            crash->frames_flags |= VAKA_FRAMES_COMPLETE;
    }
}

void vaka_async_write_frames(void) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    crash->frame_count = 0;
    crash->frames_flags = 0;
    vaka_async_update_images();
    add_frame(crash->pc, crash->sp, VAKA_TRUST_CONTEXT);
    add_caller_of_bad_call();
    walk();
    struct vaka_frames head = {.tid = crash->tid, .count = crash->frame_count, .flags = crash->frames_flags};
    vaka_async_section_begin(VAKA_SECTION_FRAMES);
    vaka_async_section_append(&head, sizeof(head));
    vaka_async_section_append(crash->frames, crash->frame_count * sizeof(crash->frames[0]));
    vaka_async_section_end();
}
