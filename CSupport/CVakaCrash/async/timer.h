/* SPDX-License-Identifier: Apache-2.0 */
/* A timer of the kernel's, for the time of the capture only, that interrupts a stage which hangs. */
#ifndef VAKA_ASYNC_TIMER_H
#define VAKA_ASYNC_TIMER_H

#include <signal.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* From now on, after state.hang_ns and again every half of that, the thread gets one of the seven signals. */
void vaka_async_timer_start(int tid);
void vaka_async_timer_stop(void);

/* True where the timer sent the signal. */
bool vaka_async_timer_is(const siginfo_t *info);

#pragma GCC visibility pop
#endif
