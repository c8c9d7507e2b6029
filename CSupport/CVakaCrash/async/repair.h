/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a handler that was there before ours repaired what faulted: then there was no crash. */
#ifndef VAKA_ASYNC_REPAIR_H
#define VAKA_ASYNC_REPAIR_H

#include "state.h"

#pragma GCC visibility push(hidden)

/* Where the interrupted code stands, to be compared after a handler has returned. */
struct vaka_place {
    uint64_t pc;
    uint32_t registers; /* their checksum */
};

struct vaka_place vaka_async_place_of(const void *context);

/*
 * True where the program goes on from `context` rather than meet the same fault again: the handler has changed where or
 * with which registers it goes on, the memory is there now, or the signal is not of a fault.
 */
bool vaka_async_is_repaired(int signal, const siginfo_t *info, const void *context, struct vaka_place before);

#pragma GCC visibility pop
#endif
