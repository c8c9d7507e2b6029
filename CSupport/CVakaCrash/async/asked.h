/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VAKA_ASYNC_ASKED_H
#define VAKA_ASYNC_ASKED_H

#include <signal.h>

#pragma GCC visibility push(hidden)

/* The handler of signals that ask the process to end: notes which one came, and lets the default action follow. */
void vaka_async_asked(int signal, siginfo_t *info, void *context);

#pragma GCC visibility pop
#endif
