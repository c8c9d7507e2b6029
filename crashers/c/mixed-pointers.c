/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with a frame pointer beside functions without, at the leaf and in the middle. */
#include <stdio.h>

#define WITH_POINTER __attribute__((noinline, optimize("no-omit-frame-pointer")))
#define WITHOUT_POINTER __attribute__((noinline, optimize("omit-frame-pointer")))

WITHOUT_POINTER static int leaf(const volatile int *data, int depth) {
    return *data + depth;
}

WITH_POINTER static int above_leaf(const volatile int *data, int depth) {
    int value = leaf(data, depth + 1);
    return value * 3;
}

WITHOUT_POINTER static int middle(const volatile int *data, int depth) {
    volatile char space[40];
    space[depth] = 1;
    int value = above_leaf(data, depth + 1);
    return value + space[depth];
}

WITH_POINTER static int outer(const volatile int *data, int depth) {
    int value = middle(data, depth + 1);
    return value * 5;
}

int main(void) {
    int value = outer(NULL, 1);
    printf("%d\n", value);
    return 0;
}
