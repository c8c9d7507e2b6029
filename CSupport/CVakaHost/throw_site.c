/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "vaka_host.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdatomic.h>
#include <string.h>
#include <unwind.h>

/*
 * The stacks of the last throws, by the address of the error. A slot is written and read by one thread at a time; who
 * finds it taken goes on without it, so that no lock is waited for.
 */
#define SLOTS 64u
#define FRAMES_MAX 48u

struct throw_site {
    atomic_flag taken;
    bool used;
    /* A weak reference: another error may lie where a forgotten one lay. */
    void *error;
    size_t count;
    void *addresses[FRAMES_MAX];
};

static struct throw_site sites[SLOTS];

/*
 * The runtime's own: swift/Runtime/Error.h of the Swift runtime. Weak, for programs in C. Its variable _swift_willThrow is
 * not named here: a reference would make the program a copy of it, which the runtime does not read.
 */
typedef void throw_handler(const void *error);
__attribute__((weak)) extern void _swift_setWillThrowHandler(throw_handler *handler);
__attribute__((weak)) extern void swift_willThrow(void);
__attribute__((weak)) extern void *swift_weakInit(void *reference, const void *object);
__attribute__((weak)) extern void *swift_weakAssign(void *reference, const void *object);
__attribute__((weak)) extern void *swift_weakLoadStrong(void *reference);
__attribute__((weak)) extern void swift_release(void *object);

static _Atomic(throw_handler *) previous;

static struct throw_site *site_of(const void *error) {
    /* Errors lie at multiples of 16. */
    uintptr_t mixed = ((uintptr_t)error >> 4) * 0x9e3779b97f4a7c15u;
    return &sites[mixed >> 58];
}

/* Whether the slot is of that very error, which is alive. */
static bool is_of(struct throw_site *site, const void *error) {
    void *kept = site->used ? swift_weakLoadStrong(&site->error) : NULL;
    if (kept != NULL)
        swift_release(kept);
    return kept == error;
}

static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *context, void *data) {
    struct throw_site *site = data;
    void *address = (void *)_Unwind_GetIP(context);
    if (address == NULL || site->count == FRAMES_MAX)
        return _URC_END_OF_STACK;
    site->addresses[site->count++] = address;
    return _URC_NO_REASON;
}

static bool is_throw_function(const void *address) {
    uintptr_t start = (uintptr_t)swift_willThrow, place = (uintptr_t)address;
    return place > start && place - start < 128;
}

static __attribute__((noinline)) void note_throw(const void *error) {
    struct throw_site *site = site_of(error);
    if (!atomic_flag_test_and_set_explicit(&site->taken, memory_order_acquire)) {
        if (site->used)
            swift_weakAssign(&site->error, error);
        else
            swift_weakInit(&site->error, error);
        site->used = true;
        site->count = 0;
        _Unwind_Backtrace(visit_frame, site);
        atomic_flag_clear_explicit(&site->taken, memory_order_release);
    }
    throw_handler *next = atomic_load_explicit(&previous, memory_order_acquire);
    if (next != NULL)
        next(error);
}

int vaka_host_watch_throws(void) {
    if (_swift_setWillThrowHandler == NULL || swift_willThrow == NULL || swift_weakInit == NULL ||
        swift_weakAssign == NULL || swift_weakLoadStrong == NULL || swift_release == NULL)
        return ENOSYS;
    _Atomic(throw_handler *) *variable = dlsym(RTLD_DEFAULT, "_swift_willThrow");
    throw_handler *before = variable != NULL ? atomic_load(variable) : NULL;
    if (before == note_throw)
        return 0;
    atomic_store_explicit(&previous, before, memory_order_release);
    _swift_setWillThrowHandler(note_throw);
    return 0;
}

size_t vaka_host_throw_stack(const void *error, void **addresses, size_t capacity) {
    struct throw_site *site = site_of(error);
    if (atomic_flag_test_and_set_explicit(&site->taken, memory_order_acquire))
        return 0;
    size_t count = 0;
    if (is_of(site, error)) {
        /* The handler's own frame, and that of the runtime's function. */
        size_t first = site->count > 1 && is_throw_function(site->addresses[1]) ? 2 : 1;
        count = site->count > first ? site->count - first : 0;
        if (count > capacity)
            count = capacity;
        memcpy(addresses, site->addresses + first, count * sizeof(void *));
    }
    atomic_flag_clear_explicit(&site->taken, memory_order_release);
    return count;
}
