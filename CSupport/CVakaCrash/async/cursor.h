/* SPDX-License-Identifier: Apache-2.0 */
/* Reads numbers of DWARF's encodings one after another. After a failure every number is 0 and `failed` stays set. */
#ifndef VAKA_ASYNC_CURSOR_H
#define VAKA_ASYNC_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct vaka_cursor {
    uint64_t at;
    uint64_t end; /* nothing is read from here on */
    bool failed;
};

/* Pointer encodings (LSB 5.0, 10.5): how wide a number is, and what is added to it. */
#define VAKA_ENCODING_OMIT 0xffu
#define VAKA_ENCODING_FORM 0x0fu
#define VAKA_ENCODING_BASE 0x70u
#define VAKA_ENCODING_ALIGNED 0x50u

/* An unsigned number of 1 to 8 bytes, little-endian. */
uint64_t vaka_async_cursor_number(struct vaka_cursor *cursor, size_t bytes);
int64_t vaka_async_cursor_signed(struct vaka_cursor *cursor, size_t bytes);
uint64_t vaka_async_cursor_uleb(struct vaka_cursor *cursor);
int64_t vaka_async_cursor_sleb(struct vaka_cursor *cursor);
void vaka_async_cursor_skip(struct vaka_cursor *cursor, uint64_t bytes);

/*
 * A number of a pointer encoding, with its base added: the place where it is, or `data` (of the table). What it points
 * to is not read where the encoding says "indirect".
 */
uint64_t vaka_async_cursor_pointer(struct vaka_cursor *cursor, uint8_t encoding, uint64_t data);
/* The bytes of a number of an encoding; 0 where they differ from number to number. */
size_t vaka_async_encoded_bytes(uint8_t encoding);

#pragma GCC visibility pop
#endif
