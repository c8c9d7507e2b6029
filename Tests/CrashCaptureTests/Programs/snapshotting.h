/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs share that take snapshots of themselves. */
#ifndef SNAPSHOTTING_H
#define SNAPSHOTTING_H

#include "vaka_crash.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *storage;
static const char *argument;

static void install_with(uint32_t flags) {
#ifndef PRELOADED
    vaka_crash_config config = {.size = sizeof(config), .storage = storage, .release = "test@1", .flags = flags};
    if (vaka_crash_install(&config) != 0) {
        fprintf(stderr, "%s\n", vaka_crash_last_error());
        exit(97);
    }
#else
    (void)flags;
#endif
}

__attribute__((unused)) static void install(void) {
    install_with(VAKA_CRASH_UNBOUNDED_SNAPSHOTS);
}

/* Prints what became of it. */
__attribute__((noinline, unused)) static int snapshot(const char *message) {
    char id[33];
    int error = vaka_crash_snapshot(message, id);
    if (error != 0)
        fprintf(stderr, "%s%s\n", strerror(error), id);
    else if (strlen(id) != 32)
        exit(96);
    return error;
}

__attribute__((unused)) static pthread_t start(void *(*routine)(void *), void *value) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, routine, value) != 0)
        exit(97);
    return thread;
}

static int running;

__attribute__((unused)) static void wait_for_threads(int count) {
    while (__atomic_load_n(&running, __ATOMIC_ACQUIRE) < count)
        usleep(100);
}

__attribute__((noinline, unused)) static void *run_named(void *name) {
    pthread_setname_np(pthread_self(), name);
    __atomic_fetch_add(&running, 1, __ATOMIC_RELEASE);
    for (volatile int i = 0;; i++) {
    }
    return NULL;
}

#endif
