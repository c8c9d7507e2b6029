/* SPDX-License-Identifier: Apache-2.0 */
/* What a process needs that works on other processes' remains: files without a name, children without rights. */
#ifndef VAKA_CLINUX_CONFINEMENT_H
#define VAKA_CLINUX_CONFINEMENT_H
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* Headers give these names under _GNU_SOURCE only. */
#define VAKA_SET_PIPE_SIZE 1031 /* F_SETPIPE_SZ */
#define VAKA_NAMELESS (020000000 | O_DIRECTORY) /* O_TMPFILE */
#define VAKA_EMPTY_PATH 0x1000 /* AT_EMPTY_PATH */
#define VAKA_NOBODY 65534

/* -1 where the kernel refuses. */
static inline int vaka_set_pipe_size(int descriptor, int bytes) {
    return fcntl(descriptor, VAKA_SET_PIPE_SIZE, bytes);
}

/* For a process with one thread. */
static inline pid_t vaka_fork(void) {
    return (pid_t)fork();
}

/* A file in memory, gone with its last descriptor. */
static inline int vaka_memory_file(void) {
    return (int)syscall(SYS_memfd_create, "vaka", 1u /* MFD_CLOEXEC */);
}

/* A file of a folder that has no name yet; -1 where the file system has no such files. */
static inline int vaka_nameless_file(int folder) {
    return openat(folder, ".", VAKA_NAMELESS | O_RDWR | O_CLOEXEC, 0600);
}

/* Gives it one; fails with EEXIST where that is taken. */
static inline int vaka_name_file(int file, int folder, const char *name) {
    char path[32];
    if (linkat(file, "", folder, name, VAKA_EMPTY_PATH) == 0)
        return 0;
    if (errno == EEXIST)
        return -1;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW);
}

/* Opens a file for reading as if `root` were the root folder, also for symbolic links on the way; -1 where the kernel
 * is older than Linux 5.6. */
static inline int vaka_open_in_root(int root, const char *path) {
    struct {
        uint64_t flags, mode, resolve;
    } how = {O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0,
             0x02u | 0x10u /* RESOLVE_NO_MAGICLINKS, RESOLVE_IN_ROOT */};
    return (int)syscall(437 /* openat2 */, root, path, &how, sizeof(how));
}

/* Nothing that is run from now on gains rights, and this process ends with its parent. The rights of the superuser, where
 * there are any, are given up for those of nobody. */
static inline int vaka_give_up_rights(void) {
    prctl(PR_SET_PDEATHSIG, 9 /* SIGKILL */);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (geteuid() != 0)
        return 0;
    if (setgroups(0, NULL) != 0 || setgid(VAKA_NOBODY) != 0 || setuid(VAKA_NOBODY) != 0)
        return -1;
    prctl(PR_SET_PDEATHSIG, 9);
    return 0;
}
#endif
