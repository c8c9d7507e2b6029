/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads of memory that may not be there. The kernel does them, so that a bad address is an answer and no fault:
 * process_vm_readv on the process itself or, where a sandbox refuses that, write(2) to a pipe.
 */
#ifndef VAKA_ASYNC_READER_H
#define VAKA_ASYNC_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* At install: opens the pipe, finds out what the kernel allows. `lowest_fd`: see vaka_descriptor_high. */
void vaka_async_reader_prepare(int lowest_fd);

/* At the crash: forgets old blocks, and replaces a pipe that the program has closed or that a fork shares. */
void vaka_async_reader_begin(int pid, bool forked_child);

/* enum vaka_reader_kind, and the errno with which process_vm_readv was refused (0: it was not). */
uint32_t vaka_async_reader_kind(void);
int vaka_async_reader_refusal(void);

/* All of the bytes, or false. Through a small cache of blocks: for many small reads near each other. */
bool vaka_async_read(uint64_t address, void *out, size_t bytes);

/* Forgets what was read of a range that may have changed since: the stack of a thread that ran until now. */
void vaka_async_reader_forget(uint64_t address, uint64_t bytes);

/* As many bytes from the start as are readable. Past the cache: for large reads. */
size_t vaka_async_read_some(uint64_t address, void *out, size_t bytes);

/* How many of the bytes from `address` on are readable, to the granularity of a page. */
size_t vaka_async_readable(uint64_t address, size_t bytes);

/* Gives up the pipe's descriptors where they are not needed, so that /proc can be read when none is left. */
void vaka_async_reader_free_descriptors(void);

/* At uninstall. */
void vaka_async_reader_close(void);

#pragma GCC visibility pop
#endif
