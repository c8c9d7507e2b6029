/* SPDX-License-Identifier: Apache-2.0 */
/* The other threads: their ids and names, from /proc. They run on meanwhile; their registers are not taken. */
#include "capture.h"
#include "reader.h"
#include "system.h"
#include "writer.h"

#include <fcntl.h>
#include <string.h>

struct folder_entry {
    uint64_t inode;
    int64_t offset;
    uint16_t bytes;
    uint8_t type;
    char name[];
};

static uint8_t entries[4096];

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

static void read_name(int folder, const char *id, struct vaka_thread *thread) {
    char path[32];
    size_t length = strlen(id);
    if (length > 10)
        return;
    memcpy(path, id, length);
    memcpy(path + length, "/comm", sizeof("/comm"));
    long fd = vaka_async_openat(folder, path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return;
    long got = vaka_async_read_fd((int)fd, thread->name, sizeof(thread->name));
    vaka_async_close((int)fd);
    if (got <= 0)
        return;
    if (thread->name[got - 1] == '\n')
        thread->name[got - 1] = 0;
    thread->flags |= VAKA_THREAD_NAME;
}

static void write_thread(int folder, const char *name, uint32_t *written, uint32_t *left_out) {
    int tid = thread_id(name);
    if (tid == 0 || tid == vaka_async_state.crash.tid)
        return;
    if (*written == VAKA_THREADS_MAX) {
        (*left_out)++;
        return;
    }
    struct vaka_thread thread = {.tid = tid};
    read_name(folder, name, &thread);
    vaka_async_section(VAKA_SECTION_THREAD, &thread, sizeof(thread));
    (*written)++;
}

void vaka_async_write_other_threads(void) {
    vaka_async_reader_free_descriptors();
    long folder = vaka_async_openat(AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (folder < 0) {
        vaka_async_add_loss(VAKA_LOSS_PROC, 0, (uint64_t)-folder);
        return;
    }
    uint32_t written = 0;
    uint32_t left_out = 0;
    long got;
    /* A program that makes threads all the time could keep this going: the count of what is left out is bounded too. */
    while (left_out < 65536 &&
           (got = vaka_async_call(SYS_getdents64, folder, (long)entries, sizeof(entries), 0, 0, 0)) > 0) {
        for (long at = 0; at < got;) {
            const struct folder_entry *entry = (const void *)(entries + at);
            if (entry->bytes == 0)
                break;
            write_thread((int)folder, entry->name, &written, &left_out);
            at += entry->bytes;
        }
    }
    vaka_async_close((int)folder);
    if (left_out > 0)
        vaka_async_add_loss(VAKA_LOSS_THREADS_LIMIT, 0, left_out);
}
