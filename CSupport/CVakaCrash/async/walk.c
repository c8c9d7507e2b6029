/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk of a stack: by call frame information, and where that cannot start or go on by the return address at the
 * stack's top, by the frame pointer, at last by a scan. Frames must lie above one another; what breaks that rule is no frame.
 */
#include "walk.h"
#include "capture.h"
#include "pointers.h"
#include "reader.h"
#include "writer.h"

/* No frame is larger, and a frame pointer farther away points to another mapping. */
#define FRAME_BYTES_MAX (16u * 1024u * 1024u)
/* How much of a stack a walk may look at: what is remembered of it is read anew. */
#define STACK_BYTES_MAX (64u * 1024u * 1024u)
#define RED_ZONE 128u
/* A scan's guesses: of a whole stack, and how far each looks. */
#define SCANNED_FRAMES_MAX 8u
#define SCANNED_WORDS_MAX 2048u
/* Of all frames together; a real walk of 256 frames takes a tenth. */
#define BUDGET 400000u

#if !VAKA_CFI_ARM64
#define ADDRESS_LIMIT ((uint64_t)1 << 47)
#else
#define ADDRESS_LIMIT ((uint64_t)1 << 52)
#endif

/* The frame that is being left. Static, since the handler's stack may be small. */
static struct {
    struct vaka_registers registers;
    bool is_exact; /* its program counter is where it stands, not where a call returns to */
    bool is_behind_trap; /* it stands right behind the instruction that trapped */
    uint32_t trust;
    uint32_t scanned; /* frames, so far */
} current;

static struct vaka_registers caller;

static uint64_t value_of(uint32_t number) {
    return current.registers.values[number];
}

static uint64_t lookup_address(void) {
    uint64_t pc = value_of(VAKA_CFI_PC);
    return (current.is_exact && !current.is_behind_trap) || pc == 0 ? pc : pc - 1;
}

static bool is_readable(uint64_t address) {
    uint8_t byte;
    return vaka_async_read(address, &byte, 1);
}

/* Code lies in an image or, made at run time, in none. */
static bool may_be_code(uint64_t address) {
    return vaka_async_is_code(address) || (vaka_async_image_at(address) == NULL && is_readable(address));
}

/*
 * Elsewhere than in the rules' own places a word may be anything: it must follow a call in an image's code. Only what
 * generated code calls, which lies in no image, may have been called from such code.
 */
static bool is_return_address(uint64_t address) {
    if (address == 0 || address >= ADDRESS_LIMIT || !vaka_async_follows_call(address))
        return false;
    if (vaka_async_is_code(address - 1))
        return true;
    return vaka_async_image_at(address - 1) == NULL && vaka_async_image_at(value_of(VAKA_CFI_PC)) == NULL;
}

/* A caller lies higher on the stack; only a signal may come from another one. */
static bool is_above(bool interrupted) {
    uint64_t sp = caller.values[VAKA_CFI_SP];
    if (!vaka_async_knows(&caller, VAKA_CFI_SP))
        return false;
#if VAKA_CFI_ARM64
    if (current.is_exact && sp == value_of(VAKA_CFI_SP))
        return true;
#endif
    return interrupted || sp > value_of(VAKA_CFI_SP);
}

static void become_caller(bool is_exact, uint32_t trust) {
    current.registers = caller;
    current.is_exact = is_exact;
    current.is_behind_trap = false;
    current.trust = trust;
}

/* Nothing else is known of the caller. */
static void become(uint64_t pc, uint64_t sp, uint64_t fp, uint32_t trust) {
    caller.known = 0;
    vaka_async_set_register(&caller, VAKA_CFI_PC, pc);
    vaka_async_set_register(&caller, VAKA_CFI_SP, sp);
    vaka_async_set_register(&caller, VAKA_CFI_FP, fp);
    become_caller(false, trust);
}

