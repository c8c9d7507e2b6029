/* SPDX-License-Identifier: Apache-2.0 */
#include "stop.h"
#include "capture.h"
#include "handler.h"
#include "proc.h"
#include "reader.h"
#include "system.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <ucontext.h>

/* Twice as many places as threads: a search for a free one is short. */
#define PLACES (2u * VAKA_THREADS_MAX)
/* The lowest real-time signals belong to libc; programs take the next ones from below, and a few the highest. */
#define SIGNAL_FIRST 56
#define SIGNAL_LAST 37
/* Without any answer for this long, /proc is asked who cannot. */
#define QUIET_NS 1000000u
/* Some block everything for a moment only, as libc does while it makes or ends a thread: so often they are asked. */
#define DEAF_ROUNDS 12
/* And so often before a snapshot. */
#define GENTLE_ROUNDS 3

static struct {
    int signal;
    uint32_t answers; /* atomic; a futex while is_collecting */
    int is_collecting;
    int is_stopping; /* atomic */
    uint32_t generation; /* atomic: counts stops */
    uint32_t released; /* atomic, a futex: threads stopped in this generation and before go on */
    uint32_t inside; /* atomic: threads that are stopped */
    uint64_t wait_ns; /* atomic */
    uint64_t collect_ns;
    bool is_used;
    bool is_gentle;
    uint32_t count;
    uint32_t left_out;
    uint16_t listed[VAKA_THREADS_MAX];
    struct vaka_stopped places[PLACES];
} stop;

/* Private to the process; the kernel's header is not in every libc's reach. */
#define FUTEX_WAIT 128
#define FUTEX_WAKE 129

