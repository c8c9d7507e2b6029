/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protocol of Java's signal chaining, which its libjsig speaks too: a Java virtual machine looks these three up by
 * name, calls the first two around the setting of its handlers, and asks the third which action it is to chain to. Without
 * it the machine calls our handler for what it cannot handle and takes the return for a repair.
 */
#include "internal.h"

#include "async/later.h"

#include <pthread.h>

extern void *dlsym(void *handle, const char *name) __attribute__((weak));

/* libjsig, if it is there too. */
static struct {
    void (*begin)(void);
    void (*end)(void);
    struct sigaction *(*action)(int);
} next;

static void *find_next(const char *name) {
    return dlsym == NULL ? NULL : dlsym((void *)-1L /* RTLD_NEXT */, name);
}

static void find(void) {
    next.begin = (void (*)(void))(uintptr_t)find_next("JVM_begin_signal_setting");
    next.end = (void (*)(void))(uintptr_t)find_next("JVM_end_signal_setting");
    next.action = (struct sigaction * (*)(int))(uintptr_t)find_next("JVM_get_signal_action");
}

__attribute__((weak)) VAKA_CRASH_API void JVM_begin_signal_setting(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    vaka_async_later_begins();
    if (next.begin != NULL)
        next.begin();
}

__attribute__((weak)) VAKA_CRASH_API void JVM_end_signal_setting(void) {
    if (next.end != NULL)
        next.end();
}

/* In signal context. */
__attribute__((weak)) VAKA_CRASH_API struct sigaction *JVM_get_signal_action(int signal) {
    struct sigaction *action = vaka_async_later_asks(signal);
    return action == NULL && next.action != NULL ? next.action(signal) : action;
}
