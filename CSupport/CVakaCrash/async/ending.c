/* SPDX-License-Identifier: Apache-2.0 */
#include "ending.h"
#include "later.h"
#include "stop.h"
#include "system.h"

#include <string.h>
#include <ucontext.h>

typedef void (*vaka_handler)(int);
typedef void (*vaka_info_handler)(int, siginfo_t *, void *);

static void set_action(int signal, const struct vaka_action *action) {
    vaka_async_call(SYS_rt_sigaction, signal, (long)action, 0, sizeof(action->mask), 0, 0);
}

static struct vaka_action action_of(int signal) {
    struct vaka_action action = {.handler = (uintptr_t)SIG_DFL};
    vaka_async_call(SYS_rt_sigaction, signal, 0, (long)&action, sizeof(action.mask), 0, 0);
    return action;
}

/* The context's mask: the kernel's 64 signals are the beginning of libc's set. */
static uint64_t context_mask(const ucontext_t *context) {
    uint64_t mask;
    memcpy(&mask, &context->uc_sigmask, sizeof(mask));
    return mask;
}

bool vaka_async_faults_again(int signal, const siginfo_t *info) {
    if (info->si_code <= 0)
        return false;
    switch (signal) {
    case SIGSEGV:
    case SIGILL:
    case SIGFPE:
        return true;
    case SIGBUS:
        return info->si_code != BUS_MCEERR_AO;
    default:
        /* int3 leaves the instruction pointer behind it; a system call that seccomp trapped is not repeated. */
        return false;
    }
}

static void end_now(int signal, siginfo_t *info) {
    int pid = vaka_async_getpid();
    uint64_t mask = vaka_async_signal_bit(signal);
    vaka_async_mask(SIG_UNBLOCK, &mask);
    vaka_async_call(SYS_rt_tgsigqueueinfo, pid, vaka_async_gettid(), signal, (long)info, 0, 0);
    vaka_async_call(SYS_tgkill, pid, vaka_async_gettid(), signal, 0, 0, 0);
    /* The first process of a namespace does not get signals whose action is the default one. */
    for (;;)
        vaka_async_call(SYS_exit_group, 128 + signal, 0, 0, 0, 0, 0);
}

void vaka_async_default_action(int signal, siginfo_t *info, void *context) {
    struct vaka_action action = {.handler = (uintptr_t)SIG_DFL};
    set_action(signal, &action);
    if (vaka_async_faults_again(signal, info))
        return;
    int pid = vaka_async_getpid();
    if (pid == 1)
        end_now(signal, info);
    /* Queued while it is blocked, it is delivered where the handler returns to: the core shows the crash, not us. */
    uint64_t mask = vaka_async_signal_bit(signal);
    vaka_async_mask(SIG_BLOCK, &mask);
    if (vaka_async_call(SYS_rt_tgsigqueueinfo, pid, vaka_async_gettid(), signal, (long)info, 0, 0) != 0) {
        end_now(signal, info);
    }
    ucontext_t *returning = context;
    uint64_t after = context_mask(returning) & ~mask;
    memcpy(&returning->uc_sigmask, &after, sizeof(after));
}

static void call_previous(const struct vaka_action *previous, int signal, siginfo_t *info, void *context) {
    uint64_t mask = context_mask(context) | previous->mask;
    if ((previous->flags & SA_NODEFER) == 0)
        mask |= vaka_async_signal_bit(signal);
    vaka_async_mask(SIG_SETMASK, &mask);
    if (previous->flags & SA_SIGINFO) {
        ((vaka_info_handler)previous->handler)(signal, info, context);
    } else {
        ((vaka_handler)previous->handler)(signal);
    }
}

static bool is_handler(const struct vaka_action *action) {
    return action->handler != (uintptr_t)SIG_DFL && action->handler != (uintptr_t)SIG_IGN;
}

bool vaka_async_call_previous(int signal, siginfo_t *info, void *context) {
    int index = vaka_async_signal_index(signal);
    const struct vaka_action *previous = &vaka_async_state.previous[index];
    if (index < 0 || !is_handler(previous) || (previous->flags & SA_RESETHAND) != 0)
        return false;
    call_previous(previous, signal, info, context);
    return true;
}

bool vaka_async_is_default(int signal) {
    return action_of(signal).handler == (uintptr_t)SIG_DFL;
}

void vaka_async_arm(int signal) {
    int index = vaka_async_signal_index(signal);
    if (index >= 0 && action_of(signal).handler == vaka_async_state.previous[index].handler)
        set_action(signal, &vaka_async_state.ours);
}

bool vaka_async_pass_on(int signal, siginfo_t *info, void *context) {
    struct vaka_state *state = &vaka_async_state;
    int index = vaka_async_signal_index(signal);
    if (index < 0)
        return true;
    struct vaka_action previous = state->previous[index];
    if (previous.handler == (uintptr_t)SIG_IGN && info->si_code <= 0)
        return true;
    /* A handler that chains to ours while ours chains to it would go round for ever. */
    uint32_t bit = 1u << index;
    uint64_t me = (uint64_t)(uint32_t)vaka_async_getpid() << 32 | (uint32_t)vaka_async_gettid();
    bool is_repeated = state->stage == VAKA_STAGE_ENDING && state->owner == me &&
                       (__atomic_fetch_or(&state->chained, bit, __ATOMIC_ACQ_REL) & bit) != 0;
    if (!is_repeated && !is_handler(&previous) && vaka_async_later_takes(signal, info)) {
        vaka_async_release_threads();
        return false;
    }
    if (is_repeated || !is_handler(&previous)) {
        vaka_async_default_action(signal, info, context);
        return false;
    }
    struct vaka_action restored = previous;
    if (previous.flags & SA_RESETHAND)
        restored.handler = (uintptr_t)SIG_DFL;
    set_action(signal, &restored);
    /* It may stop the threads by itself, or let the program live on. */
    vaka_async_release_threads();
    call_previous(&previous, signal, info, context);
    return true;
}
