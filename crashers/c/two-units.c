// SPDX-License-Identifier: Apache-2.0
// A program of two files, for link-time optimisation and for packages of debug information.
#include <stdio.h>

#include "two-units.h"

int main(int count, char **arguments) {
    (void)arguments;
    volatile int numbers[4] = {count, 2, 3, 4};
    struct queue queue = {numbers, 4};
    int sum = drain(&queue);
    queue.items = NULL;
    sum += drain(&queue);
    printf("%d\n", sum);
    return 0;
}
