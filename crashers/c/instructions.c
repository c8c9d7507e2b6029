/* SPDX-License-Identifier: Apache-2.0 */
/* Runs instructions that no program may run, or that only a debugger waits for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An instruction that is kept undefined for ever. */
__attribute__((noinline)) static int run_undefined(int state) {
    __asm__ volatile("ud1 %eax, %eax");
    return state + 1;
}

__attribute__((noinline)) static int run_privileged(int state) {
    __asm__ volatile("hlt");
    return state + 1;
}

/* The program counter stands behind it already, where the next function may begin. */
__attribute__((noinline)) static int run_breakpoint(int state) {
    if (state == 0)
        return 1;
    __asm__ volatile("int3");
    __builtin_unreachable();
}

__attribute__((noinline)) static int step(const char *name, int state) {
    if (strcmp(name, "undefined") == 0)
        return run_undefined(state) + 1;
    if (strcmp(name, "privileged") == 0)
        return run_privileged(state) + 1;
    return run_breakpoint(state) + 1;
}

int main(int argc, char **argv) {
    int state = step(argc > 1 ? argv[1] : "undefined", argc);
    printf("%d\n", state);
    return 0;
}
