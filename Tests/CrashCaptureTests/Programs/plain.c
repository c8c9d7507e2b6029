/* SPDX-License-Identifier: Apache-2.0 */
/* Knows nothing of Vaka; ends as its argument says. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <errno.h>
#include <unistd.h>

static void null_write(void) {
    *(volatile int *)8 = 1;
}

static void non_canonical(void) {
    *(volatile int *)0x8000000000001230 = 1;
}

static void call_null(void) {
    void (*volatile function)(void) = NULL;
    function();
}

static void bus_error(void) {
    FILE *file = tmpfile();
    char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    memory[0] = 1;
}

static void illegal(void) {
#if defined(__x86_64__)
    __asm__ volatile("ud2");
#else
    __asm__ volatile("udf #0");
#endif
}

static void breakpoint(void) {
#if defined(__x86_64__)
    __asm__ volatile("int3");
#else
    __asm__ volatile("brk #0");
#endif
}

static void divide(void) {
    volatile int zero = 0;
    volatile int result = 1234 / zero; /* 1 / x is made without a division */
    (void)result;
    raise(SIGFPE); /* arm64 divides by zero without a trap */
}

static void filter(int number, unsigned action) {
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog whole = {sizeof(program) / sizeof(program[0]), program};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) != 0)
        _exit(99);
}

static void trapped_call(void) {
    filter(SYS_acct, SECCOMP_RET_TRAP);
    syscall(SYS_acct, NULL);
}

static void refused_reader(void) {
    filter(SYS_process_vm_readv, SECCOMP_RET_ERRNO | EPERM);
    null_write();
}

static void trapped_reader(void) {
    filter(SYS_process_vm_readv, SECCOMP_RET_TRAP);
    null_write();
}

static void refused_reader_enosys(void) {
    filter(SYS_process_vm_readv, SECCOMP_RET_ERRNO | ENOSYS);
    null_write();
}

__attribute__((noinline)) static int overflow(volatile char *before) {
    volatile char frame[1024];
    frame[0] = *before;
    return overflow(frame) + frame[0];
}

/* The kernel's frame and little else. */
static void set_small_stack(void) {
    size_t frame = getauxval(AT_MINSIGSTKSZ);
    size_t bytes = (frame > 5120 ? (frame + 15) & ~15ul : 5120) + 1024;
    stack_t stack = {.ss_sp = malloc(bytes), .ss_size = bytes};
    sigaltstack(&stack, NULL);
}

static void small_alternate_stack(void) {
    set_small_stack();
    null_write();
}

static void overflow_stack(void) {
    char start = 1;
    exit(overflow(&start));
}

static void *crash_named(void *context) {
    pthread_setname_np(pthread_self(), "worker");
    null_write();
    return context;
}

static void thread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, crash_named, NULL);
    pthread_join(thread, NULL);
}

static pthread_barrier_t barrier;

static void *crash_together(void *context) {
    if (context != NULL)
        set_small_stack();
    pthread_barrier_wait(&barrier);
    null_write();
    return context;
}

static void crash_all(void *context) {
    pthread_t threads[20];
    pthread_barrier_init(&barrier, NULL, 20);
    for (int i = 0; i < 20; i++)
        pthread_create(&threads[i], NULL, crash_together, context);
    for (int i = 0; i < 20; i++)
        pthread_join(threads[i], NULL);
}

static void twenty_threads(void) {
    crash_all(NULL);
}

static void twenty_small_stacks(void) {
    crash_all(&barrier);
}

static void *wait_for_ever(void *context) {
    pthread_barrier_wait(&barrier);
    for (;;)
        pause();
    return context;
}

/* With the first, 300 threads. */
static void many_threads(void) {
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    pthread_barrier_init(&barrier, NULL, 300);
    for (int i = 0; i < 299; i++) {
        if (pthread_create(&thread, &small, wait_for_ever, NULL) != 0)
            _exit(97);
    }
    pthread_barrier_wait(&barrier);
    null_write();
}

static void double_free(void) {
    char *volatile memory = malloc(40);
    free(memory);
    char *volatile again = memory;
    free(again);
}

static void forked(void) {
    pid_t child = fork();
    if (child == 0)
        null_write();
    int status = 0;
    waitpid(child, &status, 0);
    printf("child: signal %d\n", WTERMSIG(status));
    exit(0);
}

static void vforked(void) {
    pid_t child = vfork();
    if (child == 0) {
        null_write();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("child: signal %d\n", WTERMSIG(status));
    fflush(stdout);
    null_write();
}

static void closed_descriptors(void) {
    closefrom(3);
    FILE *other = tmpfile();
    for (int fd = 3; fd < 400; fd++)
        dup2(fileno(other), fd);
    null_write();
}

static void no_descriptors(void) {
    while (dup(0) >= 0) {
    }
    null_write();
}

static void wait_for_signal(void) {
    printf("ready\n");
    fflush(stdout);
    for (;;)
        pause();
}

static void exec_again(void) {
    execl("/proc/self/exe", "plain", "exit", (char *)NULL);
}

static void crash_at_exit(void) {
    atexit(null_write);
    exit(0);
}

__attribute__((destructor(101))) static void crash_in_destructor(void) {
    if (getenv("CRASH_IN_DESTRUCTOR") != NULL)
        null_write();
}

static void ended(void) {
    exit(7);
}

static void send_abort(void) {
    kill(getpid(), SIGABRT);
    pause();
}

static void raise_segv(void) {
    raise(SIGSEGV);
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {
        {"many-threads", many_threads},
        {"trapped-reader", trapped_reader},
        {"double-free", double_free},
        {"null-write", null_write},
        {"non-canonical", non_canonical},
        {"call-null", call_null},
        {"bus-error", bus_error},
        {"illegal", illegal},
        {"breakpoint", breakpoint},
        {"divide", divide},
        {"trapped-call", trapped_call},
        {"abort", abort},
        {"kill", send_abort},
        {"raise", raise_segv},
        {"refused-eperm", refused_reader},
        {"refused-enosys", refused_reader_enosys},
        {"overflow", overflow_stack},
        {"small-stack", small_alternate_stack},
        {"thread", thread},
        {"twenty-threads", twenty_threads},
        {"twenty-small-stacks", twenty_small_stacks},
        {"fork", forked},
        {"vfork", vforked},
        {"closed-descriptors", closed_descriptors},
        {"no-descriptors", no_descriptors},
        {"wait", wait_for_signal},
        {"exec", exec_again},
        {"at-exit", crash_at_exit},
        {"exit", ended},
    };
    for (size_t i = 0; count > 1 && i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (strcmp(arguments[1], ways[i].name) == 0)
            ways[i].run();
    }
    return 98;
}
