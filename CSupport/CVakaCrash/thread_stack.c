/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The alternate stacks of threads. A thread gets one when it begins and gives it back when it ends, however it does: a
 * key's destructor runs for a return, pthread_exit and cancellation alike. No lock: a fork may happen at any time.
 */
#include "internal.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

/* Given back and not unmapped: for the next threads. */
#define KEPT_STACKS 8

static char *kept[KEPT_STACKS];
static pthread_key_t key;
static bool has_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static char *take(void) {
    for (int i = 0; i < KEPT_STACKS; i++) {
        char *memory = __atomic_exchange_n(&kept[i], NULL, __ATOMIC_ACQ_REL);
        if (memory != NULL)
            return memory;
    }
    return vaka_alt_stack_map();
}

static void give_back(char *memory) {
    for (int i = 0; i < KEPT_STACKS; i++) {
        char *none = NULL;
        if (__atomic_compare_exchange_n(&kept[i], &none, memory, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return;
    }
    vaka_alt_stack_unmap(memory);
}

/*
 * The destructors of other keys may overflow the stack too, so that ours asks to be called again until the last round.
 * The rounds are counted in the address, which is a page's.
 */
static void detach(void *value) {
    uintptr_t round = (uintptr_t)value & 15;
    char *memory = (char *)((uintptr_t)value - round);
    stack_t current;
    stack_t none = {.ss_flags = SS_DISABLE};
    if (round + 1 < PTHREAD_DESTRUCTOR_ITERATIONS && pthread_setspecific(key, memory + round + 1) == 0)
        return;
    if (vaka_alt_stack_call(NULL, &current) != 0)
        return;
    /* The thread has set another in the meantime, and that stays. One that ends on ours cannot give it back. */
    if (current.ss_sp == vaka_alt_stack_of(memory).ss_sp && vaka_alt_stack_call(&none, NULL) != 0)
        return;
    give_back(memory);
}

static void make_key(void) {
    has_key = pthread_key_create(&key, detach) == 0;
}

void vaka_thread_stack_attach(void) {
    stack_t current;
    pthread_once(&once, make_key);
    if (!has_key || vaka_alt_stack_call(NULL, &current) != 0 || (current.ss_flags & SS_DISABLE) == 0)
        return;
    char *memory = take();
    if (memory == NULL)
        return;
    stack_t stack = vaka_alt_stack_of(memory);
    if (vaka_alt_stack_call(&stack, NULL) != 0) {
        give_back(memory);
        return;
    }
    if (pthread_setspecific(key, memory) != 0) {
        stack_t none = {.ss_flags = SS_DISABLE};
        vaka_alt_stack_call(&none, NULL);
        give_back(memory);
    }
}
