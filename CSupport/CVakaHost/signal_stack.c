/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "vaka_host.h"

#include <pthread.h>
#include <signal.h>

int vaka_host_has_signal_stack(void) {
    stack_t stack;
    return sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE) == 0;
}

static void *ask(void *answer) {
    *(int *)answer = vaka_host_has_signal_stack();
    return NULL;
}

int vaka_host_new_thread_has_signal_stack(void) {
    pthread_t thread;
    int answer = 0;
    if (pthread_create(&thread, NULL, ask, &answer) != 0)
        return -1;
    pthread_join(thread, NULL);
    return answer;
}
