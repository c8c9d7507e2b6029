/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vaka's crash capture for native programs on Linux.
 *
 *     vaka_crash_config config = {.size = sizeof(config), .storage = "/var/lib/app/vaka", .release = "app@1.2.3"};
 *     if (vaka_crash_install(&config) != 0) fprintf(stderr, "%s\n", vaka_crash_last_error());
 *
 * A crash leaves STORAGE/crashes/<id>.vakacrash, which `vaka symbolicate` reads and `vaka submit` sends.
 * Depends on libc only. No function here may be called from a signal handler unless it says so.
 */
#ifndef VAKA_CRASH_H
#define VAKA_CRASH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define VAKA_CRASH_API __attribute__((visibility("default")))
#else
#define VAKA_CRASH_API
#endif

/* For vaka_crash_config.flags. */
#define VAKA_CRASH_DEBUG 1u        /* say on standard error what was installed and what failed */
#define VAKA_CRASH_NO_ALT_STACK 2u /* leave the calling thread's alternate signal stack alone */
#define VAKA_CRASH_NO_STACK 4u     /* keep no memory of stacks: the frames that the handler finds are all there are */
/*
 * Threads made from now on get no alternate signal stack. Without the flag pthread_create gives one to each thread of
 * the process, so that an overflow of its stack leaves a record; VAKA_NO_THREAD_STACKS=1 in the environment turns that
 * off too.
 */
#define VAKA_CRASH_NO_THREAD_STACKS 8u
/* Keep up to 256 bytes around each register that points into readable memory. */
#define VAKA_CRASH_REGISTER_MEMORY 16u
/* As many snapshots as are asked for: without it ten in a row, and one more each ten seconds. */
#define VAKA_CRASH_UNBOUNDED_SNAPSHOTS 32u
/*
 * Leave SIGTERM, SIGINT, SIGHUP, SIGQUIT and SIGPIPE alone. Without the flag those of them that have the default action
 * get a handler that notes the signal in the run file and then lets the default action follow, so that the next launch
 * knows such an end from a kill. A handler that the program installs later takes the place of ours.
 */
#define VAKA_CRASH_NO_END_SIGNALS 64u
/* Do not note memory figures in the run file: nothing reads /proc or the control group's files after the install. */
#define VAKA_CRASH_NO_FIGURES 128u
/* As vaka_crash_keep_pointers_only(1), also where the handlers are installed already. */
#define VAKA_CRASH_POINTERS_ONLY 256u

typedef struct vaka_crash_config {
    size_t size;             /* sizeof(vaka_crash_config): lets the struct grow */
    const char *storage;     /* the folder; made with mode 0700 when missing. Required */
    const char *release;     /* may be NULL */
    const char *environment; /* may be NULL */
    uint32_t
        stack_bytes; /* of the crashed thread's stack to keep; 0: 65,536; at most 1 MiB; none: VAKA_CRASH_NO_STACK */
    uint32_t flags;
} vaka_crash_config;

/*
 * Installs the handlers for SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE and SIGSYS, makes the run file and
 * allocates the record's file. Strings are copied. Returns 0, or an errno value, and then vaka_crash_last_error()
 * says what failed and what to do; nothing is left installed. A second call returns 0 and changes nothing.
 * Thread-safe.
 */
VAKA_CRASH_API int vaka_crash_install(const vaka_crash_config *config);

/*
 * Puts back the handlers that were there before (where ours are still in place), ends the run cleanly and frees its
 * files. Thread-safe.
 */
VAKA_CRASH_API void vaka_crash_uninstall(void);

/* Why the last vaka_crash_install() on this thread failed; "" if it did not. Never NULL. */
VAKA_CRASH_API const char *vaka_crash_last_error(void);

/* 1 between install and uninstall. Async-signal-safe. */
VAKA_CRASH_API int vaka_crash_is_installed(void);

/*
 * 1 where the handler of that signal is ours; 0 where it is another's, which may still call ours, or the signal is none of
 * those that are caught. Thread-safe.
 */
VAKA_CRASH_API int vaka_crash_handles(int signal);

/* The running run's id, 32 lowercase hexadecimal digits; "" before install. */
VAKA_CRASH_API const char *vaka_crash_run_id(void);

