/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What dead processes left in runs/. A living one holds the lock of its files.
 * A record that was begun is moved to crashes/; an empty one is removed; run files stay for whoever tells abnormal
 * ends, the newest of them.
 */
#include "internal.h"

#include "async/capture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define RUN_FILES_KEPT 20
#define RUN_FILES_MAX 512
/* A file of an install that died halfway; younger ones may be of one that is at work. */
#define TEMPORARY_SECONDS 60

struct old_run {
    char name[VAKA_NAME_BYTES];
    uint64_t started_ns;
};

/* "<32 hexadecimal digits><suffix>" */
static bool is_named(const char *name, const char *suffix) {
    return strspn(name, "0123456789abcdef") == 32 && strcmp(name + 32, suffix) == 0;
}

/* The file, locked by us, if its process is dead; -1 if it lives. */
static int open_dead(int folder, const char *name) {
    int fd = openat(folder, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static void sweep_record(int folder, const char *name) {
    int fd = open_dead(folder, name);
    if (fd < 0)
        return;
    struct stat status;
    /* A crash is making it at this moment, and locks it next. */
    if (fstat(fd, &status) == 0 && status.st_size == 0 && time(NULL) - status.st_mtime < TEMPORARY_SECONDS) {
        close(fd);
        return;
    }
    struct vaka_record_header header;
    bool is_begun = pread(fd, &header, sizeof(header), 0) == (ssize_t)sizeof(header) &&
                    memcmp(header.magic, VAKA_RECORD_MAGIC, sizeof(header.magic)) == 0;
    if (is_begun) {
        char kept[VAKA_NAME_BYTES];
        vaka_async_hex(header.record_id, kept);
        memcpy(kept + 32, ".vakacrash", sizeof(".vakacrash"));
        renameat(folder, name, vaka_async_state.crashes_folder, kept);
    } else {
        unlinkat(folder, name, 0);
    }
    close(fd);
}

static uint64_t process_start_ns(void) {
    uint64_t ticks = vaka_process_start_ticks();
    return ticks == UINT64_MAX ? ticks : ticks * (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* A run that this very process had before it called exec: it did not end abnormally. */
static bool was_before_exec(const struct vaka_run_header *old) {
    const struct vaka_run_header *run = vaka_async_run_header();
    return old->pid == getpid() && memcmp(old->boot_id, run->boot_id, sizeof(old->boot_id)) == 0 &&
           old->started_boottime_ns >= process_start_ns();
}

static bool sweep_run(int folder, const char *name, struct old_run *old) {
    int fd = open_dead(folder, name);
    if (fd < 0)
        return false;
    struct vaka_run_header header;
    bool is_whole = pread(fd, &header, sizeof(header), 0) == (ssize_t)sizeof(header);
    bool is_kept = is_whole && !was_before_exec(&header);
    if (!is_kept)
        unlinkat(folder, name, 0);
    close(fd);
    if (!is_kept)
        return false;
    memcpy(old->name, name, strlen(name) + 1); /* is_named bounds it */
    old->started_ns = header.started_realtime_ns;
    return true;
}

static void sweep_temporary(int folder, const char *name) {
    struct stat status;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
        return;
    if (time(NULL) - status.st_mtime < TEMPORARY_SECONDS)
        return;
    int fd = open_dead(folder, name);
    if (fd < 0)
        return;
    unlinkat(folder, name, 0);
    close(fd);
}

static int newest_first(const void *left, const void *right) {
    const struct old_run *a = left, *b = right;
    return (a->started_ns < b->started_ns) - (a->started_ns > b->started_ns);
}

static void sweep(int folder, DIR *entries, struct old_run *old) {
    size_t count = 0;
    struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        const char *name = entry->d_name;
        if (is_named(name, ".vakacrash")) {
            sweep_record(folder, name);
        } else if (is_named(name, ".vakarun")) {
            if (count < RUN_FILES_MAX && sweep_run(folder, name, &old[count]))
                count++;
        } else if (name[0] == '.' && (is_named(name + 1, ".run") || is_named(name + 1, ".crash"))) {
            sweep_temporary(folder, name);
        }
    }
    qsort(old, count, sizeof(*old), newest_first);
    for (size_t i = RUN_FILES_KEPT; i < count; i++)
        unlinkat(folder, old[i].name, 0);
}

void vaka_sweep_old_runs(void) {
    int folder = vaka_async_state.runs_folder;
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy < 0 ? NULL : fdopendir(copy);
    struct old_run *old = entries == NULL ? NULL : calloc(RUN_FILES_MAX, sizeof(*old));
    if (old != NULL)
        sweep(folder, entries, old);
    free(old);
    if (entries != NULL) {
        closedir(entries);
    } else if (copy >= 0) {
        close(copy);
    }
}
