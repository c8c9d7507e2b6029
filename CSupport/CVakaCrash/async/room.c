/* SPDX-License-Identifier: Apache-2.0 */
#include "room.h"
#include "state.h"
#include "system.h"

#include <ucontext.h>

/* Of the handler itself; alt_stack.c gives as much. */
#define ROOM (16u * 1024u)

void vaka_async_call_on(void *top, void (*function)(void *), void *argument);

#if defined(__x86_64__)
__asm__(".text\n"
        ".p2align 4\n"
        ".hidden vaka_async_call_on\n"
        ".globl vaka_async_call_on\n"
        ".type vaka_async_call_on, @function\n"
        "vaka_async_call_on:\n"
        ".cfi_startproc\n"
        "  endbr64\n"
        "  pushq %rbp\n"
        "  .cfi_def_cfa_offset 16\n"
        "  .cfi_offset %rbp, -16\n"
        "  movq %rsp, %rbp\n"
        "  .cfi_def_cfa_register %rbp\n"
        "  movq %rdi, %rsp\n"
        "  movq %rdx, %rdi\n"
        "  callq *%rsi\n"
        "  movq %rbp, %rsp\n"
        "  popq %rbp\n"
        "  .cfi_def_cfa %rsp, 8\n"
        "  ret\n"
        ".cfi_endproc\n"
        ".size vaka_async_call_on, . - vaka_async_call_on\n");
#else
__asm__(".text\n"
        ".p2align 4\n"
        ".hidden vaka_async_call_on\n"
        ".globl vaka_async_call_on\n"
        ".type vaka_async_call_on, %function\n"
        "vaka_async_call_on:\n"
        ".cfi_startproc\n"
        "  hint #34\n" /* bti c */
        "  stp x29, x30, [sp, #-16]!\n"
        "  .cfi_def_cfa_offset 16\n"
        "  .cfi_offset x29, -16\n"
        "  .cfi_offset x30, -8\n"
        "  mov x29, sp\n"
        "  .cfi_def_cfa_register x29\n"
        "  mov sp, x0\n"
        "  mov x0, x2\n"
        "  blr x1\n"
        "  mov sp, x29\n"
        "  .cfi_def_cfa_register sp\n"
        "  ldp x29, x30, [sp], #16\n"
        "  .cfi_def_cfa_offset 0\n"
        "  ret\n"
        ".cfi_endproc\n"
        ".size vaka_async_call_on, . - vaka_async_call_on\n");
#endif

/* What the kernel kept is the alternate stack as the signal found it. */
static bool lacks_room(const ucontext_t *context) {
    const stack_t *stack = &context->uc_stack;
    uintptr_t used_from = (uintptr_t)__builtin_frame_address(0);
    uintptr_t left = used_from - (uintptr_t)stack->ss_sp;
    return (stack->ss_flags & SS_DISABLE) == 0 && left < stack->ss_size && left < ROOM;
}

struct call {
    void (*function)(void *);
    void *argument;
};

static void on_spare_stack(void *value) {
    const struct call *call = value;
    const struct vaka_state *state = &vaka_async_state;
    stack_t spare = {.ss_sp = state->spare_stack, .ss_size = state->spare_stack_bytes};
    vaka_async_call(SYS_sigaltstack, (long)&spare, 0, 0, 0, 0, 0);
    call->function(call->argument);
}

void vaka_async_call_with_room(const void *context, void (*function)(void *), void *argument) {
    const struct vaka_state *state = &vaka_async_state;
    if (state->spare_stack == NULL || !lacks_room(context)) {
        function(argument);
        return;
    }
    struct call call = {function, argument};
    vaka_async_call_on(state->spare_stack + state->spare_stack_bytes, on_spare_stack, &call);
}
