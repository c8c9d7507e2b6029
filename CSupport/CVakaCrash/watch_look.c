/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether what is watched goes on. While the process does nothing it is seldom asked: then only two counters are looked
 * at, on the watching thread, and the program sleeps on.
 */
#include "watch.h"

#include "async/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Between two questions, while it is judged, and after a question until the answer is looked for: parts of the bound. */
#define REST_PARTS 2u
#define TICK_PARTS 5u
#define ANSWER_PARTS 20u
#define ANSWER_MAX_NS 50000000u
/* What came to a stop just after its answer, before the counters were taken, looks idle: it is asked all the same, later. */
#define SKIPPED_MAX 11u
/* A thread that runs on and on is not switched, but uses the processor. */
#define IDLE_PROCESSOR_NS 1000000u

static uint64_t microseconds_of(const struct timeval *time) {
    return (uint64_t)time->tv_sec * 1000000u + (uint64_t)time->tv_usec;
}

static struct vaka_activity usage_of(int who) {
    struct rusage usage = {0};
    getrusage(who, &usage);
    return (struct vaka_activity){
        (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw,
        1000u * (microseconds_of(&usage.ru_utime) + microseconds_of(&usage.ru_stime)),
    };
}

static struct vaka_activity activity(void) {
    struct vaka_activity all = usage_of(RUSAGE_SELF);
    struct vaka_activity own = usage_of(RUSAGE_THREAD);
    return (struct vaka_activity){all.switches - own.switches, all.processor_ns - own.processor_ns};
}

static bool is_idle_since(const struct vaka_activity *rest) {
    struct vaka_activity now = activity();
    return now.switches == rest->switches && now.processor_ns - rest->processor_ns < IDLE_PROCESSOR_NS;
}

int vaka_watch_thread(const struct vaka_crash_watch *watch) {
    int tid = __atomic_load_n(&watch->tid, __ATOMIC_ACQUIRE);
    /* A queue that the main thread serves is served by it alone; others by any of several threads. */
    return watch->ping == NULL || tid == getpid() ? tid : 0;
}

/* "ID (NAME) STATE …": the name may hold anything. */
static bool is_ready(int tid) {
    char path[64], text[256];
    snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
    vaka_read_small_file(path, text, sizeof(text));
    const char *after_name = strrchr(text, ')');
    return after_name != NULL && after_name[1] == ' ' && after_name[2] == 'R';
}

static struct vaka_thread_time time_of(int tid) {
    char path[64], text[128];
    unsigned long long ran, waited;
    if (tid == 0)
        return (struct vaka_thread_time){0};
    snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", tid);
    vaka_read_small_file(path, text, sizeof(text));
    if (sscanf(text, "%llu %llu", &ran, &waited) != 2)
        return (struct vaka_thread_time){0};
    return (struct vaka_thread_time){ran, waited, is_ready(tid)};
}

/*
 * Adds what passed since the last look to the time that it has been stuck. A thread that is ready but did not run waited
 * for a processor: that is the machine's doing.
 */
static void add_stuck(struct vaka_crash_watch *watch, uint64_t now) {
    struct vaka_thread_time then = watch->thread, thread = time_of(vaka_watch_thread(watch));
    uint64_t passed = now - watch->looked;
    uint64_t waited = thread.waited > then.waited ? thread.waited - then.waited : 0;
    uint64_t ran = thread.ran > then.ran ? thread.ran - then.ran : 0;
    if (thread.is_ready)
        waited = ran < passed ? passed - ran : 0;
    watch->stuck += waited < passed ? passed - waited : 0;
    watch->looked = now;
    watch->thread = thread;
}

static enum vaka_watch_step rest(struct vaka_crash_watch *watch, uint64_t next) {
    bool is_over = watch->state == VAKA_WATCH_HUNG;
    watch->state = VAKA_WATCH_RESTING;
    watch->next = next;
    return is_over ? VAKA_STEP_OVER : VAKA_STEP_NONE;
}

static void begin(struct vaka_crash_watch *watch, uint64_t now) {
    watch->state = VAKA_WATCH_ASKED;
    watch->since = now;
    watch->looked = now;
    watch->stuck = 0;
    watch->thread = time_of(vaka_watch_thread(watch));
}

/* It is asked, or busy with one thing: has that gone on for too long? */
static enum vaka_watch_step judge(struct vaka_crash_watch *watch, uint64_t now) {
    uint64_t tick = watch->bound / TICK_PARTS;
    watch->next = now + tick;
    if (watch->state == VAKA_WATCH_HUNG)
        return VAKA_STEP_NONE;
    add_stuck(watch, now);
    if (watch->stuck >= watch->bound) {
        watch->state = VAKA_WATCH_HUNG;
        return VAKA_STEP_HUNG;
    }
    if (watch->bound - watch->stuck < tick)
        watch->next = now + (watch->bound - watch->stuck);
    return VAKA_STEP_NONE;
}

static enum vaka_watch_step ask(struct vaka_crash_watch *watch, uint64_t now) {
    uint64_t until_answer = watch->bound / ANSWER_PARTS;
    begin(watch, now);
    watch->skipped = 0;
    watch->next = now + (until_answer < ANSWER_MAX_NS ? until_answer : ANSWER_MAX_NS);
    return VAKA_STEP_PING;
}

static enum vaka_watch_step look_at_answers(struct vaka_crash_watch *watch, uint64_t now) {
    bool is_answered = watch->asked != 0 && __atomic_load_n(&watch->answered, __ATOMIC_ACQUIRE) == watch->asked;
    uint64_t pause = watch->bound / REST_PARTS;
    switch (watch->state) {
    case VAKA_WATCH_UNPROVEN:
        watch->next = UINT64_MAX;
        if (watch->asked == 0)
            return VAKA_STEP_PING;
        return is_answered ? rest(watch, now + pause) : VAKA_STEP_NONE;
    case VAKA_WATCH_RESTING:
        if (now < watch->next)
            return VAKA_STEP_NONE;
        watch->next = now + pause;
        if (watch->skipped >= SKIPPED_MAX || !is_idle_since(&watch->rest))
            return ask(watch, now);
        watch->skipped++;
        return VAKA_STEP_NONE;
    default:
        if (!is_answered)
            return now < watch->next ? VAKA_STEP_NONE : judge(watch, now);
        watch->rest = activity();
        return rest(watch, now + pause);
    }
}

static enum vaka_watch_step look_at_turns(struct vaka_crash_watch *watch, uint64_t now) {
    uint32_t turns = __atomic_load_n(&watch->turns, __ATOMIC_ACQUIRE);
    bool is_busy = turns % 2 != 0;
    bool is_same = turns == watch->seen;
    watch->seen = turns;
    if (!is_busy)
        return rest(watch, UINT64_MAX);
    if (is_same && watch->state != VAKA_WATCH_RESTING)
        return now < watch->next ? VAKA_STEP_NONE : judge(watch, now);
    enum vaka_watch_step step = rest(watch, 0);
    begin(watch, now);
    watch->next = now + watch->bound / TICK_PARTS;
    return step;
}

enum vaka_watch_step vaka_watch_look(struct vaka_crash_watch *watch, uint64_t now) {
    return watch->ping != NULL ? look_at_answers(watch, now) : look_at_turns(watch, now);
}
