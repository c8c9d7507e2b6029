/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A forked child shares the run's memory and locks. It gets a copy of the memory, so that its breadcrumbs do not mix
 * with its parent's, and gives up the locks, so that they tell of the parent's life only.
 */
#include "internal.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#include <string.h>

static void before_fork(void) {
    vaka_context_lock();
}

static void in_parent(void) {
    vaka_context_unlock();
}

static void copy_used(uint8_t *to, const uint8_t *from) {
    const struct vaka_run_header *header = (const void *)from;
    uint64_t added = header->breadcrumb_count;
    size_t slots = added < VAKA_BREADCRUMB_SLOTS ? (size_t)added : VAKA_BREADCRUMB_SLOTS;
    size_t contexts_end = VAKA_RUN_HEADER_BYTES;
    for (uint32_t i = 0; i < 2; i++) {
        size_t at = VAKA_RUN_HEADER_BYTES + i * VAKA_CONTEXT_BUFFER_BYTES;
        const struct vaka_context_header *context = (const void *)(from + at);
        memcpy(to + at, context, sizeof(*context) + context->used_bytes);
        contexts_end = at + VAKA_CONTEXT_BUFFER_BYTES;
    }
    memcpy(to, from, VAKA_RUN_HEADER_BYTES);
    memcpy(to + VAKA_FIGURES_OFFSET, from + VAKA_FIGURES_OFFSET, VAKA_RUN_FILE_BYTES - VAKA_FIGURES_OFFSET);
    memcpy(to + contexts_end, from + contexts_end, slots * VAKA_BREADCRUMB_SLOT_BYTES);
}

static void in_child(void) {
    struct vaka_state *state = &vaka_async_state;
    if (vaka_async_is_installed() && state->run_error == 0) {
        void *copy = mmap(NULL, VAKA_RUN_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (copy != MAP_FAILED) {
            copy_used(copy, state->run);
            if (mremap(copy, VAKA_RUN_FILE_BYTES, VAKA_RUN_FILE_BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, state->run) ==
                MAP_FAILED) {
                munmap(copy, VAKA_RUN_FILE_BYTES);
            }
        }
    }
    vaka_snapshot_forked();
    vaka_watches_forked();
    vaka_descriptor_close(&state->run_fd, &state->run_identity);
    vaka_descriptor_close(&state->record_fd, &state->record_identity);
    vaka_descriptor_close(&state->tasks_folder, &state->tasks_identity);
    vaka_context_unlock();
}

void vaka_fork_prepare(void) {
    static bool is_registered;
    if (!is_registered)
        is_registered = pthread_atfork(before_fork, in_parent, in_child) == 0;
    if (vaka_async_state.fork_mark == NULL) {
        size_t page = (size_t)sysconf(_SC_PAGESIZE);
        uint32_t *mark = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mark == MAP_FAILED)
            return;
        if (madvise(mark, page, MADV_WIPEONFORK) != 0) {
            munmap(mark, page);
            return;
        }
        vaka_async_state.fork_mark = mark;
    }
    *vaka_async_state.fork_mark = 1;
}
