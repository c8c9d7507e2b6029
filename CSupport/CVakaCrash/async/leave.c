/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a run that ends by itself. exit() comes here by a destructor. _exit(), by which shells and many signal
 * handlers end a program, runs none, so it is ours: else the next launch would take the run for a killed one. Weak:
 * where the program or a sanitizer's runtime brings its own, that one counts.
 */
#include "leave.h"
#include "first.h"
#include "state.h"
#include "system.h"

#include <fcntl.h>
#include <string.h>

void (*vaka_async_next_exit)(int status);

static void remove_file(const char *name) {
    /* The one caller has it: the state changes once. */
    static char path[VAKA_PATH_BYTES + VAKA_NAME_BYTES + 8];
    size_t length = strlen(vaka_async_state.storage);
    memcpy(path, vaka_async_state.storage, length);
    memcpy(path + length, "/runs/", 6);
    memcpy(path + length + 6, name, strlen(name) + 1);
    vaka_async_call(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0, 0, 0);
}

void vaka_async_end_run(void) {
    struct vaka_state *state = &vaka_async_state;
    if (state->run == NULL || state->pid != vaka_async_getpid() || state->files_removed)
        return;
    vaka_async_first_leaves();
    uint32_t running = VAKA_RUN_RUNNING;
    if (!__atomic_compare_exchange_n(&vaka_async_run_header()->state, &running, VAKA_RUN_ENDED, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        return;
    }
    state->files_removed = true;
    remove_file(state->record_name);
    remove_file(state->run_name);
}

static _Noreturn void leave(int status) {
    if (vaka_async_is_installed())
        vaka_async_end_run();
    if (vaka_async_next_exit != NULL)
        vaka_async_next_exit(status);
    for (;;)
        vaka_async_call(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

__attribute__((weak, visibility("default"))) _Noreturn void _exit(int status);
__attribute__((weak, visibility("default"))) _Noreturn void _Exit(int status);

void _exit(int status) {
    leave(status);
}

void _Exit(int status) {
    leave(status);
}
