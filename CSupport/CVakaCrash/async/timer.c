/* SPDX-License-Identifier: Apache-2.0 */
#include "timer.h"
#include "handler.h"
#include "state.h"
#include "system.h"

#include <string.h>

/* The kernel's struct sigevent: libc's does not name the thread's id everywhere. */
struct kernel_event {
    const void *value;
    int32_t signal;
    int32_t notify;
    int32_t tid;
    int32_t padding[11];
};

#define NOTIFY_THREAD 4 /* SIGEV_THREAD_ID */

static int timer_id;
static bool is_running;

/* One that our handler still has: a program may have set its own for others since. */
static int own_signal(void) {
    for (int i = VAKA_SIGNALS - 1; i >= 0; i--) {
        struct vaka_action action;
        if (vaka_async_call(SYS_rt_sigaction, vaka_async_signals[i], 0, (long)&action, sizeof(action.mask), 0, 0) ==
                0 &&
            action.handler == (uintptr_t)vaka_async_handle) {
            return vaka_async_signals[i];
        }
    }
    return 0;
}

static struct timespec time_of(uint64_t nanoseconds) {
    return (struct timespec){(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
}

void vaka_async_timer_start(int tid) {
    struct kernel_event event = {&is_running, own_signal(), NOTIFY_THREAD, tid, {0}};
    struct itimerspec times = {time_of(vaka_async_state.hang_ns / 2), time_of(vaka_async_state.hang_ns)};
    is_running = false;
    if (event.signal == 0 ||
        vaka_async_call(SYS_timer_create, CLOCK_MONOTONIC, (long)&event, (long)&timer_id, 0, 0, 0) != 0) {
        return;
    }
    is_running = true;
    vaka_async_call(SYS_timer_settime, timer_id, 0, (long)&times, 0, 0, 0);
}

void vaka_async_timer_stop(void) {
    if (is_running)
        vaka_async_call(SYS_timer_delete, timer_id, 0, 0, 0, 0, 0);
    is_running = false;
}

bool vaka_async_timer_is(const siginfo_t *info) {
    return info->si_code == SI_TIMER && info->si_value.sival_ptr == (const void *)&is_running;
}
