/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The watches, and the thread that looks at them: made by the first watch, gone after the last. It measures by a clock
 * of its own, that stands while it does not get to run although it should: so neither a machine that sleeps, nor a process
 * that is stopped, nor a debugger makes a hang.
 */
#include "watch.h"

#include "async/snapshot.h"
#include "async/system.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* With FUTEX_PRIVATE_FLAG; linux/futex.h is not everywhere where libc is. */
#define FUTEX_WAIT 128
#define FUTEX_WAKE 129
#define WATCHES_MAX 32
#define BOUND_DEFAULT_MS 5000u
#define BOUND_LEAST_MS 50u
/* A watch that hangs again and again is reported once in this time. */
#define REPORT_PAUSE_NS 60000000000u
#define THREAD_STACK_BYTES (256u * 1024u)
/* Wake-ups may come so much later, as a part of the bound: the kernel puts them together with others. */
#define SLACK_PARTS 100u

typedef void (*hang_function)(void *context, const vaka_crash_hang *hang);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t call_ended = PTHREAD_COND_INITIALIZER;
static struct vaka_crash_watch watches[WATCHES_MAX];
static uint32_t count;
static uint32_t thread_number; /* of the thread that watches; others end */
static bool has_thread;
static const struct vaka_crash_watch *called; /* its ping is being called, or its hang told, on */
static int watching_tid; /* this thread */
static uint64_t pings;
static hang_function told;
static void *told_context;
/* Atomic. */
static uint32_t wakes; /* a futex */
static int wants_word; /* an idle loop, or what hangs, is to wake the thread */

static uint64_t clock_now(void) {
    return vaka_async_clock(CLOCK_MONOTONIC);
}

static void wake(void) {
    __atomic_fetch_add(&wakes, 1, __ATOMIC_ACQ_REL);
    vaka_async_call(SYS_futex, (long)&wakes, FUTEX_WAKE, 1, 0, 0, 0);
}

/* The other side of the fence is in wait_for_word(): either this sees the wish, or that sees the change. */
static void wake_if_wanted(void) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&wants_word, __ATOMIC_RELAXED) != 0 &&
        __atomic_exchange_n(&wants_word, 0, __ATOMIC_ACQ_REL) != 0)
        wake();
}

/* --- what is watched --- */

