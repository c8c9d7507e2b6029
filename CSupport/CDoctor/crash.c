/* SPDX-License-Identifier: Apache-2.0 */
#include "vaka_doctor.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define THREAD_STACK_BYTES ((size_t)256 * 1024)
#define FRAME_BYTES 4096

static int moment_file = -1;
/* Volatile: what the compiler knows of them it would use. */
static volatile int *volatile nowhere;
static volatile int goes_on = 1;

static void tell_moment(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t nanoseconds = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    if (write(moment_file, &nanoseconds, sizeof(nanoseconds)) != sizeof(nanoseconds))
        return;
}

__attribute__((noinline)) static int inner(volatile int *where) {
    *where = 1;
    return *where + 1;
}

__attribute__((noinline)) static int middle(volatile int *where) {
    return inner(where) + 1;
}

__attribute__((noinline)) static int outer(volatile int *where) {
    return middle(where) + 1;
}

uint64_t vaka_doctor_function(size_t index) {
    static int (*const functions[])(volatile int *) = {inner, middle, outer};
    Dl_info information;
    if (index >= sizeof(functions) / sizeof(functions[0]))
        return 0;
    uintptr_t address = (uintptr_t)functions[index];
    if (dladdr((const void *)address, &information) == 0)
        return 0;
    return address - (uintptr_t)information.dli_fbase;
}

static pthread_barrier_t barrier;

static void *waits(void *unused) {
    (void)unused;
    pthread_setname_np(pthread_self(), VAKA_DOCTOR_THREAD_NAME);
    pthread_barrier_wait(&barrier);
    for (;;)
        pause();
    return NULL;
}

static void start_threads(void) {
    pthread_barrier_init(&barrier, NULL, VAKA_DOCTOR_THREADS + 1);
    for (int i = 0; i < VAKA_DOCTOR_THREADS; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, waits, NULL) != 0)
            _exit(1);
    }
    pthread_barrier_wait(&barrier);
}

/* What follows the call keeps the compiler from turning the calls into a loop. */
__attribute__((noinline)) static uint64_t deeper(uint64_t depth) {
    volatile char frame[FRAME_BYTES];
    frame[depth % FRAME_BYTES] = 1;
    if (!goes_on)
        return depth;
    return deeper(depth + 1) + (uint64_t)frame[(depth + 1) % FRAME_BYTES];
}

static void *overflow(void *unused) {
    (void)unused;
    tell_moment();
    deeper(0);
    return NULL;
}

static void overflow_a_thread(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
    if (pthread_create(&thread, &attributes, overflow, NULL) == 0)
        pthread_join(thread, NULL);
}

/* Without a limit the stack would grow until memory is used up. */
static void limit_main_stack(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur <= 8u * 1024 * 1024)
        return;
    limit.rlim_cur = 8u * 1024 * 1024;
    setrlimit(RLIMIT_STACK, &limit);
}

void vaka_doctor_crash(enum vaka_doctor_crash crash, int moment) {
    moment_file = moment;
    switch (crash) {
    case VAKA_DOCTOR_FAULT:
        start_threads();
        tell_moment();
        outer(nowhere);
        return;
    case VAKA_DOCTOR_ABORT:
        tell_moment();
        abort();
    case VAKA_DOCTOR_OVERFLOW:
        limit_main_stack();
        overflow(NULL);
        return;
    case VAKA_DOCTOR_THREAD_OVERFLOW:
        overflow_a_thread();
        return;
    }
}
