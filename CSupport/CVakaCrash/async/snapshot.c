/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot.h"
#include "capture.h"
#include "figures.h"
#include "pointers.h"
#include "reader.h"
#include "stop.h"
#include "system.h"
#include "writer.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

/* How long threads that an earlier snapshot has released may take to be gone. */
#define LEAVING_MAX_NS 200000000u

static bool take_ownership(uint64_t mine) {
    uint64_t *place = &vaka_async_state.owner;
    uint64_t owner = 0;
    while (!__atomic_compare_exchange_n(place, &owner, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        /* An owner of another process is the parent's, as it was at the fork. */
        if ((owner & ~VAKA_OWNER_SNAPSHOT) >> 32 == (mine & ~VAKA_OWNER_SNAPSHOT) >> 32)
            return false;
    }
    return true;
}

/* False where a crash has taken it meanwhile. */
static bool give_up_ownership(uint64_t mine) {
    return __atomic_compare_exchange_n(&vaka_async_state.owner, &mine, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* A crash that is being recorded ends the process, unless the program repairs it: nobody must hurry to exit before. */
static void wait_for_crash(void) {
    uint64_t start = vaka_async_clock(CLOCK_MONOTONIC);
    while (__atomic_load_n(&vaka_async_state.owner, __ATOMIC_ACQUIRE) != 0 &&
           __atomic_load_n(&vaka_async_state.stage, __ATOMIC_ACQUIRE) != VAKA_STAGE_ENDING &&
           vaka_async_clock(CLOCK_MONOTONIC) - start < VAKA_WAIT_MAX_NS)
        vaka_async_sleep(1000000u);
}

static void wait_for_leaving(void) {
    uint64_t start = vaka_async_clock(CLOCK_MONOTONIC);
    while (vaka_async_stopped_inside() > 0 && vaka_async_clock(CLOCK_MONOTONIC) - start < LEAVING_MAX_NS)
        vaka_async_sleep(100000u);
}

static void begin(const struct vaka_snapshot_request *request, int pid, int tid) {
    struct vaka_state *state = &vaka_async_state;
    struct vaka_crash *crash = &state->crash;
    __atomic_store_n(&state->stage, VAKA_STAGE_SNAPSHOT, __ATOMIC_RELEASE);
    crash->kind = request->kind;
    crash->threads_time_ns = VAKA_SNAPSHOT_THREADS_TIME_NS;
    crash->signal = 0;
    crash->info = NULL;
    crash->context = NULL;
    crash->pid = pid;
    crash->tid = tid;
    crash->forked_child = pid != state->pid;
    crash->entered_ns = vaka_async_clock(CLOCK_MONOTONIC);
    crash->realtime_ns = vaka_async_clock(CLOCK_REALTIME);
    crash->boottime_ns = vaka_async_clock(CLOCK_BOOTTIME);
    crash->has_updated_images = false;
    vaka_async_pointers_begin();
    memcpy(crash->record_id, request->record_id, sizeof(crash->record_id));
    state->loss_count = 0;
    wait_for_leaving();
    vaka_async_stop_begin(VAKA_SNAPSHOT_WAIT_MAX_NS, VAKA_SNAPSHOT_COLLECT_MAX_NS);
    vaka_async_reader_begin(pid, crash->forked_child);
}

static void write_reason(const struct vaka_snapshot_request *request) {
    const struct vaka_crash *crash = &vaka_async_state.crash;
    struct vaka_reason reason = {
        .flags = crash->forked_child ? VAKA_REASON_FORKED_CHILD : 0,
        .pid = crash->pid,
        .tid = request->subject,
        .crashed_realtime_ns = crash->realtime_ns,
        .crashed_boottime_ns = crash->boottime_ns,
        .reader = vaka_async_reader_kind(),
    };
    vaka_async_section(VAKA_SECTION_REASON, &reason, sizeof(reason));
}

static void write_text(const char *from) {
    struct vaka_text text = {.source = VAKA_TEXT_HOST};
    uint32_t length = 0;
    while (from != NULL && length < VAKA_MESSAGE_BYTES && from[length] != 0)
        length++;
    if (length == 0)
        return;
    text.flags = length == VAKA_MESSAGE_BYTES && from[length] != 0 ? VAKA_TEXT_CUT : 0;
    vaka_async_section_begin(VAKA_SECTION_TEXT);
    vaka_async_section_append(&text, sizeof(text));
    vaka_async_section_append(from, length);
    vaka_async_section_end();
}

/* What needs no thread to stand still. */
static void write_process(const struct vaka_snapshot_request *request) {
    struct vaka_record_header header = vaka_async_record_header(request->capacity);
    struct vaka_record_file file = {.fd = -1, .capacity = request->capacity, .memory = request->memory};
    vaka_async_writer_begin(&file, &header, sizeof(header));
    write_reason(request);
    vaka_async_write_run();
    vaka_async_write_context();
    write_text(request->text);
    vaka_async_write_images();
    vaka_async_write_breadcrumbs();
    vaka_async_write_exchanges();
    vaka_async_write_figures();
    vaka_async_write_vdso();
}

static void write_own_state(const struct vaka_snapshot_request *request, bool is_subject) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    struct vaka_thread thread = {
        .tid = crash->tid,
        .flags = VAKA_THREAD_REGISTERS | VAKA_THREAD_STOPPED | (is_subject ? VAKA_THREAD_CURRENT : 0) |
                 vaka_async_pointers_flag(),
        .register_count = VAKA_REGISTERS,
    };
    if (vaka_async_call(SYS_prctl, PR_GET_NAME, (long)thread.name, 0, 0, 0, 0) == 0)
        thread.flags |= VAKA_THREAD_NAME;
    memcpy(crash->registers, request->registers, sizeof(crash->registers));
    crash->register_count = VAKA_REGISTERS;
    vaka_async_use_registers();
    vaka_async_section_begin(VAKA_SECTION_THREAD);
    vaka_async_section_append(&thread, sizeof(thread));
    vaka_async_append_registers();
    vaka_async_section_end();
}

/* The calling thread needs not be stopped to be walked. */
static void write_own_thread(const struct vaka_snapshot_request *request) {
    bool is_subject = request->subject == vaka_async_state.crash.tid;
    write_own_state(request, is_subject);
    vaka_async_write_frames();
    if (!is_subject)
        return;
    vaka_async_write_stack();
    vaka_async_write_memory();
    vaka_async_write_contexts();
    vaka_async_write_register_memory();
}

/* The others stop while the calling thread's part is written. */
static void write_threads(struct vaka_snapshot_request *request) {
    uint64_t start = vaka_async_stop_threads_gently();
    /* A crash that does not wait for this thread any longer can stop it. */
    uint64_t stop = vaka_async_signal_bit(vaka_async_stop_signal());
    vaka_async_mask(SIG_UNBLOCK, &stop);
#ifdef VAKA_TEST_FAULTS
    vaka_async_test_fault(VAKA_STAGE_SNAPSHOT);
#endif
    write_own_thread(request);
    vaka_async_collect_threads();
    vaka_async_reader_forget(0, ~(uint64_t)0);
    if (request->subject != 0 && request->subject != vaka_async_state.crash.tid) {
        int own = vaka_async_state.crash.tid;
        vaka_async_write_stopped_thread(request->subject);
        vaka_async_state.crash.tid = own;
    }
    vaka_async_write_stopped_threads();
    vaka_async_release_threads();
    request->about.stopped_ns = vaka_async_clock(CLOCK_MONOTONIC) - start;
}

int vaka_async_snapshot(struct vaka_snapshot_request *request) {
    int pid = vaka_async_getpid();
    int tid = vaka_async_gettid();
    uint64_t mine = vaka_async_owner(pid, tid) | VAKA_OWNER_SNAPSHOT;
    uint64_t before, mask = ~(uint64_t)0;
    for (int i = 0; i < VAKA_SIGNALS; i++)
        mask &= ~vaka_async_signal_bit(vaka_async_signals[i]);
    /* A handler of the program's could wait here for a thread that is stopped. */
    vaka_async_call(SYS_rt_sigprocmask, SIG_BLOCK, (long)&mask, (long)&before, sizeof(mask), 0, 0);
    bool is_mine = take_ownership(mine);
    if (is_mine) {
        begin(request, pid, tid);
        write_process(request);
        write_threads(request);
        vaka_async_section(VAKA_SECTION_SNAPSHOT, &request->about, sizeof(request->about));
        vaka_async_finish_record();
        request->record_bytes = vaka_async_writer_bytes();
        __atomic_store_n(&vaka_async_state.stage, VAKA_STAGE_IDLE, __ATOMIC_RELEASE);
        is_mine = give_up_ownership(mine);
    }
    vaka_async_mask(SIG_SETMASK, &before);
    if (!is_mine)
        wait_for_crash();
    return is_mine ? 0 : EBUSY;
}
