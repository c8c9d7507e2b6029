/* SPDX-License-Identifier: Apache-2.0 */
/* Sets its own action for SIGSEGV after the handlers were installed, without regard to them: later-signal ACTION. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int *volatile nowhere = (int *)8;

static void leave(int number) {
    (void)number;
    _exit(3);
}

__attribute__((noinline)) static int parse(int amount) {
    *nowhere += amount;
    return *nowhere + 1;
}

int main(int argc, char **argv) {
    const char *action = argc > 1 ? argv[1] : "";
    if (strcmp(action, "handler") == 0)
        signal(SIGSEGV, leave);
    else if (strcmp(action, "default") == 0)
        signal(SIGSEGV, SIG_DFL);
    else if (strcmp(action, "ignore") == 0)
        signal(SIGSEGV, SIG_IGN);
    int parsed = parse(argc);
    return parsed & 1;
}
