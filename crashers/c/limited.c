/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where little is allowed any more: a null write beside two threads, after the limit that the argument names was
 * lowered. With a second one nobody can raise it again, as in a process that gives up its rights.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int *volatile nowhere = (int *)8;
static int is_final;
static pthread_barrier_t barrier;

__attribute__((noinline)) static int book_order(int *total, int amount) {
    *total += amount;
    return *total + 1;
}

__attribute__((noinline)) static int book_orders(int *total, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += book_order(total, i);
    return sum + 1;
}

__attribute__((noinline)) static void *serve(void *name) {
    pthread_setname_np(pthread_self(), name);
    pthread_barrier_wait(&barrier);
    for (;;)
        pause();
    return NULL;
}

static void limit(int resource, rlim_t value) {
    struct rlimit limit;
    getrlimit(resource, &limit);
    limit.rlim_cur = value;
    if (is_final)
        limit.rlim_max = value;
    if (setrlimit(resource, &limit) != 0)
        exit(96);
}

static void limit_file_size(void) {
    limit(RLIMIT_FSIZE, 0);
}

static void limit_descriptors(void) {
    limit(RLIMIT_NOFILE, 3);
}

static void use_descriptors(void) {
    while (dup(0) >= 0) {
    }
}

static void limit_pending_signals(void) {
    limit(RLIMIT_SIGPENDING, 0);
}

static void limit_everything(void) {
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NOFILE, 0);
    limit(RLIMIT_NPROC, 0);
    limit(RLIMIT_MEMLOCK, 0);
}

static void exhaust_memory(void) {
    limit(RLIMIT_AS, 64 << 20);
    for (size_t bytes = 1 << 20; bytes >= 16; bytes /= 2) {
        while (malloc(bytes) != NULL) {
        }
    }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*lower)(void);
    } limits[] = {
        {"file-size", limit_file_size},        {"descriptors", limit_descriptors},
        {"used-descriptors", use_descriptors}, {"pending-signals", limit_pending_signals},
        {"everything", limit_everything},      {"memory", exhaust_memory},
    };
    pthread_t threads[2];
    is_final = argc > 2;
    pthread_barrier_init(&barrier, NULL, 3);
    if (pthread_create(&threads[0], NULL, serve, "first") != 0 ||
        pthread_create(&threads[1], NULL, serve, "second") != 0)
        return 97;
    pthread_barrier_wait(&barrier);
    for (size_t i = 0; argc > 1 && i < sizeof(limits) / sizeof(limits[0]); i++) {
        if (strcmp(argv[1], limits[i].name) == 0)
            limits[i].lower();
    }
    int booked = book_orders(nowhere, argc);
    return booked & 1;
}
