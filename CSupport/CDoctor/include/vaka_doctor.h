/* SPDX-License-Identifier: Apache-2.0 */
/* What vaka doctor does in its children: crashes whose stacks are known, and the system calls that a capture needs. */
#ifndef VAKA_DOCTOR_H
#define VAKA_DOCTOR_H

#include <stddef.h>
#include <stdint.h>

enum vaka_doctor_crash {
    VAKA_DOCTOR_FAULT, /* a write through a null pointer, beside two more threads */
    VAKA_DOCTOR_ABORT,
    VAKA_DOCTOR_OVERFLOW, /* of the main thread's stack */
    VAKA_DOCTOR_THREAD_OVERFLOW,
};

/* The names of the threads beside the one that crashes. */
#define VAKA_DOCTOR_THREADS 2
#define VAKA_DOCTOR_THREAD_NAME "doctor-waits"

/* Crashes. Just before, it writes the monotonic time in nanoseconds (8 bytes) to `moment`. Returns only where the crash
 * did not come. */
void vaka_doctor_crash(enum vaka_doctor_crash crash, int moment);

/* Where the functions that a fault is in begin, innermost first, from the first byte of this program's file in memory on;
 * 0 past the last. None has more bytes. */
uint64_t vaka_doctor_function(size_t index);
#define VAKA_DOCTOR_FUNCTION_BYTES 256

/* Tries the system calls that a capture makes, and writes a line "NAME ERRNO" for each to `answers`: before the call
 * with -1, after it with 0 or what it was refused with. A sandbox may end the process over any of them. */
void vaka_doctor_try_calls(int answers);

/* Where this process's limit of file sizes stands; UINT64_MAX for none. */
uint64_t vaka_doctor_file_size_limit(void);

/* The path that this process was started by, as the kernel tells it without /proc; NULL where it does not. */
const char *_Nullable vaka_doctor_started_as(void);

#endif
