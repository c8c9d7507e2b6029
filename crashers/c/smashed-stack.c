/* SPDX-License-Identifier: Apache-2.0 */
/* Overwrites its stack: the innermost part, the outermost part, or it loses the stack altogether. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static volatile int *volatile nothing;

/* Its own return address and what lies around it. */
__attribute__((noinline)) static int smash_top(int value) {
    volatile uintptr_t *words = __builtin_frame_address(0);
    for (int i = 0; i < 6; i++)
        words[i - 2] = 0x4141414141414141;
    return *nothing + value;
}

/* All that its caller's callers left. */
__attribute__((noinline)) static int smash_bottom(volatile char *outer) {
    for (int i = 0; i < 2000; i++)
        outer[i] = 'A';
    return *nothing + outer[0];
}

__attribute__((noinline)) static int lose_stack(int value) {
    __asm__ volatile("mov %0, %%rsp; mov (%1), %%eax" : : "r"(0x41414000ul), "r"(nothing) : "eax", "memory");
    return value;
}

__attribute__((noinline)) static int decode(const char *way, volatile char *outer) {
    int decoded = 1;
    if (strcmp(way, "top") == 0)
        decoded += smash_top(outer[0]);
    else if (strcmp(way, "bottom") == 0)
        decoded += smash_bottom(outer);
    else
        decoded += lose_stack(outer[0]);
    return decoded + outer[1];
}

__attribute__((noinline)) static int receive(const char *way, volatile char *outer) {
    volatile int filler[16] = {3};
    filler[1] = decode(way, outer);
    return filler[0] + filler[1];
}

int main(int argc, char **argv) {
    volatile char outer[64] = {1, 2};
    int received = receive(argc > 1 ? argv[1] : "top", outer);
    printf("%d\n", received);
    return 0;
}
