/* SPDX-License-Identifier: Apache-2.0 */
#include "vaka_doctor.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static long read_itself(void) {
    uint64_t from = 1;
    uint64_t to = 0;
    struct iovec local = {&to, sizeof(to)};
    struct iovec remote = {&from, sizeof(from)};
    return syscall(SYS_process_vm_readv, getpid(), &local, 1UL, &remote, 1UL, 0UL);
}

static long signal_thread(void) {
    return syscall(SYS_tgkill, getpid(), (int)syscall(SYS_gettid), 0);
}

/* Signal 0 is looked at and not sent. */
static long queue_signal(void) {
    siginfo_t info;
    memset(&info, 0, sizeof(info));
    info.si_code = SI_QUEUE;
    info.si_pid = getpid();
    return syscall(SYS_rt_tgsigqueueinfo, getpid(), (int)syscall(SYS_gettid), 0, &info);
}

static long make_timer(void) {
    struct sigevent event;
    int timer = 0;
    memset(&event, 0, sizeof(event));
    event.sigev_notify = SIGEV_NONE;
    long result = syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer);
    if (result == 0)
        syscall(SYS_timer_delete, timer);
    return result;
}

static long ask_alternate_stack(void) {
    stack_t stack;
    return sigaltstack(NULL, &stack);
}

static void tell(int answers, const char *name, int error) {
    char line[64];
    int length = snprintf(line, sizeof(line), "%s %d\n", name, error);
    if (write(answers, line, (size_t)length) != length)
        _exit(1);
}

void vaka_doctor_try_calls(int answers) {
    static const struct {
        const char *name;
        long (*call)(void);
    } calls[] = {
        {"process_vm_readv", read_itself},    {"tgkill", signal_thread},
        {"rt_tgsigqueueinfo", queue_signal},  {"timer_create", make_timer},
        {"sigaltstack", ask_alternate_stack},
    };
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        tell(answers, calls[i].name, -1);
        tell(answers, calls[i].name, calls[i].call() < 0 ? errno : 0);
    }
}

uint64_t vaka_doctor_file_size_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return limit.rlim_cur;
}

const char *vaka_doctor_started_as(void) {
    return (const char *)(uintptr_t)getauxval(AT_EXECFN);
}
