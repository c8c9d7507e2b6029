/* SPDX-License-Identifier: Apache-2.0 */
/* What /proc/self/task tells about threads. */
#ifndef VAKA_ASYNC_PROC_H
#define VAKA_ASYNC_PROC_H

#include "state.h"

#pragma GCC visibility push(hidden)

/* Calls `each` with the id of each thread of the process; 0 or a negative errno value. */
long vaka_async_proc_threads(void (*each)(int tid));

/* The name that /proc/PATH/comm holds, NUL-padded; PATH is "self/task/TID" or a process id. */
bool vaka_async_proc_name(const char *folder, int id, uint8_t name[VAKA_THREAD_NAME_BYTES]);

enum vaka_thread_life {
    VAKA_THREAD_UNKNOWN, /* /proc does not tell */
    VAKA_THREAD_ALIVE,
    VAKA_THREAD_WAITS, /* in the kernel, where no signal reaches it: for a disk, or for a child of vfork */
    VAKA_THREAD_DEAD,
};

/* And the signals that it blocks. */
enum vaka_thread_life vaka_async_proc_life(int tid, uint64_t *blocked);

/*
 * True of a thread that is in sigwait() or the like: it takes what is sent to it out of the kernel's hands, and the program
 * would wonder. It does not block what it waits for, as far as /proc tells.
 */
bool vaka_async_proc_waits_for_signals(int tid);

/* Program counter and stack pointer of a thread that sleeps in a system call. */
bool vaka_async_proc_place(int tid, uint64_t *pc, uint64_t *sp);

#pragma GCC visibility pop
#endif
