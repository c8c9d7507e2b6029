/* SPDX-License-Identifier: Apache-2.0 */
#include "reader.h"
#include "state.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>

#define BLOCK 4096u
/* One step of a walk touches about ten: of the search in a table, of its entries, of the stack. */
#define BLOCKS 32

static struct {
    int pid;
    uint32_t kind;
    int refusal;
    int pipe[2];
    struct vaka_identity identity;
    uint64_t addresses[BLOCKS];
    bool valid[BLOCKS];
    uint32_t next;
    uint32_t last; /* the one that was used last */
} reader = {.pipe = {-1, -1}};

static uint8_t blocks[BLOCKS][BLOCK];

static long read_by_kernel(uint64_t address, void *out, size_t bytes) {
    struct iovec local = {out, bytes};
    struct iovec remote = {(void *)(uintptr_t)address, bytes};
    return vaka_async_call(SYS_process_vm_readv, reader.pid, (long)&local, 1, (long)&remote, 1, 0);
}

static long read_by_pipe(uint64_t address, void *out, size_t bytes) {
    if (reader.pipe[1] < 0)
        return -EBADF;
    long written = vaka_async_call(SYS_write, reader.pipe[1], (long)address, (long)bytes, 0, 0, 0);
    if (written <= 0)
        return written;
    return vaka_async_read_fd(reader.pipe[0], out, (size_t)written);
}

static bool is_refused(long result) {
    return result == -EPERM || result == -ENOSYS || result == -EACCES;
}

/* At most one page. */
static size_t read_chunk(uint64_t address, void *out, size_t bytes) {
    if (reader.kind == VAKA_READER_PROCESS_VM) {
        long result = read_by_kernel(address, out, bytes);
        if (!is_refused(result))
            return result < 0 ? 0 : (size_t)result;
        reader.refusal = (int)-result;
        reader.kind = reader.pipe[0] >= 0 ? VAKA_READER_PIPE : VAKA_READER_NONE;
    }
    if (reader.kind != VAKA_READER_PIPE)
        return 0;
    long result = read_by_pipe(address, out, bytes);
    return result < 0 ? 0 : (size_t)result;
}

static void open_pipe(void) {
    struct stat status;
    if (vaka_async_call(SYS_pipe2, (long)reader.pipe, O_CLOEXEC | O_NONBLOCK, 0, 0, 0, 0) != 0 ||
        vaka_async_fstat(reader.pipe[1], &status) != 0) {
        reader.pipe[0] = reader.pipe[1] = -1;
        return;
    }
    reader.identity = (struct vaka_identity){status.st_dev, status.st_ino};
}

/* Programs close descriptors that they did not open, and then get the same number for a file of theirs. */
static bool is_pipe(int fd) {
    struct stat status;
    return fd >= 0 && vaka_async_fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode) &&
           status.st_dev == reader.identity.device && status.st_ino == reader.identity.inode;
}

static void move_up(int *fd, int lowest_fd) {
    long moved = vaka_async_call(SYS_fcntl, *fd, F_DUPFD_CLOEXEC, lowest_fd, 0, 0, 0);
    if (moved < 0)
        return;
    vaka_async_close(*fd);
    *fd = (int)moved;
}

void vaka_async_reader_prepare(int lowest_fd) {
    reader.pid = vaka_async_getpid();
    open_pipe();
    if (reader.pipe[0] >= 0) {
        move_up(&reader.pipe[0], lowest_fd);
        move_up(&reader.pipe[1], lowest_fd);
    }
    static const uint32_t expected = 0x56414b41u;
    uint32_t found = 0;
    long result = read_by_kernel((uint64_t)(uintptr_t)&expected, &found, sizeof(found));
    reader.refusal = result < 0 ? (int)-result : 0;
    reader.kind = result == sizeof(found) && found == expected ? VAKA_READER_PROCESS_VM
                  : reader.pipe[0] >= 0                        ? VAKA_READER_PIPE
                                                               : VAKA_READER_NONE;
}

void vaka_async_reader_begin(int pid, bool forked_child) {
    reader.pid = pid;
    for (uint32_t i = 0; i < BLOCKS; i++)
        reader.valid[i] = false;
    if (forked_child || !is_pipe(reader.pipe[0]) || !is_pipe(reader.pipe[1]))
        open_pipe();
    if (reader.pipe[0] < 0 && reader.kind == VAKA_READER_PIPE)
        reader.kind = VAKA_READER_NONE;
    /* What a sandbox allowed at install it may refuse by now. */
    uint32_t probe;
    (void)read_chunk((uint64_t)(uintptr_t)&reader.kind, &probe, sizeof(probe));
}

uint32_t vaka_async_reader_kind(void) {
    return reader.kind;
}

int vaka_async_reader_refusal(void) {
    return reader.refusal;
}

static const uint8_t *block(uint64_t address) {
    for (uint32_t i = 0; i < BLOCKS; i++) {
        uint32_t slot = (reader.last + i) % BLOCKS;
        if (!reader.valid[slot] || reader.addresses[slot] != address)
            continue;
        reader.last = slot;
        return blocks[slot];
    }
    uint32_t slot = reader.next;
    reader.next = (slot + 1) % BLOCKS;
    reader.valid[slot] = false;
    if (read_chunk(address, blocks[slot], BLOCK) != BLOCK)
        return NULL;
    reader.addresses[slot] = address;
    reader.valid[slot] = true;
    reader.last = slot;
    return blocks[slot];
}

bool vaka_async_read(uint64_t address, void *out, size_t bytes) {
    uint8_t *to = out;
    while (bytes > 0) {
        uint64_t start = address & ~(uint64_t)(BLOCK - 1);
        size_t offset = (size_t)(address - start);
        size_t part = BLOCK - offset < bytes ? BLOCK - offset : bytes;
        const uint8_t *from = block(start);
        if (from == NULL)
            return false;
        memcpy(to, from + offset, part);
        to += part;
        bytes -= part;
        if (__builtin_add_overflow(address, part, &address))
            return bytes == 0;
    }
    return true;
}

void vaka_async_reader_forget(uint64_t address, uint64_t bytes) {
    for (uint32_t i = 0; i < BLOCKS; i++) {
        /* Also the block in which the range begins. */
        if (reader.addresses[i] - (address & ~(uint64_t)(BLOCK - 1)) < bytes)
            reader.valid[i] = false;
    }
}

size_t vaka_async_read_some(uint64_t address, void *out, size_t bytes) {
    size_t done = 0;
    while (done < bytes) {
        uint64_t at;
        if (__builtin_add_overflow(address, done, &at))
            break;
        size_t part = BLOCK - (size_t)(at & (BLOCK - 1));
        if (part > bytes - done)
            part = bytes - done;
        size_t got = read_chunk(at, (uint8_t *)out + done, part);
        done += got;
        if (got < part)
            break;
    }
    return done;
}

size_t vaka_async_readable(uint64_t address, size_t bytes) {
    size_t done = 0;
    while (done < bytes) {
        uint64_t at;
        uint8_t byte;
        if (__builtin_add_overflow(address, done, &at) || read_chunk(at, &byte, 1) != 1)
            break;
        done += BLOCK - (size_t)(at & (BLOCK - 1));
    }
    return done < bytes ? done : bytes;
}

void vaka_async_reader_free_descriptors(void) {
    if (reader.kind == VAKA_READER_PROCESS_VM)
        vaka_async_reader_close();
}

void vaka_async_reader_close(void) {
    for (int i = 0; i < 2; i++) {
        if (is_pipe(reader.pipe[i]))
            vaka_async_close(reader.pipe[i]);
        reader.pipe[i] = -1;
    }
}
