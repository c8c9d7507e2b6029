/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The crash record: what the handler leaves on disk, byte for byte.
 *
 * Little-endian, fixed width. A record is a 64-byte file header followed by
 * sections; a section is a 32-byte header followed by its payload, padded with
 * zeros to a multiple of 8. Each header and each payload has a checksum of its
 * own, so that a record cut or damaged anywhere is read as far as it goes.
 * docs/crash-record-format.md is the specification; this header is its code.
 */
#ifndef VAKA_RECORD_H
#define VAKA_RECORD_H

#include "vaka_checksum.h"
#include "vaka_run_file.h"

#include <stddef.h>
#include <stdint.h>

#define VAKA_RECORD_MAGIC "VAKACRSH"
#define VAKA_RECORD_VERSION_MAJOR 1
#define VAKA_RECORD_VERSION_MINOR 1

/* The ELF e_machine values of the architectures a record may be of. */
#define VAKA_ARCH_X86_64 62
#define VAKA_ARCH_ARM64 183

/* "VKS1", little-endian. */
#define VAKA_SECTION_MAGIC 0x31534b56u

#define VAKA_RECORD_ALIGNMENT 8u
/* A reader refuses a payload larger than this, whatever its header says. */
#define VAKA_SECTION_PAYLOAD_MAX 0x4000000u /* 64 MiB */
#define VAKA_BUILD_ID_MAX 32u
#define VAKA_THREAD_NAME_BYTES 16u

/*
 * What stands for a register, a word or a byte that may be part of a text, where only pointers are kept: it is no
 * address on either architecture, no aligned one, and its bytes are in no UTF-8.
 */
#define VAKA_LEFT_OUT 0xfefefefefefefefeull
#define VAKA_LEFT_OUT_BYTE 0xfe

struct vaka_record_header {
    uint8_t magic[8];
    uint16_t version_major;
    uint16_t version_minor;
    uint16_t architecture; /* VAKA_ARCH_… */
    uint16_t header_bytes; /* sizeof(struct vaka_record_header) */
    uint8_t record_id[16]; /* random; the crash's event id */
    uint64_t crashed_ns;   /* CLOCK_REALTIME, nanoseconds since 1970 */
    uint64_t allocated_bytes;
    int32_t pid; /* in the crashed process's pid namespace */
    uint32_t kind; /* enum vaka_record_kind */
    uint32_t reserved;
    uint32_t header_crc; /* CRC-32 of the 60 bytes before */
};

/* What a record is of. */
enum vaka_record_kind {
    VAKA_RECORD_CRASH = 0,
    VAKA_RECORD_SNAPSHOT = 1, /* the process lived on */
    VAKA_RECORD_HANG = 2, /* a snapshot that was taken because a watched thread did not go on */
};

struct vaka_section_header {
    uint32_t magic; /* VAKA_SECTION_MAGIC */
    uint16_t kind;  /* enum vaka_section_kind; an unknown one is skipped */
    uint16_t version;
    uint32_t sequence; /* 0, 1, 2 … in the order of writing */
    uint32_t payload_crc;
    uint64_t payload_bytes; /* without the padding */
    uint32_t reserved;
    uint32_t header_crc; /* CRC-32 of the 28 bytes before */
};

enum vaka_section_kind {
    VAKA_SECTION_REASON = 1,      /* struct vaka_reason */
    VAKA_SECTION_RUN = 2,         /* struct vaka_run_header */
    VAKA_SECTION_CONTEXT = 3,     /* one context buffer of the run file, its used bytes */
    VAKA_SECTION_BREADCRUMBS = 4, /* slots of the run file, whole, in any order */
    VAKA_SECTION_THREAD = 5,      /* struct vaka_thread, then its registers */
    VAKA_SECTION_FRAMES = 6,      /* struct vaka_frames, then struct vaka_frame[count] */
    VAKA_SECTION_STACK = 7,       /* struct vaka_memory, then the bytes */
    VAKA_SECTION_MEMORY = 8,      /* struct vaka_memory, then the bytes */
    VAKA_SECTION_IMAGES = 9,      /* struct vaka_images, then its entries */
    VAKA_SECTION_TEXT = 10,       /* struct vaka_text, then UTF-8 (not checked), no NUL */
    VAKA_SECTION_LOSS = 11,       /* struct vaka_loss[] */
    VAKA_SECTION_END = 12,        /* struct vaka_end: the record is whole */
    VAKA_SECTION_SENDER = 13,     /* struct vaka_sender */
    VAKA_SECTION_SNAPSHOT = 14,   /* struct vaka_snapshot; not of a crash */
    VAKA_SECTION_FIGURES = 15,    /* struct vaka_figures, as they were at the crash */
    VAKA_SECTION_EXCHANGES = 16,  /* exchange slots of the run file, whole, in any order */
};

