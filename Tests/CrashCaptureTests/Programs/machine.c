/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Knows nothing of Vaka; deals with signals as a runtime does: it chains to the handler that it found, takes the return
 * for a repair, and what it does not pass on it reports in its own way: machine WAY.
 *
 * As a Java virtual machine it asks the three functions of signal chaining for the handler, and aborts. With -DGO it is
 * a program of Go's by its note, passes on what no process sent, and exits with 2.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct sigaction found;
static struct sigaction *(*action_before)(int);
static int *volatile nowhere = (int *)8;

#ifdef GO
__asm__(".pushsection .note.go.buildid, \"a\", @note\n"
        ".long 4, 4, 4\n"
        ".ascii \"Go\\0\\0\"\n"
        ".ascii \"none\"\n"
        ".popsection\n");
#endif

static int is_chained(int signal, siginfo_t *info, void *context) {
#ifdef GO
    if (info->si_code == SI_USER)
        return 0;
#endif
    struct sigaction *before = action_before == NULL ? NULL : action_before(signal);
    if (before == NULL)
        before = &found;
    if (before->sa_handler == SIG_DFL)
        return 0;
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, &before->sa_mask, &mask);
    before->sa_sigaction(signal, info, context);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return 1;
}

static void handle(int signal, siginfo_t *info, void *context) {
    if (is_chained(signal, info, context))
        return;
    static const char report[] = "the machine's own report\n";
    if (write(STDOUT_FILENO, report, sizeof(report) - 1) < 0)
        _exit(96);
#ifdef GO
    _exit(2);
#endif
    abort();
}

static void set_handler(void) {
#ifndef GO
    void (*begin)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "JVM_begin_signal_setting");
    void (*end)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "JVM_end_signal_setting");
    action_before = (struct sigaction * (*)(int)) dlsym(RTLD_DEFAULT, "JVM_get_signal_action");
    if (begin != NULL)
        begin();
#endif
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &found);
#ifndef GO
    if (end != NULL)
        end();
#endif
}

__attribute__((noinline)) static int native_call(int value) {
    *nowhere = value;
    return value + 1;
}

int main(int argc, char **argv) {
    set_handler();
    if (argc > 1 && strcmp(argv[1], "sent") == 0)
        kill(getpid(), SIGSEGV);
    else
        return native_call(argc);
    pause();
    return 98;
}
