/* SPDX-License-Identifier: Apache-2.0 */
/* The record's file: found again at the crash, and kept in crashes/ afterwards. */
#include "capture.h"
#include "system.h"
#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>

static char path[VAKA_PATH_BYTES + VAKA_NAME_BYTES];

bool vaka_async_is_file(int fd, const struct vaka_identity *identity) {
    struct stat status;
    return fd >= 0 && vaka_async_fstat(fd, &status) == 0 && status.st_dev == identity->device &&
           status.st_ino == identity->inode && status.st_nlink > 0;
}

static long open_folder(const char *at) {
    return vaka_async_openat(AT_FDCWD, at, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
}

/*
 * Programs close descriptors that they did not open, and cleaners of temporary folders remove what is old: then the
 * folder is opened again by its path, and made again if need be.
 */
static int folder(int fd, const struct vaka_identity *identity, const char *name) {
    if (vaka_async_is_file(fd, identity))
        return fd;
    size_t length = strlen(vaka_async_state.storage);
    memcpy(path, vaka_async_state.storage, length);
    memcpy(path + length, name, strlen(name) + 1);
    long opened = open_folder(path);
    if (opened == -ENOENT) {
        vaka_async_call(SYS_mkdirat, AT_FDCWD, (long)vaka_async_state.storage, 0700, 0, 0, 0);
        vaka_async_call(SYS_mkdirat, AT_FDCWD, (long)path, 0700, 0, 0, 0);
        opened = open_folder(path);
    }
    return opened < 0 ? -1 : (int)opened;
}

static int runs_folder(void) {
    return folder(vaka_async_state.runs_folder, &vaka_async_state.runs_identity, "/runs");
}

static int crashes_folder(void) {
    return folder(vaka_async_state.crashes_folder, &vaka_async_state.crashes_identity, "/crashes");
}

void vaka_async_hex(const uint8_t id[16], char out[33]) {
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < 16; i++) {
        out[2 * i] = digits[id[i] >> 4];
        out[2 * i + 1] = digits[id[i] & 15];
    }
    out[32] = 0;
}

static void record_name(const uint8_t id[16], char out[VAKA_NAME_BYTES]) {
    vaka_async_hex(id, out);
    memcpy(out + 32, ".vakacrash", sizeof(".vakacrash"));
}

/* A child's record is another than the one its parent may still leave, and a second one of a run than the first. */
static void choose_id(void) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    memcpy(crash->record_id, vaka_async_run_header()->record_id, sizeof(crash->record_id));
    if (!crash->forked_child && !vaka_async_state.record_used)
        return;
    uint8_t random[16];
    if (vaka_async_call(SYS_getrandom, (long)random, sizeof(random), 1 /* GRND_NONBLOCK */, 0, 0, 0) ==
        sizeof(random)) {
        memcpy(crash->record_id, random, sizeof(random));
        return;
    }
    for (int i = 0; i < 8; i++)
        crash->record_id[i] ^= (uint8_t)(crash->realtime_ns >> (8 * i));
    for (int i = 0; i < 4; i++)
        crash->record_id[8 + i] ^= (uint8_t)((uint32_t)crash->tid >> (8 * i));
}

/* The file that install allocated, if it still is ours. */
static int allocated_record(void) {
    struct vaka_state *state = &vaka_async_state;
    if (state->crash.forked_child || state->files_removed || state->record_used || state->record_fd < 0)
        return -1;
    memcpy(state->crash.file_name, state->record_name, sizeof(state->crash.file_name));
    if (vaka_async_is_file(state->record_fd, &state->record_identity))
        return state->record_fd;
    long fd = vaka_async_openat(runs_folder(), state->record_name, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
    return fd < 0 ? -1 : (int)fd;
}

static int new_record(uint64_t bytes) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    record_name(crash->record_id, crash->file_name);
    long fd = vaka_async_openat(runs_folder(), crash->file_name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return -1;
    /* The next launch takes an unlocked file for one of a dead process. */
    vaka_async_call(SYS_flock, fd, LOCK_EX | LOCK_NB, 0, 0, 0, 0);
    vaka_async_call(SYS_fallocate, fd, 0, 0, (long)bytes, 0, 0);
    return (int)fd;
}

/* Writing past the limit would raise SIGXFSZ. */
static uint64_t file_size_limit(void) {
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    vaka_async_call(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long)&limit, 0, 0);
    return limit.rlim_cur;
}

