/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run file's figures. No thread of ours keeps them fresh: whoever adds a breadcrumb or changes the context takes
 * them on the way, at most once a second.
 */
#include "internal.h"

#include "async/checksum.h"
#include "async/figures.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#define INTERVAL_NS 1000000000u

static uint64_t due_ns;
static int is_busy;
static bool is_off;

static struct vaka_figures *slot(uint32_t generation) {
    return (void *)(vaka_async_state.run + VAKA_FIGURES_OFFSET + (generation & 1) * VAKA_FIGURES_BYTES);
}

static void take(void) {
    static char text[VAKA_FIGURES_TEXT_BYTES];
    static uint32_t generation;
    struct vaka_figures figures;
    vaka_async_take_figures(&figures, text);
    figures.generation = ++generation;
    figures.crc = vaka_async_crc32(0, &figures, offsetof(struct vaka_figures, crc));
    /* Half of it written, it fails its checksum, and the one before counts. */
    memcpy(slot(generation), &figures, sizeof(figures));
}

void vaka_figures_note(void) {
    if (is_off)
        return;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    uint64_t now_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    if (now_ns < __atomic_load_n(&due_ns, __ATOMIC_RELAXED) || __atomic_exchange_n(&is_busy, 1, __ATOMIC_ACQUIRE) != 0)
        return;
    /* A forked child is not the run. */
    if (getpid() == vaka_async_state.pid)
        take();
    __atomic_store_n(&due_ns, now_ns + INTERVAL_NS, __ATOMIC_RELAXED);
    __atomic_store_n(&is_busy, 0, __ATOMIC_RELEASE);
}

void vaka_figures_begin(bool are_off) {
    is_off = are_off;
    __atomic_store_n(&due_ns, 0, __ATOMIC_RELAXED);
    vaka_figures_note();
}

void vaka_crash_note_alive(void) {
    if (vaka_async_is_installed())
        vaka_figures_note();
}
