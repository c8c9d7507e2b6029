/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatches a message whose handler was never registered: a call to address 0 (or to the one given). */
#include <stdio.h>
#include <stdlib.h>

typedef int (*handler)(const char *payload);

static handler handlers[4];

__attribute__((noinline)) static int print_payload(const char *payload) {
    return printf("%s\n", payload);
}

__attribute__((noinline)) static int dispatch_message(int kind, const char *payload) {
    volatile int saved[16] = {kind};
    int result = handlers[kind](payload);
    return result + saved[0];
}

__attribute__((noinline)) static int run_loop(int messages) {
    int handled = 0;
    for (int i = 0; i < messages; i++)
        handled += dispatch_message(i, "hello");
    return handled;
}

int main(int argc, char **argv) {
    handlers[0] = print_payload;
    if (argc > 1)
        handlers[1] = (handler)strtoul(argv[1], NULL, 0);
    int handled = run_loop(4);
    printf("handled %d\n", handled);
    return 0;
}
