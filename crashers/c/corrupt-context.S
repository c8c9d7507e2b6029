/* SPDX-License-Identifier: Apache-2.0 */
/* Called by an asynchronous function of Swift that keeps its context in %r14: overwrites what leads from there to the
   context of its caller. */
        .text
        .globl  corrupt_context
        .type   corrupt_context, @function
corrupt_context:
        .cfi_startproc
        movabsq $0x4141414141414140, %rax
        movq    %rax, (%r14)
        ret
        .cfi_endproc
        .size   corrupt_context, . - corrupt_context
        .section .note.GNU-stack, "", @progbits
