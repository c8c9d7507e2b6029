/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a living program pays: snapshots STORAGE COUNT SECONDS. One `name value unit` line each; names end in the number of
 * threads, the calling one counted.
 *
 * How long threads stand still is told by the records (struct vaka_snapshot.stopped_ns), and seen by busy threads as the
 * longest gap in their own work. What a watch costs is counted by the kernel, of its thread alone.
 */
#define _GNU_SOURCE
#include "vaka_crash.h"
#include "vaka_record.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COUNT_MAX 1000
#define BUSY 8

static double values[COUNT_MAX];
static int snapshots;
static unsigned seconds;

static double now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(int count) {
    qsort(values, (size_t)count, sizeof(values[0]), ascending);
    return count == 0 ? 0 : values[count / 2];
}

static void install(const char *storage) {
    vaka_crash_config config = {
        .size = sizeof(config), .storage = storage, .release = "bench@1", .flags = VAKA_CRASH_UNBOUNDED_SNAPSHOTS};
    if (vaka_crash_install(&config) == 0)
        return;
    fprintf(stderr, "%s\n", vaka_crash_last_error());
    exit(1);
}

static pthread_barrier_t barrier;

static void *wait_for_ever(void *context) {
    pthread_barrier_wait(&barrier);
    for (;;)
        pause();
    return context;
}

static void start_sleeping(int count) {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    pthread_barrier_init(&barrier, NULL, (unsigned)count + 1);
    for (int i = 0; i < count; i++) {
        pthread_t thread;
        if (pthread_create(&thread, &small, wait_for_ever, NULL) != 0)
            exit(1);
    }
    pthread_barrier_wait(&barrier);
    usleep(100000);
}

/* The snapshot section of each record. */
static int stopped_times(const char *storage) {
    char folder[4096], path[8192];
    static char bytes[16 << 20];
    int got = 0;
    snprintf(folder, sizeof(folder), "%s/crashes", storage);
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL && got < COUNT_MAX;) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        int fd = open(path, O_RDONLY);
        ssize_t size = read(fd, bytes, sizeof(bytes));
        close(fd);
        for (size_t at = sizeof(struct vaka_record_header); at + sizeof(struct vaka_section_header) < (size_t)size;) {
            struct vaka_section_header section;
            memcpy(&section, bytes + at, sizeof(section));
            at += sizeof(section);
            if (section.kind == VAKA_SECTION_SNAPSHOT) {
                struct vaka_snapshot snapshot;
                memcpy(&snapshot, bytes + at, sizeof(snapshot));
                values[got++] = (double)snapshot.stopped_ns / 1e3;
            }
            at += (section.payload_bytes + 7) & ~(uint64_t)7;
        }
    }
    if (entries != NULL)
        closedir(entries);
    return got;
}

static int take(int count) {
    for (int i = 0; i < count; i++) {
        double start = now_us();
        if (vaka_crash_snapshot("bench", NULL) != 0)
            return i;
        values[i] = now_us() - start;
    }
    return count;
}

static int threads;

static void beside_sleeping(const char *storage) {
    install(storage);
    start_sleeping(threads - 1);
    int taken = take(snapshots);
    printf("snapshot_call_%d %.0f us\n", threads, median(taken));
    printf("snapshot_stopped_%d %.0f us\n", threads, median(stopped_times(storage)));
    fflush(stdout);
    exit(0);
}

static int is_over;

static void *work(void *value) {
    double worst = 0;
    for (double last = now_us(); __atomic_load_n(&is_over, __ATOMIC_ACQUIRE) == 0;) {
        double now = now_us();
        if (now - last > worst)
            worst = now - last;
        last = now;
    }
    *(double *)value = worst;
    return NULL;
}

/* With and without snapshots: the difference is theirs. */
static double longest_gap(int count) {
    double worst[BUSY], all = 0;
    pthread_t workers[BUSY];
    __atomic_store_n(&is_over, 0, __ATOMIC_RELEASE);
    for (int i = 0; i < BUSY; i++)
        pthread_create(&workers[i], NULL, work, &worst[i]);
    usleep(200000);
    take(count);
    usleep(200000);
    __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < BUSY; i++) {
        pthread_join(workers[i], NULL);
        if (worst[i] > all)
            all = worst[i];
    }
    return all;
}

static void beside_busy(const char *storage) {
    install(storage);
    printf("snapshot_busy_gap_without %.0f us\n", longest_gap(0));
    printf("snapshot_busy_gap_with %.0f us\n", longest_gap(snapshots));
    fflush(stdout);
    exit(0);
}

