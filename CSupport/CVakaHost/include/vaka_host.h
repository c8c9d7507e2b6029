/* SPDX-License-Identifier: Apache-2.0 */
/* What a running program can say about itself, by functions of libc that Swift cannot reach. Not for signal handlers. */
#ifndef VAKA_HOST_H
#define VAKA_HOST_H

#include <stddef.h>
#include <stdint.h>

#define VAKA_HOST_BUILD_ID_MAX 32u

/*
 * The return addresses of the calling thread's stack, innermost first, by libgcc's unwinder over the call frame
 * information. The first is the place where the function that calls this one was called, `skip` 0; each `skip` leaves
 * out one more. Returns how many there are. Thread-safe.
 */
size_t vaka_host_call_stack(void **addresses, size_t capacity, size_t skip);

/*
 * From now on the stack of each throw of a Swift error is kept: at most 48 frames of each thread's last 8. A throw takes some microseconds more then. Handlers that were there before go on being called. Returns 0, or
 * ENOSYS where the program has no Swift runtime with such a hook. Thread-safe.
 */
int vaka_host_watch_throws(void);

/*
 * The return addresses of the throw of that error, innermost first; 0 where they are not kept (any more).
 * Thread-safe.
 */
size_t vaka_host_throw_stack(const void *error, void **addresses, size_t capacity);

/* As getpid(), in a forked child too, at the cost of a read of memory instead of a system call. Thread-safe. */
int vaka_host_process_id(void);

/* The kernel's id of the calling thread. */
int vaka_host_thread_id(void);

/*
 * Whether a thread has an alternate signal stack: the calling one, or one that is made for the question. -1 where none can
 * be made.
 */
int vaka_host_has_signal_stack(void);
int vaka_host_new_thread_has_signal_stack(void);

struct vaka_host_image {
    const char *path; /* "" for the program itself */
    uint64_t image_address; /* where the first loaded byte lies */
    uint64_t image_bytes; /* from there to the end of the last segment */
    uint64_t load_bias;
    size_t build_id_bytes; /* 0 where it has none */
    uint8_t build_id[VAKA_HOST_BUILD_ID_MAX];
};

/* Calls `visit` for each loaded ELF object, until it returns other than 0. Takes the loader's lock. Thread-safe. */
void vaka_host_each_image(int (*visit)(const struct vaka_host_image *image, void *context), void *context);

/* Other than before where an object was loaded or unloaded since. Takes the loader's lock. Thread-safe. */
uint64_t vaka_host_image_generation(void);

/* The name of the symbol that holds the address, from the dynamic symbol tables; NULL where there is none. */
const char *vaka_host_symbol(const void *address);

#endif