/* END: the rules, or a return address of 0, say that there is no caller. */
static enum vaka_cfi_result by_rules(void) {
    bool interrupted = false;
    enum vaka_cfi_result result = vaka_async_cfi_step(&current.registers, lookup_address(), &caller, &interrupted);
    if (result != VAKA_CFI_FOUND)
        return result;
    uint64_t pc = caller.values[VAKA_CFI_PC];
    if (pc == 0)
        return VAKA_CFI_END;
    /* An interrupted address may be a bad one that was called. */
    if (pc >= ADDRESS_LIMIT || !is_above(interrupted) || !(interrupted || may_be_code(pc - 1)))
        return VAKA_CFI_INVALID;
    become_caller(interrupted, VAKA_TRUST_CFI);
    return VAKA_CFI_FOUND;
}

static bool by_signal_frame(void) {
    if (current.is_exact || !vaka_async_signal_frame(&current.registers, &caller))
        return false;
    become_caller(true, VAKA_TRUST_CONTEXT);
    return true;
}

/* After a call of a bad address the caller is where the call left it: on the stack's top, or in the link register. */
static bool by_stack_top(void) {
    if (!current.is_exact || vaka_async_is_code(value_of(VAKA_CFI_PC)))
        return false;
    caller = current.registers;
#if !VAKA_CFI_ARM64
    uint64_t address;
    uint64_t sp = value_of(VAKA_CFI_SP);
    if (!vaka_async_read(sp, &address, sizeof(address)))
        return false;
    vaka_async_set_register(&caller, VAKA_CFI_SP, sp + sizeof(address));
#else
    if (!vaka_async_knows(&caller, VAKA_CFI_LR))
        return false;
    uint64_t address = vaka_async_stripped(value_of(VAKA_CFI_LR));
#endif
    if (!is_return_address(address))
        return false;
    vaka_async_set_register(&caller, VAKA_CFI_PC, address);
    become_caller(false, VAKA_TRUST_STACK_TOP);
    return true;
}

/* Where a frame pointer is kept, it points to the caller's and the return address, on both architectures. */
static enum vaka_cfi_result by_frame_pointer(void) {
    uint64_t record[2];
    uint64_t fp = value_of(VAKA_CFI_FP);
    uint64_t sp = value_of(VAKA_CFI_SP);
    bool was_first = current.trust != VAKA_TRUST_FRAME_POINTER;
    if (!vaka_async_knows(&current.registers, VAKA_CFI_FP))
        return VAKA_CFI_INVALID;
    if (fp == 0 && !was_first)
        return VAKA_CFI_END;
    if (fp % sizeof(uint64_t) != 0 || fp < sp || fp - sp >= FRAME_BYTES_MAX ||
        !vaka_async_read(fp, record, sizeof(record)))
        return VAKA_CFI_INVALID;
    if (record[1] == 0 && !was_first)
        return VAKA_CFI_END;
    uint64_t address = vaka_async_stripped(record[1]);
    if (!is_return_address(address))
        return VAKA_CFI_INVALID;
    become(address, fp + sizeof(record), record[0], VAKA_TRUST_FRAME_POINTER);
    return VAKA_CFI_FOUND;
}

/* The first word of the stack that can only be a return address to an image's code. */
static bool by_scan(void) {
    uint64_t word;
    uint64_t start = (value_of(VAKA_CFI_SP) + 7) & ~(uint64_t)7;
    if (current.scanned == SCANNED_FRAMES_MAX)
        return false;
    for (uint32_t i = 0; i < SCANNED_WORDS_MAX; i++) {
        uint64_t at = start + i * sizeof(word);
        if (at < start || !vaka_async_cfi_spend() || !vaka_async_read(at, &word, sizeof(word)))
            return false;
        uint64_t address = vaka_async_stripped(word);
        if (address == 0 || !vaka_async_is_code(address - 1) || !vaka_async_follows_call(address))
            continue;
        current.scanned++;
        uint64_t fp = value_of(VAKA_CFI_FP);
        bool keeps_fp = vaka_async_knows(&current.registers, VAKA_CFI_FP) && fp > at;
        become(address, at + sizeof(word), fp, VAKA_TRUST_SCAN);
        if (!keeps_fp)
            current.registers.known &= ~((uint64_t)1 << VAKA_CFI_FP);
        return true;
    }
    return false;
}

