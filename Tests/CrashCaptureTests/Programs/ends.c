/* SPDX-License-Identifier: Apache-2.0 */
/* Ends without a crash, in one way or another: ends STORAGE WAY. Says "ready" when it waits for a signal. */
#define _GNU_SOURCE
#include "vaka_crash.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *storage;

static void install_with(uint32_t flags) {
    vaka_crash_config config = {.size = sizeof(config), .storage = storage, .flags = flags};
    if (vaka_crash_install(&config) == 0)
        return;
    printf("%s\n", vaka_crash_last_error());
    exit(3);
}

static void install(void) {
    install_with(0);
}

static void ready(void) {
    printf("ready\n");
    fflush(stdout);
}

static void wait_for_ever(void) {
    ready();
    for (;;)
        pause();
}

static void installed(void) {
    install();
    wait_for_ever();
}

static void flagged(void) {
    install_with(VAKA_CRASH_NO_END_SIGNALS | VAKA_CRASH_NO_FIGURES);
    wait_for_ever();
}

static void uninstalled(void) {
    install();
    vaka_crash_uninstall();
    struct sigaction action;
    sigaction(SIGTERM, NULL, &action);
    printf("%s\n", action.sa_handler == SIG_DFL ? "default" : "other");
    exit(0);
}

static void leave(int signal) {
    (void)signal;
    _exit(7);
}

static void own_handler_before(void) {
    signal(SIGTERM, leave);
    install();
    wait_for_ever();
}

static void own_handler_later(void) {
    install();
    signal(SIGTERM, leave);
    wait_for_ever();
}

static void ignoring(void) {
    signal(SIGHUP, SIG_IGN);
    install();
    raise(SIGHUP);
    printf("lives\n");
    exit(0);
}

static void waiting_for_it(void) {
    install();
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGTERM);
    sigprocmask(SIG_BLOCK, &wanted, NULL);
    ready();
    int taken = 0;
    sigwait(&wanted, &taken);
    printf("took %d\n", taken);
    exit(0);
}

static void reading_it(void) {
    install();
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGTERM);
    sigprocmask(SIG_BLOCK, &wanted, NULL);
    int signals = signalfd(-1, &wanted, 0);
    ready();
    struct signalfd_siginfo info;
    if (read(signals, &info, sizeof(info)) == sizeof(info))
        printf("took %u\n", info.ssi_signo);
    exit(0);
}

static void quick(void) {
    install();
    quick_exit(5);
}

static void at_once(void) {
    install();
    _Exit(6);
}

/* A child is not the run: it ends by the signal, and the run goes on. */
static void child(void) {
    install();
    pid_t pid = fork();
    if (pid == 0) {
        for (;;)
            pause();
    }
    kill(pid, SIGTERM);
    int status = 0;
    waitpid(pid, &status, 0);
    printf("child by %d\n", WTERMSIG(status));
    pid = fork();
    if (pid == 0)
        _exit(4);
    waitpid(pid, &status, 0);
    printf("child with %d\n", WEXITSTATUS(status));
    wait_for_ever();
}

/* What it runs gets the default actions. */
static void runs_another(void) {
    install();
    fflush(stdout);
    execl("/bin/sh", "sh", "-c", "grep SigCgt /proc/$$/status", NULL);
}

static void becomes_another(void) {
    install();
    execl("/bin/sleep", "sleep", "60", NULL);
}

/* The first process of a namespace does not get it: without us, and so with us. */
static void first_of_a_namespace(void) {
    install();
    if (unshare(CLONE_NEWPID) != 0)
        exit(77);
    int ends[2];
    if (pipe(ends) != 0)
        exit(3);
    pid_t pid = fork();
    if (pid == 0) {
        char byte = 0;
        if (write(ends[1], "r", 1) != 1 || getpid() != 1)
            _exit(3);
        signal(SIGALRM, leave);
        alarm(1);
        for (;;)
            byte += (char)pause();
    }
    char byte;
    if (read(ends[0], &byte, 1) != 1)
        exit(3);
    for (int i = 0; i < 3; i++)
        kill(pid, SIGTERM);
    int status = 0;
    waitpid(pid, &status, 0);
    printf("%s with %d\n", WIFEXITED(status) ? "lived and ended" : "was ended", WEXITSTATUS(status));
    exit(0);
}

/* As much memory in use; the compiler must not see that nobody reads it. */
static void use(size_t bytes) {
    volatile char *memory = malloc(bytes);
    for (size_t i = 0; i < bytes; i += 4096)
        memory[i] = 1;
}

/* The figures of the run file are of a later moment than the start, and larger. */
static void grows(void) {
    install();
    use(32u << 20);
    usleep(1100000);
    vaka_crash_add_breadcrumb(VAKA_CRASH_LEVEL_INFO, "test", "grown", NULL);
    ready();
    for (;;)
        pause();
}

static void crashes(void) {
    install();
    use(32u << 20);
    *(volatile int *)8 = 1;
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {
        {"installed", installed},
        {"flagged", flagged},
        {"uninstalled", uninstalled},
        {"own-before", own_handler_before},
        {"own-later", own_handler_later},
        {"ignoring", ignoring},
        {"sigwait", waiting_for_it},
        {"signalfd", reading_it},
        {"quick", quick},
        {"at-once", at_once},
        {"child", child},
        {"runs-another", runs_another},
        {"becomes-another", becomes_another},
        {"first", first_of_a_namespace},
        {"grows", grows},
        {"crashes", crashes},
    };
    /* What started it may ignore some of them. */
    const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE};
    for (int i = 0; i < 5; i++)
        signal(signals[i], SIG_DFL);
    storage = count > 1 ? arguments[1] : "";
    for (size_t i = 0; count > 2 && i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (strcmp(arguments[2], ways[i].name) == 0)
            ways[i].run();
    }
    return 98;
}
