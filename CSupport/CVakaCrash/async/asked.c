/* SPDX-License-Identifier: Apache-2.0 */
#include "asked.h"
#include "ending.h"
#include "state.h"
#include "system.h"

static void note(int signal, const siginfo_t *info) {
    struct vaka_run_header *run = vaka_async_run_header();
    uint32_t running = VAKA_RUN_RUNNING;
    run->asked_realtime_ns = vaka_async_clock(CLOCK_REALTIME);
    run->asked_sender_pid = info->si_code <= 0 ? info->si_pid : 0;
    run->asked_signal = signal;
    /* A run that crashed or ended has said so. */
    __atomic_compare_exchange_n(&run->state, &running, VAKA_RUN_ASKED, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

void vaka_async_asked(int signal, siginfo_t *info, void *context) {
    int pid = vaka_async_getpid();
    /* A child that became the first process of a namespace: the kernel would have spared it. */
    if (pid == 1)
        return;
    /* A forked child inherits the handler; its end is not the run's. */
    if (pid == vaka_async_state.pid && vaka_async_is_installed())
        note(signal, info);
    vaka_async_default_action(signal, info, context);
}
