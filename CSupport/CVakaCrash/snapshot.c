/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of the living process: how many there may be, and their files. */
#include "internal.h"

#include "async/capture.h"
#include "async/snapshot.h"
#include "async/system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* So many in a row, and then one more each time this has passed. */
#define BURST 10u
#define REFILL_NS 10000000000u
/* Records that nobody has taken away. */
#define WAITING_MAX 200
/* Where there is no room for the largest record. */
#define BYTES_LEAST (1024u * 1024u)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* When the first of the burst may be taken anew: CLOCK_MONOTONIC, in nanoseconds. */
static uint64_t full_at;

void vaka_snapshot_lock(void) {
    pthread_mutex_lock(&lock);
}

void vaka_snapshot_unlock(void) {
    pthread_mutex_unlock(&lock);
}

void vaka_snapshot_forked(void) {
    pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    memcpy(&lock, &fresh, sizeof(lock));
    __atomic_store_n(&vaka_async_state.snapshot_tid, 0, __ATOMIC_RELEASE);
}

static bool is_within_bound(void) {
    uint64_t now = vaka_async_clock(CLOCK_MONOTONIC);
    uint64_t from = full_at > now ? full_at : now;
    if (!vaka_async_state.bounds_snapshots)
        return true;
    if (from - now > (BURST - 1) * (uint64_t)REFILL_NS)
        return false;
    full_at = from + REFILL_NS;
    return true;
}

/* It is the folder that install opened, and nobody has removed it since. */
static bool is_still(int fd, const struct vaka_identity *identity) {
    struct stat status;
    return fd >= 0 && fstat(fd, &status) == 0 && status.st_dev == identity->device &&
           status.st_ino == identity->inode && status.st_nlink > 0;
}

/* One of the two folders, open; it is made again where a cleaner has removed it. -1 and errno where that fails. */
static int open_folder(int kept, const struct vaka_identity *identity, const char *name) {
    char path[VAKA_PATH_BYTES + 16];
    if (is_still(kept, identity)) {
        int copy = openat(kept, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (copy >= 0)
            return copy;
    }
    snprintf(path, sizeof(path), "%s/%s", vaka_async_state.storage, name);
    if (mkdirat(AT_FDCWD, vaka_async_state.storage, 0700) != 0 && errno != EEXIST)
        return -1;
    if (mkdirat(AT_FDCWD, path, 0700) != 0 && errno != EEXIST)
        return -1;
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int open_crashes(void) {
    return open_folder(vaka_async_state.crashes_folder, &vaka_async_state.crashes_identity, "crashes");
}

static int open_runs(void) {
    return open_folder(vaka_async_state.runs_folder, &vaka_async_state.runs_identity, "runs");
}

static bool is_full(void) {
    int folder = open_crashes();
    DIR *entries = folder < 0 ? NULL : fdopendir(folder);
    int count = 0;
    if (entries == NULL) {
        if (folder >= 0)
            close(folder);
        return false;
    }
    for (struct dirent *entry; count < WAITING_MAX && (entry = readdir(entries)) != NULL;)
        count += strstr(entry->d_name, ".vakacrash") != NULL;
    closedir(entries);
    return count >= WAITING_MAX;
}

static int write_file(int fd, const uint8_t *bytes, uint64_t count) {
    int error = vaka_descriptor_allocate(fd, count);
    /* Not every file system can. */
    if (error != 0 && error != EOPNOTSUPP && error != EINVAL && error != ENOSYS)
        return error;
    for (uint64_t done = 0; done < count;) {
        ssize_t written = pwrite(fd, bytes + done, count - done, (off_t)done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? errno : EIO;
        done += (uint64_t)written;
    }
    return fdatasync(fd) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

/* In runs/ until it is whole: locked, since an unlocked one is of a dead process. */
static int keep_in(int runs, int crashes, const struct vaka_snapshot_request *request, const char *id) {
    char name[VAKA_NAME_BYTES];
    snprintf(name, sizeof(name), "%.32s.vakacrash", id);
    int fd = openat(runs, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return errno;
    flock(fd, LOCK_EX | LOCK_NB);
    int error = write_file(fd, request->memory, request->record_bytes);
    if (error == 0 && renameat(runs, name, crashes, name) != 0)
        error = errno;
    if (error != 0)
        unlinkat(runs, name, 0);
    close(fd);
    return error;
}

static int keep(const struct vaka_snapshot_request *request, const char *id) {
    int runs = open_runs();
    if (runs < 0)
        return errno;
    int crashes = open_crashes();
    int error = crashes < 0 ? errno : keep_in(runs, crashes, request, id);
    if (crashes >= 0)
        close(crashes);
    close(runs);
    return error;
}

static uint64_t room(void) {
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    getrlimit(RLIMIT_FSIZE, &limit);
    return limit.rlim_cur < VAKA_SNAPSHOT_BYTES_MAX ? limit.rlim_cur : VAKA_SNAPSHOT_BYTES_MAX;
}

static uint8_t *map(uint64_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void choose_id(uint8_t id[16]) {
    if (getrandom(id, 16, GRND_NONBLOCK) == 16)
        return;
    uint64_t parts[2] = {vaka_async_clock(CLOCK_REALTIME), vaka_async_clock(CLOCK_MONOTONIC)};
    memcpy(id, parts, sizeof(parts));
    id[15] ^= (uint8_t)getpid();
}

static int take(struct vaka_snapshot_request *request, char id[33]) {
    choose_id(request->record_id);
    vaka_async_hex(request->record_id, id);
    request->capacity = room();
    if (request->capacity < BYTES_LEAST)
        return EFBIG;
    request->memory = map(request->capacity);
    if (request->memory == NULL) {
        request->capacity = BYTES_LEAST;
        request->memory = map(request->capacity);
    }
    if (request->memory == NULL)
        return ENOMEM;
    int error = vaka_async_snapshot(request);
    if (error == 0)
        error = keep(request, id);
    munmap(request->memory, request->capacity);
    return error;
}

int vaka_snapshot_take(struct vaka_snapshot_request *request, char id[33]) {
    int kept_errno = errno, cancelling, error;
    id[0] = 0;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
    vaka_snapshot_lock();
    __atomic_store_n(&vaka_async_state.snapshot_tid, vaka_async_gettid(), __ATOMIC_RELEASE);
    if (!vaka_async_is_installed())
        error = ENOTCONN;
    else if (!is_within_bound())
        error = EAGAIN;
    else if (is_full())
        error = EDQUOT;
    else
        error = take(request, id);
    __atomic_store_n(&vaka_async_state.snapshot_tid, 0, __ATOMIC_RELEASE);
    vaka_snapshot_unlock();
    pthread_setcancelstate(cancelling, NULL);
    if (error != 0)
        id[0] = 0;
    errno = kept_errno;
    return error;
}

int vaka_crash_snapshot(const char *message, char id[33]) {
    struct vaka_snapshot_request request = {.kind = VAKA_RECORD_SNAPSHOT, .text = message};
    char own_id[33];
    request.subject = vaka_async_gettid();
    VAKA_OWN_REGISTERS(request.registers);
    return vaka_snapshot_take(&request, id == NULL ? own_id : id);
}
