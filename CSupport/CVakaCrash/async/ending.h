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

/* Calls the handler that was there before, which stays behind ours; false where there is none, or one for once. */
bool vaka_async_call_previous(int signal, siginfo_t *info, void *context);

/* Whether a signal's action is the default one by now. */
bool vaka_async_is_default(int signal);

/* Puts ours back, where the handler that was there before still is in its place. */
void vaka_async_arm(int signal);

/* The default action; on return from the signal handler it takes place. */
void vaka_async_default_action(int signal, siginfo_t *info, void *context);

/* True where a return from the handler runs the faulting instruction again. */
bool vaka_async_faults_again(int signal, const siginfo_t *info);

#pragma GCC visibility pop
#endif
