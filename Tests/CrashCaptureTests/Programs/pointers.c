/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Has texts in its registers and on its stacks, and then is recorded: pointers STORAGE WAY all|only|later. Every text holds
 * `plant`, and is made at run time. `only`: by the configuration's flag; `later`: by a call after the install.
 */
#include "vaka_crash.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What a Swift program has: without it the library looks for no async contexts. */
const char *volatile *swift_getFatalErrorMessageBuffer(void);
const char *volatile *swift_getFatalErrorMessageBuffer(void) {
    static const char *volatile none;
    return &none;
}

/* Not as a constant of the program. */
static void make_text(volatile char *to, size_t bytes) {
    static const unsigned char coded[] = {'p' ^ 1, 'l' ^ 1, 'a' ^ 1, 'n' ^ 1, 't' ^ 1, 'e' ^ 1, 'd' ^ 1, ' ' ^ 1};
    for (size_t i = 0; i < bytes; i++)
        to[i] = (char)(coded[i % sizeof(coded)] ^ 1);
}

static uint64_t word(size_t bytes) {
    uint64_t value = 0;
    make_text((volatile char *)&value, bytes);
    return value;
}

/* Whether a loop ends, and whether it has begun. */
static volatile int loop[2];

/* With a text in every register that a call keeps, the frame pointer apart, and in most of those that it does not. */
#if defined(__x86_64__)
#define WITH_TEXTS(instruction)                                                                                        \
    do {                                                                                                               \
        uint64_t text = word(8);                                                                                       \
        __asm__ volatile("mov %0, %%rbx\n mov %0, %%r12\n mov %0, %%r13\n mov %0, %%r14\n mov %0, %%r15\n"             \
                         "mov %0, %%rcx\n mov %0, %%rdx\n mov %0, %%rsi\n mov %0, %%r8\n mov %0, %%r9\n"               \
                         "mov %0, %%r10\n mov %0, %%r11\n" instruction                                                 \
                         :                                                                                             \
                         : "a"(text), "D"(loop)                                                                        \
                         : "rbx", "r12", "r13", "r14", "r15", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11",           \
                           "memory");                                                                                  \
    } while (0)
#define CRASH "movl $0, 8\n"
#define SPIN "movl $1, 4(%1)\n 1: cmpl $0, (%1)\n je 1b\n"
#define BREAK_STACK "mov %0, %%rsp\n push %0\n"
#else
#define WITH_TEXTS(instruction)                                                                                        \
    do {                                                                                                               \
        register uint64_t text __asm__("x0") = word(8);                                                                \
        register volatile int *flag __asm__("x1") = loop;                                                              \
        __asm__ volatile("mov x19, x0\n mov x20, x0\n mov x21, x0\n mov x22, x0\n mov x23, x0\n mov x24, x0\n"         \
                         "mov x2, x0\n mov x3, x0\n mov x4, x0\n mov x8, x0\n mov x9, x0\n" instruction                \
                         :                                                                                             \
                         : "r"(text), "r"(flag)                                                                        \
                         : "x19", "x20", "x21", "x22", "x23", "x24", "x2", "x3", "x4", "x5", "x8", "x9", "memory");    \
    } while (0)
#define CRASH "mov x5, #8\n str xzr, [x5]\n"
#define SPIN "mov w5, #1\n str w5, [x1, #4]\n 1: ldr w5, [x1]\n cbz w5, 1b\n"
#define BREAK_STACK "mov sp, x0\n str x0, [sp]\n"
#endif

/* A frame with texts, whole ones and ones across words, on both sides of what it calls. */
#define WITH_BUFFERS(call)                                                                                             \
    do {                                                                                                               \
        volatile char before[64], after[40];                                                                           \
        make_text(before, sizeof(before));                                                                             \
        make_text(after + 3, sizeof(after) - 3);                                                                       \
        call;                                                                                                          \
        after[0] = before[0];                                                                                          \
    } while (0)

/* A text where an async context would have its caller's, before the address of a function. */
struct lookalike {
    uint64_t text;
    void (*function)(void);
};

__attribute__((noinline)) static void crash(void) {
    WITH_BUFFERS(WITH_TEXTS(CRASH));
}

__attribute__((noinline)) static void call_crash(void (*how)(void)) {
    static struct lookalike *kept;
    kept = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    kept->text = word(8);
    kept->function = crash;
    struct lookalike *volatile here = kept;
    WITH_BUFFERS(how());
    (void)*here;
}

__attribute__((noinline)) static void in_handler(int signal) {
    (void)signal;
    call_crash(crash);
}

/* The stack goes on where the signal came. */
__attribute__((noinline)) static void crash_in_handler(void) {
    signal(SIGUSR1, in_handler);
    WITH_BUFFERS(raise(SIGUSR1));
}

/* The handler's own stack is another one. */
__attribute__((noinline)) static void crash_on_other_stack(void) {
    static char memory[256 * 1024];
    stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};
    struct sigaction action = {.sa_handler = in_handler, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    WITH_BUFFERS(raise(SIGUSR1));
}

static void read_from_text(size_t bytes) {
    WITH_BUFFERS((void)*(volatile int *)(uintptr_t)word(bytes));
}

__attribute__((noinline)) static void read_short_text(void) {
    read_from_text(6);
}

__attribute__((noinline)) static void read_long_text(void) {
    read_from_text(8);
}

__attribute__((noinline)) static void call_text(void) {
    WITH_BUFFERS(((void (*)(void))(uintptr_t)word(6))());
}

__attribute__((noinline)) static void break_stack(void) {
    WITH_BUFFERS(WITH_TEXTS(BREAK_STACK));
}

__attribute__((noinline)) static int overflow(int depth) {
    volatile char text[512];
    make_text(text, sizeof(text));
    return overflow(depth + 1) + text[depth % 8];
}

static void begin_overflow(void) {
    overflow(0);
}

static void spin(void) {
    WITH_TEXTS(SPIN);
}

static volatile pid_t waiting;

static void wait_for_signal(void) {
    waiting = (pid_t)syscall(SYS_gettid);
    pause();
}

/* As the kernel sees it. */
static int is_paused(void) {
    char path[64], text[32] = "";
    snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", waiting);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    int is_read = fgets(text, sizeof(text), file) != NULL;
    fclose(file);
#if defined(SYS_pause)
    return is_read && atol(text) == SYS_pause && text[0] != 'r';
#else
    return is_read && atol(text) == SYS_ppoll && text[0] != 'r';
#endif
}

static void *run_thread(void *how) {
    prctl(PR_SET_NAME, how == (void *)spin ? "spinning" : "waiting");
    call_crash((void (*)(void))how);
    return NULL;
}

static void start_threads(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run_thread, (void *)spin);
    pthread_create(&thread, NULL, run_thread, (void *)wait_for_signal);
    while (loop[1] == 0 || waiting == 0 || !is_paused())
        sched_yield();
}

static void crash_beside_threads(void) {
    start_threads();
    crash();
}

static void take_snapshot(void) {
    if (vaka_crash_snapshot(NULL, NULL) != 0)
        _exit(96);
}

static void snapshot_beside_threads(void) {
    start_threads();
    take_snapshot();
    _exit(0);
}

static void hang_told(void *context, const vaka_crash_hang *hang) {
    (void)context;
    loop[0] = hang->id[0] != 0 ? 1 : 2;
}

static void hang(void) {
    vaka_crash_watch_config config = {.size = sizeof(config), .name = "loop", .bound_ms = 60};
    vaka_crash_on_hang(hang_told, NULL);
    vaka_crash_watch *watch = vaka_crash_watch_start(&config);
    vaka_crash_watch_busy(watch);
    WITH_TEXTS(SPIN);
    _exit(loop[0] == 1 ? 0 : 97);
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {
        {"crash", crash},
        {"handler", crash_in_handler},
        {"other-stack", crash_on_other_stack},
        {"threads", crash_beside_threads},
        {"snapshot", snapshot_beside_threads},
        {"hang", hang},
        {"overflow", begin_overflow},
        {"broken-stack", break_stack},
        {"short-fault", read_short_text},
        {"long-fault", read_long_text},
        {"call", call_text},
    };
    if (count != 4)
        return 95;
    vaka_crash_config config = {.size = sizeof(config), .storage = arguments[1], .flags = VAKA_CRASH_REGISTER_MEMORY};
    if (strcmp(arguments[3], "only") == 0)
        config.flags |= VAKA_CRASH_POINTERS_ONLY;
    if (vaka_crash_install(&config) != 0)
        return 95;
    if (strcmp(arguments[3], "later") == 0)
        vaka_crash_keep_pointers_only(1);
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (strcmp(arguments[2], ways[i].name) == 0)
            call_crash(ways[i].run);
    }
    return 98;
}
