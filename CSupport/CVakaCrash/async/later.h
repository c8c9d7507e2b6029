/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handlers of a runtime that came after ours, and pass on to us what they would end the process for without us. Once the
 * crash is recorded they get it again in a way in which they keep it.
 *
 * Java virtual machines ask at each signal what was there before them (java.c): the answer is then "nothing". Go's
 * handler passes on faults of C code, but no signal that a process sent: it gets one.
 */
#ifndef VAKA_ASYNC_LATER_H
#define VAKA_ASYNC_LATER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Before the machine sets its handlers: notes the signals that ours still has. */
void vaka_async_later_begins(void);

/* What the machine is to take for the action before its own; NULL: what it found. Async-signal-safe. */
struct sigaction *vaka_async_later_asks(int signal);

/*
 * At the end of a crash that such a runtime passed on to us: true where it will see the signal again, at the return from
 * our handler or as soon as it unblocks it, and end the process. There must be no handler before ours.
 */
bool vaka_async_later_takes(int signal, siginfo_t *info);

#pragma GCC visibility pop
#endif