/*
 * Keeps a text that explains the crash to come (a runtime's panic message), at most 4,096 bytes; NULL forgets it.
 * Thread-safe and async-signal-safe.
 */
VAKA_CRASH_API void vaka_crash_set_message(const char *text);

/*
 * While it is on, records keep no memory that may hold texts: of stacks and registers only what points into an image or
 * the stack itself, or is 0, so that they can still be unwound, and nothing around registers. A record says so. Messages of
 * the runtimes, and what the program tells by the functions here, stay. docs/signal-safety.md tells the rules.
 *
 * Holds for what is recorded from now on, until it is set otherwise: an uninstall and the next install change nothing. After
 * VAKA_CRASH_FOR_GOOD it is never set otherwise. Thread-safe and async-signal-safe.
 */
VAKA_CRASH_API void vaka_crash_keep_pointers_only(int on);
#define VAKA_CRASH_FOR_GOOD 2

/* 0, 1 or VAKA_CRASH_FOR_GOOD, as it is now. Thread-safe and async-signal-safe. */
VAKA_CRASH_API int vaka_crash_keeps_pointers_only(void);

/* What a value of the run's context describes. */
typedef enum vaka_crash_scope {
    VAKA_CRASH_RELEASE = 1, /* keys "release", "environment" */
    VAKA_CRASH_USER = 2, /* keys "id", "email", … */
    VAKA_CRASH_TAG = 3,
    VAKA_CRASH_SESSION = 4, /* keys "id", "started", "status", "errors" */
    VAKA_CRASH_SDK = 5, /* keys "name", "version" */
    /* key: a name, value: the path of a file that the SDK reads when it sends the crash, and attaches to it */
    VAKA_CRASH_ATTACHMENT = 14,
} vaka_crash_scope;

/*
 * Sets one value of the run's context, in the run file at once: a crash takes it along. value NULL removes it.
 * Returns 0, EINVAL, ENOSPC (counted, and said in the record) or ENOTCONN before install. Thread-safe.
 */
VAKA_CRASH_API int vaka_crash_set_context(vaka_crash_scope scope, const char *key, const char *value);

/* Removes every value of one scope. Thread-safe. */
VAKA_CRASH_API int vaka_crash_clear_context(vaka_crash_scope scope);

/* The same as vaka_crash_set_context(VAKA_CRASH_TAG, …) and (VAKA_CRASH_USER, "id", …). Thread-safe. */
VAKA_CRASH_API int vaka_crash_set_tag(const char *key, const char *value);
VAKA_CRASH_API int vaka_crash_set_user(const char *id);

typedef enum vaka_crash_level {
    VAKA_CRASH_LEVEL_DEBUG = 1,
    VAKA_CRASH_LEVEL_INFO = 2,
    VAKA_CRASH_LEVEL_WARNING = 3,
    VAKA_CRASH_LEVEL_ERROR = 4,
    VAKA_CRASH_LEVEL_FATAL = 5,
} vaka_crash_level;

/*
 * Adds a breadcrumb to the ring of the last 128. category, message and data (a JSON object) may each be NULL; together
 * at most 992 bytes are kept (data is dropped first, then the message is cut, and the breadcrumb says so).
 * Does nothing before install. Lock-free; thread-safe.
 */
VAKA_CRASH_API void vaka_crash_add_breadcrumb(vaka_crash_level level, const char *category, const char *message,
                                              const char *data);

/* How many exchanges a crash takes along, and the bytes that each may have. */
#define VAKA_CRASH_EXCHANGES 32u
#define VAKA_CRASH_EXCHANGE_BYTES 1008u

/*
 * Keeps what is known of an exchange with another service in one of the slots, as a JSON object: a crash takes the
 * slots along. order tells which exchange began before which, from 1. json NULL empties the slot.
 * Returns 0, EINVAL (no such slot, order 0, too long or empty) or ENOTCONN before install. Any thread may call it, but two
 * calls for the same slot must not run at once. Lock-free.
 */
VAKA_CRASH_API int vaka_crash_set_exchange(unsigned int slot, uint64_t order, const char *json, size_t bytes);

