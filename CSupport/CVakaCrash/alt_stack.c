/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An alternate signal stack for the installing thread: without one an overflow of its stack kills with no record. And
 * sigaltstack in front of libc's, weak like pthread_create (thread_create.c): a stack that cannot hold even the
 * kernel's own frame, as MINSIGSTKSZ bytes cannot where the processor has AVX-512, would make of every signal a death
 * by SIGSEGV with no handler run.
 */
#include "internal.h"

#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
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
/* Of the handler until it goes on elsewhere, or waits while another thread's crash is recorded. */
#define LEAST_BYTES 1024u
/* The kernel's frame: of the crash and of crashes in the handler itself. */
#define FRAMES 4u
/* Less than this the kernel does not take. libc's MINSIGSTKSZ is another number: what is good for any handler. */
#if defined(__x86_64__)
#define KERNEL_MINIMUM 2048u
#else
#define KERNEL_MINIMUM 5120u
#endif

static char *mapped;

/* The kernel's frame, which holds every register the processor has (AVX-512, AMX, SVE). */
static size_t frame_bytes(void) {
    size_t bytes = KERNEL_MINIMUM;
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

int vaka_alt_stack_call(const stack_t *set, stack_t *get) {
    return (int)syscall(SYS_sigaltstack, set, get);
}

/* No error of the kernel's, and no room for its frame and for the way to the spare stack. */
static bool is_useless(const stack_t *stack) {
    return (stack->ss_flags & SS_DISABLE) == 0 && stack->ss_size >= KERNEL_MINIMUM &&
           stack->ss_size < frame_bytes() + LEAST_BYTES;
}

/* The calling thread's current one stays, or it gets one of ours. */
__attribute__((weak)) VAKA_CRASH_API int sigaltstack(const stack_t *restrict set, stack_t *restrict get) {
    stack_t current;
    if (set == NULL || !is_useless(set) || !vaka_async_is_installed() || vaka_thread_stacks_are_off() ||
        vaka_alt_stack_call(NULL, &current) != 0 || (current.ss_flags & SS_ONSTACK) != 0) {
        return vaka_alt_stack_call(set, get);
    }
    if ((current.ss_flags & SS_DISABLE) != 0)
        vaka_thread_stack_attach();
    if (get != NULL)
        *get = current;
    return 0;
}

void vaka_alt_stack_prepare_spare(void) {
    struct vaka_state *state = &vaka_async_state;
    char *memory = state->spare_stack == NULL ? vaka_alt_stack_map() : NULL;
    if (memory == NULL)
        return;
    stack_t stack = vaka_alt_stack_of(memory);
    state->spare_stack = stack.ss_sp;
    state->spare_stack_bytes = stack.ss_size;
}

void vaka_alt_stack_install(void) {
    stack_t current;
    size_t enough = 2u * frame_bytes() + HANDLER_BYTES;
    if (vaka_alt_stack_call(NULL, &current) != 0)
        return;
    if ((current.ss_flags & SS_DISABLE) == 0 && current.ss_size >= enough)
        return;
    char *memory = vaka_alt_stack_map();
    if (memory == NULL)
        return;
    stack_t stack = vaka_alt_stack_of(memory);
    if (vaka_alt_stack_call(&stack, NULL) != 0) {
        vaka_alt_stack_unmap(memory);
        return;
    }
    mapped = memory;
}

void vaka_alt_stack_uninstall(void) {
    stack_t current;
    stack_t none = {.ss_flags = SS_DISABLE};
    /* Another thread's stack is left to it. */
    if (mapped == NULL || vaka_alt_stack_call(NULL, &current) != 0 ||
        current.ss_sp != vaka_alt_stack_of(mapped).ss_sp || vaka_alt_stack_call(&none, NULL) != 0) {
        return;
    }
    vaka_alt_stack_unmap(mapped);
    mapped = NULL;
}
