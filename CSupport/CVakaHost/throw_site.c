/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "vaka_host.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

/*
 * The stacks of each thread's last throws. A thread writes its own ring; who reads another's takes it for a moment. A ring
 * is never freed: the next thread takes that of one that has ended.
 */
#define SITES 8u
#define FRAMES_MAX 48u

struct throw_site {
    _Atomic(const void *) error;
    /* A weak reference: another error may lie where a forgotten one lay. */
    void *reference;
    bool has_reference;
    size_t count;
    void *addresses[FRAMES_MAX];
};

struct throw_ring {
    struct throw_ring *next; /* constant once it is in the list */
    atomic_bool owned;
    atomic_flag taken;
    unsigned newest;
    struct throw_site sites[SITES];
};

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
static _Atomic(struct throw_ring *) rings;
static pthread_key_t ring_key;
static pthread_once_t ring_key_once = PTHREAD_ONCE_INIT;
static int ring_key_error;

static void give_back(void *value) {
    struct throw_ring *ring = value;
    atomic_store_explicit(&ring->owned, false, memory_order_release);
}

static void make_key(void) {
    ring_key_error = pthread_key_create(&ring_key, give_back);
}

static struct throw_ring *new_ring(void) {
    struct throw_ring *ring = calloc(1, sizeof(*ring));
    if (ring == NULL)
        return NULL;
    atomic_init(&ring->owned, true);
    struct throw_ring *first = atomic_load(&rings);
    do {
        ring->next = first;
    } while (!atomic_compare_exchange_weak(&rings, &first, ring));
    return ring;
}

static struct throw_ring *own_ring(void) {
    struct throw_ring *ring = pthread_getspecific(ring_key);
    if (ring != NULL)
        return ring;
    for (ring = atomic_load(&rings); ring != NULL; ring = ring->next) {
        bool owned = false;
        if (atomic_compare_exchange_strong(&ring->owned, &owned, true))
            break;
    }
    if (ring == NULL)
        ring = new_ring();
    if (ring != NULL && pthread_setspecific(ring_key, ring) != 0) {
        give_back(ring);
        return NULL;
    }
    return ring;
}

static bool take(struct throw_ring *ring) {
    for (unsigned tries = 0; tries < 1000; tries++) {
        if (!atomic_flag_test_and_set_explicit(&ring->taken, memory_order_acquire))
            return true;
    }
    return false;
}

static void let_go(struct throw_ring *ring) {
    atomic_flag_clear_explicit(&ring->taken, memory_order_release);
}

/* Whether the site is of that very error, which is alive. */
static bool is_of(struct throw_site *site, const void *error) {
    void *kept = site->has_reference ? swift_weakLoadStrong(&site->reference) : NULL;
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
    struct throw_ring *ring = own_ring();
    if (ring != NULL && take(ring)) {
        ring->newest = (ring->newest + 1) % SITES;
        struct throw_site *site = &ring->sites[ring->newest];
        if (site->has_reference)
            swift_weakAssign(&site->reference, error);
        else
            swift_weakInit(&site->reference, error);
        site->has_reference = true;
        site->count = 0;
        _Unwind_Backtrace(visit_frame, site);
        atomic_store_explicit(&site->error, error, memory_order_relaxed);
        let_go(ring);
    }
    throw_handler *next = atomic_load_explicit(&previous, memory_order_acquire);
    if (next != NULL)
        next(error);
}

int vaka_host_watch_throws(void) {
    if (_swift_setWillThrowHandler == NULL || swift_willThrow == NULL || swift_weakInit == NULL ||
        swift_weakAssign == NULL || swift_weakLoadStrong == NULL || swift_release == NULL)
        return ENOSYS;
    pthread_once(&ring_key_once, make_key);
    if (ring_key_error != 0)
        return ring_key_error;
    _Atomic(throw_handler *) *variable = dlsym(RTLD_DEFAULT, "_swift_willThrow");
    throw_handler *before = variable != NULL ? atomic_load(variable) : NULL;
    if (before == note_throw)
        return 0;
    atomic_store_explicit(&previous, before, memory_order_release);
    _swift_setWillThrowHandler(note_throw);
    return 0;
}

static size_t copy_stack(const struct throw_site *site, void **addresses, size_t capacity) {
    /* The handler's own frame, and that of the runtime's function. */
    size_t first = site->count > 1 && is_throw_function(site->addresses[1]) ? 2 : 1;
    size_t count = site->count > first ? site->count - first : 0;
    if (count > capacity)
        count = capacity;
    memcpy(addresses, site->addresses + first, count * sizeof(void *));
    return count;
}

size_t vaka_host_throw_stack(const void *error, void **addresses, size_t capacity) {
    for (struct throw_ring *ring = atomic_load(&rings); ring != NULL; ring = ring->next) {
        for (unsigned i = 0; i < SITES; i++) {
            struct throw_site *site = &ring->sites[i];
            if (atomic_load_explicit(&site->error, memory_order_relaxed) != error || !take(ring))
                continue;
            size_t count = is_of(site, error) ? copy_stack(site, addresses, capacity) : 0;
            let_go(ring);
            if (count > 0)
                return count;
        }
    }
    return 0;
}
