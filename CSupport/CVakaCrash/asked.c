/* SPDX-License-Identifier: Apache-2.0 */
/* The signals that ask for the end, where nobody else handles them. */
#include "internal.h"

#include "async/asked.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Those whose default action is to end the process and that are sent to that end, and SIGPIPE. */
static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE};
#define COUNT (sizeof(signals) / sizeof(signals[0]))

static bool is_ours(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) != 0 && action->sa_sigaction == vaka_async_asked;
}

static bool watch(int signal) {
    struct sigaction before;
    if (sigaction(signal, NULL, &before) != 0 || (before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler != SIG_DFL)
        return false;
    struct sigaction action = {.sa_sigaction = vaka_async_asked, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigfillset(&action.sa_mask);
    return sigaction(signal, &action, NULL) == 0;
}

void vaka_asked_install(void) {
    /* The first process of a namespace does not get signals whose action is the default one: it must live on. */
    if (getpid() == 1)
        return;
    char watched[16 * COUNT] = "";
    size_t length = 0;
    for (size_t i = 0; i < COUNT; i++) {
        if (watch(signals[i]))
            length += (size_t)snprintf(watched + length, sizeof(watched) - length, "%d ", signals[i]);
    }
    if (length > 0)
        vaka_context_set(VAKA_CONTEXT_RUN, "watched", watched);
}

void vaka_asked_uninstall(void) {
    for (size_t i = 0; i < COUNT; i++) {
        struct sigaction action;
        if (sigaction(signals[i], NULL, &action) == 0 && is_ours(&action))
            signal(signals[i], SIG_DFL);
    }
}
