// SPDX-License-Identifier: Apache-2.0
#include "two-units.h"

static inline __attribute__((always_inline)) int take(struct queue *queue, int index) {
    return queue->items[index];
}

static inline __attribute__((always_inline)) int weigh(struct queue *queue, int index) {
    return take(queue, index) * 3;
}

__attribute__((noinline)) static int pass(struct queue *queue) {
    int sum = 1;
    for (int i = 0; i < queue->count; i++)
        sum += weigh(queue, i);
    return sum;
}

int drain(struct queue *queue) {
    int sum = pass(queue);
    return sum + queue->count;
}
