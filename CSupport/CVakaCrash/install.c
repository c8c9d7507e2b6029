/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

#include "async/capture.h"
#include "async/checksum.h"
#include "async/handler.h"
#include "async/leave.h"
#include "async/pointers.h"
#include "async/reader.h"
#include "async/system.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STACK_BYTES_DEFAULT 65536u
#define STACK_BYTES_MAX (1024u * 1024u)
/* SA_RESTORER, which libc's headers hide. */
#define RESTORER_FLAG 0x04000000ul

static pthread_mutex_t install_lock = PTHREAD_MUTEX_INITIALIZER;

static struct vaka_action action_of(int signal) {
    struct vaka_action action = {0};
    syscall(SYS_rt_sigaction, signal, NULL, &action, sizeof(action.mask));
    return action;
}

static void install_handlers(void) {
    /* A thread that one of them stops for a snapshot goes on with its system call. */
    struct sigaction action = {.sa_sigaction = vaka_async_handle,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < VAKA_SIGNALS; i++)
        sigdelset(&action.sa_mask, vaka_async_signals[i]);
    for (int i = 0; i < VAKA_SIGNALS; i++) {
        struct vaka_action before = action_of(vaka_async_signals[i]);
        /* After an uninstall a later handler may still chain to ours, which chains to what was before it. */
        if (before.handler != (uintptr_t)vaka_async_handle)
            vaka_async_state.previous[i] = before;
        sigaction(vaka_async_signals[i], &action, NULL);
    }
    struct vaka_action ours = action_of(vaka_async_signals[0]);
    vaka_async_state.ours = ours;
    vaka_async_state.restorer = ours.restorer;
    vaka_async_state.restorer_flag = ours.restorer == 0 ? 0 : ours.flags & RESTORER_FLAG;
}

int vaka_crash_handles(int signal) {
    return action_of(signal).handler == (uintptr_t)vaka_async_handle;
}

static void restore_handlers(void) {
    for (int i = 0; i < VAKA_SIGNALS; i++) {
        int signal = vaka_async_signals[i];
        if (action_of(signal).handler != (uintptr_t)vaka_async_handle)
            continue;
        syscall(SYS_rt_sigaction, signal, &vaka_async_state.previous[i], NULL, sizeof(uint64_t));
    }
}

/* A function that is bound at its first call is bound now, not by the dynamic linker within the handler. */
static void bind_library_functions(void) {
    volatile size_t none = 0;
    char a[2] = "a", b[2] = "b";
    memcpy(a, b, none);
    memmove(a, b, none);
    memset(a, 0, none);
    none = (size_t)memcmp(a, b, none) + strlen(a + none) + (memchr(a, 'a', none) != NULL);
}

static void set_release(const vaka_crash_config *config) {
    if (config->release != NULL)
        vaka_context_set(VAKA_CONTEXT_RELEASE, "release", config->release);
    if (config->environment != NULL)
        vaka_context_set(VAKA_CONTEXT_RELEASE, "environment", config->environment);
}

static void take_sizes(const vaka_crash_config *config) {
    uint32_t bytes = config->stack_bytes == 0 ? STACK_BYTES_DEFAULT : config->stack_bytes;
    if (bytes > STACK_BYTES_MAX)
        bytes = STACK_BYTES_MAX;
    if ((config->flags & VAKA_CRASH_NO_STACK) != 0)
        bytes = 0;
    vaka_async_state.stack_bytes = bytes;
    vaka_async_state.hang_ns = VAKA_HANG_NS;
    vaka_async_state.keeps_register_memory = (config->flags & VAKA_CRASH_REGISTER_MEMORY) != 0;
    vaka_async_state.bounds_snapshots = (config->flags & VAKA_CRASH_UNBOUNDED_SNAPSHOTS) == 0;
}

#ifdef VAKA_TEST_FAULTS
static void take_test_faults(void) {
    const char *stages = getenv("VAKA_TEST_FAULT_STAGES");
    vaka_async_test_fault_stages = stages == NULL ? 0 : (uint32_t)strtoul(stages, NULL, 0);
    vaka_async_test_fault_aborts = getenv("VAKA_TEST_FAULT_ABORTS") != NULL;
    vaka_async_test_fault_hangs = getenv("VAKA_TEST_FAULT_HANGS") != NULL;
    const char *jump = getenv("VAKA_TEST_CLOCK_JUMP");
    vaka_async_test_clock_jump = jump == NULL ? 0 : strtoll(jump, NULL, 10);
}
#endif

