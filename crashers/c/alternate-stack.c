/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program with an alternate signal stack of its own, or with none: alternate-stack OWN WAY. Linked with the library,
 * the program sets it before the handlers are installed.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#ifdef INSTALLS
#include <vaka_crash.h>
#endif

/* What the kernel takes, and what MINSIGSTKSZ was for ever. */
#if defined(__x86_64__)
#define LEAST 2048
#else
#define LEAST 5120
#endif

static int *volatile nowhere = (int *)8;
static char memory[262144] __attribute__((aligned(4096)));

#pragma GCC diagnostic ignored "-Winfinite-recursion"
__attribute__((noinline)) static long depth_of(const volatile char *node, long depth) {
    volatile char visited[64];
    visited[0] = *node;
    long deeper = depth_of(visited, depth + 1);
    return deeper + visited[0];
}

__attribute__((noinline)) static long overflow(long depth) {
    char root = 1;
    long reached = depth_of(&root, depth);
    return reached + 1;
}

__attribute__((noinline)) static long write_total(long amount) {
    *nowhere += (int)amount;
    return *nowhere + 1;
}

__attribute__((noinline)) static long give_up(long status) {
    if (status != 0)
        abort();
    return status + 1;
}

/* Above most of `memory`, so that what grows out of the stack is in the program's own. */
static void set(size_t bytes) {
    stack_t stack = {.ss_sp = memory + sizeof(memory) - bytes, .ss_size = bytes};
    if (bytes == 0)
        stack = (stack_t){.ss_flags = SS_DISABLE};
    if (sigaltstack(&stack, NULL) != 0)
        exit(96);
}

static size_t bytes_of(const char *own) {
    if (strcmp(own, "large") == 0)
        return 131072;
    /* The kernel's frame fits, and little else. */
    size_t frame = getauxval(AT_MINSIGSTKSZ) > LEAST ? getauxval(AT_MINSIGSTKSZ) : LEAST;
    if (strcmp(own, "small") == 0)
        return (frame + 1024 + 15) & ~15ul;
    return strcmp(own, "least") == 0 ? LEAST : 0;
}

static void install(void) {
#ifdef INSTALLS
    vaka_crash_config config = {.size = sizeof(config), .storage = getenv("VAKA_STORAGE")};
    if (vaka_crash_install(&config) != 0)
        exit(95);
#endif
}

int main(int argc, char **argv) {
    const char *way = argc > 2 ? argv[2] : "";
    set(bytes_of(argc > 1 ? argv[1] : ""));
    install();
    long result = 0;
    if (strcmp(way, "overflow") == 0)
        result = overflow(argc);
    else if (strcmp(way, "abort") == 0)
        result = give_up(argc);
    else
        result = write_total(argc);
    return (int)result & 1;
}
