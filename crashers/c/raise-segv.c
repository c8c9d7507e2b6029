/* SPDX-License-Identifier: Apache-2.0 */
/* A watchdog that ends the program by sending itself a signal. */
#include <signal.h>
#include <stdio.h>

__attribute__((noinline)) static int end_by_watchdog(int missed) {
    if (missed > 2)
        raise(SIGSEGV);
    return missed;
}

__attribute__((noinline)) static int watch(int beats) {
    int missed = 0;
    for (int i = 0; i < beats; i++)
        missed += end_by_watchdog(i);
    return missed;
}

int main(void) {
    int missed = watch(5);
    printf("%d\n", missed);
    return 0;
}
