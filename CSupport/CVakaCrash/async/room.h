/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VAKA_ASYNC_ROOM_H
#define VAKA_ASYNC_ROOM_H

#pragma GCC visibility push(hidden)

/*
 * Calls `function` with `argument`: where the handler was begun on an alternate stack that is too small for it, on the
 * spare stack that install mapped. That one is the thread's alternate stack until the handler returns, so that a crash
 * in the handler does not overwrite what the kernel left of the first one. By the one thread that records only.
 */
void vaka_async_call_with_room(const void *context, void (*function)(void *), void *argument);

#pragma GCC visibility pop
#endif
