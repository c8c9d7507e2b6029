/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run file: shared mapped memory that outlives the program, holding what the
 * run told about itself: its context (release, user, tags …) and its breadcrumbs.
 * It survives SIGKILL; the handler copies its parts into the crash record.
 *
 * Layout: struct vaka_run_header, two context buffers, the breadcrumb slots, two struct vaka_figures, the exchange slots.
 */
#ifndef VAKA_RUN_FILE_H
#define VAKA_RUN_FILE_H

#include <stddef.h>
#include <stdint.h>

#define VAKA_RUN_MAGIC "VAKARUN1"
#define VAKA_RUN_VERSION 1

#define VAKA_RUN_HEADER_BYTES 256u
#define VAKA_CONTEXT_BUFFER_BYTES (32u * 1024u)
#define VAKA_BREADCRUMB_SLOT_BYTES 1024u
#define VAKA_BREADCRUMB_SLOTS 128u
#define VAKA_FIGURES_BYTES 128u
#define VAKA_FIGURES_OFFSET                                                                                            \
    (VAKA_RUN_HEADER_BYTES + 2u * VAKA_CONTEXT_BUFFER_BYTES + VAKA_BREADCRUMB_SLOTS * VAKA_BREADCRUMB_SLOT_BYTES)
#define VAKA_EXCHANGE_SLOT_BYTES 1024u
#define VAKA_EXCHANGE_SLOTS 32u
#define VAKA_EXCHANGES_OFFSET (VAKA_FIGURES_OFFSET + 2u * VAKA_FIGURES_BYTES)
#define VAKA_RUN_FILE_BYTES (VAKA_EXCHANGES_OFFSET + VAKA_EXCHANGE_SLOTS * VAKA_EXCHANGE_SLOT_BYTES)

enum vaka_run_state {
    VAKA_RUN_RUNNING = 1,
    VAKA_RUN_CRASHING = 2, /* the handler was entered */
    VAKA_RUN_CRASHED = 3,  /* the record was written */
    VAKA_RUN_ENDED = 4,    /* ended by exit() or by the host's word */
    VAKA_RUN_ASKED = 5,    /* ended by a signal that asks for the end, such as SIGTERM */
    VAKA_RUN_HANDED_OVER = 6, /* another copy of the library in the process tells of it */
};

#define VAKA_WATCH_NAME_BYTES 40u

/* What a watch found hanging (docs/crash-record-format.md): the oldest of them, where several are. */
struct vaka_run_hang {
    uint64_t since_ns; /* CLOCK_REALTIME, when it was last known to go on; 0: nothing hangs; atomic, written last */
    uint8_t event_id[16]; /* of the report; zeros where there is none */
    uint8_t name[VAKA_WATCH_NAME_BYTES]; /* of the watch; UTF-8, NUL-padded */
};

/* header_crc covers the constant part (the bytes before it); the rest changes. */
struct vaka_run_header {
    uint8_t magic[8];
    uint32_t version;
    uint32_t architecture;
    uint8_t run_id[16];
    uint8_t record_id[16]; /* of the crash record this run would leave */
    uint8_t boot_id[16];   /* /proc/sys/kernel/random/boot_id; zeros where unknown */
    int32_t pid;
    uint32_t context_buffer_bytes;
    uint32_t breadcrumb_slot_bytes;
    uint32_t breadcrumb_slots;
    uint64_t started_realtime_ns;
    uint64_t started_boottime_ns;
    uint32_t reserved0;
    uint32_t header_crc; /* CRC-32 of the 100 bytes before */

    uint32_t state;          /* enum vaka_run_state; atomic */
    uint32_t context_active; /* 0 or 1; atomic */
    uint64_t breadcrumb_count; /* ever added; atomic */
    uint64_t breadcrumbs_dropped; /* could not be kept; atomic */
    /* Of state VAKA_RUN_ASKED. */
    uint64_t asked_realtime_ns;
    int32_t asked_signal;
    int32_t asked_sender_pid; /* 0: the kernel or a terminal */
    uint32_t pointers_only; /* not 0: registers and stacks of the process may hold what is to be left out; atomic */
    uint8_t reserved1[44];
    struct vaka_run_hang hang;
};

/* "VKC1", little-endian. */
#define VAKA_CONTEXT_MAGIC 0x31434b56u

/* At the start of a context buffer; its entries follow, used_bytes in all. */
struct vaka_context_header {
    uint32_t magic;
    uint32_t generation; /* the higher of two valid buffers is the newer */
    uint32_t used_bytes; /* of the entries, without this header */
    uint32_t entries_crc;
    uint32_t entries_dropped; /* did not fit */
    uint32_t reserved;
};

