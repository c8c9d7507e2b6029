/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is kept of registers and stacks where texts are to be left out (vaka_crash_keep_pointers_only): what leads on in a
 * walk, and nothing else. Each of these keeps everything while that is off, unless it says otherwise.
 */
#ifndef VAKA_ASYNC_POINTERS_H
#define VAKA_ASYNC_POINTERS_H

#include "state.h"

#pragma GCC visibility push(hidden)

/* Of the next capture, as it is now. */
void vaka_async_pointers_begin(void);

/* As vaka_crash_keep_pointers_only(): another copy of the library may stand before this one's. */
void vaka_async_keep_pointers_only(int on);
/* The run file tells it to whoever reads the process's memory from outside. */
void vaka_async_note_pointers_only(void);

/* Of a thread's section: VAKA_THREAD_POINTERS_ONLY, or 0. */
uint32_t vaka_async_pointers_flag(void);

/* Registers and frames of state.crash, to the section that is open. */
void vaka_async_append_registers(void);
void vaka_async_append_frames(void);

/* The stacks that the frames of state.crash lie on are those that words may point into, from now on. */
void vaka_async_pointers_use_frames(void);

/* Whether it is off or not: makes VAKA_LEFT_OUT of each aligned word that is no pointer, and of bytes before and behind. */
void vaka_async_leave_out_texts(uint64_t address, uint8_t *bytes, size_t count);

/* Whether it is off or not: cuts a range around an address to the code of its image; false where that is none. */
bool vaka_async_clip_to_code(uint64_t address, uint64_t *start, uint64_t *end);

#pragma GCC visibility pop
#endif
