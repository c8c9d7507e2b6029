/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The signal handler. Installed with SA_NODEFER and a mask of every signal but the seven: nothing else interrupts it,
 * and a fault of its own enters it again instead of killing the process before the record is finished.
 */
#include "handler.h"
#include "capture.h"
#include "ending.h"
#include "first.h"
#include "limits.h"
#include "pointers.h"
#include "repair.h"
#include "room.h"
#include "stop.h"
#include "system.h"
#include "timer.h"
#include "vaka_crash.h"

#include <errno.h>
#include <string.h>
#include <ucontext.h>

#define HANDLER_CRASHES_MAX 3

int vaka_crash_is_installed(void) {
    return vaka_async_is_installed();
}

static void begin(const struct vaka_arrival *arrival) {
    struct vaka_state *state = &vaka_async_state;
    __atomic_store_n(&state->stage, VAKA_STAGE_IDLE, __ATOMIC_RELEASE);
    __atomic_store_n(&state->chained, 0, __ATOMIC_RELEASE);
    struct vaka_crash *crash = &state->crash;
    crash->kind = VAKA_RECORD_CRASH;
    crash->threads_time_ns = VAKA_THREADS_TIME_NS;
    crash->signal = arrival->signal;
    crash->info = arrival->info;
    crash->context = arrival->context;
    crash->pid = arrival->pid;
    crash->tid = arrival->tid;
    crash->forked_child = arrival->pid != state->pid;
    crash->is_passed_on = arrival->is_passed_on;
    crash->entered_ns = vaka_async_clock(CLOCK_MONOTONIC);
    crash->realtime_ns = vaka_async_clock(CLOCK_REALTIME);
    crash->boottime_ns = vaka_async_clock(CLOCK_BOOTTIME);
    crash->handler_crashes = 0;
    crash->retried = 0;
    crash->has_updated_images = false;
    vaka_async_pointers_begin();
    state->loss_count = 0;
    vaka_async_limits_raise();
    vaka_async_stop_begin(VAKA_WAIT_MAX_NS, VAKA_COLLECT_MAX_NS);
    vaka_async_timer_start(arrival->tid);
}

/* True where a handler that was there before repaired what faulted: then there was no crash. */
static bool end(void) {
    struct vaka_state *state = &vaka_async_state;
    const struct vaka_crash *crash = &state->crash;
    __atomic_store_n(&state->stage, VAKA_STAGE_ENDING, __ATOMIC_RELEASE);
#ifdef VAKA_TEST_FAULTS
    vaka_async_test_fault(VAKA_STAGE_ENDING);
#endif
    vaka_async_timer_stop();
    vaka_async_limits_restore();
    struct vaka_place before = vaka_async_place_of(crash->context);
    if (crash->is_passed_on || !vaka_async_pass_on(crash->signal, crash->info, crash->context))
        return false;
    vaka_async_release_threads();
    if (!vaka_async_is_repaired(crash->signal, crash->info, crash->context, before))
        return false;
    /* After abort() the program dies all the same. */
    if (crash->signal != SIGABRT)
        vaka_async_capture_withdraw();
    return true;
}

static void record(void *value) {
    struct vaka_arrival *arrival = value;
    begin(arrival);
    vaka_async_capture_from(VAKA_STAGE_OPEN);
    arrival->is_repaired = end();
}

/* The next crash is recorded again. */
static void arm_again(int signal) {
    struct vaka_state *state = &vaka_async_state;
    uint32_t *repairs = &state->repairs[vaka_async_signal_index(signal)];
    if (signal == SIGABRT && *repairs >= VAKA_REPAIRS_MAX)
        return;
    ++*repairs;
    vaka_async_arm(signal);
    __atomic_store_n(&state->stage, VAKA_STAGE_IDLE, __ATOMIC_RELEASE);
    __atomic_store_n(&state->owner, 0, __ATOMIC_RELEASE);
}

/* Makes the return from this handler the return from the first one. */
static void return_to_crash(void *context) {
    ucontext_t *to = context;
    const ucontext_t *from = vaka_async_state.crash.context;
    to->uc_mcontext = from->uc_mcontext;
    to->uc_stack = from->uc_stack;
    memcpy(&to->uc_sigmask, &from->uc_sigmask, sizeof(uint64_t));
}

/* Where to go on after a crash in a stage: the next, but those without which there is no record get a second try. */
static int stage_after_crash(int stage) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    uint32_t bit = 1u << stage;
    bool is_vital = stage == VAKA_STAGE_OPEN || stage == VAKA_STAGE_FINISH || stage == VAKA_STAGE_KEEP;
    if (is_vital && (crash->retried & bit) == 0) {
        crash->retried |= bit;
        return stage;
    }
    bool is_finishing = stage == VAKA_STAGE_FINISH || stage == VAKA_STAGE_KEEP;
    if (++crash->handler_crashes >= HANDLER_CRASHES_MAX && !is_finishing)
        return VAKA_STAGE_FINISH;
    return vaka_async_stage_after(stage);
}

/* A sandbox that answers our system call with SIGSYS: the call returns that it does not exist. */
static void refuse_call(void *context) {
    ucontext_t *at = context;
#if defined(__x86_64__)
    at->uc_mcontext.gregs[REG_RAX] = -ENOSYS;
#else
    at->uc_mcontext.regs[0] = (uint64_t)-ENOSYS;
#endif
}