enum vaka_context_scope {
    VAKA_CONTEXT_RELEASE = 1,     /* key "release" or "environment" */
    VAKA_CONTEXT_USER = 2,        /* key "id", "email", … */
    VAKA_CONTEXT_TAG = 3,
    VAKA_CONTEXT_SESSION = 4,     /* key "id", "started", "status", … */
    VAKA_CONTEXT_SDK = 5,         /* key "name", "version", "queue" (for the reporter) */
    VAKA_CONTEXT_OS = 6,          /* key "name", "version", "id", … */
    VAKA_CONTEXT_KERNEL = 7,      /* key "name", "release", "version" */
    VAKA_CONTEXT_LIBC = 8,        /* key "name", "version" */
    VAKA_CONTEXT_HOST = 9,        /* key "name", "cpu_count", "memory_bytes", "page_bytes" */
    VAKA_CONTEXT_CONTAINER = 10,  /* key "id", "runtime" */
    VAKA_CONTEXT_PROCESS = 11,    /* key "name", "executable", "parent_pid" */
    VAKA_CONTEXT_RUN = 12,        /* key "pid_namespace", "start_ticks", "watched", "heir" */
    VAKA_CONTEXT_GROUP = 13,      /* key "version", "path", "kills_file", "inode" */
    VAKA_CONTEXT_ATTACHMENT = 14, /* key: the name, value: the path of a file to be read after the end */
};

/* Then the key and the value (UTF-8, no NUL), the whole padded to 8. */
struct vaka_context_entry {
    uint16_t scope;
    uint16_t key_bytes;
    uint32_t value_bytes;
};

/* The levels of a breadcrumb, as in the document. */
enum vaka_level {
    VAKA_LEVEL_DEBUG = 1,
    VAKA_LEVEL_INFO = 2,
    VAKA_LEVEL_WARNING = 3,
    VAKA_LEVEL_ERROR = 4,
    VAKA_LEVEL_FATAL = 5,
};

#define VAKA_BREADCRUMB_CUT 1u

/* Then category, message and data (a JSON object), no NUL; the rest of the slot is unused. */
struct vaka_breadcrumb {
    uint64_t sequence; /* 1, 2, 3 …; 0: the slot is empty or was being written */
    uint64_t timestamp_ns; /* CLOCK_REALTIME */
    uint16_t level;
    uint16_t category_bytes;
    uint16_t message_bytes;
    uint16_t data_bytes;
    uint32_t flags;
    uint32_t crc; /* of this struct with sequence as written and crc 0, then of the bytes */
};

/* An exchange with another service; a JSON object follows, the rest of the slot is unused. */
struct vaka_exchange {
    uint64_t sequence; /* the order of their beginnings, from 1; 0: the slot is empty or was being written */
    uint32_t bytes; /* of the object */
    uint32_t crc; /* of this struct with sequence as written and crc 0, then of the object */
};

/* "VKF1", little-endian. */
#define VAKA_FIGURES_MAGIC 0x31464b56u
/* A figure that is not known. */
#define VAKA_FIGURE_UNKNOWN 0xffffffffffffffffull

/* The process at one moment of its life. Of the two the one that is not the newest is written anew. */
struct vaka_figures {
    uint32_t magic;
    uint32_t generation; /* the higher of two valid ones is the newer */
    uint64_t realtime_ns;
    uint64_t boottime_ns;
    uint64_t resident_bytes;
    uint64_t peak_resident_bytes;
    uint64_t swapped_bytes;
    uint64_t threads;
    uint64_t group_usage_bytes; /* of its control group */
    uint64_t group_limit_bytes; /* unknown also where there is none */
    uint64_t group_kills; /* processes of the group that were killed for memory, ever */
    uint8_t reserved[44];
    uint32_t crc; /* of the bytes before */
};

_Static_assert(sizeof(struct vaka_figures) == VAKA_FIGURES_BYTES, "figures");
_Static_assert(offsetof(struct vaka_figures, crc) == 124, "figures crc");
_Static_assert(offsetof(struct vaka_run_header, asked_realtime_ns) == 128, "asked");
_Static_assert(sizeof(struct vaka_run_header) == VAKA_RUN_HEADER_BYTES, "run header");
_Static_assert(offsetof(struct vaka_run_header, header_crc) == 100, "run header crc");
_Static_assert(offsetof(struct vaka_run_header, hang) == 192, "run header hang");
_Static_assert(sizeof(struct vaka_context_header) == 24, "context header");
_Static_assert(sizeof(struct vaka_context_entry) == 8, "context entry");
_Static_assert(sizeof(struct vaka_breadcrumb) == 32, "breadcrumb");
_Static_assert(sizeof(struct vaka_exchange) == 16, "exchange");

#endif