static int install(const vaka_crash_config *config) {
    struct vaka_state *state = &vaka_async_state;
    vaka_async_checksum_prepare();
    bind_library_functions();
    take_sizes(config);
    int error = vaka_storage_open(config->storage);
    if (error != 0)
        return error;
    error = vaka_run_create();
    if (error != 0) {
        vaka_storage_close();
        return error;
    }
    state->pid = getpid();
    vaka_replace_other_copy();
    vaka_sweep_old_runs();
    vaka_run_create_record();
    vaka_async_reader_prepare(VAKA_LOWEST_DESCRIPTOR);
    vaka_tasks_open();
    vaka_images_collect();
    vaka_texts_find();
    set_release(config);
    vaka_host_facts();
    vaka_control_group_find();
    vaka_fork_prepare();
    vaka_leave_prepare();
    if ((config->flags & VAKA_CRASH_NO_ALT_STACK) == 0)
        vaka_alt_stack_install();
    vaka_alt_stack_prepare_spare();
    vaka_thread_stacks_prepare();
    if ((config->flags & VAKA_CRASH_NO_THREAD_STACKS) != 0)
        vaka_thread_stacks_off();
#ifdef VAKA_TEST_FAULTS
    take_test_faults();
#endif
    memset(state->repairs, 0, sizeof(state->repairs));
    __atomic_store_n(&state->owner, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&state->stage, VAKA_STAGE_IDLE, __ATOMIC_RELEASE);
    __atomic_store_n(&state->installed, 1, __ATOMIC_RELEASE);
    install_handlers();
    vaka_cxx_install();
    if ((config->flags & VAKA_CRASH_NO_END_SIGNALS) == 0)
        vaka_asked_install();
    vaka_figures_begin((config->flags & VAKA_CRASH_NO_FIGURES) != 0);
    return 0;
}

static void say(const vaka_crash_config *config, int error) {
    const struct vaka_state *state = &vaka_async_state;
    if ((config->flags & VAKA_CRASH_DEBUG) == 0)
        return;
    if (error != 0) {
        dprintf(STDERR_FILENO, "vaka: not installed: %s\n", vaka_crash_last_error());
        return;
    }
    dprintf(STDERR_FILENO, "vaka: installed; run %s in %s\n", state->run_id, state->storage);
    if (state->run_error != 0) {
        dprintf(STDERR_FILENO, "vaka: the run file could not be made: %s\n", strerror(state->run_error));
    }
    if (state->record_error != 0) {
        dprintf(STDERR_FILENO, "vaka: the record's file could not be allocated: %s\n", strerror(state->record_error));
    }
}

int vaka_crash_install(const vaka_crash_config *given) {
    vaka_forget_error();
    if (given == NULL || given->size < offsetof(vaka_crash_config, release)) {
        return vaka_fail(EINVAL, "no configuration: set its size to sizeof(vaka_crash_config)");
    }
    vaka_crash_config config = {0};
    memcpy(&config, given, given->size < sizeof(config) ? given->size : sizeof(config));
    if (config.storage == NULL || config.storage[0] == 0) {
        return vaka_fail(EINVAL, "no storage folder: set vaka_crash_config.storage");
    }
    if ((config.flags & VAKA_CRASH_POINTERS_ONLY) != 0)
        vaka_async_keep_pointers_only(1);
    pthread_mutex_lock(&install_lock);
    int error = 0;
    if (!vaka_async_is_installed()) {
        error = install(&config);
        say(&config, error);
    }
    pthread_mutex_unlock(&install_lock);
    return error;
}

/* `heir` is the storage folder of the copy of the library that takes over; NULL: the run ends. */
static void uninstall(const char *heir) {
    struct vaka_state *state = &vaka_async_state;
    vaka_crash_end_watches();
    pthread_mutex_lock(&install_lock);
    vaka_snapshot_lock();
    if (vaka_async_is_installed()) {
        restore_handlers();
        vaka_asked_uninstall();
        vaka_cxx_uninstall();
        __atomic_store_n(&state->installed, 0, __ATOMIC_RELEASE);
        if (heir == NULL)
            vaka_async_end_run();
        else
            vaka_run_hand_over(heir);
        vaka_context_lock();
        vaka_run_close();
        vaka_context_unlock();
        vaka_async_reader_close();
        vaka_images_free();
        vaka_alt_stack_uninstall();
        vaka_descriptor_close(&state->tasks_folder, &state->tasks_identity);
        vaka_storage_close();
        state->run_id[0] = 0;
    }
    vaka_snapshot_unlock();
    pthread_mutex_unlock(&install_lock);
}

void vaka_crash_uninstall(void) {
    uninstall(NULL);
}

void vaka_crash_hand_over(const char *heir) {
    uninstall(heir);
}

const char *vaka_crash_run_id(void) {
    return vaka_async_state.run_id;
}

void vaka_crash_end_run(void) {
    vaka_crash_end_watches();
    vaka_async_end_run();
}

/* Runs after the program's own atexit functions and most destructors; the handlers stay for the others. */
__attribute__((destructor(101))) static void at_exit(void) {
    vaka_async_end_run();
    vaka_run_end_handed_over();
}
