/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks every signal, as servers do that wait for them on a thread of their own, and then writes to a null pointer. */
#include <signal.h>
#include <stddef.h>

static int *volatile nowhere = (int *)8;

__attribute__((noinline)) static int count_request(int amount) {
    *nowhere += amount;
    return *nowhere + 1;
}

int main(int argc, char **argv) {
    sigset_t all;
    (void)argv;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    int counted = count_request(argc);
    return counted & 1;
}
