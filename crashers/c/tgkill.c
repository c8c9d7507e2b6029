/* SPDX-License-Identifier: Apache-2.0 */
/* A watchdog on a thread of its own, which ends the thread that does not answer. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile pid_t watched;
static volatile int is_waiting;

static void *watch(void *unused) {
    while (!is_waiting)
        usleep(1000);
    syscall(SYS_tgkill, getpid(), watched, SIGSEGV);
    for (;;)
        pause();
    return unused;
}

/* Never leaves its loop: the signal meets it here. */
__attribute__((noinline)) static long spin(volatile long *turns) {
    is_waiting = 1;
    while (is_waiting)
        *turns = *turns + 1;
    return *turns;
}

__attribute__((noinline)) static long render(int pictures) {
    volatile long turns = pictures;
    watched = (pid_t)syscall(SYS_gettid);
    long rendered = spin(&turns);
    return rendered + turns;
}

int main(void) {
    pthread_t watchdog;
    if (pthread_create(&watchdog, NULL, watch, NULL) != 0)
        return 1;
    long rendered = render(2);
    printf("%ld\n", rendered);
    return 0;
}
