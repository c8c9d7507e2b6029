/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads and their stacks, with the library linked: threads STORAGE WAY [ARGUMENT]. */
#define _GNU_SOURCE
#include "vaka_crash.h"

#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *argument;
static pthread_barrier_t barrier;

__attribute__((noinline)) static void null_write(void) {
    *(volatile int *)8 = 1;
}

static pthread_t start(void *(*routine)(void *), void *value) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, routine, value) != 0)
        exit(97);
    return thread;
}

static void wait_here(void) {
    pthread_barrier_wait(&barrier);
    for (;;)
        pause();
}

__attribute__((noinline)) static void *wait_in_third(void *name) {
    pthread_setname_np(pthread_self(), name);
    wait_here();
    return name;
}

static int running;

__attribute__((noinline)) static void *run_named(void *name) {
    pthread_setname_np(pthread_self(), name);
    __atomic_fetch_add(&running, 1, __ATOMIC_RELEASE);
    for (volatile int i = 0;; i++) {
    }
    return NULL;
}

static void crash_beside_threads(void) {
    start(run_named, "first");
    start(run_named, "second");
    while (__atomic_load_n(&running, __ATOMIC_ACQUIRE) < 2) {
    }
    null_write();
}

static void *block_all(void *name) {
    sigset_t all;
    sigfillset(&all);
    pthread_setname_np(pthread_self(), name);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    int ends[2];
    char byte;
    if (pipe(ends) != 0)
        exit(97);
    pthread_barrier_wait(&barrier);
    return read(ends[0], &byte, 1) == 1 ? name : NULL;
}

static void *spin_blocked(void *name) {
    sigset_t all;
    sigfillset(&all);
    pthread_setname_np(pthread_self(), name);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    pthread_barrier_wait(&barrier);
    for (volatile int i = 0;; i++) {
    }
    return NULL;
}

/* The barrier lets the thread go on to its read, where it sleeps; what else it may be doing is over soon. */
static void crash_beside_deaf_threads(void) {
    pthread_barrier_init(&barrier, NULL, 3);
    start(block_all, "deaf");
    start(spin_blocked, "spinning");
    pthread_barrier_wait(&barrier);
    usleep(20000);
    null_write();
}

/* As Dispatch does on its threads. */
static void *block_all_but_faults(void *name) {
    sigset_t most;
    sigfillset(&most);
    sigdelset(&most, SIGILL);
    sigdelset(&most, SIGTRAP);
    sigdelset(&most, SIGFPE);
    sigdelset(&most, SIGBUS);
    sigdelset(&most, SIGSEGV);
    sigdelset(&most, SIGSYS);
    pthread_setname_np(pthread_self(), name);
    pthread_sigmask(SIG_SETMASK, &most, NULL);
    wait_here();
    return name;
}

static void crash_beside_masked_threads(void) {
    pthread_barrier_init(&barrier, NULL, 3);
    start(block_all_but_faults, "masked");
    start(block_all_but_faults, "masked");
    pthread_barrier_wait(&barrier);
    null_write();
}

static int hold_loader(struct dl_phdr_info *info, size_t bytes, void *value) {
    (void)info;
    (void)bytes;
    (void)value;
    wait_here();
    return 0;
}

static void *in_loader(void *value) {
    dl_iterate_phdr(hold_loader, NULL);
    return value;
}

static void *in_stdio(void *value) {
    flockfile(stdout);
    flockfile(stderr);
    wait_here();
    return value;
}

static void *in_malloc(void *value) {
    pthread_barrier_wait(&barrier);
    for (;;)
        free(malloc(1 << 20));
    return value;
}

static void crash_beside_held_locks(void) {
    pthread_barrier_init(&barrier, NULL, 4);
    start(in_loader, NULL);
    start(in_stdio, NULL);
    start(in_malloc, NULL);
    pthread_barrier_wait(&barrier);
    null_write();
}

static long mappings(void) {
    FILE *file = fopen("/proc/self/maps", "r");
    long lines = 0;
    for (int c; file != NULL && (c = fgetc(file)) != EOF;)
        lines += c == '\n';
    if (file != NULL)
        fclose(file);
    return lines;
}

static int had_alt_stack;

/* Apart from what is cancelled: the address sanitizer takes what a cancelled function leaves for still there. */
__attribute__((noinline)) static void look_at_alt_stack(void) {
    stack_t stack;
    sigaltstack(NULL, &stack);
    __atomic_fetch_add(&had_alt_stack, (stack.ss_flags & SS_DISABLE) == 0, __ATOMIC_RELAXED);
}

static void *end_somehow(void *how) {
    look_at_alt_stack();
    if (how == (void *)1)
        pthread_exit(NULL);
    if (how == (void *)2)
        for (;;)
            pause();
    return NULL;
}

