/* SPDX-License-Identifier: Apache-2.0 */
/* Uses the library as a program does: host STORAGE WAY [ARGUMENT]. */
#define _GNU_SOURCE
#include "vaka_crash.h"

#include <dlfcn.h>
#include <pthread.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static const char *storage;
static const char *argument;

__attribute__((noinline)) static void null_write(void) {
    *(volatile int *)8 = 1;
}

static void install(void) {
    vaka_crash_config config = {
        .size = sizeof(config), .storage = storage, .release = "app@1.2.3", .environment = "test"};
    if (vaka_crash_install(&config) == 0)
        return;
    printf("%s\n", vaka_crash_last_error());
    exit(3);
}

static void tell_and_crash(void) {
    install();
    vaka_crash_set_user("u-1");
    vaka_crash_set_tag("colour", "red");
    vaka_crash_set_tag("colour", "blue");
    vaka_crash_set_tag("gone", "x");
    vaka_crash_set_tag("gone", NULL);
    vaka_crash_set_context(VAKA_CRASH_SDK, "name", "test");
    vaka_crash_clear_context(VAKA_CRASH_SDK);
    char text[32];
    for (int i = 1; i <= 200; i++) {
        snprintf(text, sizeof(text), "step %d", i);
        vaka_crash_add_breadcrumb(VAKA_CRASH_LEVEL_INFO, "test", text, i == 200 ? "{\"n\":200}" : NULL);
    }
    vaka_crash_set_message("first");
    vaka_crash_set_message("the host's own words");
    null_write();
}

static void long_message(void) {
    install();
    char text[5001];
    memset(text, 'm', sizeof(text) - 1);
    text[sizeof(text) - 1] = 0;
    vaka_crash_set_message(text);
    null_write();
}

static void forgotten_message(void) {
    install();
    vaka_crash_set_message("not this");
    vaka_crash_set_message(NULL);
    null_write();
}

/* 2,000 letters of two bytes: cut, and not within one. */
static void long_breadcrumb(void) {
    install();
    char text[4001];
    for (int i = 0; i < 4000; i += 2)
        memcpy(text + i, "\xc3\xa4", 2);
    text[4000] = 0;
    vaka_crash_add_breadcrumb(VAKA_CRASH_LEVEL_ERROR, "c", text, "{\"dropped\":1}");
    null_write();
}

static void fill_context(void) {
    install();
    char value[1000], key[16];
    memset(value, 'v', sizeof(value) - 1);
    value[sizeof(value) - 1] = 0;
    int refused = 0;
    for (int i = 0; i < 40; i++) {
        snprintf(key, sizeof(key), "k%d", i);
        refused += vaka_crash_set_tag(key, value) == ENOSPC;
    }
    printf("%d %d\n", refused, vaka_crash_set_tag("", "x") == EINVAL);
    fflush(stdout);
    null_write();
}

static void *fault_context;

static void previous(int signal, siginfo_t *info, void *context) {
    const ucontext_t *at = context;
#if defined(__x86_64__)
    unsigned long pc = (unsigned long)at->uc_mcontext.gregs[REG_RIP];
#else
    unsigned long pc = at->uc_mcontext.pc;
#endif
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    int is_pc_here = pc >= (unsigned long)null_write && pc < (unsigned long)null_write + 64;
    printf("signal %d code %d address %lx pc %d usr1 %d own %d errno %d\n", signal, info->si_code,
           (unsigned long)info->si_addr, is_pc_here, sigismember(&now, SIGUSR1), sigismember(&now, signal), errno);
    fault_context = context;
    fflush(stdout);
    _exit(42);
}

static void set_previous(int signal, int flags) {
    struct sigaction action = {.sa_sigaction = previous, .sa_flags = SA_SIGINFO | flags};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaction(signal, &action, NULL);
}

static void chained(void) {
    set_previous(SIGSEGV, 0);
    install();
    errno = 77;
    null_write();
}

static void chained_raise(void) {
    set_previous(SIGABRT, SA_NODEFER);
    install();
    errno = 77;
    raise(SIGABRT);
}

