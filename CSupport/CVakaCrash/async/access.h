/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VAKA_ASYNC_ACCESS_H
#define VAKA_ASYNC_ACCESS_H

#include "state.h"

#pragma GCC visibility push(hidden)

/* Adds to the reason of a SIGSEGV or SIGBUS what its registers and instruction tell. */
void vaka_async_explain_access(struct vaka_reason *reason);

/* Trap number and error code, as far as the processor's frame has them. */
void vaka_async_take_processor_codes(const void *context, struct vaka_reason *reason);

/* Whether a page fault was one of writing. */
bool vaka_async_wrote(int signal, const siginfo_t *info, const void *context);

#pragma GCC visibility pop
#endif
