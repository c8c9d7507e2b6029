/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of Linux that Swift's Glibc module leaves out, for they want _GNU_SOURCE or are variadic. */
#ifndef VAKA_CLINUX_SHIM_H
#define VAKA_CLINUX_SHIM_H
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Both ends are closed on exec from the start: another thread may be starting a child at this moment. */
static inline int vaka_pipe(int ends[2]) {
    return (int)syscall(SYS_pipe2, ends, O_CLOEXEC);
}

/* The connection neither blocks nor is inherited, from the start. */
static inline int vaka_accept_from(int listener, void *address, unsigned int *size) {
    return (int)syscall(SYS_accept4, listener, address, size, O_NONBLOCK | O_CLOEXEC);
}

/* A new terminal: what is written to the slave is read from the master. Neither becomes the controlling one. */
static inline int vaka_terminal(int *master, int *slave) {
    int unlocked = 0;
    *master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*master < 0)
        return -1;
    *slave =
        ioctl(*master, TIOCSPTLCK, &unlocked) != 0 ? -1 : ioctl(*master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*slave >= 0)
        return 0;
    close(*master);
    return -1;
}

/* Rows and columns of one terminal for another. */
static inline void vaka_copy_window_size(int from, int to) {
    struct winsize size;
    if (ioctl(from, TIOCGWINSZ, &size) == 0)
        ioctl(to, TIOCSWINSZ, &size);
}

/* The calling process is killed when the thread that started it ends. */
static inline int vaka_die_with_parent(void) {
    return prctl(PR_SET_PDEATHSIG, SIGKILL);
}
#endif
