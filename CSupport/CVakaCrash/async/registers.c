/* SPDX-License-Identifier: Apache-2.0 */
#include "capture.h"

#include <string.h>
#include <ucontext.h>

#if defined(__x86_64__)

#define FRAME_POINTER 6
#define STACK_POINTER 7
#define PROGRAM_COUNTER 16

void vaka_async_registers_of(const void *from, uint64_t registers[VAKA_REGISTERS_ARM64]) {
    static const uint8_t order[VAKA_REGISTERS_X86_64] = {
        REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
        REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP, REG_EFL,
    };
    const ucontext_t *context = from;
    for (uint32_t i = 0; i < VAKA_REGISTERS_X86_64; i++)
        registers[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
}

#else

#define FRAME_POINTER 29
#define LINK_REGISTER 30
#define STACK_POINTER 31
#define PROGRAM_COUNTER 32

void vaka_async_registers_of(const void *from, uint64_t registers[VAKA_REGISTERS_ARM64]) {
    const ucontext_t *context = from;
    for (uint32_t i = 0; i < 31; i++)
        registers[i] = context->uc_mcontext.regs[i];
    registers[STACK_POINTER] = context->uc_mcontext.sp;
    registers[PROGRAM_COUNTER] = context->uc_mcontext.pc;
    registers[33] = context->uc_mcontext.pstate;
}

#endif

void vaka_async_registers_known(uint64_t pc, uint64_t sp, uint64_t registers[VAKA_REGISTERS_ARM64]) {
    memset(registers, 0, VAKA_REGISTERS_ARM64 * sizeof(registers[0]));
    registers[PROGRAM_COUNTER] = pc;
    registers[STACK_POINTER] = sp;
}

void vaka_async_use_registers(void) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    crash->pc = crash->registers[PROGRAM_COUNTER];
    crash->sp = crash->registers[STACK_POINTER];
    crash->fp = crash->registers[FRAME_POINTER];
#if defined(__x86_64__)
    crash->lr = 0;
#else
    crash->lr = crash->registers[LINK_REGISTER];
#endif
}

void vaka_async_take_registers(void) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    vaka_async_registers_of(crash->context, crash->registers);
    crash->register_count = VAKA_REGISTERS;
    vaka_async_use_registers();
}
