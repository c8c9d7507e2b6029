/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every thread of a living process does: recorded as a crash is, with the same memory and the same bounds, but in
 * memory, so that no thread waits for a disk, and the threads go on.
 */
#ifndef VAKA_ASYNC_SNAPSHOT_H
#define VAKA_ASYNC_SNAPSHOT_H

#include "state.h"

#pragma GCC visibility push(hidden)

/* All threads with their slices; where more run, registers and frames go first. */
#define VAKA_SNAPSHOT_BYTES_MAX (8u * 1024u * 1024u)

struct vaka_snapshot_request {
    uint32_t kind; /* enum vaka_record_kind */
    uint8_t record_id[16];
    int subject; /* the thread it is about: the calling one or another; 0: none in particular */
    const char *text; /* at most VAKA_MESSAGE_BYTES; may be NULL */
    struct vaka_snapshot about; /* what is known of a hang; the rest is filled in */
    uint64_t registers[VAKA_REGISTERS_ARM64]; /* of the calling thread */
    uint8_t *memory; /* for the record */
    uint64_t capacity;
    uint64_t record_bytes; /* of the record, afterwards */
};

/*
 * 0, or EBUSY where a crash is being recorded. The threads are stopped at most for the bounds of VAKA_SNAPSHOT_…, and go
 * on by themselves should this function not come to its end. Not from a signal handler; one at a time.
 */
int vaka_async_snapshot(struct vaka_snapshot_request *request);

/* The registers at the place where it stands, so that the innermost frame is that function's. */
#if defined(__x86_64__)
#define VAKA_OWN_REGISTERS(to)                                                                                         \
    __asm__ volatile("movq %%rax, 0(%0)\n\tmovq %%rdx, 8(%0)\n\tmovq %%rcx, 16(%0)\n\tmovq %%rbx, 24(%0)\n\t"          \
                     "movq %%rsi, 32(%0)\n\tmovq %%rdi, 40(%0)\n\tmovq %%rbp, 48(%0)\n\tmovq %%rsp, 56(%0)\n\t"        \
                     "movq %%r8, 64(%0)\n\tmovq %%r9, 72(%0)\n\tmovq %%r10, 80(%0)\n\tmovq %%r11, 88(%0)\n\t"          \
                     "movq %%r12, 96(%0)\n\tmovq %%r13, 104(%0)\n\tmovq %%r14, 112(%0)\n\tmovq %%r15, 120(%0)\n\t"     \
                     "leaq 0f(%%rip), %%rax\n0:\tmovq %%rax, 128(%0)"                                                  \
                     :                                                                                                 \
                     : "r"(to)                                                                                         \
                     : "rax", "memory");                                                                               \
    (to)[17] = __builtin_ia32_readeflags_u64()
#else
#define VAKA_OWN_REGISTERS(to)                                                                                         \
    __asm__ volatile("stp x0, x1, [%0, #0]\n\tstp x2, x3, [%0, #16]\n\tstp x4, x5, [%0, #32]\n\t"                      \
                     "stp x6, x7, [%0, #48]\n\tstp x8, x9, [%0, #64]\n\tstp x10, x11, [%0, #80]\n\t"                   \
                     "stp x12, x13, [%0, #96]\n\tstp x14, x15, [%0, #112]\n\tstp x16, x17, [%0, #128]\n\t"             \
                     "stp x18, x19, [%0, #144]\n\tstp x20, x21, [%0, #160]\n\tstp x22, x23, [%0, #176]\n\t"            \
                     "stp x24, x25, [%0, #192]\n\tstp x26, x27, [%0, #208]\n\tstp x28, x29, [%0, #224]\n\t"            \
                     "str x30, [%0, #240]\n\tmov x1, sp\n\tadr x2, 0f\n0:\tstp x1, x2, [%0, #248]\n\t"                 \
                     "mrs x1, nzcv\n\tstr x1, [%0, #264]"                                                              \
                     :                                                                                                 \
                     : "r"(to)                                                                                         \
                     : "x1", "x2", "memory")
#endif

#pragma GCC visibility pop
#endif
