/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hangs, or does not: watches STORAGE WAY [BOUND]. Prints a line of each hang that is told: its name, whether it is over,
 * whether there is a record.
 */
#define _GNU_SOURCE
#include "vaka_crash.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *storage;
static unsigned bound;
static int begun, ended; /* hangs */
static unsigned long long duration;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void say(const char *line) {
    size_t length = strlen(line);
    if (write(STDOUT_FILENO, line, length) != (ssize_t)length)
        exit(93);
}

static void told(void *context, const vaka_crash_hang *hang) {
    char line[256];
    snprintf(line, sizeof(line), "%s %s, %s\n", hang->watch, hang->is_over ? "goes on" : "hangs",
             strlen(hang->id) == 32 ? "a record" : "no record");
    say(line);
    duration = hang->stuck_ms;
    __atomic_fetch_add(hang->is_over ? &ended : (int *)context, 1, __ATOMIC_RELEASE);
}

static void install(void) {
    vaka_crash_config config = {.size = sizeof(config), .storage = storage};
    if (vaka_crash_install(&config) != 0) {
        fprintf(stderr, "%s\n", vaka_crash_last_error());
        exit(97);
    }
    vaka_crash_on_hang(told, &begun);
}

static vaka_crash_watch *watch(const char *name) {
    vaka_crash_watch_config config = {.size = sizeof(config), .name = name, .bound_ms = bound};
    vaka_crash_watch *made = vaka_crash_watch_start(&config);
    if (made == NULL) {
        fprintf(stderr, "%s\n", vaka_crash_last_error());
        exit(96);
    }
    return made;
}

static int count_of(const int *counter) {
    return __atomic_load_n(counter, __ATOMIC_ACQUIRE);
}

/* Until a hang was noticed. */
__attribute__((noinline)) static void spin_until_noticed(int hangs) {
    while (count_of(&begun) < hangs) {
    }
}

static void wait_for_end(int hangs) {
    while (count_of(&ended) < hangs)
        usleep(1000);
}

static void in_a_loop(void) {
    install();
    vaka_crash_watch *loop = watch("loop");
    double start = seconds();
    vaka_crash_watch_busy(loop);
    spin_until_noticed(1);
    bool is_early = (seconds() - start) * 1000 < bound;
    vaka_crash_watch_idle(loop);
    wait_for_end(1);
    say(is_early || duration < bound ? "too early\n" : "in time\n");
    exit(0);
}

/* Each holds what the other wants. */
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

__attribute__((noinline)) static void *take_right_then_left(void *value) {
    pthread_setname_np(pthread_self(), "other");
    pthread_mutex_lock(&right);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&left);
    return value;
}

__attribute__((noinline)) static void take_left_then_right(void) {
    pthread_mutex_lock(&left);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&right);
}

static void in_a_deadlock(void) {
    pthread_t thread;
    install();
    vaka_crash_watch *loop = watch("loop");
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&thread, NULL, take_right_then_left, NULL);
    vaka_crash_watch_busy(loop);
    take_left_then_right();
}

/* The snapshot interrupts it, and it goes on with the rest. */
__attribute__((noinline)) static void sleep_on(double for_seconds) {
    struct timespec left_over = {(time_t)for_seconds, (long)((for_seconds - (double)(time_t)for_seconds) * 1e9)};
    while (nanosleep(&left_over, &left_over) != 0 && errno == EINTR) {
    }
}

static void in_a_sleep(void) {
    install();
    vaka_crash_watch *loop = watch("loop");
    vaka_crash_watch_busy(loop);
    while (count_of(&begun) == 0)
        sleep_on(0.05);
    vaka_crash_watch_idle(loop);
    wait_for_end(1);
    exit(0);
}

static void without_end(void) {
    install();
    vaka_crash_watch_busy(watch("loop"));
    for (volatile int i = 0;; i++) {
    }
}

