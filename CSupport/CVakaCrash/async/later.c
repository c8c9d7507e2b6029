/* SPDX-License-Identifier: Apache-2.0 */
#include "later.h"
#include "capture.h"
#include "ending.h"
#include "handler.h"
#include "system.h"

#include <string.h>

/* The type of its note. */
#define GO_BUILD_ID 4

/* Bit a signal, atomic: the machine's handler is above ours; and it has been passed on by us. */
static uint32_t above;
static uint32_t given;

static uintptr_t handler_of(int signal) {
    struct vaka_action action = {.handler = (uintptr_t)SIG_DFL};
    vaka_async_call(SYS_rt_sigaction, signal, 0, (long)&action, sizeof(action.mask), 0, 0);
    return action.handler;
}

void vaka_async_later_begins(void) {
    uint32_t found = 0;
    for (int i = 0; i < VAKA_SIGNALS; i++) {
        if (handler_of(vaka_async_signals[i]) == (uintptr_t)vaka_async_handle)
            found |= 1u << i;
    }
    __atomic_store_n(&given, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&above, found, __ATOMIC_RELEASE);
}

static bool has_bit(const uint32_t *bits, int index) {
    return index >= 0 && (__atomic_load_n(bits, __ATOMIC_ACQUIRE) & 1u << index) != 0;
}

struct sigaction *vaka_async_later_asks(int signal) {
    static struct sigaction nothing; /* SIG_DFL */
    return has_bit(&given, vaka_async_signal_index(signal)) ? &nothing : NULL;
}

/* Every program and library of Go's has one with its build id. */
static bool is_of_go(uintptr_t handler) {
    const struct vaka_known_image *image = vaka_async_image_at(handler);
    return image != NULL && vaka_async_image_has_note(image, "Go\0", GO_BUILD_ID);
}

/* Delivered as soon as the signal is not blocked any more. */
static bool send_again(int signal, const siginfo_t *info) {
    uint64_t mask = vaka_async_signal_bit(signal);
    vaka_async_mask(SIG_BLOCK, &mask);
    return vaka_async_call(SYS_rt_tgsigqueueinfo, vaka_async_getpid(), vaka_async_gettid(), signal, (long)info, 0, 0) ==
           0;
}

static bool send_as_by_kill(int signal) {
    siginfo_t info;
    memset(&info, 0, sizeof(info));
    info.si_signo = signal;
    info.si_code = SI_USER;
    info.si_pid = vaka_async_getpid();
    info.si_uid = (uid_t)vaka_async_call(SYS_getuid, 0, 0, 0, 0, 0, 0);
    return send_again(signal, &info);
}

bool vaka_async_later_takes(int signal, siginfo_t *info) {
    int index = vaka_async_signal_index(signal);
    uintptr_t now = handler_of(signal);
    if (now == (uintptr_t)vaka_async_handle || now == (uintptr_t)SIG_DFL || now == (uintptr_t)SIG_IGN)
        return false;
    if (!has_bit(&above, index))
        return is_of_go(now) && send_as_by_kill(signal);
    __atomic_fetch_or(&given, 1u << index, __ATOMIC_ACQ_REL);
    return vaka_async_faults_again(signal, info) || send_again(signal, info);
}
