/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A handler that was there before ours and repairs faults, as a virtual machine's does, until one that it cannot:
 * repairing STORAGE HOW COUNT END. Without a storage folder nothing is installed.
 */
#define _GNU_SOURCE
#include "vaka_crash.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static char *page;
static const char *how, *ending;
static int *volatile nowhere = (int *)8;

/* What cannot be repaired ends the process in one of the ways in which handlers do that, or is left as it is once. */
static void give_up(int number) {
    static int times;
    if (strcmp(ending, "abort") == 0)
        abort();
    if (strcmp(ending, "exit") == 0 || (strcmp(ending, "exit-later") == 0 && ++times == 2))
        _exit(42);
    if (strcmp(ending, "default") == 0)
        signal(number, SIG_DFL);
}

static void repair(int number, siginfo_t *info, void *context) {
    char *at = info->si_addr;
    if (at < page || at >= page + 4096) {
        give_up(number);
    } else if (strcmp(how, "protect") == 0) {
        mprotect(page, 4096, PROT_READ | PROT_WRITE);
    } else {
        /* Past the instruction that `touch` writes with, of known length. */
        ucontext_t *to = context;
#if defined(__x86_64__)
        to->uc_mcontext.gregs[REG_RIP] += 2;
#else
        to->uc_mcontext.pc += 4;
#endif
    }
}

__attribute__((noinline)) static void touch(char *at) {
#if defined(__x86_64__)
    __asm__ volatile("movb %%al, (%0)" : : "D"(at) : "memory");
#else
    __asm__ volatile("strb wzr, [%0]" : : "r"(at) : "memory");
#endif
}

__attribute__((noinline)) static int book_order(int amount) {
    *nowhere += amount;
    return *nowhere + 1;
}

static void *crash(void *value) {
    int booked = book_order(7);
    return booked == 3 ? value : NULL;
}

int main(int argc, char **argv) {
    if (argc < 5)
        return 98;
    how = argv[2];
    ending = argv[4];
    page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct sigaction action = {.sa_sigaction = repair, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGSEGV, &action, NULL);
    vaka_crash_config config = {.size = sizeof(config), .storage = argv[1]};
    if (argv[1][0] != 0 && vaka_crash_install(&config) != 0)
        return 95;
    for (int i = 0; i < atoi(argv[3]); i++) {
        mprotect(page, 4096, PROT_READ);
        touch(page);
    }
    printf("repaired\n");
    fflush(stdout);
    if (strcmp(ending, "live") == 0)
        return 0;
    pthread_t thread;
    if (strcmp(ending, "raise") == 0)
        abort();
    if (pthread_create(&thread, NULL, crash, NULL) != 0)
        return 97;
    pthread_join(thread, NULL);
    return 96;
}
