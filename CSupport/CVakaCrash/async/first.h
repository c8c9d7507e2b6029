/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A handler that was there before ours and has repaired several faults is one that lives by them, as a virtual machine's:
 * it comes first, and what it repairs is not recorded.
 */
#ifndef VAKA_ASYNC_FIRST_H
#define VAKA_ASYNC_FIRST_H

#include "handler.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* True where that handler has dealt with the signal, and the program goes on. */
bool vaka_async_first_takes(struct vaka_arrival *arrival);

/* Before the process ends by exit or _exit: where such a handler does that, what it was called for is a crash. */
void vaka_async_first_leaves(void);

#pragma GCC visibility pop
#endif
