/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel leaves on the stack of a signal handler on arm64: the trampoline that the handler returns to lies in
 * the vDSO and has no call frame information. On x86_64 it lies in libc, which has some. Layout: `struct rt_sigframe`
 * and `struct sigcontext` of Linux's arch/arm64.
 */
#include "reader.h"
#include "walk.h"

#if VAKA_CFI_ARM64

#define GENERAL_REGISTERS 312u
#define PROCESSOR_STATE 576u
#define USER_MODE_MASK 0xffffffff0000000fu
/* `mov x8, #__NR_rt_sigreturn`, then `svc #0`. */
#define TRAMPOLINE 0xd4000001d2801168u

/* x0 … x30, the stack pointer and the program counter follow one another, as their DWARF numbers do. */
bool vaka_async_signal_frame(const struct vaka_registers *registers, struct vaka_registers *interrupted) {
    uint64_t code, state;
    uint64_t frame = registers->values[VAKA_CFI_SP];
    if (!vaka_async_read(registers->values[VAKA_CFI_PC], &code, sizeof(code)) || code != TRAMPOLINE ||
        !vaka_async_read(frame + PROCESSOR_STATE, &state, sizeof(state)) || (state & USER_MODE_MASK) != 0 ||
        !vaka_async_read(frame + GENERAL_REGISTERS, interrupted->values, sizeof(interrupted->values)))
        return false;
    interrupted->known = ((uint64_t)1 << VAKA_CFI_REGISTERS) - 1;
    return true;
}

#else

bool vaka_async_signal_frame(const struct vaka_registers *registers, struct vaka_registers *interrupted) {
    (void)registers;
    (void)interrupted;
    return false;
}

#endif
