/* SPDX-License-Identifier: Apache-2.0 */
#include "state.h"
#include "reader.h"

#define FIRST_PAGE 4096u

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

uint64_t vaka_async_told_address(uint64_t address) {
    uint8_t byte;
    bool is_told = !vaka_async_state.crash.keeps_pointers_only || address < FIRST_PAGE ||
                   vaka_async_read(address, &byte, sizeof(byte));
    return is_told ? address : VAKA_LEFT_OUT;
}

void vaka_async_add_loss(uint32_t kind, uint32_t argument, uint64_t value) {
    struct vaka_state *state = &vaka_async_state;
    if (state->loss_count >= VAKA_LOSSES_MAX)
        return;
    if (kind == VAKA_LOSS_STACK_UNREADABLE || kind == VAKA_LOSS_LINK_MAP)
        value = vaka_async_told_address(value);
    /* What reads memory may be what crashed. */
    if (kind == VAKA_LOSS_HANDLER_CRASHED && state->crash.keeps_pointers_only && value != 0)
        value = VAKA_LEFT_OUT;
    state->losses[state->loss_count++] = (struct vaka_loss){.kind = kind, .argument = argument, .value = value};
}
