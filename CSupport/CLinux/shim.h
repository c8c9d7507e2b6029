/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of Linux that Swift's Glibc module leaves out, for they want _GNU_SOURCE or are variadic. */
#ifndef VAKA_CLINUX_SHIM_H
#define VAKA_CLINUX_SHIM_H
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Both ends are closed on exec from the start: another thread may be starting a child at this moment. */
static inline int vaka_pipe(int ends[2]) {
    return (int)syscall(SYS_pipe2, ends, O_CLOEXEC);
}

/* The calling process is killed when the thread that started it ends. */
static inline int vaka_die_with_parent(void) {
    return prctl(PR_SET_PDEATHSIG, SIGKILL);
}
#endif
