/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VAKA_ASYNC_LIMITS_H
#define VAKA_ASYNC_LIMITS_H

#pragma GCC visibility push(hidden)

/*
 * Raises the soft limits that would cost a record (the size of files, the number of descriptors and of pending
 * signals) to the hard ones, for as long as it is being written.
 */
void vaka_async_limits_raise(void);

/* Puts them back, where nobody has changed them since. */
void vaka_async_limits_restore(void);

#pragma GCC visibility pop
#endif
