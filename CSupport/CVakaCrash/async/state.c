/* SPDX-License-Identifier: Apache-2.0 */
#include "state.h"

struct vaka_state vaka_async_state = {
    .runs_folder = -1, .crashes_folder = -1, .record_fd = -1, .run_fd = -1, .tasks_folder = -1};

const int vaka_async_signals[VAKA_SIGNALS] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS};

int vaka_async_signal_index(int signal) {
    for (int i = 0; i < VAKA_SIGNALS; i++) {
        if (vaka_async_signals[i] == signal)
            return i;
    }
    return -1;
}

void vaka_async_add_loss(uint32_t kind, uint32_t argument, uint64_t value) {
    struct vaka_state *state = &vaka_async_state;
    if (state->loss_count >= VAKA_LOSSES_MAX)
        return;
    state->losses[state->loss_count++] = (struct vaka_loss){.kind = kind, .argument = argument, .value = value};
}
