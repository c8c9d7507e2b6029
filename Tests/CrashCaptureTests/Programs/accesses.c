/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of x86_64 with an operand at a non-canonical address; knows nothing of Vaka. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BAD 0x1234567800000100ul

#define CASE(name, ...)                                                                                                \
    static void name(void) {                                                                                           \
        __asm__ volatile(__VA_ARGS__);                                                                                 \
    }

CASE(load, "mov 8(%0), %%rcx" ::"r"(BAD) : "rcx")
CASE(store_byte, "movb $1, 16(%0)" ::"r"(BAD))
CASE(indexed, "mov (%0,%1,8), %%r9" ::"r"(BAD), "r"(4ul) : "r9")
CASE(extended, "mov %0, %%r13\n mov %%rdx, -128(%%r13)" ::"r"(BAD) : "r13")
CASE(far_away, "mov %0, %%r12\n addl $5, 0x1000(%%r12)" ::"r"(BAD) : "r12")
CASE(compare, "cmpq $0, (%0)" ::"r"(BAD))
CASE(locked, "lock incq (%0)" ::"r"(BAD))
CASE(exchange, "lock cmpxchg %%rcx, (%0)" ::"r"(BAD) : "rax", "rcx")
CASE(extend, "movzbl (%0), %%eax" ::"r"(BAD) : "eax")
CASE(sse_load, "movups (%0), %%xmm0" ::"r"(BAD) : "xmm0")
CASE(sse_store, "movdqu %%xmm0, (%0)" ::"r"(BAD))
CASE(sse_scalar, "addsd 32(%0), %%xmm1" ::"r"(BAD) : "xmm1")
CASE(avx_load, "vmovdqu (%0), %%ymm0" ::"r"(BAD))
CASE(avx_store, "mov %0, %%r11\n vmovups %%ymm0, 64(%%r11)" ::"r"(BAD) : "r11")
CASE(avx_indexed, "vpaddd (%0,%1,4), %%xmm0, %%xmm0" ::"r"(BAD), "r"(8ul))
CASE(string_copy, "mov %0, %%rsi\n mov %%rsp, %%rdi\n movsb" ::"r"(BAD) : "rsi", "rdi")
CASE(string_fill, "mov %0, %%rdi\n mov $1, %%ecx\n rep stosb" ::"r"(BAD) : "rdi", "rcx")
CASE(push_memory, "pushq (%0)" ::"r"(BAD))
CASE(call_register, "call *%0" ::"r"(BAD))
CASE(jump_memory, "mov %0, %%rax\n push %%rax\n jmp *(%%rsp)" ::"r"(BAD) : "rax")
CASE(call_in_memory, "call *24(%0)" ::"r"(BAD))
CASE(return_to, "push %0\n ret" ::"r"(BAD))
CASE(x87_store, "fld1\n fstpl (%0)" ::"r"(BAD))
CASE(pop_bad_stack, "mov %0, %%rsp\n pop %%rax" ::"r"(BAD) : "rax")
CASE(thread_local, "mov %%fs:(%0), %%rax" ::"r"(BAD) : "rax")

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {
        {"load", load},
        {"store-byte", store_byte},
        {"indexed", indexed},
        {"extended", extended},
        {"far", far_away},
        {"compare", compare},
        {"locked", locked},
        {"exchange", exchange},
        {"extend", extend},
        {"sse-load", sse_load},
        {"sse-store", sse_store},
        {"sse-scalar", sse_scalar},
        {"avx-load", avx_load},
        {"avx-store", avx_store},
        {"avx-indexed", avx_indexed},
        {"string-copy", string_copy},
        {"string-fill", string_fill},
        {"push", push_memory},
        {"call-register", call_register},
        {"jump-memory", jump_memory},
        {"call-memory", call_in_memory},
        {"return", return_to},
        {"x87", x87_store},
        {"pop", pop_bad_stack},
        {"thread-local", thread_local},
    };
    for (size_t i = 0; count > 1 && i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (strcmp(arguments[1], ways[i].name) == 0)
            ways[i].run();
    }
    return 98;
}
