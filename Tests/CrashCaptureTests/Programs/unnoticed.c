/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that must not notice that snapshots are taken of it: unnoticed STORAGE WAY [ARGUMENT].
 */
#define _GNU_SOURCE
#include "snapshotting.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/time.h>

/* --- every worker's result is known --- */

#define WORKERS 50
#define LOCKS 8

static pthread_mutex_t locks[LOCKS] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
};
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static long counts[LOCKS];
static long turns;
static int is_over;
static int pipes[WORKERS][2];
static FILE *file;

struct worker {
    int index;
    long rounds;
    long wrong;
};

static unsigned long mix(unsigned long value) {
    value ^= value >> 33;
    value *= 0xff51afd7ed558ccdul;
    return value ^ value >> 29;
}

/* The heap, formatted output to a shared stream, locks, a condition, and a read that blocks. */
static void one_round(struct worker *worker) {
    unsigned long seed = mix((unsigned long)worker->index * 1000003ul + (unsigned long)worker->rounds);
    size_t bytes = 16 + seed % 8192;
    unsigned char *memory = malloc(bytes);
    memset(memory, (int)(seed & 0xff), bytes);
    pthread_mutex_lock(&locks[seed % LOCKS]);
    counts[seed % LOCKS]++;
    pthread_mutex_unlock(&locks[seed % LOCKS]);
    if (fprintf(file, "%08d %016lx\n", worker->index, seed) != 26)
        worker->wrong++;
    unsigned long sent = seed, got = 0;
    if (write(pipes[worker->index][1], &sent, sizeof(sent)) != sizeof(sent) ||
        read(pipes[worker->index][0], &got, sizeof(got)) != sizeof(got) || got != sent)
        worker->wrong++;
    for (size_t i = 0; i < bytes; i += 97)
        worker->wrong += memory[i] != (seed & 0xff);
    free(memory);
    pthread_mutex_lock(&locks[0]);
    turns++;
    pthread_cond_broadcast(&turned);
    pthread_mutex_unlock(&locks[0]);
    worker->rounds++;
}

static void *work(void *value) {
    struct worker *worker = value;
    while (__atomic_load_n(&is_over, __ATOMIC_ACQUIRE) == 0)
        one_round(worker);
    return NULL;
}

/* It waits for others without an end to its patience. */
static void *follow(void *value) {
    struct worker *worker = value;
    pthread_mutex_lock(&locks[0]);
    for (long seen = turns; __atomic_load_n(&is_over, __ATOMIC_ACQUIRE) == 0; worker->rounds++) {
        while (turns == seen && __atomic_load_n(&is_over, __ATOMIC_ACQUIRE) == 0)
            pthread_cond_wait(&turned, &locks[0]);
        seen = turns;
    }
    pthread_mutex_unlock(&locks[0]);
    return NULL;
}

static long lines_of(const char *path) {
    FILE *from = fopen(path, "r");
    char line[64];
    long lines = 0;
    while (from != NULL && fgets(line, sizeof(line), from) != NULL)
        lines += strlen(line) == 26 && line[8] == ' ' && line[25] == '\n';
    if (from != NULL)
        fclose(from);
    return lines;
}

static void stress(void) {
    static struct worker workers[WORKERS];
    static pthread_t threads[WORKERS];
    char path[4096];
    int rounds = atoi(argument);
    install();
    snprintf(path, sizeof(path), "%s/lines", storage);
    file = fopen(path, "w");
    for (int i = 0; i < WORKERS; i++) {
        workers[i].index = i;
        if (pipe(pipes[i]) != 0)
            exit(97);
        threads[i] = start(i % 10 == 9 ? follow : work, &workers[i]);
    }
    int failed = 0;
    for (int i = 0; i < rounds; i++) {
        failed += snapshot("stress") != 0;
        if (i % 50 == 49)
            sleep(0);
    }
    __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
    pthread_mutex_lock(&locks[0]);
    pthread_cond_broadcast(&turned);
    pthread_mutex_unlock(&locks[0]);
    long total = 0, wrong = 0, counted = 0;
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(threads[i], NULL);
        wrong += workers[i].wrong;
        total += i % 10 == 9 ? 0 : workers[i].rounds;
    }
    fclose(file);
    for (int i = 0; i < LOCKS; i++)
        counted += counts[i];
    bool is_right = wrong == 0 && counted == total && turns == total && lines_of(path) == total;
    printf("%d failed, %s\n", failed, is_right ? "nothing lost" : "something lost");
    if (!is_right)
        fprintf(stderr, "%ld rounds, %ld counted, %ld turns, %ld lines, %ld wrong\n", total, counted, turns,
                lines_of(path), wrong);
    unlink(path);
    exit(total > 0 ? 0 : 95);
}

/* A program that loads and unloads for ever; the library's path is a long one. */
static void beside_loading(void) {
    char path[8192], id[33];
    install();
    for (int i = 0; i <= 800; i++) {
        void *library = i % 2 == 0 ? dlopen(argument, RTLD_NOW) : NULL;
        int error = vaka_crash_snapshot(NULL, id);
        if ((library == NULL) != (i % 2 == 1) || error != 0) {
            fprintf(stderr, "%s, %s\n", library == NULL ? dlerror() : argument, strerror(error));
            exit(95);
        }
        if (i == 800)
            exit(0);
        snprintf(path, sizeof(path), "%s/crashes/%s.vakacrash", storage, id);
        unlink(path);
        if (library != NULL)
            dlclose(library);
    }
}

/* Programs that keep a thread for all their signals. */
static void *wait_for_signals(void *value) {
    sigset_t all;
    int got;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    pthread_setname_np(pthread_self(), "signals");
    __atomic_fetch_add(&running, 1, __ATOMIC_RELEASE);
    while (sigwait(&all, &got) == 0 && got != SIGUSR1)
        printf("got %d\n", got);
    return value;
}

static void beside_signal_thread(void) {
    install();
    pthread_t thread = start(wait_for_signals, NULL);
    wait_for_threads(1);
    usleep(20000);
    for (int i = 0; i < 20; i++) {
        if (snapshot(NULL) != 0)
            exit(95);
    }
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    printf("nothing\n");
    exit(0);
}

static volatile sig_atomic_t ticks;

static void tick(int signal) {
    (void)signal;
    ticks++;
}

/* The program's own signals go on. */
static void beside_signals(void) {
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    struct itimerval every = {{0, 500}, {0, 500}};
    install();
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    start(run_named, "first");
    start(run_named, "second");
    wait_for_threads(2);
    int failed = 0;
    for (int i = 0; i < 100; i++)
        failed += snapshot(NULL) != 0;
    int seen = ticks;
    while (ticks == seen)
        pause();
    printf("%d failed\n", failed);
    exit(0);
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {
        {"stress", stress},
        {"signal-thread", beside_signal_thread},
        {"loading", beside_loading},
        {"signals", beside_signals},
    };
    storage = count > 1 ? arguments[1] : "";
    argument = count > 3 ? arguments[3] : "";
    for (size_t i = 0; count > 2 && i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (strcmp(arguments[2], ways[i].name) == 0)
            ways[i].run();
    }
    return 98;
}
