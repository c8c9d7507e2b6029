/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What install prepares and the handler uses: static memory, since a crashed heap or a small stack gives none.
 * Written by install, uninstall and, under state.owner, by the one thread whose crash is being recorded.
 */
#ifndef VAKA_ASYNC_STATE_H
#define VAKA_ASYNC_STATE_H

#include "vaka_record.h"
#include "vaka_run_file.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

#define VAKA_SIGNALS 7
#define VAKA_PATH_BYTES 4096
/* "<32 hexadecimal digits>.vakacrash" */
#define VAKA_NAME_BYTES 48
#define VAKA_FRAMES_MAX 256
/* Other threads; their places take 1.2 MiB of address space, of which only what is used is touched. */
#define VAKA_THREADS_MAX 2048
#define VAKA_THREAD_STACK_BYTES 8192u
/* How long a thread that is stopped, or crashed too, waits for the end. */
#define VAKA_WAIT_MAX_NS 15000000000u
/* And how long the answers of all threads together are waited for. */
#define VAKA_COLLECT_MAX_NS 250000000u
/* After this long the threads that are left get no frames and no slice, and after twice as long they are left out. */
#define VAKA_THREADS_TIME_NS 1000000000u
/* The same of a snapshot: the program stands still meanwhile. */
#define VAKA_SNAPSHOT_WAIT_MAX_NS 1000000000u
#define VAKA_SNAPSHOT_COLLECT_MAX_NS 100000000u
#define VAKA_SNAPSHOT_THREADS_TIME_NS 100000000u
/* A crash that comes during a snapshot waits so long for its end. */
#define VAKA_SNAPSHOT_PATIENCE_NS 3000000000u
/* A stage that takes longer is given up. */
#define VAKA_HANG_NS 2000000000u
#if defined(__x86_64__)
#define VAKA_REGISTERS VAKA_REGISTERS_X86_64
#else
#define VAKA_REGISTERS VAKA_REGISTERS_ARM64
#endif
#define VAKA_LOSSES_MAX 64
/* So many crashes of a signal that turned out to be none are recorded first, and the others after its handler. */
#define VAKA_REPAIRS_MAX 3
#define VAKA_IMAGES_MAX 4096
#define VAKA_IMAGE_PATHS_BYTES (1024u * 1024u)
#define VAKA_MESSAGE_BYTES 4096
#define VAKA_MESSAGE_SLOTS 4
/* Room at the end of the file that only the loss and end sections may use. */
#define VAKA_RECORD_RESERVE 4096u
/* Allocated at install beside the crashed thread's stack: some twenty other threads fit. */
#define VAKA_RECORD_BYTES (800u * 1024u)
/* What the file may grow to at the crash, for the other threads. */
#define VAKA_RECORD_BYTES_MAX (32u * 1024u * 1024u)

/* rt_sigaction's own struct: libc's hides the restorer, and what is put back must be what was there. */
struct vaka_action {
    uintptr_t handler;
    unsigned long flags;
    uintptr_t restorer;
    uint64_t mask;
};

/* Tells whether a descriptor still is the file that was opened. */
struct vaka_identity {
    uint64_t device;
    uint64_t inode;
};

/* A known image; its path is in the table's arena. */
struct vaka_known_image {
    struct vaka_image head;
    uint64_t dynamic_address; /* of its dynamic section; 0 where it has none */
    uint64_t build_id_address; /* where its build id lies in memory */
    uint64_t code_start, code_end; /* its executable segments, from the first to the last */
    uint64_t frames_header; /* .eh_frame_hdr in memory; 0 where it has none */
    uint64_t frames_header_bytes;
    uint64_t frames_start, frames_end; /* .eh_frame, where there is no header: most static programs */
    uint32_t path_offset;
    bool in_link_map; /* seen there at the crash */
};

struct vaka_image_table {
    struct vaka_known_image *images;
    char *paths;
    uint32_t capacity;
    uint32_t count;
    uint32_t paths_used;
    uint32_t left_out;
    uint64_t debug_address; /* struct r_debug of the dynamic linker; 0 in a static program */
};

/* Kept texts: a slot is written, then published by its number. */
struct vaka_message {
    uint32_t length;
    uint32_t cut;
    char text[VAKA_MESSAGE_BYTES];
};

struct vaka_texts {
    const char *const volatile *swift_message; /* the runtime's buffer: an atomic pointer */
    void *const volatile *glibc_message; /* glibc's __abort_msg */
    struct vaka_message cxx;
    struct vaka_message host[VAKA_MESSAGE_SLOTS];
    uint32_t host_next;
    uint32_t host_current; /* slot + 1; 0: none */
};

/* The parts of a capture. The numbers are in records (VAKA_LOSS_HANDLER_CRASHED); capture.c tells their order. */
enum vaka_stage {
    VAKA_STAGE_IDLE = 0,
    VAKA_STAGE_OPEN = 1,
    VAKA_STAGE_REASON = 2,
    VAKA_STAGE_RUN = 3,
    VAKA_STAGE_CONTEXT = 4,
    VAKA_STAGE_THREAD = 5,
    VAKA_STAGE_FRAMES = 6,
    VAKA_STAGE_TEXT = 7,
    VAKA_STAGE_STACK = 8,
    VAKA_STAGE_IMAGES = 9,
    VAKA_STAGE_BREADCRUMBS = 10,
    VAKA_STAGE_MEMORY = 11,
    VAKA_STAGE_THREADS = 12,
    VAKA_STAGE_FINISH = 13,
    VAKA_STAGE_KEEP = 14,
    VAKA_STAGE_ENDING = 15,
    VAKA_STAGE_STOP = 16,
    VAKA_STAGE_SNAPSHOT = 17, /* not of a crash */
};