/* A limit that was lowered since is one of writing and of growing. What was allocated before is written in memory. */
static bool map_allocated(struct vaka_record_file *file) {
    struct stat status;
    if (vaka_async_fstat(file->fd, &status) != 0 || (uint64_t)status.st_size < file->capacity)
        return false;
    long mapped = vaka_async_call(SYS_mmap, 0, (long)file->capacity, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, 0);
    if (mapped < 0 && mapped > -4096)
        return false;
    file->memory = (uint8_t *)mapped;
    return true;
}

void vaka_async_open_record(struct vaka_record_file *file) {
    uint64_t limit = file_size_limit();
    *file = (struct vaka_record_file){.capacity = VAKA_RECORD_BYTES + vaka_async_state.stack_bytes};
    choose_id();
    file->fd = allocated_record();
    if (file->capacity <= limit) {
        if (file->fd < 0)
            file->fd = new_record(file->capacity);
        return;
    }
    if (file->fd >= 0 && map_allocated(file))
        return;
    file->capacity = limit;
    if (file->fd < 0)
        file->fd = new_record(limit);
}

/* Where a file system cannot allocate beforehand, what does not fit is found out by the writing. */
void vaka_async_extend_record(uint64_t bytes) {
    uint64_t room = vaka_async_writer_room();
    uint64_t capacity = vaka_async_writer_capacity();
    if (room >= bytes)
        return;
    uint64_t wanted = capacity + (bytes - room);
    uint64_t limit = file_size_limit();
    if (wanted > VAKA_RECORD_BYTES_MAX)
        wanted = VAKA_RECORD_BYTES_MAX;
    if (wanted > limit)
        wanted = limit;
    if (wanted <= capacity)
        return;
    long error = vaka_async_call(SYS_fallocate, vaka_async_writer_fd(), 0, 0, (long)wanted, 0, 0);
    if (error == 0 || error == -EOPNOTSUPP || error == -ENOSYS)
        vaka_async_writer_set_capacity(wanted);
}

void vaka_async_keep_record(struct vaka_record_file *file, uint64_t bytes) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    int fd = file->fd;
    char kept[VAKA_NAME_BYTES];
    record_name(crash->record_id, kept);
    if (file->memory != NULL)
        vaka_async_call(SYS_munmap, (long)file->memory, (long)file->capacity, 0, 0, 0, 0);
    file->memory = NULL;
    vaka_async_call(SYS_ftruncate, fd, (long)bytes, 0, 0, 0, 0);
    vaka_async_call(SYS_fdatasync, fd, 0, 0, 0, 0, 0);
    vaka_async_renameat(runs_folder(), crash->file_name, crashes_folder(), kept);
    vaka_async_state.record_used = !crash->forked_child;
}

/* Whoever has taken it meanwhile keeps it. */
void vaka_async_withdraw_record(struct vaka_record_file *file) {
    struct vaka_state *state = &vaka_async_state;
    struct vaka_crash *crash = &state->crash;
    char kept[VAKA_NAME_BYTES];
    record_name(crash->record_id, kept);
    bool is_allocated = !crash->forked_child && file->fd == state->record_fd &&
                        vaka_async_is_file(state->record_fd, &state->record_identity);
    if (!is_allocated) {
        vaka_async_call(SYS_unlinkat, crashes_folder(), (long)kept, 0, 0, 0, 0);
    } else if (vaka_async_renameat(crashes_folder(), kept, runs_folder(), crash->file_name) == 0) {
        vaka_async_call(SYS_ftruncate, file->fd, 0, 0, 0, 0, 0);
        vaka_async_call(SYS_fallocate, file->fd, 0, 0, (long)(VAKA_RECORD_BYTES + state->stack_bytes), 0, 0);
        state->record_used = false;
    }
    file->fd = -1;
}