static enum vaka_cfi_result step(void) {
    enum vaka_cfi_result result = by_rules();
    if (result == VAKA_CFI_FOUND || result == VAKA_CFI_END)
        return result;
    if (by_signal_frame() || by_stack_top())
        return VAKA_CFI_FOUND;
    result = by_frame_pointer();
    if (result == VAKA_CFI_INVALID && by_scan())
        return VAKA_CFI_FOUND;
    return result;
}

/* Stacks of signals may lie anywhere, so that a damaged one could lead back. */
static bool was_seen(const struct vaka_frame *frames, uint32_t count) {
    for (uint32_t i = 0; current.is_exact && i < count; i++) {
        if (frames[i].instruction_address == value_of(VAKA_CFI_PC) && frames[i].stack_pointer == value_of(VAKA_CFI_SP))
            return true;
    }
    return false;
}

/* After int3, for which the kernel says SI_KERNEL, the crashed thread stands behind it, maybe behind its function. */
static bool crashed_behind_trap(const uint64_t *registers) {
#if !VAKA_CFI_ARM64
    const struct vaka_crash *crash = &vaka_async_state.crash;
    bool is_crashed = registers == crash->registers && (uint32_t)crash->tid == (uint32_t)vaka_async_state.owner;
    return is_crashed && crash->signal == SIGTRAP && crash->info->si_code == SI_KERNEL;
#else
    (void)registers;
    return false;
#endif
}

static void begin(const uint64_t *registers, uint32_t count) {
    current.registers.known = 0;
    current.is_exact = true;
    current.is_behind_trap = crashed_behind_trap(registers);
    current.trust = VAKA_TRUST_CONTEXT;
    current.scanned = 0;
    for (uint32_t i = 0; i < count && i < VAKA_CFI_REGISTERS; i++)
        vaka_async_set_register(&current.registers, i, registers[i]);
    vaka_async_cfi_set_budget(BUDGET);
    vaka_async_reader_forget(value_of(VAKA_CFI_SP) - RED_ZONE, STACK_BYTES_MAX);
}

uint32_t vaka_async_walk(const uint64_t *registers, uint32_t register_count, struct vaka_frame *frames,
                         uint32_t capacity, uint32_t *flags) {
    uint32_t count = 0;
    *flags = 0;
    if (register_count < VAKA_CFI_REGISTERS)
        return 0;
    begin(registers, register_count);
    while (count < capacity) {
        bool is_interrupted = current.is_exact && count > 0;
        if (was_seen(frames, count))
            return count;
        vaka_async_note_context(count, &current.registers);
        frames[count++] = (struct vaka_frame){
            .instruction_address = value_of(VAKA_CFI_PC),
            .stack_pointer = value_of(VAKA_CFI_SP),
            .trust = current.trust,
            .flags = is_interrupted ? VAKA_FRAME_INTERRUPTED : 0,
        };
        enum vaka_cfi_result result = step();
        if (result == VAKA_CFI_END)
            *flags |= VAKA_FRAMES_COMPLETE;
        if (result != VAKA_CFI_FOUND)
            return count;
    }
    *flags |= VAKA_FRAMES_TRUNCATED;
    return count;
}

void vaka_async_write_frames(void) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    vaka_async_update_images();
    crash->frame_count = 0;
    crash->frame_count =
        vaka_async_walk(crash->registers, crash->register_count, crash->frames, VAKA_FRAMES_MAX, &crash->frames_flags);
    struct vaka_frames head = {.tid = crash->tid, .count = crash->frame_count, .flags = crash->frames_flags};
    vaka_async_section_begin(VAKA_SECTION_FRAMES);
    vaka_async_section_append(&head, sizeof(head));
    vaka_async_append_frames();
    vaka_async_section_end();
}
