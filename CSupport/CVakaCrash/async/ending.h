/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VAKA_ASYNC_ENDING_H
#define VAKA_ASYNC_ENDING_H

#include "state.h"

#pragma GCC visibility push(hidden)

/*
 * Passes the signal on as if ours had never been installed: to the handler that was there before, called with the
 * original siginfo and context, or to the default action. When it returns, the signal handler must return too; true
 * where the program goes on afterwards.
 */
bool vaka_async_pass_on(int signal, siginfo_t *info, void *context);

/* The default action; on return from the signal handler it takes place. */
void vaka_async_default_action(int signal, siginfo_t *info, void *context);

/* True where a return from the handler runs the faulting instruction again. */
bool vaka_async_faults_again(int signal, const siginfo_t *info);

#pragma GCC visibility pop
#endif