static sigjmp_buf recovered;

static void recover(int signal) {
    (void)signal;
    siglongjmp(recovered, 1);
}

/* A handler that repairs what faulted, as a virtual machine's does: the program goes on. */
static void recovering(void) {
    signal(SIGSEGV, recover);
    install();
    if (sigsetjmp(recovered, 1) == 0)
        null_write();
    printf("recovered\n");
    exit(0);
}

static void returning(int signal) {
    printf("returned from %d\n", signal);
    fflush(stdout);
}

static void returning_from_raise(void) {
    signal(SIGTRAP, returning);
    install();
    errno = 55;
    raise(SIGTRAP);
    printf("errno %d\n", errno);
    fflush(stdout);
    raise(SIGTRAP);
    exit(0);
}

/* The kernel's frame and little else: the handler itself has to go elsewhere. */
static void small_alternate_stack(void) {
    static unsigned char memory[131072] __attribute__((aligned(4096)));
    size_t frame = getauxval(AT_MINSIGSTKSZ);
    size_t bytes = (frame > 5120 ? (frame + 15) & ~15ul : 5120) + 1024;
    stack_t own = {.ss_sp = memory + sizeof(memory) - bytes, .ss_size = bytes}, now;
    memset(memory, 0x5a, sizeof(memory));
    signal(SIGTRAP, returning);
    install();
    sigaltstack(&own, NULL);
    raise(SIGTRAP);
    size_t touched = 0;
    for (size_t i = 0; i < sizeof(memory) - bytes; i++)
        touched += memory[i] != 0x5a;
    sigaltstack(NULL, &now);
    printf("%zu bytes beside it; own %d\n", touched, now.ss_sp == own.ss_sp && now.ss_size == own.ss_size);
    exit(0);
}

static void reset_hand(void) {
    struct sigaction action = {.sa_handler = returning, .sa_flags = SA_RESETHAND};
    sigaction(SIGSEGV, &action, NULL);
    install();
    null_write();
}

static void ignored(void) {
    signal(SIGTRAP, SIG_IGN);
    install();
    raise(SIGTRAP);
    printf("went on\n");
    exit(0);
}

static struct sigaction ours;

static void chains_to_ours(int signal, siginfo_t *info, void *context) {
    ours.sa_sigaction(signal, info, context);
}

/* Another reporter comes later and passes on to ours. */
static void later_handler(void) {
    install();
    struct sigaction action = {.sa_sigaction = chains_to_ours, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, &ours);
    null_write();
}

static void later_handler_uninstalled(void) {
    install();
    struct sigaction action = {.sa_sigaction = chains_to_ours, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, &ours);
    vaka_crash_uninstall();
    null_write();
}

static void reinstalled_under_later_handler(void) {
    install();
    struct sigaction action = {.sa_sigaction = chains_to_ours, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, &ours);
    vaka_crash_uninstall();
    install();
    null_write();
}

static void uninstalled(void) {
    set_previous(SIGSEGV, 0);
    install();
    install();
    vaka_crash_uninstall();
    printf("%d [%s]\n", vaka_crash_is_installed(), vaka_crash_run_id());
    fflush(stdout);
    null_write();
}

static void reinstalled(void) {
    install();
    vaka_crash_uninstall();
    install();
    vaka_crash_set_tag("again", "yes");
    null_write();
}

static void ended(void) {
    install();
    vaka_crash_end_run();
    null_write();
}

static void waiting(void) {
    install();
    vaka_crash_set_tag("colour", "red");
    vaka_crash_add_breadcrumb(VAKA_CRASH_LEVEL_INFO, "test", "waiting", NULL);
    printf("ready\n");
    fflush(stdout);
    for (;;)
        pause();
}

static void limit_file_size(rlim_t hard) {
    struct rlimit limit = {strtoul(argument, NULL, 0), hard};
    setrlimit(RLIMIT_FSIZE, &limit);
}

static void limited_file_size(void) {
    limit_file_size(RLIM_INFINITY);
    install();
    vaka_crash_set_tag("colour", "red");
    null_write();
}

