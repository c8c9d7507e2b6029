/* SPDX-License-Identifier: Apache-2.0 */
#include "capture.h"

#include <string.h>
#include <ucontext.h>

#if defined(__x86_64__)

void vaka_async_take_registers(void) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    static const uint8_t order[VAKA_REGISTERS_X86_64] = {
        REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
        REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP, REG_EFL,
    };
    const ucontext_t *context = crash->context;
    for (uint32_t i = 0; i < VAKA_REGISTERS_X86_64; i++) {
        crash->registers[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
    }
    crash->register_count = VAKA_REGISTERS_X86_64;
    crash->pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
    crash->sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
    crash->fp = (uint64_t)context->uc_mcontext.gregs[REG_RBP];
    crash->lr = 0;
}

#else

void vaka_async_take_registers(void) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    const ucontext_t *context = crash->context;
    for (uint32_t i = 0; i < 31; i++)
        crash->registers[i] = context->uc_mcontext.regs[i];
    crash->registers[31] = context->uc_mcontext.sp;
    crash->registers[32] = context->uc_mcontext.pc;
    crash->registers[33] = context->uc_mcontext.pstate;
    crash->register_count = VAKA_REGISTERS_ARM64;
    crash->pc = context->uc_mcontext.pc;
    crash->sp = context->uc_mcontext.sp;
    crash->fp = context->uc_mcontext.regs[29];
    crash->lr = context->uc_mcontext.regs[30];
}

#endif
