/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the library outside signal context share. */
#ifndef VAKA_INTERNAL_H
#define VAKA_INTERNAL_H

#include "async/state.h"
#include "vaka_crash.h"

#include <signal.h>

#pragma GCC visibility push(hidden)

/* Keeps the text for vaka_crash_last_error() and returns `error`. */
int vaka_fail(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));
void vaka_forget_error(void);

/* Makes and opens the storage folder. 0 or an errno value, told by vaka_crash_last_error(). */
int vaka_storage_open(const char *storage);
void vaka_storage_close(void);
/* Opens the list of the process's threads. */
void vaka_tasks_open(void);

/* Takes care of what dead processes left: partial records are kept, empty ones and old run files removed. */
void vaka_sweep_old_runs(void);

/* Descriptors of ours have high numbers: the program gets the low ones it would have had without us. */
#define VAKA_LOWEST_DESCRIPTOR 200
int vaka_descriptor_high(int fd);
/* Closes a descriptor if it still is the file that was opened. */
void vaka_descriptor_close(int *fd, const struct vaka_identity *identity);
bool vaka_descriptor_identify(int fd, struct vaka_identity *identity);
/* Allocates a file's blocks: 0 or an errno value. Never raises SIGXFSZ. */
int vaka_descriptor_allocate(int fd, uint64_t bytes);

/* The run's memory and the record's file. */
int vaka_run_create(void);
void vaka_run_create_record(void);
void vaka_run_close(void);
/* Another copy of the library tells of the process from now on, in its own folder. The file and its lock stay. */
void vaka_run_hand_over(const char *heir);
/* At the process's clean end: the file goes. */
void vaka_run_end_handed_over(void);
/* What follows our _exit(), and quick_exit(). */
void vaka_leave_prepare(void);

/* Sets, or with NULL removes, one value of the run's context. */
int vaka_context_set(uint16_t scope, const char *key, const char *value);
void vaka_context_set_number(uint16_t scope, const char *key, uint64_t value);
void vaka_context_lock(void);
void vaka_context_unlock(void);

/* Puts what describes the machine and the process into the context. */
void vaka_host_facts(void);
void vaka_container_facts(void);
/* Finds the files that tell of the control group's memory, and puts what it is into the context. */
void vaka_control_group_find(void);
/* When the process was started, in clock ticks since the boot; UINT64_MAX where /proc does not tell. */
uint64_t vaka_process_start_ticks(void);

/* Puts figures of the process into the run file, unless that was done within the last second. */
void vaka_figures_note(void);
/* For a new run. */
void vaka_figures_begin(bool are_off);

/* Handlers for the signals that ask for the end and have none. */
void vaka_asked_install(void);
void vaka_asked_uninstall(void);

/* At most `size` - 1 bytes of a file, NUL-terminated; "" where it cannot be read. */
size_t vaka_read_small_file(const char *path, char *out, size_t size);

void vaka_images_collect(void);
void vaka_images_free(void);
/* Where an image without .eh_frame_hdr has its .eh_frame, by the section headers of its file. */
void vaka_find_frames_section(const char *path, struct vaka_known_image *image);

/* The texts of the Swift runtime and of glibc. */
void vaka_texts_find(void);
/* The handler of uncaught C++ exceptions. */
void vaka_cxx_install(void);
void vaka_cxx_uninstall(void);

struct vaka_snapshot_request;
/* Takes one and keeps it in crashes/: what vaka_crash_snapshot() returns. Waits for one that is being taken. */
int vaka_snapshot_take(struct vaka_snapshot_request *request, char id[33]);
/* While it is held none is taken. */
void vaka_snapshot_lock(void);
void vaka_snapshot_unlock(void);
/* In a forked child: nobody holds the lock. */
void vaka_snapshot_forked(void);

/* In a forked child: there are none. */
void vaka_watches_forked(void);

void vaka_alt_stack_install(void);
void vaka_alt_stack_uninstall(void);
/* For a crash on a thread whose own is too small. */
void vaka_alt_stack_prepare_spare(void);
/* The system call: libc's name is ours. */
int vaka_alt_stack_call(const stack_t *set, stack_t *get);
/* A mapping with a guard page and an alternate stack above it, or NULL; and the stack in it. */
char *vaka_alt_stack_map(void);
void vaka_alt_stack_unmap(char *memory);
stack_t vaka_alt_stack_of(char *memory);

/* Gives the calling thread an alternate stack, if it has none, until it ends. */
void vaka_thread_stack_attach(void);
/* Threads made from now on get none. */
void vaka_thread_stacks_off(void);
bool vaka_thread_stacks_are_off(void);
/* Finds libc's pthread_create before it is needed. */
void vaka_thread_stacks_prepare(void);

/* What a forked child needs: once a process. */
void vaka_fork_prepare(void);

/* A program that brings the library itself may be started with the shared one preloaded: one crash, one record. */
void vaka_replace_other_copy(void);

/* A symbol of the running program, or NULL. */
void *vaka_symbol(const char *name);
/* A function of a Swift program that brings the Swift runtime, by its file's symbol table, or NULL. */
void *vaka_program_function(const char *name);

#pragma GCC visibility pop

/* For another copy of the library in the process, which installs in its place: as vaka_crash_uninstall(). */
VAKA_CRASH_API void vaka_crash_hand_over(const char *heir);
#endif
