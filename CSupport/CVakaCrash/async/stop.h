/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The other threads, stopped by a real-time signal. The signal is chosen and its handler set at the crash, so that a
 * program sees nothing of it before; each thread that gets it leaves its registers here and sleeps until the end.
 */
#ifndef VAKA_ASYNC_STOP_H
#define VAKA_ASYNC_STOP_H

#include "state.h"

#pragma GCC visibility push(hidden)

/* One thread, found by its id. Filled in by the thread itself, or from /proc by the one that crashed. */
struct vaka_stopped {
    int tid;                   /* atomic; 0: free */
    int has_answered;          /* atomic: the thread's own part is there */
    int asked;            /* atomic: one of the seven that was sent to stop it, where it blocks the other; 0: none */
    bool is_listed;       /* /proc named it */
    bool will_not_answer;      /* it blocks the signal, or is dead */
    bool is_written;           /* its part of the record */
    int signal;                /* to be sent to it; 0: none */
    uint8_t name[VAKA_THREAD_NAME_BYTES];
    uint64_t registers[VAKA_REGISTERS_ARM64];
};

static inline int vaka_async_stopped_tid(const struct vaka_stopped *place) {
    return __atomic_load_n(&place->tid, __ATOMIC_ACQUIRE);
}

/* Sends the signal to every other thread, and does not wait. */
void vaka_async_stop_threads(void);
/*
 * The same for a process that lives on: each thread is asked beforehand what it blocks, so that it gets one signal that
 * it can take, or none. Returns the time (CLOCK_MONOTONIC, nanoseconds) of the first one.
 */
uint64_t vaka_async_stop_threads_gently(void);
/* The signal of the last stop. */
int vaka_async_stop_signal(void);

/* Waits, within a bound, until those that can answer have. */
void vaka_async_collect_threads(void);

/* The threads that were listed, and how many there was no room for. */
uint32_t vaka_async_stopped_count(void);
struct vaka_stopped *vaka_async_stopped_at(uint32_t index);
uint32_t vaka_async_stopped_left_out(void);

/* The place of a thread that was listed, or NULL. */
struct vaka_stopped *vaka_async_stopped_thread(int tid);

/* Leaves the calling thread's registers and sleeps until the threads are released, or its time is over. */
void vaka_async_stay_stopped(const void *context);

/* True, once, where one of the seven was sent to stop this thread: it has stayed stopped, and nothing is left to do. */
bool vaka_async_stop_by(int signal, const siginfo_t *info, const void *context);

/*
 * Before something is recorded: forgets an earlier one's threads, but for those that are stopped still since a snapshot
 * was not finished. `wait_ns`: after that long they go on by themselves; `collect_ns`: so long their answers are waited for.
 */
void vaka_async_stop_begin(uint64_t wait_ns, uint64_t collect_ns);

/* Threads are being stopped, or are. */
bool vaka_async_is_stopping(void);
/* Threads that were stopped and have not gone on yet. */
uint32_t vaka_async_stopped_inside(void);

/* Lets the stopped threads go on, where the program does. */
void vaka_async_release_threads(void);

#pragma GCC visibility pop
#endif
