/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes sections. A section is collected in a static buffer and goes to the file by pwrite, or to its mapping where a
 * limit of the process forbids that. Its header comes last where it is larger than the buffer: what is on disk at any
 * moment reads as far as it goes.
 */
#ifndef VAKA_ASYNC_WRITER_H
#define VAKA_ASYNC_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct vaka_record_file {
    int fd; /* -1: none */
    uint64_t capacity; /* how long it may become */
    uint8_t *
        memory; /* its `capacity` bytes in memory, where they are not to be, or cannot be, written to the file; or NULL */
};

/* Begins the file with `header`. Sections may use its capacity but VAKA_RECORD_RESERVE. */
bool vaka_async_writer_begin(const struct vaka_record_file *file, const void *header, size_t header_bytes);

void vaka_async_section_begin(uint16_t kind);
void vaka_async_section_append(const void *bytes, size_t count);
/*
 * Appends memory that may not be readable: what is not, becomes zeros. A filter, which may be NULL, changes each part, from
 * that address on, before it goes anywhere.
 */
typedef void vaka_async_filter(uint64_t address, uint8_t *bytes, size_t count);
void vaka_async_section_append_memory(uint64_t address, size_t count, vaka_async_filter *filter);
/* Pads the payload with zeros to a multiple of 8. */
void vaka_async_section_pad(void);
/* Completes it. One that did not fit or could not be written is taken back and noted as lost. */
void vaka_async_section_end(void);
/* Takes back a section that was begun and not ended. */
void vaka_async_section_abandon(void);

/* The whole section at once. */
void vaka_async_section(uint16_t kind, const void *payload, size_t bytes);

/* How many more bytes of sections fit, and how many the file may have in all. */
uint64_t vaka_async_writer_room(void);
uint64_t vaka_async_writer_capacity(void);
void vaka_async_writer_set_capacity(uint64_t capacity);
int vaka_async_writer_fd(void);

/* Lets the next sections use the reserve. */
void vaka_async_writer_use_reserve(void);
/* False where what was staged could not be written: it is given up, and noted. */
bool vaka_async_writer_flush(void);
/* Takes the last section back that was written, so that what follows has its room. */
void vaka_async_writer_drop_last(void);

/* The bytes of the file so far, what is not flushed included, and the number of sections. */
uint64_t vaka_async_writer_bytes(void);
uint32_t vaka_async_writer_sections(void);

#pragma GCC visibility pop
#endif
