/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int make_folder(const char *path) {
    if (mkdir(path, 0700) == 0 || errno == EEXIST)
        return 0;
    return errno;
}

static int make_folders(const char *storage) {
    char path[VAKA_PATH_BYTES];
    size_t length = strlen(storage);
    if (length + sizeof("/crashes") > sizeof(path) - VAKA_NAME_BYTES) {
        return vaka_fail(ENAMETOOLONG, "the storage folder's path is longer than %zu bytes: choose another", length);
    }
    memcpy(path, storage, length + 1);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != 0)
            continue;
        path[i] = 0;
        int error = make_folder(path);
        path[i] = storage[i];
        /* A parent that cannot be made may still be there; the last one decides. */
        if (error != 0 && i == length) {
            return vaka_fail(error, "cannot make the storage folder %s: %s. Give a folder that this user may write to",
                             storage, strerror(error));
        }
    }
    return 0;
}

static int open_folder(const char *name, int *fd, struct vaka_identity *identity) {
    char path[VAKA_PATH_BYTES + 16];
    snprintf(path, sizeof(path), "%s/%s", vaka_async_state.storage, name);
    int error = make_folder(path);
    if (error == 0) {
        *fd = vaka_descriptor_high(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!vaka_descriptor_identify(*fd, identity))
            error = errno;
    }
    if (error == 0 && faccessat(*fd, ".", W_OK | X_OK, AT_EACCESS) != 0)
        error = errno;
    if (error == 0)
        return 0;
    return vaka_fail(error, "cannot use the folder %s: %s. Give a storage folder that this user may write to", path,
                     strerror(error));
}

int vaka_storage_open(const char *storage) {
    struct vaka_state *state = &vaka_async_state;
    int error = make_folders(storage);
    if (error != 0)
        return error;
    char resolved[PATH_MAX];
    if (realpath(storage, resolved) == NULL) {
        error = errno;
        return vaka_fail(error, "cannot find the storage folder %s: %s", storage, strerror(error));
    }
    size_t length = strlen(resolved);
    if (length + VAKA_NAME_BYTES + sizeof("/crashes/") > sizeof(state->storage)) {
        return vaka_fail(ENAMETOOLONG, "the storage folder's path is too long: %s", resolved);
    }
    memcpy(state->storage, resolved, length + 1);
    error = open_folder("runs", &state->runs_folder, &state->runs_identity);
    if (error == 0)
        error = open_folder("crashes", &state->crashes_folder, &state->crashes_identity);
    if (error != 0)
        vaka_storage_close();
    return error;
}

void vaka_storage_close(void) {
    struct vaka_state *state = &vaka_async_state;
    vaka_descriptor_close(&state->runs_folder, &state->runs_identity);
    vaka_descriptor_close(&state->crashes_folder, &state->crashes_identity);
}

void vaka_tasks_open(void) {
    struct vaka_state *state = &vaka_async_state;
    state->tasks_folder = vaka_descriptor_high(open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    vaka_descriptor_identify(state->tasks_folder, &state->tasks_identity);
}
