/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls without libc: no errno (thread-local memory of a dlopened library is allocated at its first use), no
 * cancellation point, no interposed wrapper. Each returns what the kernel returned: a negative errno value on failure.
 */
#ifndef VAKA_ASYNC_SYSTEM_H
#define VAKA_ASYNC_SYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#if defined(__x86_64__)
static inline long vaka_async_call(long number, long a, long b, long c, long d, long e, long f) {
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
static inline long vaka_async_call(long number, long a, long b, long c, long d, long e, long f) {
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
}
#else
#error "vaka captures crashes on x86_64 and arm64 only"
#endif

static inline int vaka_async_getpid(void) {
    return (int)vaka_async_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

static inline int vaka_async_gettid(void) {
    return (int)vaka_async_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

static inline long vaka_async_openat(int folder, const char *path, int flags, int mode) {
    return vaka_async_call(SYS_openat, folder, (long)path, flags, mode, 0, 0);
}

static inline long vaka_async_close(int fd) {
    return vaka_async_call(SYS_close, fd, 0, 0, 0, 0, 0);
}

static inline long vaka_async_read_fd(int fd, void *bytes, size_t count) {
    return vaka_async_call(SYS_read, fd, (long)bytes, (long)count, 0, 0, 0);
}

static inline long vaka_async_pwrite(int fd, const void *bytes, size_t count, uint64_t offset) {
    return vaka_async_call(SYS_pwrite64, fd, (long)bytes, (long)count, (long)offset, 0, 0);
}

static inline long vaka_async_fstat(int fd, struct stat *status) {
    return vaka_async_call(SYS_fstat, fd, (long)status, 0, 0, 0, 0);
}

static inline long vaka_async_renameat(int from_folder, const char *from, int to_folder, const char *to) {
    return vaka_async_call(SYS_renameat, from_folder, (long)from, to_folder, (long)to, 0, 0);
}

/* The kernel's mask of a signal; libc's sigset_t begins with it. */
static inline uint64_t vaka_async_signal_bit(int signal) {
    return (uint64_t)1 << (signal - 1);
}

static inline long vaka_async_mask(int how, const uint64_t *mask) {
    return vaka_async_call(SYS_rt_sigprocmask, how, (long)mask, 0, sizeof(*mask), 0, 0);
}

#ifdef VAKA_TEST_FAULTS
/* Seconds by which the time of day has jumped since install. */
extern int64_t vaka_async_test_clock_jump __attribute__((visibility("hidden")));
#endif

static inline uint64_t vaka_async_clock(clockid_t clock) {
    struct timespec now = {0, 0};
    vaka_async_call(SYS_clock_gettime, clock, (long)&now, 0, 0, 0, 0);
#ifdef VAKA_TEST_FAULTS
    if (clock == CLOCK_REALTIME)
        now.tv_sec += vaka_async_test_clock_jump;
#endif
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline void vaka_async_sleep(uint64_t nanoseconds) {
    struct timespec pause = {(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
    vaka_async_call(SYS_nanosleep, (long)&pause, 0, 0, 0, 0, 0);
}

#endif
