/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "mutex_observer.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void lock_function(uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void unlock_function(__attribute__((swift_context)) void *mutex);

lock_function observed_lock __asm__(LOCK);
unlock_function observed_unlock __asm__(UNLOCK);

/* The sanitizer's own. */
void __tsan_acquire(void *address);
void __tsan_release(void *address);

static lock_function *real_lock;
static unlock_function *real_unlock;

static void *find(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) {
        fprintf(stderr, "no %s: this Swift has another mutex\n", name);
        abort();
    }
    return function;
}

__attribute__((constructor)) static void find_both(void) {
    real_lock = (lock_function *)find(LOCK);
    real_unlock = (unlock_function *)find(UNLOCK);
}

__attribute__((swiftcall)) void observed_lock(uint32_t thread, __attribute__((swift_context)) void *mutex) {
    real_lock(thread, mutex);
    __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void observed_unlock(__attribute__((swift_context)) void *mutex) {
    __tsan_release(mutex);
    real_unlock(mutex);
}
