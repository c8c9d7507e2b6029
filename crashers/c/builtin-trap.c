/* SPDX-License-Identifier: Apache-2.0 */
/* A state machine that meets a state it was never meant to be in. */
#include <stdio.h>

enum state { IDLE, CONNECTING, CONNECTED };

__attribute__((noinline)) static int next_state(volatile int state) {
    switch (state) {
    case IDLE:
        return CONNECTING;
    case CONNECTING:
        return CONNECTED;
    case CONNECTED:
        return 7;
    default:
        __builtin_trap();
    }
}

__attribute__((noinline)) static int run_connection(int steps) {
    int state = IDLE;
    for (int i = 0; i < steps; i++)
        state = next_state(state);
    return state;
}

int main(void) {
    int state = run_connection(5);
    printf("%d\n", state);
    return 0;
}