void vaka_crash_watch_answer(vaka_crash_watch *watch, uint64_t number) {
    if (watch == NULL)
        return;
    uint64_t before = __atomic_load_n(&watch->answered, __ATOMIC_ACQUIRE);
    if (number <= before)
        return;
    __atomic_store_n(&watch->tid, vaka_async_gettid(), __ATOMIC_RELEASE);
    __atomic_store_n(&watch->answered_at, clock_now(), __ATOMIC_RELEASE);
    while (number > before &&
           !__atomic_compare_exchange_n(&watch->answered, &before, number, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    }
    wake_if_wanted();
}

void vaka_crash_watch_busy(vaka_crash_watch *watch) {
    if (watch == NULL)
        return;
    if (__atomic_load_n(&watch->tid, __ATOMIC_RELAXED) == 0)
        __atomic_store_n(&watch->tid, vaka_async_gettid(), __ATOMIC_RELEASE);
    /* One thread alone writes it. */
    uint32_t turns = __atomic_load_n(&watch->turns, __ATOMIC_RELAXED);
    __atomic_store_n(&watch->turns, turns + 1 + turns % 2, __ATOMIC_RELEASE);
    wake_if_wanted();
}

void vaka_crash_watch_idle(vaka_crash_watch *watch) {
    uint32_t turns = watch == NULL ? 0 : __atomic_load_n(&watch->turns, __ATOMIC_RELAXED);
    if (turns % 2 == 0)
        return;
    __atomic_store_n(&watch->turns, turns + 1, __ATOMIC_RELEASE);
    wake_if_wanted();
}

/* --- hangs --- */

static void tell(const struct vaka_crash_watch *watch, uint64_t stuck, int is_over) {
    char name[VAKA_WATCH_NAME_BYTES + 1] = "";
    memcpy(name, watch->name, VAKA_WATCH_NAME_BYTES);
    vaka_crash_hang hang = {.watch = name, .id = watch->id, .stuck_ms = stuck / 1000000u, .is_over = is_over};
    pthread_mutex_lock(&lock);
    hang_function function = told;
    void *context = told_context;
    pthread_mutex_unlock(&lock);
    if (function != NULL)
        function(context, &hang);
}

/* `age`: how long it hangs. */
static void note_in_run(const struct vaka_crash_watch *watch, uint64_t age) {
    struct vaka_run_hang *hang = &vaka_async_run_header()->hang;
    uint64_t since = vaka_async_clock(CLOCK_REALTIME) - age;
    if (__atomic_load_n(&hang->since_ns, __ATOMIC_ACQUIRE) != 0)
        return;
    memcpy(hang->event_id, watch->record_id, sizeof(hang->event_id));
    memcpy(hang->name, watch->name, sizeof(hang->name));
    __atomic_store_n(&hang->since_ns, since, __ATOMIC_RELEASE);
}

static bool is_noted(const struct vaka_crash_watch *watch) {
    const struct vaka_run_hang *hang = &vaka_async_run_header()->hang;
    return __atomic_load_n(&hang->since_ns, __ATOMIC_ACQUIRE) != 0 &&
           memcmp(hang->name, watch->name, sizeof(hang->name)) == 0;
}

static void forget_in_run(const struct vaka_crash_watch *watch) {
    if (is_noted(watch))
        __atomic_store_n(&vaka_async_run_header()->hang.since_ns, 0, __ATOMIC_RELEASE);
}

/* Once; where it hangs again soon there is no other record. */
static void report(struct vaka_crash_watch *watch, uint64_t stuck, uint64_t now) {
    struct vaka_snapshot_request request = {
        .kind = VAKA_RECORD_HANG,
        .subject = vaka_watch_thread(watch),
        .about = {.hang_bound_ns = watch->bound, .hang_ns = stuck},
    };
    memcpy(request.about.hang_name, watch->name, sizeof(watch->name));
    watch->id[0] = 0;
    memset(watch->record_id, 0, sizeof(watch->record_id));
    note_in_run(watch, stuck);
    if (watch->reported == 0 || now - watch->reported >= REPORT_PAUSE_NS) {
        VAKA_OWN_REGISTERS(request.registers);
        if (vaka_snapshot_take(&request, watch->id) == 0) {
            watch->reported = now;
            memcpy(watch->record_id, request.record_id, sizeof(watch->record_id));
            if (is_noted(watch))
                memcpy(vaka_async_run_header()->hang.event_id, request.record_id, sizeof(request.record_id));
        }
    }
    tell(watch, stuck, 0);
}

/* Answers tell their time; turns are noticed when they come. */
static void recovered(struct vaka_crash_watch *watch, uint64_t now, uint64_t lost) {
    uint64_t end = watch->ping == NULL ? now : __atomic_load_n(&watch->answered_at, __ATOMIC_ACQUIRE) - lost;
    forget_in_run(watch);
    /* Another one that hangs takes its place. */
    for (uint32_t i = 0; i < WATCHES_MAX; i++) {
        if (watches[i].is_used && watches[i].state == VAKA_WATCH_HUNG)
            note_in_run(&watches[i], now - watches[i].hung_since);
    }
    tell(watch, end > watch->hung_since ? end - watch->hung_since : 0, 1);
}

/* --- the watching thread --- */

static void ping(struct vaka_crash_watch *watch) {
    watch->asked = ++pings;
    called = watch;
    pthread_mutex_unlock(&lock);
    watch->ping(watch->context, watch, watch->asked);
    pthread_mutex_lock(&lock);
    called = NULL;
    pthread_cond_broadcast(&call_ended);
}

/* With the lock, which is given up for what may take its time. The watch cannot go meanwhile: see vaka_crash_watch_stop. */
static void look(struct vaka_crash_watch *watch, uint64_t now, uint64_t lost) {
    enum vaka_watch_step step = vaka_watch_look(watch, now);
    if (step == VAKA_STEP_NONE)
        return;
    if (step == VAKA_STEP_PING) {
        ping(watch);
        return;
    }
    called = watch;
    pthread_mutex_unlock(&lock);
    if (step == VAKA_STEP_HUNG) {
        watch->hung_since = watch->since;
        report(watch, watch->stuck, now);
    } else {
        recovered(watch, now, lost);
    }
    pthread_mutex_lock(&lock);
    called = NULL;
    pthread_cond_broadcast(&call_ended);
}

static bool wants_to_hear(const struct vaka_crash_watch *watch) {
    return watch->state == VAKA_WATCH_HUNG || watch->state == VAKA_WATCH_UNPROVEN ||
           (watch->ping == NULL && watch->state == VAKA_WATCH_RESTING);
}

/* Looks at all; returns when to look again. */
static uint64_t look_at_all(uint64_t now, uint64_t lost) {
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < WATCHES_MAX; i++) {
        if (watches[i].is_used)
            look(&watches[i], now, lost);
    }
    bool wants = false;
    for (uint32_t i = 0; i < WATCHES_MAX; i++) {
        if (!watches[i].is_used)
            continue;
        wants |= wants_to_hear(&watches[i]);
        if (watches[i].next < next)
            next = watches[i].next;
    }
    __atomic_store_n(&wants_word, wants, __ATOMIC_RELAXED);
    return next;
}

