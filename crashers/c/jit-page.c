/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a compiled expression on a page that no file describes. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__x86_64__)
/* push %rbp; mov %rsp,%rbp; xor %eax,%eax; mov (%rax),%eax; pop %rbp; ret */
static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0x31, 0xc0, 0x8b, 0x00, 0x5d, 0xc3};
#else
/* stp x29,x30,[sp,#-16]!; mov x29,sp; mov x0,#0; ldr w0,[x0]; ldp x29,x30,[sp],#16; ret */
static const unsigned int code[] = {0xa9bf7bfd, 0x910003fd, 0xd2800000, 0xb9400000, 0xa8c17bfd, 0xd65f03c0};
#endif

typedef int (*expression)(void);

__attribute__((noinline)) static expression compile_expression(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(page, code, sizeof(code));
    mprotect(page, 4096, PROT_READ | PROT_EXEC);
    __builtin___clear_cache((char *)page, (char *)page + sizeof(code));
    return (expression)page;
}

__attribute__((noinline)) static int evaluate(expression expression) {
    int value = expression();
    return value + 1;
}

__attribute__((noinline)) static int evaluate_filter(const char *filter) {
    int value = evaluate(compile_expression());
    printf("%s: %d\n", filter, value);
    return value;
}

int main(void) {
    int value = evaluate_filter("price > 10");
    return value == 0;
}