static void limited_file_size_for_good(void) {
    limit_file_size(strtoul(argument, NULL, 0));
    install();
    null_write();
}

static void limited_file_size_later(void) {
    install();
    limit_file_size(strtoul(argument, NULL, 0));
    null_write();
}

static pthread_barrier_t barrier;

static void *wait_for_ever(void *name) {
    pthread_setname_np(pthread_self(), name);
    pthread_barrier_wait(&barrier);
    for (;;)
        pause();
    return NULL;
}

static void start_thread(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    if (pthread_create(&thread, NULL, wait_for_ever, "waiting") != 0)
        exit(97);
    pthread_barrier_wait(&barrier);
}

/* As services do once they have opened what they need. */
static void change_root_later(void) {
    install();
    start_thread();
    if (chroot(argument) != 0 || chdir("/") != 0)
        exit(96);
    null_write();
}

static void drop_rights_later(void) {
    install();
    start_thread();
    if (setgid(65534) != 0 || setuid(65534) != 0)
        exit(96);
    null_write();
}

static void load(void) {
    install();
    void *library = dlopen(argument, RTLD_NOW);
    void (*crash)(void) = (void (*)(void))dlsym(library, "crash_in_library");
    crash();
}

static void load_and_unload(void) {
    void *library = dlopen(argument, RTLD_NOW);
    install();
    dlclose(library);
    null_write();
}

static void child_talks(void) {
    install();
    vaka_crash_add_breadcrumb(VAKA_CRASH_LEVEL_INFO, "test", "parent", NULL);
    vaka_crash_set_tag("who", "parent");
    pid_t child = fork();
    if (child == 0) {
        vaka_crash_add_breadcrumb(VAKA_CRASH_LEVEL_INFO, "test", "child", NULL);
        vaka_crash_set_tag("who", "child");
        if (strcmp(argument, "child") == 0)
            null_write();
        exit(0);
    }
    waitpid(child, NULL, 0);
    if (strcmp(argument, "parent") == 0)
        null_write();
}

static void abort_after_install(void) {
    install();
    abort();
}

static void *hold_malloc(void *context) {
    for (;;)
        free(malloc(1 << 20));
    return context;
}

static void crash_beside_malloc(void) {
    install();
    pthread_t thread;
    pthread_create(&thread, NULL, hold_malloc, NULL);
    usleep(1000);
    char *memory = malloc(64);
    memset(memory - 64, 0xff, 256);
    free(memory);
    free(malloc(100000));
    abort();
}

static void null_write_after_install(void) {
    install();
    null_write();
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {
        {"long-message", long_message},
        {"forgotten-message", forgotten_message},
        {"tell", tell_and_crash},
        {"long-breadcrumb", long_breadcrumb},
        {"fill-context", fill_context},
        {"chained", chained},
        {"chained-raise", chained_raise},
        {"recovering", recovering},
        {"returning", returning_from_raise},
        {"small-stack", small_alternate_stack},
        {"reset-hand", reset_hand},
        {"ignored", ignored},
        {"later-handler", later_handler},
        {"later-uninstalled", later_handler_uninstalled},
        {"reinstalled-under-later", reinstalled_under_later_handler},
        {"uninstalled", uninstalled},
        {"reinstalled", reinstalled},
        {"ended", ended},
        {"wait", waiting},
        {"limited", limited_file_size},
        {"limited-for-good", limited_file_size_for_good},
        {"limited-later", limited_file_size_later},
        {"chroot", change_root_later},
        {"drop-rights", drop_rights_later},
        {"load", load},
        {"unload", load_and_unload},
        {"child-talks", child_talks},
        {"abort", abort_after_install},
        {"heap", crash_beside_malloc},
        {"null-write", null_write_after_install},
    };
    storage = count > 1 ? arguments[1] : "";
    argument = count > 3 ? arguments[3] : "";
    for (size_t i = 0; count > 2 && i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (strcmp(arguments[2], ways[i].name) == 0)
            ways[i].run();
    }
    return 98;
}
