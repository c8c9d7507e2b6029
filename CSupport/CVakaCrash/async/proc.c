/* SPDX-License-Identifier: Apache-2.0 */
#include "proc.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/* A program that makes threads all the time could keep a listing going for ever. */
#define ENTRIES_MAX 65536u
#define TASKS "/proc/self/task/"

struct folder_entry {
    uint64_t inode;
    int64_t offset;
    uint16_t bytes;
    uint8_t type;
    char name[];
};

static uint8_t entries[8192];
static char text[2048];

/* The thread id that an entry of /proc/self/task is named by; 0: none. */
static int thread_id(const char *name) {
    long id = 0;
    for (int i = 0; name[i] != 0; i++) {
        if (name[i] < '0' || name[i] > '9' || i > 9)
            return 0;
        id = id * 10 + (name[i] - '0');
    }
    return id > 0x7fffffff ? 0 : (int)id;
}

/* The process's own list, opened anew or, where that is not possible any more, at install. Not of a forked child. */
static long open_tasks(bool *is_kept) {
    const struct vaka_state *state = &vaka_async_state;
    long folder = vaka_async_openat(AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    *is_kept = folder < 0 && state->pid == vaka_async_getpid() &&
               vaka_async_is_file(state->tasks_folder, &state->tasks_identity);
    if (!*is_kept)
        return folder;
    vaka_async_call(SYS_lseek, state->tasks_folder, 0, SEEK_SET, 0, 0, 0);
    return state->tasks_folder;
}

long vaka_async_proc_threads(void (*each)(int tid)) {
    bool is_kept;
    long folder = open_tasks(&is_kept);
    if (folder < 0)
        return folder;
    long got;
    uint32_t seen = 0;
    while (seen < ENTRIES_MAX &&
           (got = vaka_async_call(SYS_getdents64, folder, (long)entries, sizeof(entries), 0, 0, 0)) > 0) {
        for (long at = 0; at < got;) {
            const struct folder_entry *entry = (const void *)(entries + at);
            if (entry->bytes == 0)
                break;
            int tid = thread_id(entry->name);
            if (tid != 0)
                each(tid);
            seen++;
            at += entry->bytes;
        }
    }
    if (!is_kept)
        vaka_async_close((int)folder);
    return 0;
}

static size_t append(char *to, size_t at, const char *from) {
    size_t length = strlen(from);
    memcpy(to + at, from, length + 1);
    return at + length;
}

static size_t append_number(char *to, size_t at, int number) {
    char digits[12];
    size_t first = sizeof(digits) - 1;
    digits[first] = 0;
    do {
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return append(to, at, digits + first);
}

/* Reads `folder` + id + `file` into `text`, NUL-terminated: the bytes, or a negative errno value. */
static long read_file(const char *folder, int id, const char *file) {
    char path[64];
    size_t at = append(path, 0, folder);
    at = append_number(path, at, id);
    append(path, at, file);
    text[0] = 0;
    long fd = id <= 0 ? -ENOENT : vaka_async_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return fd;
    long got = vaka_async_read_fd((int)fd, text, sizeof(text) - 1);
    vaka_async_close((int)fd);
    text[got < 0 ? 0 : got] = 0;
    return got;
}

bool vaka_async_proc_name(const char *folder, int id, uint8_t name[VAKA_THREAD_NAME_BYTES]) {
    long bytes = read_file(folder, id, "/comm");
    if (bytes > 0 && text[bytes - 1] == '\n')
        bytes--;
    if (bytes <= 0)
        return false;
    memset(name, 0, VAKA_THREAD_NAME_BYTES);
    memcpy(name, text, bytes < VAKA_THREAD_NAME_BYTES ? (size_t)bytes : VAKA_THREAD_NAME_BYTES);
    return true;
}

/* What follows the first `label` in `text`, or NULL. */
static const char *after(const char *label) {
    size_t length = strlen(label);
    for (const char *at = text; *at != 0; at++) {
        if (memcmp(at, label, strlen(at) < length ? strlen(at) : length) == 0 && strlen(at) >= length)
            return at + length;
        at = memchr(at, '\n', strlen(at));
        if (at == NULL)
            return NULL;
    }
    return NULL;
}

static uint64_t hexadecimal(const char *from) {
    uint64_t value = 0;
    for (int i = 0; i < 16; i++) {
        char digit = from[i];
        if (digit >= '0' && digit <= '9')
            value = value << 4 | (uint64_t)(digit - '0');
        else if (digit >= 'a' && digit <= 'f')
            value = value << 4 | (uint64_t)(digit - 'a' + 10);
        else
            break;
    }
    return value;
}

enum vaka_thread_life vaka_async_proc_life(int tid, uint64_t *blocked) {
    *blocked = 0;
    if (read_file(TASKS, tid, "/status") <= 0)
        return VAKA_THREAD_UNKNOWN;
    const char *state = after("State:\t");
    if (state != NULL && (*state == 'Z' || *state == 'X'))
        return VAKA_THREAD_DEAD;
    const char *mask = after("SigBlk:\t");
    *blocked = mask == NULL ? 0 : hexadecimal(mask);
    return state != NULL && *state == 'D' ? VAKA_THREAD_WAITS : VAKA_THREAD_ALIVE;
}

bool vaka_async_proc_waits_for_signals(int tid) {
    long number = 0;
    if (read_file(TASKS, tid, "/syscall") <= 0 || text[0] < '0' || text[0] > '9')
        return false;
    for (size_t i = 0; text[i] >= '0' && text[i] <= '9' && number < 10000; i++)
        number = number * 10 + (text[i] - '0');
    return number == SYS_rt_sigtimedwait;
}

/* "NUMBER ARGUMENTS… SP PC", or "-1 SP PC" for one that sleeps elsewhere; "running" for one that runs. */
bool vaka_async_proc_place(int tid, uint64_t *pc, uint64_t *sp) {
    long bytes = read_file(TASKS, tid, "/syscall");
    if (bytes <= 0 || text[0] == 'r')
        return false;
    uint64_t words[2] = {0, 0};
    int found = 0;
    for (size_t at = (size_t)bytes; at > 0 && found < 2; at--) {
        if (text[at - 1] != ' ')
            continue;
        if (text[at] != '0' || text[at + 1] != 'x')
            return false;
        words[found++] = hexadecimal(text + at + 2);
    }
    *pc = words[0];
    *sp = words[1];
    return found == 2 && *pc != 0 && *sp != 0;
}
