/* SPDX-License-Identifier: Apache-2.0 */
#include "capture.h"
#include "checksum.h"
#include "figures.h"
#include "reader.h"
#include "stop.h"
#include "system.h"
#include "writer.h"

#include <string.h>

/* Past this the rest is left out: a crash must end. */
#define TIME_MAX_NS 3000000000u

static struct vaka_record_file record = {.fd = -1};

/* Of the run, before the crash. */
static uint32_t state_before = VAKA_RUN_RUNNING;

static void set_run_state(uint32_t value) {
    if (vaka_async_state.crash.forked_child)
        return;
    uint32_t now = __atomic_load_n(&vaka_async_run_header()->state, __ATOMIC_ACQUIRE);
    if (value == VAKA_RUN_CRASHING && now != VAKA_RUN_CRASHING && now != VAKA_RUN_CRASHED)
        state_before = now;
    __atomic_store_n(&vaka_async_run_header()->state, value, __ATOMIC_RELEASE);
}

struct vaka_record_header vaka_async_record_header(uint64_t capacity) {
    const struct vaka_crash *crash = &vaka_async_state.crash;
    struct vaka_record_header header = {
        .version_major = VAKA_RECORD_VERSION_MAJOR,
        .version_minor = VAKA_RECORD_VERSION_MINOR,
        .architecture = (uint16_t)vaka_async_run_header()->architecture,
        .header_bytes = sizeof(header),
        .crashed_ns = crash->realtime_ns,
        .allocated_bytes = capacity,
        .pid = crash->pid,
        .kind = crash->kind,
    };
    memcpy(header.magic, VAKA_RECORD_MAGIC, sizeof(header.magic));
    memcpy(header.record_id, crash->record_id, sizeof(header.record_id));
    header.header_crc = vaka_async_crc32(0, &header, offsetof(struct vaka_record_header, header_crc));
    return header;
}

static void open_record(void) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    record.fd = -1;
    vaka_async_reader_begin(crash->pid, crash->forked_child);
    vaka_async_take_registers();
    struct vaka_record_file file;
    vaka_async_open_record(&file);
    struct vaka_record_header header = vaka_async_record_header(file.capacity);
    bool is_open = file.fd >= 0 && file.capacity >= sizeof(header);
    if (is_open && vaka_async_writer_begin(&file, &header, sizeof(header)))
        record = file;
    set_run_state(VAKA_RUN_CRASHING);
}

static void note_conditions(void) {
    const struct vaka_state *state = &vaka_async_state;
    if (state->run_error != 0)
        vaka_async_add_loss(VAKA_LOSS_RUN_FILE, 0, (uint64_t)state->run_error);
    if (state->record_error != 0 && state->crash.kind == VAKA_RECORD_CRASH)
        vaka_async_add_loss(VAKA_LOSS_RECORD_FILE, 0, (uint64_t)state->record_error);
    int refusal = vaka_async_reader_refusal();
    if (refusal != 0)
        vaka_async_add_loss(VAKA_LOSS_READER, vaka_async_reader_kind(), (uint64_t)refusal);
}

static bool write_end(void) {
    const struct vaka_state *state = &vaka_async_state;
    if (state->loss_count > 0) {
        vaka_async_section(VAKA_SECTION_LOSS, state->losses, state->loss_count * sizeof(state->losses[0]));
    }
    struct vaka_end end = {
        .section_count = vaka_async_writer_sections(),
        .record_bytes = vaka_async_writer_bytes() + sizeof(struct vaka_section_header) + sizeof(end),
        .handler_ns = vaka_async_clock(CLOCK_MONOTONIC) - state->crash.entered_ns,
    };
    vaka_async_section(VAKA_SECTION_END, &end, sizeof(end));
    return vaka_async_writer_flush();
}

/* On a disk that is full to the last byte the end is worth more than the section before it. */
void vaka_async_finish_record(void) {
    struct vaka_state *state = &vaka_async_state;
    vaka_async_section_abandon();
    vaka_async_writer_use_reserve();
    note_conditions();
    vaka_async_writer_flush();
    uint32_t losses = state->loss_count;
    if (write_end())
        return;
    state->loss_count = losses;
    vaka_async_writer_drop_last();
    write_end();
}

