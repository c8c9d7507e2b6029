/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What capture costs: capture STORAGE COUNT. One `name value unit` line each; those of a crash with other threads end in
 * their number, the crashed one counted.
 *
 * Install is timed in fresh processes. A crash is timed by the record itself: struct vaka_end.handler_ns, from the
 * handler's entry to the last section, before the file is made durable; fdatasync is timed apart, on the same bytes.
 */
#define _GNU_SOURCE
#include "vaka_crash.h"
#include "vaka_record.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COUNT_MAX 10000

static double values[COUNT_MAX];

static double clock_us(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static double now_us(void) {
    return clock_us(CLOCK_MONOTONIC);
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(int count) {
    qsort(values, (size_t)count, sizeof(values[0]), ascending);
    return count == 0 ? 0 : values[count / 2];
}

static void install_with(const char *storage, uint32_t flags) {
    vaka_crash_config config = {.size = sizeof(config), .storage = storage, .release = "bench@1", .flags = flags};
    if (vaka_crash_install(&config) == 0)
        return;
    fprintf(stderr, "%s\n", vaka_crash_last_error());
    exit(1);
}

static void install(const char *storage) {
    install_with(storage, 0);
}

/* A process like a server's: context, a full ring of breadcrumbs, a deep stack. */
static volatile int *volatile nowhere = (int *)8;

__attribute__((noinline)) static int deep(int levels) {
    volatile char frame[256] = {0};
    return levels == 0 ? *nowhere : deep(levels - 1) + frame[0];
}

static void crash_with(const char *storage, uint32_t flags) {
    install_with(storage, flags);
    for (int i = 0; i < 128; i++)
        vaka_crash_add_breadcrumb(VAKA_CRASH_LEVEL_INFO, "bench", "one of many", NULL);
    for (int i = 0; i < 10; i++) {
        char key[8];
        snprintf(key, sizeof(key), "tag%d", i);
        vaka_crash_set_tag(key, "value");
    }
    exit(deep(300));
}

static void crash(const char *storage) {
    crash_with(storage, 0);
}

static void crash_without_stack(const char *storage) {
    crash_with(storage, VAKA_CRASH_NO_STACK);
}

static void crash_with_pointers_only(const char *storage) {
    crash_with(storage, VAKA_CRASH_POINTERS_ONLY);
}

static int thread_count;
static pthread_barrier_t barrier;

static void *wait_for_ever(void *context) {
    pthread_barrier_wait(&barrier);
    for (;;)
        pause();
    return context;
}

static void crash_beside_threads(const char *storage) {
    pthread_attr_t small;
    install(storage);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    pthread_barrier_init(&barrier, NULL, (unsigned)thread_count);
    for (int i = 1; i < thread_count; i++) {
        pthread_t thread;
        if (pthread_create(&thread, &small, wait_for_ever, NULL) != 0)
            exit(1);
    }
    pthread_barrier_wait(&barrier);
    exit(deep(100));
}

/* Runs one function in a child and waits. */
static void in_child(void (*run)(const char *), const char *storage) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        run(storage);
    waitpid(child, NULL, 0);
}

static int report;

/* Elapsed, and of the processor alone: the one that other programs do not disturb. */
static void time_install(const char *storage) {
    double start[2] = {now_us(), clock_us(CLOCK_THREAD_CPUTIME_ID)};
    install(storage);
    double spent[2] = {now_us() - start[0], clock_us(CLOCK_THREAD_CPUTIME_ID) - start[1]};
    if (write(report, spent, sizeof(spent)) != sizeof(spent))
        _exit(1);
    exit(0);
}

static void bench_install(const char *storage, int count) {
    static double processor[COUNT_MAX];
    int ends[2];
    if (pipe(ends) != 0)
        exit(1);
    report = ends[1];
    int got = 0;
    for (int i = 0; i < count; i++) {
        double spent[2];
        in_child(time_install, storage);
        if (read(ends[0], spent, sizeof(spent)) != sizeof(spent))
            continue;
        values[got] = spent[0];
        processor[got++] = spent[1];
    }
    printf("capture_install %.1f us\n", median(got));
    memcpy(values, processor, sizeof(values));
    printf("capture_install_processor %.1f us\n", median(got));
}

/* One line of /proc/self/status, in kilobytes. */
static long status_of(const char *label) {
    char line[256];
    long value = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof(line), status) != NULL) {
        if (strncmp(line, label, strlen(label)) == 0)
            value = atol(line + strlen(label));
    }
    if (status != NULL)
        fclose(status);
    return value;
}

