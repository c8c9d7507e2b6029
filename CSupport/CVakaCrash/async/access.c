/* SPDX-License-Identifier: Apache-2.0 */
/* What the crashed code tried to do with memory: where, whether to read, write or run, and the two known kinds. */
#include "access.h"
#include "operand.h"
#include "reader.h"
#include "system.h"

#define PAGE 4096u
/* An address below is a null pointer, or a field of what one should point to. */
#define NULL_BYTES 65536u
/* How far a fault may lie from the stack pointer when the stack is used up: below by a push, above in a large frame. */
#define BELOW_MAX 65536u
#define ABOVE_MAX (1024u * 1024u)

static void set_access(struct vaka_reason *reason, uint32_t flag) {
    reason->flags |= flag;
}

#if defined(__x86_64__)

#define PROTECTION_TRAP 13
#define STACK_TRAP 12
#define PAGE_FAULT_WRITE 2u
#define PAGE_FAULT_FETCH 16u
#define ARCH_GET_FS 0x1003
#define ARCH_GET_GS 0x1004

static bool is_canonical(uint64_t address) {
    return (uint64_t)((int64_t)(address << 16) >> 16) == address;
}

static void set_computed(struct vaka_reason *reason, uint64_t address, uint32_t flag) {
    reason->fault_address = address;
    reason->flags |= VAKA_REASON_FAULT_ADDRESS | VAKA_REASON_COMPUTED | flag;
}

/* A processor may tell of a bad target at the branch or at the target itself. */
static void explain_branch(struct vaka_reason *reason, const struct vaka_operands *operands) {
    uint64_t target = operands->target;
    if (!operands->branches)
        return;
    if (operands->target_in_memory && !vaka_async_read(operands->target, &target, sizeof(target)))
        return;
    if (!is_canonical(target))
        set_computed(reason, target, VAKA_REASON_EXECUTE);
}

static void explain_protection_fault(struct vaka_reason *reason) {
    const struct vaka_crash *crash = &vaka_async_state.crash;
    uint8_t code[VAKA_INSTRUCTION_BYTES];
    struct vaka_operands operands;
    struct vaka_instruction instruction = {.code = code, .registers = crash->registers};
    if (!is_canonical(crash->pc)) {
        set_computed(reason, crash->pc, VAKA_REASON_EXECUTE);
        return;
    }
    instruction.bytes = vaka_async_read_some(crash->pc, code, sizeof(code));
    vaka_async_call(SYS_arch_prctl, ARCH_GET_FS, (long)&instruction.fs_base, 0, 0, 0, 0);
    vaka_async_call(SYS_arch_prctl, ARCH_GET_GS, (long)&instruction.gs_base, 0, 0, 0, 0);
    if (!vaka_async_operands(&instruction, &operands))
        return;
    for (uint32_t i = 0; i < operands.count; i++) {
        const struct vaka_operand *item = &operands.items[i];
        if (is_canonical(item->address))
            continue;
        set_computed(reason, item->address, item->is_write ? VAKA_REASON_WRITE : VAKA_REASON_READ);
        return;
    }
    explain_branch(reason, &operands);
}

static bool is_write(const struct vaka_reason *reason) {
    return (reason->flags & VAKA_REASON_PAGE_FAULT) != 0 && (reason->error_code & PAGE_FAULT_WRITE) != 0;
}

static void explain_processor(struct vaka_reason *reason) {
    bool is_protection = reason->trap_number == PROTECTION_TRAP || reason->trap_number == STACK_TRAP;
    if (reason->flags & VAKA_REASON_PAGE_FAULT) {
        set_access(reason, reason->error_code & PAGE_FAULT_FETCH ? VAKA_REASON_EXECUTE
                           : is_write(reason)                    ? VAKA_REASON_WRITE
                                                                 : VAKA_REASON_READ);
    } else if (reason->code == SI_KERNEL && is_protection) {
        explain_protection_fault(reason);
    }
}

#else

/* ESR_EL1: the exception's class, and of a data abort whether it wrote (Arm ARM, D17.2.37). */
#define CLASS_INSTRUCTION_ABORT 0x20u
#define CLASS_DATA_ABORT 0x24u
#define DATA_WRITE 0x40u
#define CACHE_MAINTENANCE 0x100u

static uint64_t class_of(const struct vaka_reason *reason) {
    return reason->error_code >> 26 & 0x3e;
}

static bool is_write(const struct vaka_reason *reason) {
    return class_of(reason) == CLASS_DATA_ABORT &&
           (reason->error_code & (DATA_WRITE | CACHE_MAINTENANCE)) == DATA_WRITE;
}

static void explain_processor(struct vaka_reason *reason) {
    uint64_t class = class_of(reason);
    if (reason->code <= 0)
        return;
    if (class == CLASS_INSTRUCTION_ABORT) {
        set_access(reason, VAKA_REASON_EXECUTE);
    } else if (class == CLASS_DATA_ABORT) {
        set_access(reason, is_write(reason) ? VAKA_REASON_WRITE : VAKA_REASON_READ);
    }
}

#endif

bool vaka_async_wrote(int signal, const siginfo_t *info, const void *context) {
    struct vaka_reason reason = {.signal = signal, .code = info->si_code};
    vaka_async_take_processor_codes(context, &reason);
    return is_write(&reason);
}

static bool is_readable(uint64_t address) {
    uint8_t byte;
    return vaka_async_read(address, &byte, 1);
}

/*
 * The fault lies in no readable page, near the stack pointer; above it the stack begins. A pointer that is wrong by
 * chance would have to be wrong by just that much while the stack is at its end.
 */
static bool is_stack_overflow(uint64_t fault) {
    uint64_t sp = vaka_async_state.crash.sp;
    bool is_below = fault < sp && sp - fault <= BELOW_MAX;
    bool is_above = fault >= sp && fault - sp < ABOVE_MAX;
    if (!is_below && !is_above)
        return false;
    if (is_readable(fault) || (is_above && is_readable(sp)))
        return false;
    uint64_t at = fault & ~(uint64_t)(PAGE - 1);
    for (uint32_t i = 0; i < ABOVE_MAX / PAGE; i++) {
        if (__builtin_add_overflow(at, PAGE, &at))
            return false;
        if (is_readable(at))
            return true;
    }
    return false;
}

void vaka_async_explain_access(struct vaka_reason *reason) {
    const struct vaka_crash *crash = &vaka_async_state.crash;
    if (reason->signal != SIGSEGV && reason->signal != SIGBUS)
        return;
    explain_processor(reason);
    if ((reason->flags & VAKA_REASON_FAULT_ADDRESS) == 0)
        return;
    if (reason->fault_address == crash->pc && crash->pc < NULL_BYTES)
        reason->flags |= VAKA_REASON_NULL_CALL;
    bool is_execute = (reason->flags & VAKA_REASON_EXECUTE) != 0;
    if (reason->signal == SIGSEGV && !is_execute && is_stack_overflow(reason->fault_address))
        reason->flags |= VAKA_REASON_STACK_OVERFLOW;
}
