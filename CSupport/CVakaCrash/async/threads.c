/* SPDX-License-Identifier: Apache-2.0 */
/* The other threads: registers, name, frames and a slice of the stack of each, as far as time and bytes go. */
#include "capture.h"
#include "pointers.h"
#include "proc.h"
#include "reader.h"
#include "stop.h"
#include "system.h"
#include "writer.h"

#include <errno.h>
#include <string.h>

/* What one thread takes with a stack of some tens of frames, and without its slice. */
#define THREAD_BYTES (VAKA_THREAD_STACK_BYTES + 2048u)
#define THREAD_BYTES_LEAST 1024u

static bool is_silent(const struct vaka_stopped *stopped) {
    return __atomic_load_n(&stopped->has_answered, __ATOMIC_ACQUIRE) == 0;
}

/* The walk and the slice are of the thread that state.crash describes: the crashed one's are in the record by now. */
static void describe(const struct vaka_stopped *stopped, struct vaka_thread *thread) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    crash->tid = vaka_async_stopped_tid(stopped);
    crash->register_count = 0;
    crash->frame_count = 0;
    if (!is_silent(stopped)) {
        thread->flags |= VAKA_THREAD_REGISTERS | VAKA_THREAD_NAME | VAKA_THREAD_STOPPED;
        memcpy(thread->name, stopped->name, sizeof(thread->name));
        memcpy(crash->registers, stopped->registers, sizeof(crash->registers));
        crash->register_count = VAKA_REGISTERS;
        vaka_async_use_registers();
        return;
    }
    uint64_t pc, sp;
    if (vaka_async_proc_name("/proc/self/task/", vaka_async_stopped_tid(stopped), thread->name))
        thread->flags |= VAKA_THREAD_NAME;
    if (vaka_async_proc_place(vaka_async_stopped_tid(stopped), &pc, &sp)) {
        thread->flags |= VAKA_THREAD_REGISTERS | VAKA_THREAD_PLACE_ONLY;
        vaka_async_registers_known(pc, sp, crash->registers);
        crash->register_count = VAKA_REGISTERS;
        vaka_async_use_registers();
    }
}

/* Where the program wants less of the crashed thread's stack, it wants no more of the others'. */
static size_t slice_bytes(void) {
    uint64_t wanted = vaka_async_state.stack_bytes;
    return wanted < VAKA_THREAD_STACK_BYTES ? (size_t)wanted : VAKA_THREAD_STACK_BYTES;
}

/*
 * It was listed and ended before the signal came: nothing of it is missing. A process's first thread that has ended stays
 * listed as long as there are others.
 */
static bool has_ended(const struct vaka_stopped *stopped) {
    uint64_t blocked;
    if (!is_silent(stopped))
        return false;
    return vaka_async_call(SYS_tgkill, vaka_async_state.crash.pid, vaka_async_stopped_tid(stopped), 0, 0, 0, 0) ==
               -ESRCH ||
           vaka_async_proc_life(vaka_async_stopped_tid(stopped), &blocked) == VAKA_THREAD_DEAD;
}

static void write_state(const struct vaka_stopped *stopped, uint32_t flags) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    struct vaka_thread thread = {.tid = vaka_async_stopped_tid(stopped), .flags = flags | vaka_async_pointers_flag()};
    describe(stopped, &thread);
    thread.register_count = crash->register_count;
    vaka_async_section_begin(VAKA_SECTION_THREAD);
    vaka_async_section_append(&thread, sizeof(thread));
    vaka_async_append_registers();
    vaka_async_section_end();
}

bool vaka_async_write_stopped_thread(int tid) {
    struct vaka_stopped *stopped = vaka_async_stopped_thread(tid);
    if (stopped == NULL || has_ended(stopped))
        return false;
    stopped->is_written = true;
    write_state(stopped, VAKA_THREAD_CURRENT);
    if (vaka_async_state.crash.register_count == 0)
        return true;
    vaka_async_write_frames();
    vaka_async_write_stack();
    vaka_async_write_memory();
    vaka_async_write_contexts();
    vaka_async_write_register_memory();
    return true;
}

static void write_thread(const struct vaka_stopped *stopped, uint32_t after, bool is_hurried) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    write_state(stopped, 0);
    if (crash->register_count == 0 || is_hurried)
        return;
    vaka_async_write_frames();
    if (slice_bytes() > 0 && vaka_async_writer_room() >= THREAD_BYTES + (uint64_t)after * THREAD_BYTES_LEAST)
        vaka_async_write_stack_slice(slice_bytes());
}

void vaka_async_write_other_threads(void) {
    vaka_async_reader_free_descriptors();
    vaka_async_collect_threads();
    vaka_async_extend_record((uint64_t)vaka_async_stopped_count() * THREAD_BYTES);
    vaka_async_write_stopped_threads();
}

void vaka_async_write_stopped_threads(void) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    uint32_t count = vaka_async_stopped_count();
    int crashed = crash->tid;
    uint64_t start = vaka_async_clock(CLOCK_MONOTONIC);
    uint32_t left_out = vaka_async_stopped_left_out();
    uint32_t silent = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t spent = vaka_async_clock(CLOCK_MONOTONIC) - start;
        if (spent > 2u * crash->threads_time_ns || vaka_async_writer_room() < THREAD_BYTES_LEAST) {
            left_out += count - i;
            break;
        }
        const struct vaka_stopped *stopped = vaka_async_stopped_at(i);
        if (has_ended(stopped))
            continue;
        if (is_silent(stopped))
            silent++;
        if (!stopped->is_written)
            write_thread(stopped, count - i - 1, spent > crash->threads_time_ns);
    }
    crash->tid = crashed;
    if (silent > 0)
        vaka_async_add_loss(VAKA_LOSS_THREADS_SILENT, 0, silent);
    if (left_out > 0)
        vaka_async_add_loss(VAKA_LOSS_THREADS_LIMIT, 0, left_out);
}
