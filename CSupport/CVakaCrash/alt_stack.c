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

static struct {
    char *memory;
    size_t bytes;
    size_t guard;
} mapped;

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

void vaka_alt_stack_install(void) {
    stack_t current;
    size_t enough = 2u * frame_bytes() + HANDLER_BYTES;
    if (sigaltstack(NULL, &current) != 0)
        return;
    if ((current.ss_flags & SS_DISABLE) == 0 && current.ss_size >= enough)
        return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t bytes = FRAMES * frame_bytes() + HANDLER_BYTES + PREVIOUS_HANDLER_BYTES;
    bytes = (bytes + page - 1) / page * page;
    char *memory = mmap(NULL, bytes + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
        return;
    stack_t stack = {.ss_sp = memory + page, .ss_size = bytes};
    if (mprotect(memory + page, bytes, PROT_READ | PROT_WRITE) != 0 || sigaltstack(&stack, NULL) != 0) {
        munmap(memory, bytes + page);
        return;
    }
    mapped.memory = memory;
    mapped.bytes = bytes;
    mapped.guard = page;
}

void vaka_alt_stack_uninstall(void) {
    stack_t current;
    stack_t none = {.ss_flags = SS_DISABLE};
    /* Another thread's stack is left to it. */
    if (mapped.memory == NULL || sigaltstack(NULL, &current) != 0 || current.ss_sp != mapped.memory + mapped.guard ||
        sigaltstack(&none, NULL) != 0) {
        return;
    }
    munmap(mapped.memory, mapped.bytes + mapped.guard);
    mapped.memory = NULL;
}