/* What said its word before it was wished for is seen now: then there is no waiting. */
static bool has_news(void) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (uint32_t i = 0; i < WATCHES_MAX; i++) {
        const struct vaka_crash_watch *watch = &watches[i];
        if (!watch->is_used || !wants_to_hear(watch))
            continue;
        if (watch->ping == NULL ? __atomic_load_n(&watch->turns, __ATOMIC_ACQUIRE) != watch->seen
                                : __atomic_load_n(&watch->answered, __ATOMIC_ACQUIRE) == watch->asked)
            return true;
    }
    return false;
}

static uint64_t slack(void) {
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < WATCHES_MAX; i++) {
        if (watches[i].is_used && watches[i].bound < least)
            least = watches[i].bound;
    }
    return least / SLACK_PARTS;
}

/* Sleeps until `next` of the thread's own clock, or until it is woken; returns by how much it is late. */
static uint64_t sleep_until(uint64_t next, uint64_t lost, uint32_t seen_wakes) {
    struct timespec pause;
    uint64_t planned = 0;
    if (next != UINT64_MAX) {
        uint64_t now = clock_now();
        planned = next + lost;
        uint64_t left = planned > now ? planned - now : 0;
        pause = (struct timespec){(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
    }
    vaka_async_call(SYS_futex, (long)&wakes, FUTEX_WAIT, (long)seen_wakes, next == UINT64_MAX ? 0 : (long)&pause, 0, 0);
    uint64_t now = clock_now();
    return planned != 0 && now > planned ? now - planned : 0;
}

static void *watch_all(void *value) {
    uint32_t number = (uint32_t)(uintptr_t)value;
    uint64_t lost = 0;
    prctl(PR_SET_NAME, "vaka-watch", 0, 0, 0);
    pthread_mutex_lock(&lock);
    if (number == thread_number)
        watching_tid = vaka_async_gettid();
    while (number == thread_number && count > 0) {
        uint32_t seen_wakes = __atomic_load_n(&wakes, __ATOMIC_ACQUIRE);
        uint64_t next = look_at_all(clock_now() - lost, lost);
        prctl(PR_SET_TIMERSLACK, (unsigned long)slack(), 0, 0, 0);
        bool waits = !has_news();
        pthread_mutex_unlock(&lock);
        if (waits)
            lost += sleep_until(next, lost, seen_wakes);
        pthread_mutex_lock(&lock);
    }
    if (number == thread_number)
        has_thread = false;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static int start_thread(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (int i = 0; i < VAKA_SIGNALS; i++)
        sigdelset(&blocked, vaka_async_signals[i]);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
    /* The program's signals are for its own threads. */
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    int error = pthread_create(&thread, &attributes, watch_all, (void *)(uintptr_t)++thread_number);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    has_thread = error == 0;
    return error;
}

/* --- starting and ending --- */

static struct vaka_crash_watch *take_place(const vaka_crash_watch_config *config) {
    for (uint32_t i = 0; i < WATCHES_MAX; i++) {
        struct vaka_crash_watch *watch = &watches[i];
        if (watch->is_used)
            continue;
        memset(watch, 0, sizeof(*watch));
        size_t length = strnlen(config->name, VAKA_WATCH_NAME_BYTES - 1);
        /* Never half a character. */
        while (length > 0 && config->name[length] != 0 && ((unsigned char)config->name[length] & 0xc0u) == 0x80u)
            length--;
        memcpy(watch->name, config->name, length);
        uint32_t bound = config->bound_ms == 0 ? BOUND_DEFAULT_MS : config->bound_ms;
        watch->bound = (bound < BOUND_LEAST_MS ? BOUND_LEAST_MS : bound) * (uint64_t)1000000u;
        watch->ping = config->ping;
        watch->context = config->context;
        watch->state = config->ping == NULL ? VAKA_WATCH_RESTING : VAKA_WATCH_UNPROVEN;
        watch->is_used = true;
        return watch;
    }
    return NULL;
}

vaka_crash_watch *vaka_crash_watch_start(const vaka_crash_watch_config *given) {
    vaka_forget_error();
    vaka_crash_watch_config config = {0};
    if (given != NULL)
        memcpy(&config, given, given->size < sizeof(config) ? given->size : sizeof(config));
    if (config.name == NULL || config.name[0] == 0) {
        vaka_fail(EINVAL, "a watch needs a name: set size and name of vaka_crash_watch_config");
        return NULL;
    }
    if (!vaka_async_is_installed()) {
        vaka_fail(ENOTCONN, "\"%s\" is not watched: vaka_crash_install() comes first", config.name);
        return NULL;
    }
    pthread_mutex_lock(&lock);
    struct vaka_crash_watch *watch = take_place(&config);
    int error = watch == NULL || has_thread ? 0 : start_thread();
    if (watch != NULL && error == 0)
        count++;
    else if (watch != NULL)
        watch->is_used = false;
    pthread_mutex_unlock(&lock);
    if (watch == NULL)
        vaka_fail(ENOSPC, "\"%s\" is not watched: there are %d watches already; stop another", config.name,
                  WATCHES_MAX);
    if (error != 0)
        vaka_fail(error, "\"%s\" is not watched: no thread can be made: %s", config.name, strerror(error));
    wake();
    return error == 0 ? watch : NULL;
}

void vaka_crash_watch_stop(vaka_crash_watch *watch) {
    if (watch == NULL)
        return;
    pthread_mutex_lock(&lock);
    while (called == watch && watching_tid != vaka_async_gettid())
        pthread_cond_wait(&call_ended, &lock);
    if (watch->is_used) {
        watch->is_used = false;
        count--;
        if (watch->state == VAKA_WATCH_HUNG && vaka_async_is_installed())
            forget_in_run(watch);
    }
    pthread_mutex_unlock(&lock);
    wake();
}

void vaka_crash_on_hang(hang_function function, void *context) {
    pthread_mutex_lock(&lock);
    told = function;
    told_context = context;
    pthread_mutex_unlock(&lock);
}

void vaka_crash_end_watches(void) {
    pthread_mutex_lock(&lock);
    thread_number++;
    has_thread = false;
    count = 0;
    for (uint32_t i = 0; i < WATCHES_MAX; i++)
        watches[i].is_used = false;
    pthread_mutex_unlock(&lock);
    wake();
}

void vaka_watches_forked(void) {
    pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t none = PTHREAD_COND_INITIALIZER;
    memcpy(&lock, &fresh, sizeof(lock));
    memcpy(&call_ended, &none, sizeof(call_ended));
    called = NULL;
    has_thread = false;
    count = 0;
    thread_number++;
    for (uint32_t i = 0; i < WATCHES_MAX; i++)
        watches[i].is_used = false;
}
