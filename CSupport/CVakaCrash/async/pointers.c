/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text of up to eight bytes is a number like any other. A number is taken for a pointer, and kept, where it
 *
 * - is 0,
 * - lies on the thread's stack, or on another one that its frames lead through,
 * - lies in an image; in one below 4 GiB, where four characters reach, only as a return address,
 * - is the address of an async context that the record has.
 *
 * Pointers to the heap are not kept: no walk needs them.
 */
#include "pointers.h"
#include "capture.h"
#include "cfi.h"
#include "reader.h"
#include "vaka_crash.h"
#include "walk.h"
#include "writer.h"

#include <string.h>

#define PAGE 4096u
#define RED_ZONE 128u
/* As the walk has it: no frame is larger, and a pointer farther away leads to another mapping. */
#define STACK_BYTES ((uint64_t)16 * 1024 * 1024)
/* The thread's own, and those that signals left. */
#define STACKS_MAX 4u
#define LOW_END ((uint64_t)1 << 32)
/* Of a stack that lies lower than that: so far beyond its frames. */
#define LOW_STACK_BYTES 4096u

#if !VAKA_CFI_ARM64
#define CONTEXT_REGISTER 14u
#else
#define CONTEXT_REGISTER 22u
#endif
/* Flags of the processor follow the program counter. */
#define FLAGS_REGISTER VAKA_CFI_REGISTERS

/* The table of images by address. */
static uint16_t order[VAKA_IMAGES_MAX];
static uint32_t order_count;

/* The stacks of the thread that state.crash describes. */
static struct {
    uint64_t start;
    uint64_t bytes;
} stacks[STACKS_MAX];
static uint32_t stack_count;

void vaka_async_note_pointers_only(void) {
    if (vaka_async_state.run == NULL)
        return;
    int now = __atomic_load_n(&vaka_async_state.pointers_only, __ATOMIC_ACQUIRE);
    __atomic_store_n(&vaka_async_run_header()->pointers_only, now != 0, __ATOMIC_RELEASE);
}

void vaka_async_keep_pointers_only(int on) {
    int *place = &vaka_async_state.pointers_only;
    int value = on == VAKA_CRASH_FOR_GOOD ? on : on != 0;
    int now = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    do {
        if (now == VAKA_CRASH_FOR_GOOD)
            return;
    } while (!__atomic_compare_exchange_n(place, &now, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    vaka_async_note_pointers_only();
}

void vaka_crash_keep_pointers_only(int on) {
    vaka_async_keep_pointers_only(on);
}

int vaka_crash_keeps_pointers_only(void) {
    return __atomic_load_n(&vaka_async_state.pointers_only, __ATOMIC_ACQUIRE);
}

void vaka_async_pointers_begin(void) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    crash->keeps_pointers_only = __atomic_load_n(&vaka_async_state.pointers_only, __ATOMIC_ACQUIRE) != 0;
    crash->has_sorted_images = false;
    crash->frame_count = 0;
    stack_count = 0;
}

uint32_t vaka_async_pointers_flag(void) {
    return vaka_async_state.crash.keeps_pointers_only ? VAKA_THREAD_POINTERS_ONLY : 0;
}

/* MARK: Images */

static uint64_t start_of(uint16_t index) {
    return vaka_async_state.images.images[index].head.image_address;
}

static void sort_images(void) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    if (crash->has_sorted_images)
        return;
    vaka_async_update_images();
    order_count = vaka_async_state.images.count;
    for (uint32_t i = 0; i < order_count; i++)
        order[i] = (uint16_t)i;
    for (uint32_t gap = order_count / 2; gap > 0; gap /= 2) {
        for (uint32_t i = gap; i < order_count; i++) {
            uint16_t moved = order[i];
            uint32_t at = i;
            for (; at >= gap && start_of(order[at - gap]) > start_of(moved); at -= gap)
                order[at] = order[at - gap];
            order[at] = moved;
        }
    }
    crash->has_sorted_images = true;
}

