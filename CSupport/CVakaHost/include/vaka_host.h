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

/* The name of the symbol that holds the address, from the dynamic symbol tables; NULL where there is none. */
const char *vaka_host_symbol(const void *address);

#endif