/* How safe reads of doubtful memory were made. */
enum vaka_reader_kind {
    VAKA_READER_NONE = 0,
    VAKA_READER_PROCESS_VM = 1, /* process_vm_readv */
    VAKA_READER_PIPE = 2,       /* write(2) to a pipe, which answers EFAULT */
};

enum vaka_reason_flag {
    VAKA_REASON_FAULT_ADDRESS = 1u << 0, /* fault_address is meaningful */
    VAKA_REASON_SENDER = 1u << 1,        /* sender_pid and sender_uid are meaningful */
    VAKA_REASON_PAGE_FAULT = 1u << 2,    /* error_code is the processor's page-fault code */
    VAKA_REASON_FORKED_CHILD = 1u << 3,  /* crashed in a forked child of the run's process */
    VAKA_REASON_COMPUTED = 1u << 4,      /* fault_address was worked out from the instruction and the registers */
    VAKA_REASON_READ = 1u << 5,          /* the code tried to read, */
    VAKA_REASON_WRITE = 1u << 6,         /* to write, */
    VAKA_REASON_EXECUTE = 1u << 7,       /* or to run what is at fault_address */
    VAKA_REASON_STACK_OVERFLOW = 1u << 8,
    VAKA_REASON_NULL_CALL = 1u << 9,
    VAKA_REASON_LEFT_OUT = 1u << 10, /* fault_address was known, and may be part of a text */
};

struct vaka_reason {
    int32_t signal;
    int32_t code; /* si_code */
    int32_t error; /* si_errno */
    uint32_t flags;
    uint64_t fault_address; /* si_addr */
    int32_t sender_pid;
    uint32_t sender_uid;
    int32_t pid;
    int32_t tid;
    uint64_t crashed_realtime_ns;
    uint64_t crashed_boottime_ns;
    uint64_t trap_number; /* x86_64: REG_TRAPNO; arm64: 0 */
    uint64_t error_code;  /* x86_64: REG_ERR; arm64: ESR when the kernel gave it */
    uint32_t reader;      /* enum vaka_reader_kind */
    uint32_t syscall_number; /* SIGSYS only */
};

/* The process that sent the signal. */
struct vaka_sender {
    int32_t pid;
    uint32_t flags;
    uint8_t name[VAKA_THREAD_NAME_BYTES]; /* NUL-padded */
};

/* Of a snapshot: what it cost, and what hangs. */
struct vaka_snapshot {
    uint64_t stopped_ns; /* CLOCK_MONOTONIC, for which the other threads were stopped */
    uint64_t hang_bound_ns; /* after which the watch calls it a hang; 0: no hang */
    uint64_t hang_ns; /* how long the watched thread had not gone on */
    uint8_t hang_name[VAKA_WATCH_NAME_BYTES]; /* of the watch; UTF-8, NUL-padded */
};

enum vaka_thread_flag {
    VAKA_THREAD_CRASHED = 1u << 0,
    VAKA_THREAD_REGISTERS = 1u << 1, /* registers follow */
    VAKA_THREAD_NAME = 1u << 2,
    VAKA_THREAD_STOPPED = 1u << 3, /* another thread: it answered the signal, its registers are those of that moment */
    VAKA_THREAD_PLACE_ONLY = 1u << 4, /* it did not: of the registers only the two that /proc tells are right */
    VAKA_THREAD_CURRENT = 1u << 5, /* a snapshot is about it: it asked for it, or it hangs */
    VAKA_THREAD_POINTERS_ONLY = 1u << 6, /* a register that is no pointer is VAKA_LEFT_OUT */
};