static void again_and_again(void) {
    install();
    vaka_crash_watch *loop = watch("loop");
    for (int i = 1; i <= 3; i++) {
        vaka_crash_watch_busy(loop);
        spin_until_noticed(i);
        vaka_crash_watch_idle(loop);
        wait_for_end(i);
    }
    exit(0);
}

/* The crash of another thread, while the watched one hangs. */
static void *crash_when_noticed(void *value) {
    while (count_of(&begun) == 0)
        usleep(1000);
    *(volatile int *)8 = 1;
    return value;
}

static void then_crash(void) {
    pthread_t thread;
    install();
    pthread_create(&thread, NULL, crash_when_noticed, NULL);
    vaka_crash_watch_busy(watch("loop"));
    for (volatile int i = 0;; i++) {
    }
}

/* --- no hangs --- */

/* Busy with one thing after another, and idle for longer than the bound. */
static void healthy(void) {
    install();
    vaka_crash_watch *loop = watch("loop");
    double end = seconds() + 4.0 * bound / 1000;
    say("ready\n");
    while (seconds() < end) {
        vaka_crash_watch_busy(loop);
        usleep(bound * 10);
    }
    vaka_crash_watch_idle(loop);
    usleep(bound * 3000);
    say("over\n");
    exit(0);
}

/* Everything else comes first on its processor. */
static void *hog(void *value) {
    while (__atomic_load_n((int *)value, __ATOMIC_ACQUIRE) == 0) {
    }
    return NULL;
}

static void starved(void) {
    static int is_enough;
    pthread_t hogs[2];
    cpu_set_t one;
    struct sched_param none = {0};
    install();
    vaka_crash_watch *loop = watch("loop");
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof(one), &one);
    for (int i = 0; i < 2; i++)
        pthread_create(&hogs[i], NULL, hog, &is_enough);
    vaka_crash_watch_busy(loop);
    sched_setscheduler(0, SCHED_IDLE, &none);
    struct timespec used;
    double start = seconds();
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    } while (seconds() - start < 6.0 * bound / 1000);
    vaka_crash_watch_idle(loop);
    __atomic_store_n(&is_enough, 1, __ATOMIC_RELEASE);
    printf("%d hangs\n", count_of(&begun));
    exit(0);
}

static void stopped_watch(void) {
    install();
    vaka_crash_watch *loop = watch("loop"), *other = watch("other");
    vaka_crash_watch_busy(loop);
    vaka_crash_watch_busy(other);
    vaka_crash_watch_stop(loop);
    spin_until_noticed(1);
    vaka_crash_watch_stop(other);
    usleep(bound * 2000);
    vaka_crash_watch_busy(watch("third"));
    spin_until_noticed(2);
    vaka_crash_end_run();
    usleep(bound * 2000);
    exit(0);
}

static void too_many(void) {
    int made = 0;
    vaka_crash_watch *made_watches[64];
    vaka_crash_watch_config config = {.size = sizeof(config), .name = "one of many"};
    if (vaka_crash_watch_start(&config) != NULL)
        exit(95);
    say(vaka_crash_last_error());
    install();
    while (made < 64 && (made_watches[made] = vaka_crash_watch_start(&config)) != NULL)
        made++;
    printf("\n%d, then %s\n", made, vaka_crash_last_error());
    vaka_crash_watch_stop(made_watches[7]);
    printf("%s\n", vaka_crash_watch_start(&config) == made_watches[7] ? "one more" : "none");
    vaka_crash_watch_config nameless = {.size = sizeof(nameless)};
    printf("%s\n", vaka_crash_watch_start(&nameless) == NULL ? vaka_crash_last_error() : "?");
    exit(0);
}

