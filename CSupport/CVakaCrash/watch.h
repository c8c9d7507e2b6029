/* SPDX-License-Identifier: Apache-2.0 */
/* A watch, and the times by which it is judged. All times are nanoseconds. */
#ifndef VAKA_WATCH_H
#define VAKA_WATCH_H

#include "internal.h"

#pragma GCC visibility push(hidden)

enum vaka_watch_state {
    VAKA_WATCH_UNPROVEN, /* its first ping is not answered yet, and may never be */
    VAKA_WATCH_RESTING,
    VAKA_WATCH_ASKED, /* pinged, or busy */
    VAKA_WATCH_HUNG,
};

/* What the kernel tells of a thread; zeros where it does not. */
struct vaka_thread_time {
    uint64_t ran;
    uint64_t waited; /* for a processor; a wait that goes on is not in it */
    bool is_ready; /* it runs, or waits for a processor */
};

/* What the process did: unchanged, no other thread than the asking one has run. */
struct vaka_activity {
    uint64_t switches;
    uint64_t processor_ns;
};

struct vaka_crash_watch {
    /* Under the lock. */
    bool is_used;
    uint8_t name[VAKA_WATCH_NAME_BYTES];
    uint64_t bound;
    void (*ping)(void *context, vaka_crash_watch *watch, uint64_t number);
    void *context;

    /* By what is watched; atomic. */
    uint32_t turns;    /* odd: it is busy */
    int tid;           /* of the thread that answered last, or that is busy */
    uint64_t answered; /* the number of the last ping that was answered */
    uint64_t answered_at; /* CLOCK_MONOTONIC */

    /* By the watching thread. */
    enum vaka_watch_state state;
    uint64_t asked; /* the number of the last ping */
    uint32_t seen; /* turns */
    uint64_t since; /* when it was asked, or was first seen at what it does; by the watching thread's own clock */
    uint64_t next; /* when to look again; UINT64_MAX: when it says something */
    uint64_t looked; /* when it was judged last */
    uint64_t stuck; /* how long it has not gone on, without the time in which its thread waited for a processor */
    struct vaka_thread_time thread; /* at that look */
    uint64_t hung_since;
    uint64_t reported; /* when; 0: never */
    struct vaka_activity rest; /* what the process had done when it rested */
    uint32_t skipped; /* questions that were not asked, for the process had done nothing */
    char id[33]; /* of the hang's record */
    uint8_t record_id[16];
};

/* What follows from a look at a watch. */
enum vaka_watch_step {
    VAKA_STEP_NONE,
    VAKA_STEP_PING,
    VAKA_STEP_HUNG,
    VAKA_STEP_OVER,
};

/*
 * Looks at a watch at the time `now` of the watching thread's clock, which is CLOCK_MONOTONIC less what passed while that
 * thread did not run although it should have.
 */
enum vaka_watch_step vaka_watch_look(struct vaka_crash_watch *watch, uint64_t now);

/* The thread that is watched, where that is certain; else 0. */
int vaka_watch_thread(const struct vaka_crash_watch *watch);

#pragma GCC visibility pop
#endif