/* The crash, or the snapshot, being recorded. */
struct vaka_crash {
    uint32_t kind; /* enum vaka_record_kind; of a snapshot, what is of the signal is 0 */
    int signal;
    siginfo_t *info;
    void *context;
    int pid;
    int tid;
    bool forked_child;
    uint64_t threads_time_ns; /* as VAKA_THREADS_TIME_NS */
    uint64_t entered_ns; /* CLOCK_MONOTONIC */
    uint64_t realtime_ns;
    uint64_t boottime_ns;
    bool is_passed_on; /* to the handler that was there before, which has returned */
    uint8_t record_id[16];
    char file_name[VAKA_NAME_BYTES]; /* in runs/, while it is being written */
    uint64_t pc, sp, fp, lr;
    uint64_t registers[VAKA_REGISTERS_ARM64];
    uint32_t register_count;
    uint32_t handler_crashes;
    uint32_t retried; /* bit a stage: it crashed and was tried again */
    bool has_updated_images;
    bool has_sorted_images; /* for vaka_async_pointer() */
    bool keeps_pointers_only; /* as state.pointers_only when it began */
    struct vaka_frame frames[VAKA_FRAMES_MAX];
    uint32_t frame_count;
    uint32_t frames_flags;
};

struct vaka_state {
    /* Atomic. */
    int installed;
    uint64_t owner; /* vaka_async_owner() of the thread that records; 0: none */
    int snapshot_tid; /* the thread that takes a snapshot, from its first system call to its last; 0: none */
    int stage; /* enum vaka_stage */
    int pointers_only; /* as vaka_crash_keep_pointers_only() was told last; outlives an uninstall */
    uint32_t chained; /* bit a signal: already passed on */

    struct vaka_action previous[VAKA_SIGNALS];
    struct vaka_action ours;
    uint32_t repairs[VAKA_SIGNALS]; /* by the handlers that were there before */

    int pid;
    uint64_t stack_bytes;
    uint64_t hang_ns;
    bool keeps_register_memory;
    bool bounds_snapshots; /* their number, that is */
    uint8_t *spare_stack; /* for a thread whose alternate stack is too small; or NULL */
    size_t spare_stack_bytes;
    uintptr_t restorer; /* libc's return from a signal handler, and its flag: handlers set at the crash need it */
    unsigned long restorer_flag;
    int runs_folder;
    int crashes_folder;
    int record_fd; /* -1 where it could not be made, or after the run's end */
    int run_fd;
    int tasks_folder; /* /proc/self/task, for when no descriptor can be had any more */
    struct vaka_identity tasks_identity;
    struct vaka_identity runs_identity;
    struct vaka_identity crashes_identity;
    struct vaka_identity record_identity;
    struct vaka_identity run_identity;
    int record_error; /* why the record's file is not allocated; 0: it is */
    int run_error; /* why the run's memory is no file; 0: it is one */
    bool files_removed; /* the run ended: a later crash makes a new file */
    bool record_used; /* the same, where an earlier crash has taken the allocated one */
    char storage[VAKA_PATH_BYTES];
    char run_name[VAKA_NAME_BYTES];
    char record_name[VAKA_NAME_BYTES];
    char run_id[33];

    uint8_t *run; /* the run file's memory, VAKA_RUN_FILE_BYTES */
    /* A page that fork() wipes: still set in the process itself and in a vfork child, which shares its memory. */
    volatile uint32_t *fork_mark;

    struct vaka_image_table images;
    struct vaka_texts texts;
    struct vaka_crash crash;
    struct vaka_loss losses[VAKA_LOSSES_MAX];
    uint32_t loss_count;
};

/* The owner takes a snapshot: it gives way to a crash. */
#define VAKA_OWNER_SNAPSHOT ((uint64_t)1 << 63)

static inline uint64_t vaka_async_owner(int pid, int tid) {
    return (uint64_t)(uint32_t)pid << 32 | (uint32_t)tid;
}

extern struct vaka_state vaka_async_state;
extern const int vaka_async_signals[VAKA_SIGNALS];

/* Whether a descriptor still is the file that was opened. */
bool vaka_async_is_file(int fd, const struct vaka_identity *identity);

/* The index of one of the seven, or -1. */
int vaka_async_signal_index(int signal);

/*
 * Of an address that may be part of a text, where those are left out: VAKA_LEFT_OUT, unless it leads to memory or is below
 * 4,096, which has no room for two printable characters.
 */
uint64_t vaka_async_told_address(uint64_t address);

/* Notes what could not be captured; beyond VAKA_LOSSES_MAX nothing more is noted. */
void vaka_async_add_loss(uint32_t kind, uint32_t argument, uint64_t value);

static inline struct vaka_run_header *vaka_async_run_header(void) {
    return (struct vaka_run_header *)(void *)vaka_async_state.run;
}

/* Not the public function: another copy of the library may stand before this one's. */
static inline bool vaka_async_is_installed(void) {
    return __atomic_load_n(&vaka_async_state.installed, __ATOMIC_ACQUIRE) != 0;
}

#pragma GCC visibility pop
#endif