/*
 * Registers follow as uint64_t in DWARF numbering.
 * x86_64 (17): rax rdx rcx rbx rsi rdi rbp rsp r8 … r15 rip; then rflags (18 in all).
 * arm64 (33): x0 … x30 sp pc; then pstate (34 in all).
 */
#define VAKA_REGISTERS_X86_64 18u
#define VAKA_REGISTERS_ARM64 34u

struct vaka_thread {
    int32_t tid;
    uint32_t flags;
    uint8_t name[VAKA_THREAD_NAME_BYTES]; /* NUL-padded */
    uint32_t register_count;
    uint32_t reserved;
};

/* How a frame was found. The values are those of the document's "trust". */
enum vaka_trust {
    VAKA_TRUST_CONTEXT = 1,
    VAKA_TRUST_CFI = 2,
    VAKA_TRUST_STACK_TOP = 3,
    VAKA_TRUST_FRAME_POINTER = 4,
    VAKA_TRUST_ASYNC = 5,
    VAKA_TRUST_SCAN = 6,
};

struct vaka_frame {
    uint64_t instruction_address;
    uint64_t stack_pointer; /* 0 where unknown */
    uint32_t trust; /* enum vaka_trust */
    uint32_t flags; /* enum vaka_frame_flag */
};

enum vaka_frame_flag {
    VAKA_FRAME_INTERRUPTED = 1u << 0, /* a signal took it there, not a call: its address is not a return address */
};

enum vaka_frames_flag {
    VAKA_FRAMES_TRUNCATED = 1u << 0, /* the bound was reached before the stack's end */
    VAKA_FRAMES_COMPLETE = 1u << 1, /* the walk reached the stack's end */
};

struct vaka_frames {
    int32_t tid;
    uint32_t count;
    uint32_t flags;
    uint32_t reserved;
};

enum vaka_memory_flag {
    VAKA_MEMORY_POINTERS_ONLY = 1u << 0, /* a word that is no pointer is VAKA_LEFT_OUT */
};

struct vaka_memory {
    uint64_t address;
    uint64_t bytes;
    int32_t tid; /* of the stack's thread; 0 for other memory */
    uint32_t flags; /* enum vaka_memory_flag */
};

enum vaka_image_flag {
    VAKA_IMAGE_EXECUTABLE = 1u << 0, /* the program itself */
    VAKA_IMAGE_VDSO = 1u << 1,
    VAKA_IMAGE_LATE = 1u << 2, /* found at the crash, not beforehand */
};

struct vaka_images {
    uint32_t count;
    uint32_t reserved;
};

/* Followed by the path (path_bytes, no NUL), the whole padded to 8. */
struct vaka_image {
    uint64_t image_address; /* where the first loaded byte lies */
    uint64_t image_bytes; /* from there to the end of the last segment */
    uint64_t load_bias; /* dlpi_addr */
    uint32_t flags;
    uint16_t path_bytes;
    uint8_t build_id_bytes; /* 0 where the image has none */
    uint8_t reserved;
    uint8_t build_id[VAKA_BUILD_ID_MAX];
};

/* Where a text that explains the crash came from. */
enum vaka_text_source {
    VAKA_TEXT_SWIFT = 1, /* the Swift runtime's fatal-error text */
    VAKA_TEXT_GLIBC = 2, /* glibc's abort text */
    VAKA_TEXT_CXX = 3, /* type and what() of an uncaught C++ exception */
    VAKA_TEXT_HOST = 4, /* vaka_crash_set_message() */
};

struct vaka_text {
    uint32_t source;
    uint32_t flags; /* bit 0: cut at the bound */
};
#define VAKA_TEXT_CUT 1u

