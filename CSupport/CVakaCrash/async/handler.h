/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VAKA_ASYNC_HANDLER_H
#define VAKA_ASYNC_HANDLER_H

#include <signal.h>

#pragma GCC visibility push(hidden)

/* The signal handler of all seven. */
void vaka_async_handle(int signal, siginfo_t *info, void *context);

#pragma GCC visibility pop
#endif
