/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

#include "async/capture.h"
#include "async/checksum.h"
#include "async/pointers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE VAKA_ARCH_X86_64
#else
#define ARCHITECTURE VAKA_ARCH_ARM64
#endif

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void random_id(uint8_t id[16]) {
    if (getrandom(id, 16, GRND_NONBLOCK) == 16)
        return;
    uint64_t parts[2] = {nanoseconds(CLOCK_REALTIME), nanoseconds(CLOCK_MONOTONIC) ^ (uint64_t)getpid() << 40};
    memcpy(id, parts, sizeof(parts));
}

static void boot_id(uint8_t id[16]) {
    char text[64];
    size_t length = vaka_read_small_file("/proc/sys/kernel/random/boot_id", text, sizeof(text));
    int digits = 0;
    memset(id, 0, 16);
    for (size_t i = 0; i < length && digits < 32; i++) {
        char c = text[i];
        int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (value < 0)
            continue;
        id[digits / 2] = (uint8_t)(id[digits / 2] << 4 | value);
        digits++;
    }
}

/*
 * A file is made under another name, locked, allocated, and then renamed: no other process sees it without its lock,
 * by which it tells a living run from a dead one.
 */
static int make_file(const char *temporary, uint64_t bytes, int *allocation_error) {
    int folder = vaka_async_state.runs_folder;
    int fd = openat(folder, temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        *allocation_error = errno;
        return -1;
    }
    fd = vaka_descriptor_high(fd);
    flock(fd, LOCK_EX | LOCK_NB);
    *allocation_error = vaka_descriptor_allocate(fd, bytes);
    return fd;
}

/* The address stays the run's for good: a thread that adds a breadcrumb during an uninstall must not fault. */
static void *map_memory(void *address, int flags) {
    return mmap(address, VAKA_RUN_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

static void map_file(void) {
    struct vaka_state *state = &vaka_async_state;
    char temporary[VAKA_NAME_BYTES + 8];
    snprintf(temporary, sizeof(temporary), ".%.32s.run", state->run_id);
    state->run_fd = make_file(temporary, VAKA_RUN_FILE_BYTES, &state->run_error);
    vaka_descriptor_identify(state->run_fd, &state->run_identity);
    if (state->run_error == 0) {
        void *run =
            mmap(state->run, VAKA_RUN_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, state->run_fd, 0);
        if (run != MAP_FAILED && renameat(state->runs_folder, temporary, state->runs_folder, state->run_name) == 0) {
            return;
        }
        state->run_error = errno;
        if (run != MAP_FAILED)
            map_memory(state->run, MAP_FIXED);
    }
    if (state->run_fd < 0)
        return;
    unlinkat(state->runs_folder, temporary, 0);
    close(state->run_fd);
    state->run_fd = -1;
}

static void fill_header(void) {
    struct vaka_run_header *header = vaka_async_run_header();
    memcpy(header->magic, VAKA_RUN_MAGIC, sizeof(header->magic));
    header->version = VAKA_RUN_VERSION;
    header->architecture = ARCHITECTURE;
    header->pid = getpid();
    header->context_buffer_bytes = VAKA_CONTEXT_BUFFER_BYTES;
    header->breadcrumb_slot_bytes = VAKA_BREADCRUMB_SLOT_BYTES;
    header->breadcrumb_slots = VAKA_BREADCRUMB_SLOTS;
    header->started_realtime_ns = nanoseconds(CLOCK_REALTIME);
    header->started_boottime_ns = nanoseconds(CLOCK_BOOTTIME);
    boot_id(header->boot_id);
    header->state = VAKA_RUN_RUNNING;
    vaka_async_note_pointers_only();
    header->header_crc = vaka_async_crc32(0, header, offsetof(struct vaka_run_header, header_crc));
}

int vaka_run_create(void) {
    struct vaka_state *state = &vaka_async_state;
    uint8_t run_id[16];
    random_id(run_id);
    vaka_async_hex(run_id, state->run_id);
    snprintf(state->run_name, sizeof(state->run_name), "%.32s.vakarun", state->run_id);
    snprintf(state->record_name, sizeof(state->record_name), "%.32s.vakacrash", state->run_id);
    if (state->run == NULL) {
        void *run = map_memory(NULL, 0);
        if (run == MAP_FAILED) {
            int error = errno;
            return vaka_fail(error, "no memory for the run's context (%u bytes): %s", VAKA_RUN_FILE_BYTES,
                             strerror(error));
        }
        state->run = run;
    }
    map_file();
    state->files_removed = false;
    memcpy(vaka_async_run_header()->run_id, run_id, sizeof(run_id));
    random_id(vaka_async_run_header()->record_id);
    fill_header();
    return 0;
}

void vaka_run_create_record(void) {
    struct vaka_state *state = &vaka_async_state;
    uint64_t bytes = VAKA_RECORD_BYTES + state->stack_bytes;
    char temporary[VAKA_NAME_BYTES + 8];
    snprintf(temporary, sizeof(temporary), ".%.32s.crash", state->run_id);
    state->record_used = false;
    state->record_fd = make_file(temporary, bytes, &state->record_error);
    if (state->record_fd < 0)
        return;
    /* Where nothing could be allocated there may be room by the time of the crash. */
    if (state->record_error != 0)
        (void)!ftruncate(state->record_fd, 0);
    if (vaka_descriptor_identify(state->record_fd, &state->record_identity) &&
        renameat(state->runs_folder, temporary, state->runs_folder, state->record_name) == 0) {
        return;
    }
    state->record_error = errno;
    unlinkat(state->runs_folder, temporary, 0);
    close(state->record_fd);
    state->record_fd = -1;
}

/* The file of a run that was handed over, open for its lock; -1 where there is none. */
static int handed_over_fd = -1;
static char handed_over_path[VAKA_PATH_BYTES + VAKA_NAME_BYTES + 8];

void vaka_run_hand_over(const char *heir) {
    struct vaka_state *state = &vaka_async_state;
    uint32_t running = VAKA_RUN_RUNNING;
    if (state->run_fd < 0 || state->files_removed || state->pid != getpid())
        return;
    vaka_context_set(VAKA_CONTEXT_RUN, "heir", heir);
    if (!__atomic_compare_exchange_n(&vaka_async_run_header()->state, &running, VAKA_RUN_HANDED_OVER, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        return;
    }
    snprintf(handed_over_path, sizeof(handed_over_path), "%.4095s/runs/%.47s", state->storage, state->run_name);
    handed_over_fd = state->run_fd;
    state->run_fd = -1;
    unlinkat(state->runs_folder, state->record_name, 0);
}

void vaka_run_end_handed_over(void) {
    if (handed_over_fd < 0 || vaka_async_state.pid != getpid())
        return;
    unlink(handed_over_path);
    handed_over_fd = -1;
}

void vaka_run_close(void) {
    struct vaka_state *state = &vaka_async_state;
    vaka_descriptor_close(&state->record_fd, &state->record_identity);
    vaka_descriptor_close(&state->run_fd, &state->run_identity);
    if (state->run != NULL)
        map_memory(state->run, MAP_FIXED);
    state->files_removed = true;
}
