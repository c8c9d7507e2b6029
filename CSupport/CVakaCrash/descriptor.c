/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

int vaka_descriptor_high(int fd) {
    if (fd < 0)
        return fd;
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, VAKA_LOWEST_DESCRIPTOR);
    /* A low limit of descriptors: still never one of the standard three, should they be closed. */
    if (moved < 0 && fd <= STDERR_FILENO)
        moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (moved < 0)
        return fd;
    close(fd);
    return moved;
}

bool vaka_descriptor_identify(int fd, struct vaka_identity *identity) {
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0)
        return false;
    *identity = (struct vaka_identity){status.st_dev, status.st_ino};
    return true;
}

void vaka_descriptor_close(int *fd, const struct vaka_identity *identity) {
    struct vaka_identity found;
    if (vaka_descriptor_identify(*fd, &found) && found.device == identity->device && found.inode == identity->inode) {
        close(*fd);
    }
    *fd = -1;
}

int vaka_descriptor_allocate(int fd, uint64_t bytes) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes)
        return EFBIG;
    return posix_fallocate(fd, 0, (off_t)bytes);
}
