/* SPDX-License-Identifier: Apache-2.0 */
#include "first.h"
#include "ending.h"
#include "repair.h"
#include "state.h"
#include "stop.h"
#include "system.h"

/* Threads that are in such a handler at once; of more, an exit there is not seen. */
#define PLACES 16

/* The outermost signal of a thread: its handler may meet faults of its own. */
static struct {
    uint64_t owner; /* atomic; 0: free */
    struct vaka_arrival *arrival;
} places[PLACES];

static int place_of(uint64_t owner) {
    for (int i = 0; i < PLACES; i++) {
        if (__atomic_load_n(&places[i].owner, __ATOMIC_ACQUIRE) == owner)
            return i;
    }
    return -1;
}

/* The place taken, or -1. */
static int enter(struct vaka_arrival *arrival) {
    uint64_t me = vaka_async_owner(arrival->pid, arrival->tid);
    if (place_of(me) >= 0)
        return -1;
    for (int i = 0; i < PLACES; i++) {
        uint64_t none = 0;
        if (!__atomic_compare_exchange_n(&places[i].owner, &none, me, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            continue;
        places[i].arrival = arrival;
        return i;
    }
    return -1;
}

static void leave(int place) {
    if (place >= 0)
        __atomic_store_n(&places[place].owner, 0, __ATOMIC_RELEASE);
}

/* A fault of our own, in the handler or in a snapshot. */
static bool is_own(const struct vaka_arrival *arrival) {
    uint64_t owner = __atomic_load_n(&vaka_async_state.owner, __ATOMIC_ACQUIRE);
    return (owner & ~VAKA_OWNER_SNAPSHOT) == vaka_async_owner(arrival->pid, arrival->tid);
}

bool vaka_async_first_takes(struct vaka_arrival *arrival) {
    const struct vaka_state *state = &vaka_async_state;
    int index = vaka_async_signal_index(arrival->signal);
    if (index < 0 || arrival->signal == SIGABRT || state->repairs[index] < VAKA_REPAIRS_MAX || is_own(arrival))
        return false;
    struct vaka_place before = vaka_async_place_of(arrival->context);
    int place = enter(arrival);
    arrival->is_passed_on = vaka_async_call_previous(arrival->signal, arrival->info, arrival->context);
    leave(place);
    if (!arrival->is_passed_on)
        return false;
    /* It gave up: the same fault follows, and ends the process. */
    bool is_end = vaka_async_is_default(arrival->signal) &&
                  !vaka_async_is_repaired(arrival->signal, arrival->info, arrival->context, before);
    return !is_end;
}

/* A handler that left by siglongjmp is not at work any more: the thread is on its own stack again. */
static bool is_at_work(const struct vaka_arrival *arrival) {
    stack_t stack = {.ss_flags = SS_DISABLE};
    uintptr_t arrived = (uintptr_t)arrival;
    vaka_async_call(SYS_sigaltstack, 0, (long)&stack, 0, 0, 0, 0);
    return (stack.ss_flags & SS_ONSTACK) != 0 && arrived - (uintptr_t)stack.ss_sp < stack.ss_size &&
           (uintptr_t)__builtin_frame_address(0) < arrived;
}

void vaka_async_first_leaves(void) {
    int place = place_of(vaka_async_owner(vaka_async_getpid(), vaka_async_gettid()));
    if (place < 0 || !is_at_work(places[place].arrival))
        return;
    struct vaka_arrival *arrival = places[place].arrival;
    leave(place);
    uint64_t mask = ~(uint64_t)0;
    for (int i = 0; i < VAKA_SIGNALS; i++)
        mask &= ~vaka_async_signal_bit(vaka_async_signals[i]);
    uint64_t before = 0;
    vaka_async_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, (long)&before, sizeof(mask), 0, 0);
    arrival->is_passed_on = true;
    if (vaka_async_record(arrival))
        vaka_async_release_threads();
    vaka_async_mask(SIG_SETMASK, &before);
}