/*
 * Notes in the run file that the program lives, and its memory figures, unless that was done within the last second.
 * Adding a breadcrumb and changing the context do the same; a program that does neither may call it from a timer of its
 * own, so that an end without a crash tells of its last moments. Takes some 30 microseconds then. Thread-safe.
 */
VAKA_CRASH_API void vaka_crash_note_alive(void);

/*
 * Says that the run ends as it should, so that the next launch does not call it abnormal. exit(), _exit() and
 * quick_exit() do the same; call it before exec, and in the parent before daemon(). The handlers stay. Thread-safe.
 */
VAKA_CRASH_API void vaka_crash_end_run(void);

/*
 * Keeps what every thread does at this moment, as a record of its own: STORAGE/crashes/<id>.vakacrash, of the type
 * snapshot. The other threads are stopped for it, for some milliseconds, by a real-time signal, and go on: system calls
 * that it interrupts are restarted but for those that the kernel restarts for no handler (docs/snapshots.md lists them).
 *
 * message may be NULL; at most 4,096 bytes of it are kept. id, which may be NULL too, gets the record's id, or "".
 * Returns 0 or an errno value: ENOTCONN before install, EAGAIN when there were too many of late, EDQUOT when 200 records
 * wait in crashes/, EBUSY when a crash is being recorded, or what kept the file from being written.
 * Thread-safe: of several calls at once each waits for the one before. Blocks until the record is on disk.
 */
VAKA_CRASH_API int vaka_crash_snapshot(const char *message, char id[33]);

/*
 * Watches over something that must go on: an event loop, a queue. When it does not for the bound, that is a hang: a
 * snapshot of the type hang is taken, once, and its end is told (docs/hangs.md). Watches end with the run.
 */
typedef struct vaka_crash_watch vaka_crash_watch;

typedef struct vaka_crash_watch_config {
    size_t size;       /* sizeof(vaka_crash_watch_config): lets the struct grow */
    const char *name;  /* at most 39 bytes are kept. Required */
    uint32_t bound_ms; /* 0: 5,000; at least 50 */
    uint32_t flags;    /* 0 */
    /*
     * For what runs what it is handed: has vaka_crash_watch_answer(watch, number) called there, and does not wait. It is
     * called on a thread of the library's own. Nothing is a hang before the first answer, and nothing is asked while the
     * process does nothing. NULL: what is watched says itself when it is busy.
     */
    void (*ping)(void *context, vaka_crash_watch *watch, uint64_t number);
    void *context;
} vaka_crash_watch_config;

/* NULL where it cannot be had (before install, or more than 32): vaka_crash_last_error() says why. Thread-safe. */
VAKA_CRASH_API vaka_crash_watch *vaka_crash_watch_start(const vaka_crash_watch_config *config);

/* Afterwards the ping is not called any more, nor is it being called. Not from the ping itself. Thread-safe. */
VAKA_CRASH_API void vaka_crash_watch_stop(vaka_crash_watch *watch);

/* Stops them all. Thread-safe. */
VAKA_CRASH_API void vaka_crash_end_watches(void);

/* The ping of that number was answered. Late and doubled answers do nothing. Thread-safe. */
VAKA_CRASH_API void vaka_crash_watch_answer(vaka_crash_watch *watch, uint64_t number);

/*
 * Of a watch without a ping, by the one thread that is watched: it has something to do, or has something else to do by
 * now; and it is going to wait, for as long as it likes. A few nanoseconds each. watch may be NULL.
 */
VAKA_CRASH_API void vaka_crash_watch_busy(vaka_crash_watch *watch);
VAKA_CRASH_API void vaka_crash_watch_idle(vaka_crash_watch *watch);

/* What is told of a hang, when it is noticed and when it is over. */
typedef struct vaka_crash_hang {
    const char *watch; /* the name */
    const char *id;    /* of the record in crashes/; "" where none could be taken */
    uint64_t stuck_ms; /* for how long it did not go on so far, or in all */
    int is_over;       /* 1: it has gone on */
} vaka_crash_hang;

/*
 * Has `told` called for each hang, on a thread of the library's own; NULL ends that. It must not wait for what is watched.
 * Thread-safe.
 */
VAKA_CRASH_API void vaka_crash_on_hang(void (*told)(void *context, const vaka_crash_hang *hang), void *context);

#ifdef __cplusplus
}
#endif

#endif
