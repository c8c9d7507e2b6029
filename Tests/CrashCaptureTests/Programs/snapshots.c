/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes snapshots of itself: snapshots STORAGE WAY [ARGUMENT]. With -DPRELOADED the library has installed itself by
 * VAKA_STORAGE.
 */
#define _GNU_SOURCE
#include "vaka_crash.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
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

static void install(void) {
    install_with(VAKA_CRASH_UNBOUNDED_SNAPSHOTS);
}

/* Prints what became of it. */
__attribute__((noinline)) static int snapshot(const char *message) {
    char id[33];
    int error = vaka_crash_snapshot(message, id);
    if (error != 0)
        fprintf(stderr, "%s%s\n", strerror(error), id);
    else if (strlen(id) != 32)
        exit(96);
    return error;
}

static pthread_t start(void *(*routine)(void *), void *value) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, routine, value) != 0)
        exit(97);
    return thread;
}

static int running;

static void wait_for_threads(int count) {
    while (__atomic_load_n(&running, __ATOMIC_ACQUIRE) < count)
        usleep(100);
}

__attribute__((noinline)) static void *run_named(void *name) {
    pthread_setname_np(pthread_self(), name);
    __atomic_fetch_add(&running, 1, __ATOMIC_RELEASE);
    for (volatile int i = 0;; i++) {
    }
    return NULL;
}

static void beside_threads(void) {
    install();
    vaka_crash_set_tag("colour", "red");
    vaka_crash_add_breadcrumb(VAKA_CRASH_LEVEL_INFO, "test", "before", NULL);
    start(run_named, "first");
    start(run_named, "second");
    wait_for_threads(2);
    exit(snapshot("slow request"));
}

static void alone(void) {
    install();
    exit(snapshot(NULL));
}

/* A message of the argument's length. */
static void with_long_message(void) {
    size_t length = strtoul(argument, NULL, 0);
    char *text = malloc(length + 1);
    install();
    memset(text, 'x', length);
    text[length] = 0;
    exit(snapshot(text));
}

/* --- a program that must not notice: every worker's result is known --- */

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

/* --- several at once, too many, none --- */

static void *take_five(void *value) {
    int failed = 0;
    for (int i = 0; i < 5; i++)
        failed += snapshot("at once") != 0;
    *(int *)value = failed;
    return NULL;
}

static void at_once(void) {
    int failed[8];
    pthread_t threads[8];
    install();
    for (int i = 0; i < 8; i++)
        threads[i] = start(take_five, &failed[i]);
    int all = 0;
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], NULL);
        all += failed[i];
    }
    printf("%d failed\n", all);
    exit(0);
}

static void too_many(void) {
    int taken = 0, error = 0;
    install_with(0);
    while (taken < 100 && (error = vaka_crash_snapshot(NULL, NULL)) == 0)
        taken++;
    printf("%d taken, then %s\n", taken, error == EAGAIN ? "EAGAIN" : strerror(error));
    exit(0);
}

static void until_full(void) {
    int taken = 0, error = 0;
    install();
    while (taken < 300 && (error = vaka_crash_snapshot(NULL, NULL)) == 0)
        taken++;
    printf("%d taken, then %s\n", taken, error == EDQUOT ? "EDQUOT" : strerror(error));
    exit(0);
}

static void without_install(void) {
    printf("%s\n", vaka_crash_snapshot(NULL, NULL) == ENOTCONN ? "ENOTCONN" : "?");
    exit(0);
}

static void after_uninstall(void) {
    install();
    vaka_crash_uninstall();
    printf("%s\n", vaka_crash_snapshot(NULL, NULL) == ENOTCONN ? "ENOTCONN" : "?");
    exit(0);
}

static void *take_for_ever(void *value) {
    int error;
    do {
        error = vaka_crash_snapshot("for ever", NULL);
    } while (error == 0 || error == EDQUOT);
    *(int *)value = error;
    return NULL;
}

static void beside_uninstall(void) {
    int error = 0;
    install();
    pthread_t thread = start(take_for_ever, &error);
    usleep(20000);
    vaka_crash_uninstall();
    pthread_join(thread, NULL);
    printf("%s\n", error == ENOTCONN ? "ENOTCONN" : strerror(error));
    exit(0);
}

static void unwritable(void) {
    install();
    struct rlimit limit = {strtoul(argument, NULL, 0), RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    start(run_named, "first");
    wait_for_threads(1);
    printf("%s\n", vaka_crash_snapshot(NULL, NULL) == EFBIG ? "EFBIG" : "?");
    exit(0);
}

static void without_descriptors(void) {
    install();
    while (dup(0) >= 0) {
    }
    int error = vaka_crash_snapshot(NULL, NULL);
    printf("%s\n", error == EMFILE ? "EMFILE" : strerror(error));
    exit(0);
}

/* Someone removes what is old. */
static void removed_folders(void) {
    char command[8192];
    install();
    snprintf(command, sizeof(command), "rm -rf '%s'/*", storage);
    if (system(command) != 0)
        exit(97);
    exit(snapshot(NULL));
}

/* --- crashes beside it --- */

static void *crash_soon(void *value) {
    usleep((useconds_t)atoi(argument));
    *(volatile int *)8 = 1;
    return value;
}

static void crash_beside(void) {
    int error;
    install();
    start(run_named, "busy");
    wait_for_threads(1);
    start(crash_soon, NULL);
    take_for_ever(&error);
}

static void own_crash(void) {
    install();
    start(run_named, "busy");
    wait_for_threads(1);
    snapshot(NULL);
    printf("alive\n");
    exit(0);
}

static void then_crash(void) {
    install();
    start(run_named, "busy");
    wait_for_threads(1);
    if (snapshot("first") == 0)
        *(volatile int *)8 = 1;
}

/* --- processes and signals --- */

static void forked(void) {
    install();
    start(run_named, "only the parent's");
    wait_for_threads(1);
    pid_t child = fork();
    if (child == 0)
        exit(snapshot("child"));
    int status = 0;
    waitpid(child, &status, 0);
    exit(WIFEXITED(status) ? WEXITSTATUS(status) + snapshot("parent") : 94);
}

/* Forks from another thread while snapshots are taken: the children can take theirs, or crash. */
static void forks_beside(void) {
    int error;
    install();
    start(take_for_ever, &error);
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            int taken = vaka_crash_snapshot("child", NULL);
            _exit(taken == EDQUOT ? 0 : taken);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (status != 0) {
            printf("status %x\n", status);
            exit(0);
        }
    }
    printf("20 children\n");
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
        {"threads", beside_threads},
        {"alone", alone},
        {"message", with_long_message},
        {"stress", stress},
        {"loading", beside_loading},
        {"at-once", at_once},
        {"too-many", too_many},
        {"full", until_full},
        {"without-install", without_install},
        {"after-uninstall", after_uninstall},
        {"beside-uninstall", beside_uninstall},
        {"unwritable", unwritable},
        {"descriptors", without_descriptors},
        {"removed", removed_folders},
        {"crash-beside", crash_beside},
        {"own-crash", own_crash},
        {"then-crash", then_crash},
        {"forked", forked},
        {"forks-beside", forks_beside},
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
