/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VAKA_ASYNC_HANDLER_H
#define VAKA_ASYNC_HANDLER_H

#include <signal.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* The signal handler of all seven. */
void vaka_async_handle(int signal, siginfo_t *info, void *context);

/* A signal as the handler got it, and what has become of it. */
struct vaka_arrival {
    int signal;
    siginfo_t *info;
    void *context;
    int pid;
    int tid;
    bool is_passed_on; /* the handler that was there before has been called, and nobody is any more */
    bool is_repaired; /* there was no crash */
};

/* Records it as a crash, and ends as it demands; false where the calling thread cannot be the one that records. */
bool vaka_async_record(struct vaka_arrival *arrival);

#pragma GCC visibility pop
#endif
