/* SPDX-License-Identifier: Apache-2.0 */
/* An alternate signal stack for the installing thread: without one an overflow of its stack kills with no record. */
#include "internal.h"

#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif
#ifndef _SC_MINSIGSTKSZ
#define _SC_MINSIGSTKSZ 249
#endif

/* Of our handler and of one that was there before (docs/signal-safety.md). */
#define HANDLER_BYTES (16u * 1024u)
#define PREVIOUS_HANDLER_BYTES (64u * 1024u)
/* The kernel's frame: of the crash and of crashes in the handler itself. */
#define FRAMES 4u

static char *mapped;

/* The kernel's frame, which holds every register the processor has (AVX-512, AMX, SVE). */
static size_t frame_bytes(void) {
    size_t bytes = MINSIGSTKSZ;
    unsigned long told = getauxval(AT_MINSIGSTKSZ);
    if (told > bytes)
        bytes = told;
    long configured = sysconf(_SC_MINSIGSTKSZ);
    if (configured > 0 && (size_t)configured > bytes)
        bytes = (size_t)configured;
    return bytes;
}

static size_t page_bytes(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t stack_bytes(void) {
    size_t page = page_bytes();
    size_t bytes = FRAMES * frame_bytes() + HANDLER_BYTES + PREVIOUS_HANDLER_BYTES;
    return (bytes + page - 1) / page * page;
}

char *vaka_alt_stack_map(void) {
    size_t page = page_bytes();
    size_t bytes = stack_bytes();
    char *memory = mmap(NULL, bytes + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    if (mprotect(memory + page, bytes, PROT_READ | PROT_WRITE) == 0)
        return memory;
    munmap(memory, bytes + page);
    return NULL;
}

void vaka_alt_stack_unmap(char *memory) {
    munmap(memory, stack_bytes() + page_bytes());
}

stack_t vaka_alt_stack_of(char *memory) {
    return (stack_t){.ss_sp = memory + page_bytes(), .ss_size = stack_bytes()};
}

void vaka_alt_stack_install(void) {
    stack_t current;
    size_t enough = 2u * frame_bytes() + HANDLER_BYTES;
    if (sigaltstack(NULL, &current) != 0)
        return;
    if ((current.ss_flags & SS_DISABLE) == 0 && current.ss_size >= enough)
        return;
    char *memory = vaka_alt_stack_map();
    if (memory == NULL)
        return;
    stack_t stack = vaka_alt_stack_of(memory);
    if (sigaltstack(&stack, NULL) != 0) {
        vaka_alt_stack_unmap(memory);
        return;
    }
    mapped = memory;
}

void vaka_alt_stack_uninstall(void) {
    stack_t current;
    stack_t none = {.ss_flags = SS_DISABLE};
    /* Another thread's stack is left to it. */
    if (mapped == NULL || sigaltstack(NULL, &current) != 0 || current.ss_sp != vaka_alt_stack_of(mapped).ss_sp ||
        sigaltstack(&none, NULL) != 0) {
        return;
    }
    vaka_alt_stack_unmap(mapped);
    mapped = NULL;
}
