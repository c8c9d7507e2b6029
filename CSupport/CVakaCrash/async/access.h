/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VAKA_ASYNC_ACCESS_H
#define VAKA_ASYNC_ACCESS_H

#include "state.h"

#pragma GCC visibility push(hidden)

/* Adds to the reason of a SIGSEGV or SIGBUS what its registers and instruction tell. */
void vaka_async_explain_access(struct vaka_reason *reason);

#pragma GCC visibility pop
#endif