/* A signal on the thread that is recording its crash. */
static void handle_own(int signal, siginfo_t *info, void *context) {
    struct vaka_state *state = &vaka_async_state;
    struct vaka_crash *crash = &state->crash;
    int stage = __atomic_load_n(&state->stage, __ATOMIC_ACQUIRE);
    bool is_hung = vaka_async_timer_is(info);
    if (stage == VAKA_STAGE_ENDING) {
        if (is_hung)
            return;
        vaka_async_pass_on(signal, info, context);
        return;
    }
    if (signal == SIGSYS && info->si_code > 0) {
        refuse_call(context);
        return;
    }
    /* Sent from outside: the crash at hand ends the process anyway. */
    if (!is_hung && info->si_code <= 0 && info->si_pid != crash->pid)
        return;
    if (is_hung) {
        uint64_t spent = vaka_async_clock(CLOCK_MONOTONIC) - crash->entered_ns;
        vaka_async_add_loss(VAKA_LOSS_HANDLER_HUNG, (uint32_t)stage, spent);
    } else {
        vaka_async_add_loss(VAKA_LOSS_HANDLER_CRASHED, (uint32_t)stage,
                            info->si_code > 0 ? (uint64_t)(uintptr_t)info->si_addr : 0);
    }
    vaka_async_capture_from(stage_after_crash(stage));
    end();
    return_to_crash(context);
}

/*
 * A snapshot that another thread takes comes to its end first: it needs the same memory. One that does not, hangs in a
 * system call, and is stopped when that returns.
 */
static void wait_for_snapshot(uint64_t owner, const void *context) {
    uint64_t start = vaka_async_clock(CLOCK_MONOTONIC);
    while (__atomic_load_n(&vaka_async_state.owner, __ATOMIC_ACQUIRE) == owner &&
           vaka_async_clock(CLOCK_MONOTONIC) - start < VAKA_SNAPSHOT_PATIENCE_NS) {
        if (vaka_async_is_stopping())
            vaka_async_stay_stopped(context);
        vaka_async_sleep(100000u);
    }
}

/* Takes the one place there is. False: not ours to record. */
static bool take_ownership(int pid, int tid, const void *context, bool *is_own) {
    uint64_t me = vaka_async_owner(pid, tid);
    uint64_t owner = 0;
    *is_own = false;
    while (
        !__atomic_compare_exchange_n(&vaka_async_state.owner, &owner, me, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        uint64_t recording = owner & ~VAKA_OWNER_SNAPSHOT;
        bool is_snapshot = recording != owner;
        *is_own = owner == me;
        /* An owner of another process is the parent's, as it was at the fork. */
        if (recording >> 32 != (uint32_t)pid)
            continue;
        if (!is_snapshot)
            return false;
        if (recording != me)
            wait_for_snapshot(owner, context);
    }
    return true;
}

static bool is_ignored(int signal, const siginfo_t *info) {
    int index = vaka_async_signal_index(signal);
    return index < 0 || (!vaka_async_timer_is(info) && vaka_async_state.previous[index].handler == (uintptr_t)SIG_IGN &&
                         info->si_code <= 0);
}

bool vaka_async_record(struct vaka_arrival *arrival) {
    bool is_own;
    if (!take_ownership(arrival->pid, arrival->tid, arrival->context, &is_own))
        return false;
    vaka_async_call_with_room(arrival->context, record, arrival);
    return true;
}

/* The one that records may have become it just now, and not be ready to keep others. */
static void stay_for_owner(const void *context) {
    const struct vaka_state *state = &vaka_async_state;
    uint64_t owner = __atomic_load_n(&state->owner, __ATOMIC_ACQUIRE);
    uint64_t start = vaka_async_clock(CLOCK_MONOTONIC);
    while (__atomic_load_n(&state->stage, __ATOMIC_ACQUIRE) == VAKA_STAGE_IDLE &&
           __atomic_load_n(&state->owner, __ATOMIC_ACQUIRE) == owner &&
           vaka_async_clock(CLOCK_MONOTONIC) - start < VAKA_WAIT_MAX_NS) {
        vaka_async_sleep(20000u);
    }
    vaka_async_stay_stopped(context);
}

/* A vfork child runs in its parent's memory: it may change nothing there. */
static bool is_vfork_child(int pid) {
    const struct vaka_state *state = &vaka_async_state;
    return pid != state->pid && state->fork_mark != NULL && *state->fork_mark != 0;
}

void vaka_async_handle(int signal, siginfo_t *info, void *context) {
    int pid = vaka_async_getpid();
    int tid = vaka_async_gettid();
    bool is_own;
    if (is_vfork_child(pid)) {
        vaka_async_default_action(signal, info, context);
        return;
    }
    if (vaka_async_stop_by(signal, info, context) || is_ignored(signal, info))
        return;
    /* Nor does a sandbox end a program that is asked for a snapshot. */
    if (signal == SIGSYS && info->si_code > 0 &&
        __atomic_load_n(&vaka_async_state.snapshot_tid, __ATOMIC_ACQUIRE) == tid) {
        refuse_call(context);
        return;
    }
    if (!vaka_async_is_installed()) {
        vaka_async_pass_on(signal, info, context);
        return;
    }
    struct vaka_arrival arrival = {.signal = signal, .info = info, .context = context, .pid = pid, .tid = tid};
    if (vaka_async_first_takes(&arrival))
        return;
    if (take_ownership(pid, tid, context, &is_own)) {
        vaka_async_call_with_room(context, record, &arrival);
        if (arrival.is_repaired)
            arm_again(signal);
    } else if (is_own) {
        handle_own(signal, info, context);
    } else {
        /* Another thread's crash is being recorded, and ends the process unless a handler repairs it. */
        stay_for_owner(context);
        if (!vaka_async_call_previous(signal, info, context))
            vaka_async_pass_on(signal, info, context);
    }
}