/* Returning, exiting and cancelled threads, and detached ones in between. */
static void make_and_end(int count) {
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    for (long i = 0; i < count; i++) {
        pthread_t thread = start(end_somehow, (void *)(i % 3));
        if (i % 3 == 2)
            pthread_cancel(thread);
        pthread_join(thread, NULL);
        if (i % 100 == 0 && pthread_create(&thread, &detached, end_somehow, NULL) != 0)
            exit(97);
    }
}

static void create_and_join(void) {
    make_and_end(1000);
    long before = mappings();
    make_and_end(atoi(argument));
    printf("%d %d\n", had_alt_stack > 900, mappings() <= before + 40);
    exit(0);
}

__attribute__((noinline)) static int overflow(volatile char *before) {
    volatile char frame[64];
    frame[0] = *before;
    return overflow(frame) + frame[0];
}

static void *overflow_stack(void *value) {
    char start_value = 1;
    return overflow(&start_value) == 7 ? value : NULL;
}

static void overflow_small(void) {
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN > 16384 ? (size_t)PTHREAD_STACK_MIN : 16384);
    if (pthread_create(&thread, &small, overflow_stack, NULL) != 0)
        exit(97);
    pthread_join(thread, NULL);
}

/* As virtual machines do: a fault is how they learn of something, and is repaired. */
static char *volatile page;
static long repairs;

static void repair(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)context;
    char *at = (char *)((unsigned long)info->si_addr & ~4095ul);
    if (at < page || at >= page + 8 * 4096)
        _exit(96);
    __atomic_fetch_add(&repairs, 1, __ATOMIC_RELAXED);
    mprotect(at, 4096, PROT_READ | PROT_WRITE);
}

static void *fault_often(void *own) {
    char *at = own;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 200; i++) {
        mprotect(at, 4096, PROT_NONE);
        *(volatile char *)at = 1;
    }
    return own;
}

static void set_repair(void) {
    struct sigaction action = {.sa_sigaction = repair, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaction(SIGSEGV, &action, NULL);
}

static void repaired(void) {
    pthread_t threads[8];
    page = mmap(NULL, 8 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_barrier_init(&barrier, NULL, 8);
    for (int i = 0; i < 8; i++)
        threads[i] = start(fault_often, page + i * 4096);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    printf("repaired %d\n", repairs >= 1600);
    exit(0);
}

static void *unblock_later(void *value) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    /* What was sent at the crash arrives now. */
    pthread_sigmask(SIG_UNBLOCK, &all, NULL);
    return value;
}

static void late_signal(void) {
    page = mmap(NULL, 8 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_t thread = start(unblock_later, NULL);
    pthread_barrier_wait(&barrier);
    *(volatile char *)page = 1;
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    printf("alive\n");
    exit(0);
}

static void many(void) {
    int count = atoi(argument);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    pthread_barrier_init(&barrier, NULL, (unsigned)count);
    for (int i = 1; i < count; i++) {
        pthread_t thread;
        if (pthread_create(&thread, &small, wait_in_third, "many") != 0)
            exit(97);
    }
    pthread_barrier_wait(&barrier);
    null_write();
}

static void *end_at_once(void *value) {
    return value;
}

static void *make_and_join(void *value) {
    pthread_barrier_wait(&barrier);
    for (;;) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, end_at_once, NULL) == 0)
            pthread_join(thread, NULL);
    }
    return value;
}

static void churn(void) {
    pthread_barrier_init(&barrier, NULL, 5);
    for (int i = 0; i < 4; i++)
        start(make_and_join, NULL);
    pthread_barrier_wait(&barrier);
    usleep(20000);
    null_write();
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {
        {"beside", crash_beside_threads},
        {"deaf", crash_beside_deaf_threads},
        {"masked", crash_beside_masked_threads},
        {"locks", crash_beside_held_locks},
        {"create", create_and_join},
        {"overflow", overflow_small},
        {"repaired", repaired},
        {"many", many},
        {"late", late_signal},
        {"churn", churn},
        {"null-write", null_write},
    };
    const char *way = count > 2 ? arguments[2] : "";
    argument = count > 3 ? arguments[3] : "";
    if (strcmp(way, "repaired") == 0 || strcmp(way, "late") == 0)
        set_repair();
    vaka_crash_config config = {.size = sizeof(config), .storage = count > 1 ? arguments[1] : ""};
    if (strcmp(argument, "no-thread-stacks") == 0)
        config.flags |= VAKA_CRASH_NO_THREAD_STACKS;
    if (strcmp(argument, "register-memory") == 0)
        config.flags |= VAKA_CRASH_REGISTER_MEMORY;
    if (vaka_crash_install(&config) != 0)
        return 95;
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (strcmp(way, ways[i].name) == 0)
            ways[i].run();
    }
    return 98;
}
