/* SPDX-License-Identifier: Apache-2.0 */
/* Reloads its settings in a handler of SIGUSR1, where they are gone. */
#include <signal.h>
#include <stdio.h>

struct settings {
    int verbosity;
};

static struct settings *volatile current;

__attribute__((noinline)) static int reload_settings(int signal) {
    current->verbosity = signal;
    return current->verbosity;
}

static void on_reload(int signal) {
    volatile int verbosity = reload_settings(signal);
    (void)verbosity;
}

__attribute__((noinline)) static int work(int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
        if (i == 3)
            raise(SIGUSR1);
        sum += i;
    }
    return sum;
}

int main(void) {
    struct sigaction action = {.sa_handler = on_reload};
    sigaction(SIGUSR1, &action, NULL);
    int sum = work(10);
    printf("%d\n", sum);
    return 0;
}
