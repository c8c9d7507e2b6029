/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VAKA_ASYNC_LEAVE_H
#define VAKA_ASYNC_LEAVE_H

#pragma GCC visibility push(hidden)

/* Marks the run as ended and removes its files: once, and not for a forked child or a run that crashed. */
void vaka_async_end_run(void);

/* Where a sanitizer has one of its own: what follows our _exit. */
extern void (*vaka_async_next_exit)(int status);

#pragma GCC visibility pop
#endif