static long futex(const void *word, int operation, uint32_t value, uint64_t nanoseconds) {
    struct timespec bound = {(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
    return vaka_async_call(SYS_futex, (long)word, operation, value, operation == FUTEX_WAIT ? (long)&bound : 0, 0, 0);
}

/* The thread's place, taken if it has none. Both sides come here: the one that lists and the one that answers. */
static struct vaka_stopped *place_of(int tid) {
    for (uint32_t i = 0; i < PLACES; i++) {
        struct vaka_stopped *place = &stop.places[((uint32_t)tid + i) % PLACES];
        int found = 0;
        if (__atomic_compare_exchange_n(&place->tid, &found, tid, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
            found == tid) {
            return place;
        }
    }
    return NULL;
}

/* Who has answered already need not do so again; everything else is found out anew. */
static void keep_answers(void) {
    for (uint32_t i = 0; i < PLACES; i++) {
        stop.places[i].is_listed = false;
        stop.places[i].is_written = false;
        stop.places[i].will_not_answer = false;
    }
}

/* A thread that got an old signal late may look for its place meanwhile. */
static void forget_places(void) {
    for (uint32_t i = 0; i < PLACES; i++) {
        struct vaka_stopped *place = &stop.places[i];
        __atomic_store_n(&place->asked, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&place->has_answered, 0, __ATOMIC_RELAXED);
        place->signal = 0;
        memset(place->name, 0, sizeof(place->name));
        memset(place->registers, 0, sizeof(place->registers));
        __atomic_store_n(&place->tid, 0, __ATOMIC_RELEASE);
    }
}

void vaka_async_stop_begin(uint64_t wait_ns, uint64_t collect_ns) {
    __atomic_store_n(&stop.wait_ns, wait_ns, __ATOMIC_RELEASE);
    stop.collect_ns = collect_ns;
    stop.count = 0;
    stop.left_out = 0;
    if (stop.is_used)
        keep_answers();
    if (vaka_async_is_stopping())
        return;
    if (stop.is_used)
        forget_places();
    stop.is_used = true;
    stop.answers = 0;
    __atomic_fetch_add(&stop.generation, 1, __ATOMIC_ACQ_REL);
}

bool vaka_async_is_stopping(void) {
    return __atomic_load_n(&stop.is_stopping, __ATOMIC_ACQUIRE) != 0;
}

uint32_t vaka_async_stopped_inside(void) {
    return __atomic_load_n(&stop.inside, __ATOMIC_ACQUIRE);
}

static void answer(const void *context) {
    struct vaka_stopped *place = place_of(vaka_async_gettid());
    if (place == NULL)
        return;
    if (__atomic_load_n(&place->has_answered, __ATOMIC_ACQUIRE) == 0) {
        vaka_async_registers_of(context, place->registers);
        vaka_async_call(SYS_prctl, PR_GET_NAME, (long)place->name, 0, 0, 0, 0);
        __atomic_store_n(&place->has_answered, 1, __ATOMIC_RELEASE);
    }
    __atomic_fetch_add(&stop.answers, 1, __ATOMIC_ACQ_REL);
    if (__atomic_load_n(&stop.is_collecting, __ATOMIC_ACQUIRE) != 0)
        futex(&stop.answers, FUTEX_WAKE, 1, 0);
}

void vaka_async_stay_stopped(const void *context) {
    uint32_t generation = __atomic_load_n(&stop.generation, __ATOMIC_ACQUIRE);
    uint64_t start = vaka_async_clock(CLOCK_MONOTONIC);
    __atomic_fetch_add(&stop.inside, 1, __ATOMIC_ACQ_REL);
    answer(context);
    for (;;) {
        uint64_t spent = vaka_async_clock(CLOCK_MONOTONIC) - start;
        /* A crash that comes while a snapshot is taken keeps the threads for longer. */
        uint64_t bound = __atomic_load_n(&stop.wait_ns, __ATOMIC_ACQUIRE);
        uint32_t released = __atomic_load_n(&stop.released, __ATOMIC_ACQUIRE);
        if ((int32_t)(released - generation) >= 0 || spent >= bound)
            break;
        futex(&stop.released, FUTEX_WAIT, released, bound - spent);
    }
    __atomic_fetch_sub(&stop.inside, 1, __ATOMIC_ACQ_REL);
}

/* Where the kernel had no room to keep who sent it (RLIMIT_SIGPENDING), it names no process. */
static bool is_from_here(const siginfo_t *info) {
    bool is_unknown = info->si_code == SI_USER && info->si_pid == 0;
    return is_unknown || (info->si_code == SI_TKILL && info->si_pid == vaka_async_getpid());
}

/* One that comes when nothing is being recorded was held back by a thread that blocked it. */
static void handle_stop(int signal, siginfo_t *info, void *context) {
    (void)signal;
    if (is_from_here(info) && vaka_async_is_stopping())
        vaka_async_stay_stopped(context);
}

static struct vaka_stopped *known_place(int tid) {
    for (uint32_t i = 0; i < PLACES; i++) {
        struct vaka_stopped *place = &stop.places[((uint32_t)tid + i) % PLACES];
        int found = __atomic_load_n(&place->tid, __ATOMIC_ACQUIRE);
        if (found == tid || found == 0)
            return found == 0 ? NULL : place;
    }
    return NULL;
}

/*
 * A mark says it or, where the kernel had no room to keep that, the place of this thread. A signal that was sent for a
 * snapshot may come at any time afterwards.
 */
bool vaka_async_stop_by(int signal, const siginfo_t *info, const void *context) {
    bool is_marked =
        info->si_code == SI_QUEUE && info->si_value.sival_ptr == &stop && info->si_pid == vaka_async_getpid();
    if (!is_marked && !is_from_here(info))
        return false;
    struct vaka_stopped *place = known_place(vaka_async_gettid());
    int asked = signal;
    bool was_asked = place != NULL &&
                     __atomic_compare_exchange_n(&place->asked, &asked, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    if (!is_marked && !was_asked)
        return false;
    if (vaka_async_is_stopping())
        vaka_async_stay_stopped(context);
    return true;
}

static long action_call(int signal, const struct vaka_action *set, struct vaka_action *get) {
    return vaka_async_call(SYS_rt_sigaction, signal, (long)set, (long)get, sizeof(uint64_t), 0, 0);
}

/* One that nobody handles and, if there is such a one, that the crashed code does not block. */
static int choose_signal(void) {
    const ucontext_t *context = vaka_async_state.crash.context;
    uint64_t blocked = 0;
    if (context != NULL)
        memcpy(&blocked, &context->uc_sigmask, sizeof(blocked));
    int chosen = 0;
    for (int signal = SIGNAL_FIRST; signal >= SIGNAL_LAST; signal--) {
        struct vaka_action action;
        if (action_call(signal, NULL, &action) != 0)
            continue;
        if (action.handler != (uintptr_t)SIG_DFL && action.handler != (uintptr_t)handle_stop)
            continue;
        if ((blocked & vaka_async_signal_bit(signal)) == 0)
            return signal;
        if (chosen == 0)
            chosen = signal;
    }
    return chosen;
}

static bool set_handler(void) {
    struct vaka_action action = {
        .handler = (uintptr_t)handle_stop,
        .flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | vaka_async_state.restorer_flag,
        .restorer = vaka_async_state.restorer,
        .mask = ~(uint64_t)0,
    };
    for (int i = 0; i < VAKA_SIGNALS; i++)
        action.mask &= ~vaka_async_signal_bit(vaka_async_signals[i]);
    stop.signal = choose_signal();
    return stop.signal != 0 && action_call(stop.signal, &action, NULL) == 0;
}

static struct vaka_stopped *list(int tid) {
    if (tid == vaka_async_state.crash.tid)
        return NULL;
    struct vaka_stopped *place = place_of(tid);
    if (place != NULL && place->is_listed)
        return NULL;
    if (place == NULL || stop.count == VAKA_THREADS_MAX) {
        stop.left_out++;
        return NULL;
    }
    place->is_listed = true;
    place->signal = stop.signal;
    stop.listed[stop.count++] = (uint16_t)(place - stop.places);
    return place;
}

/*
 * Dispatch blocks every signal on its threads, Swift's tasks' among them, but those of faults. The two of these that no
 * code waits for stop it as well, where the handler is ours.
 */
static int fault_signal(uint64_t blocked) {
    static const int candidates[] = {SIGSYS, SIGTRAP};
    for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++) {
        int signal = candidates[i];
        struct vaka_action action;
        if ((blocked & vaka_async_signal_bit(signal)) == 0 && action_call(signal, NULL, &action) == 0 &&
            action.handler == (uintptr_t)vaka_async_handle) {
            return signal;
        }
    }
    return 0;
}

/* In a process that ends the place alone says whose it is: not every emulator passes on what a signal carries. */
static long send_fault(struct vaka_stopped *place, int signal) {
    int pid = vaka_async_state.crash.pid;
    if (signal == 0)
        return -EINVAL;
    place->signal = signal;
    __atomic_store_n(&place->asked, signal, __ATOMIC_RELEASE);
    if (!stop.is_gentle)
        return vaka_async_call(SYS_tgkill, pid, vaka_async_stopped_tid(place), signal, 0, 0, 0);
    siginfo_t info = {.si_signo = signal, .si_code = SI_QUEUE};
    info.si_pid = pid;
    info.si_value.sival_ptr = &stop;
    return vaka_async_call(SYS_rt_tgsigqueueinfo, pid, vaka_async_stopped_tid(place), signal, (long)&info, 0, 0);
}

static bool is_alive(enum vaka_thread_life life) {
    return life == VAKA_THREAD_ALIVE || life == VAKA_THREAD_WAITS;
}

/* Where no more signals may be pending (RLIMIT_SIGPENDING), those without a queue still come. */
static bool ask(struct vaka_stopped *place) {
    uint64_t blocked;
    if (place->signal == 0)
        return false;
    if (place->signal != stop.signal)
        return send_fault(place, place->signal) == 0;
    long sent =
        vaka_async_call(SYS_tgkill, vaka_async_state.crash.pid, vaka_async_stopped_tid(place), stop.signal, 0, 0, 0);
    if (sent == -EAGAIN && !stop.is_gentle && is_alive(vaka_async_proc_life(vaka_async_stopped_tid(place), &blocked)))
        return send_fault(place, fault_signal(blocked)) == 0;
    return sent == 0;
}

static void send(struct vaka_stopped *place) {
    place->will_not_answer = !ask(place);
}

static void list_and_send(int tid) {
    struct vaka_stopped *place = list(tid);
    if (place == NULL)
        return;
    if (vaka_async_proc_waits_for_signals(tid))
        place->signal = 0;
    send(place);
}

static long list_all(void (*each)(int)) {
    stop.left_out = 0;
    return vaka_async_proc_threads(each);
}

static void prepare(void) {
    if (!set_handler())
        stop.signal = 0;
}

void vaka_async_stop_threads(void) {
    vaka_async_reader_free_descriptors();
    prepare();
    stop.is_gentle = false;
    __atomic_store_n(&stop.is_stopping, 1, __ATOMIC_RELEASE);
    list_all(list_and_send);
}

static bool is_awaited(const struct vaka_stopped *place) {
    return !place->will_not_answer && __atomic_load_n(&place->has_answered, __ATOMIC_ACQUIRE) == 0;
}

static bool is_complete(void) {
    for (uint32_t i = 0; i < stop.count; i++) {
        if (is_awaited(&stop.places[stop.listed[i]]))
            return false;
    }
    return true;
}

/* False where the thread will never answer. */
static bool ask_otherwise(struct vaka_stopped *place) {
    uint64_t blocked;
    enum vaka_thread_life life = vaka_async_proc_life(vaka_async_stopped_tid(place), &blocked);
    if (!is_alive(life))
        return false;
    if ((blocked & vaka_async_signal_bit(stop.signal)) == 0)
        return life == VAKA_THREAD_ALIVE || !stop.is_gentle;
    return send_fault(place, fault_signal(blocked)) == 0;
}

/* 0: none that it can take. */
static int signal_for(int tid) {
    uint64_t blocked;
    if (stop.signal == 0 || !is_alive(vaka_async_proc_life(tid, &blocked)) || vaka_async_proc_waits_for_signals(tid))
        return 0;
    return (blocked & vaka_async_signal_bit(stop.signal)) == 0 ? stop.signal : fault_signal(blocked);
}

static void list_and_choose(int tid) {
    struct vaka_stopped *place = list(tid);
    if (place != NULL)
        place->signal = signal_for(tid);
}

static void list_choose_and_send(int tid) {
    struct vaka_stopped *place = list(tid);
    if (place == NULL)
        return;
    place->signal = signal_for(tid);
    send(place);
}

/* Those that blocked everything, as libc does for a moment, are looked at again before anyone is stopped. */
static void choose_again(void) {
    for (int round = 0; round < GENTLE_ROUNDS; round++) {
        bool is_deaf = false;
        for (uint32_t i = 0; i < stop.count; i++) {
            struct vaka_stopped *place = &stop.places[stop.listed[i]];
            if (place->signal == 0)
                place->signal = signal_for(vaka_async_stopped_tid(place));
            is_deaf = is_deaf || place->signal == 0;
        }
        if (!is_deaf)
            return;
        vaka_async_sleep(QUIET_NS);
    }
}

uint64_t vaka_async_stop_threads_gently(void) {
    prepare();
    stop.is_gentle = true;
    list_all(list_and_choose);
    choose_again();
    uint64_t start = vaka_async_clock(CLOCK_MONOTONIC);
    __atomic_store_n(&stop.is_stopping, 1, __ATOMIC_RELEASE);
    for (uint32_t i = 0; i < stop.count; i++)
        send(&stop.places[stop.listed[i]]);
    return start;
}

int vaka_async_stop_signal(void) {
    return stop.signal;
}

/* At last gives up those that still block everything. */
static void ask_quiet(bool is_last) {
    for (uint32_t i = 0; i < stop.count; i++) {
        struct vaka_stopped *place = &stop.places[stop.listed[i]];
        if (is_awaited(place) && place->signal == stop.signal && !ask_otherwise(place))
            place->will_not_answer = is_last;
    }
}

void vaka_async_collect_threads(void) {
    /* Those that were made while the signals were sent. */
    long error = list_all(stop.is_gentle ? list_choose_and_send : list_and_send);
    if (error != 0)
        vaka_async_add_loss(VAKA_LOSS_PROC, 0, (uint64_t)-error);
    uint64_t start = vaka_async_clock(CLOCK_MONOTONIC);
    __atomic_store_n(&stop.is_collecting, 1, __ATOMIC_RELEASE);
    int rounds = 0;
    while (!is_complete() && vaka_async_clock(CLOCK_MONOTONIC) - start < stop.collect_ns) {
        uint32_t answers = __atomic_load_n(&stop.answers, __ATOMIC_ACQUIRE);
        if (is_complete())
            break;
        if (futex(&stop.answers, FUTEX_WAIT, answers, QUIET_NS) == -ETIMEDOUT && rounds < DEAF_ROUNDS)
            ask_quiet(++rounds == DEAF_ROUNDS);
    }
    __atomic_store_n(&stop.is_collecting, 0, __ATOMIC_RELEASE);
}

uint32_t vaka_async_stopped_count(void) {
    return stop.count;
}

struct vaka_stopped *vaka_async_stopped_at(uint32_t index) {
    return &stop.places[stop.listed[index]];
}

uint32_t vaka_async_stopped_left_out(void) {
    return stop.left_out;
}

struct vaka_stopped *vaka_async_stopped_thread(int tid) {
    struct vaka_stopped *place = known_place(tid);
    return place != NULL && place->is_listed ? place : NULL;
}

void vaka_async_release_threads(void) {
    uint32_t generation = __atomic_load_n(&stop.generation, __ATOMIC_ACQUIRE);
    __atomic_store_n(&stop.is_stopping, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&stop.released, generation, __ATOMIC_RELEASE);
    futex(&stop.released, FUTEX_WAKE, 0x7fffffff, 0);
}