static bool is_in_image(uint64_t address) {
    sort_images();
    uint32_t low = 0, high = order_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (start_of(order[middle]) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return false;
    const struct vaka_image *image = &vaka_async_state.images.images[order[low - 1]].head;
    return address - image->image_address < image->image_bytes;
}

static bool is_frame(uint64_t address) {
    const struct vaka_crash *crash = &vaka_async_state.crash;
    for (uint32_t i = 0; i < crash->frame_count; i++) {
        if (crash->frames[i].instruction_address == address)
            return true;
    }
    return false;
}

/* The return from a signal handler, libc's or a runtime's own, follows no call. */
static bool is_image_pointer(uint64_t address) {
    if (!is_in_image(address))
        return false;
    return address >= LOW_END || address == vaka_async_state.restorer || vaka_async_follows_call(address) ||
           is_frame(address);
}

bool vaka_async_clip_to_code(uint64_t address, uint64_t *start, uint64_t *end) {
    const struct vaka_known_image *image = vaka_async_image_at(address);
    if (image == NULL || address < image->code_start || address >= image->code_end)
        return false;
    if (*start < image->code_start)
        *start = image->code_start;
    if (*end > image->code_end)
        *end = image->code_end;
    return true;
}

/* MARK: Stacks */

static bool is_readable(uint64_t address) {
    uint8_t byte;
    return vaka_async_read(address, &byte, 1);
}

static bool is_on_stack(uint64_t address) {
    for (uint32_t i = 0; i < stack_count; i++) {
        bool is_low = stacks[i].start < LOW_END;
        if (address - stacks[i].start < stacks[i].bytes && (!is_low || address % sizeof(uint64_t) == 0))
            return true;
    }
    return false;
}

/* A stack pointer may be anything, too; after an overflow the stack begins above it. */
static bool leads_to_stack(uint64_t pointer) {
    for (uint32_t page = 0; page <= VAKA_STACK_SEARCH_PAGES; page++) {
        if (is_readable(pointer))
            return true;
        if (__builtin_add_overflow(pointer & ~(uint64_t)(PAGE - 1), PAGE, &pointer))
            break;
    }
    return false;
}

/* One where three or four characters reach has no more of them than its frames need. */
static void add_stack(uint64_t pointer) {
    for (uint32_t i = 0; i < stack_count; i++) {
        uint64_t distance = pointer - stacks[i].start;
        if (distance >= STACK_BYTES)
            continue;
        if (distance + LOW_STACK_BYTES > stacks[i].bytes)
            stacks[i].bytes = distance + LOW_STACK_BYTES;
        return;
    }
    if (stack_count == STACKS_MAX || !leads_to_stack(pointer))
        return;
    uint64_t start = pointer > RED_ZONE ? (pointer - RED_ZONE) & ~(uint64_t)15 : 0;
    stacks[stack_count].start = start;
    stacks[stack_count++].bytes = start < LOW_END ? pointer - start + LOW_STACK_BYTES : STACK_BYTES;
}

static void use_own_stack(void) {
    stack_count = 0;
    add_stack(vaka_async_state.crash.sp);
}

void vaka_async_pointers_use_frames(void) {
    const struct vaka_crash *crash = &vaka_async_state.crash;
    if (!crash->keeps_pointers_only)
        return;
    use_own_stack();
    for (uint32_t i = 0; i < crash->frame_count; i++)
        add_stack(crash->frames[i].stack_pointer);
}

/* MARK: Words */

/* arm64's signed return addresses lose their signature, whose place has room for a character. */
static uint64_t told_word(uint64_t word) {
    if (word == 0 || is_on_stack(word))
        return word;
    uint64_t address = vaka_async_stripped(word);
    if (is_image_pointer(address))
        return address;
    return vaka_async_is_context(word) ? word : VAKA_LEFT_OUT;
}

void vaka_async_leave_out_texts(uint64_t address, uint8_t *bytes, size_t count) {
    size_t at = (size_t)(-address % sizeof(uint64_t));
    if (at > count)
        at = count;
    memset(bytes, VAKA_LEFT_OUT_BYTE, at);
    for (; count - at >= sizeof(uint64_t); at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, bytes + at, sizeof(word));
        word = told_word(word);
        memcpy(bytes + at, &word, sizeof(word));
    }
    memset(bytes + at, VAKA_LEFT_OUT_BYTE, count - at);
}

/* Code may have been made at run time: then it lies in no image. */
static uint64_t told_code(uint64_t address) {
    return is_in_image(vaka_async_stripped(address)) ? address : vaka_async_told_address(address);
}

static uint64_t told_register(uint32_t number, uint64_t value) {
    switch (number) {
    case VAKA_CFI_PC:
        return told_code(value);
    case VAKA_CFI_SP:
        return value == 0 || is_on_stack(value) ? value : VAKA_LEFT_OUT;
    case FLAGS_REGISTER:
        return value;
    case CONTEXT_REGISTER:
        if (vaka_async_leads_to_context(value))
            return value;
        break;
#if VAKA_CFI_ARM64
    case VAKA_CFI_LR:
        return told_code(vaka_async_stripped(value));
#endif
    default:
        break;
    }
    return told_word(value);
}

void vaka_async_append_registers(void) {
    const struct vaka_crash *crash = &vaka_async_state.crash;
    if (!crash->keeps_pointers_only) {
        vaka_async_section_append(crash->registers, crash->register_count * sizeof(uint64_t));
        return;
    }
    use_own_stack();
    for (uint32_t i = 0; i < crash->register_count; i++) {
        uint64_t told = told_register(i, crash->registers[i]);
        vaka_async_section_append(&told, sizeof(told));
    }
}

void vaka_async_append_frames(void) {
    const struct vaka_crash *crash = &vaka_async_state.crash;
    if (!crash->keeps_pointers_only) {
        vaka_async_section_append(crash->frames, crash->frame_count * sizeof(crash->frames[0]));
        return;
    }
    vaka_async_pointers_use_frames();
    for (uint32_t i = 0; i < crash->frame_count; i++) {
        struct vaka_frame frame = crash->frames[i];
        frame.instruction_address = told_code(frame.instruction_address);
        if (!is_on_stack(frame.stack_pointer))
            frame.stack_pointer = 0;
        vaka_async_section_append(&frame, sizeof(frame));
    }
}
