/* SPDX-License-Identifier: Apache-2.0 */
/* long with_edges(long *const *places): a whole prologue and epilogue; between any two of their instructions it reads
   through the next of its nine places. */
        .macro visit place
        movq    8*\place(%rdi), %rax
        movq    (%rax), %rax
        .endm

        .text
        .globl  with_edges
        .type   with_edges, @function
with_edges:
        .cfi_startproc
        visit   0
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        visit   1
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        visit   2
        pushq   %rbx
        .cfi_offset %rbx, -24
        visit   3
        subq    $40, %rsp
        visit   4
        addq    $40, %rsp
        visit   5
        popq    %rbx
        .cfi_restore %rbx
        visit   6
        popq    %rbp
        .cfi_restore %rbp
        .cfi_def_cfa %rsp, 8
        visit   7
        visit   8
        ret
        .cfi_endproc
        .size   with_edges, . - with_edges
        .section .note.GNU-stack, "", @progbits