static void keep(void) {
    vaka_async_keep_record(&record, vaka_async_writer_bytes());
    set_run_state(VAKA_RUN_CRASHED);
}

void vaka_async_capture_withdraw(void) {
    if (record.fd >= 0)
        vaka_async_withdraw_record(&record);
    set_run_state(state_before);
}

static void write_memory(void) {
    vaka_async_write_figures();
    vaka_async_write_memory();
    vaka_async_write_contexts();
    vaka_async_write_register_memory();
    vaka_async_write_vdso();
}

static void write_history(void) {
    vaka_async_write_breadcrumbs();
    vaka_async_write_exchanges();
}

static void (*const parts[])(void) = {
    [VAKA_STAGE_OPEN] = open_record,
    [VAKA_STAGE_REASON] = vaka_async_write_reason,
    [VAKA_STAGE_RUN] = vaka_async_write_run,
    [VAKA_STAGE_CONTEXT] = vaka_async_write_context,
    [VAKA_STAGE_THREAD] = vaka_async_write_thread,
    [VAKA_STAGE_FRAMES] = vaka_async_write_frames,
    [VAKA_STAGE_TEXT] = vaka_async_write_texts,
    [VAKA_STAGE_STACK] = vaka_async_write_stack,
    [VAKA_STAGE_IMAGES] = vaka_async_write_images,
    [VAKA_STAGE_BREADCRUMBS] = write_history,
    [VAKA_STAGE_MEMORY] = write_memory,
    [VAKA_STAGE_THREADS] = vaka_async_write_other_threads,
    [VAKA_STAGE_FINISH] = vaka_async_finish_record,
    [VAKA_STAGE_KEEP] = keep,
    [VAKA_STAGE_STOP] = vaka_async_stop_threads,
};

/*
 * The others are told to stop once the crashed thread's own part is on disk, should one of them not survive that, and
 * stop while the next parts are written.
 */
static const uint8_t order[] = {
    VAKA_STAGE_OPEN,        VAKA_STAGE_REASON, VAKA_STAGE_RUN,     VAKA_STAGE_CONTEXT, VAKA_STAGE_THREAD,
    VAKA_STAGE_FRAMES,      VAKA_STAGE_STOP,   VAKA_STAGE_TEXT,    VAKA_STAGE_STACK,   VAKA_STAGE_IMAGES,
    VAKA_STAGE_BREADCRUMBS, VAKA_STAGE_MEMORY, VAKA_STAGE_THREADS, VAKA_STAGE_FINISH,  VAKA_STAGE_KEEP,
};

int vaka_async_stage_after(int stage) {
    for (uint32_t i = 0; i + 1 < sizeof(order); i++) {
        if (order[i] == stage)
            return order[i + 1];
    }
    return VAKA_STAGE_ENDING;
}

static bool is_end(int stage) {
    return stage == VAKA_STAGE_FINISH || stage == VAKA_STAGE_KEEP || stage == VAKA_STAGE_ENDING;
}

static bool is_late(int stage) {
    if (stage <= VAKA_STAGE_THREAD || is_end(stage))
        return false;
    uint64_t spent = vaka_async_clock(CLOCK_MONOTONIC) - vaka_async_state.crash.entered_ns;
    if (spent < TIME_MAX_NS)
        return false;
    vaka_async_add_loss(VAKA_LOSS_TIME, (uint32_t)stage, spent);
    return true;
}

void vaka_async_capture_from(int stage) {
    for (; stage != VAKA_STAGE_ENDING; stage = vaka_async_stage_after(stage)) {
        __atomic_store_n(&vaka_async_state.stage, stage, __ATOMIC_RELEASE);
        if (stage > VAKA_STAGE_OPEN && record.fd < 0)
            continue;
        if (is_late(stage))
            continue;
#ifdef VAKA_TEST_FAULTS
        vaka_async_test_fault(stage);
#endif
        parts[stage]();
        /* Each part is on disk before the next may crash; the small ones share a write. */
        if (stage >= VAKA_STAGE_FRAMES && !is_end(stage))
            vaka_async_writer_flush();
    }
}
