/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which system calls a snapshot interrupts: interrupted STORAGE. A thread waits in each; then a snapshot is taken, and a
 * line says of each whether it came back with EINTR ("interrupted") or waits on ("restarted").
 */
#define _GNU_SOURCE
#include "vaka_crash.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int empty_pipe[2], sockets[2], full_pipe[2], lock_file, queue, set;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t empty;
static const struct timespec long_time = {600, 0};

static struct timespec later(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    now.tv_sec += 600;
    return now;
}

static int in_read(void) {
    char byte;
    return read(empty_pipe[0], &byte, 1) < 0 ? errno : 0;
}

static int in_write(void) {
    char byte = 0;
    return write(full_pipe[1], &byte, 1) < 0 ? errno : 0;
}

static int in_recv(void) {
    char byte;
    return recv(sockets[0], &byte, 1, 0) < 0 ? errno : 0;
}

static int in_recv_with_timeout(void) {
    int pair[2];
    char byte;
    struct timeval bound = {600, 0};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return EINVAL;
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &bound, sizeof(bound));
    return recv(pair[0], &byte, 1, 0) < 0 ? errno : 0;
}

static int in_accept(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int listening = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listening, (void *)&address, sizeof(address)) != 0 || listen(listening, 1) != 0)
        return EINVAL;
    return accept(listening, NULL, NULL) < 0 ? errno : 0;
}

static int in_flock(void) {
    int again = open("/proc/self/exe", O_RDONLY);
    return flock(again, LOCK_EX) != 0 ? errno : 0;
}

static int in_wait(void) {
    pid_t child = fork();
    if (child == 0) {
        sleep(600);
        _exit(0);
    }
    return waitpid(child, NULL, 0) < 0 ? errno : 0;
}

static int in_mutex(void) {
    return pthread_mutex_lock(&held);
}

static int in_condition(void) {
    pthread_mutex_lock(&own);
    return pthread_cond_wait(&never, &own);
}

static int in_timed_condition(void) {
    struct timespec until = later(CLOCK_REALTIME);
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&mutex);
    return pthread_cond_timedwait(&condition, &mutex, &until);
}

static int in_semaphore(void) {
    return sem_wait(&empty) != 0 ? errno : 0;
}

static int in_timed_semaphore(void) {
    struct timespec until = later(CLOCK_REALTIME);
    return sem_timedwait(&empty, &until) != 0 ? errno : 0;
}

static int in_nanosleep(void) {
    return nanosleep(&long_time, NULL) != 0 ? errno : 0;
}

static int in_clock_nanosleep(void) {
    struct timespec until = later(CLOCK_MONOTONIC);
    return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static int in_poll(void) {
    struct pollfd wanted = {.fd = empty_pipe[0], .events = POLLIN};
    return poll(&wanted, 1, -1) < 0 ? errno : 0;
}

static int in_select(void) {
    fd_set wanted;
    FD_ZERO(&wanted);
    FD_SET(empty_pipe[0], &wanted);
    return select(empty_pipe[0] + 1, &wanted, NULL, NULL, NULL) < 0 ? errno : 0;
}

static int in_epoll(void) {
    struct epoll_event event;
    return epoll_wait(epoll_create1(0), &event, 1, -1) < 0 ? errno : 0;
}

static int in_pause(void) {
    return pause() != 0 ? errno : 0;
}

static int in_sigwaitinfo(void) {
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGUSR1);
    return sigwaitinfo(&wanted, NULL) < 0 ? errno : 0;
}

static int in_msgrcv(void) {
    struct {
        long type;
        char text[8];
    } message;
    return msgrcv(queue, &message, sizeof(message.text), 0, 0) < 0 ? errno : 0;
}

static int in_semop(void) {
    struct sembuf wanted = {0, -1, 0};
    return semop(set, &wanted, 1) != 0 ? errno : 0;
}

static const struct {
    const char *name;
    int (*call)(void);
} calls[] = {
    {"read", in_read},
    {"write", in_write},
    {"recv", in_recv},
    {"accept", in_accept},
    {"flock", in_flock},
    {"waitpid", in_wait},
    {"pthread_mutex_lock", in_mutex},
    {"pthread_cond_wait", in_condition},
    {"pthread_cond_timedwait", in_timed_condition},
    {"sem_wait", in_semaphore},
    {"sem_timedwait", in_timed_semaphore},
    {"recv SO_RCVTIMEO", in_recv_with_timeout},
    {"nanosleep", in_nanosleep},
    {"clock_nanosleep", in_clock_nanosleep},
    {"poll", in_poll},
    {"select", in_select},
    {"epoll_wait", in_epoll},
    {"pause", in_pause},
    {"sigwaitinfo", in_sigwaitinfo},
    {"msgrcv", in_msgrcv},
    {"semop", in_semop},
};
#define CALLS (sizeof(calls) / sizeof(calls[0]))

#define WAITS (-1)
static volatile int results[CALLS];
static int entered;

static void *enter(void *value) {
    size_t index = (size_t)value;
    sigset_t waited;
    sigemptyset(&waited);
    sigaddset(&waited, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &waited, NULL);
    __atomic_fetch_add(&entered, 1, __ATOMIC_RELEASE);
    results[index] = calls[index].call();
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 2)
        return 98;
    vaka_crash_config config = {.size = sizeof(config), .storage = arguments[1]};
    if (vaka_crash_install(&config) != 0)
        return 97;
    lock_file = open("/proc/self/exe", O_RDONLY);
    if (pipe(empty_pipe) != 0 || pipe2(full_pipe, O_NONBLOCK) != 0 ||
        socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 || flock(lock_file, LOCK_EX) != 0)
        return 97;
    for (char byte = 0; write(full_pipe[1], &byte, 1) == 1;) {
    }
    fcntl(full_pipe[1], F_SETFL, 0);
    sem_init(&empty, 0, 0);
    queue = msgget(IPC_PRIVATE, 0600);
    set = semget(IPC_PRIVATE, 1, 0600);
    pthread_mutex_lock(&held);
    for (size_t i = 0; i < CALLS; i++) {
        pthread_t thread;
        results[i] = WAITS;
        if (pthread_create(&thread, NULL, enter, (void *)i) != 0)
            return 97;
    }
    while (__atomic_load_n(&entered, __ATOMIC_ACQUIRE) < (int)CALLS)
        usleep(1000);
    usleep(300000); /* they enter the kernel */
    int error = vaka_crash_snapshot(NULL, NULL);
    usleep(300000);
    for (size_t i = 0; i < CALLS; i++)
        printf("%s %s\n", calls[i].name, results[i] == EINTR ? "interrupted" : results[i] == WAITS ? "restarted" : "?");
    fflush(stdout);
    msgctl(queue, IPC_RMID, NULL);
    semctl(set, 0, IPC_RMID);
    kill(0, SIGTERM);
    return error;
}
