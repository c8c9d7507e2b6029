/* SPDX-License-Identifier: Apache-2.0 */
/* Built with frame pointers and no other unwind rules; one of the saved frame pointers leads back to itself. */
#include <stdio.h>

static volatile int *volatile nothing;

__attribute__((noinline)) static int innermost(int depth) {
    void *volatile own = __builtin_frame_address(0);
    int value = *nothing;
    return value + depth + (own == NULL);
}

__attribute__((noinline)) static int tie_knot(int depth) {
    void *volatile *frame = __builtin_frame_address(0);
    frame[0] = (void *)frame;
    int value = innermost(depth + 1);
    return value + depth;
}

__attribute__((noinline)) static int outer(int depth) {
    int value = tie_knot(depth + 1);
    return value + depth;
}

int main(void) {
    int value = outer(1);
    printf("%d\n", value);
    return 0;
}
