/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VAKA_ASYNC_WALK_H
#define VAKA_ASYNC_WALK_H

#include "cfi.h"

#pragma GCC visibility push(hidden)

/*
 * The frames of a thread that stands still, innermost first, from its registers in the order of a record's thread
 * section; `flags` gets VAKA_FRAMES_…. Returns how many, at most `capacity`. Any thread's stack, but one walk at a time;
 * vaka_async_update_images comes before the first.
 */
uint32_t vaka_async_walk(const uint64_t *registers, uint32_t register_count, struct vaka_frame *frames,
                         uint32_t capacity, uint32_t *flags);

/* Keeps where a frame of the walk, from 0, may have the context of a Swift async function. */
void vaka_async_note_context(uint32_t frame, const struct vaka_registers *registers);

/* Whether a call stands right before an address, by its instruction. */
bool vaka_async_follows_call(uint64_t address);

/* arm64: the registers that a signal interrupted, from what the kernel left on its handler's stack. */
bool vaka_async_signal_frame(const struct vaka_registers *registers, struct vaka_registers *interrupted);

#pragma GCC visibility pop
#endif