enum vaka_loss_kind {
    VAKA_LOSS_STACK_UNREADABLE = 1, /* value: address */
    VAKA_LOSS_IMAGES_LIMIT = 2, /* value: images left out */
    VAKA_LOSS_LINK_MAP = 3, /* the loader's list could not be read; value: address */
    VAKA_LOSS_SPACE = 4, /* value: bytes that did not fit; argument: section kind */
    VAKA_LOSS_WRITE = 5, /* value: errno; argument: section kind */
    VAKA_LOSS_RUN_FILE = 6, /* value: errno of the allocation; anonymous memory was used */
    VAKA_LOSS_READER = 7, /* process_vm_readv refused; value: errno; argument: reader used */
    VAKA_LOSS_THREADS_LIMIT = 8, /* value: threads left out */
    VAKA_LOSS_HANDLER_CRASHED = 9, /* value: address; argument: stage */
    VAKA_LOSS_RECORD_FILE = 10, /* value: errno of the allocation at install */
    VAKA_LOSS_PROC = 11, /* /proc could not be read; value: errno */
    VAKA_LOSS_TIME = 12, /* the time bound was reached; value: nanoseconds; argument: stage */
    VAKA_LOSS_THREADS_SILENT = 13, /* value: threads that did not answer the signal: read from /proc */
    VAKA_LOSS_HANDLER_HUNG = 14, /* a timer ended the stage; value: nanoseconds; argument: stage */
    /* Of records that are made of a core. */
    VAKA_LOSS_CORE_CONTEXT = 32, /* what a run tells of itself: a core does not hold it */
    VAKA_LOSS_CORE_CUT = 33, /* value: bytes read; argument: enum vaka_core_end */
    VAKA_LOSS_CORE_SPOOL = 34, /* what was to be kept of the core could not be written; value: errno */
    VAKA_LOSS_IMAGE_FILES = 35, /* value: images whose call frame information was wanted and not found */
    VAKA_LOSS_ANALYSIS = 36, /* the images' files were not read; argument: enum vaka_analysis_end; value: signal */
};

/* Why a core was not read to its end. */
enum vaka_core_end {
    VAKA_CORE_SHORT = 1, /* it ended */
    VAKA_CORE_TIME = 2,
    VAKA_CORE_BYTES = 3, /* more bytes than were to be read */
    VAKA_CORE_ERROR = 4,
};

/* Why the files of a core's images were not read. */
enum vaka_analysis_end {
    VAKA_ANALYSIS_DIED = 1, /* the process that read them, by a signal */
    VAKA_ANALYSIS_TIME = 2, /* it took too long and was ended */
    VAKA_ANALYSIS_FAILED = 3,
};

struct vaka_loss {
    uint32_t kind;
    uint32_t argument;
    uint64_t value;
};

struct vaka_end {
    uint32_t section_count; /* sections before this one */
    uint32_t reserved;
    uint64_t record_bytes; /* of the whole file, this section included */
    uint64_t handler_ns; /* CLOCK_MONOTONIC, from handler entry to here */
};

_Static_assert(sizeof(struct vaka_record_header) == 64, "record header");
_Static_assert(offsetof(struct vaka_record_header, header_crc) == 60, "record header crc");
_Static_assert(sizeof(struct vaka_section_header) == 32, "section header");
_Static_assert(offsetof(struct vaka_section_header, header_crc) == 28, "section header crc");
_Static_assert(sizeof(struct vaka_reason) == 80, "reason");
_Static_assert(sizeof(struct vaka_sender) == 24, "sender");
_Static_assert(sizeof(struct vaka_snapshot) == 64, "snapshot");
_Static_assert(sizeof(struct vaka_thread) == 32, "thread");
_Static_assert(sizeof(struct vaka_frame) == 24, "frame");
_Static_assert(sizeof(struct vaka_frames) == 16, "frames");
_Static_assert(sizeof(struct vaka_memory) == 24, "memory");
_Static_assert(sizeof(struct vaka_images) == 8, "images");
_Static_assert(sizeof(struct vaka_image) == 64, "image");
_Static_assert(sizeof(struct vaka_text) == 8, "text");
_Static_assert(sizeof(struct vaka_loss) == 16, "loss");
_Static_assert(sizeof(struct vaka_end) == 24, "end");

#endif