static void forked(void) {
    install();
    vaka_crash_watch *loop = watch("parent");
    vaka_crash_watch_busy(loop);
    pid_t child = fork();
    if (child == 0) {
        /* Nobody watches here, until it asks for it. */
        alarm(60);
        usleep(bound * 2000);
        if (count_of(&begun) != 0)
            _exit(1);
        vaka_crash_watch_busy(watch("child"));
        spin_until_noticed(1);
        _exit(0);
    }
    vaka_crash_watch_idle(loop);
    int status = -1;
    waitpid(child, &status, 0);
    exit(status == 0 ? 0 : 92);
}

/* --- a queue that answers --- */

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_filled = PTHREAD_COND_INITIALIZER;
static uint64_t asked_number;
static vaka_crash_watch *asked_watch;
static int pings;

static void ping(void *context, vaka_crash_watch *queue, uint64_t number) {
    (void)context;
    pthread_mutex_lock(&queue_lock);
    asked_watch = queue;
    asked_number = number;
    pings++;
    pthread_cond_signal(&queue_filled);
    pthread_mutex_unlock(&queue_lock);
}

/* Answers so many pings at once. */
static void serve(int count) {
    while (count-- > 0) {
        pthread_mutex_lock(&queue_lock);
        while (asked_number == 0)
            pthread_cond_wait(&queue_filled, &queue_lock);
        uint64_t number = asked_number;
        vaka_crash_watch *queue = asked_watch;
        asked_number = 0;
        pthread_mutex_unlock(&queue_lock);
        vaka_crash_watch_answer(queue, number);
        vaka_crash_watch_answer(queue, number - 1);
    }
}

static vaka_crash_watch *watch_queue(void) {
    vaka_crash_watch_config config = {.size = sizeof(config), .name = "main", .bound_ms = bound, .ping = ping};
    return vaka_crash_watch_start(&config);
}

static void in_a_queue(void) {
    install();
    vaka_crash_watch *queue = watch_queue();
    serve(3);
    spin_until_noticed(1);
    serve(1);
    wait_for_end(1);
    vaka_crash_watch_stop(queue);
    say(duration < bound ? "too early\n" : "in time\n");
    exit(0);
}

/* It never was a queue. */
static void never_answered(void) {
    install();
    watch_queue();
    usleep(bound * 4000);
    printf("%d hangs, %d pings\n", count_of(&begun), pings);
    exit(0);
}

/* A program that sleeps is asked seldom. */
static void asleep(void) {
    install();
    watch_queue();
    serve(2);
    for (double end = seconds() + 10.0 * bound / 1000; seconds() < end;) {
        pthread_mutex_lock(&queue_lock);
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += 1;
        while (asked_number == 0 && pthread_cond_timedwait(&queue_filled, &queue_lock, &until) == 0) {
        }
        uint64_t number = asked_number;
        asked_number = 0;
        pthread_mutex_unlock(&queue_lock);
        if (number != 0)
            vaka_crash_watch_answer(asked_watch, number);
    }
    printf("%d hangs\n", count_of(&begun));
    exit(0);
}

/* Comes to a stop in the very moment after an answer, with everything else asleep: asked again all the same. */
static void still_at_once(void) {
    install();
    watch_queue();
    serve(2);
    while (count_of(&begun) == 0)
        sleep(5);
    exit(0);
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {
        {"loop", in_a_loop},       {"deadlock", in_a_deadlock}, {"sleep", in_a_sleep},
        {"endless", without_end},  {"again", again_and_again},  {"then-crash", then_crash},
        {"healthy", healthy},      {"starved", starved},        {"stopped-watch", stopped_watch},
        {"too-many", too_many},    {"forked", forked},          {"queue", in_a_queue},
        {"never", never_answered}, {"asleep", asleep},          {"at-once", still_at_once},
    };
    storage = count > 1 ? arguments[1] : "";
    bound = count > 3 ? (unsigned)strtoul(arguments[3], NULL, 0) : 200;
    for (size_t i = 0; count > 2 && i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (strcmp(arguments[2], ways[i].name) == 0)
            ways[i].run();
    }
    return 98;
}