/* What install adds to a process, and what it allocates on disk. */
static void tell_memory(const char *storage) {
    long resident = status_of("VmRSS:"), virtual = status_of("VmSize:");
    char folder[4096], path[8192];
    long bytes = 0;
    install(storage);
    printf("capture_memory_resident %ld KiB\n", status_of("VmRSS:") - resident);
    printf("capture_memory_virtual %ld KiB\n", status_of("VmSize:") - virtual);
    snprintf(folder, sizeof(folder), "%s/runs", storage);
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        struct stat status;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && stat(path, &status) == 0)
            bytes += status.st_blocks * 512;
    }
    printf("capture_allocated_files %ld KiB\n", bytes / 1024);
    fflush(stdout);
    exit(0);
}

/* The number of the crashed thread's frames: in the first frames section. */
static uint32_t frames_of(const char *bytes, size_t size) {
    for (size_t at = sizeof(struct vaka_record_header); at + sizeof(struct vaka_section_header) < size;) {
        struct vaka_section_header section;
        struct vaka_frames frames;
        memcpy(&section, bytes + at, sizeof(section));
        at += sizeof(section);
        if (section.kind == VAKA_SECTION_FRAMES && at + sizeof(frames) <= size) {
            memcpy(&frames, bytes + at, sizeof(frames));
            return frames.count;
        }
        at += (section.payload_bytes + 7) & ~(uint64_t)7;
    }
    return 0;
}

/* Reads the end section of each record; counts the bytes; times a write and fdatasync of as many. */
static void bench_records(const char *storage, const char *name) {
    char folder[4096], path[8192];
    static char bytes[32 << 20];
    snprintf(folder, sizeof(folder), "%s/crashes", storage);
    DIR *entries = opendir(folder);
    double sizes = 0, sync = 0, frames = 0;
    int got = 0;
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL && got < COUNT_MAX;) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        int fd = open(path, O_RDWR);
        ssize_t size = read(fd, bytes, sizeof(bytes));
        struct vaka_end end;
        if (size > (ssize_t)sizeof(end)) {
            memcpy(&end, bytes + size - sizeof(end), sizeof(end));
            values[got++] = (double)end.handler_ns / 1e3;
            sizes += (double)size;
            frames += frames_of(bytes, (size_t)size);
        }
        double start = now_us();
        if (got <= 20 && pwrite(fd, bytes, (size_t)size, 0) == size && fdatasync(fd) == 0)
            sync += now_us() - start;
        close(fd);
    }
    if (entries != NULL)
        closedir(entries);
    printf("%s_records %d count\n", name, got);
    printf("%s_frames_mean %.0f count\n", name, got == 0 ? 0 : frames / got);
    printf("%s_handler_median %.1f us\n", name, median(got));
    printf("%s_handler_p99 %.1f us\n", name, got == 0 ? 0 : values[got * 99 / 100]);
    printf("%s_fdatasync_mean %.1f us\n", name, got == 0 ? 0 : sync / (got < 20 ? got : 20));
    printf("%s_record_mean %.0f bytes\n", name, got == 0 ? 0 : sizes / got);
}

static void bench_threads(const char *storage, int crashes) {
    static const int counts[] = {1, 50, 500};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        char folder[4096], name[32];
        thread_count = counts[i];
        snprintf(folder, sizeof(folder), "%s/threads-%d", storage, thread_count);
        snprintf(name, sizeof(name), "capture_threads_%d", thread_count);
        for (int crash_number = 0; crash_number < crashes; crash_number++)
            in_child(crash_beside_threads, folder);
        bench_records(folder, name);
    }
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: capture STORAGE COUNT\n");
        return 2;
    }
    int crashes = atoi(arguments[2]);
    if (crashes < 1 || crashes > COUNT_MAX)
        crashes = 200;
    bench_install(arguments[1], crashes);
    for (int i = 0; i < crashes; i++)
        in_child(crash, arguments[1]);
    bench_records(arguments[1], "capture");
    char bare[4096];
    snprintf(bare, sizeof(bare), "%s-bare", arguments[1]);
    for (int i = 0; i < crashes; i++)
        in_child(crash_without_stack, bare);
    bench_records(bare, "capture_without_stack");
    char pointers[4096];
    snprintf(pointers, sizeof(pointers), "%s-pointers", arguments[1]);
    for (int i = 0; i < crashes; i++)
        in_child(crash_with_pointers_only, pointers);
    bench_records(pointers, "capture_pointers_only");
    bench_threads(arguments[1], crashes < 20 ? crashes : 20);
    char memory[4096];
    snprintf(memory, sizeof(memory), "%s-memory", arguments[1]);
    in_child(tell_memory, memory);
    return 0;
}