/* --- watches --- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static uint64_t asked;
static vaka_crash_watch *asking;
static int pings;

static void ping(void *context, vaka_crash_watch *watch, uint64_t number) {
    (void)context;
    pthread_mutex_lock(&lock);
    asking = watch;
    asked = number;
    pings++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

static void *serve(void *value) {
    for (;;) {
        pthread_mutex_lock(&lock);
        while (asked == 0)
            pthread_cond_wait(&filled, &lock);
        uint64_t number = asked;
        asked = 0;
        pthread_mutex_unlock(&lock);
        vaka_crash_watch_answer(asking, number);
    }
    return value;
}

/* The line of a file of the watching thread, or 0. */
static double of_watching_thread(const char *file, const char *label) {
    DIR *tasks = opendir("/proc/self/task");
    double found = 0;
    for (struct dirent *task; tasks != NULL && (task = readdir(tasks)) != NULL;) {
        char path[512], line[256] = "";
        snprintf(path, sizeof(path), "/proc/self/task/%.16s/comm", task->d_name);
        FILE *name = fopen(path, "r");
        bool is_it = name != NULL && fgets(line, sizeof(line), name) != NULL && strcmp(line, "vaka-watch\n") == 0;
        if (name != NULL)
            fclose(name);
        if (!is_it)
            continue;
        snprintf(path, sizeof(path), "/proc/self/task/%.16s/%s", task->d_name, file);
        FILE *lines = fopen(path, "r");
        while (lines != NULL && fgets(line, sizeof(line), lines) != NULL) {
            if (strncmp(line, label, strlen(label)) == 0)
                found = atof(line + strlen(label));
        }
        if (lines != NULL)
            fclose(lines);
    }
    if (tasks != NULL)
        closedir(tasks);
    return found;
}

static void *tick(void *value) {
    for (;;)
        usleep(1000);
    return value;
}

static void tell_watch(const char *name) {
    usleep(6000000);
    double wakes = of_watching_thread("status", "voluntary_ctxt_switches:");
    double spent = of_watching_thread("schedstat", "");
    int asked_before = pings;
    sleep(seconds);
    wakes = of_watching_thread("status", "voluntary_ctxt_switches:") - wakes;
    spent = of_watching_thread("schedstat", "") - spent;
    printf("watch_%s_wakeups %.2f 1/s\n", name, wakes / seconds);
    printf("watch_%s_pings %.2f 1/s\n", name, (double)(pings - asked_before) / seconds);
    printf("watch_%s_processor %.2f us/s\n", name, spent / 1e3 / seconds);
    fflush(stdout);
    exit(0);
}

static void watch_a_queue(void) {
    pthread_t thread;
    vaka_crash_watch_config config = {.size = sizeof(config), .name = "queue", .ping = ping};
    pthread_create(&thread, NULL, serve, NULL);
    vaka_crash_watch_start(&config);
}

static void asleep(const char *storage) {
    install(storage);
    watch_a_queue();
    tell_watch("asleep");
}

static void at_work(const char *storage) {
    pthread_t thread;
    install(storage);
    pthread_create(&thread, NULL, tick, NULL);
    watch_a_queue();
    tell_watch("at_work");
}

static void idle_loop(const char *storage) {
    install(storage);
    vaka_crash_watch_config config = {.size = sizeof(config), .name = "loop"};
    vaka_crash_watch *watch = vaka_crash_watch_start(&config);
    vaka_crash_watch_busy(watch);
    vaka_crash_watch_idle(watch);
    tell_watch("idle_loop");
}

static void turns(const char *storage) {
    enum { TURNS = 20000000 };
    install(storage);
    vaka_crash_watch_config config = {.size = sizeof(config), .name = "loop"};
    vaka_crash_watch *watch = vaka_crash_watch_start(&config);
    double start = now_us();
    for (int i = 0; i < TURNS; i++) {
        vaka_crash_watch_busy(watch);
        vaka_crash_watch_idle(watch);
    }
    printf("watch_turn %.1f ns\n", (now_us() - start) * 1e3 / TURNS);
    fflush(stdout);
    exit(0);
}

static void in_child(void (*run)(const char *), const char *storage, const char *name) {
    char folder[4096];
    snprintf(folder, sizeof(folder), "%s/%s-%d", storage, name, threads);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        run(folder);
    waitpid(child, NULL, 0);
}

int main(int count, char **arguments) {
    static const int counts[] = {1, 50, 500};
    if (count != 4) {
        fprintf(stderr, "usage: snapshots STORAGE COUNT SECONDS\n");
        return 2;
    }
    mkdir(arguments[1], 0700);
    snapshots = atoi(arguments[2]);
    seconds = (unsigned)atoi(arguments[3]);
    if (snapshots < 1 || snapshots > 150)
        snapshots = 20;
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        threads = counts[i];
        in_child(beside_sleeping, arguments[1], "sleeping");
    }
    in_child(beside_busy, arguments[1], "busy");
    in_child(turns, arguments[1], "turns");
    in_child(asleep, arguments[1], "asleep");
    in_child(at_work, arguments[1], "at-work");
    in_child(idle_loop, arguments[1], "idle-loop");
    return 0;
}
